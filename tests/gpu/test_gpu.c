/* SPDX-License-Identifier: Apache-2.0 */
/* The whole GPU: cycle counts against the reference's, equal results with sleeping SMs and with
 * other stand-ins, a mismatch, a hang, Ctrl-C, waves. */
#include "gpu/gpu.h"
#include "workload/program_help.h"

#include <math.h>
#include <unistd.h>

typedef struct {
  const char *kernel;
  uint32_t cut, size;
  config_t cfg;
  unit_choice_t choice;
  bool no_sleep;
  const char *vcd;
  bool (*poll)(void *ctx, uint64_t cycles, double fraction);
} job_t;

/* Everything a run counts. */
typedef struct {
  gpu_end_t end;
  uint64_t cycles;
  gpu_kernel_stats_t kernel[2];
  sm_stats_t sm;
  l1d_stats_t l1d;
  l2_stats_t l2;
  dram_stats_t dram;
  icnt_stats_t icnt[ICNT_DIRECTIONS];
} result_t;

static job_t job(const char *kernel, uint32_t cut) {
  job_t j = {.kernel = kernel, .cut = cut, .choice = {.sm = -1}};
  config_defaults(&j.cfg);
  return j;
}

static void run(const job_t *j, result_t *r, mrpb_err_t *err) {
  program_options_t o = {.cut = j->cut, .size = j->size, .model = PROGRAM_MODEL_B};
  workload_t *w;
  gpu_t *g;
  memset(r, 0, sizeof *r);
  ck_assert_msg(program_open(&w, j->kernel, &o, err) == 0, "%s", err->text);
  gpu_setup_t s = {.cfg = &j->cfg,
                   .workload = w,
                   .choice = &j->choice,
                   .no_sleep = j->no_sleep,
                   .vcd = j->vcd,
                   .vcd_sm = 1,
                   .vcd_from = 500,
                   .vcd_to = 700,
                   .poll = j->poll};
  ck_assert_msg(gpu_create(&g, &s, err) == 0, "%s", err->text);
  r->end = gpu_run(g, err);
  if (r->end == GPU_DONE) ck_assert_msg(workload_check(w, err) == 0, "%s", err->text);
  r->cycles = gpu_cycles(g);
  for (unsigned i = 0; i < gpu_kernels(g) && i < 2; i++) r->kernel[i] = *gpu_kernel(g, i);
  r->sm = gpu_sm_stats(g);
  r->l1d = gpu_l1d_stats(g);
  r->l2 = gpu_l2_stats(g);
  r->dram = gpu_dram_stats(g);
  for (unsigned d = 0; d < ICNT_DIRECTIONS; d++)
    r->icnt[d] = gpu_icnt_stats(g, (icnt_direction_t)d);
  gpu_destroy(g);
  workload_close(w);
}

static result_t run_well(const job_t *j) {
  mrpb_err_t err = {{0}};
  result_t r;
  run(j, &r, &err);
  ck_assert_msg(r.end == GPU_DONE, "end %d: %s", (int)r.end, err.text);
  return r;
}

static void expect_same(const result_t *a, const result_t *b) {
  ck_assert_uint_eq(a->cycles, b->cycles);
  for (unsigned i = 0; i < 2; i++)
    ck_assert_mem_eq(a->kernel[i].count, b->kernel[i].count, sizeof a->kernel[i].count);
  ck_assert_mem_eq(&a->sm, &b->sm, sizeof a->sm);
  ck_assert_mem_eq(&a->l1d, &b->l1d, sizeof a->l1d);
  ck_assert_mem_eq(&a->l2, &b->l2, sizeof a->l2);
  ck_assert_mem_eq(&a->dram, &b->dram, sizeof a->dram);
  ck_assert_mem_eq(a->icnt, b->icnt, sizeof a->icnt);
}

static void expect_within(double value, double reference, double percent) {
  ck_assert_msg(fabs(value / reference - 1) <= percent / 100, "%.1f is not within %.0f %% of %.1f",
                value, percent, reference);
}

