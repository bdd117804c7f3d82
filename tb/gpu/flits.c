/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect, L2 slices and DRAM channels, and their stages: see flits.h. */
#include "gpu/flits.h"

#include "gpu/dram_port.h"
#include "gpu/memory_port.h"

#include <inttypes.h>
#include <stdlib.h>

#define BIT(i) (UINT32_C(1) << (i))
enum { MAX_SLICES = 32 };

struct flits {
  const config_t *cfg;
  packet_pool_t *pool;
  icnt_t *icnt;
  l2_t *l2[MAX_SLICES];
  channels_t *channels;
  dram_port_t *dram_port;       /* NULL: the GPU's own DRAM channels */
  memory_port_t *memory_port;   /* NULL: the GPU's own memory behind the L1s */
  uint32_t l2_busy, with_reply; /* sets of slices: requests inside; waiting replies */
};

packet_map_t flits_map(const config_t *c) {
  return (packet_map_t){.partitions = c->l2_slices, .interleave_log2 = c->l2_interleave};
}

static int create_ports(flits_t *f, const flits_setup_t *s, mrpb_err_t *err) {
  const packet_map_t map = flits_map(f->cfg);
  if (s->dram && dram_port_create(&f->dram_port, s->dram, &map, f->pool, err) != 0) return -1;
  if (!s->memory) return 0;
  return memory_port_create(&f->memory_port, s->memory, f->icnt, f->cfg->sms, err);
}

static int create_parts(flits_t *f, mrpb_err_t *err) {
  const icnt_cfg_t ic = icnt_configured(f->cfg);
  const l2_cfg_t lc = l2_configured(f->cfg);
  const dram_cfg_t dc = dram_configured(f->cfg);
  const packet_map_t map = flits_map(f->cfg);
  f->pool = packet_pool_create(1024);
  if (!f->pool) return mrpb_fail(err, "gpu: out of memory");
  if (icnt_create(&f->icnt, &ic, err) != 0) return -1;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++)
    if (l2_create(&f->l2[i], &lc, i, &map, f->pool, err) != 0) return -1;
  return channels_create(&f->channels, &dc, f->cfg->l2_slices, f->pool, err);
}

int flits_create(flits_t **out, const flits_setup_t *setup, mrpb_err_t *err) {
  flits_t *f = calloc(1, sizeof *f);
  *out = NULL;
  if (!f) return mrpb_fail(err, "gpu: out of memory");
  f->cfg = setup->cfg;
  if (create_parts(f, err) != 0 || create_ports(f, setup, err) != 0) {
    flits_destroy(f);
    return -1;
  }
  *out = f;
  return 0;
}

void flits_destroy(flits_t *f) {
  if (!f) return;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) l2_destroy(f->l2[i]);
  channels_destroy(f->channels);
  dram_port_destroy(f->dram_port);
  memory_port_destroy(f->memory_port);
  icnt_destroy(f->icnt);
  packet_pool_destroy(f->pool);
  free(f);
}

void flits_set_check(flits_t *f, check_t *check, uint32_t hazards) {
  if (f->cfg->memory_order == CONFIG_ORDER_REFERENCE) hazards |= HAZARDS_REFERENCE;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) {
    l2_set_hazards(f->l2[i], hazards);
    if (!check) continue;
    l2_set_check(f->l2[i], check);
    dram_set_check(channels_dram(f->channels, i), check);
  }
  if (check && f->dram_port) dram_port_set_check(f->dram_port, check);
}

/* ---- stages ------------------------------------------------------------------ */

void flits_deliver(flits_t *f, uint64_t now) {
  if (f->memory_port) memory_port_cycle(f->memory_port, now);
}

void flits_inject(flits_t *f) {
  for (uint32_t m = f->with_reply; m; m &= m - 1) {
    l2_t *l2 = f->l2[__builtin_ctz(m)];
    packet_t *p = l2_reply_top(l2);
    if (!icnt_reply_room(f->icnt, p)) continue;
    (void)l2_reply_pop(l2);
    icnt_reply_push(f->icnt, p);
    if (!l2_reply_top(l2)) f->with_reply &= ~(m & -m);
  }
}

void flits_dram(flits_t *f, uint64_t now) {
  if (f->dram_port)
    dram_port_cycle(f->dram_port, f->l2, f->cfg->l2_slices, &f->l2_busy);
  else
    channels_cycle(f->channels, f->l2, now, &f->l2_busy);
}

