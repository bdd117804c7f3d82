/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* What a study deduces, and which rows it has, does not depend on whether it knows the
 * configuration: a GPU that is no model gets the same rows, and nothing configured in them. */
#include "studies/micro/study.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run(const char *study, const char *gpu, bool known, micro_table_t *table) {
  char path[64], folder[] = "/tmp/micro-XXXXXX", clean[64];
  device_cfg_t cfg;
  mrpb_err_t err = {{0}};
  snprintf(path, sizeof path, "configs/%s.conf", gpu);
  ck_assert_msg(device_cfg_load(&cfg, path, &err) == 0, "%s", err.text);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  FILE *out = fopen("/dev/null", "w");
  ck_assert_ptr_nonnull(out);
  study_t s = {.on = bench_gpu_model(&cfg, NULL),
               .cfg = known ? &cfg : NULL,
               .gpu = gpu,
               .name = study,
               .folder = folder,
               .out = out};
  ck_assert_msg(study_find(study)->run(&s, &err) == 0, "%s", err.text);
  *table = s.table;
  fclose(out);
  snprintf(clean, sizeof clean, "rm -r %s", folder);
  ck_assert_int_eq(system(clean), 0);
}

static bool same(const micro_value_t *a, const micro_value_t *b) {
  if (a->kind != b->kind || strcmp(a->words, b->words) != 0) return false;
  return a->kind != MICRO_NUMBER || fabs(a->number - b->number) <= 0;
}

static void ck_blind(const char *study, const char *gpu) {
  micro_table_t seeing, blind;
  size_t configured = 0;
  run(study, gpu, true, &seeing);
  run(study, gpu, false, &blind);
  ck_assert_uint_gt(blind.n, 0);
  ck_assert_uint_eq(seeing.n, blind.n);
  for (size_t i = 0; i < blind.n; i++) {
    const micro_row_t *a = &seeing.row[i], *b = &blind.row[i];
    ck_assert_str_eq(a->what, b->what);
    ck_assert_msg(same(&a->deduced, &b->deduced), "%s, %s: %s", gpu, study, a->what);
    ck_assert_int_eq(b->configured.kind, MICRO_NONE);
    configured += a->configured.kind != MICRO_NONE;
  }
  ck_assert_uint_gt(configured, 0);
  micro_table_free(&seeing);
  micro_table_free(&blind);
}

static const struct {
  const char *study, *gpu;
} quick[] = {{"pchase", "gtx560ti"}, {"pchase", "gtx780"},     {"shared", "gtx780"},
             {"shared", "gtx280"},   {"patterns", "gtx560ti"}, {"patterns", "gtx780"},
             {"release", "h200"},    {"registers", "gtx280"},  {"divergence", "gtx280"},
             {"barriers", "gtx280"}},
  slow[] = {{"thread-latency", "m2070"}, {"thread-latency", "k20"}, {"acceptance", "h200"},
            {"memory", "gtx280"},        {"constants", "gtx280"},   {"instructions", "gtx280"},
            {"pipelines", "gtx280"},     {"l2-copy", "k20"}};
enum { QUICK = sizeof quick / sizeof *quick, SLOW = sizeof slow / sizeof *slow };

START_TEST(quick_ones) {
  ck_blind(quick[_i].study, quick[_i].gpu);
}
END_TEST
START_TEST(slow_ones) {
  ck_blind(slow[_i].study, slow[_i].gpu);
}
END_TEST

Suite *test_micro_blind_suite(void);
Suite *test_micro_blind_suite(void) {
  Suite *s = suite_create("micro_blind");
  TCase *q = tcase_create("quick"), *l = tcase_create("slow");
  tcase_set_timeout(q, 60);
  tcase_set_timeout(l, 120);
  tcase_set_tags(q, "heavy");
  tcase_set_tags(l, "long");
  tcase_add_loop_test(q, quick_ones, 0, QUICK);
  tcase_add_loop_test(l, slow_ones, 0, SLOW);
  suite_add_tcase(s, q);
  suite_add_tcase(s, l);
  return s;
}
