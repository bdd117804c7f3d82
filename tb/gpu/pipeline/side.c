/* SPDX-License-Identifier: Apache-2.0 */
/* The side paths of the LDST unit: shared memory, constant cache, texture cache. Their instructions
 * stay in the dispatch register like any other, but neither L1D nor MRPB sees them. See
 * docs/sm.md. */
#include "gpu/pipeline/sm_state.h"

int sm_side_create(sm_t *sm, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  sm_side_t *s = &sm->side;
  if (rocache_create(&s->l1c, c->l1c_sets, c->l1c_ways, ROCACHE_CONST_LOG2, sm_port_pool(&sm->port),
                     err) != 0)
    return -1;
  return texcache_create(&s->l1t, c->l1t_sets, c->l1t_ways, sm_port_pool(&sm->port), err);
}

void sm_side_destroy(sm_t *sm) {
  rocache_destroy(sm->side.l1c);
  texcache_destroy(sm->side.l1t);
}

/* ---- issue ----------------------------------------------------------------- */

/* One transaction per line, in ascending order; for a shared access `left` counts its cycles. */
void sm_side_coalesce(sm_t *sm, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                      uint32_t mask, sm_accesses_t *a) {
  a->none = false;
  if (i->space == WARP_SHARED) {
    a->left = shared_cycles(&shared_fermi, addr, mask);
    sm->stats.shared_insts++;
    sm->stats.shared_cycles += a->left;
    return;
  }
  bool constant = i->space == WARP_CONST;
  a->left = coalescer_lines(addr, mask, constant ? ROCACHE_CONST_LOG2 : TEXCACHE_LINE_LOG2, a->t);
  a->none = a->left == 0;
}

/* ---- the cycle ------------------------------------------------------------- */

/* The write-back register's clients: shared memory, texture, constant. */
bool sm_side_writeback(sm_t *sm, unsigned client, sm_writeback_t *wb) {
  sm_side_t *s = &sm->side;
  uint16_t reader;
  if (client == SM_WB_SHARED) {
    if (!s->shared[0].inst) return false;
    *wb = s->shared[0];
    s->shared[0].inst = NULL;
    sm_warps_inst_done(&sm->warps, wb->warp);
    if (wb->inst->atomic) sm_warps_atomic_done(sm, wb->warp);
    return true;
  }
  if (client == SM_WB_TEXTURE && texcache_ready(s->l1t))
    reader = texcache_take(s->l1t);
  else if (client == SM_WB_CONST && rocache_ready(s->l1c))
    reader = rocache_take(s->l1c);
  else
    return false;
  *wb = sm_ldst_result(&sm->ldst, reader);
  return true;
}

void sm_side_step(sm_t *sm) {
  sm_writeback_t *stage = sm->side.shared;
  for (unsigned i = 0; i + 1 < SM_SHARED_STAGES; i++) {
    if (stage[i].inst || !stage[i + 1].inst) continue;
    stage[i] = stage[i + 1];
    stage[i + 1].inst = NULL;
    sm_run_moved(&sm->run);
  }
}

void sm_side_fill(sm_side_t *s, const packet_t *p, uint64_t now) {
  if (p->texture)
    texcache_fill(s->l1t, p->entry);
  else
    rocache_fill(s->l1c, p->entry, now);
}

bool sm_side_sends(const sm_side_t *s) {
  return s->busy && (texcache_to_send(s->l1t) || rocache_to_send(s->l1c));
}

void sm_side_send(sm_t *sm) {
  sm_side_t *s = &sm->side;
  const packet_t *p = texcache_to_send(s->l1t);
  if (p && sm_port_has_room(&sm->port, p)) sm_port_send(sm, texcache_sent(s->l1t), SM_SIDE);
  if (texcache_move(s->l1t)) sm_run_moved(&sm->run);
  p = rocache_to_send(s->l1c);
  if (p && sm_port_has_room(&sm->port, p)) sm_port_send(sm, rocache_sent(s->l1c), SM_SIDE);
  s->busy = sm_side_outstanding(s) > 0;
  for (unsigned i = 0; i < SM_SHARED_STAGES; i++) s->busy |= s->shared[i].inst != NULL;
}

/* The last remaining transaction of a constant or texture load; false if the cache refuses it. */
static bool access_cache(sm_t *sm, uint64_t now) {
  sm_side_t *s = &sm->side;
  const warp_inst_t *i = sm_ldst_inst(&sm->ldst);
  const sm_accesses_t *a = sm_ldst_access(&sm->ldst);
  unsigned warp = sm_ldst_warp(&sm->ldst);
  uint64_t addr = a->t[a->left - 1].addr;
  uint16_t reader = (uint16_t)sm_ldst_reader(warp, i->dst[0]);
  if (i->space == WARP_TEX) {
    texcache_answer_t t = texcache_access(s->l1t, addr, reader, now);
    sm->stats.tex_hits += t == TEXCACHE_HIT;
    sm->stats.tex_misses += t == TEXCACHE_MISS;
    return t != TEXCACHE_REFUSED;
  }
  rocache_answer_t c = rocache_access(s->l1c, addr, reader, now);
  sm->stats.const_hits += c == ROCACHE_HIT;
  sm->stats.const_misses += c == ROCACHE_MISS;
  if (c == ROCACHE_HIT) sm_ldst_arrived(sm, warp, i->dst[0]);
  return c != ROCACHE_REFUSED;
}

void sm_side_access(sm_t *sm, uint64_t now) {
  sm_ldst_t *l = &sm->ldst;
  const sm_accesses_t *a = sm_ldst_access(l);
  sm->side.busy = true;
  sm_run_moved(&sm->run); /* it is retried in every cycle */
  if (a->left == 0) return;
  if (sm_ldst_inst(l)->space == WARP_SHARED) {
    sm_ldst_took(l);
    if (a->left > 0) sm_ldst_set_stall(l, SM_STALL_SIDE);
    return;
  }
  bool taken = access_cache(sm, now);
  sm_ldst_set_stall(l, taken ? SM_STALL_NONE : SM_STALL_SIDE);
  if (taken) sm_ldst_took(l);
}

/* A shared load moves into the pipeline if there is room; the other instructions are done. */
bool sm_side_leave(sm_t *sm) {
  const warp_inst_t *i = sm_ldst_inst(&sm->ldst);
  sm_writeback_t *last = &sm->side.shared[SM_SHARED_STAGES - 1];
  if (i->space != WARP_SHARED || i->cls != WARP_LOAD) return true;
  if (last->inst) return false;
  *last = (sm_writeback_t){i, sm_ldst_warp(&sm->ldst)};
  return true;
}

unsigned sm_side_outstanding(const sm_side_t *s) {
  return texcache_outstanding(s->l1t) + rocache_outstanding(s->l1c);
}

/* Once its requests have left and nothing is to be written back, it only waits for replies. */
uint64_t sm_side_next(const sm_side_t *s, uint64_t from) {
  if (!s->busy) return SM_ON_INPUT;
  bool wants = texcache_to_send(s->l1t) || rocache_to_send(s->l1c);
  return wants || texcache_ready(s->l1t) || rocache_ready(s->l1c) ? from : SM_ON_INPUT;
}
