/* SPDX-License-Identifier: Apache-2.0 */
/* SMs that run apart in windows: every count is that of the cycle by cycle run; what cannot be kept is
 * seen. docs/threads.md */
#include "gpu/gpu.h"
#include "gpu/windows/touched.h"
#include "workload/launch/launch.h"
#include "workload/programs/program.h"
#include "workload/simt_help.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same counts ------------------------------------------------------------ */

/* A program, or a launch file. */
typedef struct {
  const char *kernel;
  uint32_t cut, size, steps;
} case_t;

typedef struct {
  gpu_end_t end;
  unsigned kernels;
  uint64_t count[GPU_COUNTS], first[GPU_COUNTS];
  sm_occupancy_t tables[4]; /* how full they were, of all SMs */
  mrpb_err_t err;
} counted_t;

static workload_t *open_case(const case_t *p, mrpb_err_t *err) {
  const program_options_t o = {
      .cut = p->cut, .size = p->size, .steps = p->steps, .model = PROGRAM_MODEL_B};
  const launch_options_t none = {0};
  launch_program_t *host;
  workload_t *w = NULL;
  if (!strchr(p->kernel, '.')) {
    ck_assert_msg(program_open(&w, p->kernel, &o, err) == 0, "%s", err->text);
    return w;
  }
  ck_assert_msg(launch_read(&host, p->kernel, &none, err) == 0, "%s", err->text);
  ck_assert_msg(launch_open(&w, host, err) == 0, "%s", err->text);
  return w;
}

static void add_tables(counted_t *c, const sm_stats_t *s) {
  const sm_occupancy_t *from[] = {&s->mshr, &s->miss_queue, &s->mrpb, &s->prt};
  for (unsigned t = 0; t < 4; t++) {
    for (unsigned i = 0; i < 513; i++) c->tables[t].cycles[i] += from[t]->cycles[i];
    if (from[t]->max > c->tables[t].max) c->tables[t].max = from[t]->max;
  }
}

static counted_t run(const case_t *p, const config_t *cfg, unsigned threads) {
  counted_t c = {0};
  gpu_t *g;
  workload_t *w = open_case(p, &c.err);
  const gpu_setup_t s = {.cfg = cfg, .workload = w, .threads = threads, .all_threads = true};
  ck_assert_msg(gpu_create(&g, &s, &c.err) == 0, "%s", c.err.text);
  c.end = gpu_run(g, &c.err);
  if (c.end == GPU_DONE) ck_assert_msg(workload_check(w, &c.err) == 0, "%s", c.err.text);
  c.kernels = gpu_kernels(g);
  gpu_count_all(g, c.count);
  if (c.kernels) memcpy(c.first, gpu_kernel(g, 0)->count, sizeof c.first);
  for (unsigned i = 0; i < cfg->sms; i++) add_tables(&c, sm_stats(gpu_sm(g, i)));
  gpu_destroy(g);
  workload_close(w);
  return c;
}

static void expect_equal(const case_t *p, counted_t a, counted_t b, unsigned threads) {
  ck_assert_uint_eq(a.kernels, b.kernels);
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    ck_assert_msg(a.count[i] == b.count[i], "%s, %u threads: %s.%s", p->kernel, threads,
                  gpu_count(i)->part, gpu_count(i)->name);
    ck_assert_uint_eq(a.first[i], b.first[i]);
  }
  ck_assert_msg(memcmp(a.tables, b.tables, sizeof a.tables) == 0, "%s, %u threads: levels",
                p->kernel, threads);
}

static void expect_same(const case_t *p, const config_t *cfg, unsigned threads) {
  const counted_t a = run(p, cfg, 1), b = run(p, cfg, threads);
  ck_assert_msg(a.end == GPU_DONE, "%s: %s", p->kernel, a.err.text);
  ck_assert_msg(b.end == GPU_DONE, "%s, %u threads: end %d: %s", p->kernel, threads, (int)b.end,
                b.err.text);
  expect_equal(p, a, b, threads);
}

