/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 64 };

typedef struct {
  uint32_t refs;
  lit_t b[PAGE * 8];
} page_t;

typedef struct {
  uint32_t refs, size;
  bool vague; /* some page of the second plane exists */
  bool fixed, dead;
  page_t *page[]; /* NULL: zeros; a second plane after the first marks what is not set */
} object_t;

struct mem {
  uint32_t refs, n, room;
  object_t **object; /* NULL: not on this path */
};

static uint32_t pages(uint32_t size) {
  return (size + PAGE - 1) / PAGE;
}

mem_t *mem_open(void) {
  mem_t *m = prove_alloc(sizeof *m);
  *m = (mem_t){.refs = 1};
  return m;
}

mem_t *mem_share(mem_t *m) {
  m->refs++;
  return m;
}

static void drop_page(page_t *p) {
  if (p && --p->refs == 0) free(p);
}

static void drop_object(object_t *o) {
  if (!o || --o->refs > 0) return;
  for (uint32_t i = 0; i < 2 * pages(o->size); i++) drop_page(o->page[i]);
  free(o);
}

void mem_close(mem_t *m) {
  if (!m || --m->refs > 0) return;
  for (uint32_t i = 0; i < m->n; i++) drop_object(m->object[i]);
  free(m->object);
  free(m);
}

/* Makes the memory unshared. */
static mem_t *own(mem_t **m) {
  mem_t *old = *m;
  if (old->refs == 1) return old;
  mem_t *made = prove_alloc(sizeof *made);
  *made = (mem_t){.refs = 1, .n = old->n, .room = old->n};
  made->object = prove_alloc(made->room * sizeof(object_t *));
  for (uint32_t i = 0; i < old->n; i++) {
    made->object[i] = old->object[i];
    if (made->object[i]) made->object[i]->refs++;
  }
  old->refs--;
  *m = made;
  return made;
}

static object_t *new_object(uint32_t size) {
  object_t *o = prove_alloc(sizeof *o + 2 * pages(size) * sizeof(page_t *));
  *o = (object_t){.refs = 1, .size = size};
  for (uint32_t i = 0; i < 2 * pages(size); i++) o->page[i] = NULL;
  return o;
}

static object_t *own_object(mem_t **m, uint32_t id) {
  mem_t *mine = own(m);
  object_t *old = mine->object[id];
  if (old->refs == 1) return old;
  object_t *made = new_object(old->size);
  made->vague = old->vague;
  made->fixed = old->fixed;
  made->dead = old->dead;
  for (uint32_t i = 0; i < 2 * pages(old->size); i++) {
    made->page[i] = old->page[i];
    if (made->page[i]) made->page[i]->refs++;
  }
  old->refs--;
  mine->object[id] = made;
  return made;
}

static page_t *own_page(object_t *o, uint32_t i) {
  page_t *old = o->page[i];
  if (old && old->refs == 1) return old;
  page_t *made = prove_alloc(sizeof *made);
  if (old) {
    *made = *old;
    old->refs--;
  } else {
    memset(made, 0, sizeof *made);
  }
  made->refs = 1;
  o->page[i] = made;
  return made;
}

/* Fills the object with new variables, all of them not set. */
static void make_unset(bv_ctx_t *x, object_t *o) {
  for (uint32_t i = 0; i < o->size; i++) {
    lit_t *b = own_page(o, i / PAGE)->b + i % PAGE * 8;
    lit_t *u = own_page(o, pages(o->size) + i / PAGE)->b + i % PAGE * 8;
    for (unsigned k = 0; k < 8; k++) {
      b[k] = aig_input(x->g);
      u[k] = AIG_TRUE;
    }
  }
  o->vague = o->size > 0;
}

void mem_add(bv_ctx_t *x, mem_t **m, uint32_t id, uint32_t size, mem_fill_t fill) {
  mem_t *mine = own(m);
  if (id >= mine->room) {
    mine->room = 2 * id + 8;
    mine->object = prove_grow(mine->object, mine->room * sizeof(object_t *));
  }
  while (mine->n <= id) mine->object[mine->n++] = NULL;
  mine->object[id] = new_object(size);
  if (fill == MEM_UNKNOWN) make_unset(x, mine->object[id]);
}

static bool has(const mem_t *m, uint32_t id) {
  return id < m->n && m->object[id];
}

void mem_protect(mem_t **m, uint32_t id) {
  own_object(m, id)->fixed = true;
}

bool mem_is_protected(const mem_t *m, uint32_t id) {
  return has(m, id) && m->object[id]->fixed;
}

void mem_kill(mem_t **m, uint32_t id) {
  if (has(*m, id)) own_object(m, id)->dead = true;
}

void mem_revive(bv_ctx_t *x, mem_t **m, uint32_t id) {
  if (!has(*m, id)) return;
  object_t *o = own_object(m, id);
  o->dead = false;
  make_unset(x, o);
}

