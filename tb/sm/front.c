/* SM front end: fetch, decode, issue, scoreboard, and the SP and SFU pipelines. See docs/sm.md. One
 * fetch a cycle of two instructions; a branch is resolved at issue, and what was fetched behind it
 * is thrown away when the scheduler next looks at the warp. */
#include "sm/sm_state.h"

#include <string.h>

#define BIT(w) (UINT64_C(1) << (w))

static unsigned count_bits(unsigned two) {
  return (two & 1) + (two >> 1 & 1);
}

static void flush_ibuffer(sm_t *sm, unsigned w) {
  sm_warp_t *warp = &sm->warp[w];
  warp->in_pipeline -= count_bits(warp->ibuf_valid);
  warp->ibuf_valid = 0;
  sm->to_issue &= ~BIT(w);
  if (warp->next) sm->to_fetch |= BIT(w);
}

int sm_front_start_warp(sm_t *sm, unsigned w, uint32_t block, unsigned slot, unsigned ordinal) {
  sm_warp_t *warp = &sm->warp[w];
  memset(warp, 0, sizeof *warp);
  warp->stream = warp_stream_open(sm->workload, block, ordinal);
  if (!warp->stream) return -1;
  if (sm->check) check_warp_starts(sm->check, w, block);
  warp->next = warp_stream_peek(sm->workload, warp->stream);
  warp->fetch_pc = warp->next->pc;
  warp->block = (uint8_t)slot;
  warp->ordinal = (uint8_t)ordinal;
  sm->to_fetch |= BIT(w);
  return 0;
}

/* ---- fetch and decode ------------------------------------------------------ */

void sm_front_decode(sm_t *sm) {
  if (!sm->fetch_valid) return;
  sm_warp_t *warp = &sm->warp[sm->fetch_warp];
  warp->ibuf_pc[0] = sm->fetch_pc;
  warp->ibuf_pc[1] = sm->fetch_pc + WARP_PC_STEP;
  warp->ibuf_valid = 3;
  warp->ibuf_at = 0;
  warp->in_pipeline += 2;
  sm->fetch_valid = false;
  sm->sched_stale = true;
  if (!warp->at_barrier) sm->to_issue |= BIT(sm->fetch_warp);
  sm->moved = true;
}

static void reclaim(sm_t *sm, unsigned w) {
  sm_warp_t *warp = &sm->warp[w];
  sm_block_t *b = &sm->block[warp->block];
  warp_stream_close(sm->workload, warp->stream);
  warp->stream = NULL;
  if (sm->check) check_warp_ends(sm->check, w);
  sm->exited &= ~BIT(w);
  sm->moved = true;
  if (--b->warps_left == 0) {
    b->used = 0;
    sm->n_blocks--;
  }
}

static bool all_done(const sm_warp_t *warp) {
  return warp->stores == 0 && warp->in_pipeline == 0 && warp->awaited == 0;
}

/* The scan of the warps, from the one after the last fetched, also reclaims those that have
 * finished, up to the one that is fetched. */
void sm_front_fetch(sm_t *sm) {
  uint64_t behind = sm->last_fetched == 63 ? 0 : UINT64_MAX << (sm->last_fetched + 1);
  const uint64_t part[2] = {behind, ~behind};
  for (unsigned i = 0; i < 2; i++) {
    uint64_t fetch = sm->to_fetch & part[i];
    uint64_t before = fetch ? (fetch & -fetch) - 1 : UINT64_MAX;
    for (uint64_t e = sm->exited & part[i] & before; e; e &= e - 1) {
      unsigned w = (unsigned)__builtin_ctzll(e);
      if (all_done(&sm->warp[w])) reclaim(sm, w);
    }
    if (!fetch) continue;
    unsigned w = (unsigned)__builtin_ctzll(fetch);
    sm->fetch_valid = true;
    sm->fetch_warp = (uint8_t)w;
    sm->fetch_pc = sm->warp[w].fetch_pc;
    sm->last_fetched = (uint8_t)w;
    sm->to_fetch &= ~BIT(w);
    sm->moved = true;
    return;
  }
}

/* ---- issue ----------------------------------------------------------------- */

static bool collides(const sm_warp_t *warp, const warp_inst_t *i) {
  if (warp->awaited == 0) return false;
  for (unsigned k = 0; k < WARP_OPERANDS; k++)
    if (i->regs[k] && (warp->busy_regs[i->regs[k] / 64] >> i->regs[k] % 64 & 1)) return true;
  return false;
}

