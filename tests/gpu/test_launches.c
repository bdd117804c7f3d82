/* SPDX-License-Identifier: Apache-2.0 */
/* Separate counts for each launch: what each launch is charged with, that they add up to the run,
 * and L1Ds that are emptied in between. */
#include "gpu/gpu.h"
#include "gpu/values.h"
#include "workload/launch/launch.h"
#include "workload/programs/program.h"

#include <check.h>
#include <string.h>

Suite *test_launches_suite(void);

static uint64_t count(const gpu_t *g, unsigned launch, const char *part, const char *name) {
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    if (strcmp(gpu_count(i)->part, part) == 0 && strcmp(gpu_count(i)->name, name) == 0)
      return gpu_kernel(g, launch)->count[i];
  ck_abort_msg("no count %s.%s", part, name);
  return 0;
}

static gpu_t *run_all(const config_t *cfg, workload_t *w, bool check) {
  mrpb_err_t err = {""};
  gpu_t *g = NULL;
  const gpu_setup_t setup = {.cfg = cfg, .workload = w, .check = check};
  ck_assert_msg(gpu_create(&g, &setup, &err) == 0, "%s", err.text);
  ck_assert_msg(gpu_run(g, &err) == GPU_DONE, "%s", err.text);
  return g;
}

/* Every count of the launches adds up to the run's. */
static void expect_sums(const gpu_t *g) {
  uint64_t all[GPU_COUNTS], sum[GPU_COUNTS] = {0};
  gpu_count_all(g, all);
  for (unsigned k = 0; k < gpu_kernels(g); k++)
    for (unsigned i = 0; i < GPU_COUNTS; i++) sum[i] += gpu_kernel(g, k)->count[i];
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    ck_assert_msg(sum[i] == all[i], "%s.%s: %lu of %lu", gpu_count(i)->part, gpu_count(i)->name,
                  (unsigned long)sum[i], (unsigned long)all[i]);
}

/* ---- three small launches ---------------------------------------------------- */

/* 14 blocks of a warp read one line, each on an SM of its own: 14 misses. One block writes the line, and
 * so evicts it from the L1D of its SM. The blocks read again: the others have the old line, 13 * 32 loads
 * of threads are stale. */
START_TEST(stale_without_flush) {
  const bool flush = _i == 1;
  const launch_options_t o = {.n = 0};
  launch_program_t *p = NULL;
  workload_t *w = NULL;
  mrpb_err_t err = {""};
  config_t cfg;
  config_defaults(&cfg);
  cfg.l1d_flush = flush;
  ck_assert_msg(launch_read(&p, "tests/data/stale.launch", &o, &err) == 0, "%s", err.text);
  ck_assert_msg(launch_open(&w, p, &err) == 0, "%s", err.text);
  gpu_t *g = run_all(&cfg, w, true);
  ck_assert_uint_eq(gpu_kernels(g), 3);
  ck_assert_str_eq(gpu_kernel(g, 1)->kernel, "writeone");
  static const struct {
    const char *part, *name;
    uint64_t kept[3], emptied[3];
  } expected[] = {
      {"l1d", "hits", {0, 0, 13}, {0, 0, 0}},
      {"l1d", "misses", {14, 0, 1}, {14, 0, 14}},
      {"l1d", "writes", {14, 1, 14}, {14, 1, 14}},
      {"l1d", "write_evicts", {0, 1, 0}, {0, 0, 0}},
      /* Beside those of the L1D: a line of instructions and one of parameters for each SM; then those
       * of the instructions of the second kernel. */
      {"interconnect.requests", "reads", {42, 1, 1}, {42, 1, 14}},
      {"interconnect.requests", "writes", {14, 1, 14}, {14, 1, 14}},
      {"l2", "writes", {14, 1, 14}, {14, 1, 14}},
      {"check", "loads", {448, 0, 448}, {448, 0, 448}},
      {"check", "stores", {448, 32, 448}, {448, 32, 448}},
      {"check", "stale", {0, 0, 416}, {0, 0, 0}},
      {"check", "from_hits", {0, 0, 416}, {0, 0, 0}},
  };
  for (unsigned e = 0; e < sizeof expected / sizeof *expected; e++)
    for (unsigned k = 0; k < 3; k++)
      ck_assert_msg(count(g, k, expected[e].part, expected[e].name) ==
                        (flush ? expected[e].emptied : expected[e].kept)[k],
                    "launch %u, %s.%s: %lu", k, expected[e].part, expected[e].name,
                    (unsigned long)count(g, k, expected[e].part, expected[e].name));
  expect_sums(g);
  gpu_destroy(g);
  workload_close(w);
}
END_TEST

