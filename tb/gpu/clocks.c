/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of the GPU. CLOCKS = exact: the event kernel's own clocks, with edges at multiples of
 * exact periods. CLOCKS = reference: those of GPGPU-Sim 3.2.0, which the kernel requests from this
 * file (docs/sm.md, "Clocks"; docs/kernel.md). */
#include "gpu/gpu_state.h"

#include <string.h>

#define SECOND UINT64_C(1000000000000000) /* in femtoseconds */

static const struct {
  const char *name, *clock;
  unsigned domain;
} stages[GPU_STAGES] = {
    [GPU_STAGE_RECEIVE] = {"sm_receive", "sm_receive_clk", GPU_DOMAIN_SM},
    [GPU_STAGE_INJECT] = {"icnt_inject", "icnt_inject_clk", GPU_DOMAIN_ICNT},
    [GPU_STAGE_DRAM] = {"dram", "dram_clk", GPU_DOMAIN_DRAM},
    [GPU_STAGE_L2] = {"l2", "l2_clk", GPU_DOMAIN_L2},
    [GPU_STAGE_ICNT] = {"icnt", "icnt_clk", GPU_DOMAIN_ICNT},
    [GPU_STAGE_SM] = {"sm", "sm_clk", GPU_DOMAIN_SM},
};

const char *gpu_stage_name(unsigned stage) {
  return stages[stage].name;
}

/* Periods are doubles that are added up, so rounding separates edges that would coincide. Edges
 * rise together if their sums are equal to the bit. Other edges rise one after another, even if
 * they are less than a femtosecond apart. SM edge n is at n whole periods of the simulation's time,
 * whatever the sums are, and the edges of the other clocks follow it as their sums say. */
static size_t reference_edges(void *ctx, sim_edge_t *edge, size_t n) {
  enum { SM = 1 << GPU_STAGE_RECEIVE | 1 << GPU_STAGE_SM, L2 = 1 << GPU_STAGE_L2 };
  enum { ICNT = 1 << GPU_STAGE_INJECT | 1 << GPU_STAGE_ICNT, DRAM = 1 << GPU_STAGE_DRAM };
  gpu_clocks_t *c = ctx;
  const double sm_period = c->period[GPU_DOMAIN_SM], icnt_period = c->period[GPU_DOMAIN_ICNT];
  const double l2_period = c->period[GPU_DOMAIN_L2], dram_period = c->period[GPU_DOMAIN_DRAM];
  double sm = c->next[GPU_DOMAIN_SM], icnt = c->next[GPU_DOMAIN_ICNT];
  double l2 = c->next[GPU_DOMAIN_L2], dram = c->next[GPU_DOMAIN_DRAM];
  const double scale = (double)c->sm_period / sm_period;
  double sm_edge = c->sm_edge;
  int64_t sm_time = c->sm_time;
  for (size_t i = 0; i < n; i++) {
    double at;
    uint32_t rise;
    if (icnt < sm && icnt < l2 && icnt < dram) { /* one alone: three steps of four */
      at = icnt;
      rise = ICNT, icnt += icnt_period;
    } else if (dram < sm && dram < l2 && dram < icnt) {
      at = dram;
      rise = DRAM, dram += dram_period;
    } else {
      double a = sm < icnt ? sm : icnt, b = l2 < dram ? l2 : dram;
      at = a < b ? a : b;
      rise = 0;
      if (icnt <= at) rise |= ICNT, icnt += icnt_period;
      if (dram <= at) rise |= DRAM, dram += dram_period;
      if (l2 <= at) rise |= L2, l2 += l2_period;
      if (sm <= at) rise |= SM, sm += sm_period, sm_edge = at, sm_time += c->sm_period;
    }
    edge[i].time = (sim_time_t)(sm_time + (int64_t)((at - sm_edge) * scale));
    edge[i].rise = rise;
  }
  c->sm_edge = sm_edge;
  c->sm_time = sm_time;
  c->next[GPU_DOMAIN_SM] = sm;
  c->next[GPU_DOMAIN_ICNT] = icnt;
  c->next[GPU_DOMAIN_L2] = l2;
  c->next[GPU_DOMAIN_DRAM] = dram;
  return n;
}

/* The next edge of exact clocks: edge k of f Hz at floor(k * 10^15 / f). */
static uint32_t exact_edge(gpu_clocks_t *c) {
  uint64_t at = UINT64_MAX;
  uint32_t rise = 0;
  for (unsigned d = 0; d < GPU_DOMAINS; d++)
    if (c->exact[d].time < at) at = c->exact[d].time;
  for (unsigned d = 0; d < GPU_DOMAINS; d++) {
    gpu_exact_clock_t *e = &c->exact[d];
    if (e->time != at) continue;
    e->time += SECOND / e->hz;
    e->part += SECOND % e->hz;
    if (e->part >= e->hz) e->part -= e->hz, e->time++;
    for (unsigned i = 0; i < GPU_STAGES; i++)
      if (stages[i].domain == d) rise |= UINT32_C(1) << i;
  }
  return rise;
}

uint32_t gpu_next_edge(gpu_t *gpu) {
  sim_edge_t e;
  if (gpu->cfg->clocks == CONFIG_CLOCKS_EXACT) return exact_edge(&gpu->clocks);
  (void)reference_edges(&gpu->clocks, &e, 1);
  return (uint32_t)e.rise;
}

void gpu_clocks_restart(gpu_t *gpu) {
  gpu_clocks_t *c = &gpu->clocks;
  memset(c->next, 0, sizeof c->next);
  c->sm_time =
      ((int64_t)gpu->now - 1) * c->sm_period; /* time of the last SM edge; the first is at 0 */
  sim_source_restart(gpu->sim, c->source);
}

/* In Hz. */
static void frequencies(const gpu_t *gpu, uint64_t hz[GPU_DOMAINS]) {
  hz[GPU_DOMAIN_SM] = UINT64_C(1000000) * config_sm_mhz(gpu->cfg);
  for (unsigned i = 0; i < MEMORY_CLOCKS; i++) hz[GPU_DOMAIN_ICNT + i] = gpu->memory->hz[i];
}

void gpu_clocks_create(gpu_t *gpu, sim_clock_t clk[GPU_STAGES]) {
  const bool alone = !gpu->memory->cls->stage;
  const bool exact = alone || gpu->setup.cfg->clocks == CONFIG_CLOCKS_EXACT;
  uint64_t hz[GPU_DOMAINS];
  frequencies(gpu, hz);
  gpu->clocks.sm_period = (int64_t)(SECOND / hz[GPU_DOMAIN_SM]);
  for (unsigned i = 0; i < GPU_DOMAINS; i++) gpu->clocks.exact[i].hz = hz[i];
  for (unsigned i = 0; !exact && i < GPU_DOMAINS; i++) gpu->clocks.period[i] = 1.0 / (double)hz[i];
  if (!exact) gpu->clocks.source = sim_source(gpu->sim, reference_edges, &gpu->clocks);
  for (unsigned i = 0; i < GPU_STAGES; i++) {
    uint64_t f = hz[stages[i].domain];
    const char *name = stages[i].clock;
    if (alone && stages[i].domain != GPU_DOMAIN_SM) continue;
    clk[i] = exact ? sim_clock_hz(gpu->sim, SIM_TOP, name, f, 0)
                   : sim_source_clock(gpu->sim, SIM_TOP, name, gpu->clocks.source, SECOND / 2 / f);
  }
}
