/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of the GPU: that of the SMs, which the event kernel runs, and between its edges those of a
 * memory that has its own. CLOCKS = exact: edges at multiples of exact periods. CLOCKS = reference:
 * those of GPGPU-Sim 3.2.0 (docs/sm.md, "Clocks"). */
#include "gpu/gpu_state.h"

#include <string.h>

#define SECOND UINT64_C(1000000000000000) /* in femtoseconds */

enum {
  SM = 1 << GPU_STAGE_SM,
  L2 = 1 << MEMORY_STAGE_L2,
  DRAM = 1 << MEMORY_STAGE_DRAM,
  ICNT = 1 << MEMORY_STAGE_INJECT | 1 << MEMORY_STAGE_TRANSFER
};

static const uint8_t stages[GPU_DOMAINS] = {
    [GPU_DOMAIN_SM] = SM, [GPU_DOMAIN_ICNT] = ICNT, [GPU_DOMAIN_L2] = L2, [GPU_DOMAIN_DRAM] = DRAM};

/* Periods are doubles that are added up, so rounding separates edges that would coincide. Edges
 * rise together if their sums are equal to the bit. Other edges rise one after another, even if
 * they are less than a femtosecond apart. */
static void reference_edges(gpu_clocks_t *c, uint8_t edge[GPU_EDGES]) {
  const double sm_period = c->period[GPU_DOMAIN_SM], icnt_period = c->period[GPU_DOMAIN_ICNT];
  const double l2_period = c->period[GPU_DOMAIN_L2], dram_period = c->period[GPU_DOMAIN_DRAM];
  double sm = c->next[GPU_DOMAIN_SM], icnt = c->next[GPU_DOMAIN_ICNT];
  double l2 = c->next[GPU_DOMAIN_L2], dram = c->next[GPU_DOMAIN_DRAM];
  double other = sm < l2 ? sm : l2;
  for (unsigned i = 0; i < GPU_EDGES; i++) {
    if (icnt < dram && icnt < other) { /* one alone: three steps of four */
      edge[i] = ICNT, icnt += icnt_period;
    } else if (dram < icnt && dram < other) {
      edge[i] = DRAM, dram += dram_period;
    } else {
      const double first = icnt < dram ? icnt : dram, at = first < other ? first : other;
      edge[i] = 0;
      if (icnt <= at) edge[i] |= ICNT, icnt += icnt_period;
      if (dram <= at) edge[i] |= DRAM, dram += dram_period;
      if (l2 <= at) edge[i] |= L2, l2 += l2_period;
      if (sm <= at) edge[i] |= SM, sm += sm_period;
      other = sm < l2 ? sm : l2;
    }
  }
  c->next[GPU_DOMAIN_SM] = sm;
  c->next[GPU_DOMAIN_ICNT] = icnt;
  c->next[GPU_DOMAIN_L2] = l2;
  c->next[GPU_DOMAIN_DRAM] = dram;
}

/* The next edge of exact clocks: edge k of f Hz at floor(k * 10^15 / f). */
static uint8_t exact_edge(gpu_clocks_t *c) {
  uint64_t at = UINT64_MAX;
  uint8_t rise = 0;
  for (unsigned d = 0; d < GPU_DOMAINS; d++)
    if (c->exact[d].time < at) at = c->exact[d].time;
  for (unsigned d = 0; d < GPU_DOMAINS; d++) {
    gpu_exact_clock_t *e = &c->exact[d];
    if (e->time != at) continue;
    e->time += SECOND / e->hz;
    e->part += SECOND % e->hz;
    if (e->part >= e->hz) e->part -= e->hz, e->time++;
    rise |= stages[d];
  }
  return rise;
}

const uint8_t *gpu_next_edges(gpu_t *gpu, unsigned *n) {
  gpu_clocks_t *c = &gpu->clocks;
  if (c->at == GPU_EDGES) {
    c->at = 0;
    if (gpu->cfg->clocks == CONFIG_CLOCKS_REFERENCE)
      reference_edges(c, c->edge);
    else
      for (unsigned i = 0; i < GPU_EDGES; i++) c->edge[i] = exact_edge(c);
  }
  *n = GPU_EDGES - c->at;
  return c->edge + c->at;
}

void gpu_take_edges(gpu_t *gpu, unsigned n) {
  gpu->clocks.at += n;
}

uint8_t gpu_next_edge(gpu_t *gpu) {
  unsigned n;
  const uint8_t edge = *gpu_next_edges(gpu, &n);
  gpu_take_edges(gpu, 1);
  return edge;
}

void gpu_clocks_restart(gpu_t *gpu) {
  gpu_clocks_t *c = &gpu->clocks;
  if (gpu->cfg->clocks != CONFIG_CLOCKS_REFERENCE) return;
  memset(c->next, 0, sizeof c->next);
  c->at = GPU_EDGES;
}

/* In Hz. */
static void frequencies(const gpu_t *gpu, uint64_t hz[GPU_DOMAINS]) {
  hz[GPU_DOMAIN_SM] = UINT64_C(1000000) * config_sm_mhz(gpu->cfg);
  for (unsigned i = 0; i < MEMORY_CLOCKS; i++) hz[GPU_DOMAIN_ICNT + i] = gpu->memory->hz[i];
}

/* Edge n of the SM clock: exactly at n periods; for the reference, whatever its sums are, at n whole
 * periods of the simulation's time. */
static sim_time_t sm_time(const gpu_clocks_t *c, uint64_t n) {
  return n * c->sm_period + (c->sm_part ? n * c->sm_part / c->sm_mhz : 0);
}

/* The cycles that are run: one step of the kernel each. */
static size_t next_cycle(void *ctx, sim_edge_t *edge, size_t n) {
  const gpu_t *gpu = ctx;
  if (gpu->ended || gpu->paused || gpu->now >= gpu->until || n == 0) return 0;
  *edge = (sim_edge_t){.time = sm_time(&gpu->clocks, gpu->now), .rise = 1};
  return 1;
}

sim_clock_t gpu_clocks_create(gpu_t *gpu) {
  gpu_clocks_t *c = &gpu->clocks;
  uint64_t hz[GPU_DOMAINS];
  frequencies(gpu, hz);
  c->at = GPU_EDGES;
  c->sm_mhz = config_sm_mhz(gpu->cfg);
  c->sm_period = SECOND / 1000000 / c->sm_mhz;
  c->sm_part = SECOND / 1000000 % c->sm_mhz;
  if (gpu->memory->cls->edges && gpu->cfg->clocks == CONFIG_CLOCKS_REFERENCE) c->sm_part = 0;
  for (unsigned i = 0; gpu->memory->cls->edges && i < GPU_DOMAINS; i++) {
    c->exact[i].hz = hz[i];
    c->period[i] = 1.0 / (double)hz[i];
  }
  return sim_source_clock(gpu->sim, SIM_TOP, "sm_clk", sim_source(gpu->sim, next_cycle, gpu),
                          SECOND / 2 / hz[GPU_DOMAIN_SM]);
}
