/* SPDX-License-Identifier: Apache-2.0 */
/* See bench.h: launches on the model (tb/device). */
#include "studies/micro/kernels/bench.h"

#include <stdlib.h>
#include <string.h>

enum { MODEL_LIMIT = 200000000, LINE = 128, NOISY = 9 /* launches on a noisy model */ };

typedef struct {
  config_t cfg;
  device_t *device;
  workload_t *workload; /* owns the module and the memory, once it is there */
  ptx_module_t *module;
  memory_t *memory;
  simt_prepared_t prepared;
} model_state_t;

static const bench_side_t model;

/* Whether identical launches take different times. */
static bool is_noisy(const config_t *c) {
  return c->noise || c->noise_late || (c->dram_late && c->dram_late_share) ||
         (c->host_late && c->host_late_share);
}

bench_gpu_t bench_gpu_model(const config_t *cfg, const unit_choice_t *choice) {
  bench_gpu_t g = {.side = &model, .given = {cfg, choice}};
  uint32_t warps = cfg->threads_per_block / WARP_LANES; /* rounded down to whole warps */
  if (warps > cfg->warps_per_sm) warps = cfg->warps_per_sm;
  g.limits = (bench_limits_t){.threads_per_block = warps * WARP_LANES,
                              .registers = cfg->registers_per_sm,
                              .registers_per_thread = cfg->registers_per_thread,
                              .register_unit = cfg->register_unit,
                              .thread_unit = cfg->thread_unit,
                              .shared = cfg->shared_bytes,
                              .sms = cfg->sms,
                              .cluster = cfg->cluster,
                              .by_cluster = cfg->placement == DEVICE_PLACE_CLUSTER,
                              .schedulers = cfg->schedulers,
                              .l1d_lines = cfg->l1d_sets * cfg->l1d_ways,
                              .cut_lines = cfg->l1d_sets,
                              .l2_bytes = (uint64_t)cfg->l2_total_sets * cfg->l2_ways * LINE,
                              .texture = true,
                              .bank_modes = cfg->shared_banks >= DEVICE_BANKS_32X8,
                              .clock_shift = cfg->clock_shift,
                              .middle_sm = cfg->cluster_spread ? cfg->sms / 2 : 0,
                              .host = cfg->host_latency > 0,
                              .repeats = is_noisy(cfg) ? NOISY : 1};
  return g;
}

static void take_options(const bench_gpu_t *g, config_t *cfg) {
  if (g->l1d_kb) cfg->l1d_ways = g->l1d_kb * 1024 / LINE / cfg->l1d_sets;
  if (g->shared_banks) cfg->shared_banks = g->shared_banks;
}

static int modelled_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  model_state_t *m = b->own = calloc(1, sizeof *m);
  if (!m) return mrpb_fail(err, "micro: out of memory");
  memcpy(&m->cfg, b->gpu.given[0], sizeof m->cfg);
  take_options(&b->gpu, &m->cfg);
  b->limit = MODEL_LIMIT;
  if (ptx_read(&m->module, text->at, text->n, "micro.ptx", err) != 0)
    return text->optional ? BENCH_REFUSED : -1;
  if (memory_create(&m->memory, err) != 0) return -1;
  for (unsigned i = 0; i < ptx_variables(m->module); i++)
    if (ptx_variable(m->module, i)->texture) ptx_bind(m->module, i, MEMORY_BASE);
  const simt_setup_t s = {.module = m->module,
                          .memory = m->memory,
                          .host = &m->prepared,
                          .next = simt_prepared_next,
                          .taken_first = m->cfg.divergence == DEVICE_DIVERGENCE_TAKEN};
  if (simt_create(&m->workload, &s, err) != 0) return -1;
  const device_setup_t d = {&m->cfg, m->workload, b->gpu.given[1]};
  return device_create(&m->device, &d, err);
}

static void modelled_close(bench_t *b) {
  model_state_t *m = b->own;
  if (!m) return;
  device_destroy(m->device);
  if (m->workload) {
    workload_close(m->workload);
  } else {
    ptx_free(m->module);
    memory_destroy(m->memory);
  }
  free(m);
}

static uint64_t modelled_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  const model_state_t *m = b->own;
  uint64_t addr = memory_alloc(m->memory, bytes, err);
  if (addr && place == BENCH_HOST) device_set_host(m->device, addr, addr + bytes);
  return addr;
}

static void *modelled_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return memory_at(((const model_state_t *)b->own)->memory, addr, bytes);
}

static int modelled_put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in,
                        mrpb_err_t *err) {
  (void)err;
  if (in == BENCH_IN_L2) device_copy_in(bench_device(b), addr, bytes);
  if (in == BENCH_IN_NO_CACHE) device_flush(bench_device(b));
  return 0;
}

static int modelled_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  (void)b, (void)addr, (void)bytes, (void)err;
  return 0;
}

static const ptx_kernel_t *find(const model_state_t *m, const char *name) {
  for (unsigned i = 0; i < ptx_kernels(m->module); i++)
    if (strcmp(ptx_kernel(m->module, i)->name, name) == 0) return ptx_kernel(m->module, i);
  return NULL;
}

static device_end_t modelled_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  model_state_t *m = b->own;
  m->prepared.launch = (simt_launch_t){.kernel = find(m, l->kernel),
                                       .grid = {l->blocks, 1, 1},
                                       .block = {l->threads, 1, 1},
                                       .regs = l->regs,
                                       .shared = l->shared};
  if (!m->prepared.launch.kernel) {
    mrpb_fail(err, "%s: no such kernel", l->kernel);
    return DEVICE_FAILED;
  }
  for (unsigned i = 0; i < l->n_args; i++) simt_param(&m->prepared.launch, i, l->arg[i]);
  m->prepared.left = 1;
  return device_run(m->device, b->first_sm, b->limit, err);
}

device_t *bench_device(const bench_t *b) {
  return ((const model_state_t *)b->own)->device;
}

void *bench_constants(const bench_t *b) {
  return memory_const(((const model_state_t *)b->own)->memory);
}

static const bench_side_t model = BENCH_SIDE(modelled, .span = NULL);
