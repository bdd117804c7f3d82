/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics at the L2, and what a store leaves in the L1D: exact cycles from docs/device/README.md. */
#include "device_help.h"

#define BARE "TLB1_SETS=0", "LSU_CYCLES=1", "LINE_CYCLES=1", "REPLAY_CYCLES=1"
#define UNIT "L2_PORTS=4", "L2_ATOMIC=1000", "STORES=512"

/* Of a second launch: all lines are in the L2. */
static const device_stats_t *second(device_rig_t *r, const char *const *set, const char *body,
                                    uint32_t threads) {
  config_t c = device_config(set);
  device_rig_open(r, &c, 1 << 16, body);
  device_rig_run(r, 1, threads, 0);
  return device_rig_run(r, 1, threads, 0);
}

static uint64_t cycles(const char *const *set, const char *body, uint32_t threads) {
  device_rig_t r;
  const uint64_t n = second(&r, set, body, threads)->cycles;
  device_rig_close(&r);
  return n;
}

#define RED "  red.global.add.u32 [%rd1], %r31;\n"
#define OWN "  mul.wide.u32 %rd4, %r31, 4;\n  add.u64 %rd1, %rd1, %rd4;\n"

/* A sector takes 10 cycles of its slice. 32 lanes on one word are 32 accesses, and the last is
 * performed 310 cycles after the first. */
START_TEST(lanes_on_one_word) {
  static const char *const with[] = {BARE, UNIT, NULL}, *const fast[] = {BARE, "L2_PORTS=4",
                                                                         "L2_ATOMIC=1",
                                                                         "STORES=512", NULL};
  ck_assert_uint_eq(cycles(with, RED, 32) - cycles(with, RED, 1), 31 * 10);
  ck_assert_uint_eq(cycles(fast, RED, 32) - cycles(fast, RED, 1), 31); /* look-ups, one a cycle */
}
END_TEST

/* A word of each lane: two halves of the line with two sectors each; the second half's begin 20
 * cycles after the first's. */
START_TEST(lanes_with_words_of_their_own) {
  static const char *const with[] = {BARE, UNIT, NULL};
  ck_assert_uint_eq(cycles(with, OWN RED, 32) - cycles(with, OWN RED, 1), 20);
}
END_TEST

/* What ptxas makes one access: one is as long as a lane's alone. A minimum with a result, an
 * exchange, and lanes on two words stay as they are. */
START_TEST(joined_lanes) {
  static const struct {
    const char *body;
    uint32_t accesses;
  } of[] = {
      {RED, 1},
      {"  red.global.max.u32 [%rd1], %r31;\n", 1},
      {"  atom.global.add.u32 %t1, [%rd1], %r31;\n", 1},
      {"  atom.global.max.u32 %t1, [%rd1], %r31;\n", 32},
      {"  atom.global.exch.b32 %t1, [%rd1], %r31;\n", 32},
      {"  red.global.inc.u32 [%rd1], %r31;\n", 32},
      {"  shr.u32 %r3, %r31, 4;\n  mul.wide.u32 %rd4, %r3, 4;\n  add.u64 %rd1, %rd1, %rd4;\n" RED,
       32}};
  static const char *const set[] = {BARE, UNIT, "ATOMIC_JOIN=1", NULL};
  device_rig_t r;
  const device_stats_t *s = second(&r, set, of[_i].body, 32);
  ck_assert_uint_eq(s->l2_hits, of[_i].accesses);
  device_rig_close(&r);
}
END_TEST

/* The values of joined lanes: 0 + ... + 31 in each of two launches. */
START_TEST(joined_values) {
  static const char *const set[] = {BARE, UNIT, "ATOMIC_JOIN=1", NULL};
  device_rig_t r;
  (void)second(&r, set, RED, 32);
  ck_assert_uint_eq(*(const uint32_t *)bench_at(&r.b, r.a, 4), 2 * 31 * 32 / 2);
  device_rig_close(&r);
}
END_TEST

/* Neighbouring lines lie in different halves, so that one of them is far from the SM: 100 cycles. */
START_TEST(far_atomics) {
  static const char *const set[] = {
      BARE, UNIT, "L2_ATOMIC_FAR=100", "HALF_BITS=1", "HALF_BLOCK=128", NULL};
  static const char near_line[] = RED, far_line[] = "  red.global.add.u32 [%rd1+128], %r31;\n";
  const uint64_t a = cycles(set, near_line, 1), b = cycles(set, far_line, 1);
  ck_assert_uint_eq(a > b ? a - b : b - a, 100);
}
END_TEST

/* A reduction reads its line from the DRAM, once; a store does not. */
START_TEST(a_reduction_reads) {
  static const char *const set[] = {BARE, UNIT, "L2_FETCH=1", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, RED);
  ck_assert_uint_eq(device_rig_run(&r, 1, 1, 0)->dram, 1);
  ck_assert_uint_eq(device_rig_run(&r, 1, 1, 0)->dram, 0);
  device_rig_close(&r);
}
END_TEST

/* ---- what a store leaves in the L1D --------------------------------------------- */

#define WAIT "  add.u32 %t1, %t1, 1;\n"
#define LOAD "  ld.global.u32 %t1, [%rd1];\n" WAIT
#define STORE "  st.global.u32 [%rd1], %r31;\n"

/* Hits of a launch that reads, stores and reads its line, and of one that stores and reads it, by
 * whole sectors and by a word. A launch begins with an empty L1D. */
START_TEST(stores_in_the_l1d) {
  static const struct {
    const char *rule;
    uint32_t seen, unseen, word_seen, word_unseen;
  } of[] = {{"L1D_STORE=drops", 0, 0, 0, 0},
            {"L1D_STORE=updates", 1, 0, 1, 0},
            {"L1D_STORE=allocates", 1, 1, 1, 0}};
  for (unsigned prt = 0; prt < 2; prt++) {
    const char *const set[] = {
        BARE, of[_i].rule, prt ? "TABLE=prt" : "TABLE=mshr", "L1D_ALLOCATE=miss", "LSU_SERVICE=1",
        NULL};
    const struct {
      const char *body;
      uint32_t threads, hits;
    } run[] = {{OWN LOAD STORE LOAD, 32, of[_i].seen},
               {OWN STORE LOAD, 32, of[_i].unseen},
               {LOAD STORE LOAD, 1, of[_i].word_seen},
               {STORE LOAD, 1, of[_i].word_unseen}};
    for (unsigned i = 0; i < sizeof run / sizeof *run; i++) {
      device_rig_t r;
      ck_assert_uint_eq(second(&r, set, run[i].body, run[i].threads)->l1_hits, run[i].hits);
      device_rig_close(&r);
    }
  }
}
END_TEST

Suite *test_device_atomics_suite(void);

Suite *test_device_atomics_suite(void) {
  Suite *s = suite_create("device_atomics");
  TCase *t = tcase_create("atomics");
  tcase_add_test(t, lanes_on_one_word);
  tcase_add_test(t, lanes_with_words_of_their_own);
  tcase_add_loop_test(t, joined_lanes, 0, 7);
  tcase_add_test(t, joined_values);
  tcase_add_test(t, far_atomics);
  tcase_add_test(t, a_reduction_reads);
  tcase_add_loop_test(t, stores_in_the_l1d, 0, 3);
  suite_add_tcase(s, t);
  return s;
}