/* ---- against the reference ------------------------------------------------- */

/* SM cycles a step once the caches are warm: from the difference of two lengths. */
static double per_step(const char *kernel, uint32_t steps, bool fully) {
  job_t j = job(kernel, steps);
  if (fully) {
    j.cfg.l1d_sets = 1;
    j.cfg.l1d_ways = 128;
  }
  result_t a = run_well(&j);
  j.cut = 2 * steps;
  result_t b = run_well(&j);
  return (double)(b.cycles - a.cycles) / steps;
}

START_TEST(single_warp) {
  static const struct {
    const char *kernel;
    double reference;
    bool fully;
  } c[] = {{"micro-chain-l1", 44, false},    {"micro-chain-l2", 154, false},
           {"micro-chain-dram", 270, false}, {"micro-lines-1", 49, false},
           {"micro-lines-8", 56, false},     {"micro-lines-16", 64, false},
           {"micro-lines-32", 80, false},    {"micro-stride-1k", 342, false},
           {"micro-stride-4k", 1074, false}, {"micro-stride-4k", 80, true}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
    expect_within(per_step(c[i].kernel, 128, c[i].fully), c[i].reference, 5);
}
END_TEST

/* A program that looks at the clock: a load that misses down to the DRAM takes what a step of
 * micro-chain-dram takes, one that hits a few cycles, and the clock stays within the run. */
START_TEST(program_clock) {
  workload_t *w =
      open_text(PTX_HEAD "{ .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd2, [a];\n"
                         "add.s64 %rd2, %rd2, 0;\n"
                         "mov.u64 %rd1, %clock64; ld.global.u32 %r1, [%rd2+64];\n"
                         "add.u32 %r1, %r1, 1; mov.u64 %rd3, %clock64;\n"
                         "mov.u32 %r2, %clock; ld.global.u32 %r3, [%rd2+64];\n"
                         "add.u32 %r3, %r3, 1; mov.u32 %r4, %clock; sub.u32 %r4, %r4, %r2;\n"
                         "st.global.u32 [%rd2], %r4; st.global.u64 [%rd2+8], %rd1;\n"
                         "st.global.u64 [%rd2+16], %rd3; ret; }\n",
                1, 128);
  mrpb_err_t err = {{0}};
  job_t j = job("clock", 0);
  gpu_t *g;
  gpu_setup_t s = {.cfg = &j.cfg, .workload = w, .choice = &j.choice};
  ck_assert_msg(gpu_create(&g, &s, &err) == 0, "%s", err.text);
  ck_assert_int_eq(gpu_run(g, &err), GPU_DONE);
  uint64_t seen[3];
  w->ops->initial(w, MEMORY_BASE, seen, sizeof seen);
  ck_assert_uint_gt((uint32_t)seen[0], 3);
  ck_assert_uint_lt((uint32_t)seen[0], 20);
  ck_assert_uint_gt(seen[1], 0);
  expect_within((double)(seen[2] - seen[1]), 270, 5);
  ck_assert_uint_lt(seen[2], gpu_cycles(g));
  gpu_destroy(g);
  workload_close(w);
}
END_TEST

/* Reads on their way from access to response FIFO. */
START_TEST(read_latency) {
  job_t j = job("micro-chain-dram", 0);
  result_t r = run_well(&j);
  expect_within((double)r.sm.read_latency_sum / (double)r.sm.read_replies, 243, 5);
  j = job("micro-chain-l2",
          256); /* the reference's mean covers the 16 cold misses of a short chain */
  r = run_well(&j);
  expect_within((double)r.sm.read_latency_sum / (double)r.sm.read_replies, 134.5, 1);
}
END_TEST

START_TEST(atax_cut) {
  static const struct {
    uint32_t sets, ways;
    double reference;
  } c[] = {{32, 4, 2249186}, {64, 6, 1523113}, {1, 128, 492203}};
  for (unsigned i = 0; i < 3; i++) {
    job_t j = job("atax", 128);
    j.cfg.l1d_sets = c[i].sets;
    j.cfg.l1d_ways = c[i].ways;
    result_t r = run_well(&j);
    expect_within((double)r.cycles, c[i].reference, 5);
    ck_assert_uint_eq(r.l1d.hits + r.l1d.misses + r.l1d.pending_hits, 286848);
    ck_assert_uint_eq(r.l1d.writes, 16384);
    ck_assert_uint_eq(r.sm.thread_insts, 5834752); /* a branch not taken counts no lane */
    if (i == 0) {
      expect_within((double)r.l1d.hits, 7944, 1);
      expect_within((double)r.l1d.misses, 278122, 1);
      expect_within((double)r.l1d.refused[L1D_ASSOC], 17352661, 1);
      ck_assert_uint_eq(r.l1d.refused[L1D_MISSQ] + r.l1d.refused[L1D_MSHR], 0);
    }
  }
}
END_TEST

/* The other program that the reference ran on Base-S; gemm is in test_reference.c. */
START_TEST(syrk_cut) {
  job_t j = job("syrk", 32);
  expect_within((double)run_well(&j).cycles, 2499323, 5);
}
END_TEST

START_TEST(mrpb_pays) {
  job_t j = job("atax", 64);
  result_t a = run_well(&j);
  j.cfg.mrpb = 1;
  result_t b = run_well(&j);
  ck_assert_uint_gt(a.cycles, 3 * b.cycles);
  ck_assert_uint_eq(a.sm.thread_insts, b.sm.thread_insts);
}
END_TEST

/* ---- equality -------------------------------------------------------------- */

static void mrpb_variant(config_t *c, int i) {
  static const uint32_t policy[] = {0, 0, 3, 4, 5, 2, 1};
  c->mrpb = i > 0;
  c->mrpb_policy = policy[i % 7];
  c->bypass_tracking = (uint32_t)i % 3;
  c->mrpb_bypass = i == 4 ? MRPB_BYPASS_STALL : i == 5 ? MRPB_BYPASS_OFF : MRPB_BYPASS_ASSOC_STALL;
  c->mrpb_flush = i != 6;
  c->mrpb_depth = i == 3 ? 3 : 8;
}

/* The other design points that an SM can sleep in. */
static void design_variant(config_t *c, int i) {
  c->mrpb = i > 2;
  c->l1d_allocate = i == 0 || i == 8 ? CONFIG_ALLOCATE_FILL : CONFIG_ALLOCATE_MISS;
  c->l1d_replacement = i == 1 ? TAGS_FERMI : TAGS_LRU;
  c->block_placement =
      i == 2 || i == 7 ? CONFIG_PLACEMENT_DEPTH_FIRST : CONFIG_PLACEMENT_ROUND_ROBIN;
  c->mrpb_reorder = i < 3 || i > 5; /* 3 to 5: the bypass alone, with each tracking */
  c->bypass_tracking = i >= 3 && i <= 5 ? (uint32_t)i - 3 : CONFIG_TRACKING_PRT;
  c->mrpb_bypass = i == 4 || i == 8 ? MRPB_BYPASS_STALL : MRPB_BYPASS_ASSOC_STALL;
  c->prt_entries = i == 3 ? 4 : 64;
  c->mrpb_depth = i == 6 || i == 7 ? 0 : 8;
  if (i == 9) c->l1d_sets = 1, c->l1d_ways = 128;
}

START_TEST(sleep_changes_nothing) {
  job_t j = job("atax", 4);
  if (_i < 7)
    mrpb_variant(&j.cfg, _i);
  else
    design_variant(&j.cfg, _i - 7);
  result_t a = run_well(&j);
  j.no_sleep = true;
  result_t b = run_well(&j);
  expect_same(&a, &b);
}
END_TEST

/* The C model as a stand-in that must be clocked in every cycle. */
typedef struct {
  const module_class_t *cls;
  void *model;
  uint64_t cycles;
  uint64_t *fail_after;
} standin_t;

static void standin_comb(void *self, const uint64_t *in, uint64_t *out) {
  const standin_t *s = self;
  s->cls->comb(s->model, in, out);
}

static int standin_edge(void *self, const uint64_t *in, mrpb_err_t *err) {
  standin_t *s = self;
  s->cls->edge(s->model, in);
  if (s->fail_after && ++s->cycles == *s->fail_after)
    return mrpb_fail(err, "%s differs", s->cls->stem);
  return 0;
}

static void standin_destroy(void *self) {
  standin_t *s = self;
  s->cls->destroy(s->model);
  free(s);
}

static int standin_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg,
                        unit_impl_t impl, const char *name, void *ctx, mrpb_err_t *err) {
  standin_t *s = calloc(1, sizeof *s);
  ck_assert_ptr_nonnull(s);
  ck_assert_ptr_nonnull(strstr(name, cls->stem));
  s->cls = cls;
  s->fail_after = ctx;
  *out = (unit_t){.self = s,
                  .cls = cls,
                  .comb = standin_comb,
                  .edge = standin_edge,
                  .destroy = standin_destroy,
                  .every_cycle = impl == UNIT_BOTH};
  return cls->create(&s->model, cfg, err);
}

