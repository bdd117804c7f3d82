/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU as a library: steps of any size, launches after launches, the caller's own memories and
 * instructions, and what is refused. */
#define _DEFAULT_SOURCE /* mkstemp, mkdtemp */
#include "gpu/gpu_library_help.h"
#include "workload/program_help.h"

#include <inttypes.h>
#include <unistd.h>

enum { TEXT = 1 << 16 };

/* ---- helpers ---------------------------------------------------------------- */

typedef struct {
  char text[TEXT];
  size_t n;
} page_t;

static void note(void *ctx, const mrpb_gpu_value_t *v) {
  page_t *p = ctx;
  p->n += (size_t)snprintf(p->text + p->n, TEXT - p->n, "%s %d %" PRIu64 " %.17g %s\n", v->name,
                           (int)v->type, v->count, v->real, v->text ? v->text : "-");
  ck_assert_uint_lt(p->n, TEXT);
}

static page_t *page(mrpb_gpu_t *g) {
  page_t *p = calloc(1, sizeof *p);
  ck_assert_int_eq(mrpb_gpu_values(g, note, p, NULL), 0);
  return p;
}

static void expect_equal(page_t *a, page_t *b) {
  ck_assert_str_eq(a->text, b->text);
  free(a);
  free(b);
}

static mrpb_gpu_t *with_atax(uint32_t cut) {
  mrpb_err_t err = {{0}};
  const mrpb_gpu_program_t o = {.cut = cut};
  mrpb_gpu_t *g = create();
  ck_assert_msg(mrpb_gpu_program(g, "atax", &o, &err) == 0, "%s", err.text);
  return g;
}

/* ---- steps ------------------------------------------------------------------ */

/* Looking at the results in between changes nothing either. */
START_TEST(steps_of_any_size) {
  static const uint64_t size[] = {1, 7, 1000, 4096, 100000};
  static const char *const key[] = {"CLOCKS=exact", "CLOCKS=reference"};
  for (unsigned k = 0; k < 2; k++) {
    mrpb_gpu_t *whole = with_atax(1);
    ck_assert_int_eq(mrpb_gpu_set(whole, key[k], NULL), 0);
    run(whole);
    ck_assert_int_eq(mrpb_gpu_verify(whole, NULL), 0);
    for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
      mrpb_gpu_t *g = with_atax(1);
      ck_assert_int_eq(mrpb_gpu_set(g, key[k], NULL), 0);
      uint64_t steps = 0, before = 0;
      while (mrpb_gpu_step(g, size[i], NULL) == MRPB_GPU_RUNNING) {
        if (steps++ % 100 == 0) free(page(g));
        ck_assert_uint_eq(mrpb_gpu_cycles(g), before += size[i]);
      }
      ck_assert_int_eq(mrpb_gpu_step(g, size[i], NULL), MRPB_GPU_DONE);
      expect_equal(page(whole), page(g));
      mrpb_gpu_destroy(g);
    }
    mrpb_gpu_destroy(whole);
  }
}
END_TEST

/* atax has two launches. */
START_TEST(launch_by_launch) {
  mrpb_gpu_t *whole = with_atax(1), *g = with_atax(1);
  run(whole);
  ck_assert_int_eq(mrpb_gpu_step_launch(g, NULL), MRPB_GPU_RUNNING);
  ck_assert_uint_eq(count(g, "kernels.0.cycles"), mrpb_gpu_cycles(g));
  ck_assert_int_eq(mrpb_gpu_value(g, "kernels.1.cycles", &(double){0}, NULL), -1);
  ck_assert_int_eq(mrpb_gpu_step_launch(g, NULL), MRPB_GPU_DONE);
  ck_assert_uint_eq(count(g, "kernels.0.cycles") + count(g, "kernels.1.cycles"),
                    mrpb_gpu_cycles(g));
  expect_equal(page(whole), page(g));
  mrpb_gpu_destroy(whole);
  mrpb_gpu_destroy(g);
}
END_TEST

