/* SPDX-License-Identifier: Apache-2.0 */
/* Calls through registers: each lane calls the function that its register names, and all lanes
 * reconverge after the call. */
#include "simt_help.h"

Suite *test_simt_indirect_suite(void);

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define FUNCTION(name, body)                                                                       \
  ".func (.param .b32 res) " name "(.param .b32 x) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"         \
  ".reg .pred %p<9>; ld.param.u32 %r1, [x];\n" body "st.param.b32 [res], %r2; ret; }\n"
#define CALL(from, x, to)                                                                          \
  "{ .param .b32 p; st.param.b32 [p], " x "; .param .b32 r;\n"                                     \
  "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"                                         \
  "call (r), " from ", (p), P; ld.param.b32 " to ", [r]; }\n"
#define KERNEL(body)                                                                               \
  ".visible .entry k(.param .u64 out) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"    \
  "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r3, 1000; mul.wide.u32 %rd2, %r1, 4;\n" \
  "add.u64 %rd1, %rd1, %rd2;\n" body "st.global.u32 [%rd1], %r3; ret; }\n"

#define THREE                                                                                      \
  HEAD FUNCTION("f", "add.u32 %r2, %r1, 100;\n") FUNCTION(                                         \
      "g",                                                                                         \
      "mul.lo.u32 %r2, %r1, %r1;\n") ".func (.param .b32 res) h(.param .b32 x);\n"                 \
                                     ".func other(.param .b64 x) { ret; }\n"                       \
                                     ".global .align 8 .u64 table[4] = {f, g, h, 0};\n" FUNCTION(  \
                                         "h",                                                      \
                                         "mov.u32 %r2, 7; setp.eq.u32 %p1, %r1, 0; @%p1 bra END; " \
                                         "sub.u32 %r3, %r1, 1;\n"                                  \
                                         "mov.u64 %rd1, h;\n" CALL(                                \
                                             "%rd1", "%r3", "%r2") "add.u32 %r2, %r2, 3; END:\n")
#define PICK                                                                                       \
  "rem.u32 %r2, %r1, 3; mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, table; add.u64 %rd3, %rd3, "      \
  "%rd4;\n"                                                                                        \
  "ld.global.u64 %rd5, [%rd3];\n"

static uint32_t want(uint32_t i) {
  return i % 3 == 0 ? i + 100 : i % 3 == 1 ? i * i : 7 + 3 * i;
}
static uint32_t all_want_g(uint32_t i) {
  return i * i;
}
static uint32_t some(uint32_t i) {
  return i % 5 == 0 ? 1000 : want(i);
}

static const struct {
  const char *text;
  uint32_t (*want)(uint32_t);
} programs[] = {
    {THREE KERNEL(PICK CALL("%rd5", "%r1", "%r3")), want},
    {THREE KERNEL("mov.u64 %rd5, g;\n" CALL("%rd5", "%r1", "%r3")), all_want_g},
    {THREE KERNEL(PICK "rem.u32 %r4, %r1, 5; setp.ne.u32 %p1, %r4, 0; @!%p1 bra END;\n" CALL(
         "%rd5", "%r1", "%r3") "END:\n"),
     some},
    {THREE KERNEL(PICK
                  "rem.u32 %r4, %r1, 5; setp.ne.u32 %p1, %r4, 0;\n"
                  "{ .param .b32 p; st.param.b32 [p], %r1; .param .b32 r; st.param.b32 [r], %r3;\n"
                  "T: .calltargets f, g, h;\n"
                  "@%p1 call (r), %rd5, (p), T; ld.param.b32 %r3, [r]; }\n"),
     some},
};

START_TEST(each_its_own) {
  for (int portable = 0; portable < 2; portable++) {
    rig_t r = {.portable = portable != 0};
    ck_assert_msg(rig_open(&r, programs[_i].text, 2, 96) == 0, "%s", r.err.text);
    const uint32_t *out = rig_buffer(&r, 0, 4 * 96);
    ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
    for (uint32_t i = 0; i < 96; i++) ck_assert_uint_eq(out[i], programs[_i].want(i));
    rig_close(&r);
  }
}
END_TEST

/* No function; one with other parameters. */
START_TEST(no_such) {
  static const struct {
    const char *text, *message;
  } c[] = {
      {THREE KERNEL("mov.u64 %rd5, 64; setp.gt.u32 %p1, %r1, 5; @!%p1 mov.u64 %rd5, f;\n" CALL(
           "%rd5", "%r1", "%r3")),
       "lane 6 of block (0,0,0) thread (6,0,0): 0x40 is not the address of a function with these "
       "parameters"},
      {THREE KERNEL("mov.u64 %rd5, other;\n" CALL("%rd5", "%r1", "%r3")),
       "lane 0 of block (0,0,0) thread (0,0,0): 0x100030 is not the address of a function with "
       "these "
       "parameters"}};
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, c[_i].text, 1, 32) == 0, "%s", r.err.text);
  (void)rig_buffer(&r, 0, 128);
  ck_assert_int_ne(rig_run(&r), 0);
  ck_assert_msg(strstr(r.err.text, c[_i].message) != NULL, "%s", r.err.text);
  rig_close(&r);
}
END_TEST

Suite *test_simt_indirect_suite(void) {
  Suite *s = suite_create("simt_indirect");
  TCase *t = tcase_create("simt_indirect");
  tcase_add_loop_test(t, each_its_own, 0, sizeof programs / sizeof *programs);
  tcase_add_loop_test(t, no_such, 0, 2);
  suite_add_tcase(s, t);
  return s;
}
