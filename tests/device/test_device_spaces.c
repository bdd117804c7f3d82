/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that bypass the load/store unit, and instructions, in exact cycles from
 * docs/device/README.md: textures, three levels of constants and what shares them, shared memory,
 * instruction lines. TIMED, as in test_device_memory.c, adds 4 cycles to what it times. */
#include "device_help.h"

#define TIMED(accesses, uses)                                                                      \
  "  bar.sync 0;\n  mov.u32 %r1, %clock;\n" accesses uses                                          \
  "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n"               \
  "  add.u64 %rd2, %rd2, 4;\n"
#define USE(n) "  add.u32 %t" #n ", %t" #n ", 1;\n"

enum { OWN = 4 };

static void expect(const device_rig_t *r, const uint32_t *want, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    ck_assert_msg(device_rig_word(r, i) == want[i], "%u: %u, not %u", i, device_rig_word(r, i),
                  want[i]);
}

/* ---- textures -------------------------------------------------------------------- */

/* Texel `n`, a word each. */
#define TEXEL(n)                                                                                   \
  "  mov.u32 %t9, " #n                                                                             \
  ";\n" TIMED("  tex.1d.v4.s32.s32 {%t1, %t2, %t3, %t4}, [t, {%t9}];\n", USE(1))

/* The word `n` bytes behind a. */
#define WORD_AT(n) TIMED("  ld.global.u32 %t1, [%rd1+" #n "];\n", USE(1))

/* Lines of 32 bytes, 8 texels. Texel 0: DRAM; 1: its line; 8: the L2 has its line of 128 bytes; 0
 * again; and as the texture L1 has two ways, 16 takes the place of 8, which comes from the L2. */
START_TEST(texture_levels) {
  static const char *const set[] = {"TLB1_SETS=0", "TEX_SETS=1", "TEX_WAYS=2", NULL};
  config_t c = device_config(set);
  const uint32_t hit = OWN + c.tex_latency, l2 = OWN + c.tex_l2_latency;
  const uint32_t dram = l2 + c.dram_load_latency - c.l2_latency;
  const uint32_t want[] = {dram, hit, l2, hit, l2, hit, l2};
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, TEXEL(0) TEXEL(1) TEXEL(8) TEXEL(0) TEXEL(16) TEXEL(0) TEXEL(8));
  ck_assert_uint_eq(r.a, MEMORY_BASE);
  (void)device_rig_run(&r, 1, 1, 0);
  expect(&r, want, 7);
  (void)device_rig_run(&r, 1, 1, 0); /* empty again, the L2 not */
  ck_assert_uint_eq(device_rig_word(&r, 0), l2);
  device_rig_close(&r);
}
END_TEST

/* A texture load pays for translation what a global one pays, and its line's hits in the L1
 * nothing. */
START_TEST(texture_pages) {
  config_t c = device_config(NULL);
  const uint32_t l2 = OWN + c.tex_l2_latency, dram = l2 + c.dram_load_latency - c.l2_latency;
  const uint32_t want[] = {dram + c.tlb1_miss + c.walk_dram, OWN + c.tex_latency, l2};
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, TEXEL(0) TEXEL(1) TEXEL(8));
  (void)device_rig_run(&r, 1, 1, 0);
  expect(&r, want, 3);
  device_rig_close(&r);
}
END_TEST

/* Sets: (address / 32 / 2^TEX_SHIFT) mod TEX_SETS. One way, two sets, shift 1: lines 0 and 1 share
 * set 0, 2 and 3 set 1. */
START_TEST(texture_sets) {
  static const char *const set[] = {"TLB1_SETS=0", "TEX_SETS=2", "TEX_WAYS=1", "TEX_SHIFT=1", NULL};
  config_t c = device_config(set);
  const uint32_t hit = OWN + c.tex_latency, l2 = OWN + c.tex_l2_latency;
  const uint32_t want[] = {l2, l2, hit, l2, hit};
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, TEXEL(0) TEXEL(16) TEXEL(0) TEXEL(8) TEXEL(16));
  device_copy_in(bench_device(&r.b), r.a, 128);
  (void)device_rig_run(&r, 1, 1, 0);
  expect(&r, want, 5);
  device_rig_close(&r);
}
END_TEST

