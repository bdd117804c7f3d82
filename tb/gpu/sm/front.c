/* SPDX-License-Identifier: Apache-2.0 */
/* SM front end: fetch, decode, barriers, and the SP and SFU pipelines. See docs/sm.md. One fetch a
 * cycle of two instructions; a branch is resolved at issue, and what was fetched behind it is
 * thrown away when the scheduler next looks at the warp. */
#include "gpu/sm/sm_state.h"

#include <string.h>

#define BIT(w) (UINT64_C(1) << (w))

void sm_front_init(sm_t *sm) {
  for (unsigned i = 0; i < SM_RESULTS; i++) sm->result[i].next_free = (uint16_t)(i + 1);
}

void sm_front_flush(sm_t *sm, unsigned w) {
  sm_warp_t *warp = &sm->warp[w];
  warp->in_pipeline = (uint16_t)(warp->in_pipeline - warp->ibuf);
  warp->ibuf = 0;
  sm->to_issue &= ~BIT(w);
  if (warp->next) sm->to_fetch |= BIT(w);
}

int sm_front_start_warp(sm_t *sm, unsigned w, uint32_t block, unsigned slot, unsigned ordinal) {
  sm_warp_t *warp = &sm->warp[w];
  memset(warp, 0, sizeof *warp);
  warp->stream = warp_stream_open(sm->workload, block, ordinal);
  if (!warp->stream) return -1;
  if (sm->check) check_warp_starts(sm->check, w, block);
  warp->next = warp_stream_peek(sm->workload, warp->stream);
  warp->pc = warp->next->pc;
  warp->block = (uint8_t)slot;
  warp->ordinal = (uint8_t)ordinal;
  sm->to_fetch |= BIT(w);
  sm->running |= BIT(w);
  sm->limit_stale = true;
  return 0;
}

/* ---- fetch and decode ------------------------------------------------------ */

void sm_front_decode(sm_t *sm) {
  if (!sm->fetch_valid) return;
  sm_warp_t *warp = &sm->warp[sm->fetch_warp];
  warp->ibuf = SM_FETCHED;
  warp->in_pipeline += SM_FETCHED;
  sm->fetch_valid = false;
  sm->sched_stale = true;
  sm->to_issue |= BIT(sm->fetch_warp) & ~sm->at_barrier;
  sm->moved = true;
}

static void reclaim(sm_t *sm, unsigned w) {
  sm_warp_t *warp = &sm->warp[w];
  sm_block_t *b = &sm->block[warp->block];
  warp_stream_close(sm->workload, warp->stream);
  warp->stream = NULL;
  if (sm->check) check_warp_ends(sm->check, w);
  sm->exited &= ~BIT(w);
  sm->moved = true;
  if (--b->warps_left > 0) return;
  b->used = 0;
  sm->n_blocks--;
  unsigned at = 0;
  while (sm->by_age[at] != warp->block) at++;
  memmove(&sm->by_age[at], &sm->by_age[at + 1], sm->n_blocks - at);
}

static bool all_done(const sm_warp_t *warp) {
  return warp->stores == 0 && warp->in_pipeline == 0 && warp->awaited == 0;
}

/* The scan of the warps, from the one after the last looked up, also reclaims those that have
 * finished, up to the one that is looked up. */
static void scan(sm_t *sm, uint64_t now) {
  uint64_t behind = sm->last_fetched == 63 ? 0 : UINT64_MAX << (sm->last_fetched + 1);
  const uint64_t part[2] = {behind, ~behind};
  for (unsigned i = 0; i < 2; i++) {
    uint64_t fetch = sm->to_fetch & part[i];
    uint64_t before = fetch ? (fetch & -fetch) - 1 : UINT64_MAX;
    for (uint64_t e = sm->exited & part[i] & before; e; e &= e - 1) {
      unsigned w = (unsigned)__builtin_ctzll(e);
      if (all_done(&sm->warp[w])) reclaim(sm, w);
    }
    if (!fetch) continue;
    unsigned w = (unsigned)__builtin_ctzll(fetch);
    sm->last_fetched = (uint8_t)w;
    sm->moved = true;
    if (!sm_icache_fetch(sm, w, now)) return;
    sm->fetch_valid = true;
    sm->fetch_warp = (uint8_t)w;
    sm->to_fetch &= ~BIT(w);
    return;
  }
}

