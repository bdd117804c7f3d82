/* SPDX-License-Identifier: Apache-2.0 */
/* Warps, blocks, barriers: see warps.h. Also decides how many blocks fit into an SM. */
#include "gpu/pipeline/sm_state.h"
#include "parts/occupancy.h"

#include <inttypes.h>
#include <string.h>

/* ---- blocks ------------------------------------------------------------------ */

static occupancy_sm_t limits(const config_t *cfg) {
  return (occupancy_sm_t){.warps = cfg->warps_per_sm,
                          .blocks = cfg->blocks_per_sm,
                          .registers = cfg->registers_per_sm,
                          .register_unit = 4,
                          .thread_unit = 1,
                          .shared = cfg->shared_bytes};
}

int sm_refuse_block(const config_t *cfg, const launch_t *l, mrpb_err_t *err) {
  char lacks[100];
  const occupancy_sm_t sm = limits(cfg);
  occupancy_explain(&sm, l->threads, l->regs, l->shared, lacks, sizeof lacks);
  return mrpb_fail(err, "%.200s: a block of %" PRIu32 " threads does not fit into an SM: %s",
                   l->kernel, l->threads, lacks);
}

unsigned sm_max_blocks(const config_t *cfg, const launch_t *launch) {
  const occupancy_sm_t sm = limits(cfg);
  uint32_t n = occupancy_blocks(&sm, launch->threads, launch->regs, launch->shared);
  if (cfg->block_placement == CONFIG_PLACEMENT_ROUND_ROBIN && launch->blocks < n * cfg->sms)
    n = (launch->blocks + cfg->sms - 1) / cfg->sms;
  return n;
}

void sm_start_kernel(sm_t *sm, workload_t *w, const launch_t *launch, unsigned max_blocks) {
  sm_warps_t *s = &sm->warps;
  s->workload = w;
  s->max_blocks = max_blocks;
  s->warps_per_block = occupancy_threads(launch->threads) / WARP_LANES;
  if (sm->cfg.l1d_flush) l1d_flush(sm->l1d);
  if (sm->cfg.l1d_flush && sm_l1_path_there(&sm->l1_path)) sm_l1_path_flush(&sm->l1_path);
}

bool sm_has_room(const sm_t *sm) {
  return sm->warps.n_blocks < sm->warps.max_blocks;
}

unsigned sm_blocks(const sm_t *sm) {
  return sm->warps.n_blocks;
}

static int start_warp(sm_t *sm, unsigned w, uint32_t block, unsigned slot, unsigned ordinal) {
  sm_warps_t *s = &sm->warps;
  sm_warp_t *warp = &s->warp[w];
  memset(warp, 0, sizeof *warp);
  warp->stream = warp_stream_open(s->workload, block, ordinal);
  if (!warp->stream) return -1;
  const warp_seat_t seat = {sm->id, sm->cfg.sms, w, sm->cfg.warps_per_sm};
  warp_stream_on_sm(s->workload, warp->stream, &seat);
  if (sm->check) check_warp_starts(sm->check, w, block);
  warp->next = warp_stream_peek(s->workload, warp->stream);
  warp->pc = warp->next->pc;
  warp->block = (uint8_t)slot;
  warp->ordinal = (uint8_t)ordinal;
  s->to_fetch |= sm_warps_bit(w);
  s->running |= sm_warps_bit(w);
  return 0;
}

/* A limit of warps at or above this number is no limit. Warps begin only here. */
static void count_warps(sm_t *sm) {
  const unsigned n = sm_sched_most(&sm->sched, sm->warps.running);
  if (n > sm->stats.scheduler_warps_max) sm->stats.scheduler_warps_max = n;
}

int sm_take_block(sm_t *sm, uint32_t block, mrpb_err_t *err) {
  sm_warps_t *s = &sm->warps;
  unsigned slot = 0;
  while (s->block[slot].used) slot++;
  for (unsigned i = 0; i < s->warps_per_block; i++)
    if (start_warp(sm, slot * s->warps_per_block + i, block, slot, i) != 0)
      return mrpb_fail(err, "sm%u: out of memory for block %u", sm->id, block);
  uint8_t warps = (uint8_t)s->warps_per_block;
  s->block[slot] =
      (sm_block_t){.used = 1, .warps_left = warps, .running = warps, .number = s->blocks_run++};
  s->by_age[s->n_blocks++] = (uint8_t)slot;
  if (sm->timeline)
    timeline_block(sm->timeline, sm->id, slot, block, slot * s->warps_per_block, warps);
  count_warps(sm);
  sm_sched_warps_changed(&sm->sched);
  return 0;
}

static void reclaim(sm_t *sm, unsigned w) {
  sm_warps_t *s = &sm->warps;
  sm_warp_t *warp = &s->warp[w];
  sm_block_t *b = &s->block[warp->block];
  warp_stream_close(s->workload, warp->stream);
  warp->stream = NULL;
  if (sm->check) check_warp_ends(sm->check, w);
  if (sm->timeline) timeline_warp_ends(sm->timeline, sm->id, w);
  s->exited &= ~sm_warps_bit(w);
  sm_run_moved(&sm->run);
  if (--b->warps_left > 0) return;
  b->used = 0;
  s->n_blocks--;
  unsigned at = 0;
  while (s->by_age[at] != warp->block) at++;
  memmove(&s->by_age[at], &s->by_age[at + 1], s->n_blocks - at);
}

void sm_warps_reclaim(sm_t *sm, uint64_t candidates) {
  for (uint64_t m = candidates; m; m &= m - 1) {
    unsigned w = (unsigned)__builtin_ctzll(m);
    const sm_warp_t *warp = &sm->warps.warp[w];
    if (warp->stores == 0 && warp->in_pipeline == 0 && warp->awaited == 0) reclaim(sm, w);
  }
}

