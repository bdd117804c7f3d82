/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the parts of a GPU, and the dump for the report of a hang. */
#include "gpu/gpu_state.h"

#include <inttypes.h>

static gpu_counted_t counted(const gpu_t *gpu) {
  gpu_counted_t c = {.cycles = gpu->now};
  gpu->memory->cls->count(gpu->memory, &c.memory);
  if (gpu->cores->cls->count) gpu->cores->cls->count(gpu->cores, &c);
  if (gpu->check) c.check = *check_stats(gpu->check);
  return c;
}

sm_stats_t gpu_sm_stats(const gpu_t *gpu) {
  return counted(gpu).sm;
}

l1d_stats_t gpu_l1d_stats(const gpu_t *gpu) {
  return counted(gpu).l1d;
}

l2_stats_t gpu_l2_stats(const gpu_t *gpu) {
  return counted(gpu).memory.l2;
}

dram_stats_t gpu_dram_stats(const gpu_t *gpu) {
  return counted(gpu).memory.dram;
}

icnt_stats_t gpu_icnt_stats(const gpu_t *gpu, icnt_direction_t d) {
  return counted(gpu).memory.icnt[d];
}

void gpu_count_all(const gpu_t *gpu, uint64_t count[GPU_COUNTS]) {
  const gpu_counted_t c = counted(gpu);
  gpu_counts_of(&c, count);
}

void gpu_dump(gpu_t *gpu, FILE *out) {
  fprintf(out,
          "cycle %" PRIu64 ", launch %u (%s), %" PRIu32
          " blocks placed; nothing moved since cycle %" PRIu64 "\n",
          gpu->now, gpu->n_kernels, gpu->launch ? gpu->launch->kernel : "none", gpu->next_block,
          gpu->progress_at);
  if (gpu->cores->cls->dump) gpu->cores->cls->dump(gpu->cores, out);
  gpu->memory->cls->dump(gpu->memory, out);
  if (gpu->check) check_dump(gpu->check, out);
}
