/* SPDX-License-Identifier: Apache-2.0 */
/* Warp schedulers, scoreboard, barriers. See docs/device/README.md. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/profiled.h"
#include "gpu/inorder/stack.h"

#define BIT(w) (UINT64_C(1) << (w))

enum { BARRIER_CYCLE = 100 /* the unit of BARRIER_CYCLES */ };

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* When register `reg` can be read, if that is later than `at`. *awaited counts those that wait for a
 * load. */
static inline uint64_t operand(core_t *c, unsigned w, unsigned reg, uint64_t at,
                               unsigned *awaited) {
  const uint64_t ready = *core_ready(c, w, reg); /* register 0 means none and is always ready */
  *awaited += ready == NEVER;
  return ready == NEVER || ready < at ? at : ready;
}

void issue_next(core_t *c, unsigned w) {
  core_warp_t *p = &c->warp[w];
  const warp_inst_t *i = p->next;
  if (!i) return;
  uint64_t at = later(p->fetched, p->hold);
  unsigned awaited = 0;
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) at = operand(c, w, i->dst[k], at, &awaited);
  for (unsigned k = 0; k < 4; k++) at = operand(c, w, i->src[k], at, &awaited);
  for (unsigned k = 0; k < 2; k++) at = operand(c, w, i->wait[k], at, &awaited);
  c->can_issue[w] = at;
  p->awaited = (uint16_t)awaited;
  c->idle_until[p->scheduler] = 0;
  if (awaited == 0 && !p->at_barrier) {
    c->knows |= BIT(w);
    core_soon(c, at);
  } else {
    c->knows &= ~BIT(w);
  }
}

/* ---- barriers and ends ------------------------------------------------------ */

/* The unit for barriers counts another warp. */
static void count_warp(core_t *c) {
  const uint64_t now = c->all->now * BARRIER_CYCLE;
  c->barrier_free = later(c->barrier_free, now) + c->all->cfg.barrier_cycles;
}

void issue_pass_barrier(core_t *c, unsigned slot, uint32_t on) {
  const uint64_t at = later(c->all->now, c->barrier_free / BARRIER_CYCLE);
  for (; on; on &= on - 1) {
    const unsigned w = slot * c->block[slot].warps + (unsigned)__builtin_ctz(on);
    core_warp_t *p = &c->warp[w];
    p->at_barrier = false;
    p->next = warp_stream_peek(c->all->workload, p->stream); /* read again, after a bar.red */
    p->hold = at + c->all->cfg.barrier_latency;
    stack_woken(p, p->hold, WOKEN_BY_BARRIER);
    issue_next(c, w);
  }
}

/* Warps `on` of block `slot` continue, behind an MRPB when it holds no request of the block. */
static void leave_barrier(core_t *c, unsigned slot, uint32_t on) {
  if (c->mrpb.there && on)
    core_mrpb_barrier(c, slot, on);
  else
    issue_pass_barrier(c, slot, on);
}

void issue_leave(core_t *c, unsigned slot) {
  core_block_t *b = &c->block[slot];
  if (b->running > 0) return;
  for (unsigned w = slot * b->warps; w < (slot + 1) * b->warps; w++)
    if (c->warp[w].loads > 0) return;
  for (unsigned w = slot * b->warps; c->check && w < (slot + 1) * b->warps; w++)
    core_check_end(c, w);
  b->used = false;
  c->n_blocks--;
  c->all->n_blocks--;
  inorder_add_room(c->all, c->id);
}

static void end_warp(core_t *c, unsigned w) {
  core_warp_t *p = &c->warp[w];
  warp_stream_close(c->all->workload, p->stream);
  p->stream = NULL;
  if (c->all->timeline) timeline_warp_ends(c->all->timeline, c->id, w);
  c->live &= ~BIT(w);
  core_block_t *b = &c->block[p->block];
  const uint32_t on = barriers_end(&b->barriers, --b->running);
  issue_leave(c, p->block);
  leave_barrier(c, p->block, on);
}

/* ---- issue ----------------------------------------------------------------- */

