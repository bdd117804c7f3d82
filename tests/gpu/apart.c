/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU on four threads, in windows, against the same GPU on one: every count must be equal. Built with
 * the thread sanitizer, which ends the program at a data race (tests/gpu/threads.sh). */
#include "gpu/gpu.h"
#include "workload/programs/program.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  const char *program;
  uint32_t cut, size;
  bool mrpb;
} case_t;

static int run(const case_t *c, unsigned threads, uint64_t count[GPU_COUNTS], mrpb_err_t *err) {
  const program_options_t o = {.cut = c->cut, .size = c->size, .model = PROGRAM_MODEL_B};
  config_t cfg;
  workload_t *w;
  gpu_t *gpu = NULL;
  config_defaults(&cfg);
  cfg.mrpb = c->mrpb;
  if (program_open(&w, c->program, &o, err) != 0) return -1;
  const gpu_setup_t s = {.cfg = &cfg, .workload = w, .threads = threads, .all_threads = true};
  int rc = gpu_create(&gpu, &s, err);
  if (rc == 0 && gpu_run(gpu, err) != GPU_DONE) rc = -1;
  if (rc == 0) gpu_count_all(gpu, count);
  if (rc == 0) rc = workload_check(w, err);
  gpu_destroy(gpu);
  workload_close(w);
  return rc;
}

int main(void) {
  static const case_t cases[] = {{"gemm", 2, 0, false},   {"atax", 1, 0, true},
                                 {"hs", 0, 64, true},     {"lud", 0, 48, false},
                                 {"2dconv", 0, 64, true}, {"pf-u", 0, 2048, false},
                                 {"syr2k", 1, 0, false},  {"kms", 0, 256, false}};
  static uint64_t one[GPU_COUNTS], four[GPU_COUNTS];
  int bad = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    mrpb_err_t err = {{0}};
    if (run(&cases[i], 1, one, &err) != 0 || run(&cases[i], 4, four, &err) != 0 ||
        memcmp(one, four, sizeof one) != 0) {
      printf("apart: %s on four threads is not as on one %s\n", cases[i].program, err.text);
      bad = 1;
    }
  }
  if (!bad)
    printf("%zu programs on four threads, all counts as on one\n", sizeof cases / sizeof *cases);
  return bad;
}
