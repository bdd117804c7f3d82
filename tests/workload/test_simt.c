/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_help.h"

#include <stdio.h>

START_TEST(vector_add) {
  rig_t r = {0};
  ck_assert_int_eq(
      rig_open(&r,
               PTX_HEAD ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
                        ".reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\n"
                        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];\n"
                        "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
                        "mad.lo.s32 %r5, %r2, %r3, %r4;\n"
                        "setp.ge.s32 %p1, %r5, %r1;\n"
                        "@%p1 bra DONE;\n"
                        "cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd2, %rd2;\n"
                        "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd3, %rd4;\n"
                        "ld.global.f32 %f1, [%rd5]; add.s64 %rd4, %rd2, %rd4;\n"
                        "fma.rn.f32 %f2, %f1, 0f40000000, 0f3F800000;\n"
                        "st.global.f32 [%rd4], %f2;\n"
                        "DONE: ret; }\n",
               3, 100),
      0);
  enum { N = 270 };
  float *a = rig_buffer(&r, 0, N * 4), *b = rig_buffer(&r, 1, N * 4);
  simt_param(&r.prepared.launch, 2, N);
  for (int i = 0; i < N; i++) a[i] = (float)i;
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (int i = 0; i < N; i++) ck_assert_float_eq(b[i], (float)i * 2 + 1);
  rig_close(&r);
}
END_TEST

