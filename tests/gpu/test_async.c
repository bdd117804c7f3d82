/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous copies, timed: a wait that leaves a group open lets the warp continue. */
#include "ptx_bench.h"

#include <stdio.h>

Suite *test_async_suite(void);

/* Four copies from lines of their own, each a group; behind each a wait and a chain of 30 additions. */
static uint64_t cycles_with(unsigned left_open) {
  static const char copy[] = "cp.async.cg.shared.global [%rd4], [%rd1], 16; cp.async.commit_group; "
                             "add.u64 %rd1, %rd1, 4096;\n";
  char text[4096], wait[64];
  bench_t b;
  size_t n = (size_t)snprintf(
      text, sizeof text,
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
      ".reg .b32 %%r<9>; .reg .b64 %%rd<9>; .shared .align 16 .b8 s[512]; mov.u32 %%r2, 0;\n"
      "ld.param.u64 %%rd1, [in]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 16;\n"
      "mov.u64 %%rd4, s; add.u64 %%rd4, %%rd4, %%rd3; add.u64 %%rd1, %%rd1, %%rd3;\n%s",
      copy);
  snprintf(wait, sizeof wait, "cp.async.wait_group %u;\n", left_open);
  for (unsigned k = 0; k < 4; k++) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k < 3 ? copy : "", wait);
    for (unsigned a = 0; a < 30; a++)
      n += (size_t)snprintf(text + n, sizeof text - n, "add.u32 %%r2, %%r2, %%r1;\n");
  }
  snprintf(text + n, sizeof text - n, "ret; }\n");
  start(&b, text, 1, 32);
  (void)rig_buffer(&b.rig, 0, 4 * 4096);
  run_with(&b, 0);
  expect_fine(&b);
  rig_close(&b.rig);
  return b.cycles;
}

START_TEST(goes_on) {
  const uint64_t all = cycles_with(0), one = cycles_with(1), none = cycles_with(4);
  ck_assert_uint_lt(one + 200, all); /* three additions' chains beside three copies */
  ck_assert_uint_le(none, one);
}
END_TEST

Suite *test_async_suite(void) {
  Suite *s = suite_create("async");
  TCase *t = tcase_create("async");
  tcase_add_test(t, goes_on);
  suite_add_tcase(s, t);
  return s;
}
