/* SPDX-License-Identifier: Apache-2.0 */
/* Warp schedulers: round robin, greedy-then-oldest, and a limit of running warps (CCWS-SWL); the
 * scoreboard and issue. See docs/sm.md. The result of a look at a warp stays in masks until a
 * register is released or the next instruction comes, so a cycle looks only at warps that may have
 * changed. */
#include "gpu/pipeline/sm_state.h"

enum { NO_WARP = 64 };

#define BIT(w) (UINT64_C(1) << (w))

/* ---- issue ----------------------------------------------------------------- */

/* True if the warp awaits a register of `i`. Register 0 means none and is never awaited. */
static bool collides(const sm_sched_t *s, unsigned w, const warp_inst_t *i) {
  if (i->low_regs) return s->busy[0][w] & i->low_regs;
  bool found = sm_sched_awaits(s, w, i->dst[0]);
  for (unsigned k = 1; k < 4 && i->dst[k]; k++) found |= sm_sched_awaits(s, w, i->dst[k]);
  for (unsigned k = 0; k < 4; k++) found |= sm_sched_awaits(s, w, i->src[k]);
  for (unsigned k = 0; k < 2; k++) found |= sm_sched_awaits(s, w, i->wait[k]);
  return found;
}

static void issue(sm_t *sm, unsigned w) {
  sm_sched_t *s = &sm->sched;
  const sm_warp_t *warp = sm_warps_at(&sm->warps, w);
  const warp_inst_t *i = warp->next;
  uint32_t mask = warp_stream_mask(sm_warps_workload(&sm->warps), warp->stream);
  unsigned slot = sm_pipe_put(&sm->pipe, i, w);
  if (sm->profiled) sm_profiled_issue(sm, w, i, mask, sm_run_until(&sm->run));
  if (sm->timeline) timeline_issue(sm->timeline, sm->id, w, i);
  if (i->unit == WARP_MEM) sm_ldst_issue(sm, w, i, slot, mask);
  sm->stats.warp_insts++;
  sm->stats.thread_insts += mask == UINT32_MAX ? WARP_LANES : (unsigned)__builtin_popcount(mask);
  unsigned k = 0;
  for (; k < 4 && i->dst[k]; k++) s->busy[i->dst[k] / 64][w] |= BIT(i->dst[k] % 64);
  sm_warps_await(&sm->warps, w, k);
  s->looked &= ~BIT(w);
  s->ready[i->unit] &= ~BIT(w);
  sm_warps_issue(sm, w, i);
  sm_run_moved(&sm->run);
  sm_run_progress(&sm->run);
}

/* ---- schedulers ------------------------------------------------------------ */

/* CCWS-SWL: each scheduler may use its oldest SWL_LIMIT warps that can run. */
static void limit_warps(sm_sched_t *s, const sm_warps_t *warps) {
  uint64_t can_run = sm_warps_can_run(warps);
  s->limit_stale = false;
  s->allowed = 0;
  for (unsigned k = 0; k < s->n; k++) {
    unsigned left = s->limit;
    for (unsigned b = 0; b < sm_warps_blocks(warps); b++) {
      uint64_t m = can_run & s->mask[k] & sm_warps_by_age(warps, b);
      for (; m && left > 0; m &= m - 1, left--) s->allowed |= m & -m;
    }
  }
}

/* The view of a scheduler in a cycle. */
typedef struct {
  unsigned room;     /* bit u: warp_unit_t u has a free pipeline register */
  uint64_t worth_it; /* can issue, or has not been looked at */
} view_t;

static inline uint64_t only_if(unsigned condition, uint64_t mask) {
  return mask & -(uint64_t)condition;
}

/* `warps` have an instruction to issue. */
static inline view_t view(const sm_t *sm, uint64_t warps) {
  const sm_sched_t *s = &sm->sched;
  unsigned sp = sm_pipe_has_room(&sm->pipe, COLLECTOR_SP);
  unsigned sfu = sm_pipe_has_room(&sm->pipe, COLLECTOR_SFU);
  unsigned mem = sm_pipe_has_room(&sm->pipe, COLLECTOR_MEM);
  uint64_t can = ~s->looked;
  can |= only_if(sp, s->ready[WARP_SP]) | only_if(sfu, s->ready[WARP_SFU]) |
         only_if(sp | sfu, s->ready[WARP_SP_OR_SFU]) | only_if(mem, s->ready[WARP_MEM]);
  return (view_t){sp << WARP_SP | sfu << WARP_SFU | (sp | sfu) << WARP_SP_OR_SFU | mem << WARP_MEM,
                  can & warps};
}

