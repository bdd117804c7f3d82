/* SPDX-License-Identifier: Apache-2.0 */
/* A library GPU: creation, steps, results. See mrpb_gpu.h. */
#include "gpu/library/mrpb_gpu_state.h"
#include "gpu/values.h"
#include "workload/programs/program.h"
#include "workload/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ------------------------------------------------------------------------------- */

int mrpb_gpu_create(mrpb_gpu_t **out, const char *config, mrpb_err_t *err) {
  mrpb_gpu_t *gpu = calloc(1, sizeof *gpu);
  *out = NULL;
  if (!gpu) return mrpb_fail(err, "gpu: out of memory");
  gpu->print_to = stdout;
  config_defaults(&gpu->cfg);
  if (config && config_load(&gpu->cfg, config, err) != 0) {
    free(gpu);
    return -1;
  }
  *out = gpu;
  return 0;
}

void mrpb_gpu_destroy(mrpb_gpu_t *gpu) {
  if (!gpu) return;
  gpu_destroy(gpu->gpu);
  workload_close(gpu->workload);
  mrpb_gpu_ptx_close(gpu);
  free(gpu->vcd);
  free(gpu);
}

int mrpb_gpu_early(const mrpb_gpu_t *gpu, const char *what, mrpb_err_t *err) {
  if (!gpu->gpu && gpu->state == MRPB_GPU_RUNNING) return 0;
  return mrpb_fail(err, "%s: legal: before the first step", what);
}

int mrpb_gpu_idle(const mrpb_gpu_t *gpu, mrpb_err_t *err) {
  if (!gpu->workload && !gpu->ptx.module && !gpu->with_cores) return 0;
  return mrpb_fail(
      err, "gpu: something to run is already set; legal: one program, trace, launch file, text "
           "or stream, or cores of yours");
}

/* A message about a refused value names the program's option; here the value is a field, or the key
 * alone. */
static int refuse(const mrpb_err_t *why, mrpb_err_t *err) {
  const char *text = why->text;
  if (strncmp(text, "--set: ", 7) == 0) text += 7;
  if (strncmp(text, "--", 2) == 0) text += 2;
  return mrpb_fail(err, "%s", text);
}

int mrpb_gpu_set(mrpb_gpu_t *gpu, const char *assignment, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  if (mrpb_gpu_early(gpu, assignment, err) != 0) return -1;
  return config_set(&gpu->cfg, assignment, &why) == 0 ? 0 : refuse(&why, err);
}

int mrpb_gpu_checked(mrpb_gpu_t *gpu, mrpb_err_t *err) {
  if (mrpb_gpu_early(gpu, "checked", err) != 0) return -1;
  gpu->checked = true;
  return 0;
}

int mrpb_gpu_wave(mrpb_gpu_t *gpu, const char *path, uint32_t sm, uint64_t from, uint64_t to,
                  mrpb_err_t *err) {
  const size_t n = strlen(path);
  if (mrpb_gpu_early(gpu, "wave", err) != 0) return -1;
  if (gpu->vcd) return mrpb_fail(err, "%s: the GPU already has a wave; legal: one", path);
  if (n > 4 && strcmp(path + n - 4, ".fst") == 0)
    return mrpb_fail(err, "%s: legal: a VCD; vcd2fst makes an FST of it", path);
  if (from > to)
    return mrpb_fail(err, "%s: from %" PRIu64 " to %" PRIu64 "; legal: not backwards", path, from,
                     to);
  char *copy = malloc(n + 1);
  if (!copy) return mrpb_fail(err, "%s: out of memory", path);
  gpu->vcd = memcpy(copy, path, n + 1);
  gpu->vcd_sm = sm;
  gpu->vcd_from = from;
  gpu->vcd_to = to;
  return 0;
}

int mrpb_gpu_print_to(mrpb_gpu_t *gpu, FILE *to, mrpb_err_t *err) {
  if (mrpb_gpu_early(gpu, "print_to", err) != 0) return -1;
  gpu->print_to = to;
  return 0;
}

static int connected(const mrpb_gpu_t *gpu, const char *what, mrpb_err_t *err) {
  if (mrpb_gpu_early(gpu, what, err) != 0) return -1;
  if (!gpu->with_dram && !gpu->with_memory) return 0;
  return mrpb_fail(err, "%s: the GPU already has a memory of yours; legal: one", what);
}

int mrpb_gpu_connect_dram(mrpb_gpu_t *gpu, const mrpb_gpu_dram_t *dram, mrpb_err_t *err) {
  if (connected(gpu, "connect_dram", err) != 0) return -1;
  gpu->dram = *dram;
  gpu->with_dram = true;
  return 0;
}

int mrpb_gpu_connect_memory(mrpb_gpu_t *gpu, const mrpb_gpu_memory_t *memory, mrpb_err_t *err) {
  if (connected(gpu, "connect_memory", err) != 0) return -1;
  gpu->memory = *memory;
  gpu->with_memory = true;
  return 0;
}

