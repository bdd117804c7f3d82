/* SPDX-License-Identifier: Apache-2.0 */
/* The best of several values in a figure, when runs of slower ones were ended. */
#include "studies/figures/figures.h"

#include "sweep_help.h"

#include <inttypes.h>
#include <math.h>

Suite *test_figures_best_suite(void);

enum { VALUES = 3 };

/* Cycles of the values' runs, negative where the run was ended, 0 where it is missing; and the
 * cycles that the figure shows, 0 for a gap. */
static const struct {
  int64_t cycles[VALUES], shown;
} cases[] = {
    {{5000, 4000, 6000}, 4000},   {{5000, -5001, 4000}, 4000},
    {{4000, -4096, -8192}, 4000}, {{-4096, 3000, -3001}, 3000},
    {{5000, -4096, 6000}, 0}, /* ended, but not by what is there */
    {{5000, -5000, 6000}, 0},     {{-4096, -4096, -4096}, 0},
    {{5000, -8192, 0}, 0}, /* not the best of all */
};

static void put(sweep_store_t *s, const figures_run_t *run, int64_t cycles) {
  mrpb_err_t err = {{0}};
  sweep_program_t program = {
      .name = (char[]){"two"}, .options = (char[]){"--kernel two"}, .hash = run->program};
  const sweep_point_t point = {.cfg = run->cfg, .hash = run->hash};
  char json[64];
  snprintf(json, sizeof json, "{\"cycles\": %" PRId64 "}", cycles);
  const sweep_outcome_t o = {.exited = cycles > 0,
                             .json = cycles > 0 ? json : NULL,
                             .ended = cycles < 0 ? (uint64_t)-cycles : 0};
  if (cycles != 0) ck_assert_int_eq(sweep_store_put(s, &program, &point, &o, &err), 0);
}

START_TEST(best) {
  figures_campaign_t c = {.db = NULL};
  figures_experiment_t e;
  figures_results_t r;
  figures_run_t run;
  char folder[] = "build/tmp/mrpb_best_XXXXXX", list[64], file[64], db[64], command[80];
  mrpb_err_t err = {{0}};
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(list, sizeof list, "%s/programs.list", folder);
  snprintf(file, sizeof file, "%s/t.fig", folder);
  snprintf(db, sizeof db, "%s/r.db", folder);
  sweep_write_file(list, "two suite XW\n");
  sweep_write_file(file, "title t\nprograms two-s\npoint best best SWL_LIMIT=8,4,2\n");
  ck_assert_int_eq(figures_read_bases(&c, "configs", &err), 0);
  ck_assert_msg(figures_read(&e, file, list, &err) == 0, "%s", err.text);
  ck_assert_int_eq(sweep_store_write(&c.store, db, &err), 0);
  for (unsigned i = 0; i < VALUES; i++) {
    ck_assert_int_eq(figures_make_run(&c, &e.program[0], &e.point[0], i, &run, &err), 0);
    put(c.store, &run, cases[_i].cycles[i]);
  }
  ck_assert_int_eq(figures_load(&r, &c, &e, &err), 0);
  const double cycles = figures_value(&r, 0, 0, "cycles");
  if (cases[_i].shown)
    ck_assert_double_eq_tol(cycles, (double)cases[_i].shown, 1e-9);
  else
    ck_assert(isnan(cycles));
  figures_unload(&r);
  sweep_store_close(c.store);
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

Suite *test_figures_best_suite(void) {
  Suite *s = suite_create("figures_best");
  TCase *t = tcase_create("best");
  tcase_add_loop_test(t, best, 0, sizeof cases / sizeof *cases);
  suite_add_tcase(s, t);
  return s;
}