START_TEST(standins_change_nothing) {
  job_t j = job("atax", 4);
  mrpb_variant(&j.cfg, _i);
  result_t a = run_well(&j);
  j.choice = (unit_choice_t){.mrpb = UNIT_BOTH,
                             .mshr = UNIT_BOTH,
                             .prt = UNIT_BOTH,
                             .sm = _i % 2 ? -1 : 3,
                             .open_rtl = standin_open};
  result_t b = run_well(&j);
  expect_same(&a, &b);
}
END_TEST

START_TEST(same_again) {
  job_t j = job("atax", 8);
  j.cfg.mrpb = 1;
  result_t a = run_well(&j), b = run_well(&j);
  expect_same(&a, &b);
}
END_TEST

/* ---- other ends ------------------------------------------------------------ */

START_TEST(mismatch_stops) {
  uint64_t after = 1000;
  mrpb_err_t err = {{0}};
  result_t r;
  job_t j = job("atax", 8);
  j.choice = (unit_choice_t){.mshr = UNIT_BOTH, .sm = 2, .open_rtl = standin_open, .ctx = &after};
  run(&j, &r, &err);
  ck_assert_int_eq(r.end, GPU_MISMATCH);
  ck_assert_str_eq(err.text, "mshr differs");
  ck_assert_uint_ge(r.cycles, 1000);
  ck_assert_uint_lt(r.cycles, 1010);
}
END_TEST

