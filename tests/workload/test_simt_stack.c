/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence and reconvergence: which instruction executes next, and for which lanes. */
#include "simt_help.h"

#define KERNEL(body)                                                                               \
  PTX_HEAD ".visible .entry k(.param .u64 out) {\n"                                                \
           ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"                                \
           "mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n" body                                           \
           "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;\n"      \
           "st.global.u32 [%rd1], %r2;\nret;\n}\n"

typedef struct {
  uint32_t index, mask; /* of the instruction, counted from the kernel's first one */
} issue_t;

/* Steps one warp through and compares the first n instructions. */
static void expect(const char *text, bool taken_first, const issue_t *want, unsigned n) {
  rig_t r = {.taken_first = taken_first};
  ck_assert_int_eq(rig_open(&r, text, 1, 32), 0);
  (void)rig_buffer(&r, 0, 128);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 0);
  uint32_t first = warp_stream_peek(r.w, s)->pc;
  for (unsigned i = 0; i < n; i++) {
    const warp_inst_t *inst = warp_stream_peek(r.w, s);
    ck_assert_ptr_nonnull(inst);
    ck_assert_msg((inst->pc - first) / WARP_PC_STEP == want[i].index &&
                      warp_stream_mask(r.w, s) == want[i].mask,
                  "step %u: instruction %u, lanes %#x; expected %u, %#x", i,
                  (inst->pc - first) / WARP_PC_STEP, warp_stream_mask(r.w, s), want[i].index,
                  want[i].mask);
    warp_stream_step(r.w, s);
  }
  while (warp_stream_peek(r.w, s)) warp_stream_step(r.w, s);
  warp_stream_close(r.w, s);
  rig_close(&r);
}
#define EXPECT(text, list) expect(text, false, list, sizeof list / sizeof *list)
#define EXPECT_TAKEN(text, list) expect(text, true, list, sizeof list / sizeof *list)
#define ALL UINT32_MAX

/* Runs the kernel in `threads` threads; what each has stored. */
static void run(const char *text, uint32_t threads, uint32_t *out) {
  rig_t r = {0};
  ck_assert_int_eq(rig_open(&r, text, 1, threads), 0);
  const void *at = rig_buffer(&r, 0, 4 * threads);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  memcpy(out, at, 4 * threads);
  rig_close(&r);
}

/* The side without the highest lane goes first; a branch counts the lanes that take it. */
START_TEST(both_sides) {
  static const issue_t want[] = {{0, ALL},    {1, ALL},    {2, ALL}, {3, 0xFF}, {6, 0xFF},
                                 {4, ~0xFFu}, {5, ~0xFFu}, {7, ALL}, {8, ALL}};
  EXPECT(KERNEL("setp.lt.u32 %p1, %r1, 8;\n@%p1 bra A;\nadd.u32 %r2, %r2, 1;\nbra B;\n"
                "A: add.u32 %r2, %r2, 2;\nB: add.u32 %r2, %r2, 4;\n"),
         want);
}
END_TEST

START_TEST(other_side_first) {
  static const issue_t want[] = {{0, ALL},  {1, ALL},  {2, ALL},    {3, ~0xFFu},
                                 {4, 0xFF}, {5, 0xFF}, {6, ~0xFFu}, {7, ALL}};
  EXPECT(KERNEL("setp.ge.u32 %p1, %r1, 8;\n@%p1 bra A;\nadd.u32 %r2, %r2, 1;\nbra B;\n"
                "A: add.u32 %r2, %r2, 2;\nB: add.u32 %r2, %r2, 4;\n"),
         want);
}
END_TEST

/* The taken side first, whichever has the highest lane; inside of it as well, and where one side is
 * the reconvergence point. */
