/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU of in-order cores, launch by launch: see device.h. */
#include "device/device.h"

#include "gpu/inorder/inorder.h"
#include "gpu/ports/ports.h"

#include <stdlib.h>

struct device {
  config_t cfg;
  unit_choice_t choice;
  gpu_t *gpu;
  inorder_stats_t cores; /* before the launch */
  ports_stats_t memory;
  device_stats_t stats;
};

int device_create(device_t **out, const device_setup_t *setup, mrpb_err_t *err) {
  device_t *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return mrpb_fail(err, "device: out of memory");
  d->cfg = *setup->cfg;
  if (setup->choice) d->choice = *setup->choice;
  d->choice.sm = -1; /* wherever the first block goes */
  const gpu_setup_t s = {
      .cfg = &d->cfg, .workload = setup->workload, .choice = &d->choice, .by_launch = true};
  if (gpu_create(&d->gpu, &s, err) != 0) {
    free(d);
    return -1;
  }
  *out = d;
  return 0;
}

void device_destroy(device_t *d) {
  if (!d) return;
  gpu_destroy(d->gpu);
  free(d);
}

const device_stats_t *device_stats(const device_t *d) {
  return &d->stats;
}

const config_t *device_cfg(const device_t *d) {
  return &d->cfg;
}

/* ---- a launch -------------------------------------------------------------- */

static void count(device_t *d, uint64_t start) {
  const inorder_stats_t *c = inorder_stats(gpu_cores(d->gpu)), *b = &d->cores;
  const ports_stats_t *m = ports_stats(ports_of(gpu_memory(d->gpu))), *n = &d->memory;
  const uint64_t end = gpu_cycles(d->gpu);
  d->stats = (device_stats_t){.cycles = end > start ? end - start - 1 : 0,
                              .warp_insts = c->warp_insts - b->warp_insts,
                              .loads = c->loads - b->loads,
                              .load_lines = c->load_lines - b->load_lines,
                              .l1_hits = c->l1_hits - b->l1_hits,
                              .l2_hits = m->l2_hits - n->l2_hits,
                              .dram = m->dram - n->dram,
                              .host = m->host - n->host,
                              .merges = c->merges - b->merges,
                              .coalesced = m->coalesced - n->coalesced,
                              .write_backs = m->write_backs - n->write_backs,
                              .bypasses = c->bypasses - b->bypasses,
                              .stall_table = c->stall_table - b->stall_table,
                              .stall_merge = c->stall_merge - b->stall_merge,
                              .stall_line = c->stall_line - b->stall_line,
                              .tlb1_misses = m->tlb1_misses - n->tlb1_misses,
                              .tlb2_misses = m->tlb2_misses - n->tlb2_misses,
                              .tlb3_hits = m->tlb3_hits - n->tlb3_hits,
                              .walks = m->walks - n->walks,
                              .windows = m->windows - n->windows,
                              .table_most = c->table_most};
}

static device_end_t end_of(const gpu_t *gpu, gpu_end_t end, bool ran) {
  if (end == GPU_DONE) return ran ? DEVICE_DONE : DEVICE_NONE;
  if (end == GPU_HANG) return DEVICE_DEADLOCK;
  return gpu_refused(gpu) ? DEVICE_REFUSED : DEVICE_FAILED;
}

device_end_t device_run(device_t *d, unsigned first_sm, uint64_t limit, mrpb_err_t *err) {
  const uint64_t start = gpu_cycles(d->gpu);
  const unsigned before = gpu_kernels(d->gpu);
  d->cores = *inorder_stats(gpu_cores(d->gpu));
  d->memory = *ports_stats(ports_of(gpu_memory(d->gpu)));
  gpu_resume(d->gpu, first_sm, err);
  const bool spins = gpu_step(d->gpu, limit == UINT64_MAX ? limit : limit + 1, false, err);
  count(d, start);
  if (spins) return DEVICE_SPINS;
  const gpu_end_t end = gpu_finish(d->gpu, err);
  return end_of(d->gpu, end, gpu_kernels(d->gpu) > before);
}

/* ---- what the host does ------------------------------------------------------ */

void device_copy_in(device_t *d, uint64_t addr, uint64_t bytes) {
  ports_copy_in(ports_of(gpu_memory(d->gpu)), addr, bytes);
}

void device_flush(device_t *d) {
  ports_flush(ports_of(gpu_memory(d->gpu)));
}

void device_set_host(device_t *d, uint64_t from, uint64_t to) {
  ports_set_host(ports_of(gpu_memory(d->gpu)), from, to);
}

int device_forget(device_t *d, mrpb_err_t *err) {
  inorder_forget(gpu_cores(d->gpu));
  return ports_forget(ports_of(gpu_memory(d->gpu)), err);
}

void device_dump(const device_t *d, FILE *out) {
  cores_t *c = gpu_cores(d->gpu);
  c->cls->dump(c, out);
}
