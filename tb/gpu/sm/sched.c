/* SPDX-License-Identifier: Apache-2.0 */
/* Warp schedulers: round robin, greedy-then-oldest, and a limit of running warps (CCWS-SWL); the
 * scoreboard and issue. See docs/sm.md. What a look at a warp found stays in masks until a register
 * is released or the next instruction comes, so a cycle looks only at warps that may have changed.
 */
#include "gpu/sm/sm_state.h"

#include <string.h>

enum { NO_WARP = 64 };

#define BIT(w) (UINT64_C(1) << (w))

/* ---- issue ----------------------------------------------------------------- */

/* In bit 0; register 0, which is none, is never awaited. */
static inline uint64_t awaits(const sm_t *sm, unsigned w, unsigned reg) {
  return sm->busy[reg / 64][w] >> reg % 64;
}

/* Does the warp await a register of `i`? */
static bool collides(const sm_t *sm, unsigned w, const warp_inst_t *i) {
  uint64_t found = awaits(sm, w, i->dst[0]);
  for (unsigned k = 1; k < 4 && i->dst[k]; k++) found |= awaits(sm, w, i->dst[k]);
  for (unsigned k = 0; k < 4; k++) found |= awaits(sm, w, i->src[k]);
  for (unsigned k = 0; k < 2; k++) found |= awaits(sm, w, i->wait[k]);
  return found & 1;
}

/* The pipeline register for the instruction; the caller knows that one is free. */
static collector_set_t find_set(const sm_t *sm, const warp_inst_t *i) {
  if (i->unit == WARP_MEM) return COLLECTOR_MEM;
  if (i->unit == WARP_SFU || !collector_has_room(&sm->collector, COLLECTOR_SP))
    return COLLECTOR_SFU;
  return COLLECTOR_SP;
}

/* For the PRT, which asks for those of active lanes only. */
static void keep_offsets(sm_accesses_t *a, const uint64_t addr[WARP_LANES], uint32_t mask) {
  if (mask == UINT32_MAX) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      a->offset[lane] = (uint8_t)(addr[lane] % COALESCER_LINE);
    return;
  }
  for (; mask; mask &= mask - 1) {
    unsigned lane = (unsigned)__builtin_ctz(mask);
    a->offset[lane] = (uint8_t)(addr[lane] % COALESCER_LINE);
  }
}

static void coalesce(sm_t *sm, unsigned w, const warp_inst_t *i, unsigned slot, uint32_t mask) {
  const sm_warp_t *warp = &sm->warp[w];
  sm_accesses_t *a = &sm->access[slot];
  uint64_t addr[WARP_LANES];
  warp_stream_addresses(sm->workload, warp->stream, addr);
  if (i->space != WARP_GLOBAL) {
    sm_side_coalesce(sm, i, addr, mask, a);
    return;
  }
  a->left = coalescer_run(addr, mask, i->elem, a->t);
  a->none = a->left == 0;
  if (sm->check) check_issue(sm->check, w, warp->stream, i, addr, mask, a->t, a->left, a->data);
  sm_keep_order(sm, w, slot);
  if (sm->has_mrpb) keep_offsets(a, addr, mask);
  if (i->cls == WARP_LOAD) {
    sm->stats.loads++;
    sm->stats.load_lines += a->left;
  } else {
    sm->stats.stores++;
    sm->stats.store_lines += a->left;
  }
  sm->block[warp->block].memory_insts++;
}

/* Takes the instruction out of the i-buffer and the stream goes on. */
static void step(sm_t *sm, unsigned w, const warp_inst_t *i) {
  sm_warp_t *warp = &sm->warp[w];
  warp->ibuf--;
  warp->pc = i->pc + WARP_PC_STEP;
  sm->looked &= ~BIT(w);
  sm->ready[i->unit] &= ~BIT(w);
  if (warp->ibuf == 0) {
    sm->to_issue &= ~BIT(w);
    sm->to_fetch |= BIT(w);
  }
  warp_stream_step(sm->workload, warp->stream);
  warp->next = warp_stream_peek(sm->workload, warp->stream);
  if (i->cls == WARP_BARRIER) sm_front_barrier(sm, w);
  if (!warp->next) sm_front_end(sm, w);
}

static void issue(sm_t *sm, unsigned w) {
  sm_warp_t *warp = &sm->warp[w];
  const warp_inst_t *i = warp->next;
  uint64_t slots = i->unit == WARP_MEM ? SM_MEM_SLOT_MASK : ~SM_MEM_SLOT_MASK;
  unsigned slot = (unsigned)__builtin_ctzll(sm->slots_free & slots);
  uint32_t mask = warp_stream_mask(sm->workload, warp->stream);
  sm->slots_free &= ~BIT(slot);
  sm->inst[slot] = i;
  sm->inst_warp[slot] = (uint8_t)w;
  collector_put(&sm->collector, find_set(sm, i), (uint8_t)slot);
  if (i->unit == WARP_MEM) coalesce(sm, w, i, slot, mask);
  sm->stats.warp_insts++;
  sm->stats.thread_insts += mask == UINT32_MAX ? WARP_LANES : (unsigned)__builtin_popcount(mask);
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    sm->busy[i->dst[k] / 64][w] |= BIT(i->dst[k] % 64);
    warp->awaited++;
  }
  step(sm, w, i);
  sm->moved = true;
  sm->progress++;
}

