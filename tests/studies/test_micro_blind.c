/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* What a study deduces, and which rows it has, does not depend on whether it knows the
 * configuration: a GPU that is no model gets the same rows, and nothing configured in them. */
#include "studies/micro/study.h"

#include "tier.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `sets`: "KEY=VALUE KEY=VALUE", in place of the GPU's. */
static void run(const char *study, const char *gpu, const char *sets, bool known,
                micro_table_t *table) {
  char path[64], folder[] = "build/tmp/micro-XXXXXX", clean[64];
  config_t cfg;
  mrpb_err_t err = {{0}};
  snprintf(path, sizeof path, "configs/%s.conf", gpu);
  ck_assert_msg(config_load_device(&cfg, path, &err) == 0, "%s", err.text);
  for (const char *at = sets; *at; at += strspn(at, " ")) {
    char assignment[64];
    snprintf(assignment, sizeof assignment, "%.*s", (int)strcspn(at, " "), at);
    ck_assert_msg(config_set(&cfg, assignment, &err) == 0, "%s", err.text);
    at += strcspn(at, " ");
  }
  ck_assert_msg(config_check(&cfg, path, &err) == 0, "%s", err.text);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  FILE *out = fopen("/dev/null", "w");
  ck_assert_ptr_nonnull(out);
  study_t s = {.on = bench_gpu_model(&cfg, NULL),
               .cfg = known ? &cfg : NULL,
               .gpu = gpu,
               .name = study,
               .folder = folder,
               .out = out};
  ck_assert_msg(study_run(&s, study_find(study), &err) == 0, "%s", err.text);
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
  run(study, gpu, "", true, &seeing);
  run(study, gpu, "", false, &blind);
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
            {"pipelines", "gtx280"},     {"l2-copy", "k20"},        {"lrc", "h200"}};
enum { QUICK = sizeof quick / sizeof *quick, SLOW = sizeof slow / sizeof *slow, SLOW_STEP = 2 };

START_TEST(quick_ones) {
  ck_blind(quick[_i].study, quick[_i].gpu);
}
END_TEST
START_TEST(slow_ones) {
  const int k = tier_case(_i, SLOW_STEP);
  ck_blind(slow[k].study, slow[k].gpu);
}
END_TEST

/* A row of each class that hidden GPUs once showed wrong (docs/micro/blind.md): each study is right now,
 * or says that it does not know, and where it can be right it is not silent. `right`: so many rows
 * at least. */