#define ENTRY                                                                                      \
  ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 x) {\n"                          \
  ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<12>;\n"      \
  "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r8, [x];\n"                    \
  "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n"                    \
  "add.s64 %rd5, %rd2, %rd3;\n"
#define TEXT(body) PTX_HEAD ENTRY body "ret;\n}\n"

/* The kernel reads word i of `in` as i * 3 and writes 32 words; compares with want(i). */
static void run_words(const char *text, uint32_t (*want)(uint32_t)) {
  for (unsigned p = 0; p < 2; p++) {
    rig_t r = {.portable = p};
    ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
    uint32_t *in = rig_buffer(&r, 0, 4096), *out = rig_buffer(&r, 1, 128);
    for (uint32_t i = 0; i < 1024; i++) in[i] = 3 * i;
    simt_param(&r.prepared.launch, 2, 5);
    ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
    for (uint32_t i = 0; i < 32; i++)
      ck_assert_msg(out[i] == want(i), "lane %u: %u, expected %u", i, out[i], want(i));
    rig_close(&r);
  }
}

static uint32_t want_spaces(uint32_t i) {
  return 3 * i + 7 * i + 11 + 2 * i;
}
/* Local, shared and constant memory by name. */
START_TEST(spaces) {
  run_words(PTX_HEAD
            ".const .align 4 .u32 c[3] = {1, 11, 2};\n" ENTRY
            ".local .align 4 .b8 l[16]; .shared .align 4 .b8 s[128];\n"
            "ld.global.u32 %r2, [%rd4]; mul.lo.u32 %r3, %r1, 7; st.local.u32 [l+8], %r3;\n"
            "shl.b32 %r4, %r1, 2; mov.u32 %r5, s; add.u32 %r5, %r5, %r4; shl.b32 %r6, %r1, 1;\n"
            "st.shared.u32 [%r5], %r6; ld.local.u32 %r3, [l+8]; add.u32 %r2, %r2, %r3;\n"
            "ld.const.u32 %r3, [c+4]; add.u32 %r2, %r2, %r3; ld.shared.u32 %r3, [%r5];\n"
            "add.u32 %r2, %r2, %r3; st.global.u32 [%rd5], %r2; ret; }\n",
            want_spaces);
}
END_TEST

static uint32_t want_narrow(uint32_t i) {
  uint32_t w = 3 * (i + 40);
  return (uint32_t)(int32_t)(int8_t)w + (uint8_t)w + (w & 0xFFFF);
}
START_TEST(narrow_and_wide) {
  run_words(TEXT("ld.global.s8 %r2, [%rd4+160]; ld.global.u8 %r3, [%rd4+160];\n"
                 "ld.global.u16 %h1, [%rd4+160]; cvt.u32.u16 %r4, %h1; add.u32 %r2, %r2, %r3;\n"
                 "add.u32 %r2, %r2, %r4; ld.global.u32 %rd9, [%rd4]; st.global.u32 [%rd5], %r2;\n"),
            want_narrow);
}
END_TEST

static uint32_t want_vector(uint32_t i) {
  return 3 * (4 * i) + 2 * 3 * (4 * i + 1) + 3 * 3 * (4 * i + 2) + 4 * 3 * (4 * i + 3);
}
START_TEST(vectors) {
  run_words(TEXT("mul.wide.u32 %rd6, %r1, 16; add.s64 %rd6, %rd6, %rd1;\n"
                 "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd6];\n"
                 "st.global.v2.u32 [%rd6], {%r5, %r4}; ld.global.v2.u32 {%r6, %r7}, [%rd6];\n"
                 "mad.lo.u32 %r2, %r3, 2, %r2; mad.lo.u32 %r2, %r7, 3, %r2;\n"
                 "mad.lo.u32 %r2, %r6, 4, %r2; st.global.u32 [%rd5], %r2;\n"),
            want_vector);
}
END_TEST

static uint32_t want_texture(uint32_t i) {
  return 3 * (i + 1);
}
/* By numbers, all four of them named; by coordinates, i + 1.75, but -0.5 and no number in two lanes. */
static const char *const textures[] = {
    PTX_HEAD
    ".global .texref t;\n" ENTRY
    "add.u32 %r2, %r1, 1; tex.1d.v4.s32.s32 {%r3, %r4, %r5, %r6}, [t, {%r2, %r1, %r1, %r1}];\n"
    "add.u32 %r3, %r3, %r4; st.global.u32 [%rd5], %r3; ret; }\n",
    PTX_HEAD ".global .texref t;\n" ENTRY
             ".reg .f32 %c<3>; .reg .pred %q<3>; cvt.rn.f32.u32 %c1, %r1; add.f32 %c1, %c1, 1.75;\n"
             "setp.eq.u32 %q1, %r1, 4; @%q1 mov.f32 %c1, 0fBF000000;\n"
             "setp.eq.u32 %q2, %r1, 5; @%q2 mov.f32 %c1, 0f7FFFFFFF;\n"
             "tex.1d.v4.s32.f32 {%r3, %r4, %r5, %r6}, [t, {%c1}];\n"
             "@%q1 add.u32 %r3, %r3, 15; @%q2 add.u32 %r3, %r3, 18;\n"
             "add.u32 %r3, %r3, %r4; st.global.u32 [%rd5], %r3; ret; }\n"};

START_TEST(texture) {
  rig_t r = {0};
  ptx_module_t *m = NULL;
  const char *text = textures[_i];
  ck_assert_int_eq(memory_create(&r.memory, &r.err), 0);
  ck_assert_msg(ptx_read(&m, text, strlen(text), "test.ptx", &r.err) == 0, "%s", r.err.text);
  simt_setup_t s = {
      .module = m, .memory = r.memory, .host = &r.prepared, .next = simt_prepared_next};
  r.prepared.launch = (simt_launch_t){
      .kernel = ptx_kernel(m, 0), .grid = {1, 1, 1}, .block = {32, 1, 1}, .regs = 16};
  r.prepared.left = 1;
  ck_assert_int_eq(simt_create(&r.w, &s, &r.err), -1);
  ck_assert_ptr_nonnull(strstr(r.err.text, "a texture that the host has not bound"));
  uint32_t *in = rig_buffer(&r, 0, 4096), *out = rig_buffer(&r, 1, 128);
  for (uint32_t i = 0; i < 1024; i++) in[i] = 3 * i;
  ptx_bind(m, 0, MEMORY_BASE);
  r.err.text[0] = '\0';
  ck_assert_msg(simt_create(&r.w, &s, &r.err) == 0, "%s", r.err.text);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (uint32_t i = 0; i < 32; i++) ck_assert_uint_eq(out[i], want_texture(i));
  rig_close(&r);
}
END_TEST

/* Generic addresses of shared and local memory, and what the SM sees of them. */
START_TEST(generic) {
  static const char text[] = PTX_HEAD ENTRY
      ".shared .align 4 .b8 s[128]; .local .align 4 .b8 l[8];\n"
      "mov.u64 %rd6, s; cvta.shared.u64 %rd6, %rd6; add.s64 %rd6, %rd6, %rd3;\n"
      "ld.u32 %r2, [%rd4]; st.u32 [%rd6], %r2; mov.u64 %rd7, l; cvta.local.u64 %rd7, %rd7;\n"
      "ld.u32 %r3, [%rd6]; st.u32 [%rd7+4], %r3; ld.u32 %r4, [%rd7+4];\n"
      "cvta.to.shared.u64 %rd8, %rd6; ld.shared.u32 %r5, [%rd8]; add.u32 %r4, %r4, %r5;\n"
      "st.u32 [%rd5], %r4; ret; }\n";
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  uint32_t *in = rig_buffer(&r, 0, 128), *out = rig_buffer(&r, 1, 128);
  for (uint32_t i = 0; i < 32; i++) in[i] = 3 * i;
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 0);
  static const struct {
    warp_space_t space;
    bool local;
  } want[] = {{WARP_GLOBAL, false}, {WARP_SHARED, false}, {WARP_SHARED, false}, {WARP_GLOBAL, true},
              {WARP_GLOBAL, true},  {WARP_SHARED, false}, {WARP_GLOBAL, false}};
  unsigned n = 0;
  const warp_inst_t *i;
  for (; (i = warp_stream_peek(r.w, s)); warp_stream_step(r.w, s)) {
    uint64_t addr[WARP_LANES];
    if ((i->cls != WARP_LOAD && i->cls != WARP_STORE) || i->space == WARP_CONST) continue;
    ck_assert_uint_lt(n, 7);
    ck_assert_uint_eq(i->space, want[n].space);
    ck_assert_uint_eq(i->local, want[n++].local);
    warp_stream_addresses(r.w, s, addr);
    if (i->space == WARP_SHARED) ck_assert_uint_eq(addr[9], 36);
  }
  ck_assert_uint_eq(n, 7);
  warp_stream_close(r.w, s);
  for (uint32_t l = 0; l < 32; l++) ck_assert_uint_eq(out[l], 6 * l);
  rig_close(&r);
}
END_TEST

