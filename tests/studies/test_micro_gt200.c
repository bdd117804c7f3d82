/* SPDX-License-Identifier: Apache-2.0 */
/* The studies of paper 004: on the GTX 280 as configured, and blind on other sizes. A study's rows
 * fail if it deduces something other than what was configured. */
#include "studies/micro/study.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs a study with `sets` changed; its table. */
static void run(study_t *s, const char *name, const char *const sets[]) {
  static const unit_choice_t choice = {.sm = -1};
  config_t cfg;
  mrpb_err_t err = {{0}};
  char folder[] = "build/tmp/mrpb-gt200-XXXXXX", clean[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_msg(config_load_device(&cfg, "configs/gtx280.conf", &err) == 0, "%s", err.text);
  for (unsigned i = 0; sets && sets[i]; i++)
    ck_assert_msg(config_set(&cfg, sets[i], &err) == 0, "%s", err.text);
  *s = (study_t){.on = bench_gpu_model(&cfg, &choice),
                 .cfg = &cfg,
                 .gpu = "gtx280",
                 .name = name,
                 .folder = folder};
  ck_assert_msg(study_run(s, study_find(name), &err) == 0, "%s", err.text);
  for (size_t i = 0; i < s->table.n; i++)
    ck_assert_msg(micro_deduction(&s->table.row[i]) != MICRO_DIFFERS, "%s: %g",
                  s->table.row[i].what, s->table.row[i].deduced.number);
  snprintf(clean, sizeof clean, "rm -r %s", folder);
  ck_assert_int_eq(system(clean), 0);
}

static double value(const study_t *s, const char *what) {
  for (size_t i = 0; i < s->table.n; i++)
    if (strcmp(s->table.row[i].what, what) == 0) return s->table.row[i].deduced.number;
  ck_abort_msg("no row %s", what);
}

static const char *words(const study_t *s, const char *what) {
  for (size_t i = 0; i < s->table.n; i++)
    if (strcmp(s->table.row[i].what, what) == 0) return s->table.row[i].deduced.words;
  ck_abort_msg("no row %s", what);
}

START_TEST(as_published) {
  static const char *const names[] = {"divergence", "barriers", "registers"};
  study_t s;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    run(&s, names[i], NULL);
    for (size_t k = 0; k < s.table.n; k++)
      ck_assert_msg(micro_publication(&s.table.row[k]) != MICRO_DIFFERS, "%s", s.table.row[k].what);
    micro_table_free(&s.table);
  }
}
END_TEST

START_TEST(other_tlbs) {
  static const char *const sets[] = {
      "TLB1_WAYS=12", "TLB2_SETS=4",           "TLB2_WAYS=6",    "TLB3_WAYS=3",       "TLB3_HIT=25",
      "PAGE=18",      "DRAM_LOAD_LATENCY=520", "L2_LATENCY=520", "SHARED_LATENCY=45", NULL};
  study_t s;
  run(&s, "memory", sets);
  ck_assert(value(&s, "TLB1 entries") == 12 && value(&s, "TLB2 entries") == 24);
  ck_assert(value(&s, "TLB2 sets") == 4 && value(&s, "TLB3 entries") == 3 &&
            value(&s, "page") == 1 << 18);
  micro_table_free(&s.table);
}
END_TEST

/* Sets of the first TLB are no larger pages. */
START_TEST(sets_of_tlb1) {
  static const struct {
    const char *set[4];
    double entries, sets, page;
  } tlb[] = {{{"TLB1_SETS=2", "TLB1_WAYS=8"}, 16, 2, 1 << 19},
             {{"TLB1_SETS=3", "TLB1_WAYS=5"}, 15, 3, 1 << 19},
             {{"TLB1_SETS=16", "TLB1_WAYS=1"}, 16, 16, 1 << 19},
             {{"TLB1_SETS=2", "TLB1_WAYS=8", "PAGE=20"}, 16, 2, 1 << 20}};
  for (unsigned i = 0; i < sizeof tlb / sizeof *tlb; i++) {
    study_t s;
    run(&s, "memory", tlb[i].set);
    ck_assert(value(&s, "TLB1 entries") == tlb[i].entries && value(&s, "page") == tlb[i].page);
    ck_assert(value(&s, "TLB1 sets") == tlb[i].sets);
    micro_table_free(&s.table);
  }
}
END_TEST

START_TEST(other_registers) {
  static const char *const sets[] = {"REGISTER_UNIT=8", "THREAD_UNIT=96", "REGISTERS_PER_THREAD=96",
                                     "BARRIER_LATENCY=33", NULL};
  static const char *const few[] = {"REGISTER_UNIT=8", "THREAD_UNIT=128", "REGISTERS_PER_THREAD=96",
                                    NULL};
  study_t s;
  run(&s, "registers", sets);
  ck_assert(value(&s, "unit of registers") == 8 && value(&s, "unit of threads") == 96);
  micro_table_free(&s.table);
  run(&s, "registers", few); /* the largest block shrinks behind 32, 40 and 64 registers */
  ck_assert_int_eq(study_find_row(&s, ROW_REGISTER_UNIT)->deduced.kind, MICRO_RANGE);
  ck_assert(value(&s, "unit of threads") == 128);
  micro_table_free(&s.table);
  run(&s, "barriers", sets);
  micro_table_free(&s.table);
}
END_TEST

