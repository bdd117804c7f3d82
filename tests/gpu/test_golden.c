/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of small runs, one for each part of the design space. They are not right or wrong by
 * themselves: a change that moves one of them changes results, so kept results of `mrpb figures`
 * are out of date. Then increase SWEEP_RESULTS_VERSION (tb/studies/sweep/sweep.h), and copy the
 * numbers that the failing test prints. */
#include "studies/sweep/sweep.h"
#include "gpu/gpu.h"
#include "workload/program_help.h"

Suite *test_golden_suite(void);

enum { SETS = 4 };

static const struct {
  const char *program;
  uint32_t cut, size, steps;
  const char *set[SETS];
  uint64_t cycles;
} golden[] = {
#include "data/golden.def"
};

START_TEST(cycles_of_small_runs) {
  const char *program = golden[_i].program;
  program_options_t o = {.cut = golden[_i].cut, .size = golden[_i].size, .steps = golden[_i].steps};
  mrpb_err_t err = {{0}};
  config_t cfg;
  gpu_t *g;
  config_defaults(&cfg);
  for (unsigned i = 0; i < SETS && golden[_i].set[i]; i++)
    ck_assert_msg(config_set(&cfg, golden[_i].set[i], &err) == 0, "%s", err.text);
  workload_t *w = open_program(program, o);
  gpu_setup_t s = {.cfg = &cfg, .workload = w};
  ck_assert_msg(gpu_create(&g, &s, &err) == 0, "%s", err.text);
  ck_assert_int_eq(gpu_run(g, &err), GPU_DONE);
  uint64_t cycles = gpu_cycles(g);
  gpu_destroy(g);
  workload_close(w);
  ck_assert_msg(cycles == golden[_i].cycles,
                "%s: %llu cycles, not %llu: results have changed; SWEEP_RESULTS_VERSION is %d",
                program, (unsigned long long)cycles, (unsigned long long)golden[_i].cycles,
                SWEEP_RESULTS_VERSION);
}
END_TEST

Suite *test_golden_suite(void) {
  Suite *s = suite_create("golden");
  TCase *t = tcase_create("runs");
  tcase_set_timeout(t, 120);
  tcase_set_tags(t, "heavy");
  tcase_add_loop_test(t, cycles_of_small_runs, 1, sizeof golden / sizeof *golden);
  suite_add_tcase(s, t);
  t = tcase_create("smallest"); /* a whole GPU under valgrind too */
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, cycles_of_small_runs, 0, 1);
  suite_add_tcase(s, t);
  return s;
}
