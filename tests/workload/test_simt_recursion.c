/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that call themselves, directly and through others: each lane has its own depth, and
 * each call has its own registers and parameters. */
#include "simt_help.h"

#include <stdio.h>

Suite *test_simt_recursion_suite(void);

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define CALL2(to, name, a, b)                                                                      \
  "{ .param .b32 p; st.param.b32 [p], " a "; .param .b32 q; st.param.b32 [q], " b ";\n"            \
  ".param .b32 r; call (r), " name ", (p, q); ld.param.b32 " to ", [r]; }\n"
/* out[i] = name(a, b), whose parameters are %r1, the thread, and %r2 = i & 3 */
#define KERNEL(name)                                                                               \
  ".visible .entry k(.param .u64 out) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"                      \
  "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; mov.u32 %r3, 0;\n" CALL2(   \
      "%r3", name, "%r1", "%r2") "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; "           \
                                 "st.global.u32 [%rd1], %r3; ret; }\n"
#define ANNOUNCE(name) ".func (.param .b32 res) " name "(.param .b32 x, .param .b32 y);\n"
#define FUNCTION(name, body)                                                                       \
  ".func (.param .b32 res) " name "(.param .b32 x, .param .b32 y) {\n"                             \
  ".reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"                                        \
  "ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y];\n" body "st.param.b32 [res], %r9; ret; }\n"

/* Parameters of one width that change places; a predicate and 64 bits that outlive the call. */
static const char swapped[] = HEAD FUNCTION(
    "f", "mov.u32 %r9, %r2; setp.eq.u32 %p1, %r1, 0; @%p1 bra END; and.b32 %r3, %r1, 1;\n"
         "setp.eq.u32 %p2, %r3, 0; mul.wide.u32 %rd1, %r1, 1000; sub.u32 %r4, %r1, 1;\n"
         "{ .param .b32 p; st.param.b32 [p], %r4; .param .b32 q; st.param.b32 [q], %r2;\n"
         ".param .b32 r; call (r), g, (q, p); ld.param.b32 %r9, [r]; }\n"
         "cvt.u32.u64 %r5, %rd1; @%p2 add.u32 %r9, %r9, %r5; @!%p2 sub.u32 %r9, %r9, %r2; END:\n")
    FUNCTION("g", CALL2("%r9", "f", "%r2", "%r1") "add.u32 %r9, %r9, %r1;\n") KERNEL("f");

static uint32_t want_swapped(uint32_t a, uint32_t b) {
  if (a == 0) return b;
  const uint32_t inner = want_swapped(a - 1, b) + b;
  return a % 2 == 0 ? inner + 1000 * a : inner - b;
}

/* Two calls, the second with what the first gave: depths differ from lane to lane. */
static const char ackermann[] = HEAD FUNCTION(
    "f", "rem.u32 %r1, %r1, 3; setp.ne.u32 %p1, %r1, 0; @%p1 bra A; add.u32 %r9, %r2, 1; bra END;\n"
         "A: sub.u32 %r3, %r1, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra B; mov.u32 %r4, 1;\n" //
    CALL2("%r9", "f", "%r3", "%r4") "bra END;\n"
                                    "B: sub.u32 %r5, %r2, 1;\n" CALL2("%r6", "f", "%r1", "%r5")
                                        CALL2("%r9", "f", "%r3", "%r6") "END:\n") KERNEL("f");

static uint32_t want_ackermann(uint32_t m, uint32_t n) {
  m %= 3;
  if (m == 0) return n + 1;
  return n == 0 ? want_ackermann(m - 1, 1) : want_ackermann(m - 1, want_ackermann(m, n - 1));
}

/* Lanes that end within; the others come back. */
static const char ending[] = HEAD FUNCTION(
    "f", "setp.eq.u32 %p1, %r2, 3; setp.lt.u32 %p2, %r1, 2; mov.u32 %r9, %r1; @%p2 bra END;\n"
         "sub.u32 %r3, %r1, 2;\n" CALL2(
             "%r9", "f", "%r3",
             "%r2") "setp.eq.u32 %p3, %r1, 7; @%p3 exit; add.u32 %r9, %r9, %r1; END:\n")
    KERNEL("f");

