/* SPDX-License-Identifier: Apache-2.0 */
/* SP and SFU: see alu.h and docs/sm.md. */
#include "gpu/pipeline/sm_state.h"

void sm_alu_init(sm_alu_t *a) {
  for (unsigned i = 0; i < SM_RESULTS; i++) a->result[i].next_free = (uint16_t)(i + 1);
}

/* A unit takes the oldest instruction of its OC_EX register if its dispatch register is free, and
 * if its last stage and a result bus are free `latency` cycles from now. */
static void accept(sm_t *sm, unsigned unit, collector_set_t set, uint64_t now) {
  sm_alu_t *a = &sm->alu;
  if (now < a->free_at[unit]) return;
  uint8_t slot = sm_pipe_peek(&sm->pipe, set);
  const warp_inst_t *i = sm_pipe_inst(&sm->pipe, slot);
  sm_stage_t *stage = &a->stage[(now + i->latency) % SM_WHEEL];
  if ((stage->units >> unit & 1) || stage->results >= 2) return;
  uint16_t number = a->free;
  sm_result_t *r = &a->result[number];
  a->free = r->next_free;
  r->inst = i;
  r->warp = sm_pipe_warp(&sm->pipe, slot);
  stage->units |= (uint8_t)(1u << unit);
  stage->result[stage->results++] = number;
  a->free_at[unit] = now + i->interval;
  sm_pipe_take(&sm->pipe, set);
  sm_pipe_leave(&sm->pipe, slot);
  a->in_flight++;
  sm_run_moved(&sm->run);
}

void sm_alu_accept(sm_t *sm, uint64_t now) {
  const sm_pipe_t *p = &sm->pipe;
  if (sm_pipe_waiting(p, COLLECTOR_SP)) accept(sm, 0, COLLECTOR_SP, now);
  if (sm_pipe_waiting(p, COLLECTOR_SP)) accept(sm, 1, COLLECTOR_SP, now);
  if (sm_pipe_waiting(p, COLLECTOR_SFU)) accept(sm, 2, COLLECTOR_SFU, now);
}

void sm_alu_writeback(sm_t *sm, uint64_t now) {
  sm_alu_t *a = &sm->alu;
  if (a->in_flight == 0) return;
  sm_stage_t *stage = &a->stage[(now - SM_STAGE_TO_WB) % SM_WHEEL];
  for (unsigned i = 0; i < stage->results; i++) {
    sm_result_t *r = &a->result[stage->result[i]];
    if (r->inst->dst[0]) { /* never delayed, as in the reference */
      (void)sm_pipe_write(&sm->pipe, r->inst, r->warp);
      sm_sched_release(&sm->sched, &sm->warps, r->warp, r->inst);
    }
    sm_warps_inst_done(&sm->warps, r->warp);
    r->next_free = a->free;
    a->free = stage->result[i];
    a->in_flight--;
    sm_run_moved(&sm->run);
  }
  stage->units = stage->results = 0;
}