void sm_front_fetch(sm_t *sm, uint64_t now) {
  if (sm->to_fetch | sm->exited) scan(sm, now);
  if (sm->imiss) sm_icache_step(sm);
}

/* ---- barriers and ends ------------------------------------------------------ */

void sm_front_release_barrier(sm_t *sm, unsigned block) {
  uint64_t released = sm->at_barrier & sm_block_warps(sm, block);
  sm->block[block].barrier = 0;
  sm->block[block].barrier_due = false;
  sm->sched_stale = sm->moved = sm->limit_stale = true;
  sm->at_barrier &= ~released;
  for (; released; released &= released - 1) {
    unsigned w = (unsigned)__builtin_ctzll(released);
    if (sm->warp[w].ibuf > 0) sm->to_issue |= BIT(w);
  }
}

/* The barrier is complete when every warp that has not ended waits at it: it is released at once,
 * or when the MRPB has let it through. */
static void complete_barrier(sm_t *sm, unsigned block) {
  sm_block_t *b = &sm->block[block];
  if (b->barrier == 0 || b->barrier < b->running || b->barrier_due) return;
  if (!sm->reorders) {
    sm_front_release_barrier(sm, block);
    return;
  }
  b->barrier_due = true;
  sm->barriers_due++;
}

void sm_front_barrier(sm_t *sm, unsigned w) {
  unsigned block = sm->warp[w].block;
  sm->at_barrier |= BIT(w);
  sm->to_issue &= ~BIT(w);
  sm->limit_stale = true;
  sm->block[block].barrier++;
  complete_barrier(sm, block);
}

void sm_front_end(sm_t *sm, unsigned w) {
  unsigned block = sm->warp[w].block;
  sm_front_flush(sm, w);
  sm->to_fetch &= ~BIT(w);
  sm->exited |= BIT(w);
  sm->running &= ~BIT(w);
  sm->limit_stale = true;
  sm->block[block].running--;
  complete_barrier(sm, block);
}

/* ---- SP and SFU ------------------------------------------------------------ */

/* A unit takes the oldest instruction of its OC_EX register if its dispatch register is free and
 * its last stage and a result bus are, `latency` cycles from now. */
static void alu_accept(sm_t *sm, unsigned unit, collector_set_t set, uint64_t now) {
  if (now < sm->alu_free_at[unit]) return;
  uint8_t slot = collector_peek(&sm->collector, set);
  const warp_inst_t *i = sm->inst[slot];
  sm_stage_t *stage = &sm->stage[(now + i->latency) % SM_WHEEL];
  if ((stage->units >> unit & 1) || stage->results >= 2) return;
  uint16_t number = sm->result_free;
  sm_result_t *r = &sm->result[number];
  sm->result_free = r->next_free;
  r->inst = i;
  r->warp = sm->inst_warp[slot];
  stage->units |= (uint8_t)(1u << unit);
  stage->result[stage->results++] = number;
  sm->alu_free_at[unit] = now + i->interval;
  collector_take(&sm->collector, set);
  sm->slots_free |= BIT(slot);
  sm->in_flight++;
  sm->moved = true;
}

void sm_front_execute(sm_t *sm, uint64_t now) {
  const pipe_reg_t *sp = &sm->collector.out[COLLECTOR_SP];
  if (sp->count) alu_accept(sm, 0, COLLECTOR_SP, now);
  if (sp->count) alu_accept(sm, 1, COLLECTOR_SP, now);
  if (sm->collector.out[COLLECTOR_SFU].count) alu_accept(sm, 2, COLLECTOR_SFU, now);
}

void sm_front_writeback(sm_t *sm, uint64_t now) {
  if (sm->in_flight == 0) return;
  sm_stage_t *stage = &sm->stage[(now - SM_STAGE_TO_WB) % SM_WHEEL];
  sm->moved = true; /* results on their way: no cycle is like the last one */
  for (unsigned i = 0; i < stage->results; i++) {
    sm_result_t *r = &sm->result[stage->result[i]];
    if (r->inst->dst[0]) { /* never held up, as in the reference */
      (void)sm_write_regs(sm, r->inst, r->warp);
      sm_release(sm, r->warp, r->inst);
    }
    sm->warp[r->warp].in_pipeline--;
    r->next_free = sm->result_free;
    sm->result_free = stage->result[i];
    sm->in_flight--;
  }
  stage->units = stage->results = 0;
}
