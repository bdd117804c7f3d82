/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/inorder/recorded.h"

#include "gpu/inorder/request.h"

static requests_what_t what(const core_t *c, const core_inst_t *x, unsigned k, const char *kind) {
  const core_warp_t *w = &c->warp[x->warp];
  const core_held_t *h = c->mrpb.there ? &c->mrpb.pool[c->mrpb.tried] : NULL;
  return (requests_what_t){.core = c->id,
                           .block = c->block[w->block].number,
                           .warp = w->ordinal,
                           .addr = x->line[k].addr,
                           .kind = kind,
                           .levels = {.mshr = c->table.is_prt ? 0 : c->table.count,
                                      .prt = c->table.is_prt ? c->table.count : 0,
                                      .mrpb = c->mrpb.held},
                           .pc = x->pc,
                           .write = x->load == CORE_NONE,
                           .issued = x->issued,
                           .queued = h ? h->entered : REQUESTS_NEVER,
                           .queue = h ? h->queue : 0,
                           .uncached = !x->cached};
}

/* A store has no number: its warp has issued no other in that cycle. */
static requests_key_t offer(const core_inst_t *x, unsigned k) {
  const uint64_t store = (uint64_t)1 << 32 | (uint64_t)x->warp << 8 | k;
  if (x->load == CORE_NONE) return (requests_key_t){store, x->issued};
  return (requests_key_t){x->load, k};
}

void core_recorded_refused(core_t *c, const core_inst_t *x, unsigned k) {
  requests_refused(c->all->requests, c->id, offer(x, k), c->all->now);
}

/* Its data come with a read of entry `to` of the MSHR table, or with the reply of its lanes to the
 * load's PRT entry. */
static void waits(core_t *c, const core_inst_t *x, unsigned k, uint32_t to,
                  const requests_what_t *q) {
  const requests_key_t key = c->table.is_prt ? (requests_key_t){x->entry, x->line[k].lanes}
                                             : (requests_key_t){to, x->load};
  requests_accepted(c->all->requests, q, offer(x, k), key, c->all->now);
}

/* Ports know at once where its data come from. */
static void is_sent(const core_t *c, requests_what_t *q) {
  q->packet = true;
  if (c->all->ports) q->from = request_from(c) == STACK_DRAM ? "DRAM" : "L2";
}

void core_recorded_leave(core_t *c, const core_inst_t *x, unsigned k, leave_t leave) {
  static const char *const kinds[] = {
      [FOUND_NOTHING] = "miss", [FOUND_READ] = "merge", [FOUND_DATA] = "hit"};
  const config_t *cfg = &c->all->cfg;
  const uint64_t now = c->all->now;
  const bool store = x->load == CORE_NONE;
  if (leave.how == LEAVE_NOT) {
    core_recorded_refused(c, x, k);
    return;
  }
  requests_what_t q = what(c, x, k, store ? "store" : kinds[leave.found]);
  if (!store && leave.found == FOUND_NOTHING) is_sent(c, &q);
  q.packet |= store;
  if (store) /* nobody waits for it */
    requests_known(c->all->requests, &q, offer(x, k), now, now);
  else if (leave.how == LEAVE_DONE || (leave.how == LEAVE_HIT && !c->table.is_prt))
    requests_known(c->all->requests, &q, offer(x, k), now,
                   now - cfg->lsu_latency + cfg->l1d_latency);
  else
    waits(c, x, k, leave.to, &q);
}

void core_recorded_bypass(core_t *c, const core_inst_t *x, unsigned k, leave_t leave) {
  requests_what_t q = what(c, x, k, "bypass");
  is_sent(c, &q);
  if (c->table.is_prt || leave.how == LEAVE_FIRST) waits(c, x, k, leave.to, &q);
}

void core_recorded_drain(core_t *c, uint32_t entry, uint32_t load) {
  requests_answered(c->all->requests, c->id, (requests_key_t){entry, load}, c->all->now);
}

void core_recorded_reply(core_t *c, uint32_t entry, uint32_t lanes) {
  requests_answered(c->all->requests, c->id, (requests_key_t){entry, lanes}, c->all->now);
}
