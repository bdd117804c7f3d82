/* SPDX-License-Identifier: Apache-2.0 */
/* Why two reads of the same kind differ beyond tb/device's SM: refreshes that they meet, the order
 * of the host's replies, and other data that have passed through the L2. docs/device/README.md */
#include "device_help.h"

#include <inttypes.h>

#define BARE "TLB1_SETS=0", "L1D_SETS=0", "LSU_CYCLES=1", "LINE_CYCLES=1", "REPLAY_CYCLES=1"
#define LANES "  mul.wide.u32 %rd4, %r31, 4;\n  add.u64 %rd1, %rd1, %rd4;\n"
#define TIMED(accesses, uses)                                                                      \
  LANES "  bar.sync 0;\n  mov.u32 %r1, %clock;\n" accesses uses                                    \
        "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n"
#define USE_IN_FORMAT "  add.u32 %%t1, %%t1, 1;\n"
#define USE(n) "  add.u32 %t" #n ", %t" #n ", 1;\n"

enum { OWN = 4 /* cycles of the reading itself */, LAUNCHES = 400, LATE = 400 };

static const char one_line[] = TIMED("  ld.global.u32 %t1, [%rd1];\n", USE(1));
static const char four_lines[] =
    TIMED("  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n"
          "  ld.global.u32 %t3, [%rd1+256];\n  ld.global.u32 %t4, [%rd1+384];\n",
          USE(1) USE(2) USE(3) USE(4));

static const char second_of_two[] =
    "  mov.u32 %r1, %clock;\n  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n" USE(
        2) "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n"
           "  st.global.u32 [%rd2+4], %t1;\n";

static uint32_t took(device_rig_t *r) {
  (void)device_rig_run(r, 1, 32, 0);
  return device_rig_word(r, 0);
}

/* A line that the L2 has comes from the DRAM again once others have passed. */
START_TEST(flushed) {
  static const char *const set[] = {BARE, NULL};
  const config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 4096, one_line);
  ck_assert_uint_eq(took(&r), OWN + c.dram_load_latency);
  ck_assert_uint_eq(took(&r), OWN + c.l2_latency);
  device_flush(bench_device(&r.b));
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
    const config_t c = device_config(set);
    const uint32_t alone = OWN + (host ? 2000 : c.dram_load_latency);
    uint32_t waited = 0, sum = 0;
    device_rig_t r;
    device_rig_open(&r, &c, 4096, one_line);
    if (host) device_set_host(bench_device(&r.b), r.a, r.a + 4096);
    for (unsigned i = 0; i < LAUNCHES; i++) {
      device_flush(bench_device(&r.b));
      const uint32_t more = took(&r) - alone;
      ck_assert_uint_le(more, LATE);
      waited += more > 0;
      sum += more;
    }
    device_rig_close(&r);
    ck_assert_uint_ge(waited, of[_i].least);
    ck_assert_uint_le(waited, of[_i].most);
    if (waited == LAUNCHES) ck_assert_double_eq_tol((double)sum / (double)LAUNCHES, LATE / 2, 24);
  }
}
END_TEST

/* Four lines of the host, asked for 2 cycles apart: 32 bytes a cycle are 4 cycles a line, and a request's 10
 * cycles at least are 10. */
START_TEST(host_port) {
  static const struct {
    const char *request;
    uint32_t each;
  } of[] = {{"HOST_REQUEST=0", 4}, {"HOST_REQUEST=1000", 10}};
  const char *const set[] = {BARE, "HOST_LATENCY=2000", "HOST_PORT=3200", of[_i].request, NULL};
  const config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 4096, four_lines);
  device_set_host(bench_device(&r.b), r.a, r.a + 4096);
  ck_assert_uint_eq(took(&r), OWN + 2000 + 3 * of[_i].each);
  device_rig_close(&r);
}
END_TEST

/* Of four lines of the host, asked for 2 cycles apart, two may be on their way: the third leaves when the first
 * has come, the fourth 2 cycles later. */