static const struct {
  const char *study, *gpu, *sets;
  size_t right;
} once_wrong[] = {
    {"shared", "gtx780", "SHARED_BYTES=7030", 0},
    {"shared", "h200", "SHARED_CYCLES=3", 20},
    {"pchase", "gtx560ti", "DRAM_SPREAD=9", 30},
    {"pchase", "m2070", "PAGE=29", 20},
    {"pchase", "k20", "DRAM_SPREAD=41 L2_SPREAD=26 CLOCK_SHIFT=4", 9},
    {"pchase", "h200", "NOISE=7 NOISE_LATE=500 NOISE_SEED=110170", 8},
    {"patterns", "k20", "WINDOW=17", 7},
    {"patterns", "gtx780", "PAGE=29", 3},
    {"patterns", "h200", "NOISE=20 NOISE_LATE=500 NOISE_SEED=110230", 3},
    {"memory", "gtx280", "NOISE=22 NOISE_LATE=500", 3},
    {"memory", "gtx280", "TLB3_WAYS=21", 10},
    {"constants", "gtx280", "SMS=17", 20},
    {"constants", "gtx280", "CONST3_SETS=5", 8},
    {"constants", "gtx280", "CONST1_LINE=9", 10},
    {"constants", "gtx280",
     "CONST3_PORT=3655 CLOCK_CYCLES=44 NOISE=1 NOISE_LATE=500 NOISE_SEED=191000", 18},
    {"instructions", "gtx280", "PREFETCH=1 BRANCH_CYCLES=93", 11},
    {"registers", "gtx780", "REGISTERS_PER_SM=18696", 5},
    {"registers", "gtx280", "SHARED_BYTES=54737", 5},
    {"l2-copy", "m2070", "L2_REPLACEMENT=fermi", 1},
    {"l2-copy", "h200", "DRAM_FAR=39 DRAM_SPREAD=6 NOISE=5 NOISE_LATE=500 NOISE_SEED=200830", 0},
    {"acceptance", "h200", "HOST_LATENCY=1677", 14},
    {"instructions", "gtx280", "PREFETCH=3", 5},
    {"instructions", "gtx280", "PREFETCH=5", 1},
    {"instructions", "gtx280", "CONST2_WAYS=1", 8},
    {"instructions", "gtx280", "CONST2_LINE=7", 2},
    {"instructions", "gtx280", "CONST1_LATENCY=48", 8},
    {"thread-latency", "gtx280", "HOST_LATENCY=30", 0},
    {"shared", "m2070", "CLOCK_SHIFT=4", 20},
    {"acceptance", "h200", "L1D_ORDER=any LSU_SERVICE=2", 8},
    {"pchase", "gtx780", "L2_PORT=6", 1},
    {"pchase", "h200", "L1D_WAYS=1400", 14},
    {"pchase", "h200", "PAGE=12", 8},
    {"instructions", "gtx280", "CLUSTER_PORT=60", 7},
    {"constants", "gtx280", "CLUSTER_PORT=60", 14},
    {"constants", "gtx280", "CONST3_WAYS=3 CONST3_LATENCY=431", 8},
    {"constants", "gtx280", "INST1_SETS=14", 15},
    {"constants", "gtx280", "CLUSTER=8 SMS=8", 15},
    {"constants", "gtx280", "CONST1_WAYS=3 CONST1_SETS=11", 3},
    {"thread-latency", "gtx560ti", "SCHEDULERS=1 OPS=gt200 LSU_CYCLES=5", 5},
    {"latency", "h200", "NOISE=20 NOISE_LATE=500 NOISE_SEED=110230", 10},
    {"latency", "h200", "DRAM_LATE=400 HOST_LATE=250 HOST_FAR=260 NOISE=7 NOISE_SEED=3", 12},
    {"latency", "h200", "CLOCK_SHIFT=4", 8},
    {"latency", "gtx780", "L2_PORT=7", 6},
    {"latency", "k20", "DRAM_FAR=15", 11},
    {"acceptance", "h200", "HOST_LATENCY=900 HOST_SPREAD=300", 14},
    {"latency", "h200", "HOST_ORDER=in-order HOST_FAR=260 HOST_LATE=350 NOISE=9 NOISE_SEED=4", 12},
    {"latency", "h200", "HOST_PORT=600 HOST_REQUEST=0 HOST_LATE=350 NOISE=9 NOISE_SEED=4", 10},
    {"lines", "h200", "L1D_ORDER=any", 3},
    {"lines", "h200", "L1D_HASH=1 L1D_SETS=8 L1D_WAYS=248", 3},
    {"lines", "h200", "L1D_HASH=0 NOISE=20 NOISE_LATE=500 NOISE_SEED=110230", 2},
    {"lines", "h200", "HOST_READS=20", 2},
    {"lines", "h200", "CLOCK_SHIFT=4 HOST_LATENCY=1677", 2},
    {"latency", "gtx780", "HOST_LATENCY=33 DRAM_SPREAD=18", 8},
    {"constants", "m2070", "CONST1_SETS=59", 2},
    {"instructions", "gtx780", "INST1_SETS=9", 1},
    {"instructions", "gtx780", "INST1_SETS=9 L2_SPREAD=24 NOISE=20 NOISE_SEED=160110", 1},
    {"pchase", "gtx780", "PAGE=30", 9},
    {"memory", "gtx280", "DRAM_FAR=50", 4},
    {"memory", "gtx280", "DRAM_FAR=200", 4},
    {"pchase", "h200", "L1D_LATENCY=8 LOAD_CYCLES=13", 12},
    {"patterns", "h200", "L1D_LATENCY=8 LOAD_CYCLES=12", 3},
    {"pchase", "h200", "L2_SPREAD=7", 8},
    {"thread-latency", "h200", "SCHED_SLOTS=27 BLOCKS_PER_SM=4 L1D_LATENCY=14", 0},
    {"latency", "m2070", "PAGE=12", 8},
    {"latency", "h200", "PAGE=12", 12},
    {"latency", "gtx780", "TLB1_WAYS=5", 8},
    {"latency", "gtx280", "DRAM_FAR=42", 2},
    {"latency", "m2070", "L2_WAYS=5 NOISE=20 NOISE_LATE=500 NOISE_SEED=160020", 5},
    {"latency", "h200", "L2_LINE=8 DRAM_LINE=20 BRANCH_PASSED=16 SP_LATENCY=5", 16},
    {"thread-latency", "gtx780", "L2_PORT=47", 1},
    {"thread-latency", "h200", "HOST_READS=256 HOST_LATE=400 HOST_FAR=270", 2},
    {"constants", "gtx280", "SMS=60", 20},
    {"constants", "gtx280", "CONST2_LINE=10", 5},
    {"latency", "h200", "DRAM_FAR=15 NOISE=17 NOISE_LATE=500 NOISE_SEED=180070", 10},
    {"latency", "m2070", "L2_WAYS=4 CLUSTER=4 CLUSTER_SPREAD=57 SMS=5", 6},
    {"latency", "k20", "DRAM_SPREAD=18 PAGE=17", 6},
    {"latency", "gtx280", "OPS=plain CLUSTER=2 BRANCH_CYCLES=47", 4},
    {"latency", "gtx280", "SHARED_BYTES=5417", 0},
    {"instructions", "gtx280", "INST1_LINE=9 SCHEDULERS=1", 1},
    {"lines", "h200", "HOST_READS=11", 2},
    {"acceptance", "h200", "SP_UNITS=1", 8},
    {"release", "h200", "PRT_LOADS=20", 3},
    {"release", "h200", "PRT_LOADS=40", 3},
    {"pchase", "gtx560ti", "TLB2_SETS=1", 20},
    {"pchase", "gtx560ti", "TLB2_SETS=2 TLB2_WAYS=8 TLB2_EXTRA=3", 20},
    {"memory", "gtx280", "TLB2_SETS=3 TLB2_WAYS=5", 6},
    {"release", "h200", "L1D_WAYS=56 L2_LATENCY=600", 2},
    {"shared", "h200", "SHARED_CONFLICT=0", 7},
    {"shared", "gtx780", "SHARED_CONFLICT=0", 14},
    {"lrc", "h200", "LRC=0 SMS=24 CLUSTER=6", 1},
    {"lrc", "h200", "LRC=1 SMS=24 CLUSTER=6 SECTORS=0", 1},
    {"lrc", "h200", "LRC=2 SMS=40 CLUSTER=10 L2_PORTS=16", 3},
    {"lrc", "h200", "LRC=5 SMS=16 CLUSTER=4", 3},
    {"lrc", "h200", "LRC=29 SMS=64 CLUSTER=8", 3},
    {"lrc", "h200", "LRC=64 SMS=24 CLUSTER=6", 3},
    {"lrc", "h200", "LRC=4 SMS=18", 3},
    {"lrc", "h200", "LRC=4 SMS=24 CLUSTER=6 L2_SLICE_PORT=20000", 3},
    {"lrc", "h200", "LRC=6 SMS=30 CLUSTER=7 CLOCK_SHIFT=4 PLACEMENT=cluster", 3},
    {"lrc", "h200", "LRC=7 SMS=40 CLUSTER=5 NOISE=20 NOISE_LATE=500", 2},
    {"lrc", "k20", "LRC=4", 0},
    {"lrc", "gtx280", "LRC=8", 0},
};
enum { ONCE_WRONG = sizeof once_wrong / sizeof *once_wrong, ONCE_WRONG_STEP = 6 };

