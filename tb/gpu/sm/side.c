/* SPDX-License-Identifier: Apache-2.0 */
/* The side ways of the LDST unit: shared memory, constant cache, texture cache. An instruction for
 * them stays in the dispatch register like any other, but neither L1D nor MRPB sees it. See
 * docs/sm.md. */
#include "gpu/sm/sm_state.h"

int sm_side_create(sm_t *sm, mrpb_err_t *err) {
  const config_t *c = &sm->cfg;
  sm_side_t *s = &sm->side;
  if (rocache_create(&s->l1c, c->l1c_sets, c->l1c_ways, ROCACHE_CONST_LOG2, sm->pool, err) != 0)
    return -1;
  return texcache_create(&s->l1t, c->l1t_sets, c->l1t_ways, sm->pool, err);
}

void sm_side_destroy(sm_t *sm) {
  rocache_destroy(sm->side.l1c);
  texcache_destroy(sm->side.l1t);
}

/* ---- issue ----------------------------------------------------------------- */

/* One transaction for each line, in ascending order; `left` of a shared access counts its cycles.
 */
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
    sm->warp[wb->warp].in_pipeline--;
    return true;
  }
  if (client == SM_WB_TEXTURE && texcache_ready(s->l1t))
    reader = texcache_take(s->l1t);
  else if (client == SM_WB_CONST && rocache_ready(s->l1c))
    reader = rocache_take(s->l1c);
  else
    return false;
  *wb = (sm_writeback_t){sm_reader(sm, reader)->inst, (uint8_t)(reader >> SM_REG_W)};
  return true;
}

void sm_side_step(sm_t *sm) {
  sm_writeback_t *stage = sm->side.shared;
  for (unsigned i = 0; i + 1 < SM_SHARED_STAGES; i++) {
    if (stage[i].inst || !stage[i + 1].inst) continue;
    stage[i] = stage[i + 1];
    stage[i + 1].inst = NULL;
    sm->moved = true;
  }
}

void sm_side_fill(sm_t *sm, const packet_t *p, uint64_t now) {
  if (p->texture)
    texcache_fill(sm->side.l1t, p->entry);
  else
    rocache_fill(sm->side.l1c, p->entry, now);
}

static void push(sm_t *sm, packet_t *p) {
  packet_set_address(p, &sm->map, p->addr);
  p->sm = (uint16_t)sm->id;
  p->flags = SM_SIDE;
  icnt_request_push(sm->icnt, p);
  sm->moved = true;
}

void sm_side_send(sm_t *sm) {
  sm_side_t *s = &sm->side;
  packet_t *p = texcache_to_send(s->l1t);
  if (p && icnt_request_room(sm->icnt, sm->id, false, p->bytes)) push(sm, texcache_sent(s->l1t));
  if (texcache_move(s->l1t)) sm->moved = true;
  p = rocache_to_send(s->l1c);
  if (p && icnt_request_room(sm->icnt, sm->id, false, p->bytes)) push(sm, rocache_sent(s->l1c));
  s->busy = sm_side_outstanding(sm) > 0;
  for (unsigned i = 0; i < SM_SHARED_STAGES; i++) s->busy |= s->shared[i].inst != NULL;
}

/* The last transaction of a constant or texture load. */
static bool access_cache(sm_t *sm, const warp_inst_t *i, unsigned warp, uint64_t addr,
                         uint64_t now) {
  sm_side_t *s = &sm->side;
  uint16_t reader = (uint16_t)sm_pack_reader(warp, i->dst[0]);
  if (i->space == WARP_TEX) {
    texcache_answer_t t = texcache_access(s->l1t, addr, reader, now);
    sm->stats.tex_hits += t == TEXCACHE_HIT;
    sm->stats.tex_misses += t == TEXCACHE_MISS;
    sm->stall = t == TEXCACHE_REFUSED ? SM_STALL_SIDE : SM_STALL_NONE;
  } else {
    rocache_answer_t c = rocache_access(s->l1c, addr, reader, now);
    sm->stats.const_hits += c == ROCACHE_HIT;
    sm->stats.const_misses += c == ROCACHE_MISS;
    sm->stall = c == ROCACHE_REFUSED ? SM_STALL_SIDE : SM_STALL_NONE;
    if (c == ROCACHE_HIT) sm_ldst_arrived(sm, warp, i->dst[0]);
  }
  return sm->stall == SM_STALL_NONE;
}

void sm_side_access(sm_t *sm, uint64_t now) {
  uint8_t slot = sm->dispatch;
  const warp_inst_t *i = sm->inst[slot];
  sm_accesses_t *a = &sm->access[slot];
  sm->side.busy = true;
  sm->moved = true; /* it is looked at in every cycle */
  if (a->left > 0 && (i->space == WARP_SHARED ||
                      access_cache(sm, i, sm->inst_warp[slot], a->t[a->left - 1].addr, now)))
    a->left--;
  if (i->space == WARP_SHARED && a->left > 0) sm->stall = SM_STALL_SIDE;
}

/* A shared load goes on into the pipeline, if that has room; the others are done. */
bool sm_side_leave(sm_t *sm) {
  const warp_inst_t *i = sm->inst[sm->dispatch];
  sm_writeback_t *last = &sm->side.shared[SM_SHARED_STAGES - 1];
  if (i->space != WARP_SHARED || i->cls != WARP_LOAD) return true;
  if (last->inst) return false;
  *last = (sm_writeback_t){i, sm->inst_warp[sm->dispatch]};
  return true;
}

bool sm_side_waits_for_room(const sm_t *sm) {
  return texcache_to_send(sm->side.l1t) || rocache_to_send(sm->side.l1c);
}

unsigned sm_side_outstanding(const sm_t *sm) {
  return texcache_outstanding(sm->side.l1t) + rocache_outstanding(sm->side.l1c);
}

bool sm_side_quiet(const sm_t *sm) {
  const sm_side_t *s = &sm->side;
  return !sm_side_waits_for_room(sm) && !texcache_ready(s->l1t) && !rocache_ready(s->l1c);
}
