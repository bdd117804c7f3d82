/* SPDX-License-Identifier: Apache-2.0 */
/* The library's GPU with in-order cores: its results are those of any piece size, keys are its own,
 * and what it lacks is refused. */
#include "gpu/gpu_library_help.h"
#include "workload/program_help.h"

#include <inttypes.h>

enum { TEXT = 1 << 16 };

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

static mrpb_gpu_t *hopper(uint32_t cut) {
  mrpb_err_t err = {{0}};
  const mrpb_gpu_program_t o = {.cut = cut};
  mrpb_gpu_t *g;
  ck_assert_msg(mrpb_gpu_create(&g, "h200", &err) == 0, "%s", err.text);
  if (cut) ck_assert_msg(mrpb_gpu_program(g, "atax", &o, &err) == 0, "%s", err.text);
  return g;
}

static void expect_same(mrpb_gpu_t *a, mrpb_gpu_t *b) {
  static page_t x, y;
  x.n = y.n = 0;
  ck_assert_int_eq(mrpb_gpu_values(a, note, &x, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_values(b, note, &y, NULL), 0);
  ck_assert_str_eq(x.text, y.text);
}

START_TEST(steps_of_any_size) {
  static const uint64_t size[] = {1, 7, 1000, 100000};
  mrpb_gpu_t *whole = hopper(2);
  run(whole);
  ck_assert_int_eq(mrpb_gpu_verify(whole, NULL), 0);
  ck_assert_uint_gt(mrpb_gpu_cycles(whole), 0);
  for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
    mrpb_gpu_t *g = hopper(2);
    while (mrpb_gpu_step(g, size[i], NULL) == MRPB_GPU_RUNNING) continue;
    ck_assert_int_eq(mrpb_gpu_step(g, size[i], NULL), MRPB_GPU_DONE);
    expect_same(whole, g);
    mrpb_gpu_destroy(g);
  }
  mrpb_gpu_destroy(whole);
}
END_TEST

/* atax has two launches. */
START_TEST(launch_by_launch) {
  mrpb_gpu_t *whole = hopper(2), *g = hopper(2);
  run(whole);
  ck_assert_int_eq(mrpb_gpu_step_launch(g, NULL), MRPB_GPU_RUNNING);
  ck_assert_uint_eq(count(g, "kernels.0.cycles"), mrpb_gpu_cycles(g));
  ck_assert_int_eq(mrpb_gpu_step_launch(g, NULL), MRPB_GPU_DONE);
  expect_same(whole, g);
  mrpb_gpu_destroy(whole);
  mrpb_gpu_destroy(g);
}
END_TEST

static const char add_one[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                              ".visible .entry add_one(.param .u64 p) {\n"
                              "  .reg .u64 %a, %o; .reg .u32 %t, %v;\n"
                              "  ld.param.u64 %a, [p]; mov.u32 %t, %tid.x;\n"
                              "  mul.wide.u32 %o, %t, 4; add.u64 %a, %a, %o;\n"
                              "  ld.global.u32 %v, [%a]; add.u32 %v, %v, 1;\n"
                              "  st.global.u32 [%a], %v; ret;\n}\n";

/* Launches after the end of the run, with memory read in between. */
START_TEST(launches_and_memory) {
  mrpb_err_t err = {{0}};
  uint32_t data[64] = {[63] = 7};
  uint64_t at = 0;
  mrpb_gpu_t *g = hopper(0);
  ck_assert_msg(mrpb_gpu_ptx(g, add_one, sizeof add_one - 1, "add", &err) == 0, "%s", err.text);
  ck_assert_int_eq(mrpb_gpu_alloc(g, sizeof data, &at, &err), 0);
  ck_assert_int_eq(mrpb_gpu_write(g, at, data, sizeof data, &err), 0);
  const void *args[] = {&at};
  const mrpb_gpu_launch_t l = {.grid = {1}, .block = {64}, .args = args, .n_args = 1};
  for (uint32_t n = 1; n <= 3; n++) {
    ck_assert_msg(mrpb_gpu_launch(g, &l, &err) == 0, "%s", err.text);
    run(g);
    ck_assert_int_eq(mrpb_gpu_read(g, at, data, sizeof data, &err), 0);
    ck_assert_uint_eq(data[0], n);
    ck_assert_uint_eq(data[63], 7 + n);
  }
  ck_assert_uint_eq(count(g, "sm.loads"), 3 * 2); /* two warps */
  mrpb_gpu_destroy(g);
}
END_TEST

static void find(void *ctx, const mrpb_gpu_value_t *v) {
  uint64_t *seen = ctx;
  if (strcmp(v->name, "SMS") == 0) seen[0] = v->count;
  if (strcmp(v->name, "PRT_LOADS") == 0) seen[1] = v->count;
  if (strcmp(v->name, "CORE") == 0) seen[2] = strcmp(v->text, "in-order") == 0;
  if (strcmp(v->name, "DRAM_CL") == 0) seen[3] = 1;
}

START_TEST(keys) {
  mrpb_err_t err = {{0}};
  uint64_t seen[4] = {0};
  mrpb_gpu_t *g = hopper(0);
  ck_assert_msg(mrpb_gpu_set(g, "SMS=100", &err) == 0, "%s", err.text);
  mrpb_gpu_keys(g, find, seen);
  ck_assert_uint_eq(seen[0], 100);
  ck_assert_uint_eq(seen[1], 510);
  ck_assert_uint_eq(seen[2], 1);
  ck_assert_uint_eq(seen[3], 0); /* it has no flits */
  EXPECT(mrpb_gpu_set(g, "DRAM_CL=3", &err),
         "DRAM_CL is a key of flits; legal: keys of GPUs of in-order cores with ports");
  EXPECT(mrpb_gpu_set(g, "CORE=pipeline", &err), "other parts need other keys");
  mrpb_gpu_destroy(g);
}
END_TEST

/* A block that waits for warps which will never come. */
static const char stuck[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                            ".visible .entry stuck() {\n  .reg .u32 %t; .reg .pred %p;\n"
                            "  mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 32;\n"
                            "  @%p bar.sync 1, 64;\n  @!%p bar.sync 2, 64;\n  ret;\n}\n";

START_TEST(hang) {
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = hopper(0);
  const mrpb_gpu_launch_t l = {.grid = {1}, .block = {64}};
  ck_assert_int_eq(mrpb_gpu_ptx(g, stuck, sizeof stuck - 1, "stuck", &err), 0);
  ck_assert_int_eq(mrpb_gpu_launch(g, &l, &err), 0);
  ck_assert_int_eq(mrpb_gpu_run(g, &err), MRPB_GPU_HANG);
  expect_error(&err, "no warp can go on");
  mrpb_gpu_destroy(g);
}
END_TEST

Suite *test_gpu_library_inorder_suite(void);

Suite *test_gpu_library_inorder_suite(void) {
  Suite *s = suite_create("gpu_library_inorder");
  TCase *t = tcase_create("gpu_library_inorder");
  tcase_add_test(t, steps_of_any_size);
  tcase_add_test(t, launch_by_launch);
  tcase_add_test(t, launches_and_memory);
  tcase_add_test(t, keys);
  tcase_add_test(t, hang);
  suite_add_tcase(s, t);
  return s;
}