START_TEST(other_instruction_caches) {
  static const char *const sets[] = {"CONST2_SETS=4", "CONST2_WAYS=8", "CONST3_SETS=8",
                                     "CONST3_WAYS=12", NULL};
  static const char *const smaller[] = {"FETCH_BLOCK=5", NULL};
  static const char *const larger[] = {"FETCH_BLOCK=7", "PREFETCH=1", NULL};
  study_t s;
  run(&s, "instructions", sets);
  ck_assert(value(&s, "L2 sets") == 4 && value(&s, "L3 ways") == 12);
  micro_table_free(&s.table);
  run(&s, "instructions", smaller);
  ck_assert(value(&s, "L1 line") == 256 && value(&s, "fetch") == 32);
  micro_table_free(&s.table);
  run(&s, "instructions", larger);
  ck_assert(value(&s, "L1 line") == 256 && value(&s, "fetch") == 128);
  micro_table_free(&s.table);
}
END_TEST

/* The words follow DIVERGENCE, CLUSTER and INST1_SETS. */
START_TEST(other_side_first) {
  static const char *const sets[] = {"DIVERGENCE=reference", NULL};
  study_t s;
  run(&s, "divergence", sets);
  ck_assert_str_eq(words(&s, "side of a branch that runs first"), "without the highest lane");
  ck_assert_str_eq(words(&s, "order, Figure 7"), "the first clause first");
  ck_assert_str_eq(words(&s, "Listing 3"), "deadlock");
  micro_table_free(&s.table);
  run(&s, "barriers", sets);
  ck_assert_str_eq(words(&s, "Listing 4: the other half's data"), "seen");
  ck_assert_str_eq(words(&s, "Listing 6: barriers that pair"), "1 with 3, 2 with 4");
  micro_table_free(&s.table);
}
END_TEST

START_TEST(other_sharing) {
  static const char *const sets[] = {"CLUSTER=1", "SMS=10", "INST1_SETS=0", NULL};
  study_t s;
  run(&s, "constants", sets);
  ck_assert_str_eq(words(&s, "L2 shared within"), "SM");
  ck_assert_str_eq(words(&s, "L3 shared within"), "GPU");
  study_of(&s, "3");
  ck_assert_int_eq(study_find_row(&s, ROW_CONST_CODE_WITHIN)->deduced.kind,
                   MICRO_UNDECIDED); /* nobody, or code that fits its own cache */
  micro_table_free(&s.table);
}
END_TEST

/* As in the paper, eight threads that read constants get no more from the L3 than one does. */
START_TEST(bandwidth) {
  static const char *const sets[] = {"CONST3_PORT=700", "CLUSTER_PORT=115", NULL};
  study_t s;
  run(&s, "constants", sets);
  ck_assert(fabs(value(&s, "L3 bandwidth") - 7) < 0.2);
  ck_assert(fabs(value(&s, "L3 bandwidth, one block") - 1.15) < 0.03);
  micro_table_free(&s.table);
}
END_TEST

START_TEST(other_pipelines) {
  static const char *const sets[] = {"SP_LATENCY=30", "SFU_LATENCY=36", "DPU_CYCLES=48",
                                     "SCHED_SLOTS=0", "CLOCK_SHIFT=2",  NULL};
  study_t s;
  run(&s, "pipelines", sets);
  ck_assert(value(&s, "cycles of a tick") == 4 && value(&s, "issue rate, DPU") == 48);
  /* One multiply to the SPs every 4 cycles, one to the SFUs every 8. */
  ck_assert(fabs(value(&s, "throughput, mul, float") - 12) < 0.1);
  micro_table_free(&s.table);
}
END_TEST

Suite *test_micro_gt200_suite(void);
Suite *test_micro_gt200_suite(void) {
  Suite *s = suite_create("micro_gt200");
  TCase *c = tcase_create("studies"), *h = tcase_create("sweeps"), *l = tcase_create("caches");
  tcase_set_timeout(c, 120);
  tcase_set_timeout(h, 120);
  tcase_set_timeout(l, 120);
  tcase_set_tags(h, "heavy");
  tcase_set_tags(l, "long");
  tcase_add_test(c, as_published);
  tcase_add_test(c, other_registers);
  tcase_add_test(c, other_side_first);
  tcase_add_test(h, other_tlbs);
  tcase_add_test(h, sets_of_tlb1);
  tcase_add_test(l, other_instruction_caches);
  tcase_add_test(l, other_sharing);
  tcase_add_test(l, bandwidth);
  tcase_add_test(h, other_pipelines);
  suite_add_tcase(s, c);
  suite_add_tcase(s, h);
  suite_add_tcase(s, l);
  return s;
}
