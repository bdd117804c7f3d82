/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the parts of a GPU, and the dump for the report of a hang. */
#include "gpu/gpu_state.h"

#include <inttypes.h>

/* Adds `n` consecutive counters. */
static void add(uint64_t *sum, const uint64_t *one, size_t n) {
  for (size_t i = 0; i < n; i++) sum[i] += one[i];
}

static void add_occupancy(sm_occupancy_t *sum, const sm_occupancy_t *one) {
  add(sum->cycles, one->cycles, sizeof sum->cycles / sizeof *sum->cycles);
  if (one->max > sum->max) sum->max = one->max;
}

sm_stats_t gpu_sm_stats(const gpu_t *gpu) {
  sm_stats_t sum = {0};
  for (unsigned i = 0; i < gpu->cfg->sms; i++) {
    const sm_stats_t *s = sm_stats(gpu->sm[i]);
    add(&sum.cycles, &s->cycles, offsetof(sm_stats_t, mshr) / sizeof(uint64_t));
    add_occupancy(&sum.mshr, &s->mshr);
    add_occupancy(&sum.miss_queue, &s->miss_queue);
    add_occupancy(&sum.mrpb, &s->mrpb);
    add_occupancy(&sum.prt, &s->prt);
  }
  return sum;
}

l1d_stats_t gpu_l1d_stats(const gpu_t *gpu) {
  l1d_stats_t sum = {0};
  for (unsigned i = 0; i < gpu->cfg->sms; i++)
    add(&sum.hits, &sm_l1d_stats(gpu->sm[i])->hits, sizeof sum / sizeof(uint64_t));
  return sum;
}

l2_stats_t gpu_l2_stats(const gpu_t *gpu) {
  l2_stats_t sum = {0};
  uint64_t most = 0;
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++) {
    const l2_stats_t *s = l2_stats(gpu->l2[i]);
    add(&sum.reads, &s->reads, sizeof sum / sizeof(uint64_t));
    if (s->mshr_max > most) most = s->mshr_max;
  }
  sum.mshr_max = most;
  return sum;
}

dram_stats_t gpu_dram_stats(const gpu_t *gpu) {
  dram_stats_t sum = {0};
  uint64_t most = 0;
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++) {
    const dram_stats_t *s = dram_stats(gpu->dram[i]);
    add(&sum.cycles, &s->cycles, sizeof sum / sizeof(uint64_t));
    if (s->queue_max > most) most = s->queue_max;
  }
  sum.queue_max = most;
  if (!gpu->dram_port) return sum;
  const dram_port_stats_t *p = dram_port_stats(gpu->dram_port);
  sum = (dram_stats_t){.cycles = p->cycles,
                       .requests = p->read_requests + p->write_requests,
                       .read_requests = p->read_requests,
                       .write_requests = p->write_requests,
                       .write_backs = p->write_backs,
                       .reads = p->reads,
                       .writes = p->writes,
                       .queue_max = p->most};
  return sum;
}

const icnt_stats_t *gpu_icnt_stats(const gpu_t *gpu, icnt_direction_t d) {
  return icnt_stats(gpu->icnt, d);
}

void gpu_count_all(const gpu_t *gpu, uint64_t count[GPU_COUNTS]) {
  gpu_counted_t c = {.cycles = gpu->now,
                     .sm = gpu_sm_stats(gpu),
                     .l1d = gpu_l1d_stats(gpu),
                     .icnt = {*gpu_icnt_stats(gpu, ICNT_REQUEST), *gpu_icnt_stats(gpu, ICNT_REPLY)},
                     .l2 = gpu_l2_stats(gpu),
                     .dram = gpu_dram_stats(gpu)};
  if (gpu->check) c.check = *check_stats(gpu->check);
  gpu_counts_of(&c, count);
}

void gpu_dump(gpu_t *gpu, FILE *out) {
  fprintf(out,
          "cycle %" PRIu64 ", launch %u (%s), %" PRIu32
          " blocks placed; nothing moved since cycle %" PRIu64 "\n",
          gpu->now, gpu->n_kernels, gpu->launch ? gpu->launch->kernel : "none", gpu->next_block,
          gpu->progress_at);
  for (unsigned i = 0; i < gpu->cfg->sms; i++)
    if (sm_blocks(gpu->sm[i]) > 0 || sm_outstanding(gpu->sm[i]) > 0) sm_dump(gpu->sm[i], out);
  fprintf(out, "interconnect: %" PRIu32 " packets\n", icnt_in_flight(gpu->icnt));
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++)
    fprintf(out, "slice %u: %" PRIu32 " requests in the L2, %" PRIu32 " in the DRAM channel\n", i,
            l2_in_flight(gpu->l2[i]), dram_in_flight(gpu->dram[i]));
  if (gpu->check) check_dump(gpu->check, out);
}