void mem_forget(mem_t **m, uint32_t id) {
  if (!has(*m, id)) return;
  mem_t *mine = own(m);
  drop_object(mine->object[id]);
  mine->object[id] = NULL;
  while (mine->n > 0 && !mine->object[mine->n - 1]) mine->n--;
}

uint32_t mem_size(const mem_t *m, uint32_t id) {
  return has(m, id) && !m->object[id]->dead ? m->object[id]->size : 0;
}

bool mem_same(const mem_t *a, const mem_t *b, uint32_t id) {
  if (!has(a, id) || !has(b, id)) return has(a, id) == has(b, id);
  const object_t *p = a->object[id], *q = b->object[id];
  if (p == q) return true;
  if (p->size != q->size || p->dead != q->dead) return false;
  for (uint32_t i = 0; i < 2 * pages(p->size); i++)
    if (p->page[i] != q->page[i]) return false;
  return true;
}

uint32_t mem_objects(const mem_t *m) {
  return m->n;
}

static const lit_t *byte_of(const object_t *o, uint32_t plane, uint32_t offset) {
  static const lit_t zero[8] = {0};
  const page_t *p = o->page[plane + offset / PAGE];
  return p ? p->b + offset % PAGE * 8 : zero;
}

const lit_t *mem_byte(const mem_t *m, uint32_t id, uint32_t offset) {
  return byte_of(m->object[id], 0, offset);
}

const lit_t *mem_unset(const mem_t *m, uint32_t id, uint32_t offset) {
  return byte_of(m->object[id], pages(m->object[id]->size), offset);
}

lit_t *mem_set_byte(mem_t **m, uint32_t id, uint32_t offset) {
  object_t *o = own_object(m, id);
  if (o->vague)
    memset(own_page(o, pages(o->size) + offset / PAGE)->b + offset % PAGE * 8, 0,
           8 * sizeof(lit_t));
  return own_page(o, offset / PAGE)->b + offset % PAGE * 8;
}

/* An access of `n` bytes to one object at a constant offset plus `off`. */
typedef struct {
  bv_ctx_t *x;
  object_t *o;
  uint32_t n, end, plane;
  bool store;
  bv_t off, value;
} access_t;

/* The value at `at` plus the offset's bits below `bit`; a vector of no bits if beyond the end. */
static bv_t load_tree(const access_t *a, uint64_t at, uint32_t bit) {
  if (at + a->n > a->end) return (bv_t){NULL, 0};
  while (bit > 0 && a->off.b[bit - 1] == AIG_FALSE) bit--;
  if (bit == 0) {
    bv_t v = bv_new(a->x, 8 * a->n);
    for (uint32_t i = 0; i < a->n; i++)
      memcpy(v.b + 8 * i, byte_of(a->o, a->plane, (uint32_t)at + i), 8 * sizeof(lit_t));
    return v;
  }
  lit_t b = a->off.b[bit - 1];
  bv_t hi = load_tree(a, at + (UINT64_C(1) << (bit - 1)), bit - 1);
  if (b == AIG_TRUE) return hi;
  bv_t lo = load_tree(a, at, bit - 1);
  return hi.n == 0 ? lo : bv_mux(a->x, b, hi, lo);
}

static void store_tree(const access_t *a, uint64_t at, uint32_t bit, lit_t cond) {
  if (at + a->n > a->end || cond == AIG_FALSE) return;
  while (bit > 0 && a->off.b[bit - 1] == AIG_FALSE) bit--;
  if (bit == 0) {
    for (uint32_t i = 0; i < 8 * a->n; i++) {
      uint32_t to = (uint32_t)at + i / 8;
      lit_t *b = own_page(a->o, a->plane + to / PAGE)->b + to % PAGE * 8 + i % 8;
      *b = aig_mux(a->x->g, cond, a->value.b[i], *b);
    }
    return;
  }
  lit_t b = a->off.b[bit - 1];
  uint64_t up = at + (UINT64_C(1) << (bit - 1));
  /* If the upper half lies beyond the end, being in the lower half is an obligation. */
  bool both = up + a->n <= a->end;
  store_tree(a, up, bit - 1, aig_and(a->x->g, cond, b));
  if (b != AIG_TRUE) store_tree(a, at, bit - 1, both ? aig_and(a->x->g, cond, aig_not(b)) : cond);
}

static bool all_false(const lit_t *b, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++)
    if (b[i] != AIG_FALSE) return false;
  return true;
}

/* Accesses both planes; the second one only where it has any information. */
static void access_planes(access_t *a, uint32_t from, lit_t when, val_t *value) {
  const uint32_t second = pages(a->o->size);
  if (a->store && value->unset.n) a->o->vague = true;
  for (unsigned plane = 0; plane < (a->o->vague ? 2 : 1); plane++) {
    bv_t *part = plane ? &value->unset : &value->v;
    a->plane = plane ? second : 0;
    a->value = *part;
    if (a->store && !part->n) a->value = bv_const(a->x, 8 * a->n, 0);
    if (a->store)
      store_tree(a, from, 32, when);
    else
      *part = load_tree(a, from, 32);
  }
}