START_TEST(taken_first) {
  static const issue_t low[] = {{0, ALL},    {1, ALL},    {2, ALL}, {3, 0xFF}, {6, 0xFF},
                                {4, ~0xFFu}, {5, ~0xFFu}, {7, ALL}, {8, ALL}};
  static const issue_t high[] = {{0, ALL},  {1, ALL},  {2, ALL}, {3, ~0xFFu}, {6, ~0xFFu},
                                 {4, 0xFF}, {5, 0xFF}, {7, ALL}, {8, ALL}};
#define SIDES                                                                                      \
  "@%p1 bra A;\nadd.u32 %r2, %r2, 1;\nbra B;\nA: add.u32 %r2, %r2, 2;\nB: add.u32 %r2, %r2, 4;\n"
  EXPECT_TAKEN(KERNEL("setp.lt.u32 %p1, %r1, 8;\n" SIDES), low);
  EXPECT_TAKEN(KERNEL("setp.ge.u32 %p1, %r1, 8;\n" SIDES), high);
  static const issue_t inner[] = {
      {0, ALL},        {1, ALL},         {2, ALL},        {3, ALL},        {4, 0xFFFF0000},
      {7, 0xFF000000}, {10, 0xFF000000}, {8, 0x00FF0000}, {9, 0x00FF0000}, {11, 0xFFFF0000},
      {5, 0xFFFF},     {6, 0xFFFF},      {12, ALL}};
  EXPECT_TAKEN(KERNEL("setp.ge.u32 %p1, %r1, 16;\nsetp.ge.u32 %p2, %r1, 24;\n@%p1 bra A;\n"
                      "add.u32 %r2, %r2, 1;\nbra B;\nA: @%p2 bra C;\nadd.u32 %r2, %r2, 2;\n"
                      "bra D;\nC: add.u32 %r2, %r2, 3;\nD: add.u32 %r2, %r2, 4;\n"
                      "B: add.u32 %r2, %r2, 4;\n"),
               inner);
  static const issue_t skip[] = {{0, ALL}, {1, ALL}, {2, ALL}, {3, ~0xFFu}, {4, 0xFF}, {5, ALL}};
  EXPECT_TAKEN(KERNEL("setp.ge.u32 %p1, %r1, 8;\n@%p1 bra A;\nadd.u32 %r2, %r2, 1;\n"
                      "A: add.u32 %r2, %r2, 4;\n"),
               skip);
}
END_TEST

/* All lanes on one side: nothing is pushed, the other side is never seen. */
START_TEST(uniform) {
  static const issue_t taken[] = {{0, ALL}, {1, ALL}, {2, ALL}, {3, ALL}, {6, ALL}, {7, ALL}};
  static const issue_t not_taken[] = {{0, ALL}, {1, ALL}, {2, ALL}, {3, 0},
                                      {4, ALL}, {5, ALL}, {7, ALL}};
  EXPECT(KERNEL("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra A;\nadd.u32 %r2, %r2, 1;\nbra B;\n"
                "A: add.u32 %r2, %r2, 2;\nB: add.u32 %r2, %r2, 4;\n"),
         taken);
  EXPECT(KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra A;\nadd.u32 %r2, %r2, 1;\nbra B;\n"
                "A: add.u32 %r2, %r2, 2;\nB: add.u32 %r2, %r2, 4;\n"),
         not_taken);
}
END_TEST

/* Lane l goes round l % 5 + 1 times: the loop shrinks and all meet behind it. */
START_TEST(trip_counts) {
  static const char text[] = KERNEL("rem.u32 %r3, %r1, 5;\n"
                                    "L: add.u32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r3;\n"
                                    "@%p1 bra L;\nadd.u32 %r2, %r2, 100;\n");
  uint32_t out[32];
  issue_t want[3 + 15 + 1] = {{0, ALL}, {1, ALL}, {2, ALL}};
  for (uint32_t round = 0; round < 5; round++) {
    uint32_t in = 0, on = 0;
    for (uint32_t l = 0; l < 32; l++) {
      in |= (uint32_t)(l % 5 >= round) << l;
      on |= (uint32_t)(l % 5 > round) << l;
    }
    want[3 + 3 * round] = (issue_t){3, in};
    want[4 + 3 * round] = (issue_t){4, in};
    want[5 + 3 * round] = (issue_t){5, on};
  }
  want[18] = (issue_t){6, ALL};
  EXPECT(text, want);
  run(text, 32, out);
  for (uint32_t l = 0; l < 32; l++) ck_assert_uint_eq(out[l], l % 5 + 1 + 100);
}
END_TEST

