/* SPDX-License-Identifier: Apache-2.0 */
/* What makes two reads of the same kind differ beyond tb/device's SM: refreshes that they meet, the two
 * ways to the host's memory, and other data that have passed through the L2. docs/device/README.md */
#include "device_help.h"

#define BARE "TLB1_SETS=0", "L1D_SETS=0", "LSU_CYCLES=1", "LINE_CYCLES=1", "REPLAY_CYCLES=1"
#define LANES "  mul.wide.u32 %rd4, %r31, 4;\n  add.u64 %rd1, %rd1, %rd4;\n"
#define TIMED(accesses, uses)                                                                      \
  LANES "  bar.sync 0;\n  mov.u32 %r1, %clock;\n" accesses uses                                    \
        "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n"
#define USE(n) "  add.u32 %t" #n ", %t" #n ", 1;\n"

enum { OWN = 4 /* cycles of the reading itself */, LAUNCHES = 400, LATE = 400 };

static const char one_line[] = TIMED("  ld.global.u32 %t1, [%rd1];\n", USE(1));
static const char four_lines[] =
    TIMED("  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n"
          "  ld.global.u32 %t3, [%rd1+256];\n  ld.global.u32 %t4, [%rd1+384];\n",
          USE(1) USE(2) USE(3) USE(4));

static uint32_t took(device_rig_t *r) {
  (void)device_rig_run(r, 1, 32, 0);
  return device_rig_word(r, 0);
}

/* A line that the L2 has comes from the DRAM again once others have passed. */
START_TEST(flushed) {
  static const char *const set[] = {BARE, NULL};
  const device_cfg_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 4096, one_line);
  ck_assert_uint_eq(took(&r), OWN + c.dram_load_latency);
  ck_assert_uint_eq(took(&r), OWN + c.l2_latency);
  device_flush(r.b.device);
  ck_assert_uint_eq(took(&r), OWN + c.dram_load_latency);
  device_rig_close(&r);
}
END_TEST

/* `share` of a thousand launches wait for the end of a refresh, 1 to LATE cycles, any number as often:
 * within four deviations of what is expected. */
START_TEST(refreshed) {
  static const struct {
    const char *share;
    uint32_t least, most; /* of LAUNCHES, that wait */
  } of[] = {{"SHARE=0", 0, 0}, {"SHARE=100", 16, 64}, {"SHARE=1000", LAUNCHES, LAUNCHES}};
  for (unsigned host = 0; host < 2; host++) {
    char late[32], share[32];
    snprintf(late, sizeof late, "%s_LATE=%d", host ? "HOST" : "DRAM", LATE);
    snprintf(share, sizeof share, "%s_LATE_%s", host ? "HOST" : "DRAM", of[_i].share);
    const char *const set[] = {BARE, "HOST_LATENCY=2000", late, share, NULL};
    const device_cfg_t c = device_config(set);
    const uint32_t alone = OWN + (host ? 2000 : c.dram_load_latency);
    uint32_t waited = 0, sum = 0;
    device_rig_t r;
    device_rig_open(&r, &c, 4096, one_line);
    if (host) device_set_host(r.b.device, r.a, r.a + 4096);
    for (unsigned i = 0; i < LAUNCHES; i++) {
      device_flush(r.b.device);
      const uint32_t more = took(&r) - alone;
      ck_assert_uint_le(more, LATE);
      waited += more > 0;
      sum += more;
    }
    device_rig_close(&r);
    ck_assert_uint_ge(waited, of[_i].least);
    ck_assert_uint_le(waited, of[_i].most);
    if (waited == LAUNCHES) ck_assert_double_eq_tol((double)sum / LAUNCHES, LATE / 2, 24);
  }
}
END_TEST

/* Four lines of one half, asked for 2 cycles apart. By one way for all 32 bytes a cycle are 4 cycles a line, by
 * one of two 8, and a request's 10 cycles at least are 20. */
START_TEST(two_ways) {
  static const struct {
    const char *far, *request;
    uint32_t each;
  } of[] = {{"HOST_FAR=0", "HOST_REQUEST=0", 4},
            {"HOST_FAR=300", "HOST_REQUEST=0", 8},
            {"HOST_FAR=300", "HOST_REQUEST=1000", 20}};
  const char *const set[] = {
      BARE, "HOST_LATENCY=2000", "HOST_PORT=3200", "HALF_BLOCK=4096", of[_i].far, of[_i].request,
      NULL};
  const device_cfg_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 4096, four_lines);
  device_set_host(r.b.device, r.a, r.a + 4096);
  const uint32_t wait = took(&r) - OWN - 2000 - 3 * of[_i].each;
  ck_assert(wait == 0 || wait == c.host_far / 2 || wait == -(c.host_far / 2));
  device_rig_close(&r);
}
END_TEST

Suite *test_device_far_suite(void);
Suite *test_device_far_suite(void) {
  Suite *s = suite_create("device_far");
  TCase *t = tcase_create("device_far");
  tcase_add_test(t, flushed);
  tcase_add_loop_test(t, refreshed, 0, 3);
  tcase_add_loop_test(t, two_ways, 0, 3);
  suite_add_tcase(s, t);
  return s;
}
