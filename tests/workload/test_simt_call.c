/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, switch tables, what stops a run, printf. */
#include "simt_help.h"

#include <stdio.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define KERNEL(body)                                                                               \
  ".visible .entry k(.param .u64 out, .param .u32 n) {\n"                                          \
  ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f64 %fd<9>; .reg .pred %p<9>;\n"                     \
  "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"                    \
  "add.u64 %rd1, %rd1, %rd2; ld.param.u32 %r2, [n]; mov.u32 %r3, 7;\n" body                        \
  "st.global.u32 [%rd1], %r3; ret;\n}\n"
/* %r3 = name(%r1) */
#define CALL(name)                                                                                 \
  "{ .param .b32 param0; st.param.b32 [param0+0], %r1; .param .b32 retval0;\n"                     \
  "call.uni (retval0), " name ", (param0); ld.param.b32 %r3, [retval0+0]; }\n"

/* |x - 20| by two returns; 100 + that of x, of a function that ends lanes. */
static const char functions[] =
    HEAD ".func (.param .b32 res) away(.param .b32 x);\n"
         ".visible .func (.param .b32 res) more(.param .b32 x) {\n"
         ".reg .b32 %r<4>; .reg .pred %p<2>; ld.param.u32 %r1, [x]; setp.eq.u32 %p1, %r1, 5;\n"
         "@%p1 exit;\n"
         "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call (b), away, (a);\n"
         "ld.param.b32 %r2, [b]; } add.u32 %r2, %r2, 100; st.param.b32 [res], %r2; ret; }\n"
         ".func (.param .b32 res) away(.param .b32 x) {\n"
         ".reg .b32 %r<9>; .reg .pred %p<2>; ld.param.u32 %r1, [x]; setp.lt.u32 %p1, %r1, 20;\n"
         "@%p1 bra LESS; sub.u32 %r2, %r1, 20; st.param.b32 [res+0], %r2; ret;\n"
         "LESS: sub.u32 %r2, 20, %r1; st.param.b32 [res+0], %r2; ret; }\n"
         /* what the neighbour has, and how many threads came */
         ".func (.param .b32 res) meet(.param .b32 x) {\n"
         ".shared .align 4 .b32 total; .reg .b32 %r<9>; .reg .b64 %rd<2>;\n"
         "ld.param.u32 %r1, [x]; mov.u64 %rd1, total; mov.u32 %r4, 0;\n"
         "cp.async.ca.shared.global [%rd1], [%rd1], 4, %r4; cp.async.wait_all; bar.sync 0;\n"
         "red.shared.add.u32 [%rd1], 1; bar.sync 3, 64; ld.shared.u32 %r2, [%rd1];\n"
         "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; add.u32 %r3, %r3, %r2;\n"
         "st.param.b32 [res], %r3; ret; }\n";

static char *text_of(const char *kernel) {
  const size_t size = sizeof functions + strlen(kernel);
  char *text = malloc(size);
  ck_assert_ptr_nonnull(text);
  snprintf(text, size, "%s%s", functions, kernel);
  return text;
}

static uint32_t away(uint32_t x) {
  return x < 20 ? 20 - x : x - 20;
}

/* Runs with n = 3; one block of 64 threads. */
static void expect(const char *kernel, uint32_t (*want)(uint32_t)) {
  for (int portable = 0; portable < 2; portable++) {
    rig_t r = {.portable = portable != 0};
    char *text = text_of(kernel);
    ck_assert_msg(rig_open(&r, text, 1, 64) == 0, "%s", r.err.text);
    const uint32_t *out = rig_buffer(&r, 0, 256);
    simt_param(&r.prepared.launch, 1, 3);
    ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
    for (uint32_t i = 0; i < 64; i++)
      ck_assert_msg(out[i] == want(i), "thread %u: %u, expected %u", i, out[i], want(i));
    rig_close(&r);
    free(text);
  }
}

static uint32_t nested(uint32_t i) {
  return i == 5 ? 0 : 100 + away(i);
}
static uint32_t met(uint32_t i) {
  return (i ^ 1) + 64;
}
static uint32_t guarded(uint32_t i) {
  return i % 3 == 0 ? away(i) : 7;
}
static uint32_t in_branches(uint32_t i) {
  return i < 9 ? away(i) + 1 : i == 9 ? 7 : nested(i) * 2;
}
static uint32_t in_loop(uint32_t i) {
  uint32_t sum = 0;
  for (uint32_t k = i; k < i + i % 5; k++) sum += away(k);
  return sum;
}

