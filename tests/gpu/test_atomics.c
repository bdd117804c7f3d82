/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics on the whole GPU whose packets carry data: right sums, packets like the reference's, the
 * order of a thread's atomics with its own loads and stores; and random programs. */
#include "ptx_bench.h"

#define ENTRY                                                                                      \
  PTX_HEAD ".visible .entry k(.param .u64 a, .param .u64 b) {\n"                                   \
           ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<9>; .reg .f32 %f<5>;\n"             \
           "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x;\n"                \
           "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;\n"         \
           "mul.wide.u32 %rd3, %r4, 8; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;\n"
#define TEXT(body) ENTRY body "\nret; }\n"

/* ---- how many packets ------------------------------------------------------------ */

enum { BLOCKS = 10, THREADS = 96, ALL = BLOCKS * THREADS, WARPS = ALL / WARP_LANES };

static const struct {
  const char *text;
  unsigned lines; /* of a warp */
} packets[] = {
    {TEXT("atom.global.add.u32 %r5, [%rd1], 1;"), 32},
    {TEXT("red.global.add.u64 [%rd1], 1;"), 32},
    {TEXT("atom.global.add.u64 %rd6, [%rd4], 1;"), 2},
    {TEXT("shr.u64 %rd3, %rd3, 1; add.u64 %rd4, %rd1, %rd3; red.global.add.u32 [%rd4], 1;"), 2},
    {TEXT("and.b32 %r5, %r1, 3; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd4, %rd1, %rd3;\n"
          "red.global.add.u32 [%rd4], 1;"),
     8},
    {TEXT("setp.eq.u32 %p1, %r1, %r1; @!%p1 red.global.add.u32 [%rd4], 1;"), 0},
};

START_TEST(packets_of_their_own) {
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, packets[_i].text, BLOCKS, THREADS);
    machine(&b.cfg, m);
    const uint64_t *a = rig_buffer(&b.rig, 0, 8 * ALL);
    run_with(&b, 0);
    expect_fine(&b);
    uint64_t sum = 0;
    for (unsigned i = 0; i < ALL; i++) sum += (a[i] & UINT32_MAX) + (a[i] >> 32);
    ck_assert_uint_eq(sum, packets[_i].lines ? ALL : 0);
    ck_assert_uint_eq(b.sm.atomics, WARPS);
    ck_assert_uint_eq(b.sm.atomic_lines, WARPS * packets[_i].lines);
    ck_assert_uint_eq(b.check.atomics, packets[_i].lines ? ALL : 0);
    ck_assert_uint_eq(b.check.raced, 0);
    rig_close(&b.rig);
  }
}
END_TEST

/* The L2 writes what an atomic has changed back, also where that was a miss. */
START_TEST(lines_are_modified) {
  bench_t b;
  start(
      &b,
      TEXT(
          "red.global.add.u64 [%rd4], 3; add.u64 %rd6, %rd4, 65536; red.global.add.u64 [%rd6], 4;"),
      64, 128);
  b.cfg.l2_sets = 4;
  b.cfg.l2_ways = 2;
  const uint64_t *a = rig_buffer(&b.rig, 0, 8 * 64 * 128 + 65536);
  run_with(&b, 0);
  expect_fine(&b);
  ck_assert_uint_gt(b.l2.write_backs, 64 * 128 / 32);
  ck_assert_uint_eq(a[0], 3);
  ck_assert_uint_eq(a[8192], 7 - 3);
  rig_close(&b.rig);
}
END_TEST

/* ---- a thread's own order ---------------------------------------------------------- */

/* Load, atomic, load; store, atomic, load; atomic, store, atomic. */
static const char own[] = TEXT(
    "ld.global.u32 %r5, [%rd4]; atom.global.add.u32 %r6, [%rd4], 5; ld.global.u32 %r7, [%rd4];\n"
    "sub.u32 %r8, %r7, %r5; st.global.u32 [%rd5], %r8; atom.global.max.u32 %r9, [%rd5], 2;\n"
    "ld.global.u32 %r9, [%rd5]; red.global.xor.b32 [%rd4], %r9; st.global.u32 [%rd4+4], %r9;\n"
    "atom.global.exch.b32 %r10, [%rd4+4], %r6; add.u32 %r10, %r10, %r9;\n"
    "st.global.u32 [%rd5+4], %r10;");