/* With TEX_L1D a texture load is one of the L1D. Line 0: texel 0 from the DRAM, texel 1 and then a
 * global load hit. Texel 8 is in the next sector, which an L1D with sectors takes from the L2. Line 1:
 * a global load from the DRAM, and texel 32 hits what it has brought. A texture load always takes
 * TEX_LATENCY - L1D_LATENCY more, 0 if that is less. */
START_TEST(texture_l1d) {
  static const char *const of[][3] = {{"TABLE=mshr", "TEX_LATENCY=240"},
                                      {"TABLE=prt", "TEX_LATENCY=240"},
                                      {"TABLE=prt", "TEX_LATENCY=240", "SECTORS=1"},
                                      {"TABLE=prt", "TEX_LATENCY=100"}};
  const char *const set[] = {"TLB1_SETS=0",       "TEX_L1D=1",   of[_i][0], of[_i][1],
                             "L1D_ALLOCATE=miss", "DRAM_LINE=0", of[_i][2], NULL};
  config_t c = device_config(set);
  const uint32_t late = _i == 3 ? 0 : 240 - c.l1d_latency, hit = OWN + c.l1d_latency;
  const uint32_t l2 = OWN + c.l2_latency + c.l1d_miss;
  const uint32_t dram = OWN + c.dram_load_latency + c.l1d_miss + c.l1d_dram;
  const uint32_t want[] = {dram + late, hit + late, hit, (_i == 2 ? l2 : hit) + late,
                           dram,        hit + late};
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, TEXEL(0) TEXEL(1) WORD_AT(4) TEXEL(8) WORD_AT(128) TEXEL(32));
  const device_stats_t *s = device_rig_run(&r, 1, 1, 0);
  expect(&r, want, 6);
  ck_assert_uint_eq(s->l1_hits, _i == 2 ? 3 : 4);
  ck_assert_uint_eq(s->loads, 6);
  ck_assert_uint_eq(s->table_most, 1);
  (void)device_rig_run(&r, 1, 1, 0); /* empty again, the L2 not */
  ck_assert_uint_eq(device_rig_word(&r, 0), l2 + late);
  device_rig_close(&r);
}
END_TEST

/* A store drops the line in the L1D, for texture loads too. A texture L1 keeps its own. */
START_TEST(texture_store) {
  const char *const set[] = {"TLB1_SETS=0", _i ? "TEX_L1D=1" : "TEX_L1D=0", NULL};
  config_t c = device_config(set);
  const uint32_t late = c.tex_latency - c.l1d_latency;
  const uint32_t l2 = OWN + c.l2_latency + c.l1d_miss + late;
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, TEXEL(0) "  st.global.u32 [%rd1], %r31;\n" TEXEL(1));
  (void)device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_eq(device_rig_word(&r, 1), _i ? l2 : OWN + c.tex_latency);
  device_rig_close(&r);
}
END_TEST

/* ---- constants -------------------------------------------------------------------- */

#define CONST(at) "  mov.u32 %t9, c;\n" TIMED("  ld.const.u32 %t1, [%t9+" #at "];\n", USE(1))

#define LEVELS                                                                                     \
  "SMS=4", "CLUSTER=2", "CONST1_SETS=1", "CONST1_WAYS=2", "CONST2_SETS=1", "CONST2_WAYS=2",        \
      "CONST3_SETS=1", "CONST3_WAYS=4"

/* L1: two lines of 64 bytes; L2 two, L3 four of 256. One after the other:
 *   0: nowhere; 64: L2; 128: L2, 0 leaves the L1; 0: L2; 0: L1;
 *   256, 512: nowhere, 0 leaves L1 and L2; 0: L3; 768, 1024: nowhere, the L3 had 0 256 512, takes
 * 768 and then the place of 0, which it looked at longest ago but for 256: 256 goes. 256: nowhere.
 */