/* ---- sums ------------------------------------------------------------------------ */

static const struct {
  const char *kernel;
  uint32_t size, cut;
  const char *set[3];
} runs[] = {
    {"atax", 0, 4, {"MRPB=0"}},
    {"atax", 0, 4, {"MRPB=1", "CLOCKS=exact", "L1D_FLUSH=1"}},
    {"mvt", 0, 2, {"MRPB=1", "BYPASS_TRACKING=mshr", "MRPB_BYPASS=all"}},
    {"bfs", 2048, 0, {"L1D_ALLOCATE=fill", "L1D_FLUSH=1", "MEMORY_ORDER=reference"}},
    {"nw", 128, 0, {"JITTER=20", "MRPB=1", "L1D_FLUSH=1"}},
    {"srad", 32, 0, {"SCHEDULER=gto", "L1D_REPLACEMENT=fermi", "L1D_FLUSH=1"}},
};
enum { RUNS = sizeof runs / sizeof *runs };

START_TEST(launches_add_up) {
  const program_options_t o = {.size = runs[_i].size, .cut = runs[_i].cut};
  workload_t *w = NULL;
  mrpb_err_t err = {""};
  config_t cfg;
  config_defaults(&cfg);
  for (unsigned i = 0; i < 3 && runs[_i].set[i]; i++)
    ck_assert_msg(config_set(&cfg, runs[_i].set[i], &err) == 0, "%s", err.text);
  ck_assert_msg(program_open(&w, runs[_i].kernel, &o, &err) == 0, "%s", err.text);
  gpu_t *g = run_all(&cfg, w, true);
  ck_assert_msg(workload_check(w, &err) == 0, "%s", err.text);
  ck_assert_uint_gt(gpu_kernels(g), 1);
  for (unsigned k = 0; k < gpu_kernels(g); k++) {
    ck_assert_uint_gt(count(g, k, "", "cycles"), 0);
    ck_assert_uint_gt(count(g, k, "", "warp_instructions"), 0);
  }
  expect_sums(g);
  gpu_destroy(g);
  workload_close(w);
}
END_TEST

/* ---- names ----------------------------------------------------------------------- */

typedef struct {
  unsigned run, launch;
} seen_t;

static void see(void *ctx, const gpu_value_t *v) {
  seen_t *s = ctx;
  const bool launch = strncmp(v->name, "kernels.0.", strlen("kernels.0.")) == 0;
  const char *name = launch ? v->name + strlen("kernels.0.") : v->name;
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    const gpu_count_t *c = gpu_count(i);
    char full[GPU_VALUE_NAME];
    snprintf(full, sizeof full, "%s%s%s", c->part, c->part[0] ? "." : "", c->name);
    if (strcmp(full, name) != 0) continue;
    *(launch ? &s->launch : &s->run) += 1;
    ck_assert(v->kind == GPU_COUNT);
  }
}

/* JSON and the library have each count once for the run and once for each launch; without MRPB and
 * checking those are left out. */
START_TEST(every_count_has_its_name) {
  const program_options_t o = {.cut = 4};
  const bool both = _i == 1;
  workload_t *w = NULL;
  mrpb_err_t err = {""};
  config_t cfg;
  seen_t s = {0};
  unsigned expected = 0;
  config_defaults(&cfg);
  cfg.mrpb = both;
  ck_assert_msg(program_open(&w, "atax", &o, &err) == 0, "%s", err.text);
  gpu_t *g = run_all(&cfg, w, both);
  gpu_values(g, see, &s);
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    expected +=
        gpu_count(i)->pipeline &&
        (both || (strcmp(gpu_count(i)->part, "mrpb") && strcmp(gpu_count(i)->part, "check")));
  ck_assert_uint_eq(s.run, expected);
  ck_assert_uint_eq(s.launch, expected);
  gpu_destroy(g);
  workload_close(w);
}
END_TEST

Suite *test_launches_suite(void) {
  Suite *s = suite_create("launches");
  TCase *t = tcase_create("launches");
  tcase_add_loop_test(t, stale_without_flush, 0, 2);
  tcase_add_loop_test(t, launches_add_up, 0, RUNS);
  tcase_add_loop_test(t, every_count_has_its_name, 0, 2);
  suite_add_tcase(s, t);
  return s;
}
