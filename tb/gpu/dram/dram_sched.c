/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM channel: FR-FCFS choice of the request that each bank serves, and of the command in each
 * cycle. */
#include "gpu/dram/dram_state.h"

/* First set bit of m at or after `from`, cyclically; m must not be 0. */
static uint32_t first_from(uint64_t m, uint32_t from) {
  uint64_t high = m & (UINT64_MAX << from);
  return (uint32_t)__builtin_ctzll(high ? high : m);
}

static uint64_t latest(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Sets the command that the bank needs next. Call it after every change of row or request. */
static void classify(dram_t *d, uint32_t at) {
  dram_bank_t *b = &d->bank[at];
  const uint64_t bit = UINT64_C(1) << at;
  d->column_mask &= ~bit;
  if (!b->serving) {
    d->serving_mask &= ~bit;
    b->next = DRAM_NONE;
  } else if (!b->active) {
    b->next = DRAM_ACTIVATE;
    b->at = latest(b->rp, b->rc);
  } else if (b->row != b->serving->row) {
    b->next = DRAM_PRECHARGE;
    b->at = latest(b->ras, latest(b->wtp, b->rtp));
  } else {
    b->next = packet_is_write(b->serving) ? DRAM_WRITE : DRAM_READ;
    b->at = b->next == DRAM_WRITE ? b->rcdwr : b->rcd;
    d->column_mask |= bit;
  }
}

/* ---- scheduler ------------------------------------------------------------------------------- */

static void accept(dram_t *d, packet_t *p) {
  dram_bank_t *b = &d->bank[p->bank];
  packet_queue_push(&b->waiting, p);
  d->waiting_mask |= UINT64_C(1) << p->bank;
  if (++d->pending > d->stats.queue_max) d->stats.queue_max = d->pending;
  d->stats.requests++;
}

static bool has_row(const packet_queue_t *q, uint32_t row) {
  for (const packet_t *p = q->head; p; p = p->next)
    if (p->row == row) return true;
  return false;
}

/* Removes the oldest request for `row`, which must exist. */
static packet_t *take_row(packet_queue_t *q, uint32_t row) {
  packet_t *before = NULL, *p = q->head;
  while (p->row != row) {
    before = p;
    p = p->next;
  }
  if (before)
    before->next = p->next;
  else
    q->head = p->next;
  if (q->tail == p) q->tail = before;
  q->count--;
  return p;
}

/* The oldest request to the open row, else the oldest. A bank chooses when its last request is
 * done, so it serves a row until no request for that row waits. */
static packet_t *choose(dram_bank_t *b) {
  return take_row(&b->waiting, has_row(&b->waiting, b->row) ? b->row : b->waiting.head->row);
}

bool dram_schedule(dram_t *d) {
  bool changed = d->input.count && d->pending < d->cfg.sched_queue;
  while (d->input.count && d->pending < d->cfg.sched_queue) accept(d, packet_queue_pop(&d->input));
  uint64_t free_banks = d->waiting_mask & ~d->serving_mask;
  if (!free_banks) return changed;
  uint32_t at = first_from(free_banks, d->prio);
  dram_bank_t *b = &d->bank[at];
  b->serving = choose(b);
  b->opened = false;
  d->serving_mask |= UINT64_C(1) << at;
  classify(d, at);
  if (!b->waiting.count) d->waiting_mask &= ~(UINT64_C(1) << at);
  d->pending--;
  d->prio = (d->prio + 1) & (d->cfg.banks - 1);
  return true;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Cells of the data pipe in use: its fixed length, or more if the newest column was pushed behind
 * it. */
static uint64_t pipe_length(const dram_t *d) {
  uint64_t used = d->last_at > d->advances ? d->last_at - d->advances : 0;
  return used > d->pipe_min ? used : d->pipe_min;
}

/* A column of `p` enters the pipe. The pipe keeps the last one only: the others change nothing when
 * they leave. */
static void pipe_push(dram_t *d, packet_t *p) {
  uint64_t at = d->advances + d->pipe_min;
  if (d->last_at >= at) at = d->last_at + 1;
  d->last_at = at;
  if (--p->to_issue) return;
  uint32_t slots = d->cfg.tCL + 1, tail = d->pipe_head + d->pipe_count++;
  d->pipe[tail >= slots ? tail - slots : tail] = (dram_slot_t){p, at};
}

/* A switch between reads and writes changes the length of the pipe. */
static void column(dram_t *d, uint32_t at, bool write) {
  const dram_cfg_t *c = &d->cfg;
  dram_bank_t *b = &d->bank[at];
  dram_group_t *g = &d->group[b->group];
  uint64_t t = d->cycle;
  d->pipe_min = write ? c->tWL : c->tCL;
  pipe_push(d, b->serving);
  d->ccd = t + c->tCCD;
  g->ccdl = t + c->tCCDL;
  if (write) {
    d->wtr = t + d->t_wtr;
    b->wtp = t + d->t_wtp;
    d->stats.writes++;
  } else {
    d->rtw = t + d->t_rtw;
    b->rtp = t + d->t_rtp;
    g->rtpl = t + c->tRTPL;
    d->stats.reads++;
  }
  d->stats.data_cycles += d->t_rtp;
  if (b->serving->to_issue) return;
  if (!b->opened) d->stats.row_hits++;
  if (d->check) check_dram(d->check, b->serving);
  b->serving = NULL;
  classify(d, at);
}

static void activate(dram_t *d, uint32_t at) {
  const dram_cfg_t *c = &d->cfg;
  dram_bank_t *b = &d->bank[at];
  uint64_t t = d->cycle;
  b->row = b->serving->row;
  b->active = b->opened = true;
  d->rrd = t + c->tRRD;
  b->rcd = t + c->tRCD;
  b->rcdwr = t + d->t_rcdwr;
  b->ras = t + c->tRAS;
  b->rc = t + c->tRC;
  d->prio = (at + 1) & (c->banks - 1);
  d->stats.activates++;
  classify(d, at);
}

static void precharge(dram_t *d, uint32_t at) {
  d->bank[at].active = false;
  d->bank[at].rp = d->cycle + d->cfg.tRP;
  d->prio = (at + 1) & (d->cfg.banks - 1);
  d->stats.precharges++;
  classify(d, at);
}

static void perform(dram_t *d, uint32_t at, dram_command_t command) {
  d->command = command;
  d->command_bank = at;
  d->command_row = command == DRAM_PRECHARGE ? d->bank[at].row : d->bank[at].serving->row;
  switch (command) {
  case DRAM_NONE:
  case DRAM_COMMANDS:
    break;
  case DRAM_ACTIVATE:
    activate(d, at);
    break;
  case DRAM_PRECHARGE:
    precharge(d, at);
    break;
  case DRAM_READ:
  case DRAM_WRITE:
    column(d, at, command == DRAM_WRITE);
    break;
  }
}

/* The first cycle in which the bank's next command may issue: by the limits of the whole channel for
 * each command, of the bank's group and of the bank itself. */
typedef struct {
  uint64_t of[DRAM_COMMANDS];
} limits_t;

static inline limits_t limits(const dram_t *d) {
  return (limits_t){{[DRAM_ACTIVATE] = d->rrd,
                     [DRAM_READ] = latest(d->ccd, d->wtr),
                     [DRAM_WRITE] = latest(d->ccd, d->rtw)}};
}

static inline uint64_t first_cycle(const dram_t *d, const limits_t *l, const dram_bank_t *b) {
  const dram_group_t *g = &d->group[b->group];
  const uint64_t when = latest(l->of[b->next], b->at);
  if (b->next == DRAM_ACTIVATE) return when;
  return latest(when, b->next == DRAM_PRECHARGE ? g->rtpl : g->ccdl);
}

/* Scans the banks of `m` from the priority on; the first whose command may issue gets the cycle. */
static bool issue_one(dram_t *d, const limits_t *l, uint64_t m, uint64_t *wake) {
  while (m) {
    uint32_t at = first_from(m, d->prio);
    m &= ~(UINT64_C(1) << at);
    const uint64_t when = first_cycle(d, l, &d->bank[at]);
    if (when <= d->cycle) {
      perform(d, at, d->bank[at].next);
      return true;
    }
    if (when < *wake) *wake = when;
  }
  return false;
}

bool dram_issue(dram_t *d, uint64_t *wake) {
  limits_t l = limits(d);
  if (pipe_length(d) > d->cfg.tCL) {
    l.of[DRAM_READ] = latest(l.of[DRAM_READ], d->cycle + 1);
    l.of[DRAM_WRITE] = latest(l.of[DRAM_WRITE], d->cycle + 1);
  }
  if (!d->cfg.columns_first) return issue_one(d, &l, d->serving_mask, wake);
  const uint64_t columns = d->serving_mask & d->column_mask;
  return issue_one(d, &l, columns, wake) || issue_one(d, &l, d->serving_mask & ~columns, wake);
}

uint64_t dram_next(const dram_t *d) {
  if (d->waiting_mask & ~d->serving_mask) return 0;
  if (d->input.count && d->pending < d->cfg.sched_queue) return 0;
  const limits_t l = limits(d);
  uint64_t next = UINT64_MAX;
  for (uint64_t m = d->serving_mask; m; m &= m - 1) {
    const uint64_t when = first_cycle(d, &l, &d->bank[__builtin_ctzll(m)]);
    if (when < next) next = when;
  }
  return next;
}
