/* SPDX-License-Identifier: Apache-2.0 */
/* The idle scheme of the SM's parts: see run.h. Says when an SM need not be run, and what it would
 * have counted. */
#include "gpu/pipeline/sm_state.h"

bool sm_every_cycle(const sm_t *sm) {
  if (sm_l1_path_there(&sm->l1_path)) return true;
  if (l1d_mshr(sm->l1d)->every_cycle) return true;
  return sm_bypass_there(&sm->bypass) &&
         (sm_mrpb_path_every_cycle(&sm->mrpb_path) || sm_bypass_every_cycle(&sm->bypass));
}

/* After any change another part may find work. Without blocks, the number of blocks left to place
 * decides whether the SM is run at all. */
static uint64_t run_next(const sm_t *sm, uint64_t from) {
  const sm_run_t *run = &sm->run;
  uint64_t next = SM_ON_INPUT;
  if (run->moved || run->no_sleep || sm_warps_blocks(&sm->warps) == 0) return from;
/* A part with work at once decides the result; the likeliest parts are asked first. */
#define ASK(part_next)                                                                             \
  do {                                                                                             \
    uint64_t at = (part_next);                                                                     \
    if (at <= from) return from;                                                                   \
    if (at < next) next = at;                                                                      \
  } while (0)
  ASK(sm_sched_next(&sm->sched, from));
  ASK(sm_ldst_next(&sm->ldst, from));
  ASK(sm_alu_next(&sm->alu, from));
  ASK(sm_port_next(&sm->port, from));
  ASK(l1d_drained(sm->l1d) ? SM_ON_INPUT : from);
  ASK(sm_fetch_next(sm, from));
  ASK(sm_side_next(&sm->side, from));
  ASK(sm_mrpb_path_next(sm, from));
  ASK(sm_bypass_next(&sm->bypass));
  if (l1d_to_send(sm->l1d)) ASK(sm_later_on(&sm->later) ? from : SM_ON_ROOM);
#undef ASK
  return next;
}

void sm_run_count(sm_t *sm, uint64_t n) {
  sm_levels_look(sm);
  sm->run.cycles += n;
  sm_sched_count(&sm->sched, n);
  if (sm_bypass_waits(&sm->bypass)) sm_bypass_count_wait(sm, n);
  if (sm->profiled) sm_profiled_stalls(sm->profiled, n);
}

void sm_run_end(sm_t *sm, uint64_t now) {
  sm->run.until = now + 1;
  sm->run.next = run_next(sm, now + 1);
}

unsigned sm_may_send(const sm_t *sm, sm_sends_t to[SM_SENDS]) {
  const sm_sends_t read = {MEMORY_READ, 0}; /* the room for a read does not depend on its bytes */
  unsigned n = 0;
  if (sm_side_sends(&sm->side)) to[n++] = read, to[n++] = read;
  const packet_t *miss = l1d_to_send(sm->l1d);
  if (miss) to[n++] = (sm_sends_t){gpu_memory_kind(miss), miss->bytes};
  if (sm_ldst_sends(&sm->ldst)) to[n++] = read;
  if (sm_bypass_there(&sm->bypass)) to[n++] = read;
  return n;
}

bool sm_asleep(const sm_t *sm) {
  return sm->run.next >= SM_ON_ROOM;
}

bool sm_waits_for_room(const sm_t *sm) {
  return sm->run.next == SM_ON_ROOM;
}

bool sm_has_icnt_room(const sm_t *sm) {
  const packet_t *p = l1d_to_send(sm->l1d);
  return (p && sm_port_has_room(&sm->port, p)) || sm_bypass_has_room(sm);
}

void sm_wake(sm_t *sm, uint64_t now) {
  sm_run_t *run = &sm->run;
  if (!sm_asleep(sm)) return;
  uint64_t n = now - run->until;
  run->next = run->until = now;
  if (n == 0) return;
  if (sm_later_on(&sm->later)) sm_later_slept(&sm->later, now - n, now);
  sm_run_count(sm, n);
  sm_ldst_idle(sm, n);
  sm_mrpb_path_idle(sm, n);
}

void sm_tell_profile(sm_t *sm) {
  if (sm->profiled) sm_profiled_told(sm);
}

uint64_t sm_progress(const sm_t *sm) {
  return sm->run.progress;
}