/* In turns, in one thread: each is as alone. */
START_TEST(two_in_turns) {
  mrpb_gpu_t *alone[2] = {with_atax(1), with_atax(2)}, *both[2] = {with_atax(1), with_atax(2)};
  bool running = true;
  for (unsigned i = 0; i < 2; i++) run(alone[i]);
  while (running) {
    running = mrpb_gpu_step(both[0], 333, NULL) == MRPB_GPU_RUNNING;
    running |= mrpb_gpu_step(both[1], 111, NULL) == MRPB_GPU_RUNNING;
  }
  for (unsigned i = 0; i < 2; i++) {
    expect_equal(page(alone[i]), page(both[i]));
    mrpb_gpu_destroy(alone[i]);
    mrpb_gpu_destroy(both[i]);
  }
}
END_TEST

START_TEST(in_the_middle) {
  mrpb_gpu_t *g = with_atax(1);
  ck_assert_int_eq(mrpb_gpu_step(g, 500, NULL), MRPB_GPU_RUNNING);
  mrpb_gpu_destroy(g);
  mrpb_gpu_destroy(create());
  mrpb_gpu_destroy(NULL);
}
END_TEST

/* ---- PTX -------------------------------------------------------------------- */

/* a[i] = a[i] * f + i for the first n. */
static const char scale[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .entry scale(.param .u64 a, .param .u32 n, .param .f32 f)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; ld.param.f32 %f1, [f];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.u32 %p1, %r5, %r1; @%p1 bra E;\n"
    "mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f2, [%rd3]; cvt.rn.f32.u32 %f3, %r5; fma.rn.f32 %f2, %f2, %f1, %f3;\n"
    "st.global.f32 [%rd3], %f2;\nE: ret; }\n";

static mrpb_gpu_t *with_text(uint64_t *a) {
  mrpb_err_t err = {{0}};
  float one[300];
  mrpb_gpu_t *g = create();
  for (unsigned i = 0; i < 300; i++) one[i] = 1;
  ck_assert_msg(mrpb_gpu_ptx(g, scale, sizeof scale - 1, "scale.ptx", &err) == 0, "%s", err.text);
  ck_assert_int_eq(mrpb_gpu_alloc(g, sizeof one, a, &err), 0);
  ck_assert_int_eq(mrpb_gpu_write(g, *a, one, sizeof one, &err), 0);
  return g;
}

static int launch(mrpb_gpu_t *g, uint64_t a, uint32_t n, float f, mrpb_err_t *err) {
  const void *const args[] = {&a, &n, &f};
  const mrpb_gpu_launch_t l = {.grid = {3}, .block = {128}, .args = args, .n_args = 3};
  return mrpb_gpu_launch(g, &l, err);
}

/* 1 * 2 + i, then (2 + i) * 3 + i for the first 100: at once, and with a look in between. */
START_TEST(launches_and_memory) {
  uint64_t a, b;
  float v[300];
  mrpb_gpu_t *once = with_text(&a), *twice = with_text(&b);
  ck_assert_int_eq(mrpb_gpu_checked(once, NULL) + mrpb_gpu_checked(twice, NULL), 0);
  ck_assert_int_eq(launch(once, a, 300, 2, NULL) + launch(once, a, 100, 3, NULL), 0);
  run(once);
  ck_assert_int_eq(launch(twice, b, 300, 2, NULL), 0);
  run(twice);
  ck_assert_int_eq(mrpb_gpu_read(twice, b, v, sizeof v, NULL), 0);
  for (unsigned i = 0; i < 300; i++) ck_assert_float_eq(v[i], 2.0f + (float)i);
  ck_assert_int_eq(launch(twice, b, 100, 3, NULL), 0);
  run(twice);
  ck_assert_int_eq(mrpb_gpu_read(twice, b, v, sizeof v, NULL), 0);
  for (unsigned i = 0; i < 300; i++)
    ck_assert_float_eq(v[i], i < 100 ? 6.0f + 4.0f * (float)i : 2.0f + (float)i);
  expect_equal(page(once), page(twice));
  /* What the host writes in between is seen: 1 * 3 + 7. */
  v[7] = 1;
  ck_assert_int_eq(mrpb_gpu_write(twice, b, v, sizeof v, NULL), 0);
  ck_assert_int_eq(launch(twice, b, 100, 3, NULL), 0);
  run(twice);
  ck_assert_int_eq(mrpb_gpu_read(twice, b, v, sizeof v, NULL), 0);
  ck_assert_float_eq(v[7], 10);
  mrpb_gpu_destroy(once);
  mrpb_gpu_destroy(twice);
}
END_TEST

/* The program's own fault, in its only and last launch. */
START_TEST(fault_of_the_program) {
  mrpb_err_t err = {{0}};
  uint64_t a;
  mrpb_gpu_t *g = with_text(&a);
  ck_assert_int_eq(launch(g, 4096, 300, 2, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_run(g, &err), MRPB_GPU_FAILED);
  expect_error(&err, "outside allocated");
  err.text[0] = 0;
  ck_assert_int_eq(mrpb_gpu_step(g, 1, &err), MRPB_GPU_FAILED); /* stays, with its reason */
  expect_error(&err, "outside allocated");
  mrpb_gpu_destroy(g);
}
END_TEST

START_TEST(ptx_errors) {
  mrpb_err_t err = {{0}};
  uint64_t a;
  mrpb_gpu_t *g = with_text(&a);
  const mrpb_gpu_launch_t none = {.kernel = "scales"}, few = {.grid = {1}};
  EXPECT(mrpb_gpu_launch(g, &none, &err), "scale");
  EXPECT(mrpb_gpu_launch(g, &few, &err), "scale: 0 arguments; legal: 3");
  EXPECT(mrpb_gpu_read(g, a, &a, 1 << 20, &err), "read: 1048576 bytes");
  EXPECT(mrpb_gpu_write(g, 1, &a, 1, &err), "write: 1 bytes at 0x1");
  EXPECT(mrpb_gpu_alloc(g, 0, &a, &err), "legal: 1 or more");
  EXPECT(mrpb_gpu_alloc(g, UINT64_C(1) << 40, &a, &err), "1099511627776");
  EXPECT(mrpb_gpu_texture(g, "t", a, &err), "not in the text");
  EXPECT(mrpb_gpu_program(g, "atax", NULL, &err), "something to run");
  mrpb_gpu_destroy(g);
  g = create();
  EXPECT(mrpb_gpu_alloc(g, 4, &a, &err), "no PTX text");
  EXPECT(mrpb_gpu_ptx(g, "nonsense", 8, "mine.ptx", &err), "mine.ptx:1");
  EXPECT(mrpb_gpu_program(g, "atex", NULL, &err), "atax");
  EXPECT(mrpb_gpu_program(g, "atax", &(mrpb_gpu_program_t){.model = 'X'}, &err), "'A', 'B' or 'C'");
  EXPECT(mrpb_gpu_program(g, "2dconv", &(mrpb_gpu_program_t){.cut = 1}, &err),
         "2dconv has no inner");
  ck_assert_int_eq(mrpb_gpu_program(g, "2dconv", &(mrpb_gpu_program_t){.cut = 1}, &err), -1);
  ck_assert_int_eq(strncmp(err.text, "cut: ", 5), 0);
  err.text[0] = 0;
  EXPECT(mrpb_gpu_trace(g, "/nowhere", &err), "/nowhere");
  EXPECT(mrpb_gpu_set(g, "SMS=999", &err), "SMS");
  EXPECT(mrpb_gpu_values(g, note, NULL, &err), "after the first step");
  EXPECT(mrpb_gpu_verify(g, &err), "after MRPB_GPU_DONE");
  ck_assert_int_eq(mrpb_gpu_run(g, &err), MRPB_GPU_FAILED);
  expect_error(&err, "nothing to run");
  mrpb_gpu_destroy(g);
  err.text[0] = 0;
  EXPECT(mrpb_gpu_create(&g, "nowhere.conf", &err), "nowhere.conf");
  ck_assert_ptr_null(g);
}
END_TEST

START_TEST(too_late) {
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = with_atax(1);
  ck_assert_int_eq(mrpb_gpu_step(g, 1, &err), MRPB_GPU_RUNNING);
  EXPECT(mrpb_gpu_set(g, "SMS=2", &err), "before the first step");
  EXPECT(mrpb_gpu_checked(g, &err), "before the first step");
  EXPECT(mrpb_gpu_connect_dram(g, &(mrpb_gpu_dram_t){0}, &err), "before the first step");
  EXPECT(mrpb_gpu_reply(g, 1, &err), "its own memory");
  mrpb_gpu_destroy(g);
}
END_TEST

/* Keys that do not go together are refused by the first step. */
START_TEST(keys_together) {
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = with_atax(1);
  ck_assert_int_eq(mrpb_gpu_set(g, "WARPS_PER_SM=1", &err), 0);
  ck_assert_int_eq(mrpb_gpu_set(g, "SCHEDULERS=2", &err), 0);
  ck_assert_int_eq(mrpb_gpu_step(g, 1, &err), MRPB_GPU_FAILED);
  expect_error(&err, "SCHEDULERS = 2");
  mrpb_gpu_destroy(g);
}
END_TEST

static void find_sms(void *ctx, const mrpb_gpu_value_t *v) {
  if (strcmp(v->name, "SMS") == 0) *(uint64_t *)ctx = v->count;
}

START_TEST(keys_by_name) {
  uint64_t sms = 0;
  mrpb_gpu_t *g = create();
  mrpb_gpu_keys(g, find_sms, &sms);
  ck_assert_uint_eq(sms, 3);
  mrpb_gpu_destroy(g);
}
END_TEST

/* ---- traces, waves ------------------------------------------------ */

/* A warp that reads a line twice: a miss, a hit or a merge, and 2 loads. */
START_TEST(traces) {
  char path[] = "build/tmp/gpu_library_XXXXXX";
  const int fd = mkstemp(path);
  mrpb_err_t err = {{0}};
  FILE *f = fdopen(fd, "w");
  ck_assert_ptr_nonnull(f);
  fputs("mrpb-trace 1\nlaunch k 1 32 16 0\n"
        "m 0 0 0 - ld.g.4 ffffffff 80000000+4\nm 0 0 3 1 ld.g.4 ffffffff 80000000+4\nx 0 0 0 "
        "-\nend 3\n",
        f);
  ck_assert_int_eq(fclose(f), 0);
  mrpb_gpu_t *g = create();
  ck_assert_msg(!mrpb_gpu_trace(g, path, &err), "%s", err.text);
  run(g);
  ck_assert_uint_eq(count(g, "sm.loads"), 2);
  ck_assert_uint_eq(count(g, "l1d.misses"), 1);
  mrpb_gpu_destroy(g);
  ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(waves) {
  char dir[] = "build/tmp/gpu_library_XXXXXX", path[64], save[64], line[200];
  mrpb_err_t err = {{0}};
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/w.vcd", dir);
  snprintf(save, sizeof save, "%s/w.gtkw", dir);
  mrpb_gpu_t *plain = with_atax(1), *g = with_atax(1);
  EXPECT(mrpb_gpu_wave(g, "w.fst", 0, 0, 1, &err), "legal: a VCD");
  EXPECT(mrpb_gpu_wave(g, path, 0, 2, 1, &err), "not backwards");
  ck_assert_int_eq(mrpb_gpu_wave(g, path, 1, 100, 200, &err), 0);
  EXPECT(mrpb_gpu_wave(g, path, 1, 100, 200, &err), "has a wave");
  run(g);
  run(plain);
  expect_equal(page(plain), page(g));
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  unsigned lines = 0;
  while (fgets(line, sizeof line, f)) lines++;
  fclose(f);
  ck_assert_uint_gt(lines, 200);
  ck_assert(unlink(path) == 0 && unlink(save) == 0 && rmdir(dir) == 0);
  mrpb_gpu_destroy(g);
  mrpb_gpu_destroy(plain);
  g = with_atax(1);
  ck_assert_int_eq(mrpb_gpu_wave(g, "w.vcd", 3, 0, 1, &err), 0);
  ck_assert_int_eq(mrpb_gpu_run(g, &err), MRPB_GPU_FAILED);
  expect_error(&err, "SMs 0 to 2");
  mrpb_gpu_destroy(g);
}
END_TEST

Suite *test_gpu_library_suite(void);

Suite *test_gpu_library_suite(void) {
  Suite *s = suite_create("gpu_library");
  TCase *c = tcase_create("all");
  tcase_add_test(c, steps_of_any_size);
  tcase_add_test(c, launch_by_launch);
  tcase_add_test(c, two_in_turns);
  tcase_add_test(c, in_the_middle);
  tcase_add_test(c, launches_and_memory);
  tcase_add_test(c, fault_of_the_program);
  tcase_add_test(c, ptx_errors);
  tcase_add_test(c, too_late);
  tcase_add_test(c, keys_together);
  tcase_add_test(c, keys_by_name);
  tcase_add_test(c, traces);
  tcase_add_test(c, waves);
  suite_add_tcase(s, c);
  return s;
}
