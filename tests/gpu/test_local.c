/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory on the whole GPU whose packets carry data: what stays in the L1D, what is written
 * back, and right values of every size, on every machine. */
#include "ptx_bench.h"

Suite *test_local_suite(void);

#define ENTRY                                                                                      \
  PTX_HEAD ".visible .entry k(.param .u64 a) {\n"                                                  \
           ".local .align 16 .b8 l[256]; .reg .b32 %r<30>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n" \
           "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u64 %rd8, l;\n"                       \
           "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;\n"         \
           "mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; mov.u32 %r20, 0;\n"
#define TEXT(body) ENTRY body "\nst.global.u32 [%rd4], %r20; ret; }\n"

enum { BLOCKS = 6, THREADS = 64, ALL = BLOCKS * THREADS, WARPS = ALL / WARP_LANES };

/* The first store misses and goes to the L2, the load brings the line, the second store stays there. */
START_TEST(stays) {
  bench_t b;
  start(&b,
        TEXT("st.local.u32 [l+8], %r4; ld.local.u32 %r5, [l+8]; add.u32 %r5, %r5, 1;\n"
             "st.local.u32 [l+8], %r5; ld.local.u32 %r20, [l+8];"),
        BLOCKS, THREADS);
  const uint32_t *a = rig_buffer(&b.rig, 0, 4 * ALL);
  run_with(&b, 0);
  expect_fine(&b);
  for (unsigned i = 0; i < ALL; i++) ck_assert_uint_eq(a[i], i + 1);
  ck_assert_uint_eq(b.sm.local_loads, 2 * WARPS);
  ck_assert_uint_eq(b.sm.local_stores, 2 * WARPS);
  ck_assert_uint_eq(b.sm.loads, 2 * WARPS);
  ck_assert_uint_eq(b.sm.stores, 3 * WARPS);
  ck_assert_uint_eq(b.sm.load_lines, 2 * WARPS);
  ck_assert_uint_eq(b.l1d.hits, WARPS);
  ck_assert_uint_eq(b.l1d.misses, WARPS);
  ck_assert_uint_eq(b.l1d.writes_kept, WARPS);
  ck_assert_uint_eq(b.l1d.writes, 3 * WARPS);
  ck_assert_uint_eq(b.l1d.write_backs, 0);
  ck_assert_uint_eq(b.check.stale, 0);
  rig_close(&b.rig);
}
END_TEST

/* 16 words of an array take 16 lines of a warp; an L1D of four gives them up, and has them again. */
static const char walk[] =
    TEXT("mov.u32 %r6, 0;\n"
         "A: and.b32 %r7, %r6, 15; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd5, %rd8, %rd5;\n"
         "ld.local.u32 %r9, [%rd5]; setp.lt.u32 %p2, %r6, 16; selp.b32 %r9, 0, %r9, %p2;\n"
         "add.u32 %r9, %r9, %r6; add.u32 %r9, %r9, %r4; st.local.u32 [%rd5], %r9;\n"
         "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 48; @%p1 bra A; ld.local.u32 %r20, [l+28];");

START_TEST(written_back) {
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, walk, BLOCKS, THREADS);
    machine(&b.cfg, m);
    b.cfg.l1d_sets = 2;
    b.cfg.l1d_ways = 2;
    const uint32_t *a = rig_buffer(&b.rig, 0, 4 * ALL);
    run_with(&b, 0);
    expect_fine(&b);
    for (unsigned i = 0; i < ALL; i++) ck_assert_uint_eq(a[i], 3 * i + 7 + 23 + 39);
    ck_assert_uint_eq(b.check.raced, 0);
    ck_assert_uint_eq(b.check.host_bytes, 0);
    if (m == 0) ck_assert_uint_gt(b.l1d.write_backs, 10);
    if (m == 4) ck_assert_uint_eq(b.l1d.writes_kept, 0); /* allocate on fill: written through */
    ck_assert_uint_le(b.l1d.write_backs, b.l1d.writes_kept);
    rig_close(&b.rig);
  }
}
END_TEST

/* Bytes, halves, words, pairs and quadruples at places that depend on the lane; generic ones too. */
static const char sizes[] =
    TEXT("mov.u32 %r6, 0; cvta.local.u64 %rd9, %rd8; and.b32 %r10, %r1, 3;\n"
         "A: add.u32 %r7, %r6, %r10; and.b32 %r7, %r7, 7; mul.wide.u32 %rd5, %r7, 16;\n"
         "add.u64 %rd6, %rd8, %rd5; add.u64 %rd7, %rd9, %rd5; add.u32 %r11, %r7, %r4;\n"
         "st.local.v4.u32 [%rd6], {%r11, %r7, %r6, %r4}; st.v2.u64 [%rd7+128], {%rd5, %rd5};\n"
         "st.local.u8 [%rd6+4], %r10; st.u16 [%rd7+130], %r10;\n"
         "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 8; @%p1 bra A; mov.u32 %r6, 0;\n"
         "B: mul.wide.u32 %rd5, %r6, 16; add.u64 %rd6, %rd8, %rd5; add.u64 %rd7, %rd9, %rd5;\n"
         "ld.v4.u32 {%r11, %r12, %r13, %r14}, [%rd7]; ld.local.v2.u32 {%r15, %r16}, [%rd6+128];\n"
         "ld.local.u64 %rd10, [%rd6+136]; cvt.u32.u64 %r17, %rd10;\n"
         "add.u32 %r20, %r20, %r11; add.u32 %r20, %r20, %r12; add.u32 %r20, %r20, %r13;\n"
         "add.u32 %r20, %r20, %r14; add.u32 %r20, %r20, %r15; add.u32 %r20, %r20, %r16;\n"
         "add.u32 %r20, %r20, %r17; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 8; @%p1 bra B;");

/* By elements k of 32 bytes in all: k + i, the lane's two bits instead of k, the step, i; 16 k with those
 * two bits above, 0, 16 k. */
static uint32_t sum_of(uint32_t i) {
  const uint32_t q = i % THREADS & 3;
  uint32_t sum = 0;
  for (uint32_t k = 0; k < 8; k++)
    sum += k + i + q + (k + 8 - q) % 8 + i + (16 * k + (q << 16)) + 16 * k;
  return sum;
}

START_TEST(every_size) {
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, sizes, BLOCKS, THREADS);
    machine(&b.cfg, m);
    if (_i) b.cfg.l1d_sets = 2, b.cfg.l1d_ways = 2, b.cfg.l2_sets = 4, b.cfg.l2_ways = 2;
    const uint32_t *a = rig_buffer(&b.rig, 0, 4 * ALL);
    run_with(&b, 0);
    expect_fine(&b);
    for (uint32_t i = 0; i < ALL; i++) ck_assert_uint_eq(a[i], sum_of(i));
    ck_assert_uint_eq(b.check.raced, 0);
    rig_close(&b.rig);
  }
}
END_TEST

Suite *test_local_suite(void) {
  Suite *s = suite_create("local");
  TCase *t = tcase_create("local");
  tcase_add_test(t, stays);
  tcase_add_test(t, written_back);
  tcase_add_loop_test(t, every_size, 0, 2);
  suite_add_tcase(s, t);
  return s;
}
