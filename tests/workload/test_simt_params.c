/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of kernels: structures and arrays by value, at constant and at computed addresses. */
#include "simt_help.h"

/* The launch's parameter `i` gets these bytes. */
static void give(rig_t *r, unsigned i, const void *bytes, size_t n) {
  const ptx_param_t *p = &r->prepared.launch.kernel->params[i];
  ck_assert_uint_eq(p->bytes, n);
  memcpy(&r->prepared.launch.params[p->offset], bytes, n);
}

#define TEXT(body)                                                                                 \
  ".version 7.7\n.target sm_70\n.address_size 64\n"                                                \
  ".visible .entry k(.param .u64 .ptr .global .align 8 out, .param .align 16 .b8 s[48],\n"         \
  "  .param .f32 f, .param .align 8 .b8 big[2048]) {\n"                                            \
  "  .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>; .reg .f64 %d<9>;\n"    \
  "  .reg .pred %p<4>;\n"                                                                          \
  "  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 32;\n"                 \
  "  add.u64 %rd1, %rd1, %rd2;\n" body "  ret;\n}\n"

static const uint32_t words[12] = {11,         22,         33, 44, 0x80F0, 66,
                                   0x3F800000, 0x40000000, 9,  10, 0,      12};

/* Opens, fills in and runs; what the threads wrote, 8 words each. */
static uint32_t *run(rig_t *r, const char *text) {
  static uint32_t big[512];
  const float f = 1.5f;
  for (unsigned i = 0; i < 512; i++) big[i] = 7 * i;
  ck_assert_msg(rig_open(r, text, 1, 64) == 0, "%s", r->err.text);
  uint32_t *out = rig_buffer(r, 0, 64 * 32);
  give(r, 1, words, sizeof words);
  give(r, 2, &f, sizeof f);
  give(r, 3, big, sizeof big);
  return out;
}

START_TEST(constant_addresses) {
  rig_t r = {0};
  uint32_t *out = run(
      &r, TEXT("  ld.param.v4.u32 {%r2, %r3, %r4, %r5}, [s];\n"
               "  st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};\n"
               "  ld.param.v2.f32 {%f1, %f2}, [s+24]; add.f32 %f3, %f1, %f2;\n"
               "  st.global.f32 [%rd1+16], %f3;\n"
               "  ld.param.s8 %r6, [s+16]; st.global.u32 [%rd1+20], %r6;\n"
               "  ld.param.u8 %h1, [s+17]; cvt.u32.u16 %r7, %h1; st.global.u32 [%rd1+24], %r7;\n"
               "  ld.param.u32 %r8, [big+2044]; st.global.u32 [%rd1+28], %r8;\n"));
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  static const uint32_t want[8] = {11, 22, 33, 44, 0x40400000, 0xFFFFFFF0, 0x80, 511 * 7};
  for (unsigned t = 0; t < 64; t++) ck_assert_mem_eq(out + 8 * t, want, sizeof want);
  rig_close(&r);
}
END_TEST

/* By a register, by lane, whole and in part of a warp; as a generic address. */
START_TEST(computed_addresses) {
  rig_t r = {0};
  uint32_t *out = run(
      &r, TEXT("  mov.b64 %rd3, big; mul.wide.u32 %rd4, %r1, 8; add.s64 %rd5, %rd3, %rd4;\n"
               "  ld.param.v2.u32 {%r2, %r3}, [%rd5+8]; st.global.v2.u32 [%rd1], {%r2, %r3};\n"
               "  cvta.param.u64 %rd6, %rd3; add.s64 %rd7, %rd6, %rd4;\n"
               "  ld.u32 %r4, [%rd7]; st.global.u32 [%rd1+8], %r4;\n"
               "  cvta.to.param.u64 %rd8, %rd7; ld.param.u32 %r5, [%rd8+4];\n"
               "  st.global.u32 [%rd1+12], %r5; setp.lt.u32 %p1, %r1, 5; mov.u32 %r6, 1;\n"
               "  @%p1 ld.param.u32 %r6, [%rd5]; st.global.u32 [%rd1+16], %r6;\n"
               "  mov.u64 %rd9, s+8; ld.param.u32 %r7, [%rd9]; st.global.u32 [%rd1+20], %r7;\n"));
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (uint32_t t = 0; t < 64; t++) {
    const uint32_t want[8] = {
        7 * (2 * t + 2), 7 * (2 * t + 3), 7 * 2 * t, 7 * (2 * t + 1), t < 5 ? 14 * t : 1, 33, 0, 0};
    ck_assert_mem_eq(out + 8 * t, want, sizeof want);
  }
  rig_close(&r);
}
END_TEST

static void expect_fault(const char *text, const char *message) {
  rig_t r = {0};
  run(&r, text);
  ck_assert_int_ne(rig_run(&r), 0);
  ck_assert_msg(strstr(r.err.text, message) != NULL, "%s", r.err.text);
  rig_close(&r);
}

START_TEST(faults) {
  expect_fault(TEXT("  mov.b64 %rd3, big; ld.param.u32 %r2, [%rd3+2048];\n"),
               "4-byte load at 0x848: outside parameters of the kernel; legal: 0x0 to 0x847");
  expect_fault(TEXT("  mov.b64 %rd3, big; ld.param.u32 %r2, [%rd3+2];\n"),
               "not aligned in parameters of the kernel");
  expect_fault(TEXT("  mov.b64 %rd3, big; cvta.param.u64 %rd4, %rd3; st.u32 [%rd4], %r1;\n"),
               "4-byte store at 0x48: outside parameters of the kernel");
  expect_fault(
      TEXT("  mov.b64 %rd3, big; cvta.param.u64 %rd4, %rd3; atom.add.u32 %r2, [%rd4], 1;\n"),
      "4-byte atomic at 0x48: outside parameters of the kernel");
}
END_TEST

/* A load at a computed address goes to the constant cache, lane by lane. */
START_TEST(timing) {
  rig_t r = {0};
  run(&r,
      TEXT("  mov.b64 %rd3, big; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4;\n"
           "  ld.param.u32 %r2, [%rd5+4];\n  cvta.param.u64 %rd6, %rd5; ld.u64 %rd7, [%rd6];\n"));
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *w = warp_stream_open(r.w, 0, 1);
  unsigned seen = 0;
  for (const warp_inst_t *i; (i = warp_stream_peek(r.w, w)); warp_stream_step(r.w, w)) {
    uint64_t addr[WARP_LANES];
    if (i->cls != WARP_LOAD || i->pc < 4 * WARP_PC_STEP) continue;
    ck_assert_int_eq(i->space, WARP_CONST);
    ck_assert_uint_eq(i->elem, seen ? 8 : 4);
    warp_stream_addresses(r.w, w, addr);
    for (unsigned l = 0; l < WARP_LANES; l++)
      ck_assert_uint_eq(addr[l], 72 + 4 * (32 + l) + (seen ? 0 : 4));
    seen++;
  }
  ck_assert_uint_eq(seen, 2);
  warp_stream_close(r.w, w);
  rig_close(&r);
}
END_TEST

Suite *test_simt_params_suite(void);

Suite *test_simt_params_suite(void) {
  Suite *s = suite_create("simt_params");
  TCase *t = tcase_create("simt_params");
  tcase_add_test(t, constant_addresses);
  tcase_add_test(t, computed_addresses);
  tcase_add_test(t, faults);
  tcase_add_test(t, timing);
  suite_add_tcase(s, t);
  return s;
}
