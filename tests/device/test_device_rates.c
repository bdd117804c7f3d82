/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch, a block, a barrier, a unit, a slice, a channel, a store and an atomic cost, in exact
 * cycles from docs/device/README.md. */
#include "device_help.h"

#define STARTED                                                                                    \
  "  mul.wide.u32 %rd3, %r30, 4;\n  add.u64 %rd3, %rd2, %rd3;\n  st.global.u32 [%rd3], %r1;\n"
#define BARE "TLB1_SETS=0", "L1D_SETS=0", "LSU_CYCLES=1", "LINE_CYCLES=1", "REPLAY_CYCLES=1"

enum { OWN = 4 /* cycles of reading the clock, as in test_device_memory.c */ };

/* Of a second launch: in cycle 0 a warp also waits for its first fetch. */
static uint64_t cycles(const char *const *set, const char *body, uint32_t blocks) {
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  device_rig_run(&r, blocks, 32, 0);
  const uint64_t n = device_rig_run(&r, blocks, 32, 0)->cycles;
  device_rig_close(&r);
  return n;
}

START_TEST(a_launch) {
  static const char *const with[] = {"LAUNCH_CYCLES=1000", NULL}, *const without[] = {NULL};
  ck_assert_uint_eq(cycles(with, STARTED, 3), cycles(without, STARTED, 3) + 1000);
}
END_TEST

/* Blocks 2.5 cycles apart: block n begins in cycle 2.5 n, rounded down. */
START_TEST(blocks_one_after_another) {
  static const char *const set[] = {"BLOCK_CYCLES=250", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, "  mov.u32 %r1, %clock;\n" STARTED);
  for (unsigned launch = 0; launch < 2; launch++) device_rig_run(&r, 8, 32, 0);
  for (uint32_t i = 1; i < 8; i++)
    ck_assert_uint_eq(device_rig_word(&r, i) - device_rig_word(&r, 0), i * 5 / 2);
  device_rig_close(&r);
}
END_TEST

/* Four lines, asked for 2 cycles apart, at 8 bytes a cycle: two go to each of two slices or
 * channels. The first two pass at 0 and 2, the others 16 later: the last at 18. Of the L2 the uses of
 * the data may take 2 more. Without slices that would be 6, with one 48. */
START_TEST(slices_and_channels) {
  static const char *const part[][2] = {{"L2_PORTS=2", "L2_SLICE_PORT=800"},
                                        {"DRAM_CHANNELS=2", "DRAM_PORT=1600"}};
  const char *const set[] = {BARE, part[_i][0], part[_i][1], NULL};
  static const char body[] =
      "  mul.wide.u32 %rd4, %r31, 4;\n  add.u64 %rd1, %rd1, %rd4;\n  bar.sync 0;\n"
      "  mov.u32 %r2, %clock;\n  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n"
      "  ld.global.u32 %t3, [%rd1+256];\n  ld.global.u32 %t4, [%rd1+384];\n"
      "  add.u32 %t1, %t1, %t2;\n  add.u32 %t3, %t3, %t4;\n  mov.u32 %r1, %clock;\n  sub.u32 %r1, "
      "%r1, %r2;\n" STARTED;
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  if (_i == 0) device_copy_in(bench_device(&r.b), r.a, 512);
  device_rig_run(&r, 1, 32, 0);
  const uint32_t first = OWN + (_i ? c.dram_load_latency : c.l2_latency);
  ck_assert_uint_ge(device_rig_word(&r, 0), first + 18);
  ck_assert_uint_le(device_rig_word(&r, 0), first + (_i ? 18 : 20));
  device_rig_close(&r);
}
END_TEST

/* Words of sectors 0, 1, 2 of a line, one launch each: which of them go to the DRAM. */
START_TEST(sectors_of_the_l2) {
  static const struct {
    const char *fetch;
    bool dram[3];
  } of[] = {{"L2_FETCH=0", {true, false, false}},
            {"L2_FETCH=1", {true, true, true}},
            {"L2_FETCH=2", {true, false, true}},
            {"L2_FETCH=4", {true, false, false}}};
  const char *const set[] = {BARE, of[_i].fetch, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, "  ld.global.u32 %r1, [%rd1];\n" STARTED);
  for (uint32_t s = 0; s < 3; s++)
    ck_assert_uint_eq(device_rig_run(&r, 1, 1, s * 32)->dram, of[_i].dram[s]);
  device_rig_close(&r);
}
END_TEST

