/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* mkdtemp */
/* P-chase, access patterns and shared memory on the model of a GPU: the papers' GPUs, and blind
 * ones of other sizes. The table compares each deduction with the configuration. */
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/study.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  config_t cfg;
  study_t s;
  char folder[32];
  FILE *out;
} rig_t;

/* The configuration is GPU's file; `set`: assignments, NULL at the end. */
static void rig_open(rig_t *r, const char *gpu, const char *const *set) {
  mrpb_err_t err = {{0}};
  char path[64];
  snprintf(path, sizeof path, "configs/%s.conf", gpu);
  ck_assert_msg(config_load_device(&r->cfg, path, &err) == 0, "%s", err.text);
  for (; set && *set; set++) ck_assert_msg(config_set(&r->cfg, *set, &err) == 0, "%s", err.text);
  snprintf(r->folder, sizeof r->folder, "build/tmp/pchase-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(r->folder));
  r->out = fopen("/dev/null", "w");
  ck_assert_ptr_nonnull(r->out);
  r->s = (study_t){.on = bench_gpu_model(&r->cfg, NULL),
                   .cfg = &r->cfg,
                   .gpu = gpu,
                   .folder = r->folder,
                   .out = r->out};
}

static void rig_close(rig_t *r) {
  char command[64];
  micro_table_free(&r->s.table);
  fclose(r->out);
  snprintf(command, sizeof command, "rm -r %s", r->folder);
  ck_assert_int_eq(system(command), 0);
}

static const micro_row_t *find_row(const study_t *s, const char *what) {
  for (size_t i = 0; i < s->table.n; i++)
    if (strcmp(s->table.row[i].what, what) == 0) return &s->table.row[i];
  ck_abort_msg("no row %s", what);
}

/* Runs a study; every deduction must be that of the configuration. */
static void run(rig_t *r, const char *name) {
  mrpb_err_t err = {{0}};
  const study_class_t *c = study_find(name);
  ck_assert_ptr_nonnull(c);
  r->s.name = c->name;
  ck_assert_msg(study_run(&r->s, c, &err) == 0, "%s", err.text);
  ck_assert_uint_gt(r->s.table.n, 0);
  for (size_t i = 0; i < r->s.table.n; i++)
    ck_assert_msg(micro_deduction(&r->s.table.row[i]) != MICRO_DIFFERS, "%s %s",
                  r->s.table.row[i].what, r->s.table.row[i].deduced.words);
}

static void ck_number(const rig_t *r, const char *what, double want) {
  const micro_row_t *row = find_row(&r->s, what);
  ck_assert_int_eq(row->deduced.kind, MICRO_NUMBER);
  ck_assert_double_eq_tol(row->deduced.number, want, 0.5);
}

static void ck_words(const rig_t *r, const char *what, const char *want) {
  ck_assert_str_eq(find_row(&r->s, what)->deduced.words, want);
}

/* ---- P-chase --------------------------------------------------------------- */

START_TEST(pchase_fermi) {
  rig_t r;
  rig_open(&r, "gtx560ti", NULL);
  run(&r, "pchase");
  ck_number(&r, "L1D capacity", 16);
  ck_words(&r, "L1D sets x ways", "32 x 4");
  ck_number(&r, "L1D misses, one line too many in each set", 50);
  ck_words(&r, "L2 TLB sets x ways", "1 x 17, 6 x 8");
  ck_words(&r, "texture L1 address bits", "0x180");
  rig_close(&r);
}
END_TEST

START_TEST(pchase_kepler) {
  static const char *const half[] = {"WINDOW=28", NULL};
  rig_t r;
  rig_open(&r, "gtx780", _i ? half : NULL);
  run(&r, "pchase");
  ck_words(&r, "L1D", "none");
  ck_number(&r, "window of the page table", _i ? 256 : 512);
  ck_number(&r, "another window", 266);
  rig_close(&r);
}
END_TEST

static const char *const blind_a[] = {"L1D_WAYS=6",
                                      "L1D_REPLACEMENT=fifo",
                                      "TLB1_WAYS=12",
                                      "TLB2_SETS=5",
                                      "TLB2_WAYS=6",
                                      "TLB2_EXTRA=3",
                                      "TEX_SETS=8",
                                      "TEX_WAYS=20",
                                      "TEX_SHIFT=1",
                                      "PAGE=20",
                                      NULL};
static const char *const blind_b[] = {
    "L1D_SETS=64", "L1D_WAYS=3",   "L1D_REPLACEMENT=lru", "PAGE=19",
    "TEX_SETS=2",  "TEX_WAYS=64",  "TEX_SHIFT=3",         "TEX_REPLACEMENT=fifo",
    "TLB2_SETS=4", "TLB2_WAYS=16", "TLB2_EXTRA=0",        "TLB2_REPLACEMENT=fifo",
    NULL};

/* An L1D of one line; TLBs with the same sets, so that nothing of another set keeps the first busy.
 */
static const char *const blind_c[] = {"L1D_SETS=1",  "L1D_WAYS=1",   "TLB1_SETS=4",  "TLB1_WAYS=4",
                                      "TLB2_SETS=4", "TLB2_WAYS=10", "TLB2_EXTRA=0", NULL};

/* Two ways whose victims alternate; neighbours in the large set of a TLB behind another. */
static const char *const blind_d[] = {"L1D_SETS=1",  "L1D_WAYS=2",   "TLB2_SETS=7",
                                      "TLB2_WAYS=6", "TLB2_EXTRA=3", NULL};

START_TEST(pchase_blind) {
  rig_t r;
  static const struct {
    const char *const *set;
    const char *l1d, *policy, *tlb2, *tlb2_policy, *texture;
    unsigned page;
  } blind[] = {{blind_a, "32 x 6", "FIFO", "1 x 9, 4 x 6", "LRU", "8 x 20", 1024},
               {blind_b, "64 x 3", "LRU", "4 x 16", "FIFO", "2 x 64", 512},
               {blind_c, "1 x 1", "direct mapped", "4 x 10", "LRU", "4 x 96", 2048},
               {blind_d, "1 x 2", "FIFO", "1 x 9, 6 x 6", "LRU", "4 x 96", 2048}};
  rig_open(&r, "gtx560ti", blind[_i].set);
  run(&r, "pchase");
  ck_words(&r, "L1D sets x ways", blind[_i].l1d);
  ck_words(&r, "L1D replacement", blind[_i].policy);
  ck_words(&r, "L2 TLB sets x ways", blind[_i].tlb2);
  ck_words(&r, "L2 TLB replacement", blind[_i].tlb2_policy);
  ck_words(&r, "texture L1 sets x ways", blind[_i].texture);
  ck_number(&r, "page", blind[_i].page);
  rig_close(&r);
}
END_TEST

/* The instrument: latencies are those of the configuration to the cycle, over several segments of
 * its log; what cannot be walked is refused. */
START_TEST(instrument) {
  enum { N = 3, LOGGED = 1500 };
  static const char *const gpu[] = {"gtx560ti", "gtx780"};
  static const uint32_t want[2][3] = {{116, 371, 240}, {230, 230, 110}};
  rig_t r;
  mrpb_err_t err = {{0}}, refused = {{0}};
  pchase_bench_t b;
  uint32_t latency[LOGGED];
  rig_open(&r, gpu[_i / 3], NULL);
  r.s.on.err = &err;
  pchase_open(&b, &r.s.on, (pchase_space_t)(_i % 3));
  ck_assert_msg(study_ok(&r.s), "%s", err.text);
  ck_assert_uint_eq(b.hit, want[_i / 3][_i % 3]);
  uint64_t addr[N] = {b.base, b.base + 4096, b.base + 2048};
  ck_assert_msg(pchase_walk(&b, addr, N, N, LOGGED, latency, &err) == 0, "%s", err.text);
  for (unsigned i = 0; i < LOGGED; i++) ck_assert_uint_eq(latency[i], want[_i / 3][_i % 3]);
  addr[1] = b.base + 1;
  ck_assert_int_eq(pchase_walk(&b, addr, N, N, N, latency, &refused), -1);
  ck_assert_ptr_nonnull(strstr(refused.text, "legal: multiples of"));
  ck_assert_uint_eq(latency[0], 0);
  addr[1] = b.base + b.limit;
  refused.text[0] = '\0';
  ck_assert_int_eq(pchase_walk(&b, addr, N, N, N, latency, &refused), -1);
  ck_assert(study_ok(&r.s)); /* what a walk is refused for is its caller's alone */
  bench_close(&b.bench);
  rig_close(&r);
}
END_TEST

/* ---- patterns -------------------------------------------------------------- */

START_TEST(patterns) {
  static const char *const gpu[] = {"gtx560ti", "gtx780", "m2070", "k20", "gtx280", "h200"};
  rig_t r;
  rig_open(&r, gpu[_i], NULL);
  run(&r, "patterns");
  for (size_t i = 0; i < r.s.table.n; i++)
    ck_assert_int_ne(micro_publication(&r.s.table.row[i]), MICRO_DIFFERS);
  rig_close(&r);
}
END_TEST

START_TEST(patterns_blind) {
  static const char *const set[] = {
      "PAGE=20",        "TLB1_WAYS=12",   "TLB2_SETS=5", "TLB2_WAYS=6",
      "TLB2_EXTRA=3",   "WINDOW=28",      "WALK_L2=60",  "TLB1_MISS=11",
      "WINDOW_MISS=90", "L2_LATENCY=300", NULL};
  rig_t r;
  rig_open(&r, "gtx560ti", set);
  run(&r, "patterns");
  ck_number(&r, "pattern 2, L1D off", 311);
  ck_number(&r, "pattern 3, L1D off", 371);
  ck_number(&r, "pattern 6, L1D off", 639 + 11 + 579 + 90);
  rig_close(&r);
}
END_TEST

/* ---- shared memory --------------------------------------------------------- */

START_TEST(shared) {
  static const char *const gpu[] = {"gtx560ti", "gtx780", "m2070", "k20", "gtx280", "h200"};
  static const char *const blind[] = {"SHARED_LATENCY=31", "SHARED_CONFLICT=7", NULL};
  rig_t r;
  rig_open(&r, gpu[_i / 2], _i % 2 ? blind : NULL);
  run(&r, "shared");
  for (size_t i = 0; _i % 2 == 0 && i < r.s.table.n; i++)
    ck_assert_int_ne(micro_publication(&r.s.table.row[i]), MICRO_DIFFERS);
  rig_close(&r);
}
END_TEST

Suite *test_micro_pchase_suite(void);
Suite *test_micro_pchase_suite(void) {
  Suite *s = suite_create("micro_pchase");
  TCase *t = tcase_create("micro_pchase"), *h = tcase_create("walks");
  tcase_set_tags(h, "heavy");
  tcase_add_loop_test(t, instrument, 0, 6);
  tcase_add_loop_test(t, patterns, 0, 6);
  tcase_add_test(t, patterns_blind);
  tcase_add_loop_test(t, shared, 0, 12);
  tcase_add_test(h, pchase_fermi);
  tcase_add_loop_test(h, pchase_kepler, 0, 2);
  tcase_add_loop_test(h, pchase_blind, 0, 4);
  suite_add_tcase(s, t);
  suite_add_tcase(s, h);
  return s;
}
