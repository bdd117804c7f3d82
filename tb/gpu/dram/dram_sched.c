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

/* Files the bank under the command that it needs next. Call it after every change of row or
 * request. */
static void classify(dram_t *d, uint32_t at) {
  dram_bank_t *b = &d->bank[at];
  uint64_t bit = UINT64_C(1) << at;
  dram_command_t c = DRAM_NONE;
  if (!b->serving) {
    d->serving_mask &= ~bit;
  } else if (!b->active) {
    c = DRAM_ACTIVATE;
    b->at = latest(b->rp, b->rc);
  } else if (b->row != b->serving->row) {
    c = DRAM_PRECHARGE;
    b->at = latest(b->ras, latest(b->wtp, b->rtp));
  } else {
    c = packet_is_write(b->serving) ? DRAM_WRITE : DRAM_READ;
    b->at = c == DRAM_WRITE ? b->rcdwr : b->rcd;
  }
  d->needs[b->next] &= ~bit;
  d->needs[c] |= bit;
  b->next = c;
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
  if (d->requests) requests_at_bank(d->requests, b->serving);
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
  if (d->requests) requests_column(d->requests, b->serving, !b->opened);
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

typedef struct {
  uint64_t of[DRAM_COMMANDS];
} limits_t;

/* The limits of the whole channel, without that of a full pipe. */
static inline limits_t limits(const dram_t *d) {
  return (limits_t){{[DRAM_ACTIVATE] = d->rrd,
                     [DRAM_READ] = latest(d->ccd, d->wtr),
                     [DRAM_WRITE] = latest(d->ccd, d->rtw)}};
}

/* Banks whose next command is not forbidden now by a limit of the whole channel; *wake is lowered
 * to the limits of the others. */
static uint64_t allowed(const dram_t *d, uint64_t *wake) {
  limits_t l = limits(d);
  uint64_t *limit = l.of;
  if (pipe_length(d) > d->cfg.tCL) {
    limit[DRAM_READ] = latest(limit[DRAM_READ], d->cycle + 1);
    limit[DRAM_WRITE] = latest(limit[DRAM_WRITE], d->cycle + 1);
  }
  uint64_t m = 0;
  for (unsigned c = DRAM_ACTIVATE; c < DRAM_COMMANDS; c++) {
    if (limit[c] <= d->cycle)
      m |= d->needs[c];
    else if (d->needs[c] && limit[c] < *wake)
      *wake = limit[c];
  }
  return m;
}

/* The first cycle that the bank's and its group's limits allow the bank's next command. */
static inline uint64_t bank_limit(const dram_t *d, const dram_bank_t *b) {
  const dram_group_t *g = &d->group[b->group];
  if (b->next == DRAM_ACTIVATE) return b->at;
  return latest(b->at, b->next == DRAM_PRECHARGE ? g->rtpl : g->ccdl);
}

/* Scans the banks of `m` from the priority on; the first whose command may issue gets the cycle. */
static bool issue_one(dram_t *d, uint64_t m, uint64_t *wake) {
  while (m) {
    uint32_t at = first_from(m, d->prio);
    m &= ~(UINT64_C(1) << at);
    const dram_bank_t *b = &d->bank[at];
    const uint64_t when = bank_limit(d, b);
    if (when <= d->cycle) {
      perform(d, at, b->next);
      return true;
    }
    if (when < *wake) *wake = when;
  }
  return false;
}

bool dram_issue(dram_t *d, uint64_t *wake) {
  if (!d->serving_mask) return false;
  uint64_t m = allowed(d, wake);
  if (!d->cfg.columns_first) return issue_one(d, m, wake);
  uint64_t columns = m & (d->needs[DRAM_READ] | d->needs[DRAM_WRITE]);
  return issue_one(d, columns, wake) || issue_one(d, m & ~columns, wake);
}

/* With more than two banks at work it is not worth looking at each: the limits of the channel are a
 * lower bound. */
uint64_t dram_next(const dram_t *d) {
  const uint64_t serving = d->serving_mask, but_one = serving & (serving - 1);
  if (d->waiting_mask & ~serving) return 0;
  if (d->input.count && d->pending < d->cfg.sched_queue) return 0;
  const limits_t l = limits(d);
  const bool few = !(but_one & (but_one - 1));
  uint64_t next = UINT64_MAX;
  for (unsigned c = DRAM_ACTIVATE; !few && c < DRAM_COMMANDS; c++)
    if (d->needs[c] && l.of[c] < next) next = l.of[c];
  for (uint64_t m = few ? serving : 0; m; m &= m - 1) {
    const dram_bank_t *b = &d->bank[__builtin_ctzll(m)];
    const uint64_t when = latest(l.of[b->next], bank_limit(d, b));
    if (when < next) next = when;
  }
  return next;
}