/* An MSHR table that accepts nothing. */
static void deaf_comb(void *self, const uint64_t *in, uint64_t *out) {
  (void)self;
  (void)in;
  memset(out, 0, sizeof(mshr_out_t));
}

static int deaf_edge(void *self, const uint64_t *in, mrpb_err_t *err) {
  (void)self;
  (void)in;
  (void)err;
  return 0;
}

static int deaf_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg, unit_impl_t impl,
                     const char *name, void *ctx, mrpb_err_t *err) {
  (void)cfg;
  (void)impl;
  (void)name;
  (void)ctx;
  (void)err;
  *out = (unit_t){.cls = cls, .comb = deaf_comb, .edge = deaf_edge};
  return 0;
}

START_TEST(hang_is_seen) {
  mrpb_err_t err = {{0}};
  result_t r;
  job_t j = job("atax", 8);
  j.cfg.hang_cycles = 20000;
  j.choice = (unit_choice_t){.mshr = UNIT_BOTH, .sm = -1, .open_rtl = deaf_open};
  run(&j, &r, &err);
  ck_assert_int_eq(r.end, GPU_HANG);
  ck_assert_uint_lt(r.cycles, 40000);
  ck_assert_uint_gt(r.l1d.refused[L1D_MSHR], 8 * 15000); /* also counted while asleep */
}
END_TEST