START_TEST(own_order) {
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, own, BLOCKS, THREADS);
    machine(&b.cfg, m);
    uint32_t *a = rig_buffer(&b.rig, 0, 8 * ALL), *c = rig_buffer(&b.rig, 1, 8 * ALL);
    for (unsigned i = 0; i < ALL; i++) a[2 * i] = 7 * i;
    run_with(&b, 0);
    expect_fine(&b);
    for (unsigned i = 0; i < ALL; i++) {
      ck_assert_uint_eq(a[2 * i], (7 * i + 5) ^ 5);
      ck_assert_uint_eq(a[2 * i + 1], 7 * i);
      ck_assert_uint_eq(c[2 * i], 5);
      ck_assert_uint_eq(c[2 * i + 1], 10);
    }
    rig_close(&b.rig);
  }
}
END_TEST

static void expect_text(const bench_t *b, const char *part) {
  ck_assert_msg(b->end == GPU_MISMATCH, "end %d: %s", (int)b->end, b->err.text);
  ck_assert_msg(strstr(b->err.text, part), "\"%s\" is not in \"%s\"", part, b->err.text);
}

/* h: the L1D keeps a line that the L2 has changed. */
START_TEST(line_stays) {
  bench_t b;
  start(&b, own, 1, 32);
  (void)rig_buffer(&b.rig, 0, 8 * ALL), (void)rig_buffer(&b.rig, 1, 8 * ALL);
  run_with(&b, HAZARD_ATOMIC);
  expect_text(&b, "got the initial contents from an L1D hit");
  rig_close(&b.rig);
}
END_TEST

/* a: the atomic overtakes stores that wait in the miss queue. */
START_TEST(overtakes_store) {
  static const char text[] =
      TEXT("setp.eq.u32 %p1, %r1, 0; shl.b64 %rd3, %rd3, 1; add.u64 %rd4, %rd1, %rd3;\n"
           "st.global.v4.u32 [%rd4], {%r1, %r2, %r3, %r4}; st.global.v4.u32 [%rd4+512], {%r1, %r2, "
           "%r3, %r4};\nst.global.v4.u32 [%rd4+1024], {%r1, %r2, %r3, %r4};\n"
           "st.global.v4.u32 [%rd4+1536], {%r1, %r2, %r3, %r4};\n"
           "st.global.v4.u32 [%rd4+2048], {%r1, %r2, %r3, %r4};\n"
           "@%p1 atom.global.add.u32 %r5, [%rd4+2048], 1; @%p1 st.global.u32 [%rd5], %r5;");
  for (unsigned h = 0; h < 2; h++) {
    bench_t b;
    start(&b, text, 1, 32);
    (void)rig_buffer(&b.rig, 0, 65536), (void)rig_buffer(&b.rig, 1, 8 * ALL);
    run_with(&b, h ? HAZARD_BYPASS : 0);
    if (h)
      expect_text(&b, "the atomic at pc 0x");
    else
      expect_fine(&b);
    rig_close(&b.rig);
  }
}
END_TEST

/* The collectors of the MEM unit: an atomic stays behind its warp's store. */
START_TEST(overtakes_in_collector) {
  static const char text[] = TEXT(
      "mov.u32 %r17, 3; mov.u32 %r1, 1; st.global.u32 [%rd4], %r17; st.global.u32 [%rd4+4], %r4;\n"
      "atom.global.add.u32 %r5, [%rd4], 1; red.global.add.u32 [%rd4+4], 1;\n"
      "ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd5], %r6;");
  bench_t b;
  start(&b, text, BLOCKS, THREADS);
  uint32_t *a = rig_buffer(&b.rig, 0, 8 * ALL), *c = rig_buffer(&b.rig, 1, 8 * ALL);
  run_with(&b, 0);
  expect_fine(&b);
  for (unsigned i = 0; i < ALL; i++) {
    ck_assert_uint_eq(a[2 * i], 4);
    ck_assert_uint_eq(a[2 * i + 1], i + 1);
    ck_assert_uint_eq(c[2 * i], 4);
  }
  rig_close(&b.rig);
}
END_TEST

/* ---- random programs ---------------------------------------------------------------- */

/* A linear congruential generator in each thread chooses one of many words and what is done to it. */
static const char random_text[] = TEXT(
    "mad.lo.u32 %r5, %r4, 747796405, 12345; mov.u32 %r6, 24;\n"
    "LOOP: mad.lo.u32 %r5, %r5, 1664525, 1013904223; shr.u32 %r7, %r5, 9; and.b32 %r7, %r7, 1023;\n"
    "mul.wide.u32 %rd6, %r7, 4; add.u64 %rd7, %rd1, %rd6; shr.u32 %r8, %r5, 20;\n"
    "and.b32 %r8, %r8, 7; setp.eq.u32 %p1, %r8, 0; setp.eq.u32 %p2, %r8, 1;\n"
    "setp.eq.u32 %p3, %r8, 2; setp.eq.u32 %p4, %r8, 3; setp.eq.u32 %p5, %r8, 4;\n"
    "setp.eq.u32 %p6, %r8, 5; setp.ge.u32 %p7, %r8, 6;\n"
    "@%p1 atom.global.add.u32 %r9, [%rd7], %r5; @%p2 red.global.max.u32 [%rd7], %r5;\n"
    "@%p3 atom.global.cas.b32 %r10, [%rd7], %r11, %r5; @%p4 st.global.u32 [%rd7], %r5;\n"
    "@%p5 ld.global.cg.u32 %r11, [%rd7]; @%p6 atom.global.exch.b32 %r11, [%rd7], %r5;\n"
    "@%p7 ld.global.u32 %r11, [%rd7]; sub.u32 %r6, %r6, 1; setp.ne.u32 %p8, %r6, 0;\n"
    "@%p8 bra LOOP; red.global.add.u32 [%rd2], 1;");