/* The pipeline register for the instruction, COLLECTOR_SETS if it is not free. */
static collector_set_t find_set(const sm_t *sm, const warp_inst_t *i) {
  if (i->unit == WARP_MEM)
    return collector_has_room(&sm->collector, COLLECTOR_MEM) ? COLLECTOR_MEM : COLLECTOR_SETS;
  if (i->unit != WARP_SFU && collector_has_room(&sm->collector, COLLECTOR_SP)) return COLLECTOR_SP;
  if (i->unit != WARP_SP && collector_has_room(&sm->collector, COLLECTOR_SFU)) return COLLECTOR_SFU;
  return COLLECTOR_SETS;
}

static void coalesce(sm_t *sm, unsigned w, const warp_inst_t *i, unsigned slot) {
  const sm_warp_t *warp = &sm->warp[w];
  sm_accesses_t *a = &sm->access[slot];
  uint64_t addr[WARP_LANES];
  uint32_t mask = warp_stream_mask(sm->workload, warp->stream);
  warp_stream_addresses(sm->workload, warp->stream, addr);
  a->left = coalescer_run(addr, mask, i->elem, a->t);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    a->offset[lane] = mask >> lane & 1 ? (uint8_t)(addr[lane] % COALESCER_LINE) : 0;
  if (sm->check && i->space == WARP_GLOBAL)
    check_issue(sm->check, w, warp->stream, i, addr, mask, a->t, a->left, a->data);
  if (i->cls == WARP_LOAD) {
    sm->stats.loads++;
    sm->stats.load_lines += a->left;
  } else {
    sm->stats.stores++;
    sm->stats.store_lines += a->left;
  }
}

void sm_front_release_barrier(sm_t *sm, unsigned block) {
  sm->block[block].barrier = 0;
  sm->block[block].barrier_due = false;
  sm->sched_stale = sm->moved = true;
  for (unsigned i = 0; i < sm->cfg.warps_per_sm; i++) {
    sm_warp_t *other = &sm->warp[i];
    if (!other->stream || other->block != block || !other->at_barrier) continue;
    other->at_barrier = false;
    if (other->ibuf_valid) sm->to_issue |= BIT(i);
  }
}

/* The last warp to come releases the others: at once, or when the MRPB has let the barrier through.
 */
static void meet_barrier(sm_t *sm, unsigned w) {
  sm_block_t *b = &sm->block[sm->warp[w].block];
  sm->warp[w].at_barrier = true;
  sm->to_issue &= ~BIT(w);
  if (++b->barrier < b->warps_left) return;
  if (!sm_reorders(sm)) {
    sm_front_release_barrier(sm, sm->warp[w].block);
    return;
  }
  b->barrier_due = true;
  sm->barriers_due++;
}

static void issue(sm_t *sm, unsigned w, collector_set_t set) {
  sm_warp_t *warp = &sm->warp[w];
  const warp_inst_t *i = warp->next;
  unsigned slot = (unsigned)__builtin_ctzll(sm->slots_free);
  sm->slots_free &= sm->slots_free - 1;
  sm->inst[slot] = i;
  sm->inst_warp[slot] = (uint8_t)w;
  collector_put(&sm->collector, set, (uint8_t)slot, sm->age++);
  if (set == COLLECTOR_MEM) {
    coalesce(sm, w, i, slot);
    sm_keep_order(sm, w, slot);
    sm->block[warp->block].memory_insts++;
  }
  sm->stats.warp_insts++;
  sm->stats.thread_insts +=
      (unsigned)__builtin_popcount(warp_stream_mask(sm->workload, warp->stream));
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    warp->busy_regs[i->dst[k] / 64] |= BIT(i->dst[k] % 64);
    warp->awaited++;
  }

  warp->ibuf_valid &= (uint8_t) ~(1u << warp->ibuf_at);
  warp->ibuf_at ^= 1;
  warp->fetch_pc = i->pc + WARP_PC_STEP;
  if (!warp->ibuf_valid) {
    sm->to_issue &= ~BIT(w);
    sm->to_fetch |= BIT(w);
  }
  warp_stream_step(sm->workload, warp->stream);
  warp->next = warp_stream_peek(sm->workload, warp->stream);
  if (!warp->next) {
    flush_ibuffer(sm, w);
    sm->to_fetch &= ~BIT(w);
    sm->exited |= BIT(w);
  }
  if (i->cls == WARP_BARRIER) meet_barrier(sm, w);
  sm->moved = true;
  sm->progress++;
}