START_TEST(calls) {
  expect(KERNEL(CALL("away")), away);
  expect(KERNEL(CALL("more")), nested);
  expect(KERNEL(CALL("meet")), met);
  expect(KERNEL("rem.u32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0;\n"
                "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; @%p1 call (b), away, (a);\n"
                "@%p1 ld.param.b32 %r3, [b]; }\n"),
         guarded);
  expect(KERNEL("setp.lt.u32 %p1, %r1, 9; @%p1 bra LOW; setp.eq.u32 %p2, %r1, 9; @%p2 bra "
                "END;\n" CALL("more") "shl.b32 %r3, %r3, 1; bra END;\nLOW: " CALL(
                    "away") "add.u32 %r3, %r3, 1;\nEND:\n"),
         in_branches);
  expect(KERNEL("mov.u32 %r5, 0; rem.u32 %r6, %r1, 5; add.u32 %r6, %r6, %r1;\n"
                "AGAIN: setp.ge.u32 %p1, %r1, %r6; @%p1 bra OUT;\n" CALL(
                    "away") "add.u32 %r5, %r5, %r3; add.u32 %r1, %r1, 1; bra AGAIN;\n"
                            "OUT: mov.u32 %r3, %r5;\n"),
         in_loop);
}
END_TEST

/* ---- switch tables ---------------------------------------------------------------------------- */

#define SWITCH                                                                                     \
  "and.b32 %r4, %r1, 3; setp.gt.u32 %p1, %r1, 50; @%p1 mov.u32 %r4, %r2;\n"                        \
  "T: .branchtargets A, B, C, B;\nbrx.idx %r4, T;\nA: mov.u32 %r3, 10; bra END;\n"                 \
  "B: add.u32 %r3, %r3, %r4; bra END;\nC: mov.u32 %r3, 30;\nEND: add.u32 %r3, %r3, 1000;\n"

static uint32_t switched(uint32_t i) {
  const uint32_t k = i > 50 ? 3 : i % 4;
  return 1000 + (k == 0 ? 10 : k == 2 ? 30 : 7 + k);
}

/* The lanes meet behind the switch: the sum at its end issues once a warp. */
START_TEST(switches) {
  rig_t r = {0};
  expect(KERNEL(SWITCH), switched);
  char *text = text_of(KERNEL(SWITCH));
  ck_assert_int_eq(rig_open(&r, text, 1, 32), 0);
  rig_buffer(&r, 0, 256);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *w = warp_stream_open(r.w, 0, 0);
  unsigned branches = 0, last = 0;
  for (const warp_inst_t *i; (i = warp_stream_peek(r.w, w)); warp_stream_step(r.w, w)) {
    branches += i->cls == WARP_BRANCH && i->op == PTX_OP_BRX;
    if (i->cls != WARP_STORE) continue;
    ck_assert_uint_eq(warp_stream_mask(r.w, w), UINT32_MAX);
    last++;
  }
  ck_assert_uint_eq(branches, 1);
  ck_assert_uint_eq(last, 1);
  warp_stream_close(r.w, w);
  rig_close(&r);
  free(text);
}
END_TEST

/* ---- what the SM sees ------------------------------------------------------------------------- */

START_TEST(timing) {
  static const char want[] = "call branch, st alu, ret branch, ld alu, ";
  char seen[200] = "";
  rig_t r = {0};
  char *text = text_of(KERNEL(CALL("away")));
  ck_assert_int_eq(rig_open(&r, text, 1, 20), 0);
  rig_buffer(&r, 0, 256);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *w = warp_stream_open(r.w, 0, 0);
  bool called = false;
  for (const warp_inst_t *i; (i = warp_stream_peek(r.w, w)); warp_stream_step(r.w, w)) {
    const bool mine =
        i->op == PTX_OP_CALL || i->op == PTX_OP_RET ||
        (called && (i->op == PTX_OP_ST || (i->op == PTX_OP_LD && strstr(seen, "ret"))));
    called |= i->op == PTX_OP_CALL;
    if (mine && i->cls != WARP_STORE)
      snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s %s, ",
               ptx_op_name((ptx_op_t)i->op), i->cls == WARP_BRANCH ? "branch" : "alu");
  }
  ck_assert_str_eq(seen, want);
  warp_stream_close(r.w, w);
  rig_close(&r);
  free(text);
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------- */

static void expect_end(const char *kernel, const char *message) {
  rig_t r = {0};
  char *text = text_of(kernel);
  ck_assert_msg(rig_open(&r, text, 1, 64) == 0, "%s", r.err.text);
  rig_buffer(&r, 0, 256);
  simt_param(&r.prepared.launch, 1, 9);
  ck_assert_int_ne(rig_run(&r), 0);
  ck_assert_msg(strstr(r.err.text, message) != NULL, "%s", r.err.text);
  rig_close(&r);
  free(text);
}