void sm_warps_close(sm_t *sm) {
  sm_warps_t *s = &sm->warps;
  for (unsigned w = 0; w < SM_MAX_WARPS; w++)
    if (s->warp[w].stream) warp_stream_close(s->workload, s->warp[w].stream);
}

/* ---- barriers and ends ------------------------------------------------------- */

/* Warps `on` of the block, by ordinal, continue. */
static void release_barrier(sm_t *sm, unsigned block, uint32_t on) {
  sm_warps_t *s = &sm->warps;
  uint64_t released = (uint64_t)on << block * s->warps_per_block;
  s->at_barrier &= ~released;
  sm_run_moved(&sm->run);
  sm_sched_warps_changed(&sm->sched);
  for (; released; released &= released - 1) {
    unsigned w = (unsigned)__builtin_ctzll(released);
    /* The result of a bar.red may be the guard of a generic access: the same instruction must be
     * read again. */
    if (s->warp[w].next) s->warp[w].next = warp_stream_peek(s->workload, s->warp[w].stream);
    if (s->warp[w].ibuf > 0) s->to_issue |= sm_warps_bit(w);
  }
}

/* A barrier is complete for warps `on`. They continue at once, or, if it is a barrier of the whole
 * block, when the MRPB has let it through. */
static void complete_barrier(sm_t *sm, unsigned block, uint32_t on, bool whole) {
  sm_block_t *b = &sm->warps.block[block];
  if (on == 0) return;
  if (!whole || !(sm_ldst_reorders(&sm->ldst) || sm_l1_path_orders(&sm->l1_path))) {
    release_barrier(sm, block, on);
    return;
  }
  b->due |= on;
  sm->warps.barriers_due += !b->barrier_due;
  b->barrier_due = true;
}

/* The barrier follows every request of the block, so it waits until the block's memory instructions
 * have left the pipeline. */
unsigned sm_warps_barrier_to_offer(const sm_warps_t *s) {
  unsigned b = 0;
  while (b < s->max_blocks && (!s->block[b].barrier_due || s->block[b].memory_insts > 0)) b++;
  return b < s->max_blocks ? b : SM_MAX_BLOCKS;
}

void sm_warps_barrier_through(sm_t *sm, unsigned block) {
  sm_block_t *b = &sm->warps.block[block];
  const uint32_t on = b->due;
  sm->warps.barriers_due--;
  b->barrier_due = false;
  b->due = 0;
  release_barrier(sm, block, on);
}

static void come_to_barrier(sm_t *sm, unsigned w, const warp_barrier_t *at) {
  sm_warps_t *s = &sm->warps;
  const unsigned block = s->warp[w].block;
  sm_block_t *b = &s->block[block];
  if (at->waits) {
    s->at_barrier |= sm_warps_bit(w);
    s->to_issue &= ~sm_warps_bit(w);
    sm_sched_warps_changed(&sm->sched);
  }
  const uint32_t on = barriers_come(&b->barriers, at, s->warp[w].ordinal, b->running);
  complete_barrier(sm, block, on, barrier_is_whole(at, s->warps_per_block));
}

void sm_warps_atomic_done(sm_t *sm, unsigned w) {
  sm_warps_t *s = &sm->warps;
  if (--s->warp[w].atomics > 0) return;
  if (sm->timeline) timeline_atomics_done(sm->timeline, sm->id, w);
  s->at_atomic &= ~sm_warps_bit(w);
  if (s->warp[w].ibuf > 0) s->to_issue |= sm_warps_bit(w);
  sm_sched_wake(&sm->sched);
  sm_run_moved(&sm->run);
}

static void flush(sm_warps_t *s, unsigned w) {
  sm_warp_t *warp = &s->warp[w];
  warp->in_pipeline = (uint16_t)(warp->in_pipeline - warp->ibuf);
  warp->ibuf = 0;
  s->to_issue &= ~sm_warps_bit(w);
  if (warp->next) s->to_fetch |= sm_warps_bit(w);
}

static void end(sm_t *sm, unsigned w) {
  sm_warps_t *s = &sm->warps;
  unsigned block = s->warp[w].block;
  flush(s, w);
  s->to_fetch &= ~sm_warps_bit(w);
  s->exited |= sm_warps_bit(w);
  s->running &= ~sm_warps_bit(w);
  sm_sched_warps_changed(&sm->sched);
  sm_block_t *b = &s->block[block];
  complete_barrier(sm, block, barriers_end(&b->barriers, --b->running), true);
}

/* ---- i-buffers ---------------------------------------------------------------- */

void sm_warps_redirect(sm_warps_t *s, unsigned w) {
  s->warp[w].pc = s->warp[w].next->pc;
  flush(s, w);
}

void sm_warps_issue(sm_t *sm, unsigned w, const warp_inst_t *i) {
  sm_warps_t *s = &sm->warps;
  sm_warp_t *warp = &s->warp[w];
  warp->ibuf--;
  warp->pc = i->pc + WARP_PC_STEP;
  if (warp->ibuf == 0) {
    s->to_issue &= ~sm_warps_bit(w);
    s->to_fetch |= sm_warps_bit(w);
  }
  warp_barrier_t at = {0};
  if (i->cls == WARP_BARRIER) at = warp_stream_barrier(s->workload, warp->stream);
  warp_stream_step(s->workload, warp->stream);
  warp->next = warp_stream_peek(s->workload, warp->stream);
  if (at.comes) come_to_barrier(sm, w, &at);
  if (!warp->next) end(sm, w);
}