/* One scheduler: the first warp in turn that can issue does. */
static uint8_t schedule(sm_t *sm, unsigned s) {
  unsigned last = sm->last_issued[s];
  uint64_t behind = last == 63 ? 0 : UINT64_MAX << (last + 1);
  const uint64_t part[2] = {behind, ~behind};
  uint8_t outcome = SCHED_IDLE;
  for (unsigned i = 0; i < 2; i++) {
    for (uint64_t m = sm->to_issue & sm->sched_mask[s] & part[i]; m; m &= m - 1) {
      unsigned w = (unsigned)__builtin_ctzll(m);
      sm_warp_t *warp = &sm->warp[w];
      if (warp->ibuf_pc[warp->ibuf_at] != warp->next->pc) { /* fetched behind a taken branch */
        warp->fetch_pc = warp->next->pc;
        flush_ibuffer(sm, w);
        sm->moved = true;
        sm->sched_stale = true;
        continue;
      }
      if (collides(warp, warp->next)) {
        if (outcome == SCHED_IDLE) outcome = SCHED_SCOREBOARD;
        continue;
      }
      outcome = SCHED_PIPELINE;
      collector_set_t set = find_set(sm, warp->next);
      if (set == COLLECTOR_SETS) continue;
      issue(sm, w, set);
      sm->last_issued[s] = (uint8_t)w;
      return SCHED_ISSUED;
    }
  }
  return outcome;
}

/* While nothing changed and nothing issued, the outcome of the last cycle stands. */
void sm_front_issue(sm_t *sm) {
  if (!sm->sched_stale) return;
  sm->sched_stale = false;
  for (unsigned s = 0; s < sm->cfg.schedulers; s++) {
    sm->sched_state[s] = schedule(sm, s);
    if (sm->sched_state[s] == SCHED_ISSUED) sm->sched_stale = true;
  }
}

void sm_front_count(sm_t *sm, uint64_t cycles) {
  for (unsigned s = 0; s < sm->cfg.schedulers; s++) {
    sm->stats.issue_idle += sm->sched_state[s] == SCHED_IDLE ? cycles : 0;
    sm->stats.issue_scoreboard += sm->sched_state[s] == SCHED_SCOREBOARD ? cycles : 0;
    sm->stats.issue_pipeline += sm->sched_state[s] == SCHED_PIPELINE ? cycles : 0;
  }
}

/* ---- SP and SFU ------------------------------------------------------------ */

/* A unit takes the oldest instruction of its OC_EX register if its dispatch register is free and
 * its last stage and a result bus are, `latency` cycles from now. */
static void alu_accept(sm_t *sm, unsigned unit, uint64_t now) {
  collector_set_t set = unit < 2 ? COLLECTOR_SP : COLLECTOR_SFU;
  uint8_t slot = collector_peek(&sm->collector, set);
  if (slot == COLLECTOR_NONE || now < sm->alu_free_at[unit]) return;
  const warp_inst_t *i = sm->inst[slot];
  unsigned end = (unsigned)(now + i->latency) % SM_WHEEL;
  if (sm->alu_done[unit][end] || sm->bus[end] >= 2) return;
  sm->alu_done[unit][end] = 1;
  sm_writeback_t *wb = sm->wheel[(end + 2) % SM_WHEEL];
  wb[sm->bus[end]++] = (sm_writeback_t){i, sm->inst_warp[slot]};
  sm->alu_free_at[unit] = now + i->interval;
  collector_take(&sm->collector, set);
  sm->slots_free |= BIT(slot);
  sm->in_flight++;
  sm->moved = true;
}

void sm_front_execute(sm_t *sm, uint64_t now) {
  unsigned at = (unsigned)now % SM_WHEEL;
  sm->bus[at] = 0;
  for (unsigned u = 0; u < SM_ALUS; u++) {
    sm->alu_done[u][at] = 0;
    alu_accept(sm, u, now);
  }
}

void sm_front_writeback(sm_t *sm, uint64_t now) {
  if (sm->in_flight == 0) return;
  sm_writeback_t *wb = sm->wheel[now % SM_WHEEL];
  sm->moved = true; /* results on their way: no cycle is like the last one */
  for (unsigned i = 0; i < 2; i++) {
    const warp_inst_t *inst = wb[i].inst;
    if (!inst) continue;
    wb[i].inst = NULL;
    if (inst->dst[0]) { /* never held up, as in the reference */
      (void)collector_write(&sm->collector, inst->dst_bank, wb[i].warp);
      sm_release(sm, wb[i].warp, inst);
    }
    sm->warp[wb[i].warp].in_pipeline--;
    sm->in_flight--;
  }
}