static uint32_t want_ending(uint32_t a, uint32_t b) {
  (void)b;
  if (a % 2 && a >= 7) return 0;
  return a < 2 ? a : want_ending(a - 2, b) + a;
}

/* An array of each call, at a generic address, a named one and a computed one; a guarded return. */
static const char arrays[] = HEAD FUNCTION(
    "f",
    ".local .align 8 .b8 depot[16]; .local .u32 once; mov.u64 %rd1, depot;\n"
    "cvta.local.u64 %rd2, %rd1; setp.eq.u32 %p1, %r1, 0; st.param.b32 [res], %r2; @%p1 ret;\n"
    "mul.lo.u32 %r3, %r1, 3; mul.lo.u32 %r4, %r1, 5; st.u32 [%rd2], %r3; sub.u32 %r5, %r1, 1;\n"
    "st.local.u32 [depot+4], %r4; st.local.u32 [once], %r5;\n" CALL2(
        "%r9", "g", "%r5", "%r2") "and.b32 %r6, %r1, 1; mul.wide.u32 %rd3, %r6, 4;\n"
                                  "add.u64 %rd3, %rd1, %rd3; ld.local.u32 %r7, [%rd3];\n"
                                  "mad.lo.u32 %r9, %r9, 31, %r7; ld.local.u32 %r7, [once];\n"
                                  "add.u32 %r9, %r9, %r7;\n")
    FUNCTION("g", ".local .u32 own[2]; st.local.u32 [own+4], %r1;\n" CALL2(
                      "%r9", "f", "%r1",
                      "%r2") "ld.local.u32 %r3, [own+4]; add.u32 %r9, %r9, %r3;\n") KERNEL("f");

static uint32_t want_arrays(uint32_t a, uint32_t b) {
  if (a == 0) return b;
  const uint32_t inner = want_arrays(a - 1, b) + (a - 1);
  return inner * 31 + (a & 1 ? 5 * a : 3 * a) + (a - 1);
}

/* Threads that end while their calls have arrays; the blocks behind them begin anew. */
static const char left_open[] = HEAD FUNCTION(
    "f",
    ".local .u32 l; st.local.u32 [l], %r1; mov.u32 %r9, %r2; setp.eq.u32 %p1, %r1, 0;\n"
    "@%p1 bra END; sub.u32 %r3, %r1, 1;\n" CALL2(
        "%r9", "f", "%r3", "%r2") "setp.eq.u32 %p3, %r1, 40; @%p3 exit; ld.local.u32 %r4, [l];\n"
                                  "add.u32 %r9, %r9, %r4; END:\n") KERNEL("f");

static uint32_t want_left_open(uint32_t a, uint32_t b) {
  return a >= 40 ? 0 : a * (a + 1) / 2 + b;
}

static const struct {
  const char *text;
  uint32_t (*want)(uint32_t, uint32_t);
} programs[] = {{swapped, want_swapped},
                {ackermann, want_ackermann},
                {ending, want_ending},
                {arrays, want_arrays},
                {left_open, want_left_open}};

START_TEST(right_values) {
  for (int portable = 0; portable < 2; portable++) {
    rig_t r = {.portable = portable != 0};
    ck_assert_msg(rig_open(&r, programs[_i].text, 3, 96) == 0, "%s", r.err.text);
    const uint32_t *out = rig_buffer(&r, 0, 4 * 96);
    ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
    for (uint32_t i = 0; i < 96; i++) ck_assert_uint_eq(out[i], programs[_i].want(i, i & 3));
    rig_close(&r);
  }
}
END_TEST

