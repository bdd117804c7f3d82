/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect, L2 slices and DRAM channels, and their stages: see flits.h. */
#include "gpu/flits/flits.h"

#include "gpu/cores/counts.h"
#include "gpu/flits/dram_port.h"
#include "gpu/flits/user_memory.h"

#include <inttypes.h>
#include <stdlib.h>

#define BIT(i) (UINT32_C(1) << (i))
enum { MAX_SLICES = 32 };

struct flits {
  gpu_memory_t base;
  const config_t *cfg;
  icnt_t *icnt;
  l2_t *l2[MAX_SLICES];
  channels_t *channels;
  dram_port_t *dram_port;         /* NULL: the GPU's own DRAM channels */
  user_memory_t *user_memory;     /* NULL: the GPU's own memory behind the L1s */
  uint32_t l2_active, with_reply; /* sets of slices: work at once; waiting replies */
  uint64_t l2_next;               /* the first cycle in which another slice has work */
};

static flits_t *flits_cast(gpu_memory_t *m) {
  return (flits_t *)(void *)m;
}
static const flits_t *flits_read(const gpu_memory_t *m) {
  return (const flits_t *)(const void *)m;
}

/* ---- requests and replies ------------------------------------------------------ */

static bool room(const gpu_memory_t *m, unsigned sm, memory_request_t kind, uint32_t bytes) {
  const icnt_t *icnt = flits_read(m)->icnt;
  if (kind == MEMORY_ATOMIC) return icnt_atomic_room(icnt, sm, bytes);
  return icnt_request_room(icnt, sm, kind == MEMORY_WRITE, bytes);
}

static void push(gpu_memory_t *m, packet_t *p) {
  icnt_request_push(flits_cast(m)->icnt, p);
}

static set_t waiting(const gpu_memory_t *m) {
  return icnt_replies_waiting(flits_read(m)->icnt);
}

static packet_t *pop(gpu_memory_t *m, unsigned sm) {
  return icnt_reply_pop(flits_cast(m)->icnt, sm);
}

static bool busy(const gpu_memory_t *m) {
  const flits_t *f = flits_read(m);
  for (unsigned i = 0; i < f->cfg->l2_slices; i++)
    if (l2_from_sms(f->l2[i]) > 0) return true;
  if (f->user_memory && user_memory_in_flight(f->user_memory)) return true;
  return icnt_in_flight(f->icnt) > 0;
}

static int reply(gpu_memory_t *m, uint64_t id, mrpb_err_t *err) {
  flits_t *f = flits_cast(m);
  if (!f->user_memory)
    return mrpb_fail(err, "reply: the GPU has its own memory; legal: with one behind the L1s");
  return user_memory_reply(f->user_memory, id, err);
}

static void set_check(gpu_memory_t *m, check_t *check, uint32_t hazards) {
  flits_t *f = flits_cast(m);
  if (f->cfg->memory_order == CONFIG_ORDER_REFERENCE) hazards |= HAZARDS_REFERENCE;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) {
    l2_set_hazards(f->l2[i], hazards);
    if (!check) continue;
    l2_set_check(f->l2[i], check);
    dram_set_check(channels_dram(f->channels, i), check);
  }
  if (check && f->dram_port) dram_port_set_check(f->dram_port, check);
}

static void set_requests(gpu_memory_t *m, requests_t *requests) {
  flits_t *f = flits_cast(m);
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) {
    l2_set_requests(f->l2[i], requests);
    dram_set_requests(channels_dram(f->channels, i), requests);
  }
}

/* ---- stages ------------------------------------------------------------------ */

static void deliver(gpu_memory_t *m) {
  user_memory_cycle(flits_cast(m)->user_memory, *m->now);
}

static void inject_replies(flits_t *f) {
  for (uint32_t m = f->with_reply; m; m &= m - 1) {
    l2_t *slice = f->l2[__builtin_ctz(m)];
    packet_t *p = l2_reply_top(slice);
    if (!icnt_reply_room(f->icnt, p)) continue;
    (void)l2_reply_pop(slice);
    icnt_reply_push(f->icnt, p);
    if (!l2_reply_top(slice)) f->with_reply &= ~(m & -m);
  }
}

static void run_dram(flits_t *f, uint64_t now) {
  if (f->dram_port)
    dram_port_cycle(f->dram_port, f->l2, f->cfg->l2_slices, &f->l2_active);
  else
    channels_cycle(f->channels, f->l2, now, &f->l2_active);
}

/* Notes when slice `i` has work next. */
static void note_work(flits_t *f, unsigned i, uint64_t now) {
  const uint64_t next = l2_next_event(f->l2[i], now);
  if (next <= now) {
    f->l2_active |= BIT(i);
    return;
  }
  f->l2_active &= ~BIT(i);
  if (next < f->l2_next) f->l2_next = next;
}

