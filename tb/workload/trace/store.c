/* SPDX-License-Identifier: Apache-2.0 */
/* The trace in its temporary file: see store.h. Addresses with a constant stride between
 * neighbouring active lanes are kept as two numbers; others are kept as distances where these are
 * small. */
#include "workload/trace/store.h"

#include "base/hash.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 16, PAGE_LOG2 = 21, LARGEST = HEAD + TRACE_MAX_WAITS + 8 * WARP_LANES + 16 };
enum { BEGUN = 1, ENDED = 2 }; /* marks of a warp's chain */
enum { STRIDE, STEPS, LIST };  /* encodings of addresses */

/* Head of a launch in the file; its name follows. */
typedef struct {
  uint64_t next, chains, name;
  uint32_t blocks, threads, regs, shared;
} head_t;

struct trace_name {
  struct trace_name *next;
  char text[];
};

int trace_store_open(trace_store_t *s, mrpb_err_t *err) {
  *s = (trace_store_t){.spill = spill_open(err)};
  return s->spill ? 0 : -1;
}

void trace_store_free(trace_store_t *s) {
  spill_close(s->spill);
  for (unsigned i = 0; i < TRACE_NAMES; i++)
    for (struct trace_name *n = s->names[i], *next; n; n = next) {
      next = n->next;
      free(n);
    }
  *s = (trace_store_t){0};
}

/* ---- launches -------------------------------------------------------------- */

static uint64_t chain_of(const trace_store_t *s, uint64_t warp) {
  return s->chains + warp * SPILL_STEP;
}

int trace_store_check(trace_store_t *s, mrpb_err_t *err) {
  const uint64_t warps = (uint64_t)s->launch.blocks * s->warps_per_block;
  if (s->launches == 0 || s->ended == warps) return 0;
  for (uint64_t w = 0; w < warps; w++) {
    const int mark = spill_mark(s->spill, chain_of(s, w), err);
    if (mark < 0) return -1;
    if (mark != ENDED)
      return mrpb_fail(err, "block %" PRIu64 " warp %" PRIu64 " of %.100s has no end",
                       w / s->warps_per_block, w % s->warps_per_block, s->launch.kernel);
  }
  return 0;
}

/* Returns the single copy of a name; NULL and a message on an error. */
static const char *name_of(trace_store_t *s, const char *text, mrpb_err_t *err) {
  const size_t n = strlen(text) + 1;
  struct trace_name **at = &s->names[hash_bytes(HASH_START, text, n) % TRACE_NAMES];
  for (const struct trace_name *i = *at; i; i = i->next)
    if (strcmp(i->text, text) == 0) return i->text;
  struct trace_name *i = n < TRACE_NAME_BYTES - s->name_bytes ? malloc(sizeof *i + n) : NULL;
  if (!i) {
    mrpb_fail(err, "no memory for the kernels' names; legal: %d MB of them",
              TRACE_NAME_BYTES >> 20);
    return NULL;
  }
  memcpy(i->text, text, n);
  i->next = *at;
  *at = i;
  s->name_bytes += n;
  return i->text;
}

static int take_launch(trace_store_t *s, const head_t *h, const char *name, mrpb_err_t *err) {
  const char *kernel = name_of(s, name, err);
  if (!kernel) return -1;
  s->warps_per_block = (h->threads + WARP_LANES - 1) / WARP_LANES;
  s->chains = h->chains;
  s->launch = (launch_t){.kernel = kernel,
                         .blocks = h->blocks,
                         .threads = h->threads,
                         .regs = h->regs,
                         .shared = h->shared};
  return 0;
}

int trace_store_launch(trace_store_t *s, const char *name, uint64_t blocks, uint64_t threads,
                       uint64_t regs, uint64_t shared, mrpb_err_t *err) {
  if (trace_store_check(s, err) != 0) return -1;
  if (blocks < 1 || blocks > TRACE_MAX_BLOCKS || threads < 1 || threads > TRACE_MAX_THREADS ||
      regs > 1024 || shared > 1 << 20)
    return mrpb_fail(err,
                     "launch out of range; legal: 1 to %d blocks, 1 to %d threads, at most 1024 "
                     "registers and 1 MB of shared memory",
                     TRACE_MAX_BLOCKS, TRACE_MAX_THREADS);
  head_t h = {.name = strlen(name),
              .blocks = (uint32_t)blocks,
              .threads = (uint32_t)threads,
              .regs = (uint32_t)regs,
              .shared = (uint32_t)shared};
  const uint64_t warps = blocks * ((threads + WARP_LANES - 1) / WARP_LANES);
  uint64_t where, behind;
  if (spill_flush(s->spill, err) != 0 || spill_chains(s->spill, warps, &h.chains, err) != 0 ||
      spill_write(s->spill, &h, sizeof h, &where, err) != 0 ||
      spill_write(s->spill, name, h.name, &behind, err) != 0 || take_launch(s, &h, name, err) != 0)
    return -1;
  if (s->last && spill_patch(s->spill, s->last, &where, sizeof where, err) != 0) return -1;
  if (!s->first) s->first = where;
  s->last = where;
  s->ended = 0;
  s->launches++;
  return 0;
}