/* 512 calls within each other are there, one more is a fault. */
START_TEST(how_deep) {
  static const char text[] = HEAD FUNCTION(
      "f", "mov.u32 %r9, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra END; sub.u32 %r3, %r1, 1;\n" CALL2(
               "%r9", "f", "%r3", "%r2") "add.u32 %r9, %r9, 1; END:\n") KERNEL("f");
  for (uint32_t threads = 512; threads <= 544; threads += 32) {
    rig_t r = {0};
    ck_assert_msg(rig_open(&r, text, 1, threads) == 0, "%s", r.err.text);
    const uint32_t *out = rig_buffer(&r, 0, 4 * threads);
    const int rc = rig_run(&r);
    if (threads == 512) {
      ck_assert_msg(rc == 0, "%s", r.err.text);
      for (uint32_t i = 0; i < threads; i++) ck_assert_uint_eq(out[i], i);
    } else {
      ck_assert_int_ne(rc, 0);
      ck_assert_str_eq(r.err.text,
                       "k:9: call: lane 0 of block (0,0,0) thread (512,0,0): calls nested more "
                       "than 512 deep; legal: fewer, or a loop with its own stack");
    }
    rig_close(&r);
  }
}
END_TEST

static const struct {
  const char *text, *message;
} refused[] = {
    {HEAD FUNCTION("f", ".local .align 4 .b8 l[65537]; st.local.u32 [l], %r1;\n" CALL2(
                            "%r9", "f", "%r1", "%r2")) KERNEL("f"),
     "t.ptx:7: function 'f' calls itself and has more than 65536 bytes of .local variables (in "
     "function 'f', which it calls)"},
    {".version 7.0\n.target sm_70\n" FUNCTION("f", ".local .u32 l; cvta.local.u64 %rd1, l;\n" CALL2(
                                                       "%r9", "f", "%r1", "%r2")) KERNEL("f"),
     "t.ptx:6: function 'f' calls itself, directly or through others: the address of a .local "
     "variable of its own; legal: in mov, ld, st and a cvta as wide as addresses (in function 'f', "
     "which it calls)"},
    {HEAD FUNCTION("f", "mov.u64 %rd1, x;\n" CALL2("%r9", "f", "%r1", "%r2")) KERNEL("f"),
     "t.ptx:7: the address of a parameter of function 'f', which calls itself, directly or through "
     "others; "
     "legal: ld.param, st.param at constant places"},
};

/* 65,536 bytes of arrays: 32 calls of 2,048 bytes, one more is a fault. */
START_TEST(how_much) {
  static const char text[] =
      HEAD FUNCTION("f", ".local .b8 l[2048]; st.local.u8 [l+2047], %r1; mov.u32 %r9, 0;\n"
                         "setp.eq.u32 %p1, %r1, 0; @%p1 bra END; sub.u32 %r3, %r1, 1;\n" CALL2(
                             "%r9", "f", "%r3", "%r2") "add.u32 %r9, %r9, 1; END:\n") KERNEL("f");
  for (uint32_t threads = 32; threads <= 33; threads++) {
    rig_t r = {0};
    ck_assert_msg(rig_open(&r, text, 1, threads) == 0, "%s", r.err.text);
    const uint32_t *out = rig_buffer(&r, 0, 4 * threads);
    ck_assert_int_eq(rig_run(&r) == 0, threads == 32);
    if (threads == 32) ck_assert_uint_eq(out[31], 31);
    if (threads == 33)
      ck_assert_ptr_nonnull(strstr(r.err.text, "outside local memory of the thread"));
    rig_close(&r);
  }
}
END_TEST

START_TEST(refuses) {
  ptx_module_t *m = NULL;
  mrpb_err_t err = {{0}};
  ck_assert_int_ne(ptx_read(&m, refused[_i].text, strlen(refused[_i].text), "t.ptx", &err), 0);
  ck_assert_str_eq(err.text, refused[_i].message);
}
END_TEST

Suite *test_simt_recursion_suite(void) {
  Suite *s = suite_create("simt_recursion");
  TCase *t = tcase_create("simt_recursion");
  tcase_add_loop_test(t, right_values, 0, sizeof programs / sizeof *programs);
  tcase_add_test(t, how_deep);
  tcase_add_test(t, how_much);
  tcase_add_loop_test(t, refuses, 0, sizeof refused / sizeof *refused);
  suite_add_tcase(s, t);
  return s;
}
