/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-Latency and the H200's studies, blind: tables of other sizes are deduced from the curves
 * alone, and the published GPUs give what was published. */
#include "studies/micro/study.h"

#include "tier.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDER = 64 };

static void run(const char *study, const char *gpu, const char *const *set, micro_table_t *table) {
  char path[FOLDER], folder[] = "build/tmp/micro-XXXXXX", command[FOLDER + 16];
  config_t c;
  mrpb_err_t err = {{0}};
  snprintf(path, sizeof path, "configs/%s.conf", gpu);
  ck_assert_msg(config_load_device(&c, path, &err) == 0, "%s", err.text);
  for (; set && *set; set++) ck_assert_msg(config_set(&c, *set, &err) == 0, "%s", err.text);
  ck_assert_msg(config_check(&c, "test", &err) == 0, "%s", err.text);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  study_t s = {.on = bench_gpu_model(&c, NULL),
               .cfg = &c,
               .gpu = gpu,
               .name = study,
               .folder = folder,
               .out = stdout};
  const study_class_t *class = study_find(study);
  ck_assert_ptr_nonnull(class);
  ck_assert_msg(study_run(&s, class, &err) == 0, "%s", err.text);
  *table = s.table;
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}

static const micro_row_t *row(const micro_table_t *t, const char *what) {
  for (size_t i = 0; i < t->n; i++)
    if (strcmp(t->row[i].what, what) == 0) return &t->row[i];
  return NULL;
}

static double number(const micro_table_t *t, const char *what) {
  const micro_row_t *r = row(t, what);
  return r && r->deduced.kind == MICRO_NUMBER ? r->deduced.number : (double)NAN;
}

/* Published counts of threads, within a step. */
START_TEST(m2070) {
  static const struct {
    const char *what;
    double threads;
  } spike[] = {{"spike, unique, N = 1", 128},
               {"spike, unique, N = 2", 64},
               {"spike, Merger2, N = 1", 256},
               {"spike, Merger4, N = 2", 256},
               {"spike, Merger8, N = 4", 256}};
  micro_table_t t;
  run("thread-latency", "m2070", NULL, &t);
  for (unsigned i = 0; i < sizeof spike / sizeof *spike; i++)
    ck_assert_double_eq(number(&t, spike[i].what), spike[i].threads);
  ck_assert_str_eq(row(&t, "spike, Merger16, N = 4")->deduced.words, "none");
  ck_assert_str_eq(row(&t, "spike, Merger32, N = 4")->deduced.words, "none");
  ck_assert_str_eq(row(&t, "Merger16, what runs out first")->deduced.words, "load/store unit");
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
}
END_TEST

START_TEST(k20) {
  micro_table_t t;
  run("thread-latency", "k20", NULL, &t);
  ck_assert_str_eq(row(&t, "spike, unique, N = 1")->deduced.words, "none");
  ck_assert_double_le(fabs(number(&t, "spike, unique, N = 2") - 680), 32);
  ck_assert_double_le(fabs(number(&t, "spike, unique, N = 3") - 454), 32);
  ck_assert_double_eq(number(&t, "requests"), 1408);
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
}
END_TEST

static const struct {
  const char *gpu, *set[5], *what;
  double size, merges;
} blind[] = {
    {"m2070", {"MSHR_ENTRIES=96", "MSHR_MERGES=4"}, "MSHRs", 96, 4},
    {"m2070", {"MSHR_ENTRIES=37", "MSHR_MERGES=1"}, "MSHRs", 37, 1},
    {"m2070", {"MSHR_ENTRIES=127", "MSHR_MERGES=12", "LOADS_PER_WARP=7"}, "MSHRs", 127, 12},
    {"m2070", {"MSHR_ENTRIES=64", "L1D_REPLACEMENT=lru", "L2_LATENCY=500"}, "MSHRs", 64, 8},
    {"k20", {"PRT_LOADS=24"}, "PRT entries", 24, 0},
    {"k20", {"PRT_LOADS=24", "PRT_ORDER=any"}, "PRT entries", 24, 0},
    {"k20", {"PRT_LOADS=61"}, "PRT entries", 61, 0},
    {"k20", {"PRT_LOADS=7", "LOADS_PER_WARP=4"}, "PRT entries", 7, 0},
};