/* Runs one cycle of a slice that has work, and notes the work that it leaves for other stages. */
static void run_slice(flits_t *f, unsigned i, uint64_t now) {
  l2_t *l2 = f->l2[i];
  l2_cycle(l2, now);
  if (l2_reply_top(l2)) f->with_reply |= BIT(i);
  if (l2_to_dram(l2)->count) channels_wake(f->channels, i);
  if (l2_next_event(l2, now) == UINT64_MAX) f->l2_busy &= ~BIT(i);
}

void flits_l2(flits_t *f, uint64_t now) {
  for (uint32_t m = icnt_requests_waiting(f->icnt); m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (!l2_accepts(f->l2[i])) continue;
    l2_push(f->l2[i], icnt_request_pop(f->icnt, i), now);
    f->l2_busy |= BIT(i);
  }
  for (uint32_t m = f->l2_busy; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (l2_next_event(f->l2[i], now) <= now) run_slice(f, i, now);
  }
}

void flits_transfer(flits_t *f) {
  if (f->memory_port || icnt_idle(f->icnt))
    icnt_skip(f->icnt, 1);
  else
    icnt_cycle(f->icnt);
}

bool flits_busy(const flits_t *f) {
  for (unsigned i = 0; i < f->cfg->l2_slices; i++)
    if (l2_from_sms(f->l2[i]) > 0) return true;
  if (f->memory_port && memory_port_in_flight(f->memory_port)) return true;
  return icnt_in_flight(f->icnt) > 0;
}

void flits_catch_up(flits_t *f) {
  channels_catch_up(f->channels);
}

int flits_reply(flits_t *f, uint64_t id, mrpb_err_t *err) {
  if (!f->memory_port)
    return mrpb_fail(err, "reply: the GPU has its own memory; legal: with one behind the L1s");
  return memory_port_reply(f->memory_port, id, err);
}

/* ---- parts and results ------------------------------------------------------- */

packet_pool_t *flits_pool(const flits_t *f) {
  return f->pool;
}
icnt_t *flits_icnt(const flits_t *f) {
  return f->icnt;
}
l2_t *flits_slice(const flits_t *f, unsigned i) {
  return f->l2[i];
}
dram_t *flits_channel(const flits_t *f, unsigned i) {
  return channels_dram(f->channels, i);
}

uint64_t flits_dram_hz(const flits_t *f) {
  return f->dram_port ? dram_port_hz(f->dram_port) : f->cfg->clock_dram * UINT64_C(1000000);
}

l2_stats_t flits_l2_stats(const flits_t *f) {
  l2_stats_t sum = {0};
  uint64_t most = 0;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) {
    const l2_stats_t *s = l2_stats(f->l2[i]);
    gpu_add(&sum.reads, &s->reads, sizeof sum / sizeof(uint64_t));
    if (s->mshr_max > most) most = s->mshr_max;
  }
  sum.mshr_max = most;
  return sum;
}

static dram_stats_t port_stats(const dram_port_t *port) {
  const dram_port_stats_t *p = dram_port_stats(port);
  return (dram_stats_t){.cycles = p->cycles,
                        .requests = p->read_requests + p->write_requests,
                        .read_requests = p->read_requests,
                        .write_requests = p->write_requests,
                        .write_backs = p->write_backs,
                        .reads = p->reads,
                        .writes = p->writes,
                        .queue_max = p->most};
}

dram_stats_t flits_dram_stats(const flits_t *f) {
  dram_stats_t sum = {0};
  uint64_t most = 0;
  if (f->dram_port) return port_stats(f->dram_port);
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) {
    const dram_stats_t *s = dram_stats(channels_dram(f->channels, i));
    gpu_add(&sum.cycles, &s->cycles, sizeof sum / sizeof(uint64_t));
    if (s->queue_max > most) most = s->queue_max;
  }
  sum.queue_max = most;
  return sum;
}

const mrpb_err_t *flits_fault(const flits_t *f) {
  if (f->dram_port && dram_port_fault(f->dram_port)) return dram_port_fault(f->dram_port);
  return f->memory_port ? memory_port_fault(f->memory_port) : NULL;
}

void flits_dump(const flits_t *f, FILE *out) {
  fprintf(out, "interconnect: %" PRIu32 " packets\n", icnt_in_flight(f->icnt));
  for (unsigned i = 0; i < f->cfg->l2_slices; i++)
    fprintf(out, "slice %u: %" PRIu32 " requests in the L2, %" PRIu32 " in the DRAM channel\n", i,
            l2_in_flight(f->l2[i]), dram_in_flight(flits_channel(f, i)));
}