/* What a store will write, and what a load would read now. */
START_TEST(values) {
  rig_t r = {0};
  ck_assert_int_eq(rig_open(&r,
                            TEXT("mul.lo.u32 %r2, %r1, 9; st.global.u8 [%rd5], %r2;\n"
                                 "setp.eq.u32 %p1, %r1, 4; @%p1 ld.global.u32 %r3, [%rd4];\n"),
                            1, 32),
                   0);
  uint32_t *in = rig_buffer(&r, 0, 128);
  uint8_t *out = rig_buffer(&r, 1, 128), value[WARP_LANES][16] = {{0}};
  in[4] = 0x12345678;
  out[8] = 77;
  uint32_t read = 0;
  r.w->ops->initial(r.w, MEMORY_BASE + 16, &read, 4);
  ck_assert_uint_eq(read, 0x12345678);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 0);
  while (warp_stream_peek(r.w, s)->cls != WARP_STORE) warp_stream_step(r.w, s);
  warp_stream_values(r.w, s, value);
  ck_assert_uint_eq(value[2][0], 18);
  ck_assert_uint_eq(out[8], 77);
  warp_stream_step(r.w, s);
  ck_assert_uint_eq(out[8], 18);
  while (warp_stream_peek(r.w, s)->cls != WARP_LOAD) warp_stream_step(r.w, s);
  ck_assert_uint_eq(warp_stream_mask(r.w, s), 16);
  warp_stream_values(r.w, s, value);
  ck_assert_int_eq(memcmp(value[4], &in[4], 4), 0);
  ck_assert_uint_eq(value[2][0], 18); /* an inactive lane is left alone */
  warp_stream_close(r.w, s);
  rig_close(&r);
}
END_TEST