static const case_t programs[] = {
    {"gemm", 4, 0, 0},    {"atax", 4, 0, 0},  {"bicg", 2, 0, 0},    {"gesummv", 4, 0, 0},
    {"syr2k", 4, 0, 0},   {"hs", 0, 64, 0},   {"hs-u", 0, 64, 0},   {"lud", 0, 64, 0},
    {"lud-u", 0, 64, 0},  {"nw", 0, 64, 0},   {"nw-u", 0, 64, 0},   {"bp", 0, 256, 0},
    {"bp-u", 0, 256, 0},  {"srad", 0, 64, 0}, {"pf-u", 0, 4096, 0}, {"2dconv", 0, 128, 0},
    {"3dconv", 0, 16, 0}, {"kms", 0, 512, 0}, {"gm", 0, 24, 0},     {"micro-chain-l1", 16, 0, 0},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

START_TEST(programs_are_the_same) {
  config_t c;
  config_defaults(&c);
  expect_same(&programs[_i], &c, 2 + (unsigned)_i % 3);
}
END_TEST

/* Each tries an argument of docs/threads.md: short delays, small FIFOs, other clocks, other orders. */
static const char *const changes[][3] = {
    {"MRPB=1"},
    {"MRPB=1", "MRPB_BYPASS=all"},
    {"CLOCKS=exact", "CLOCK_ICNT=700", "CLOCK_L2=611"},
    {"L2_ROP_LATENCY=7"},
    {"L2_ROP_LATENCY=0"},
    {"CLUSTER_FIFO=1", "RESPONSE_FIFO=1"},
    {"ICNT_VC_BUFFER=1", "ICNT_EJECT=1"},
    {"ICNT_INJECT=5", "ICNT_WRITE_ROOM_BUG=0"},
    {"SCHEDULER=gto", "BLOCK_PLACEMENT=depth-first"},
    {"L1D_ALLOCATE=fill", "L1D_FLUSH=1"},
    {"SMS=100", "L2_SLICES=8"},
    {"L1I_SETS=1", "L1I_WAYS=3", "SMS=3"},
    {"CLOCK_ICNT=100"},
    {"CLOCK_ICNT=20000", "SMS=2"},
    {"L1D_MISS_QUEUE=2", "ICNT_VC_BUFFER=1"},
    {"L1D_MISS_QUEUE=3", "MRPB=1", "MRPB_ANSWER=2"},
    {"MRPB=1", "MRPB_REORDER=0", "RESPONSE_FIFO=1"},
    {"MRPB=1", "BYPASS_TRACKING=mshr", "ICNT_VC_BUFFER=2"},
    {"MRPB=1", "BYPASS_POLICY=signature", "ICNT_VC_BUFFER=2"},
    {"MRPB=1", "L1D_ALLOCATE=fill", "ICNT_INJECT=6"},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static config_t changed(unsigned which) {
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults(&c);
  for (unsigned i = 0; i < 3 && changes[which][i]; i++)
    ck_assert_msg(config_set(&c, changes[which][i], &err) == 0, "%s", err.text);
  return c;
}

START_TEST(configurations_are_the_same) {
  static const case_t some[] = {
      {"atax", 2, 0, 0}, {"gemm", 2, 0, 0}, {"lud-u", 0, 48, 0}, {"hs", 0, 64, 0}};
  const config_t c = changed((unsigned)_i);
  for (unsigned i = 0; i < sizeof some / sizeof *some; i++) expect_same(&some[i], &c, 3);
}
END_TEST

static const char *const configs[] = {"base-s", "base-s-mrpb", "base-l", "base-l-mrpb"};

static config_t read_config(unsigned which) {
  config_t c;
  mrpb_err_t err = {{0}};
  char path[64];
  snprintf(path, sizeof path, "configs/%s.conf", configs[which]);
  config_defaults(&c);
  ck_assert_msg(config_load(&c, path, &err) == 0, "%s", err.text);
  return c;
}

/* The launch files of the examples on configuration `which`. In one of them SMs meet. */
static void expect_same_launches(unsigned which, unsigned threads) {
  glob_t files;
  const config_t c = read_config(which);
  ck_assert_int_eq(glob("docs/examples/ptx/*.launch", 0, NULL, &files), 0);
  ck_assert_uint_eq(files.gl_pathc, 42);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const case_t p = {.kernel = files.gl_pathv[i]};
    const counted_t one = run(&p, &c, 1), many = run(&p, &c, threads);
    ck_assert_msg(one.end == GPU_DONE, "%s: %s", p.kernel, one.err.text);
    if (strstr(p.kernel, "/bfs.")) {
      ck_assert_int_eq(many.end, GPU_AGAIN);
      continue;
    }
    ck_assert_msg(many.end == GPU_DONE, "%s: end %d: %s", p.kernel, (int)many.end, many.err.text);
    expect_equal(&p, one, many, threads);
  }
  globfree(&files);
}

START_TEST(launches_are_the_same) {
  expect_same_launches(0, 3);
}
END_TEST

START_TEST(all_launches_are_the_same) {
  expect_same_launches((unsigned)_i % 4, 2U << _i / 4);
}
END_TEST

/* All programs, cut as for `make figures QUICK=1`, on the paper's four configurations, on 2 to
 * 16 threads: half an hour, with TEST_LONG=1. One of them meets: its blocks write what others read. */
START_TEST(all_programs_are_the_same) {
  const config_t c = read_config((unsigned)_i % 4);
  FILE *list = fopen("configs/figures/programs.list", "r");
  char line[256], name[32], option[8];
  unsigned value, n = 0;
  ck_assert_ptr_nonnull(list);
  while (fgets(line, sizeof line, list)) {
    if (sscanf(line, "%31[a-z0-9-] %*s %*s --%7[a-z] %u", name, option, &value) != 3) continue;
    case_t p = {.kernel = name};
    *(option[0] == 'c' ? &p.cut : option[1] == 'i' ? &p.size : &p.steps) = value;
    if (strcmp(name, "bfs") == 0)
      ck_assert_int_eq(run(&p, &c, 2).end, GPU_AGAIN);
    else
      expect_same(&p, &c, 2U << _i / 4);
    n++;
  }
  fclose(list);
  ck_assert_uint_eq(n, 28);
}
END_TEST

/* ---- what cannot be kept ---------------------------------------------------------- */

static gpu_end_t run_text(const char *text, unsigned threads, mrpb_err_t *err) {
  rig_t rig = {0};
  config_t cfg;
  gpu_t *g;
  config_defaults(&cfg);
  ck_assert_msg(rig_open(&rig, text, 28, 64) == 0, "%s", rig.err.text);
  rig_buffer(&rig, 0, 28 * 4096);
  const gpu_setup_t s = {.cfg = &cfg, .workload = rig.w, .threads = threads, .all_threads = true};
  ck_assert_msg(gpu_create(&g, &s, err) == 0, "%s", err->text);
  const gpu_end_t end = gpu_run(g, err);
  gpu_destroy(g);
  rig_close(&rig);
  return end;
}

/* Each thread of block b works on word `first` + b * `step` bytes, in a loop. */
#define LOOP(body)                                                                                 \
  PTX_HEAD                                                                                         \
  ".visible .entry k(.param .u64 out) {\n"                                                         \
  ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n"                                         \
  "ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n"        \
  "mul.wide.u32 %rd2, %r1, 4096; mul.wide.u32 %rd3, %r2, 4;\n"                                     \
  "add.u64 %rd4, %rd1, %rd2; add.u64 %rd4, %rd4, %rd3; add.u64 %rd5, %rd1, %rd3;\n"                \
  "L: " body " add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 200; @%p1 bra L; ret; }\n"