static unsigned free_sp(const core_t *c) {
  unsigned best = 0;
  for (unsigned u = 1; u < c->all->cfg.sp_units; u++)
    if (c->sp_free[u] < c->sp_free[best]) best = u;
  return best;
}

static bool is_memory(const warp_inst_t *i) {
  return i->cls == WARP_LOAD || i->cls == WARP_STORE;
}

/* When the units of the instruction are free. NEVER: when a queue moves or data arrive. */
static uint64_t unit_free(const core_t *c, unsigned w, unsigned s, const warp_inst_t *i) {
  const config_t *cfg = &c->all->cfg;
  if (is_memory(i)) {
    if (i->space == WARP_SHARED) return c->shared_free;
    const bool lsu = lsu_takes(c, i), replies = i->space == WARP_TEX && !c->all->ports;
    if (!lsu && !replies) return 0;
    if (warp_stream_mask(c->all->workload, c->warp[w].stream) == 0) return 0;
    if (i->cls == WARP_LOAD && c->warp[w].loads >= cfg->loads_per_warp) return NEVER;
    if (!lsu) return 0;
    return lsu_has_room(c, s) ? c->load_free[s] : NEVER;
  }
  units_cost_t k = units_cost(cfg, i);
  uint64_t at = k.sp ? c->sp_free[free_sp(c)] : 0;
  const uint64_t sfu = c->sfu_free[s % cfg->sfu_units];
  if (k.either && at > c->all->now && sfu < at) return sfu;
  if (k.sfu) at = later(at, sfu);
  if (k.mad) at = later(at, c->mad_free[s]);
  return k.dpu ? later(at, c->dpu_free[s % cfg->dpu_units]) : at;
}

static void compute(core_t *c, unsigned w, unsigned s, const warp_inst_t *i) {
  const config_t *cfg = &c->all->cfg;
  uint64_t now = c->all->now;
  units_cost_t k = units_cost(cfg, i);
  unsigned sp = free_sp(c);
  if (k.either && c->sp_free[sp] > now) {
    c->sfu_free[s % cfg->sfu_units] = now + cfg->mul_cycles;
    core_written(c, w, i, now + cfg->sfu_latency);
    return;
  }
  if (k.sp) c->sp_free[sp] = now + k.sp;
  if (k.sfu) c->sfu_free[s % cfg->sfu_units] = now + k.sfu;
  if (k.dpu) c->dpu_free[s % cfg->dpu_units] = now + k.dpu;
  if (k.mad) c->mad_free[s] = now + cfg->mad_cycles;
  core_written(c, w, i, now + k.latency);
}

static void access_memory(core_t *c, unsigned w, unsigned s, const warp_inst_t *i) {
  core_warp_t *p = &c->warp[w];
  if (warp_stream_mask(c->all->workload, p->stream) == 0) {
    core_written(c, w, i, c->all->now + c->all->cfg.sp_latency);
  } else if (lsu_takes(c, i)) {
    lsu_issue(c, w, s, i);
    c->load_free[s] = c->all->now + c->all->cfg.load_cycles;
    if (i->cls == WARP_LOAD) core_written(c, w, i, NEVER);
  } else {
    core_written(c, w, i, spaces_load(c, p, i));
  }
}

/* Most masks are full, and counting bits takes a call. */
static unsigned lanes(uint32_t mask) {
  return mask == UINT32_MAX ? WARP_LANES : (unsigned)__builtin_popcount(mask);
}

