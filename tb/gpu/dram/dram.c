/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM channel: configuration, the order of a cycle, data pipe, fixed delay and return queue. */
#include "gpu/dram/dram_state.h"

#include "bits.h"

#include <stdlib.h>

/* The array sizes must cover the limit of the key. */
enum {
#define PART_DRAM(field, to, min, max, deflt, has) MOST_##to = max,
#include "config/each_key.h"
};
_Static_assert((int)MOST_banks <= (int)DRAM_MAX_BANKS, "banks");

void dram_defaults(dram_cfg_t *cfg) {
  *cfg = (dram_cfg_t){
#define PART_DRAM(field, to, min, max, deflt, has) .to = deflt,
#include "config/each_key.h"
      .burst = 8,
      .beats_per_cycle = 4,
      .bus_bytes = 4,
      .bank_lsb = 12,
      .row_lsb = 16,
      .row_bits = 12};
}

dram_cfg_t dram_configured(const config_t *c) {
  dram_cfg_t cfg;
  dram_defaults(&cfg);
#define PART_DRAM(field, to, ...) cfg.to = c->field;
#include "config/each_key.h"
  return cfg;
}

static int range(const char *name, uint32_t v, uint32_t min, uint32_t max, mrpb_err_t *err) {
  if (v >= min && v <= max) return 0;
  return mrpb_fail(err, "dram: %s = %u is not %u to %u", name, v, min, max);
}

int dram_check(const dram_cfg_t *c, mrpb_err_t *err) {
#define PART_DRAM(field, to, min, max, deflt, has) range(#to, c->to, min, max, err) ||
  if (
#include "config/each_key.h"
      range("bank_groups", c->bank_groups, 1, c->banks, err) ||
      range("tWL", c->tWL, 1, c->tCL, err) || range("tRCD", c->tRCD, c->tWL + 1, 1000, err) ||
      range("burst", c->burst, 1, 32, err) ||
      range("beats_per_cycle", c->beats_per_cycle, 1, 8, err) ||
      range("bus_bytes", c->bus_bytes, 1, 32, err) ||
      range("columns_first", c->columns_first, 0, 1, err) ||
      range("bank_lsb", c->bank_lsb, 0, 40, err) || range("row_lsb", c->row_lsb, 0, 40, err) ||
      range("row_bits", c->row_bits, 1, 32, err))
    return -1;
  if (c->banks & (c->banks - 1))
    return mrpb_fail(err, "dram: banks = %u is not a power of two", c->banks);
  if (c->bank_groups & (c->bank_groups - 1))
    return mrpb_fail(err, "dram: bank_groups = %u is not a power of two", c->bank_groups);
  if (c->burst % c->beats_per_cycle)
    return mrpb_fail(err, "dram: burst = %u is not a multiple of beats_per_cycle = %u", c->burst,
                     c->beats_per_cycle);
  return 0;
}

/* Derived times, as in the release. */
static void derive(dram_t *d) {
  const dram_cfg_t *c = &d->cfg;
  uint32_t data = c->burst / c->beats_per_cycle;
  d->t_rcdwr = c->tRCD - (c->tWL + 1);
  d->t_rtw = c->tCL + data + 2 - c->tWL;
  d->t_wtr = c->tWL + data + c->tCDLR;
  d->t_wtp = c->tWL + data + c->tWR;
  d->t_rtp = data;
  d->column_bytes = c->burst * c->bus_bytes * c->chips;
  d->pipe_min = c->tCL;
  uint32_t shift = bits_clog2(c->banks / c->bank_groups) + c->group_shift_bug;
  for (uint32_t b = 0; b < c->banks; b++) {
    d->bank[b].group = b >> shift;
    packet_queue_init(&d->bank[b].waiting, 0);
  }
}

int dram_create(dram_t **out, const dram_cfg_t *cfg, packet_pool_t *pool, mrpb_err_t *err) {
  *out = NULL;
  if (dram_check(cfg, err)) return -1;
  dram_t *d = calloc(1, sizeof *d);
  dram_slot_t *pipe = calloc(cfg->tCL + 1, sizeof *pipe);
  if (!d || !pipe) {
    free(d);
    free(pipe);
    return mrpb_fail(err, "dram: out of memory");
  }
  d->cfg = *cfg;
  d->pool = pool;
  d->pipe = pipe;
  derive(d);
  packet_queue_init(&d->delay, 0);
  packet_queue_init(&d->input, 2);
  packet_queue_init(&d->returned, cfg->return_queue);
  *out = d;
  return 0;
}

