/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of straight code in study `rates`: the instrument reads back from the model what the keys of
 * its instruction caches say, or does not decide. */
#include "studies/micro/studies/rates_code.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* `sets` in place of the H200's, up to NULL. */
static void run(study_t *s, const char *const *sets) {
  static config_t cfg;
  const rate_t how = {.blocks = 1, .warps = 1, .rounds = 32, .step = 3};
  rate_bench_t b;
  mrpb_err_t err = {{0}};
  ck_assert_msg(config_load_device(&cfg, "configs/h200.conf", &err) == 0, "%s", err.text);
  for (; *sets; sets++) ck_assert_msg(config_set(&cfg, *sets, &err) == 0, "%s", err.text);
  ck_assert_msg(config_check(&cfg, "test", &err) == 0, "%s", err.text);
  *s = (study_t){.on = bench_gpu_model(&cfg, NULL), .cfg = &cfg, .gpu = "h200", .name = "rates"};
  s->on.err = &err;
  rate_open(&b, &s->on, 0);
  study_of(s, "fma.rn.f32|1");
  study_row(s, ROW_RATE_WARPS, rate_run(&b, RATE_F32, &how, false), (double)NAN, NULL);
  rates_code(s, &b);
  ck_assert_msg(study_ok(s), "%s", err.text);
  s->on.err = NULL;
  bench_close(&b.bench);
  for (size_t i = 0; i < s->table.n; i++)
    ck_assert_msg(micro_deduction(&s->table.row[i]) != MICRO_DIFFERS, "%s: %g, not %g",
                  s->table.row[i].what, s->table.row[i].deduced.number,
                  s->table.row[i].configured.number);
}

static const micro_value_t *found(const study_t *s, study_row_t id) {
  const micro_row_t *row = study_find_row(s, id);
  ck_assert_msg(row != NULL, "no row %d", id);
  return &row->deduced;
}

static void ck_range(const study_t *s, study_row_t id, double lo, double hi) {
  const micro_value_t *v = found(s, id);
  ck_assert_int_eq(v->kind, MICRO_RANGE);
  ck_assert_msg(v->number == lo && v->hi == hi, "%d: %g to %g", id, v->number, v->hi);
}

static void ck_near(const study_t *s, study_row_t id, double pace) {
  const micro_value_t *v = found(s, id);
  ck_assert_int_eq(v->kind, MICRO_NUMBER);
  ck_assert_msg(v->number > 0.95 * pace && v->number < 1.05 * pace, "%d: %g", id, v->number);
}

/* 2048 and 8192 instructions fill these caches, so that a loop of as many is a little too long. A
 * line of 8 instructions takes (115 + 8) / 7 cycles from the second, (308 + 8) / 7 from beyond. */
START_TEST(as_configured) {
  static const char *const sets[] = {NULL};
  study_t s;
  run(&s, sets);
  ck_range(&s, ROW_CODE_IN_TIME, 1024, 2048);
  ck_near(&s, ROW_CODE_PACE, 123 / 7.0 / 8);
  ck_range(&s, ROW_CODE_AT_PACE, 4096, 8192);
  ck_near(&s, ROW_CODE_LAST_PACE, 316 / 7.0 / 8);
  micro_table_free(&s.table);
}
END_TEST

/* 5120 instructions of 8 bytes, and 16384. A line has 16: (384 + 16) / 4 cycles from the second; what
 * is beyond is not met. */
START_TEST(other_caches) {
  static const char *const sets[] = {"INST_BYTES=8",      "INST1_SETS=64",
                                     "INST1_WAYS=5",      "PREFETCH=3",
                                     "CONST2_SETS=128",   "CONST2_LATENCY=402",
                                     "CONST2_WAYS=9",     "CONST3_LATENCY=402",
                                     "CONST_LATENCY=502", NULL};
  study_t s;
  run(&s, sets);
  ck_range(&s, ROW_CODE_IN_TIME, 4096, 8192);
  ck_near(&s, ROW_CODE_PACE, 400 / 4.0 / 16);
  ck_assert(found(&s, ROW_CODE_AT_PACE)->number == 16384);
  ck_assert_ptr_null(study_find_row(&s, ROW_CODE_LAST_PACE));
  micro_table_free(&s.table);
}
END_TEST

START_TEST(no_cache) {
  static const char *const sets[] = {"INST1_SETS=0", NULL};
  study_t s;
  run(&s, sets);
  ck_assert_int_eq(found(&s, ROW_CODE_IN_TIME)->kind, MICRO_UNDECIDED);
  micro_table_free(&s.table);
}
END_TEST

/* Even the shortest loop is longer than the cache: no loop tells the full pace. */
START_TEST(a_tiny_cache) {
  static const char *const sets[] = {"INST1_SETS=4", NULL};
  study_t s;
  run(&s, sets);
  ck_assert_int_eq(found(&s, ROW_CODE_IN_TIME)->kind, MICRO_UNDECIDED);
  micro_table_free(&s.table);
}
END_TEST

Suite *test_micro_code_suite(void);
Suite *test_micro_code_suite(void) {
  Suite *s = suite_create("micro_code");
  TCase *t = tcase_create("micro_code");
  tcase_add_test(t, as_configured);
  tcase_add_test(t, other_caches);
  tcase_add_test(t, no_cache);
  tcase_add_test(t, a_tiny_cache);
  suite_add_tcase(s, t);
  return s;
}