static const struct {
  const char *body, *message;
} faults[] = {
    {"st.global.u32 [%rd5+64], %r1;\n",
     "k:9: st: lane 16 of block (0,0,0) thread (16,0,0): 4-byte store at 0x80000180: outside "
     "allocated global memory; legal: 0x80000000 to 0x8000017f"},
    {"ld.global.u32 %r2, [%rd4+2];\n",
     "k:9: ld: lane 0 of block (0,0,0) thread (0,0,0): 4-byte load at 0x80000002: not aligned in"},
    {"ld.global.u32 %r2, [64];\n", "4-byte load at 0x40: outside allocated global memory"},
    {"ld.global.v2.u32 {%r2, %r3}, [%rd4];\n", "lane 1 of block (0,0,0) thread (1,0,0): 8-byte"},
    {"st.global.u32 [%rd1-4], %r1;\n", "4-byte store at 0x7ffffffc: outside"},
    {"ld.global.u32 %r2, [%rd1-4];\n",
     "4-byte load at 0x7ffffffc: outside allocated global memory; legal: 0x80000000 to 0x8000017f"},
    {".shared .align 4 .b8 s[64]; mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;\n"
     "st.shared.u32 [%r2], %r1;\n",
     "lane 16 of block (0,0,0) thread (16,0,0): 4-byte store at 0x40: outside shared memory of the "
     "block; legal: 0x0 to 0x3f"},
    {".local .align 4 .b8 l[8]; mov.u64 %rd6, l; add.s64 %rd6, %rd6, %rd3;\n"
     "ld.local.u32 %r2, [%rd6];\n",
     "lane 2 of block (0,0,0) thread (2,0,0): 4-byte load at 0x8: outside local memory of the "
     "thread"},
    {"ld.const.u32 %r2, [65536];\n", "outside constant memory; legal: 0x0 to 0xffff"},
    {".shared .align 4 .b8 s[64]; mov.u64 %rd6, s; cvta.shared.u64 %rd6, %rd6;\n"
     "setp.lt.u32 %p1, %r1, 3; selp.b64 %rd7, %rd6, %rd4, %p1; ld.u32 %r2, [%rd7];\n",
     "lane 3 of block (0,0,0) thread (3,0,0): 4-byte load at 0x8000000c: shared, local and global "
     "addresses are mixed"},
};
START_TEST(fault) {
  char text[2048];
  rig_t r = {.portable = _i & 1};
  snprintf(text, sizeof text, "%s%s%s", PTX_HEAD ENTRY, faults[_i / 2].body, "ret;\n}\n");
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  (void)rig_buffer(&r, 0, 128);
  uint32_t *out = rig_buffer(&r, 1, 128);
  ck_assert_int_eq(rig_run(&r), WORKLOAD_FAILED);
  ck_assert_msg(strstr(r.err.text, faults[_i / 2].message) != NULL, "%s", r.err.text);
  ck_assert_ptr_nonnull(workload_fault(r.w));
  ck_assert_ptr_null(workload_next(r.w));
  if (_i / 2 == 0) ck_assert_uint_eq(out[31], 15); /* lanes that may store do */
  rig_close(&r);
}
END_TEST

/* Behind what is allocated nothing can be read: a faulting lane reads zero, the others what is there. */
START_TEST(outside_reads) {
  rig_t r = {0};
  ck_assert_int_eq(rig_open(&r,
                            TEXT("mov.u32 %r2, 9; ld.global.u32 %r2, [%rd5+104];\n"
                                 "st.global.u32 [%rd5], %r2;\n"),
                            1, 32),
                   0);
  (void)rig_buffer(&r, 0, 128);
  uint32_t *out = rig_buffer(&r, 1, 128);
  out[26] = 5;
  ck_assert_int_eq(rig_run(&r), WORKLOAD_FAILED);
  ck_assert_msg(strstr(r.err.text, "lane 6 of") != NULL, "%s", r.err.text);
  for (unsigned i = 0; i < 32; i++) ck_assert_uint_eq(out[i], i == 0 ? 5 : 0);
  rig_close(&r);
}
END_TEST

