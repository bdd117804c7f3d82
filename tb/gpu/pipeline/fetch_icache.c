/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction cache: see docs/sm.md. Its requests go to the memory of the code, from
 * SM_PROGRAM_START on, where GPGPU-Sim 3.2.0 has it. A warp whose line is missing is skipped until
 * the line has arrived; then it fetches again. */
#include "gpu/pipeline/sm_state.h"

#define SM_PROGRAM_START UINT64_C(0xf0000000)

int sm_fetch_create(sm_t *sm, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  if (c->l1i_sets == 0) return 0;
  return rocache_create(&sm->fetch.l1i, c->l1i_sets, c->l1i_ways, ROCACHE_INST_LOG2,
                        sm_port_pool(&sm->port), err);
}

void sm_fetch_destroy(sm_t *sm) {
  rocache_destroy(sm->fetch.l1i);
}

bool sm_fetch_look_up(sm_t *sm, unsigned w, uint64_t now) {
  rocache_t *l1i = sm->fetch.l1i;
  if (!l1i) return true;
  uint64_t addr = SM_PROGRAM_START + sm_warps_at(&sm->warps, w)->pc;
  switch (rocache_access(l1i, addr, (uint16_t)w, now)) {
  case ROCACHE_HIT:
    sm->stats.fetch_hits++;
    return true;
  case ROCACHE_MISS:
    sm->stats.fetch_misses++;
    sm_warps_missed(&sm->warps, w);
    return false;
  case ROCACHE_REFUSED:
    sm->stats.fetch_refused++;
    return false;
  }
  return false;
}

void sm_fetch_fill(sm_t *sm, packet_t *p, uint64_t now) {
  rocache_fill(sm->fetch.l1i, p->entry, now);
  sm_port_done(sm, p);
  sm_run_progress(&sm->run);
}

bool sm_fetch_sends(const sm_t *sm) {
  return sm_warps_missing(&sm->warps) && rocache_to_send(sm->fetch.l1i);
}

void sm_fetch_misses(sm_t *sm) {
  rocache_t *l1i = sm->fetch.l1i;
  if (!sm_warps_missing(&sm->warps)) return;
  const packet_t *p = rocache_to_send(l1i);
  if (p && sm_port_has_room(&sm->port, p)) sm_port_send(sm, rocache_sent(l1i), SM_FETCH);
  if (!rocache_ready(l1i)) return;
  sm_warps_line_came(&sm->warps, rocache_take(l1i));
  sm_run_moved(&sm->run);
}

/* A waiting warp waits for replies only after its request has left. */
uint64_t sm_fetch_next(const sm_t *sm, uint64_t from) {
  const rocache_t *l1i = sm->fetch.l1i;
  if (!sm_warps_missing(&sm->warps)) return SM_ON_INPUT;
  return rocache_to_send(l1i) || rocache_ready(l1i) ? from : SM_ON_INPUT;
}

unsigned sm_fetch_outstanding(const sm_fetch_t *f) {
  return f->l1i ? rocache_outstanding(f->l1i) : 0;
}