/* Runs one cycle of a slice that has work, and notes the work that it leaves. */
static void run_slice(flits_t *f, unsigned i, uint64_t now) {
  l2_t *slice = f->l2[i];
  l2_cycle(slice, now);
  if (l2_reply_top(slice)) f->with_reply |= BIT(i);
  if (l2_to_dram(slice)->count) channels_wake(f->channels, i);
  note_work(f, i, now);
}

static uint32_t accepting(const flits_t *f, uint32_t slices) {
  uint32_t accept = 0;
  for (uint32_t m = slices; m; m &= m - 1)
    if (l2_accepts(f->l2[__builtin_ctz(m)])) accept |= m & -m;
  return accept;
}

static void take_requests(flits_t *f, uint32_t slices, uint64_t now) {
  for (uint32_t m = slices; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    l2_push(f->l2[i], icnt_request_pop(f->icnt, i), now);
    note_work(f, i, now);
  }
}

static void run_slices(flits_t *f, uint64_t now) {
  if (now >= f->l2_next) {
    f->l2_next = UINT64_MAX;
    for (unsigned i = 0; i < f->cfg->l2_slices; i++) note_work(f, i, now);
  }
  for (uint32_t m = f->l2_active; m; m &= m - 1) run_slice(f, (unsigned)__builtin_ctz(m), now);
}

static void transfer(flits_t *f) {
  if (f->user_memory)
    icnt_skip(f->icnt, 1);
  else
    icnt_cycle(f->icnt);
}

static inline void run_edge(flits_t *f, uint32_t stages, uint64_t now) {
  if (stages & BIT(MEMORY_STAGE_INJECT) && f->with_reply) inject_replies(f);
  if (stages & BIT(MEMORY_STAGE_DRAM)) run_dram(f, now);
  if (stages & BIT(MEMORY_STAGE_L2)) {
    const uint32_t requests = icnt_requests_waiting(f->icnt);
    if (requests) take_requests(f, accepting(f, requests), now);
    if (f->l2_active || now >= f->l2_next) run_slices(f, now);
  }
  if (stages & BIT(MEMORY_STAGE_TRANSFER)) transfer(f);
}

static unsigned edges(gpu_memory_t *m, const uint8_t *edge, unsigned n, uint64_t *now,
                      uint64_t until) {
  flits_t *f = flits_cast(m);
  for (unsigned i = 0; i < n; i++) {
    const bool cores = edge[i] & BIT(MEMORY_STAGES);
    if (cores && (*now == until || icnt_any_reply_waiting(f->icnt))) return i;
    run_edge(f, edge[i], *now);
    *now += cores;
  }
  return n;
}

/* ---- in two halves ------------------------------------------------------------- */

void flits_replies(flits_t *f, uint32_t stages, uint64_t now, uint32_t *accept) {
  if (stages & BIT(MEMORY_STAGE_INJECT)) inject_replies(f);
  if (stages & BIT(MEMORY_STAGE_DRAM)) run_dram(f, now);
  if (stages & BIT(MEMORY_STAGE_L2)) {
    *accept = accepting(f, UINT32_MAX >> (MAX_SLICES - f->cfg->l2_slices));
    run_slices(f, now);
  }
  if (stages & BIT(MEMORY_STAGE_TRANSFER)) icnt_cycle_one(f->icnt, ICNT_REPLY);
}

void flits_requests(flits_t *f, uint32_t stages, uint64_t now, uint32_t accept) {
  if (stages & BIT(MEMORY_STAGE_L2)) take_requests(f, icnt_requests_waiting(f->icnt) & accept, now);
  if (stages & BIT(MEMORY_STAGE_TRANSFER)) icnt_cycle_one(f->icnt, ICNT_REQUEST);
}

/* What is still in the crossbar has the whole delay of its slice before it. */
uint64_t flits_busy_until(const flits_t *f, uint64_t now) {
  uint64_t until = 0;
  if (icnt_requests(f->icnt) > 0) return now + f->cfg->l2_rop_latency;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) {
    const uint64_t one = l2_delayed_until(f->l2[i]);
    if (one > until) until = one;
  }
  return until;
}

/* ---- parts and results ------------------------------------------------------- */

icnt_t *flits_icnt(const flits_t *f) {
  return f->icnt;
}
l2_t *flits_slice(const flits_t *f, unsigned i) {
  return f->l2[i];
}
dram_t *flits_channel(const flits_t *f, unsigned i) {
  return channels_dram(f->channels, i);
}

