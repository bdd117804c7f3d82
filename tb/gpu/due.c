/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of cores that say when they are due, the GPU's only one. It is a clock of the event
 * kernel whose next edge is the next cycle in which something may happen, so idle cycles cost no
 * time (docs/kernel.md). */
#include "gpu/gpu_state.h"

static size_t next_edge(void *ctx, sim_edge_t *edge, size_t n) {
  const gpu_t *gpu = ctx;
  if (gpu->ended || gpu->paused || gpu->due >= gpu->until || n == 0) return 0;
  *edge = (sim_edge_t){.time = gpu->due * gpu->due_period, .rise = 1};
  return 1;
}

void gpu_due_prepare(gpu_t *gpu) {
  if (gpu->ended) return;
  while (gpu_launch_ended(gpu)) {
    gpu_end_kernel(gpu);
    if (gpu->ended) return;
  }
  gpu_place_blocks(gpu);
  gpu->due = gpu->cores->cls->due(gpu->cores);
  if (gpu->due == UINT64_MAX) gpu_stop(gpu, GPU_HANG);
}

/* The number of the next cycle is known only after the blocks that begin with this one. */
static void cycle(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  gpu->now = gpu->due;
  gpu_cycle(gpu);
  if (workload_fault(gpu->setup.workload)) gpu_stop(gpu, GPU_FAILED);
  if (!gpu->ended && gpu_launch_ended(gpu)) gpu->now++;
  gpu_due_prepare(gpu);
  if (gpu->ended || gpu->paused || gpu->due >= gpu->until) sim_stop(sim);
}

int gpu_due_create(gpu_t *gpu, mrpb_err_t *err) {
  gpu->due_period = UINT64_C(1000000000) / gpu->cfg->clock_mhz;
  const sim_source_t source = sim_source(gpu->sim, next_edge, gpu);
  gpu->sm_clock = sim_source_clock(gpu->sim, SIM_TOP, "shader_clk", source, gpu->due_period / 2);
  const sim_proc_t p = sim_process(gpu->sim, SIM_TOP, "sms", cycle, gpu);
  sim_on_rise(gpu->sim, p, gpu->sm_clock);
  sim_dont_initialize(gpu->sim, p);
  sim_reads(gpu->sim, p, SIM_NO_SIGS);
  sim_writes(gpu->sim, p, SIM_NO_SIGS);
  return sim_elaborate(gpu->sim, SIM_STATIC, err);
}
