/* SPDX-License-Identifier: Apache-2.0 */
/* Misses that are sent afterwards: see later.h. While they wait, the SM sees a miss queue that holds
 * more than it should. That is of no effect as long as the queue has room for all that an access may
 * add, and nothing else asks for the interconnect's room. */
#include "gpu/pipeline/sm_state.h"

static bool was_run(const sm_later_t *l, uint64_t now) {
  return l->on && now >= l->from && l->ran >> (now - l->from) & 1;
}

typedef struct {
  uint64_t addr;
  bool write;
} access_t;

/* The access that the L1D gets in the coming cycle; false if there is none. */
static bool next_access(sm_t *sm, access_t *a) {
  const sm_ldst_t *l = &sm->ldst;
  if (sm_ldst_reorders(l)) return sm_mrpb_path_shows(sm, &a->addr, &a->write);
  const unsigned left = sm_ldst_l1d_left(l);
  if (left == 0) return false;
  *a = (access_t){sm_ldst_access(l)->t[left - 1].addr, sm_ldst_inst(l)->cls == WARP_STORE};
  return true;
}

/* A read that is refused may bypass the L1D, and then needs room, too. An access adds to the queue a miss
 * and the line that it replaces. */
bool sm_can_send_later(sm_t *sm) {
  access_t a;
  if (sm_side_sends(&sm->side) || sm_ldst_sends(&sm->ldst)) return false;
  if (!next_access(sm, &a)) return true;
  if (l1d_miss_queue(sm->l1d) + 1 >= sm->cfg.l1d_miss_queue) return false;
  return a.write || !sm_bypass_there(&sm->bypass) ||
         (sm_mrpb_path_asks_l1d(&sm->mrpb_path) && l1d_takes(sm->l1d, a.addr));
}

void sm_send_later(sm_t *sm, uint64_t now) {
  sm->later = (sm_later_t){.on = true, .from = now, .cycles = sm_run_cycles(&sm->run)};
}

bool sm_sends_later(const sm_t *sm) {
  return sm_later_on(&sm->later);
}

void sm_later_send(sm_t *sm, uint64_t now, gpu_memory_t *memory) {
  const packet_t *p = l1d_to_send(sm->l1d);
  if (!was_run(&sm->later, now) || !p || p->t_created >= now) return;
  if (!gpu_memory_room(memory, sm->id, gpu_memory_kind(p), p->bytes)) return;
  packet_t *sent = l1d_sent(sm->l1d);
  sent->flags = 0;
  gpu_memory_send(memory, sm->id, sent);
}

void sm_later_look(sm_t *sm, uint64_t now) {
  const sm_later_t *l = &sm->later;
  if (!was_run(l, now)) return;
  const uint64_t before = l->ran & ((UINT64_C(1) << (now - l->from)) - 1);
  sm_levels_miss_queue(sm, l->cycles + (unsigned)__builtin_popcountll(before),
                       l1d_queued_by(sm->l1d, now));
}

void sm_later_end(sm_t *sm) {
  sm->later.on = false;
}
