/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/pipeline/recorded.h"

#include "gpu/pipeline/sm_state.h"

/* The second half of a key: the line of a store or of a load, an entry of a table, or an address. */
enum { LINE_LOG2 = 7, OF_STORE = 0, OF_LINE, OF_ENTRY, OF_ADDRESS };

static requests_key_t key(uint64_t reader, unsigned kind, uint64_t value) {
  return (requests_key_t){reader, value << 2 | kind};
}

/* An access that has been offered to the L1D, or leaves past it. With queues it comes from the MRPB. */
static requests_what_t what(const sm_t *sm, unsigned warp, uint32_t pc, uint64_t addr,
                            const char *kind) {
  const bool queued = sm_ldst_reorders(&sm->ldst);
  const sm_held_t *h = queued ? sm_mrpb_path_tried(&sm->mrpb_path) : NULL;
  return (requests_what_t){.core = sm->id,
                           .block = sm_warps_block_number(&sm->warps, warp),
                           .warp = warp,
                           .addr = addr,
                           .kind = kind,
                           .levels = {.mshr = l1d_mshrs(sm->l1d),
                                      .prt = sm_bypass_used(&sm->bypass),
                                      .miss_queue = l1d_miss_queue(sm->l1d),
                                      .mrpb = sm_mrpb_path_held(&sm->mrpb_path)},
                           .pc = pc,
                           .packet = true,
                           .issued = h ? h->r.issued : sm_ldst_access(&sm->ldst)->issued,
                           .queued = h ? h->entered : REQUESTS_NEVER,
                           .queue = h ? h->queue : 0};
}

static requests_key_t of_store(unsigned warp, uint64_t addr) {
  return key(warp, OF_STORE, addr >> LINE_LOG2);
}

/* A store has its answer when the L2 acknowledges it, or at once if it stays in the L1D. */
static void offer_store(sm_t *sm, const l1d_request_t *r, const l1d_answer_t *a, uint64_t now) {
  const requests_key_t line = of_store(r->warp, r->addr);
  requests_what_t q = what(sm, r->warp, r->pc, r->addr, "store");
  q.write = true;
  q.packet = !a->kept;
  if (a->reason != L1D_NONE)
    requests_refused(sm->requests, sm->id, line, now);
  else if (a->kept)
    requests_known(sm->requests, &q, line, now, now);
  else
    requests_accepted(sm->requests, &q, line, line, now);
}

void sm_recorded_stored(sm_t *sm, const packet_t *p, uint64_t now) {
  requests_replied(sm->requests, sm->id, of_store(p->warp, p->addr), p, now);
}

void sm_recorded_offer(sm_t *sm, const l1d_request_t *r, const l1d_answer_t *a, uint64_t merges,
                       uint64_t now) {
  const requests_key_t line = key(sm_ldst_reader(r->warp, r->reg), OF_LINE, r->addr >> LINE_LOG2);
  if (r->write) {
    offer_store(sm, r, a, now);
    return;
  }
  if (a->reason != L1D_NONE) {
    requests_refused(sm->requests, sm->id, line, now);
    return;
  }
  const bool merged = l1d_stats(sm->l1d)->merges > merges;
  requests_what_t q = what(sm, r->warp, r->pc, r->addr,
                           a->probe == TAGS_HIT ? "hit"
                           : merged             ? "merge"
                                                : "miss");
  q.packet = a->probe != TAGS_HIT && !merged;
  if (a->probe == TAGS_HIT)
    requests_known(sm->requests, &q, line, now, now);
  else
    requests_accepted(sm->requests, &q, line, line, now);
}

void sm_recorded_drain(sm_t *sm, unsigned warp, unsigned reg, uint64_t now) {
  uint64_t line;
  uint32_t entry;
  const bool tracked = l1d_drains(sm->l1d, &line, &entry);
  requests_answered(
      sm->requests, sm->id,
      key(sm_ldst_reader(warp, reg), tracked ? OF_ENTRY : OF_LINE, tracked ? entry : line), now);
}

/* The key of a read that bypasses: the entry that tracks it, or its line. */
static requests_key_t of_bypass(const sm_t *sm, uint64_t reader, uint64_t addr, uint32_t entry) {
  if (sm->cfg.bypass_tracking == CONFIG_TRACKING_NONE)
    return key(reader, OF_ADDRESS, addr >> LINE_LOG2);
  return key(reader, OF_ENTRY, entry);
}

void sm_recorded_sent(sm_t *sm, const packet_t *p) {
  requests_carries(sm->requests, sm->id, p);
  requests_passes(sm->requests, p, REQUESTS_SENT);
}

void sm_recorded_bypass(sm_t *sm, unsigned warp, const sm_request_t *r, uint32_t entry,
                        const packet_t *p, uint64_t now) {
  const uint64_t reader = sm_ldst_reader(warp, r->reg);
  const requests_what_t q = what(sm, warp, r->pc, r->t.addr, "bypass");
  requests_accepted(sm->requests, &q, key(reader, OF_LINE, r->t.addr >> LINE_LOG2),
                    of_bypass(sm, reader, r->t.addr, entry), now);
  sm_recorded_sent(sm, p);
}

void sm_recorded_bypass_reply(sm_t *sm, uint64_t reader, const packet_t *p, uint64_t now) {
  requests_replied(sm->requests, sm->id, of_bypass(sm, reader, p->addr, p->entry), p, now);
}

void sm_recorded_uncached(sm_t *sm, const packet_t *p, uint64_t now) {
  requests_what_t q =
      what(sm, p->warp, sm_ldst_inst(&sm->ldst)->pc, p->addr, p->atomic ? "atomic" : "uncached");
  const requests_key_t address = key(p->tag, OF_ADDRESS, p->addr);
  q.issued = sm_ldst_access(&sm->ldst)->issued;
  q.queued = REQUESTS_NEVER;
  q.uncached = true;
  requests_accepted(sm->requests, &q, address, address, now);
  sm_recorded_sent(sm, p);
}

void sm_recorded_uncached_reply(sm_t *sm, const packet_t *p, uint64_t now) {
  requests_replied(sm->requests, sm->id, key(p->tag, OF_ADDRESS, p->addr), p, now);
}