static bool interrupt(void *ctx, uint64_t cycles, double fraction) {
  (void)ctx;
  ck_assert(fraction >= 0 && fraction <= 1);
  return cycles > 10000;
}

START_TEST(waves_and_interrupt) {
  char name[] = "build/tmp/mrpb_wave_XXXXXX", line[512];
  mrpb_err_t err = {{0}};
  result_t r;
  unsigned vars = 0, edges = 0, held = 0;
  job_t j = job("atax", 64);
  close(mkstemp(name));
  j.cfg.mrpb = 1;
  j.poll = interrupt;
  j.vcd = name;
  run(&j, &r, &err);
  ck_assert_int_eq(r.end, GPU_INTERRUPTED);
  FILE *f = fopen(name, "r");
  ck_assert_ptr_nonnull(f);
  while (fgets(line, sizeof line, f)) {
    vars += strncmp(line, "$var", 4) == 0;
    edges += strcmp(line, "1!\n") == 0;
    held += strstr(line, " held_o ") != NULL;
  }
  fclose(f);
  ck_assert_uint_gt(vars, 1000);
  ck_assert_uint_eq(held, 1);
  ck_assert_uint_eq(edges, 201);
  unlink(name);
  strcat(strcpy(line, name), ".gtkw");
  ck_assert_int_eq(unlink(line), 0);
}
END_TEST

/* Looking at an SM changes nothing. */
START_TEST(waves_change_nothing) {
  char name[] = "build/tmp/mrpb_wave_XXXXXX", save[64];
  job_t j = job("atax", 4);
  close(mkstemp(name));
  j.cfg.mrpb = 1;
  result_t a = run_well(&j);
  j.vcd = name;
  result_t b = run_well(&j);
  expect_same(&a, &b);
  unlink(name);
  snprintf(save, sizeof save, "%s.gtkw", name);
  unlink(save);
}
END_TEST

START_TEST(wave_file_refused) {
  mrpb_err_t err = {{0}};
  job_t j = job("atax", 4);
  program_options_t o = {.cut = 1};
  workload_t *w;
  gpu_t *g = (gpu_t *)&err;
  ck_assert_int_eq(program_open(&w, "atax", &o, &err), 0);
  gpu_setup_t s = {.cfg = &j.cfg, .workload = w, .choice = &j.choice, .vcd = "/nowhere/run.vcd"};
  ck_assert_int_eq(gpu_create(&g, &s, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/run.vcd"));
  ck_assert_ptr_null(g);
  workload_close(w);
}
END_TEST

Suite *test_gpu_suite(void);

Suite *test_gpu_suite(void) {
  Suite *s = suite_create("gpu");
  TCase *t = tcase_create("reference"), *u = tcase_create("equality"), *v = tcase_create("ends"),
        *x = tcase_create("atax"), *y = tcase_create("short");
  tcase_add_test(t, single_warp);
  tcase_add_test(t, read_latency);
  tcase_add_test(v, program_clock);
  tcase_add_test(x, atax_cut);
  tcase_add_test(x, syrk_cut);
  tcase_add_test(x, mrpb_pays);
  tcase_set_timeout(x, 600);
  tcase_set_tags(x, "long");
  tcase_add_loop_test(u, sleep_changes_nothing, 0, 17);
  tcase_add_loop_test(u, standins_change_nothing, 0, 7);
  tcase_add_test(u, same_again);
  tcase_set_tags(u, "heavy");
  tcase_set_tags(t, "heavy");
  tcase_add_test(v, hang_is_seen);
  tcase_add_test(v, waves_change_nothing);
  tcase_set_tags(v, "heavy");
  tcase_add_test(y, mismatch_stops);
  tcase_add_test(y, waves_and_interrupt);
  tcase_add_test(y, wave_file_refused);
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  suite_add_tcase(s, v);
  suite_add_tcase(s, x);
  suite_add_tcase(s, y);
  return s;
}