START_TEST(constant_levels) {
  static const char *const set[] = {LEVELS, NULL};
  config_t c = device_config(set);
  const uint32_t l1 = OWN + c.const1_latency, l2 = OWN + c.const2_latency,
                 l3 = OWN + c.const3_latency, none = OWN + c.const_latency;
  const uint32_t want[] = {none, l2, l2, l2, l1, none, none, l3, none, none, none};
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12,
                  CONST(0) CONST(64) CONST(128) CONST(0) CONST(0) CONST(256) CONST(512) CONST(0)
                      CONST(768) CONST(1024) CONST(256));
  (void)device_rig_run(&r, 1, 1, 0);
  expect(&r, want, 11);
  device_rig_close(&r);
}
END_TEST

/* What SM 0 has read its neighbour finds in the cluster's L2, the other cluster in the L3. All that
 * is kept from launch to launch. */
START_TEST(constant_sharing) {
  static const char *const set[] = {LEVELS, NULL};
  config_t c = device_config(set);
  const uint32_t want[] = {c.const_latency, c.const2_latency, c.const3_latency, c.const2_latency,
                           c.const1_latency};
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, CONST(0));
  for (unsigned i = 0; i < 5; i++) {
    r.b.first_sm = i % 4;
    (void)device_rig_run(&r, 1, 1, 0);
    ck_assert_uint_eq(device_rig_word(&r, 0), OWN + want[i]);
  }
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(device_forget(bench_device(&r.b), &err), 0);
  r.b.first_sm = 0;
  (void)device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.const_latency);
  device_rig_close(&r);
}
END_TEST

/* Four SMs read a line each that nobody has, in the same cycle. 256 bytes at 16 a cycle pass in 16
 * cycles: through the port of each cluster its second SM's line 16 cycles later; through that of
 * the L3 one after the other, 0, 16, 32, 48. Clusters of 2 with 100 cycles between them: -50 and
 * +50. */
START_TEST(constant_ports) {
  static const char *const port[] = {"CLUSTER_PORT=1600", "CONST3_PORT=1600", "CLUSTER_SPREAD=100"};
  static const uint32_t later[][4] = {{0, 16, 0, 16}, {0, 16, 32, 48}, {0, 0, 100, 100}};
  const char *const set[] = {LEVELS, port[_i], NULL};
  static const char body[] =
      "  mov.u32 %t9, c;\n  mul.lo.u32 %t8, %r30, 256;\n  add.u32 %t9, %t9, %t8;\n"
      "  mul.wide.u32 %rd3, %r30, 4;\n  add.u64 %rd2, %rd2, %rd3;\n" TIMED(
          "  ld.const.u32 %t1, [%t9];\n", USE(1));
  config_t c = device_config(set);
  const uint32_t least = OWN + c.const_latency - (_i == 2 ? 50 : 0);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, body);
  (void)device_rig_run(&r, 4, 1, 0);
  for (unsigned i = 0; i < 4; i++) ck_assert_uint_eq(device_rig_word(&r, i), least + later[_i][i]);
  device_rig_close(&r);
}
END_TEST

/* ---- shared memory ------------------------------------------------------------------ */

/* Lane l reads word l * stride: gcd(stride, 32) lanes of each bank that is touched, as many passes.
 * And a second access waits SHARED_CYCLES for each pass of the first. */
