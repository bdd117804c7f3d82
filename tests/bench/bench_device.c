/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the GPU of the micro-benchmarks (tb/device): the CPU time of a Thread-Latency point and
 * of a P-chase, as medians of several rounds, for each given configuration. Usage: bench_device
 * ROUNDS FILE... Exit 2 if something cannot run. */
#define _POSIX_C_SOURCE 200809L
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/kernels/loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_ROUNDS = 31, LAUNCHES = 20 };

typedef struct {
  double seconds;
  uint64_t warp_insts, cycles;
} run_t;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count(run_t *r, const bench_t *b) {
  r->warp_insts += device_stats(bench_device(b))->warp_insts;
  r->cycles += device_stats(bench_device(b))->cycles;
}

/* The largest block, four lines a thread or fewer: what the scoreboard allows. */
static int thread_latency(const config_t *c, run_t *r, mrpb_err_t *err) {
  loads_bench_t b;
  uint32_t loads = c->loads_per_warp < 4 ? c->loads_per_warp : 4;
  loads_t p = {.threads = c->threads_per_block, .sharers = 1, .warps_on_line = 1};
  bench_gpu_t on = bench_gpu_model(c, NULL);
  on.err = err;
  loads_open(&b, &on, &(loads_kind_t){.loads = loads});
  double from = cpu();
  for (unsigned i = 0; bench_ok(&on) && i < LAUNCHES; i++) {
    (void)loads_run(&b, &p);
    if (bench_ok(&on)) count(r, &b.bench);
  }
  r->seconds = cpu() - from;
  bench_close(&b.bench);
  return bench_ok(&on) ? 0 : -1;
}

/* One thread, 512 lines in turn, more than an L1D of 48 KB holds; the first round is not logged. */
static int pchase(const config_t *c, run_t *r, mrpb_err_t *err) {
  enum { N = 512, STEPS = 8 * N };
  pchase_bench_t b;
  uint64_t addr[N];
  uint32_t latency[STEPS];
  bench_gpu_t on = bench_gpu_model(c, NULL);
  on.err = err;
  pchase_open(&b, &on, PCHASE_GLOBAL);
  for (unsigned i = 0; i < N; i++) addr[i] = b.base + (uint64_t)i * 128;
  double from = cpu();
  for (unsigned i = 0; bench_ok(&on) && i < LAUNCHES / 5; i++) {
    pchase_log(&b, addr, N, N, STEPS, latency);
    if (bench_ok(&on)) count(r, &b.bench);
  }
  r->seconds = cpu() - from;
  bench_close(&b.bench);
  return bench_ok(&on) ? 0 : -1;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int measure(const char *file, const char *name, unsigned rounds,
                   int (*what)(const config_t *, run_t *, mrpb_err_t *)) {
  config_t c;
  mrpb_err_t err = {{0}};
  double seconds[MAX_ROUNDS];
  run_t r = {.seconds = 0};
  if (config_load_device(&c, file, &err) != 0) return fprintf(stderr, "%s\n", err.text), -1;
  for (unsigned i = 0; i < rounds; i++) {
    r = (run_t){.seconds = 0};
    if (what(&c, &r, &err) != 0) return fprintf(stderr, "%s: %s\n", file, err.text), -1;
    seconds[i] = r.seconds;
  }
  qsort(seconds, rounds, sizeof *seconds, by_size);
  double t = seconds[rounds / 2];
  printf("  %-24s %-18s %8.2f %8.2f   (%.3f s)\n", file, name, (double)r.warp_insts / t / 1e6,
         (double)r.cycles / t / 1e6, t);
  return 0;
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 5;
  if (rounds < 1 || rounds > MAX_ROUNDS) rounds = MAX_ROUNDS;
  printf("  %-24s %-18s %8s %8s\n", "GPU", "", "M insts", "M cycles");
  for (int i = 2; i < argc; i++)
    if (measure(argv[i], "Thread-Latency", rounds, thread_latency) != 0 ||
        measure(argv[i], "P-chase", rounds, pchase) != 0)
      return 2;
  return 0;
}