int trace_store_end(trace_store_t *s, mrpb_err_t *err) {
  if (s->launches == 0) return mrpb_fail(err, "no launch; legal: at least one");
  if (trace_store_check(s, err) != 0 || spill_flush(s->spill, err) != 0) return -1;
  s->following = s->first;
  return 0;
}

int trace_store_next(trace_store_t *s, mrpb_err_t *err) {
  head_t h;
  char name[TRACE_NAME];
  if (!s->following) return 0;
  if (spill_read(s->spill, s->following, &h, sizeof h, err) != 0 ||
      spill_read(s->spill, s->following + sizeof h, name, h.name, err) != 0)
    return -1;
  name[h.name] = '\0';
  if (take_launch(s, &h, name, err) != 0) return -1;
  s->following = h.next;
  return 1;
}

/* ---- addresses beyond 32 bits ---------------------------------------------- */

static unsigned find_page(const trace_pages_t *p, uint64_t page) {
  unsigned low = 0, high = p->n;
  while (low < high) {
    const unsigned mid = (low + high) / 2;
    if (p->page[mid] < page)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static void note_page(trace_pages_t *p, uint64_t page) {
  const unsigned at = find_page(p, page);
  p->last = at;
  if (at < p->n && p->page[at] == page) return;
  p->many |= p->n == TRACE_PAGES;
  if (p->many) return;
  memmove(&p->page[at + 1], &p->page[at], (p->n - at) * sizeof p->page[0]);
  p->page[at] = page;
  p->n++;
}

static bool global_access(const trace_record_t *r) {
  return r->kind <= TRACE_STORE && r->space != WARP_SHARED;
}

static int note_pages(trace_pages_t *p, const trace_record_t *r, mrpb_err_t *err) {
  for (uint32_t m = r->mask; m; m &= m - 1) {
    const uint64_t page = r->addr[__builtin_ctz(m)] >> PAGE_LOG2;
    if (p->last < p->n && p->page[p->last] == page) continue;
    note_page(p, page);
    p->beyond |= page >> (32 - PAGE_LOG2) != 0;
  }
  if (p->beyond && p->many)
    return mrpb_fail(err, "more than %d pages of 2 MB are touched; legal: 2 GB", TRACE_PAGES);
  return 0;
}

static void move(trace_pages_t *p, trace_record_t *r) {
  for (uint32_t m = r->mask; m; m &= m - 1) {
    uint64_t *a = &r->addr[__builtin_ctz(m)];
    const uint64_t page = *a >> PAGE_LOG2, low = *a & ((UINT64_C(1) << PAGE_LOG2) - 1);
    if (p->page[p->last] != page) p->last = find_page(p, page);
    *a = UINT64_C(0x80000000) + ((uint64_t)p->last << PAGE_LOG2 | low);
  }
}

/* ---- packing --------------------------------------------------------------- */

/* Chooses the encoding for the addresses of active lanes; returns the first address and the
 * distances. */
static unsigned steps_of(const trace_record_t *r, uint64_t *first, int64_t step[WARP_LANES]) {
  uint64_t last = 0;
  unsigned n = 0, way = STRIDE;
  *first = 0;
  step[1] = 0;
  for (uint32_t m = r->mask; m; m &= m - 1, n++) {
    const uint64_t a = r->addr[__builtin_ctz(m)];
    if (n == 0) *first = a;
    if (n > 0) step[n] = (int64_t)(a - last);
    if (n > 1 && way == STRIDE && step[n] != step[1]) way = STEPS;
    last = a;
  }
  for (unsigned i = 1; i < n && way == STEPS; i++)
    if (step[i] != (int32_t)step[i]) way = LIST;
  return way;
}

static uint8_t *put(uint8_t *at, const void *v, size_t n) {
  memcpy(at, v, n);
  return at + n;
}

static const uint8_t *get(const uint8_t *at, void *v, size_t n) {
  memcpy(v, at, n);
  return at + n;
}

static uint8_t *put_addresses(uint8_t *at, const trace_record_t *r, unsigned way, uint64_t first,
                              const int64_t step[WARP_LANES]) {
  const unsigned n = (unsigned)__builtin_popcount(r->mask);
  if (way != LIST) at = put(at, &first, sizeof first);
  if (way == STRIDE) return put(at, &step[1], sizeof step[1]);
  if (way == LIST)
    for (uint32_t m = r->mask; m; m &= m - 1) at = put(at, &r->addr[__builtin_ctz(m)], 8);
  for (unsigned i = 1; i < n && way == STEPS; i++) {
    const int32_t small = (int32_t)step[i];
    at = put(at, &small, sizeof small);
  }
  return at;
}

static size_t pack(const trace_record_t *r, uint8_t out[LARGEST]) {
  uint64_t first = 0;
  int64_t step[WARP_LANES];
  const bool memory = r->kind == TRACE_LOAD || r->kind == TRACE_STORE;
  const unsigned way = memory ? steps_of(r, &first, step) : STRIDE;
  uint8_t *at = out;
  *at++ = (uint8_t)r->kind;
  *at++ = (uint8_t)r->space;
  *at++ = r->elem;
  *at++ = (uint8_t)r->n_wait;
  *at++ = (uint8_t)way;
  at = put(at, &r->gap, sizeof r->gap);
  at = put(at, &r->mask, sizeof r->mask);
  at = put(at, r->wait, r->n_wait);
  if (memory && r->mask) at = put_addresses(at, r, way, first, step);
  return (size_t)(at - out);
}

static const uint8_t *get_addresses(const uint8_t *at, trace_record_t *r, unsigned way) {
  uint64_t v = 0;
  int64_t stride = 0;
  int32_t small;
  bool begun = false;
  if (way != LIST) at = get(at, &v, sizeof v);
  if (way == STRIDE) at = get(at, &stride, sizeof stride);
  for (uint32_t m = r->mask; m; m &= m - 1) {
    if (way == LIST) {
      at = get(at, &v, sizeof v);
    } else if (begun && way == STEPS) {
      at = get(at, &small, sizeof small);
      stride = small;
    }
    if (begun && way != LIST) v += (uint64_t)stride;
    r->addr[__builtin_ctz(m)] = v;
    begun = true;
  }
  return at;
}

const uint8_t *trace_unpack(trace_store_t *s, const uint8_t *at, trace_record_t *r) {
  r->kind = (trace_kind_t)*at++;
  r->space = (warp_space_t)*at++;
  r->elem = *at++;
  r->n_wait = *at++;
  const unsigned way = *at++;
  at = get(at, &r->gap, sizeof r->gap);
  at = get(at, &r->mask, sizeof r->mask);
  at = get(at, r->wait, r->n_wait);
  if (r->kind > TRACE_STORE || r->mask == 0) return at;
  at = get_addresses(at, r, way);
  if (s->pages.beyond && global_access(r)) move(&s->pages, r);
  return at;
}

int trace_store_add(trace_store_t *s, uint64_t block, uint64_t warp, const trace_record_t *r,
                    mrpb_err_t *err) {
  uint8_t bytes[LARGEST];
  if (s->launches == 0) return mrpb_fail(err, "a record before the first launch");
  if (block >= s->launch.blocks || warp >= s->warps_per_block)
    return mrpb_fail(err,
                     "block %" PRIu64 " warp %" PRIu64 "; legal: blocks below %" PRIu32
                     ", warps below %" PRIu32,
                     block, warp, s->launch.blocks, s->warps_per_block);
  const uint64_t chain = chain_of(s, block * s->warps_per_block + warp);
  const int mark = spill_mark(s->spill, chain, err);
  if (mark < 0) return -1;
  if (mark == ENDED)
    return mrpb_fail(err, "block %" PRIu64 " warp %" PRIu64 " has ended already", block, warp);
  if (global_access(r) && note_pages(&s->pages, r, err) != 0) return -1;
  const bool end = r->kind == TRACE_EXIT;
  s->ended += end;
  return spill_add(s->spill, chain, bytes, pack(r, bytes), end ? ENDED : BEGUN, err);
}