enum { BLIND = sizeof blind / sizeof *blind, BLIND_STEP = 2 };

START_TEST(blind_tables) {
  const int k = tier_case(_i, BLIND_STEP);
  micro_table_t t;
  run("thread-latency", blind[k].gpu, blind[k].set, &t);
  ck_assert_double_eq(number(&t, blind[k].what), blind[k].size);
  if (blind[k].merges > 0) ck_assert_double_eq(number(&t, "reads of one MSHR"), blind[k].merges);
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
}
END_TEST

START_TEST(h200_acceptance) {
  static const char *const other[] = {"PRT_LOADS=301", "LSU_QUEUE_SCHED=6", "LSU_QUEUE=15", NULL};
  micro_table_t t;
  run("acceptance", "h200", NULL, &t);
  ck_assert_double_eq(number(&t, "loads taken, 1 line each"), 572);
  ck_assert_double_eq(number(&t, "lines awaited, L1D of 28 KB"), 224);
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
  run("acceptance", "h200", other, &t);
  ck_assert_double_eq(number(&t, "warp loads that missed"), 301);
  ck_assert_double_eq(number(&t, "shared front queue"), 15);
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
}
END_TEST

START_TEST(h200_release) {
  static const char *const any[] = {"PRT_ORDER=any", NULL};
  micro_table_t t;
  run("release", "h200", NULL, &t);
  ck_assert_str_eq(row(&t, "release")->deduced.words, "in order");
  ck_assert_double_eq(number(&t, "loads taken, the slow one first"), 572);
  micro_table_free(&t);
  run("release", "h200", any, &t);
  ck_assert_str_eq(row(&t, "release")->deduced.words, "any order");
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
}
END_TEST

/* The sets' bits as configured, with lines in either order. */
START_TEST(h200_lines) {
  static const char *const any[] = {"L1D_ORDER=any", "L1D_HASH=1", "L1D_SETS=8", "L1D_WAYS=248",
                                    NULL};
  static const char *const modulo[] = {"L1D_HASH=0", NULL}, *const many[] = {"L1D_HASH=0",
                                                                             "L1D_SETS=31",
                                                                             "L1D_WAYS=64", NULL};
  micro_table_t t;
  run("lines", "h200", NULL, &t);
  ck_assert_double_eq(number(&t, "sets"), 4);
  ck_assert_str_eq(row(&t, "set of a line's bits")->deduced.words,
                   "1 2 1 2 3 1 2 3 2 1 2 1 3 1 3 2 1 3 1 3");
  ck_assert_str_eq(row(&t, "release of a warp's lines")->deduced.words, "in order");
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
  run("lines", "h200", any, &t);
  ck_assert_double_eq(number(&t, "sets"), 8);
  ck_assert_str_eq(row(&t, "set of a line's bits")->deduced.words,
                   "1 2 4 1 2 4 1 2 4 1 2 4 1 2 4 1 2 4 1 2");
  ck_assert_str_eq(row(&t, "release of a warp's lines")->deduced.words, "any order");
  ck_assert_uint_eq(micro_table_failures(&t), 0);
  micro_table_free(&t);
  run("lines", "h200", modulo, &t);
  ck_assert_str_eq(row(&t, "set of a line's bits")->deduced.words,
                   "1 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
  micro_table_free(&t);
  run("lines", "h200", many, &t);
  ck_assert_str_eq(row(&t, "lines")->deduced.words, "not measured");
  micro_table_free(&t);
}
END_TEST

Suite *test_micro_loads_suite(void);
Suite *test_micro_loads_suite(void) {
  Suite *s = suite_create("micro_loads");
  TCase *t = tcase_create("studies"), *b = tcase_create("tables");
  tcase_set_tags(t, "heavy");
  tcase_set_tags(b, "long");
  tcase_add_test(b, m2070);
  tcase_add_test(b, k20);
  tcase_add_test(t, h200_acceptance);
  tcase_add_test(t, h200_release);
  tcase_add_test(t, h200_lines);
  tcase_add_loop_test(b, blind_tables, 0, tier_cases(BLIND, BLIND_STEP));
  suite_add_tcase(s, t);
  suite_add_tcase(s, b);
  return s;
}
