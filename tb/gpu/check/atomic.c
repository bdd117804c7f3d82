/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics on packets with data: a packet describes what its transaction does, and the L2 does it in
 * the order in which it takes the packets. */
#include "gpu/check/check_state.h"

#include <inttypes.h>
#include <string.h>

/* Of one lane. */
typedef struct {
  uint32_t lane, at; /* byte offset in the line */
  uint64_t addr, b, c;
  uint32_t own[sizeof(uint64_t)]; /* its last store to each byte at the time of issue */
} change_t;

struct check_atomic {
  check_atomic_t *next; /* next in the free list */
  atomic_t does;
  uint32_t warp, pc; /* index of check_t.warps */
  uint64_t cycle;
  unsigned elem, n;
  change_t change[WARP_LANES];
};

static check_atomic_t *new_atomic(check_t *c) {
  check_atomic_t *a = c->free_atomics;
  if (a)
    c->free_atomics = a->next;
  else
    a = check_block(c, sizeof *a);
  return a;
}

void check_atomic_drop(check_t *c, check_atomic_t *a) {
  if (!a) return;
  a->next = c->free_atomics;
  c->free_atomics = a;
}

/* ---- issue -------------------------------------------------------------------- */

/* Records how the bytes changed since memory was last quiet: by one operation whose order does not
 * matter, or by anything else. */
static void mix(uint16_t *pure, unsigned n, const warp_inst_t *i) {
  const bool commutes = atomic_commutes((ptx_atomic_t)i->variant, (ptx_type_t)i->type);
  const unsigned one = 1u + ((unsigned)i->variant << 8 | i->type);
  const uint16_t is = commutes ? (uint16_t)(one & UINT16_MAX) : (uint16_t)CHECK_MIXED;
  for (unsigned k = 0; k < n; k++) pure[k] = pure[k] && pure[k] != is ? CHECK_MIXED : is;
}

/* Predicts the functional memory after the atomic, lanes in order. */
static void foresee(check_t *c, image_line_t *m, const change_t *x, const check_atomic_t *a) {
  uint64_t old = 0, now;
  if (!c->workload->ops->values) return;
  memcpy(&old, &m->last_byte[x->at], a->elem);
  now = a->does(old, x->b, x->c);
  memcpy(&m->last_byte[x->at], &now, a->elem);
}

static change_t *add_change(const check_warp_t *w, check_atomic_t *a, uint64_t addr, unsigned lane,
                            const uint8_t value[16]) {
  change_t *x = &a->change[a->n++];
  *x = (change_t){.lane = lane, .at = (uint32_t)(addr % LINE), .addr = addr};
  memcpy(&x->b, value, sizeof x->b);
  memcpy(&x->c, value + sizeof x->b, sizeof x->c);
  for (unsigned i = 0; i < a->elem; i++) x->own[i] = check_own_store(w, addr + i, lane);
  return x;
}

check_data_t *check_issue_atomic(check_sm_t *s, check_warp_t *w, const warp_inst_t *inst,
                                 const uint64_t addr[WARP_LANES], uint8_t value[WARP_LANES][16],
                                 const coalesced_t *t) {
  check_t *c = s->check;
  const uint64_t line = t->addr & ~(uint64_t)(LINE - 1);
  image_line_t *m = check_image_make(c, line);
  check_data_t *d = check_data_new(c, line);
  check_atomic_t *a = d->atomic = new_atomic(c);
  if (!m || !a) return d;
  d->id = check_new_store(c, w->id, t->lanes, inst->pc);
  a->does = atomic_function((ptx_atomic_t)inst->variant, (ptx_type_t)inst->type, true);
  a->warp = w->id;
  a->pc = inst->pc;
  a->cycle = c->now;
  a->elem = inst->elem;
  a->n = 0;
  for (uint32_t left = t->lanes; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    const change_t *x = add_change(w, a, addr[lane], lane, value[lane]);
    mix(&m->pure[x->at], a->elem, inst);
    foresee(c, m, x, a);
    for (unsigned i = 0; i < a->elem; i++) {
      m->last_store[x->at + i] = d->id;
      check_own_remember(c, w, x->addr + i, lane, d->id);
    }
  }
  return d;
}

/* ---- the L2 -------------------------------------------------------------------- */

/* The value that the atomic finds must be the thread's own last store or a later one. */
static void check_before(check_t *c, const check_atomic_t *a, const change_t *x, unsigned i,
                         uint32_t got) {
  const uint32_t own = x->own[i];
  const store_t *g = check_store(c, got), *o = check_store(c, own);
  const warp_id_t *w = &c->warps[a->warp];
  if (!own || got == own || (o->performed && g->performed > o->performed)) return;
  (void)mrpb_fail(&c->err,
                  "sm%u warp %u lane %" PRIu32 ", block %" PRIu32 " of launch %" PRIu32
                  ", the atomic at pc 0x%" PRIx32 " of cycle %" PRIu64 ", 0x%" PRIx64
                  ": expected its own %s or a later one, got %s in the L2",
                  w->sm, w->warp, x->lane, w->block, w->launch, a->pc, a->cycle, x->addr + i,
                  check_describe(c, own).text, check_describe(c, got).text);
}

/* From now on the atomic has its position among the stores, although its bytes come later. */
void check_l2_atomic_miss(check_t *c, const packet_t *p) {
  if (p->data) check_perform(c, p->data->id);
}

void check_perform_atomic(check_t *c, packet_t *p, check_data_t *line) {
  check_data_t *d = p->data;
  if (!d || !d->atomic || !line || line->line != d->line) {
    (void)mrpb_fail(&c->err, "0x%" PRIx64 ": an atomic without data in the L2", p->addr);
    return;
  }
  if (!check_store(c, d->id)->performed) check_perform(c, d->id);
  for (unsigned k = 0; k < d->atomic->n; k++) {
    const change_t *x = &d->atomic->change[k];
    uint64_t old = 0, now;
    memcpy(&old, &line->byte[x->at], d->atomic->elem);
    now = d->atomic->does(old, x->b, x->c);
    for (unsigned i = 0; i < d->atomic->elem; i++) {
      check_before(c, d->atomic, x, i, line->store[x->at + i]);
      line->store[x->at + i] = d->id;
    }
    memcpy(&line->byte[x->at], &now, d->atomic->elem);
  }
  line->modified = true;
  c->stats.atomics += d->atomic->n;
}
