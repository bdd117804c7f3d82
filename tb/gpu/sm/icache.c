/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction cache: see docs/sm.md. Its requests go to the memory of the code, from
 * SM_PROGRAM_START on, where GPGPU-Sim 3.2.0 has it. A warp whose line is missing is not looked at
 * until the line has come; then it fetches again. */
#include "gpu/sm/sm_state.h"

#define SM_PROGRAM_START UINT64_C(0xf0000000)
#define BIT(w) (UINT64_C(1) << (w))

int sm_icache_create(sm_t *sm, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  if (c->l1i_sets == 0) return 0;
  return rocache_create(&sm->l1i, c->l1i_sets, c->l1i_ways, ROCACHE_INST_LOG2, sm->pool, err);
}

void sm_icache_destroy(sm_t *sm) {
  rocache_destroy(sm->l1i);
}

bool sm_icache_fetch(sm_t *sm, unsigned w, uint64_t now) {
  if (!sm->l1i) return true;
  switch (rocache_access(sm->l1i, SM_PROGRAM_START + sm->warp[w].pc, (uint16_t)w, now)) {
  case ROCACHE_HIT:
    sm->stats.fetch_hits++;
    return true;
  case ROCACHE_MISS:
    sm->stats.fetch_misses++;
    sm->to_fetch &= ~BIT(w);
    sm->imiss |= BIT(w);
    return false;
  case ROCACHE_REFUSED:
    sm->stats.fetch_refused++;
    return false;
  }
  return false;
}

void sm_icache_fill(sm_t *sm, packet_t *p, uint64_t now) {
  rocache_fill(sm->l1i, p->entry, now);
  if (sm->check) check_drop(sm->check, p);
  packet_free(sm->pool, p);
  sm->progress++;
}

void sm_icache_step(sm_t *sm) {
  packet_t *p = rocache_to_send(sm->l1i);
  if (p && icnt_request_room(sm->icnt, sm->id, false, p->bytes)) {
    p = rocache_sent(sm->l1i);
    packet_set_address(p, &sm->map, p->addr);
    p->sm = (uint16_t)sm->id;
    p->flags = SM_FETCH;
    icnt_request_push(sm->icnt, p);
    sm->moved = true;
  }
  if (!rocache_ready(sm->l1i)) return;
  unsigned w = rocache_take(sm->l1i);
  sm->imiss &= ~BIT(w);
  sm->to_fetch |= BIT(w);
  sm->moved = true;
}

bool sm_icache_quiet(const sm_t *sm) {
  return !sm->imiss || (!rocache_to_send(sm->l1i) && !rocache_ready(sm->l1i));
}

unsigned sm_icache_outstanding(const sm_t *sm) {
  return sm->l1i ? rocache_outstanding(sm->l1i) : 0;
}