void dram_destroy(dram_t *d) {
  if (!d) return;
  free(d->pipe);
  free(d);
}

void dram_set_check(dram_t *d, check_t *check) {
  d->check = check;
}

void dram_set_requests(dram_t *d, requests_t *requests) {
  d->requests = requests;
}

bool dram_full(const dram_t *d) {
  return d->pending >= d->cfg.sched_queue || packet_queue_full(&d->input);
}

void dram_push(dram_t *d, packet_t *p) {
  const dram_cfg_t *c = &d->cfg;
  p->bank = (uint16_t)((p->local >> c->bank_lsb) & (c->banks - 1));
  p->row = (uint32_t)bits(p->local >> c->row_lsb, c->row_bits);
  p->to_issue = (uint16_t)((p->bytes + d->column_bytes - 1) / d->column_bytes);
  packet_queue_push(&d->input, p);
  d->inside++;
  d->wake = 0;
}

packet_t *dram_pop(dram_t *d) {
  if (packet_queue_full(&d->returned)) d->wake = 0;
  return packet_queue_pop(&d->returned);
}

/* Advances the data pipe by one; a request is finished when its last column leaves the pipe. */
static void advance(dram_t *d) {
  if (packet_queue_full(&d->returned)) return;
  d->advances++;
  if (!d->pipe_count || d->pipe[d->pipe_head].at != d->advances) return;
  packet_t *p = d->pipe[d->pipe_head].p;
  d->pipe_head = d->pipe_head == d->cfg.tCL ? 0 : d->pipe_head + 1;
  d->pipe_count--;
  d->inside--;
  if (packet_is_write(p))
    d->stats.write_requests++;
  else
    d->stats.read_requests++;
  if (p->kind == PACKET_WRITE_BACK) {
    d->stats.write_backs++;
    packet_free(d->pool, p);
  } else {
    packet_queue_push(&d->returned, p);
  }
}

/* Not inlined, so that a cycle in which nothing can be decided saves no registers. */
static __attribute__((noinline)) void decide(dram_t *d) {
  uint64_t wake = UINT64_MAX;
  bool changed = dram_schedule(d);
  changed |= dram_issue(d, &wake);
  d->wake = changed ? dram_next(d) : wake;
}

void dram_step(dram_t *d) {
  d->stats.cycles++;
  if (d->inside) d->stats.busy++;
  advance(d);
  d->command = DRAM_NONE;
  if (d->cycle >= d->wake) decide(d);
  d->cycle++;
}

void dram_cycle(dram_t *d, packet_queue_t *from_l2, packet_queue_t *to_l2, uint64_t now) {
  if (d->returned.count && !packet_queue_full(to_l2)) {
    if (d->requests) requests_passes(d->requests, d->returned.head, REQUESTS_FROM_DRAM);
    packet_queue_push(to_l2, dram_pop(d));
  }
  dram_step(d);
  if (from_l2->count && !dram_full(d)) {
    packet_t *p = packet_queue_pop(from_l2);
    p->ready = now + d->cfg.latency;
    if (d->requests) requests_passes(d->requests, p, REQUESTS_AT_DRAM);
    packet_queue_push(&d->delay, p);
  }
  if (d->delay.count && d->delay.head->ready <= now && !dram_full(d))
    dram_push(d, packet_queue_pop(&d->delay));
}

uint32_t dram_in_flight(const dram_t *d) {
  return d->delay.count + d->inside + d->returned.count;
}

uint64_t dram_quiet(const dram_t *d, uint64_t *ready) {
  *ready = d->delay.count && !dram_full(d) ? d->delay.head->ready : UINT64_MAX;
  if (d->returned.count || d->wake <= d->cycle) return 0;
  uint64_t n = d->wake - d->cycle;
  uint64_t leaves = d->pipe_count ? d->pipe[d->pipe_head].at - d->advances - 1 : UINT64_MAX;
  return leaves < n ? leaves : n;
}

void dram_skip(dram_t *d, uint64_t n) {
  d->cycle += n;
  d->advances += n;
  d->stats.cycles += n;
  if (d->inside) d->stats.busy += n;
  d->command = DRAM_NONE;
}

const dram_stats_t *dram_stats(const dram_t *d) {
  return &d->stats;
}

dram_command_t dram_last_command(const dram_t *d, uint32_t *bank, uint32_t *row) {
  *bank = d->command_bank;
  *row = d->command_row;
  return d->command;
}