START_TEST(shared_memory) {
  static const uint32_t strides[] = {1, 2, 8, 31, 32}, passes[] = {1, 2, 8, 1, 32};
  char body[1000];
  config_t c = device_config(NULL);
  device_rig_t r;
  const uint32_t n = passes[_i];
  snprintf(body, sizeof body,
           "  mul.lo.u32 %%t9, %%r31, %u;\n  mov.u32 %%t8, s;\n  add.u32 %%t9, %%t9, %%t8;\n"
           "  bar.sync 0;\n  mov.u32 %%r1, %%clock;\n  ld.shared.u32 %%t1, [%%t9];\n"
           "  ld.shared.u32 %%t2, [%%t9];\n  add.u32 %%t1, %%t1, 1;\n  mov.u32 %%r2, %%clock;\n"
           "  add.u32 %%t2, %%t2, 1;\n  mov.u32 %%r3, %%clock;\n  sub.u32 %%r2, %%r2, %%r1;\n"
           "  sub.u32 %%r3, %%r3, %%r1;\n  st.global.u32 [%%rd2], %%r2;\n"
           "  st.global.u32 [%%rd2+4], %%r3;\n",
           4 * strides[_i]);
  device_rig_open(&r, &c, 1 << 12, body);
  (void)device_rig_run(&r, 1, 32, 0);
  const uint32_t takes = c.shared_latency + (n - 1) * c.shared_conflict;
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + takes);
  /* Issued `wait` after the first; between its data and the clock behind its use are an issue. Two
   * instructions, USE(1) and a clock, come between the first one's data and that use. */
  const uint32_t wait = n * c.shared_cycles, at = 2 + takes + (wait < 4 ? 4 : wait);
  ck_assert_uint_eq(device_rig_word(&r, 1), at + 2);
  device_rig_close(&r);
}
END_TEST

/* ---- instructions ------------------------------------------------------------------- */

/* `n` instructions from one reading of the clock to the next; out[0] gets the cycles. */
static void write_timed(text_t *t, unsigned n) {
  text_add(t, "  mov.u32 %%r1, %%clock;\n");
  for (unsigned i = 1; i < n; i++) text_add(t, "  mov.u32 %%t%u, 1;\n", i % 16);
  text_add(t, "  mov.u32 %%r2, %%clock;\n  sub.u32 %%r2, %%r2, %%r1;\n"
              "  st.global.u32 [%%rd2], %%r2;\n");
}

/* 96 instructions between two readings of the clock, three lines of 32. Each that is not there
 * stops the warp for CONST_LATENCY - CONST1_LATENCY (here 60); asked for 4 blocks ahead, 64 cycles,
 * it is there in time; and the second launch finds all. */
START_TEST(instruction_lines) {
  static const char *const prefetch[] = {"PREFETCH=0", "PREFETCH=4"};
  const char *const set[] = {
      "INST1_SETS=4",       "CONST_LATENCY=260", "CONST3_LATENCY=240", "CONST1_LATENCY=200",
      "CONST2_LATENCY=220", "INST1_LINE=8",      prefetch[_i],         NULL};
  text_t t = {0};
  config_t c = device_config(set);
  device_rig_t r;
  write_timed(&t, 96);
  device_rig_open(&r, &c, 1 << 12, t.at);
  text_free(&t);
  ck_assert_uint_eq(device_rig_time(&r, 0), 96 * 2 + (_i ? 0 : 3 * 60));
  ck_assert_uint_eq(device_rig_time(&r, 0), 96 * 2);
  device_rig_close(&r);
}
END_TEST

/* The same 96 instructions. With 16 bytes each a line has 16 of them, and six lines are missed. When a
 * launch has brought the first 512 bytes into the cluster's L2, the line of instructions 32 to 63
 * comes from there, in 20 cycles; the two behind it have the whole way. */
START_TEST(instruction_bytes) {
  static const char *const with[] = {"INST_BYTES=16", "LAUNCH_PREFETCH=512"};
  static const uint32_t waits[] = {6 * 60, 20 + 2 * 60};
  const char *const set[] = {"INST1_SETS=8",
                             "CONST_LATENCY=260",
                             "CONST3_LATENCY=240",
                             "CONST1_LATENCY=200",
                             "CONST2_LATENCY=220",
                             "INST1_LINE=8",
                             "CONST2_SETS=4",
                             with[_i],
                             NULL};
  text_t t = {0};
  config_t c = device_config(set);
  device_rig_t r;
  write_timed(&t, 96);
  device_rig_open(&r, &c, 1 << 12, t.at);
  text_free(&t);
  ck_assert_uint_eq(device_rig_time(&r, 0), 96 * 2 + waits[_i]);
  ck_assert_uint_eq(device_rig_time(&r, 0), 96 * 2);
  device_rig_close(&r);
}
END_TEST

/* Straight code, each line of 32 instructions asked for when the one before the previous one has been
 * fetched. A line takes 64 cycles to fetch and 400 to come. So line n + 2 is there 64 + 400 after
 * line n: six lines take three times as long. */