START_TEST(meetings_are_seen) {
  static const struct {
    const char *name, *text;
    gpu_end_t end;
  } cases[] = {
      {"each its own words", LOOP("ld.global.u32 %r4, [%rd4]; st.global.u32 [%rd4], %r3;"),
       GPU_DONE},
      {"all read the same words", LOOP("ld.global.u32 %r4, [%rd5]; add.u32 %r5, %r4, %r3;"),
       GPU_DONE},
      {"all write the same words", LOOP("st.global.u32 [%rd5], %r3;"), GPU_AGAIN},
      {"all read what one writes", LOOP("ld.global.u32 %r4, [%rd5]; st.global.u32 [%rd4], %r4;"),
       GPU_AGAIN},
      {"an atomic: no windows", LOOP("atom.global.add.u32 %r4, [%rd5], 1;"), GPU_DONE},
      {"the clock: no windows", LOOP("mov.u32 %r4, %clock; st.global.u32 [%rd4], %r4;"), GPU_DONE},
      {"a fault",
       LOOP("mul.wide.u32 %rd6, %r3, 1048576; add.u64 %rd6, %rd6, %rd1; "
            "ld.global.u32 %r4, [%rd6];"),
       GPU_AGAIN},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    mrpb_err_t err = {{0}};
    const gpu_end_t end = run_text(cases[i].text, 2, &err);
    ck_assert_msg(end == cases[i].end, "%s: end %d: %s", cases[i].name, (int)end, err.text);
    const gpu_end_t one = run_text(cases[i].text, 1, &err);
    ck_assert_msg(one == (i == 6 ? GPU_FAILED : GPU_DONE), "%s: end %d", cases[i].name, (int)one);
  }
}
END_TEST