#define ASSERT_DATA                                                                                \
  ".global .b8 m[7] = {105, 32, 60, 32, 49, 0, 0}; .global .b8 f[4] = {97, 46, 99, 0};\n"          \
  ".global .b8 g[2] = {103, 0};\n"                                                                 \
  ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param " \
  ".b64 e);\n"

START_TEST(stops) {
  expect_end(KERNEL("setp.eq.u32 %p1, %r1, 33; @%p1 trap;\n"),
             "trap: lane 1 of block (0,0,0) thread (33,0,0): the program stops here");
  expect_end(KERNEL("brkpt;\n"), "the program stops here");
  expect_end(KERNEL("setp.gt.u32 %p1, %r1, 50;\n" SWITCH),
             "brx: lane 19 of block (0,0,0) thread "
             "(51,0,0): index 9; the table has 4 labels");
  expect_end(
      ASSERT_DATA KERNEL(
          "setp.lt.u32 %p1, %r1, 1; @%p1 bra FINE;\n"
          "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
          "mov.u64 %rd3, m; st.param.b64 [a], %rd3; mov.u64 %rd3, f; st.param.b64 [b], %rd3;\n"
          "st.param.b32 [c], 12; mov.u64 %rd3, g; st.param.b64 [d], %rd3; st.param.b64 [e], 1;\n"
          "call.uni __assertfail, (a, b, c, d, e); }\nFINE:\n"),
      "lane 1 of block (0,0,0) thread (1,0,0): a.c:12: g: assertion `i < 1' failed");
}
END_TEST

/* ---- printf ----------------------------------------------------------------------------------- */

#define PRINT_DATA                                                                                 \
  ".global .b8 fmt[18] = {37, 51, 100, 32, 37, 115, 32, 37, 46, 50, 102, 32, 37, 37, 37, 120, "    \
  "10, "                                                                                           \
  "0};\n.global .b8 s[3] = {104, 105, 0};\n"                                                       \
  ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"

/* "%3d %s %.2f %%%x\n", by block, warp and lane, whichever warp runs first. */
START_TEST(prints) {
  rig_t r = {0};
  char *text = text_of(PRINT_DATA KERNEL(
      ".local .align 8 .b8 depot[32]; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r6, %r5, 100, %r1;\n"
      "and.b32 %r7, %r1, 31; setp.gt.u32 %p1, %r7, 1; @%p1 bra END;\n"
      "mov.u64 %rd3, depot; cvta.local.u64 %rd4, %rd3; st.local.u32 [%rd3], %r6;\n"
      "mov.u64 %rd5, s; cvta.global.u64 %rd5, %rd5; st.local.u64 [%rd3+8], %rd5;\n"
      "cvt.rn.f64.u32 %fd1, %r1; st.local.f64 [%rd3+16], %fd1; st.local.u32 [%rd3+24], 255;\n"
      "{ .param .b64 a; .param .b64 b; .param .b32 c; mov.u64 %rd6, fmt; st.param.b64 [a], %rd6;\n"
      "st.param.b64 [b], %rd4; call.uni (c), vprintf, (a, b); ld.param.b32 %r3, [c]; }\nEND:\n"));
  ck_assert_msg(rig_open(&r, text, 2, 64) == 0, "%s", r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 256);
  FILE *f = tmpfile();
  ck_assert_ptr_nonnull(f);
  simt_print_to(r.w, f);
  const launch_t *l = workload_next(r.w);
  ck_assert_ptr_nonnull(l);
  for (uint32_t block = 2; block-- > 0;)
    ck_assert_int_eq(workload_run_block(r.w, l, block, 0, &r.err), 0);
  ck_assert_ptr_null(workload_next(r.w));
  char has[1000] = "", want[1000] = "";
  rewind(f);
  has[fread(has, 1, sizeof has - 1, f)] = '\0';
  for (unsigned i = 0; i < 8; i++)
    snprintf(want + strlen(want), sizeof want - strlen(want), "%3u hi %u.00 %%ff\n",
             i / 4 * 100 + i / 2 % 2 * 32 + i % 2, i / 2 % 2 * 32 + i % 2);
  ck_assert_str_eq(has, want);
  ck_assert_uint_eq(out[33], 4);
  fclose(f);
  rig_close(&r);
  free(text);
}
END_TEST

/* ---- addresses as initial values -------------------------------------------------------------- */