int mrpb_gpu_connect_cores(mrpb_gpu_t *gpu, const mrpb_gpu_cores_t *cores, mrpb_err_t *err) {
  if (mrpb_gpu_early(gpu, "connect_cores", err) != 0 || mrpb_gpu_idle(gpu, err) != 0) return -1;
  gpu->cores = *cores;
  gpu->with_cores = true;
  return 0;
}

int mrpb_gpu_request(mrpb_gpu_t *gpu, const mrpb_gpu_request_t *request, mrpb_err_t *err) {
  if (!gpu->gpu) return mrpb_fail(err, "request: legal: after the first step began");
  return gpu_request(gpu->gpu, request, err);
}

int mrpb_gpu_reply(mrpb_gpu_t *gpu, uint64_t id, mrpb_err_t *err) {
  if (!gpu->gpu) return mrpb_fail(err, "reply: legal: to a request");
  return gpu_reply(gpu->gpu, id, err);
}

/* ---- what runs ------------------------------------------------------------------------------ */

int mrpb_gpu_program(mrpb_gpu_t *gpu, const char *name, const mrpb_gpu_program_t *options,
                     mrpb_err_t *err) {
  program_options_t o = {0};
  mrpb_err_t why = {{0}};
  if (mrpb_gpu_idle(gpu, err) != 0) return -1;
  if (options) {
    const char model = options->model ? options->model : 'A';
    if (model < 'A' || model > 'C')
      return mrpb_fail(err, "model %d; legal: 'A', 'B' or 'C'", model);
    o = (program_options_t){.cut = options->cut,
                            .size = options->size,
                            .steps = options->steps,
                            .model = (program_model_t)(model - 'A'),
                            .acc_reload = options->acc_reload};
  }
  return program_open(&gpu->workload, name, &o, &why) == 0 ? 0 : refuse(&why, err);
}

int mrpb_gpu_trace(mrpb_gpu_t *gpu, const char *path, mrpb_err_t *err) {
  if (mrpb_gpu_idle(gpu, err) != 0) return -1;
  return trace_open(&gpu->workload, path, NULL, err);
}

/* ---- running -------------------------------------------------------------------------------- */

static int open_gpu(mrpb_gpu_t *gpu, mrpb_err_t *err) {
  if (config_check(&gpu->cfg, "the GPU", err) != 0) return -1;
  if (gpu->ptx.module && mrpb_gpu_ptx_open(gpu, err) != 0) return -1;
  if (!gpu->workload && !gpu->with_cores)
    return mrpb_fail(
        err, "gpu: nothing to run; legal: a program, a trace, a launch file, a text or a stream");
  if (gpu->workload) simt_print_to(gpu->workload, gpu->print_to);
  if (gpu->vcd && (gpu->with_cores || gpu->vcd_sm >= gpu->cfg.sms))
    return mrpb_fail(err,
                     "%s: a wave of SM %" PRIu32 "; legal: SMs 0 to %" PRIu32 ", none of yours",
                     gpu->vcd, gpu->vcd_sm, gpu->cfg.sms - 1);
  const gpu_setup_t s = {.cfg = &gpu->cfg,
                         .workload = gpu->workload,
                         .check = gpu->checked,
                         .vcd = gpu->vcd,
                         .vcd_sm = gpu->vcd_sm,
                         .vcd_from = gpu->vcd_from,
                         .vcd_to = gpu->vcd_to,
                         .dram = gpu->with_dram ? &gpu->dram : NULL,
                         .memory = gpu->with_memory ? &gpu->memory : NULL,
                         .cores = gpu->with_cores ? &gpu->cores : NULL};
  return gpu_create(&gpu->gpu, &s, err);
}

/* How the run ended. A program whose own fault ended its last launch has not reported that yet. */
static mrpb_gpu_state_t ending(mrpb_gpu_t *gpu) {
  const mrpb_err_t *fault;
  switch (gpu_finish(gpu->gpu, &gpu->fault)) {
  case GPU_DONE:
    fault = workload_fault(gpu->workload);
    if (!fault) return MRPB_GPU_DONE;
    gpu->fault = *fault;
    return MRPB_GPU_FAILED;
  case GPU_MISMATCH:
    return MRPB_GPU_MISMATCH;
  case GPU_HANG:
    if (gpu->cfg.core == CONFIG_CORE_IN_ORDER)
      mrpb_fail(&gpu->fault, "cycle %" PRIu64 ": no warp can go on", gpu_cycles(gpu->gpu));
    else
      mrpb_fail(&gpu->fault, "cycle %" PRIu64 ": no progress for HANG_CYCLES = %" PRIu32 " cycles",
                gpu_cycles(gpu->gpu), gpu->cfg.hang_cycles);
    return MRPB_GPU_HANG;
  case GPU_INTERRUPTED:
  case GPU_FAILED:
  case GPU_AGAIN: /* with threads only */
    break;
  }
  return MRPB_GPU_FAILED;
}