/* ---- words that are touched -------------------------------------------------------- */

enum { SMS = 3 };
typedef struct {
  touched_t of[SMS];
  touched_lines_t memory;
} touches_t;

static bool meet(touches_t *t) {
  const touched_t *sm[SMS] = {&t->of[0], &t->of[1], &t->of[2]};
  const bool is = touched_meet(&t->memory, sm, SMS);
  for (unsigned i = 0; i < SMS; i++) t->of[i].n = 0;
  return is;
}

START_TEST(words_and_lines) {
  touches_t t = {0};
  touched_add(&t.of[0], 5, 0x1, true);
  ck_assert(!meet(&t));
  touched_add(&t.of[0], 5, 0x1, true);
  touched_add(&t.of[1], 5, 0x2, true); /* another word */
  touched_add(&t.of[2], 5, 0x4, false);
  ck_assert(!meet(&t));
  touched_add(&t.of[0], 5, 0x1, true);
  touched_add(&t.of[0], 6, 0x1, true);
  touched_add(&t.of[0], 5, 0x8, true); /* a second entry of the line */
  touched_add(&t.of[2], 5, 0x8, false);
  ck_assert(meet(&t));
  touched_add(&t.of[1], 9, 0x80000000, true);
  touched_add(&t.of[2], 9, 0x80000000, true);
  ck_assert(meet(&t));
  touched_add(&t.of[1], 9, 0x3, true);
  touched_add(&t.of[1], 9, 0x3, false); /* its own */
  ck_assert(!meet(&t));
  t.of[1].failed = true;
  ck_assert(meet(&t));
  for (unsigned i = 0; i < SMS; i++) touched_free(&t.of[i]);
  touched_forget(&t.memory);
}
END_TEST

/* More lines than the table begins with; the last one meets, in every SM. */
START_TEST(many_lines) {
  touches_t t = {0};
  for (unsigned n = 1; n < 3000; n = 3 * n) {
    for (unsigned meets = 0; meets < 2; meets++) {
      for (unsigned i = 0; i < n; i++)
        for (unsigned s = 0; s < SMS; s++) touched_add(&t.of[s], 100 * i + s, UINT32_MAX, true);
      touched_add(&t.of[2], 100 * (n - 1) + (meets ? 0 : 50), 1, false);
      ck_assert_int_eq(meet(&t), meets);
    }
  }
  for (unsigned i = 0; i < SMS; i++) touched_free(&t.of[i]);
  touched_forget(&t.memory);
}
END_TEST

Suite *test_windows_suite(void);
Suite *test_windows_suite(void) {
  Suite *s = suite_create("windows");
  TCase *t = tcase_create("same"), *u = tcase_create("kept");
  tcase_add_loop_test(t, programs_are_the_same, 0, PROGRAMS);
  tcase_add_loop_test(t, configurations_are_the_same, 0, CHANGES);
  tcase_add_test(t, launches_are_the_same);
  tcase_set_tags(t, "heavy");
  tcase_add_test(u, meetings_are_seen);
  tcase_add_test(u, words_and_lines);
  tcase_add_test(u, many_lines);
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  if (!getenv("TEST_LONG")) return s;
  TCase *all = tcase_create("all");
  tcase_add_loop_test(all, all_programs_are_the_same, 0, 16);
  tcase_add_loop_test(all, all_launches_are_the_same, 0, 16);
  suite_add_tcase(s, all);
  return s;
}