/* Identifiers in three dimensions, and a launch after another that sees its stores. */
START_TEST(dimensions) {
  rig_t r = {0};
  ck_assert_int_eq(
      rig_open(&r,
               PTX_HEAD
               ".visible .entry k(.param .u64 out) { .reg .b32 %r<20>; .reg .b64 %rd<5>;\n"
               "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;\n"
               "mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y;\n"
               "mov.u32 %r6, %ntid.z; mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y;\n"
               "mov.u32 %r9, %ctaid.z; mov.u32 %r10, %nctaid.x; mov.u32 %r11, %nctaid.y;\n"
               "mad.lo.u32 %r12, %r9, %r11, %r8; mad.lo.u32 %r12, %r12, %r10, %r7;\n"
               "mad.lo.u32 %r12, %r12, %r6, %r3; mad.lo.u32 %r12, %r12, %r5, %r2;\n"
               "mad.lo.u32 %r12, %r12, %r4, %r1; mul.wide.u32 %rd2, %r12, 4;\n"
               "add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r13, [%rd1]; add.u32 %r13, %r13, 1;\n"
               "add.u32 %r13, %r13, %r12; st.global.u32 [%rd1], %r13; ret; }\n",
               1, 1),
      0);
  enum { THREADS = 5 * 3 * 4, BLOCKS = 3 * 2 * 2 };
  uint32_t *out = rig_buffer(&r, 0, 4 * THREADS * BLOCKS);
  memcpy(r.prepared.launch.block, (uint32_t[]){5, 3, 4}, 12);
  memcpy(r.prepared.launch.grid, (uint32_t[]){3, 2, 2}, 12);
  r.prepared.left = 2;
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (uint32_t i = 0; i < THREADS * BLOCKS; i++) ck_assert_uint_eq(out[i], 2 * (i + 1));
  rig_close(&r);
}
END_TEST

/* Each read takes the counter as it stands when the instruction is stepped over, not a copy of an
 * earlier read; lanes that the guard holds back keep what they had. */
START_TEST(clock_registers) {
  static const char text[] =
      TEXT("mov.u32 %r2, %clock; mov.u64 %rd6, %clock64; cvt.u64.u32 %rd7, %clock;\n"
           "cvt.u32.u64 %r3, %clock64; mov.b64 {%r4, %r5}, %clock64; setp.lt.u32 %p1, %r1, 7;\n"
           "mov.u32 %r6, %clock; @%p1 mov.u32 %r6, %clock;\n"
           "mul.wide.u32 %rd3, %r1, 56; add.s64 %rd5, %rd2, %rd3; st.global.u32 [%rd5], %r2;\n"
           "st.global.u64 [%rd5+8], %rd6; st.global.u64 [%rd5+16], %rd7;\n"
           "st.global.u32 [%rd5+24], %r3; st.global.u32 [%rd5+28], %r4;\n"
           "st.global.u32 [%rd5+32], %r5; st.global.u32 [%rd5+36], %r6;\n"
           "mov.u32 %r6, %clock; st.global.u32 [%rd5+40], %r6; mov.u32 %r6, %clock;\n"
           "st.global.u32 [%rd5+44], %r6;\n");
  const uint64_t start = UINT64_C(0x12FFFFFFE0);
  for (unsigned p = 0; p < 4; p++) {
    rig_t r = {.portable = p & 1};
    ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
    (void)rig_buffer(&r, 0, 4);
    const uint8_t *out = rig_buffer(&r, 1, 56 * 32);
    uint64_t now = start, at[32] = {0};
    unsigned n = 0;
    if (p < 2) workload_set_clock(r.w, &now);
    ck_assert_ptr_nonnull(workload_next(r.w));
    warp_stream_t *s = warp_stream_open(r.w, 0, 0);
    for (; warp_stream_peek(r.w, s); now += 1 + n * n) {
      at[n++] = p < 2 ? now : 0;
      warp_stream_step(r.w, s);
    }
    warp_stream_close(r.w, s);
    ck_assert_uint_eq(n, 29);
    for (unsigned l = 0; l < 32; l++) {
      uint64_t wide[7];
      uint32_t word[14];
      memcpy(wide, out + l * 56, 56);
      memcpy(word, out + l * 56, 56);
      ck_assert_uint_eq(word[0], (uint32_t)at[7]);
      ck_assert_uint_eq(wide[1], at[8]);
      ck_assert_uint_eq(wide[2], (uint32_t)at[9]);
      ck_assert_uint_eq(word[6], (uint32_t)at[10]);
      ck_assert_uint_eq(word[7] | (uint64_t)word[8] << 32, at[11]);
      ck_assert_uint_eq(word[9], (uint32_t)at[l < 7 ? 14 : 13]);
      ck_assert_uint_eq(word[10], (uint32_t)at[24]);
      ck_assert_uint_eq(word[11], (uint32_t)at[26]);
    }
    rig_close(&r);
  }
}
END_TEST