START_TEST(references) {
  rig_t r = {0};
  char *text = text_of(
      ".global .u32 words[3] = {5, 6, 7}; .global .align 8 .u64 to[3] = {words, generic(words), "
      "words+8};\n"
      ".const .align 8 .b64 same[1] = {words+4};\n" KERNEL(
          "setp.gt.u32 %p1, %r1, 2; @%p1 bra LAST; mov.u64 %rd3, to; mul.wide.u32 %rd4, %r1, 8;\n"
          "add.u64 %rd3, %rd3, %rd4; ld.global.u64 %rd5, [%rd3]; ld.u32 %r3, [%rd5]; bra END;\n"
          "LAST: mov.u64 %rd4, same; cvta.const.u64 %rd4, %rd4; ld.u64 %rd5, [%rd4]; ld.global.u32 "
          "%r3, [%rd5];\nEND:\n"));
  ck_assert_msg(rig_open(&r, text, 1, 4) == 0, "%s", r.err.text);
  const uint32_t want[4] = {5, 5, 7, 6}, *out = rig_buffer(&r, 0, 256);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  ck_assert_mem_eq(out, want, sizeof want);
  rig_close(&r);
  free(text);
}
END_TEST

/* ---- refused ---------------------------------------------------------------------------------- */

START_TEST(refused) {
  static const struct {
    const char *text, *message;
  } c[] = {
      {HEAD ".extern .func g();\n" KERNEL("call.uni g;\n"),
       "t.ptx:9: function 'g' has no body in this text; put its body into the same file"},
      {HEAD ".extern .func __nv_sinf();\n" KERNEL("call.uni __nv_sinf;\n"),
       "t.ptx:9: function '__nv_sinf' has no body in this text; have the compiler link libdevice"},
      {HEAD ".func g(.param .b32 a) { ret; }\n" KERNEL("call.uni g;\n"),
       "t.ptx:9: the call has 0 parameters, function 'g' 1"},
      {HEAD ".func g(.param .b64 a) { ret; }\n" KERNEL(
           "{ .param .b32 x; st.param.b32 [x], %r1; call.uni g, (x); }\n"),
       "t.ptx:9: parameters 0 of the call: 4 bytes; function 'g' has 8"},
      {HEAD KERNEL("call (x), g;\n"),
       "t.ptx:8: 'x' cannot be passed; legal: .param variables declared"},
      {HEAD KERNEL("call %rd1;\n"),
       "t.ptx:8: ';'; a call through a register, and only that, ends with its .callprototype or "},
      {HEAD ".func g() { ret; }\n" KERNEL("call g, p;\n"),
       "t.ptx:9: 'p'; a call through a register, and only that, ends with its .callprototype or "},
      {HEAD ".func g() { ret; }\n" KERNEL("mov.u32 %r3, g;\n"),
       "t.ptx:9: address of function 'g'; legal: in mov, 64 bits"},
      {HEAD ".func g() { ret; } .func g() { ret; }\n", "t.ptx:4: function 'g' again"},
      {HEAD ".func g() { .reg .b32 %r<2>; mov.u32 %r1, 0; }\n" KERNEL("call g;\n"),
       "t.ptx:4: function 'g' runs past its end; legal: ret, exit or bra last"},
      {HEAD KERNEL("brx.idx %r1, T;\n"), "t.ptx:8: 'T' is not a .branchtargets of kernel 'k'"},
      {HEAD KERNEL("T: .branchtargets A;\nbrx.idx %r1, T;\n"), "t.ptx:8: label 'A' is not defined"},
      {HEAD KERNEL("{ .param .b32 x; ld.param.b64 %rd3, [x]; }\n"),
       "t.ptx:8: 8 bytes at 'x'+0: outside of its 4 bytes, or not aligned"}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    mrpb_err_t err = {{0}};
    ptx_module_t *m = NULL;
    ck_assert_int_eq(ptx_read(&m, c[i].text, strlen(c[i].text), "t.ptx", &err), -1);
    ck_assert_msg(strncmp(err.text, c[i].message, strlen(c[i].message)) == 0, "is   %s\nwant %s",
                  err.text, c[i].message);
  }
}
END_TEST

Suite *test_simt_call_suite(void);

Suite *test_simt_call_suite(void) {
  Suite *s = suite_create("simt_call");
  TCase *t = tcase_create("simt_call");
  tcase_add_test(t, calls);
  tcase_add_test(t, switches);
  tcase_add_test(t, timing);
  tcase_add_test(t, stops);
  tcase_add_test(t, prints);
  tcase_add_test(t, references);
  tcase_add_test(t, refused);
  suite_add_tcase(s, t);
  return s;
}