START_TEST(rows_once_wrong) {
  const int k = tier_case(_i, ONCE_WRONG_STEP);
  const char *study = once_wrong[k].study, *gpu = once_wrong[k].gpu, *sets = once_wrong[k].sets;
  micro_table_t t;
  size_t right = 0;
  run(study, gpu, sets, true, &t);
  for (size_t i = 0; i < t.n; i++) {
    micro_verdict_t v = micro_deduction(&t.row[i]);
    ck_assert_msg(v != MICRO_DIFFERS, "%s, %s, %s: %s", study, gpu, sets, t.row[i].what);
    right += v == MICRO_EQUAL || v == MICRO_IS_WITHIN;
  }
  ck_assert_msg(right >= once_wrong[k].right, "%s, %s, %s: %zu rows right", study, gpu, sets,
                right);
  ck_assert_uint_gt(t.n, 0);
  micro_table_free(&t);
}
END_TEST

Suite *test_micro_blind_suite(void);
Suite *test_micro_blind_suite(void) {
  Suite *s = suite_create("micro_blind");
  TCase *q = tcase_create("quick"), *l = tcase_create("slow"), *w = tcase_create("once wrong");
  tcase_set_timeout(q, 60);
  tcase_set_timeout(l, 120);
  tcase_set_tags(q, "heavy");
  tcase_set_tags(l, "long");
  tcase_add_loop_test(q, quick_ones, 0, QUICK);
  tcase_add_loop_test(l, slow_ones, 0, tier_cases(SLOW, SLOW_STEP));
  tcase_set_timeout(w, 120);
  tcase_set_tags(w, "long");
  tcase_add_loop_test(w, rows_once_wrong, 0, tier_cases(ONCE_WRONG, ONCE_WRONG_STEP));
  suite_add_tcase(s, w);
  suite_add_tcase(s, q);
  suite_add_tcase(s, l);
  return s;
}