static void issue(core_t *c, unsigned w, unsigned s) {
  inorder_t *d = c->all;
  core_warp_t *p = &c->warp[w];
  const warp_inst_t *i = p->next;
  workload_t *l = d->workload;
  if (d->timeline) timeline_issue(d->timeline, c->id, w, i);
  if (is_memory(i))
    access_memory(c, w, s, i);
  else
    compute(c, w, s, i);
  d->clock = (d->now + (uint64_t)c->cluster * d->cfg.clock_skew) >> d->cfg.clock_shift;
  d->stats.warp_insts++;
  const unsigned threads = lanes(warp_stream_mask(l, p->stream));
  d->stats.thread_insts += threads;
  if (c->profiled) core_profiled_issue(c, w, i, threads);
  if (d->stacks) stacks_add(d->stacks, c->id, STACK_ISSUE, d->now, d->now + d->cfg.issue_cycles);
  warp_barrier_t at = {0};
  if (i->cls == WARP_BARRIER) at = warp_stream_barrier(l, p->stream);
  warp_stream_step(l, p->stream);
  p->next = warp_stream_peek(l, p->stream);
  const uint64_t before = c->issued[w];
  c->issued[w] = d->now;
  if (i->clock) p->hold = later(p->hold, d->now + d->cfg.clock_cycles);
  if (!p->next) {
    end_warp(c, w);
    return;
  }
  const bool jumped = p->next->pc != i->pc + WARP_PC_STEP;
  if (i->cls == WARP_BRANCH && !jumped) p->hold = later(p->hold, d->now + d->cfg.branch_passed);
  fetch_next(c, p, before, jumped);
  if (at.comes) {
    core_block_t *b = &c->block[p->block];
    p->at_barrier = at.waits;
    count_warp(c);
    leave_barrier(c, p->block, barriers_come(&b->barriers, &at, p->ordinal, b->running));
  }
  issue_next(c, w);
}

/* ---- schedulers ------------------------------------------------------------ */

/* SCHED_SLOTS: the time from a warp's issue until it may issue again. */
static uint64_t turn_of(const core_t *c) {
  const config_t *cfg = &c->all->cfg;
  uint32_t n = (uint32_t)__builtin_popcountll(c->live), slots = cfg->sched_slots;
  return slots && n + 3 > slots && n < slots ? (uint64_t)slots * cfg->sp_cycles : 0;
}

/* When the warp can issue, as far as that is known. */
static inline uint64_t issuable_at(const core_t *c, unsigned w, unsigned s, uint64_t turn) {
  const uint64_t at = later(c->can_issue[w], turn ? c->issued[w] + turn : 0);
  return at <= c->all->now ? unit_free(c, w, s, c->warp[w].next) : at;
}

/* The first of `warps` that can issue; CORE_WARPS if none can. *next gets the earliest time at which
 * one of those before it can, and *timed becomes false if that is not all that they wait for. */
static unsigned first_of(core_t *c, unsigned s, uint64_t turn, uint64_t warps, uint64_t *next,
                         bool *timed) {
  const uint64_t now = c->all->now;
  for (; warps; warps &= warps - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(warps);
    const uint64_t at = issuable_at(c, w, s, turn);
    if (at <= now) return w;
    if (at < *next) *next = at;
    *timed &= c->can_issue[w] > now;
  }
  return CORE_WARPS;
}

static void schedule(core_t *c, unsigned s, uint64_t turn) {
  const uint64_t mine = c->mine[s] & c->live & c->knows, now = c->all->now;
  if (mine == 0) return;
  if (c->sched_free[s] > now || c->idle_until[s] > now) {
    core_soon(c, c->sched_free[s] > now ? c->sched_free[s] : c->idle_until[s]);
    return;
  }
  const uint64_t behind = UINT64_MAX << c->last[s] << 1;
  uint64_t next = NEVER;
  bool timed = turn == 0;
  c->idle_until[s] = 0;
  unsigned w = first_of(c, s, turn, mine & behind, &next, &timed);
  if (w == CORE_WARPS) w = first_of(c, s, turn, mine & ~behind, &next, &timed);
  core_soon(c, next);
  if (w == CORE_WARPS) {
    if (timed) c->idle_until[s] = next;
    return;
  }
  if (now > c->sched_free[s]) stack_issue(c, w, c->sched_free[s]);
  issue(c, w, s);
  c->last[s] = (uint8_t)w;
  c->sched_free[s] = now + c->all->cfg.issue_cycles;
  core_soon(c, c->sched_free[s]);
}

void issue_step(core_t *c) {
  uint64_t turn = turn_of(c);
  for (unsigned s = 0; s < c->all->cfg.schedulers; s++) schedule(c, s, turn);
}
