/* SPDX-License-Identifier: Apache-2.0 */
/* What the L2 keeps and what its coalescer joins, in exact cycles and counts from
 * docs/device/README.md: sectors of a line in flight, halves and their copies, written lines. */
#include "device_help.h"

#define BARE "TLB1_SETS=0", "L1D_SETS=0", "LSU_CYCLES=1", "LINE_CYCLES=1", "REPLAY_CYCLES=1"
#define KEPT                                                                                       \
  "  mul.wide.u32 %rd3, %r30, 4;\n  add.u64 %rd3, %rd2, %rd3;\n  st.global.u32 [%rd3], %r2;\n"

enum { OWN = 4 /* cycles of the reading itself */, LINE = 128, HALF = 4096 };

/* Loads of a word of one sector and then of another of the same line, before the first has come: the
 * second joins only if it is the same sector. */
START_TEST(lrc_by_sectors) {
  static const char *const second[] = {"[%rd1+4]", "[%rd1+32]"};
  static const char *const set[] = {BARE, "TABLE=prt", "SECTORS=1", "L2_FETCH=1", "LRC=4", NULL};
  char body[160];
  config_t c = device_config(set);
  device_rig_t r;
  snprintf(body, sizeof body,
           "  ld.global.u32 %%t1, [%%rd1];\n  ld.global.u32 %%t2, %s;\n  add.u32 %%t1, %%t1, "
           "%%t2;\n  st.global.u32 [%%rd2], %%t1;\n",
           second[_i]);
  device_rig_open(&r, &c, 1 << 16, body);
  const device_stats_t *s = device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_eq(s->coalesced, _i ? 0 : 1);
  ck_assert_uint_eq(s->dram, _i ? 2 : 1);
  device_rig_close(&r);
}
END_TEST

/* Two SMs, one of each half; blocks of HALF bytes are at home in the halves in turn. SM 0 reads a
 * line; then both read it. In both halves it is where its home is SM 1's; otherwise SM 1 gets it from
 * the other half. Then both halves have it. What the host writes is in the home half alone. */
START_TEST(both_halves) {
  static const char *const set[] = {BARE,          "SMS=2",           "CLUSTER=1",
                                    "L2_HALVES=2", "L2_LATENCY=200",  "L2_FAR=300",
                                    "HALF_BITS=1", "HALF_BLOCK=4096", NULL};
  static const char body[] = "  bar.sync 0;\n  mov.u32 %r1, %clock;\n  ld.global.u32 %t1, [%rd1];\n"
                             "  add.u32 %t1, %t1, 1;\n  mov.u32 %r2, %clock;\n"
                             "  sub.u32 %r2, %r2, %r1;\n" KEPT;
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  const uint64_t even = r.a / HALF % 2 ? HALF : 0;
  for (unsigned home = 0; home < 2; home++) {
    const uint64_t at = even + home * HALF;
    ck_assert_uint_eq(device_rig_run(&r, 1, 1, at)->dram, 1);
    ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.dram_load_latency);
    for (unsigned again = 0; again < 2; again++) {
      ck_assert_uint_eq(device_rig_run(&r, 2, 1, at)->dram, 0);
      ck_assert_uint_eq(device_rig_word(&r, 0), OWN + 200);
      ck_assert_uint_eq(device_rig_word(&r, 1), OWN + (home || again ? 200 : 300));
    }
    device_copy_in(bench_device(&r.b), r.a + at, 128);
    ck_assert_uint_eq(device_rig_run(&r, 2, 1, at)->dram, 0);
    ck_assert_uint_eq(device_rig_word(&r, home), OWN + 200);
    ck_assert_uint_eq(device_rig_word(&r, !home), OWN + 300);
  }
  device_rig_close(&r);
}
END_TEST

/* An L2 of 16 lines, eight of them read by both SMs: in one piece they stay, and in two halves each
 * takes two places, eight in each half. Twelve do not fit in eight. */
START_TEST(copies_take_room) {
  static const char *const halves[] = {"L2_HALVES=1", "L2_HALVES=2"};
  const char *const set[] = {BARE,
                             BARE,
                             "SMS=2",
                             "CLUSTER=1",
                             "L2_TOTAL_SETS=2",
                             "L2_WAYS=8",
                             "HALF_BLOCK=4096",
                             "L2_DIRTY=0",
                             halves[_i],
                             NULL};
  char body[1024] = "";
  config_t c = device_config(set);
  for (unsigned lines = 8; lines <= 12; lines += 4) {
    device_rig_t r;
    for (unsigned i = body[0] ? 8 : 0; i < lines; i++)
      snprintf(body + strlen(body), sizeof body - strlen(body),
               "  ld.global.u32 %%t1, [%%rd1+%u];\n", i * LINE);
    device_rig_open(&r, &c, 1 << 16, body);
    for (unsigned launch = 0; launch < 2; launch++) (void)device_rig_run(&r, 2, 1, 0);
    ck_assert_uint_eq(device_rig_run(&r, 2, 1, 0)->dram > 0, _i == 1 && lines > 8);
    device_rig_close(&r);
  }
}
END_TEST

/* Four lines are stored to, in an L2 of eight, of which a quarter may be written ones: the first two
 * are written back, and stay. */
START_TEST(written_lines) {
  static const char *const dirty[] = {"L2_DIRTY=0", "L2_DIRTY=25"};
  const char *const set[] = {BARE, "L2_TOTAL_SETS=1", "L2_WAYS=8", dirty[_i], NULL};
  static const char body[] = "  st.global.u32 [%rd1], %r31;\n  st.global.u32 [%rd1+128], %r31;\n"
                             "  st.global.u32 [%rd1+256], %r31;\n  st.global.u32 [%rd1+384], "
                             "%r31;\n  bar.sync 0;\n  ld.global.u32 %t1, [%rd1];\n";
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  const device_stats_t *s = device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_eq(s->write_backs, _i ? 2 : 0);
  ck_assert_uint_eq(s->dram, 0);
  ck_assert_uint_eq(s->l2_hits, 1);
  device_rig_close(&r);
}
END_TEST

Suite *test_device_l2_suite(void);
Suite *test_device_l2_suite(void) {
  Suite *s = suite_create("device_l2");
  TCase *t = tcase_create("device_l2");
  tcase_add_loop_test(t, lrc_by_sectors, 0, 2);
  tcase_add_test(t, both_halves);
  tcase_add_loop_test(t, copies_take_room, 0, 2);
  tcase_add_loop_test(t, written_lines, 0, 2);
  suite_add_tcase(s, t);
  return s;
}
