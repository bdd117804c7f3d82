/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on the model, and the table of their counts: see chips.h. */
#include "gpu/gpu.h"
#include "gpu/ports/ports.h"
#include "studies/chips/chips.h"

#include <inttypes.h>
#include <string.h>

/* The counts that pairs.c compares, and the scheduler cycles. A new count changes no record. */
static bool kept(unsigned i) {
  static const char *const names[] = {"cycles",         "warp_instructions", "sm.load_sectors",
                                      "l2.asked_bytes", "l2.read_bytes",     "l2.read_hit_bytes",
                                      "l2.write_bytes", "dram.read_bytes",   "dram.write_bytes"};
  const gpu_count_t *c = gpu_count(i);
  char name[64];
  snprintf(name, sizeof name, "%s%s%s", c->part, c->part[0] ? "." : "", c->name);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], name) == 0) return true;
  return strcmp(c->part, "stack") == 0;
}

void chips_model_head(FILE *out) {
  fprintf(out, "run,launch,kernel,scheduler_cycles");
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    if (kept(i))
      fprintf(out, ",%s%s%s", gpu_count(i)->part, gpu_count(i)->part[0] ? "." : "",
              gpu_count(i)->name);
  fputc('\n', out);
}

static void write_row(FILE *out, const char *run, unsigned launch, const gpu_kernel_stats_t *k,
                      const config_t *cfg) {
  fprintf(out, "%s,%u,%s,%" PRIu64, run, launch, k->kernel,
          k->count[0] * cfg->sms * cfg->schedulers); /* the first count is the cycles */
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    if (kept(i)) fprintf(out, ",%" PRIu64, k->count[i]);
  fputc('\n', out);
}

/* Returns 1 if there was a launch, 0 after the last one, or -1 and a message. */
static int run_launch(gpu_t *gpu, const char *run, mrpb_err_t *err) {
  const unsigned before = gpu_kernels(gpu);
  ports_flush(ports_of(gpu_memory(gpu)));
  gpu_resume(gpu, 0, err);
  while (gpu_step(gpu, UINT64_MAX, false, err)) continue;
  const gpu_end_t end = gpu_finish(gpu, err);
  if (end == GPU_HANG) return mrpb_fail(err, "%s: no warp can go on", run);
  if (end != GPU_DONE) return -1;
  return gpu_kernels(gpu) > before;
}

int chips_model_run(FILE *out, const char *run, unsigned launches, const config_t *cfg,
                    workload_t *w, mrpb_err_t *err) {
  const gpu_setup_t s = {.cfg = cfg, .workload = w, .by_launch = true};
  gpu_t *gpu = NULL;
  int rc = gpu_create(&gpu, &s, err) == 0 ? 1 : -1;
  for (unsigned i = 0; rc == 1 && i < launches; i++) {
    rc = run_launch(gpu, run, err);
    if (rc == 1) write_row(out, run, i, gpu_kernel(gpu, gpu_kernels(gpu) - 1), cfg);
  }
  gpu_destroy(gpu);
  return rc < 0 ? -1 : 0;
}