/* Three levels, each lane on a path of its own. */
START_TEST(nested) {
  uint32_t out[96];
  run(KERNEL("and.b32 %r3, %r1, 1; setp.ne.u32 %p1, %r3, 0; and.b32 %r3, %r1, 2;\n"
             "setp.ne.u32 %p2, %r3, 0; and.b32 %r3, %r1, 4; setp.ne.u32 %p3, %r3, 0;\n"
             "@%p1 bra A1;\n"
             "@%p2 bra A01; add.u32 %r2, %r2, 1; bra E0; A01: add.u32 %r2, %r2, 2;\n"
             "@!%p3 bra E0; add.u32 %r2, %r2, 4; E0: add.u32 %r2, %r2, 8; bra E;\n"
             "A1: @%p3 bra A11; @%p2 bra E; add.u32 %r2, %r2, 16; bra E;\n"
             "A11: add.u32 %r2, %r2, 32;\n"
             "E: add.u32 %r2, %r2, 64;\n"),
      96, out);
  for (uint32_t l = 0; l < 96; l++) {
    bool p1 = l & 1, p2 = l & 2, p3 = l & 4;
    uint32_t want = 64;
    if (!p1)
      want += p2 ? (p3 ? 14u : 10u) : 9u;
    else
      want += p3 ? 32u : p2 ? 0u : 16u;
    ck_assert_uint_eq(out[l], want);
  }
}
END_TEST

/* Lanes end in the middle, within a divergent part too; the others go on. */
START_TEST(guarded_exit) {
  static const char text[] =
      KERNEL("and.b32 %r3, %r1, 3; setp.eq.u32 %p1, %r3, 0; setp.lt.u32 %p2, %r1, 20;\n"
             "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n"
             "mov.u32 %r4, 7; st.global.u32 [%rd2], %r4;\n"
             "@%p2 bra A; @%p1 exit; add.u32 %r2, %r2, 1; bra B;\n"
             "A: add.u32 %r2, %r2, 2; @!%p1 exit; add.u32 %r2, %r2, 3;\n"
             "B: add.u32 %r2, %r2, 10;\n");
  uint32_t out[32];
  run(text, 32, out);
  for (uint32_t l = 0; l < 32; l++) {
    bool fourth = l % 4 == 0;
    uint32_t want = l < 20 ? (fourth ? 15 : 7) : fourth ? 7 : 11;
    ck_assert_uint_eq(out[l], want);
  }
}
END_TEST

/* 32 exits, one lane after another, then none is left. */
START_TEST(all_exit_one_by_one) {
  uint32_t out[32];
  run(KERNEL("ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n"
             "L: add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2; setp.gt.u32 %p1, %r2, %r1;\n"
             "@%p1 exit; bra L;\n"),
      32, out);
  for (uint32_t l = 0; l < 32; l++) ck_assert_uint_eq(out[l], l + 1);
}
END_TEST

/* A barrier that only some lanes of each warp reach: the warp arrives once. */
START_TEST(divergent_barrier) {
  uint32_t out[128];
  run(PTX_HEAD ".visible .entry k(.param .u64 out) {\n"
               ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .b8 s[512];\n"
               "mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31; shl.b32 %r4, %r1, 2; mov.u32 %r5, s;\n"
               "add.u32 %r5, %r5, %r4; mul.lo.u32 %r6, %r1, 3; st.shared.u32 [%r5], %r6;\n"
               "mov.u32 %r2, 1000; setp.ge.u32 %p1, %r3, 10; @%p1 bra SKIP;\n"
               "bar.sync 0;\n"
               "xor.b32 %r4, %r4, 384; mov.u32 %r5, s; add.u32 %r5, %r5, %r4;\n"
               "ld.shared.u32 %r2, [%r5];\n"
               "SKIP: ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4;\n"
               "add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r2; ret; }\n",
      128, out);
  for (uint32_t l = 0; l < 128; l++) ck_assert_uint_eq(out[l], l % 32 < 10 ? 3 * (l ^ 96) : 1000);
}
END_TEST

Suite *test_simt_stack_suite(void);

Suite *test_simt_stack_suite(void) {
  Suite *s = suite_create("simt_stack");
  TCase *t = tcase_create("simt_stack");
  tcase_add_test(t, both_sides);
  tcase_add_test(t, other_side_first);
  tcase_add_test(t, taken_first);
  tcase_add_test(t, uniform);
  tcase_add_test(t, trip_counts);
  tcase_add_test(t, nested);
  tcase_add_test(t, guarded_exit);
  tcase_add_test(t, all_exit_one_by_one);
  tcase_add_test(t, divergent_barrier);
  suite_add_tcase(s, t);
  return s;
}