/* A load that goes round the L1D is marked, and a load. */
START_TEST(cached_in_l2) {
  static const char text[] = TEXT("ld.global.u32 %r2, [%rd4];\nld.global.cg.u32 %r3, [%rd4];\n"
                                  "add.u32 %r2, %r2, %r3; st.global.u32 [%rd5], %r2;\n");
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  uint32_t *in = rig_buffer(&r, 0, 128), *out = rig_buffer(&r, 1, 128);
  for (uint32_t i = 0; i < 32; i++) in[i] = 3 * i;
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 0);
  unsigned loads = 0;
  for (const warp_inst_t *i; (i = warp_stream_peek(r.w, s)); warp_stream_step(r.w, s)) {
    if (i->cls != WARP_LOAD || i->space != WARP_GLOBAL) continue;
    ck_assert_uint_eq(i->bypass, loads++);
    ck_assert_uint_eq(i->op, PTX_OP_LD);
    ck_assert_uint_eq(i->type, PTX_U32);
  }
  ck_assert_uint_eq(loads, 2);
  warp_stream_close(r.w, s);
  for (uint32_t i = 0; i < 32; i++) ck_assert_uint_eq(out[i], 6 * i);
  rig_close(&r);
}
END_TEST

START_TEST(bad_launches) {
  static const uint32_t shapes[][2] = {{0, 32}, {1, 0}, {1, 1025}};
  for (unsigned i = 0; i < 3; i++) {
    rig_t r = {0};
    ck_assert_int_eq(rig_open(&r, TEXT(""), shapes[i][0], shapes[i][1]), 0);
    ck_assert_int_eq(rig_run(&r), WORKLOAD_FAILED);
    ck_assert_msg(strstr(r.err.text, "legal: 1 to 2147483647, 1 to 1024"), "%s", r.err.text);
    rig_close(&r);
  }
}
END_TEST

Suite *test_simt_suite(void);

Suite *test_simt_suite(void) {
  Suite *s = suite_create("simt");
  TCase *t = tcase_create("simt");
  tcase_add_test(t, vector_add);
  tcase_add_test(t, spaces);
  tcase_add_test(t, narrow_and_wide);
  tcase_add_test(t, vectors);
  tcase_add_loop_test(t, texture, 0, 2);
  tcase_add_test(t, generic);
  tcase_add_test(t, values);
  tcase_add_loop_test(t, fault, 0, 2 * sizeof faults / sizeof *faults);
  tcase_add_test(t, outside_reads);
  tcase_add_test(t, dimensions);
  tcase_add_test(t, clock_registers);
  tcase_add_test(t, cached_in_l2);
  tcase_add_test(t, bad_launches);
  suite_add_tcase(s, t);
  return s;
}