START_TEST(instruction_pace) {
  static const char *const set[] = {
      "INST1_SETS=4",       "CONST_LATENCY=600",  "CONST3_LATENCY=600",
      "CONST2_LATENCY=600", "CONST1_LATENCY=200", "INST1_LINE=8",
      "FETCH_BLOCK=8",      "PREFETCH=1",         NULL};
  text_t t = {0};
  config_t c = device_config(set);
  device_rig_t r;
  write_timed(&t, 6 * 32);
  device_rig_open(&r, &c, 1 << 12, t.at);
  text_free(&t);
  ck_assert_uint_eq(device_rig_time(&r, 0), 3 * (64 + 400));
  device_rig_close(&r);
}
END_TEST

/* Constants and instructions share the cluster's L2: with a single line there the instructions that
 * come between two constants of it take its place, and leave it to another SM. */
START_TEST(shared_with_constants) {
  static const char *const lines[] = {"CONST2_WAYS=1", "CONST2_WAYS=8"};
  const char *const set[] = {"CONST1_SETS=1", "CONST1_WAYS=1", "CONST2_SETS=1",
                             lines[_i],       "INST1_SETS=4",  NULL};
  text_t t = {0};
  config_t c = device_config(set);
  device_rig_t r;
  text_add(&t, "%s", CONST(0));
  for (unsigned i = 0; i < 32; i++) text_add(&t, "  mov.u32 %%t%u, 1;\n", i % 16);
  text_add(&t, "%s", CONST(64)); /* the same line of the L2 */
  device_rig_open(&r, &c, 1 << 12, t.at);
  text_free(&t);
  (void)device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_ge(device_rig_word(&r, 1), OWN + (_i ? c.const2_latency : c.const_latency));
  if (_i) ck_assert_uint_lt(device_rig_word(&r, 1), OWN + c.const_latency);
  device_rig_close(&r);
}
END_TEST

/* The next instruction comes BRANCH_CYCLES after a taken branch, and BRANCH_PASSED after one that is not. */
START_TEST(branches) {
  static const char *const passed[] = {"BRANCH_PASSED=0", "BRANCH_PASSED=13"};
  static const char body[] =
      "  setp.eq.u32 %p1, %r31, 0;\n  bar.sync 0;\n  mov.u32 %r1, %clock;\n  @%p1 bra A;\n"
      "  mov.u32 %t1, 1;\nA:\n  mov.u32 %r2, %clock;\n  @!%p1 bra B;\n  mov.u32 %r3, %clock;\n"
      "B:\n  sub.u32 %r3, %r3, %r2;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n"
      "  st.global.u32 [%rd2+4], %r3;\n";
  const char *const set[] = {passed[_i], NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, body);
  ck_assert_uint_eq(device_rig_time(&r, 0), 2 + c.branch_cycles);
  ck_assert_uint_eq(device_rig_word(&r, 1), _i ? 2 + 13 : 4);
  device_rig_close(&r);
}
END_TEST

Suite *test_device_spaces_suite(void);
Suite *test_device_spaces_suite(void) {
  Suite *s = suite_create("device_spaces");
  TCase *t = tcase_create("device_spaces");
  tcase_add_test(t, texture_levels);
  tcase_add_test(t, texture_pages);
  tcase_add_test(t, texture_sets);
  tcase_add_loop_test(t, texture_l1d, 0, 4);
  tcase_add_loop_test(t, texture_store, 0, 2);
  tcase_add_test(t, constant_levels);
  tcase_add_test(t, constant_sharing);
  tcase_add_loop_test(t, constant_ports, 0, 3);
  tcase_add_loop_test(t, shared_memory, 0, 5);
  tcase_add_loop_test(t, instruction_lines, 0, 2);
  tcase_add_loop_test(t, instruction_bytes, 0, 2);
  tcase_add_test(t, instruction_pace);
  tcase_add_loop_test(t, shared_with_constants, 0, 2);
  tcase_add_loop_test(t, branches, 0, 2);
  suite_add_tcase(s, t);
  return s;
}