static l2_stats_t l2_sum(const flits_t *f) {
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

static dram_stats_t dram_sum(const flits_t *f) {
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

static void count(const gpu_memory_t *m, memory_stats_t *s) {
  const flits_t *f = flits_read(m);
  for (unsigned d = 0; d < ICNT_DIRECTIONS; d++)
    s->icnt[d] = *icnt_stats(f->icnt, (icnt_direction_t)d);
  s->l2 = l2_sum(f);
  s->dram = dram_sum(f);
}

static void catch_up(gpu_memory_t *m) {
  channels_catch_up(flits_cast(m)->channels);
}

static const mrpb_err_t *fault(const gpu_memory_t *m) {
  const flits_t *f = flits_read(m);
  if (f->dram_port && dram_port_fault(f->dram_port)) return dram_port_fault(f->dram_port);
  return f->user_memory ? user_memory_fault(f->user_memory) : NULL;
}

static void dump(const gpu_memory_t *m, FILE *out) {
  const flits_t *f = flits_read(m);
  fprintf(out, "interconnect: %" PRIu32 " packets\n", icnt_in_flight(f->icnt));
  for (unsigned i = 0; i < f->cfg->l2_slices; i++)
    fprintf(out, "slice %u: %" PRIu32 " requests in the L2, %" PRIu32 " in the DRAM channel\n", i,
            l2_in_flight(f->l2[i]), dram_in_flight(flits_channel(f, i)));
}

/* ---- creation ------------------------------------------------------------------ */

static void destroy(gpu_memory_t *m) {
  flits_t *f = flits_cast(m);
  for (unsigned i = 0; i < f->cfg->l2_slices; i++) l2_destroy(f->l2[i]);
  channels_destroy(f->channels);
  dram_port_destroy(f->dram_port);
  user_memory_destroy(f->user_memory);
  icnt_destroy(f->icnt);
  if (m->pool) packet_pool_destroy(m->pool);
  free(f);
}

static const gpu_memory_class_t flits_class = {.destroy = destroy,
                                               .room = room,
                                               .push = push,
                                               .waiting = waiting,
                                               .pop = pop,
                                               .busy = busy,
                                               .edges = edges,
                                               .deliver = deliver,
                                               .catch_up = catch_up,
                                               .set_check = set_check,
                                               .set_requests = set_requests,
                                               .reply = reply,
                                               .fault = fault,
                                               .count = count,
                                               .dump = dump};

flits_t *flits_of(gpu_memory_t *m) {
  return m->cls == &flits_class ? flits_cast(m) : NULL;
}

static int create_external(flits_t *f, const flits_setup_t *s, mrpb_err_t *err) {
  const packet_map_t *map = &f->base.map;
  if (s->dram && dram_port_create(&f->dram_port, s->dram, map, f->base.pool, err) != 0) return -1;
  if (!s->memory) return 0;
  return user_memory_create(&f->user_memory, s->memory, f->icnt, s->sms, err);
}

static int create_parts(flits_t *f, unsigned sms, mrpb_err_t *err) {
  icnt_cfg_t ic = icnt_configured(f->cfg);
  const l2_cfg_t lc = l2_configured(f->cfg);
  const dram_cfg_t dc = dram_configured(f->cfg);
  ic.sms = sms;
  f->base.pool = packet_pool_create(1024);
  if (!f->base.pool) return mrpb_fail(err, "gpu: out of memory");
  if (icnt_create(&f->icnt, &ic, err) != 0) return -1;
  for (unsigned i = 0; i < f->cfg->l2_slices; i++)
    if (l2_create(&f->l2[i], &lc, i, &f->base.map, f->base.pool, err) != 0) return -1;
  return channels_create(&f->channels, &dc, f->cfg->l2_slices, f->base.pool, err);
}

static void set_clocks(flits_t *f) {
  const uint64_t mega = 1000000;
  f->base.hz[MEMORY_CLOCK_ICNT] = f->cfg->clock_icnt * mega;
  f->base.hz[MEMORY_CLOCK_L2] = f->cfg->clock_l2 * mega;
  f->base.hz[MEMORY_CLOCK_DRAM] =
      f->dram_port ? dram_port_hz(f->dram_port) : f->cfg->clock_dram * mega;
}

int flits_create(gpu_memory_t **out, const flits_setup_t *setup, mrpb_err_t *err) {
  flits_t *f = calloc(1, sizeof *f);
  const config_t *c = setup->cfg;
  *out = NULL;
  if (!f) return mrpb_fail(err, "gpu: out of memory");
  f->base =
      (gpu_memory_t){.cls = &flits_class,
                     .now = setup->now,
                     .delivers = setup->memory != NULL,
                     .map = {.partitions = c->l2_slices, .interleave_log2 = c->l2_interleave}};
  f->cfg = c;
  f->l2_next = UINT64_MAX;
  if (create_parts(f, setup->sms, err) != 0 || create_external(f, setup, err) != 0) {
    destroy(&f->base);
    return -1;
  }
  set_clocks(f);
  *out = &f->base;
  return 0;
}
