/* SPDX-License-Identifier: Apache-2.0 */
/* bar and barrier: the barrier's number and its count of warps. When the last warp arrives, bar.red
 * combines the predicates of all warps. */
#include "workload/simt/exec.h"

#include <inttypes.h>

/* Reads operand `i`, which must be the same in all lanes of `mask`. */
static bool uniform(warp_stream_t *w, const simt_op_t *op, unsigned i, uint32_t mask,
                    uint32_t *value) {
  const lane32_t *v = simt_vector(w, op->s[i]);
  const unsigned first = (unsigned)__builtin_ctz(mask);
  *value = v[first];
  for (uint32_t left = mask; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    if (v[l] == *value) continue;
    simt_fault(w, op, l, "%s %" PRIu32 ", of lane %u %" PRIu32 "; legal: one for the warp",
               i ? "threads" : "barrier", v[l], first, *value);
    return false;
  }
  return true;
}

warp_barrier_t simt_barrier(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  warp_barrier_t b = {.waits = op->inst->what != PTX_BAR_ARRIVE};
  uint32_t number = 0, threads = 0;
  const unsigned most = w->sim->launch.threads;
  if (mask == 0 || !uniform(w, op, 0, mask, &number)) return b;
  if (op->s[1] && !uniform(w, op, 1, mask, &threads)) return b;
  const unsigned first = (unsigned)__builtin_ctz(mask);
  if (number >= BARRIERS) {
    simt_fault(w, op, first, "barrier %" PRIu32 "; legal: 0 to %d", number, BARRIERS - 1);
    return b;
  }
  const unsigned warps = (most + WARP_LANES - 1) / WARP_LANES;
  if (op->s[1] && (threads == 0 || threads % WARP_LANES || threads / WARP_LANES > warps)) {
    simt_fault(w, op, first, "a barrier of %" PRIu32 " threads; legal: multiples of 32, up to %u",
               threads, warps * WARP_LANES);
    return b;
  }
  b.comes = true;
  b.number = (uint8_t)number;
  b.warps = (uint8_t)(threads / WARP_LANES);
  return b;
}

/* ---- the executor's own count of arrivals --------------------------------------- */

/* Writes the results of the warps in `on` that arrived with bar.red. */
static void give_results(simt_block_t *b, const simt_reduction_t *r, uint32_t on) {
  for (; on; on &= on - 1) {
    warp_stream_t *w = b->warp[__builtin_ctz(on)];
    const simt_op_t *op = w->red;
    uint32_t count[WARP_LANES];
    w->red = NULL;
    if (!op) continue;
    for (unsigned l = 0; l < WARP_LANES; l++) count[l] = r->count;
    if (op->inst->boolean == PTX_BOOL_NONE)
      exec_blend32(simt_vector(w, op->d[0]), count, w->red_mask);
    else
      exec_set_pred(w, op->d[0],
                    (op->inst->boolean == PTX_BOOL_AND ? r->all : r->any) ? UINT32_MAX : 0,
                    w->red_mask);
    simt_look(w); /* its next instruction may be guarded by the result */
  }
}

static void add_predicates(const warp_stream_t *w, const simt_op_t *op, simt_reduction_t *r,
                           uint32_t mask) {
  const uint32_t yes = exec_pred(w, op, 2) & mask;
  if (!r->begun) *r = (simt_reduction_t){.begun = true, .all = true};
  r->count += (uint32_t)__builtin_popcount(yes);
  r->all &= yes == mask;
  r->any |= yes != 0;
}

static void come(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  simt_block_t *b = w->block;
  const warp_barrier_t at = simt_barrier(w, op, mask);
  if (!at.comes) return;
  const unsigned before =
      b->barriers.at[at.number].come ? b->barriers.at[at.number].warps : at.warps;
  if (before != at.warps) {
    simt_fault(w, op, (unsigned)__builtin_ctz(mask),
               "barrier %u of %u threads, but the first to arrive said %u (0: all)", at.number,
               at.warps * WARP_LANES, before * WARP_LANES);
    return;
  }
  if (op->inst->what == PTX_BAR_RED) {
    add_predicates(w, op, &b->reduction[at.number], mask);
    w->red = op;
    w->red_mask = mask;
  }
  const uint32_t on = barriers_come(&b->barriers, &at, w->ordinal, b->running);
  simt_changed(w);
  if (b->barriers.open >> at.number & 1) return;
  give_results(b, &b->reduction[at.number], on);
  b->reduction[at.number].begun = false;
}

/* The end of a warp may complete barriers of all running warps. They are handled one by one,
 * because each has its own reduction. */
void simt_warp_ended(warp_stream_t *w) {
  simt_block_t *b = w->block;
  b->live &= ~(UINT32_C(1) << w->ordinal);
  simt_changed(w);
  b->running--;
  for (uint32_t open = b->barriers.open; open; open &= open - 1) {
    const unsigned n = (unsigned)__builtin_ctz(open);
    const uint32_t on = barriers_complete(&b->barriers, n, b->running);
    if (b->barriers.open >> n & 1) continue;
    give_results(b, &b->reduction[n], on);
    b->reduction[n].begun = false;
  }
}

simt_exec_t exec_barrier(const ptx_inst_t *i) {
  return i->op == PTX_OP_BAR ? come : NULL;
}