/* Accesses one object; `at.v` counts from `at.base`, which lies in it. The offset added to that
 * place must not be negative: where it could be, legally, the place is moved to the lowest one. */
static lit_t on_object(access_t *a, val_t at, lit_t when, val_t *value) {
  uint32_t from = (uint32_t)at.base, lo = at.hi ? at.lo : 0;
  if (a->o->dead || (a->store && a->o->fixed)) return AIG_FALSE;
  a->end = at.hi && at.hi < a->o->size ? at.hi : a->o->size;
  bv_t v = at.v;
  if (from != lo && !all_false(v.b, 32, 64)) {
    v = bv_add(a->x, v, bv_const(a->x, 64, (uint64_t)from - lo));
    from = lo;
  }
  if (from < lo || a->end < a->n || from > a->end - a->n) return AIG_FALSE;
  lit_t legal = bv_ult(a->x, v, bv_const(a->x, 64, a->end - a->n - from + 1));
  if (legal == AIG_FALSE) return legal;
  a->off = bv_slice(a->x, v, 0, 32);
  access_planes(a, from, when, value);
  return legal;
}

static val_t choose(bv_ctx_t *x, lit_t c, val_t t, val_t e) {
  val_t v = {.v = bv_mux(x, c, t.v, e.v)};
  if (!t.unset.n && !e.unset.n) return v;
  if (!t.unset.n) t.unset = bv_const(x, t.v.n, 0);
  if (!e.unset.n) e.unset = bv_const(x, e.v.n, 0);
  v.unset = bv_mux(x, c, t.unset, e.unset);
  return v;
}

/* `m` is NULL for a load. */
static lit_t access_memory(bv_ctx_t *x, const mem_t *mem, mem_t **m, val_t at, uint32_t n,
                           val_t *value) {
  access_t a = {.x = x, .store = m != NULL, .n = n};
  if (at.base) { /* the object is known */
    uint32_t id = mem_object(at.base);
    if (mem_size(mem, id) == 0) return AIG_FALSE;
    a.o = m && !mem->object[id]->fixed ? own_object(m, id) : mem->object[id];
    return on_object(&a, at, AIG_TRUE, value);
  }
  lit_t legal = AIG_FALSE;
  for (uint32_t id = 0; id < mem->n; id++) {
    if (!mem->object[id]) continue;
    bv_t hi = bv_slice(x, at.v, 32, 32);
    lit_t here = bv_eq(x, hi, bv_const(x, 32, mem_address(id) >> 32));
    if (here == AIG_FALSE) continue;
    val_t found = {.base = 0};
    if (m && !mem->object[id]->fixed) {
      a.o = own_object(m, id);
      mem = *m;
    } else {
      a.o = mem->object[id];
    }
    lit_t inside = on_object(&a, (val_t){.v = bv_slice(x, bv_slice(x, at.v, 0, 32), 0, 64)}, here,
                             m ? value : &found);
    if (found.v.n) *value = value->v.n ? choose(x, here, found, *value) : found;
    legal = aig_or(x->g, legal, aig_and(x->g, here, inside));
  }
  return legal;
}

val_t mem_load(bv_ctx_t *x, const mem_t *m, val_t at, uint32_t n, lit_t *legal) {
  val_t v = {.base = 0};
  *legal = access_memory(x, m, NULL, at, n, &v);
  if (!v.v.n) v.v = bv_const(x, 8 * n, 0);
  if (v.unset.n && all_false(v.unset.b, 0, v.unset.n)) v.unset.n = 0;
  return v;
}

lit_t mem_store(bv_ctx_t *x, mem_t **m, val_t at, val_t value) {
  return access_memory(x, *m, m, at, value.v.n / 8, &value);
}

static void merge_page(bv_ctx_t *x, lit_t choice, object_t *a, const object_t *b, uint32_t i) {
  if (a->page[i] == b->page[i]) return;
  page_t *into = own_page(a, i);
  for (uint32_t k = 0; k < PAGE * 8; k++) {
    lit_t other = b->page[i] ? b->page[i]->b[k] : AIG_FALSE;
    into->b[k] = aig_mux(x->g, choice, into->b[k], other);
  }
}

mem_t *mem_merge(bv_ctx_t *x, lit_t choice, mem_t *a, mem_t *b) {
  if (a == b) {
    mem_close(b);
    return a;
  }
  for (uint32_t id = 0; id < b->n; id++) {
    object_t *o = b->object[id];
    if (!o || (id < a->n && a->object[id] == o)) continue;
    if (!has(a, id)) { /* created on one path only: the other cannot know its address */
      mem_add(x, &a, id, o->size, MEM_ZERO);
      drop_object(a->object[id]);
      a->object[id] = o;
      o->refs++;
      continue;
    }
    object_t *into = own_object(&a, id);
    into->vague |= o->vague;
    into->dead |= o->dead; /* an access is legal only where both paths allow it */
    for (uint32_t i = 0; i < 2 * pages(o->size); i++) merge_page(x, choice, into, o, i);
  }
  mem_close(b);
  return a;
}