START_TEST(random_programs) {
  bench_t b;
  start(&b, random_text, 9, 96);
  machine(&b.cfg, (unsigned)_i);
  b.cfg.l1d_sets = 4;
  b.cfg.l2_sets = 4;
  b.cfg.l2_ways = 2;
  uint32_t *a = rig_buffer(&b.rig, 0, 4096);
  const uint32_t *count = rig_buffer(&b.rig, 1, 4);
  for (unsigned i = 0; i < 1024; i++) a[i] = i;
  run_with(&b, 0);
  expect_fine(&b);
  ck_assert_uint_gt(b.check.atomics, 9 * 96 * 10);
  ck_assert_uint_gt(b.l1d.hits, 0);
  ck_assert_uint_eq(*count, 9 * 96);
  rig_close(&b.rig);
}
END_TEST

/* A lock that one lane of a block takes, and a counter that only its holder touches. */
START_TEST(critical_section) {
  static const char text[] =
      TEXT("setp.ne.u32 %p1, %r1, 0; @%p1 bra END;\n"
           "AGAIN: atom.acquire.gpu.global.cas.b32 %r5, [%rd1], 0, 1; setp.ne.u32 %p1, %r5, 0;\n"
           "@%p1 bra AGAIN; ld.relaxed.gpu.global.u32 %r6, [%rd2]; add.u32 %r6, %r6, 1;\n"
           "st.relaxed.gpu.global.u32 [%rd2], %r6; fence.acq_rel.gpu;\n"
           "atom.release.gpu.global.exch.b32 %r5, [%rd1], 0; END:");
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, text, 24, 64);
    machine(&b.cfg, m);
    const uint32_t *lock = rig_buffer(&b.rig, 0, 4), *count = rig_buffer(&b.rig, 1, 4);
    run_with(&b, 0);
    expect_fine(&b);
    ck_assert_uint_eq(*lock, 0);
    ck_assert_uint_eq(*count, 24);
    rig_close(&b.rig);
  }
}
END_TEST

/* Histograms in shared memory, added up in global memory. */
START_TEST(histogram) {
  static const char text[] = ENTRY
      ".shared .align 4 .b8 s[64]; mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.u32 %r6, %r5, %r6;\n"
      "setp.ge.u32 %p1, %r1, 16; @!%p1 st.shared.u32 [%r6], 0; bar.sync 0;\n"
      "mul.lo.u32 %r7, %r4, 7; and.b32 %r7, %r7, 15; shl.b32 %r7, %r7, 2; add.u32 %r7, %r5, %r7;\n"
      "atom.shared.add.u32 %r8, [%r7], 1; red.shared.add.u32 [%r7], 2; bar.sync 0;\n"
      "@%p1 bra END; ld.shared.u32 %r9, [%r6]; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, "
      "%rd3;\nred.global.add.u32 [%rd4], %r9; END: ret; }\n";
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, text, BLOCKS, THREADS);
    machine(&b.cfg, m);
    const uint32_t *a = rig_buffer(&b.rig, 0, 64);
    run_with(&b, 0);
    expect_fine(&b);
    for (unsigned i = 0; i < 16; i++) ck_assert_uint_eq(a[i], 3 * ALL / 16);
    rig_close(&b.rig);
  }
}
END_TEST

Suite *test_atomics_suite(void);

Suite *test_atomics_suite(void) {
  Suite *s = suite_create("atomics");
  TCase *t = tcase_create("atomics");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, packets_of_their_own, 0, sizeof packets / sizeof *packets);
  tcase_add_test(t, lines_are_modified);
  tcase_add_test(t, own_order);
  tcase_add_test(t, line_stays);
  tcase_add_test(t, overtakes_store);
  tcase_add_test(t, overtakes_in_collector);
  tcase_add_loop_test(t, random_programs, 0, MACHINES);
  tcase_add_test(t, critical_section);
  tcase_add_test(t, histogram);
  suite_add_tcase(s, t);
  return s;
}