/* ---- schedulers ------------------------------------------------------------ */

/* CCWS-SWL: the oldest SWL_LIMIT warps of each scheduler that can run. */
static void limit_warps(sm_t *sm) {
  uint64_t can_run = sm->running & ~sm->at_barrier;
  sm->limit_stale = false;
  sm->allowed = 0;
  for (unsigned s = 0; s < sm->schedulers; s++) {
    unsigned left = sm->swl_limit;
    for (unsigned b = 0; b < sm->n_blocks; b++) {
      uint64_t m = can_run & sm->sched_mask[s] & sm_block_warps(sm, sm->by_age[b]);
      for (; m && left > 0; m &= m - 1, left--) sm->allowed |= m & -m;
    }
  }
}

/* What a scheduler finds in a cycle. */
typedef struct {
  unsigned room;     /* bit u: there is a free pipeline register for warp_unit_t u */
  uint64_t worth_it; /* can issue, or has not been looked at */
} view_t;

static inline uint64_t only_if(unsigned condition, uint64_t mask) {
  return mask & -(uint64_t)condition;
}

static inline view_t view(const sm_t *sm, uint64_t warps) {
  unsigned sp = collector_has_room(&sm->collector, COLLECTOR_SP);
  unsigned sfu = collector_has_room(&sm->collector, COLLECTOR_SFU);
  unsigned mem = collector_has_room(&sm->collector, COLLECTOR_MEM);
  uint64_t can = ~sm->looked;
  can |= only_if(sp, sm->ready[WARP_SP]) | only_if(sfu, sm->ready[WARP_SFU]) |
         only_if(sp | sfu, sm->ready[WARP_SP_OR_SFU]) | only_if(mem, sm->ready[WARP_MEM]);
  return (view_t){sp << WARP_SP | sfu << WARP_SFU | (sp | sfu) << WARP_SP_OR_SFU | mem << WARP_MEM,
                  can & warps & sm->to_issue};
}

/* True if the warp's next instruction awaits no register. */
static inline bool look(sm_t *sm, unsigned w) {
  sm_warp_t *warp = &sm->warp[w];
  if (warp->pc != warp->next->pc) { /* fetched behind a taken branch */
    warp->pc = warp->next->pc;
    sm_front_flush(sm, w);
    sm->moved = true;
    sm->sched_stale = true;
    return false;
  }
  sm->looked |= BIT(w);
  if (collides(sm, w, warp->next)) return false;
  sm->ready[warp->next->unit] |= BIT(w);
  return true;
}

/* The first of `warps`, ascending, that can issue; NO_WARP if none can. Those before it are looked
 * at. */
static inline unsigned first_of(sm_t *sm, const view_t *v, uint64_t warps) {
  for (uint64_t m = v->worth_it & warps; m; m &= m - 1) {
    unsigned w = (unsigned)__builtin_ctzll(m);
    if (sm->looked >> w & 1) return w;
    if (look(sm, w) && v->room >> sm->warp[w].next->unit & 1) return w;
  }
  return NO_WARP;
}

static unsigned round_robin(sm_t *sm, const view_t *v, unsigned last) {
  uint64_t behind = UINT64_MAX << last << 1;
  unsigned w = NO_WARP;
  for (unsigned part = 0; part < 2 && w == NO_WARP; part++, behind = ~behind)
    w = first_of(sm, v, behind);
  return w;
}

static unsigned greedy_oldest(sm_t *sm, const view_t *v, unsigned last) {
  unsigned w = first_of(sm, v, BIT(last));
  for (unsigned b = 0; b < sm->n_blocks && w == NO_WARP; b++)
    w = first_of(sm, v, sm_block_warps(sm, sm->by_age[b]) & ~BIT(last));
  return w;
}

/* One scheduler: the first warp in its order that can issue does. */
static uint8_t schedule(sm_t *sm, unsigned s) {
  if (sm->limit_stale && sm->swl_limit > 0) limit_warps(sm);
  uint64_t warps = sm->sched_mask[s] & sm->allowed;
  if (!(warps & sm->to_issue)) return SCHED_IDLE;
  unsigned last = sm->last_issued[s], w = NO_WARP;
  view_t v = view(sm, warps);
  if (v.worth_it) w = sm->greedy ? greedy_oldest(sm, &v, last) : round_robin(sm, &v, last);
  if (w != NO_WARP) {
    issue(sm, w);
    sm->last_issued[s] = (uint8_t)w;
    return SCHED_ISSUED;
  }
  warps &= sm->to_issue;
  if (warps & (sm->ready[0] | sm->ready[1] | sm->ready[2] | sm->ready[3])) return SCHED_PIPELINE;
  return warps ? SCHED_SCOREBOARD : SCHED_IDLE;
}

/* While nothing changed and nothing issued, the outcome of the last cycle stands. */
void sm_sched_issue(sm_t *sm) {
  if (!sm->sched_stale) return;
  sm->sched_stale = false;
  for (unsigned s = 0; s < sm->schedulers; s++) {
    sm->sched_state[s] = schedule(sm, s);
    if (sm->sched_state[s] == SCHED_ISSUED) sm->sched_stale = true;
  }
}

void sm_sched_count(sm_t *sm, uint64_t cycles) {
  for (unsigned s = 0; s < sm->schedulers; s++) sm->sched_cycles[sm->sched_state[s]] += cycles;
}