START_TEST(host_reads) {
  static const char *const reads[] = {"HOST_READS=0", "HOST_READS=4", "HOST_READS=2"};
  static const uint32_t trips[] = {1, 1, 2};
  const char *const set[] = {BARE, "HOST_LATENCY=2000", "HOST_PORT=0", reads[_i], NULL};
  const config_t c = device_config(set);
  const uint32_t behind = _i == 2 ? 2 : 3 * 2;
  device_rig_t r;
  device_rig_open(&r, &c, 4096, four_lines);
  device_set_host(bench_device(&r.b), r.a, r.a + 4096);
  ck_assert_uint_eq(took(&r), OWN + trips[_i] * 2000 + behind);
  device_rig_close(&r);
}
END_TEST

/* All lanes read a line, or one word of it: two sectors are a third of the way from one to a line. */
START_TEST(whole_line) {
  static const struct {
    uint32_t step, part; /* of three: bytes from lane to lane, sectors beyond the first */
  } of[] = {{0, 0}, {2, 1}, {4, 3}};
  const char *const set[] = {BARE, "TABLE=prt", "SECTORS=1", "L2_LINE=9", "DRAM_LINE=30", NULL};
  const config_t c = device_config(set);
  char body[512];
  device_rig_t r;
  snprintf(
      body, sizeof body,
      "  mul.lo.u32 %%r1, %%r31, %" PRIu32 ";\n  and.b32 %%r1, %%r1, 124;\n"
      "  cvt.u64.u32 %%rd4, %%r1;\n  add.u64 %%rd1, %%rd1, %%rd4;\n  bar.sync 0;\n"
      "  mov.u32 %%r1, %%clock;\n  ld.global.u32 %%t1, [%%rd1];\n" USE_IN_FORMAT
      "  mov.u32 %%r2, %%clock;\n  sub.u32 %%r2, %%r2, %%r1;\n  st.global.u32 [%%rd2], %%r2;\n",
      of[_i].step);
  device_rig_open(&r, &c, 4096, body);
  ck_assert_uint_eq(took(&r), OWN + c.dram_load_latency + of[_i].part * 10);
  ck_assert_uint_eq(took(&r), OWN + c.l2_latency + of[_i].part * 3);
  device_rig_close(&r);
}
END_TEST

/* The first of two lines of the host comes later than the second where it is of the far half; in order the second
 * waits for it. Lines of both halves are there among 32 of one block. */
START_TEST(host_in_order) {
  static const char *const order[] = {"HOST_ORDER=any", "HOST_ORDER=in-order"};
  enum { FAR = 300, LINES = 32 };
  uint32_t waits = 0, comes_first = 0;
  for (unsigned i = 0; i < 2; i++) {
    const char *const set[] = {
        BARE, "HOST_LATENCY=2000", "HOST_PORT=0", "HOST_FAR=300", "HALF_BLOCK=4096", order[i],
        NULL};
    const config_t c = device_config(set);
    device_rig_t r;
    device_rig_open(&r, &c, 2 * LINES * 128, second_of_two);
    device_set_host(bench_device(&r.b), r.a, r.a + 2 * LINES * 128);
    for (unsigned line = 0; line < LINES; line++) {
      const uint32_t second = device_rig_time(&r, line * 128);
      if (i == 0)
        comes_first += second < 2000;
      else
        waits += second < 2000;
    }
    device_rig_close(&r);
  }
  ck_assert_uint_ge(comes_first, LINES / 4);
  ck_assert_uint_lt(waits, comes_first);
}
END_TEST

Suite *test_device_far_suite(void);
Suite *test_device_far_suite(void) {
  Suite *s = suite_create("device_far");
  TCase *t = tcase_create("device_far");
  tcase_add_test(t, flushed);
  tcase_add_loop_test(t, refreshed, 0, 3);
  tcase_add_loop_test(t, host_port, 0, 2);
  tcase_add_test(t, host_in_order);
  tcase_add_loop_test(t, host_reads, 0, 3);
  tcase_add_loop_test(t, whole_line, 0, 3);
  suite_add_tcase(s, t);
  return s;
}