/* True if the warp's next instruction awaits no register. */
static inline bool look(sm_t *sm, unsigned w) {
  sm_sched_t *s = &sm->sched;
  const sm_warp_t *warp = sm_warps_at(&sm->warps, w);
  if (warp->pc != warp->next->pc) { /* fetched after a taken branch */
    sm_warps_redirect(&sm->warps, w);
    sm_run_moved(&sm->run);
    s->awake = true;
    return false;
  }
  s->looked |= BIT(w);
  if (collides(s, w, warp->next)) return false;
  s->ready[warp->next->unit] |= BIT(w);
  return true;
}

/* The first of `warps`, in ascending order, that can issue; NO_WARP if none can. Warps before it
 * are looked at on the way. */
static inline unsigned first_of(sm_t *sm, const view_t *v, uint64_t warps) {
  for (uint64_t m = v->worth_it & warps; m; m &= m - 1) {
    unsigned w = (unsigned)__builtin_ctzll(m);
    if (sm->sched.looked >> w & 1) return w;
    if (look(sm, w) && v->room >> sm_warps_at(&sm->warps, w)->next->unit & 1) return w;
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
  const sm_warps_t *warps = &sm->warps;
  unsigned w = first_of(sm, v, BIT(last));
  for (unsigned b = 0; b < sm_warps_blocks(warps) && w == NO_WARP; b++)
    w = first_of(sm, v, sm_warps_by_age(warps, b) & ~BIT(last));
  return w;
}

/* One scheduler: the first warp in its order that can issue does so. */
static sm_sched_outcome_t schedule(sm_t *sm, unsigned k) {
  sm_sched_t *s = &sm->sched;
  if (s->limit_stale && s->limit > 0) limit_warps(s, &sm->warps);
  uint64_t mine = s->mask[k] & s->allowed, warps = mine & sm_warps_to_issue(&sm->warps);
  if (!warps) return SM_SCHED_IDLE;
  unsigned last = s->last[k], w = NO_WARP;
  view_t v = view(sm, warps);
  if (v.worth_it) w = s->greedy ? greedy_oldest(sm, &v, last) : round_robin(sm, &v, last);
  if (w != NO_WARP) {
    issue(sm, w);
    s->last[k] = (uint8_t)w;
    return SM_SCHED_ISSUED;
  }
  warps = mine & sm_warps_to_issue(&sm->warps); /* the look may have emptied an i-buffer */
  if (warps & sm_sched_ready(s)) return SM_SCHED_PIPELINE;
  return warps ? SM_SCHED_SCOREBOARD : SM_SCHED_IDLE;
}

/* If nothing has changed and nothing has issued, the outcome of the last cycle stands. */
void sm_sched_cycle(sm_t *sm, uint64_t now) {
  sm_sched_t *s = &sm->sched;
  if (sm_sched_next(s, now) > now) return;
  s->awake = false;
  for (unsigned k = 0; k < s->n; k++) {
    s->state[k] = (uint8_t)schedule(sm, k);
    if (s->state[k] == SM_SCHED_ISSUED) s->awake = true;
  }
  if (sm->profiled) sm_profiled_scheduled(sm);
}

void sm_sched_init(sm_sched_t *s, const config_t *c) {
  s->awake = true;
  s->allowed = UINT64_MAX;
  s->n = (uint8_t)c->schedulers;
  s->greedy = c->scheduler == CONFIG_SCHEDULER_GTO;
  s->limit = c->swl_limit;
  for (unsigned w = 0; w < c->warps_per_sm; w++) s->mask[w % c->schedulers] |= BIT(w);
  for (unsigned k = 0; k < c->schedulers; k++) s->last[k] = (uint8_t)k;
}