/* True if there is something to run. */
static bool ready(mrpb_gpu_t *gpu) {
  if (gpu->state == MRPB_GPU_DONE && mrpb_gpu_ptx_waits(gpu)) {
    gpu_resume(gpu->gpu, 0, &gpu->fault);
    gpu->state = MRPB_GPU_RUNNING;
  }
  if (gpu->state != MRPB_GPU_RUNNING) return false;
  if (gpu->gpu || open_gpu(gpu, &gpu->fault) == 0) return true;
  gpu->state = MRPB_GPU_FAILED;
  return false;
}

static mrpb_gpu_state_t step(mrpb_gpu_t *gpu, uint64_t cycles, bool launch, mrpb_err_t *err) {
  if (ready(gpu) && !gpu_step(gpu->gpu, cycles, launch, &gpu->fault)) gpu->state = ending(gpu);
  if (gpu->fault.text[0]) mrpb_fail(err, "%s", gpu->fault.text);
  return gpu->state;
}

mrpb_gpu_state_t mrpb_gpu_step(mrpb_gpu_t *gpu, uint64_t cycles, mrpb_err_t *err) {
  return step(gpu, cycles, false, err);
}

mrpb_gpu_state_t mrpb_gpu_step_launch(mrpb_gpu_t *gpu, mrpb_err_t *err) {
  return step(gpu, UINT64_MAX, true, err);
}

mrpb_gpu_state_t mrpb_gpu_run(mrpb_gpu_t *gpu, mrpb_err_t *err) {
  return step(gpu, UINT64_MAX, false, err);
}

void mrpb_gpu_pause(mrpb_gpu_t *gpu) {
  if (gpu->gpu) gpu_pause(gpu->gpu);
}

uint64_t mrpb_gpu_cycles(const mrpb_gpu_t *gpu) {
  return gpu->gpu ? gpu_cycles(gpu->gpu) : 0;
}

int mrpb_gpu_verify(mrpb_gpu_t *gpu, mrpb_err_t *err) {
  if (gpu->state != MRPB_GPU_DONE) return mrpb_fail(err, "verify: legal: after MRPB_GPU_DONE");
  if (workload_check(gpu->workload, err) != 0) return -1;
  return gpu->host ? launch_write(gpu->host, err) : 0;
}

void mrpb_gpu_dump(mrpb_gpu_t *gpu, FILE *to) {
  if (gpu->gpu) gpu_dump(gpu->gpu, to);
}

/* ---- results -------------------------------------------------------------------------------- */

typedef struct {
  void (*each)(void *ctx, const mrpb_gpu_value_t *value);
  void *ctx;
} each_t;

static void give(void *ctx, const gpu_value_t *v) {
  const each_t *e = ctx;
  mrpb_gpu_value_t out = {v->name, MRPB_GPU_COUNT, v->count, (double)v->count, NULL};
  switch (v->kind) {
  case GPU_LIST:
    return;
  case GPU_COUNT:
    break;
  case GPU_REAL:
    out.type = MRPB_GPU_REAL;
    out.real = v->real;
    break;
  case GPU_TEXT:
    out.type = MRPB_GPU_TEXT;
    out.text = v->text;
    break;
  }
  e->each(e->ctx, &out);
}

int mrpb_gpu_values(mrpb_gpu_t *gpu, void (*each)(void *ctx, const mrpb_gpu_value_t *value),
                    void *ctx, mrpb_err_t *err) {
  each_t e = {each, ctx};
  if (!gpu->gpu) return mrpb_fail(err, "values: legal: after the first step");
  gpu_catch_up(gpu->gpu);
  gpu_values(gpu->gpu, give, &e);
  return 0;
}

typedef struct {
  const char *name;
  double value;
  bool found;
} search_t;

static void look(void *ctx, const mrpb_gpu_value_t *v) {
  search_t *s = ctx;
  if (v->type == MRPB_GPU_TEXT || strcmp(v->name, s->name) != 0) return;
  s->value = v->real;
  s->found = true;
}

int mrpb_gpu_value(mrpb_gpu_t *gpu, const char *name, double *value, mrpb_err_t *err) {
  search_t s = {.name = name};
  if (mrpb_gpu_values(gpu, look, &s, err) != 0) return -1;
  if (!s.found)
    return mrpb_fail(err, "value %.100s: legal: a number of `mrpb run --json`, as \"l1d.hits\"",
                     name);
  *value = s.value;
  return 0;
}

void mrpb_gpu_keys(const mrpb_gpu_t *gpu, void (*each)(void *ctx, const mrpb_gpu_value_t *key),
                   void *ctx) {
  for (unsigned i = 0; i < config_count(); i++) {
    if (!config_has(&gpu->cfg, i)) continue;
    const config_key_t *k = config_key(i);
    const uint32_t n = config_value(&gpu->cfg, i);
    char text[64];
    config_print_value(&gpu->cfg, i, text, sizeof text);
    const mrpb_gpu_value_t v = {k->name, k->words ? MRPB_GPU_TEXT : MRPB_GPU_COUNT, n, n,
                                k->words ? text : NULL};
    each(ctx, &v);
  }
}