/* With STORES = 1 a line is looked up when the L2 has the one before, L2_LATENCY after that was. */
START_TEST(stores_on_their_way) {
  static const char *const set[] = {BARE, "STORES=1", NULL};
#define ST4                                                                                        \
  "  st.global.u32 [%rd1], %r31;\n  st.global.u32 [%rd1+128], %r31;\n"                             \
  "  st.global.u32 [%rd1+256], %r31;\n  st.global.u32 [%rd1+384], %r31;\n"
  const uint64_t four = cycles(set, ST4, 1), eight = cycles(set, ST4 ST4, 1);
  ck_assert_uint_eq(eight - four, 4 * device_config(set).l2_latency);
}
END_TEST

/* From warp 0's arrival until it goes on, by warps. */
static uint32_t barrier(const char *cost, uint32_t warps) {
  const char *const set[] = {cost, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16,
                  "  mov.u32 %r2, %clock;\n  bar.sync 0;\n  mov.u32 %r1, %clock;\n"
                  "  sub.u32 %r1, %r1, %r2;\n  setp.ne.u32 %p1, %r31, 0;\n  @%p1 bra OUT;\n" STARTED
                  "OUT:\n");
  device_rig_run(&r, 1, 32 * warps, 0);
  const uint32_t n = device_rig_word(&r, 0);
  device_rig_close(&r);
  return n;
}

/* Each warp takes the SM 50 cycles, longer than all need to arrive. Then they issue, those of a
 * scheduler every 2 cycles. */
START_TEST(warps_at_a_barrier) {
  ck_assert_uint_eq(barrier("BARRIER_CYCLES=5000", 1), barrier("BARRIER_CYCLES=0", 1) + 50);
  const uint32_t four = barrier("BARRIER_CYCLES=5000", 4),
                 eight = barrier("BARRIER_CYCLES=5000", 8);
  ck_assert_uint_ge(eight, four + 200);
  ck_assert_uint_lt(eight, four + 200 + 2 * 8);
}
END_TEST

/* 32 lanes add to one word: 32 passes, 31 of which are further ones. */
START_TEST(atomics_of_shared_memory) {
  static const char body[] = "  mov.u32 %r3, s;\n  mov.u32 %r2, %clock;\n"
                             "  atom.shared.add.u32 %t1, [%r3], %r31;\n  add.u32 %t1, %t1, 1;\n"
                             "  mov.u32 %r1, %clock;\n  sub.u32 %r1, %r1, %r2;\n" STARTED;
  uint32_t took[2];
  for (unsigned i = 0; i < 2; i++) {
    const char *const set[] = {i ? "SHARED_ATOMIC=1" : "SHARED_ATOMIC=0", "SHARED_CONFLICT=3",
                               NULL};
    config_t c = device_config(set);
    device_rig_t r;
    device_rig_open(&r, &c, 1 << 16, body);
    device_rig_run(&r, 1, 32, 0);
    took[i] = device_rig_word(&r, 0);
    device_rig_close(&r);
  }
  ck_assert_uint_eq(took[1] - took[0], 31 * 3);
}
END_TEST

Suite *test_device_rates_suite(void);
Suite *test_device_rates_suite(void) {
  Suite *s = suite_create("device_rates");
  TCase *t = tcase_create("device_rates");
  tcase_add_test(t, a_launch);
  tcase_add_test(t, blocks_one_after_another);
  tcase_add_loop_test(t, slices_and_channels, 0, 2);
  tcase_add_loop_test(t, sectors_of_the_l2, 0, 4);
  tcase_add_test(t, stores_on_their_way);
  tcase_add_test(t, warps_at_a_barrier);
  tcase_add_test(t, atomics_of_shared_memory);
  suite_add_tcase(s, t);
  return s;
}
