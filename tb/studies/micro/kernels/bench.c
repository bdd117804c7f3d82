/* SPDX-License-Identifier: Apache-2.0 */
/* See bench.h. */
#include "studies/micro/kernels/bench.h"

#include <string.h>

enum { BENCH_LIMIT = 200000000 };

static bool next(void *host, simt_launch_t *l) {
  bench_t *b = host;
  if (!b->pending) return false;
  b->pending = false;
  *l = b->launch;
  return true;
}

static int read_text(bench_t *b, text_t *text, mrpb_err_t *err) {
  int rc = text->failed ? mrpb_fail(err, "micro: out of memory")
                        : ptx_read(&b->module, text->at, text->n, "micro.ptx", err);
  text_free(text);
  return rc;
}

int bench_open(bench_t *b, const device_cfg_t *cfg, const unit_choice_t *choice, text_t *text,
               mrpb_err_t *err) {
  *b = (bench_t){.limit = BENCH_LIMIT};
  if (read_text(b, text, err) != 0) return -1;
  if (memory_create(&b->memory, err) != 0) {
    ptx_free(b->module);
    return -1;
  }
  for (unsigned i = 0; i < ptx_variables(b->module); i++)
    if (ptx_variable(b->module, i)->texture) ptx_bind(b->module, i, MEMORY_BASE);
  const simt_setup_t s = {.module = b->module,
                          .memory = b->memory,
                          .host = b,
                          .next = next,
                          .taken_first = cfg->divergence == DEVICE_DIVERGENCE_TAKEN,
                          .allow_cg = true};
  if (simt_create(&b->workload, &s, err) != 0) {
    ptx_free(b->module);
    memory_destroy(b->memory);
    return -1;
  }
  const device_setup_t d = {cfg, b->workload, choice};
  return device_create(&b->device, &d, err);
}

void bench_close(bench_t *b) {
  device_destroy(b->device);
  workload_close(b->workload);
  *b = (bench_t){0};
}

uint64_t bench_alloc(bench_t *b, uint64_t bytes, mrpb_err_t *err) {
  return memory_alloc(b->memory, bytes, err);
}

void *bench_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return memory_at(b->memory, addr, bytes);
}

uint32_t bench_largest(const bench_t *b, uint64_t addr, uint32_t n) {
  const uint32_t *v = bench_at(b, addr, (uint64_t)n * 4);
  uint32_t most = 0;
  for (uint32_t i = 0; i < n; i++)
    if (v[i] > most) most = v[i];
  return most;
}

uint32_t bench_cycles(const bench_t *b, uint32_t ticks) {
  return ticks << device_cfg(b->device)->clock_shift;
}

static const ptx_kernel_t *find(const bench_t *b, const char *name) {
  for (unsigned i = 0; i < ptx_kernels(b->module); i++)
    if (strcmp(ptx_kernel(b->module, i)->name, name) == 0) return ptx_kernel(b->module, i);
  return NULL;
}

device_end_t bench_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  b->launch = (simt_launch_t){.kernel = find(b, l->kernel),
                              .grid = {l->blocks, 1, 1},
                              .block = {l->threads, 1, 1},
                              .regs = l->regs,
                              .shared = l->shared};
  if (!b->launch.kernel) {
    mrpb_fail(err, "%s: no such kernel", l->kernel);
    return DEVICE_FAILED;
  }
  for (unsigned i = 0; i < l->n_args; i++) simt_param(&b->launch, i, l->arg[i]);
  b->pending = true;
  return device_run(b->device, b->first_sm, b->limit, err);
}

int bench_must(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  switch (bench_run(b, l, err)) {
  case DEVICE_DONE:
    return 0;
  case DEVICE_DEADLOCK:
    return mrpb_fail(err, "%s: no warp can go on", l->kernel);
  case DEVICE_SPINS:
    return mrpb_fail(err, "%s: not ended after %llu cycles", l->kernel,
                     (unsigned long long)b->limit);
  case DEVICE_NONE:
    return mrpb_fail(err, "%s: not launched", l->kernel);
  case DEVICE_REFUSED:
  case DEVICE_FAILED:
    break;
  }
  return -1;
}
