/* SPDX-License-Identifier: Apache-2.0 */
/* When atomics and loads that bypass the L1D leave, what waits for them, and where their packets
 * go. */
#include "sm_rig.h"

#define BASE UINT64_C(0x80000000)

#define ATOMIC(sp, d, at, stride)                                                                  \
  {                                                                                                \
    .inst = {.cls = WARP_LOAD,                                                                     \
             .unit = WARP_MEM,                                                                     \
             .space = sp,                                                                          \
             .elem = 4,                                                                            \
             .bypass = (sp) == WARP_GLOBAL,                                                        \
             .atomic = 1,                                                                          \
             .dst = {d}},                                                                          \
    .base = at, .lane = stride                                                                     \
  }
#define PAST_L1D(d, at, stride)                                                                    \
  {                                                                                                \
    .inst = {.cls = WARP_LOAD,                                                                     \
             .unit = WARP_MEM,                                                                     \
             .space = WARP_GLOBAL,                                                                 \
             .elem = 4,                                                                            \
             .bypass = 1,                                                                          \
             .dst = {d}},                                                                          \
    .base = at, .lane = stride                                                                     \
  }

static rig_t *run(const rig_op_t *ops, unsigned n, uint32_t warps, unsigned mrpb) {
  const rig_script_t s = {ops, n};
  rig_t *r = rig_new(1, warps, &s, 1);
  r->cfg.mrpb = mrpb > 0;
  r->cfg.mrpb_reorder = mrpb == 2;
  ck_assert(rig_run(r));
  return r;
}
#define RUN(ops, warps, mrpb) run(ops, sizeof(ops) / sizeof *(ops), warps, mrpb)

/* What follows needs nothing of it and waits all the same; behind a load past the L1D it does not. */
START_TEST(warp_waits) {
  static const rig_op_t atomic[] = {ATOMIC(WARP_GLOBAL, 1, BASE, 4), RIG_ALU(2, 0), RIG_EXIT};
  static const rig_op_t red[] = {ATOMIC(WARP_GLOBAL, 0, BASE, 4), RIG_ALU(2, 0), RIG_EXIT};
  static const rig_op_t load[] = {PAST_L1D(1, BASE, 4), RIG_ALU(2, 0), RIG_EXIT};
  static const struct {
    const rig_op_t *ops;
    bool waits;
    unsigned packets, bytes;
  } c[] = {{atomic, true, 2, 128}, {red, true, 2, 128}, {load, false, 1, 128}};
  for (unsigned mrpb = 0; mrpb < 3; mrpb++) {
    const rig_script_t s = {c[_i].ops, 3};
    rig_t *r = rig_new(1, 1, &s, 1);
    r->cfg.mrpb = mrpb > 0;
    r->cfg.mrpb_reorder = mrpb == 2;
    ck_assert(rig_run(r));
    const uint64_t gap = rig_cycle(r, 0, 0, 1) - rig_cycle(r, 0, 0, 0);
    if (c[_i].waits)
      ck_assert_uint_gt(gap, RIG_LATENCY);
    else
      ck_assert_uint_le(gap, 2);
    ck_assert_uint_eq(r->reads, c[_i].packets);
    ck_assert_uint_eq(r->bytes_read, c[_i].bytes);
    ck_assert_uint_eq(sm_l1d_stats(r->sm)->hits + sm_l1d_stats(r->sm)->misses, 0);
    ck_assert_uint_eq(sm_stats(r->sm)->mrpb_in, 0);
    rig_close(r);
  }
}
END_TEST

/* Other warps go on; the result is waited for as any. */
START_TEST(others_go_on) {
  static const rig_op_t ops[] = {RIG_ALU(3, 0), ATOMIC(WARP_GLOBAL, 1, BASE, 4), RIG_ALU(2, 1),
                                 RIG_EXIT};
  rig_t *r = RUN(ops, 4, 0);
  for (unsigned w = 0; w < 4; w++) {
    ck_assert_uint_lt(rig_cycle(r, 0, w, 1), 30);
    ck_assert_uint_gt(rig_cycle(r, 0, w, 2), RIG_LATENCY);
  }
  rig_close(r);
}
END_TEST

/* 32 lanes on one word: the first half's packets leave last, one a cycle at most. */
START_TEST(one_word) {
  static const rig_op_t ops[] = {ATOMIC(WARP_GLOBAL, 1, BASE + 64, 0), RIG_EXIT};
  rig_t *r = RUN(ops, 1, 0);
  ck_assert_uint_eq(r->reads, 32);
  ck_assert_uint_eq(r->bytes_read, 32 * 32);
  ck_assert_uint_eq(r->read_addr[0], BASE + 64);
  ck_assert_uint_ge(rig_cycle(r, 0, 0, 1) - rig_cycle(r, 0, 0, 0), RIG_LATENCY + 32);
  ck_assert_uint_eq(sm_stats(r->sm)->atomics, 1);
  ck_assert_uint_eq(sm_stats(r->sm)->atomic_lines, 32);
  ck_assert_uint_eq(sm_stats(r->sm)->loads, 0);
  rig_close(r);
}
END_TEST

START_TEST(addresses_descend) {
  static const rig_op_t ops[] = {ATOMIC(WARP_GLOBAL, 1, BASE, 32), RIG_EXIT};
  static const unsigned line[] = {7, 6, 5, 4, 3, 2, 1, 0};
  rig_t *r = RUN(ops, 1, 0);
  ck_assert_uint_eq(r->reads, 8);
  for (unsigned i = 0; i < 8; i++) ck_assert_uint_eq(r->read_addr[i], BASE + 128 * line[i]);
  rig_close(r);
}
END_TEST

/* In shared memory it takes as long as a load, and the warp waits for its end. */
START_TEST(in_shared_memory) {
  static const rig_op_t atomic[] = {ATOMIC(WARP_SHARED, 1, 0, 256), RIG_ALU(2, 0), RIG_EXIT};
  static const rig_op_t load[] = {RIG_LOAD(WARP_SHARED, 1, 0, 256), RIG_ALU(2, 1), RIG_EXIT};
  rig_t *a = RUN(atomic, 1, 0), *b = RUN(load, 1, 0);
  const uint64_t waited = rig_cycle(a, 0, 0, 1), loaded = rig_cycle(b, 0, 0, 1);
  ck_assert_uint_ge(waited - rig_cycle(a, 0, 0, 0), 32);
  ck_assert_uint_le(waited, loaded);
  ck_assert_uint_ge(waited + 2, loaded);
  ck_assert_uint_eq(sm_stats(a->sm)->shared_cycles, sm_stats(b->sm)->shared_cycles);
  rig_close(a);
  rig_close(b);
}
END_TEST

/* Behind what its own warp has in the MRPB's queues, and ahead of what it sends later. */
START_TEST(behind_its_own_warp) {
  static const rig_op_t ops[] = {RIG_STORE(WARP_GLOBAL, 0, BASE, 128),
                                 ATOMIC(WARP_GLOBAL, 1, BASE, 0), RIG_EXIT};
  for (unsigned mrpb = 0; mrpb < 3; mrpb++) {
    rig_t *r = RUN(ops, 1, mrpb);
    ck_assert_uint_eq(r->writes, 32);
    ck_assert_uint_eq(r->reads, 32);
    if (mrpb == 2) ck_assert_uint_eq(sm_stats(r->sm)->mrpb_out, 32);
    rig_close(r);
  }
}
END_TEST

/* A guard that is false everywhere: nothing leaves, nothing waits. */
START_TEST(no_lane) {
  static rig_op_t ops[] = {ATOMIC(WARP_GLOBAL, 1, BASE, 4), RIG_ALU(2, 1), RIG_EXIT};
  ops[0].off = true;
  rig_t *r = RUN(ops, 1, 0);
  ck_assert_uint_eq(r->reads, 0);
  ck_assert_uint_lt(rig_cycle(r, 0, 0, 1), 30);
  rig_close(r);
}
END_TEST

/* What a load brought in is read again after the atomic; a load past the L1D leaves it there. */
START_TEST(evicts) {
  static const rig_op_t with[] = {
      RIG_LOAD(WARP_GLOBAL, 1, BASE, 4), RIG_ALU(2, 1), ATOMIC(WARP_GLOBAL, 3, BASE, 4),
      RIG_LOAD(WARP_GLOBAL, 4, BASE, 4), RIG_ALU(2, 4), RIG_EXIT};
  static const rig_op_t without[] = {RIG_LOAD(WARP_GLOBAL, 1, BASE, 4),
                                     RIG_ALU(2, 1),
                                     PAST_L1D(3, BASE, 4),
                                     RIG_ALU(2, 3),
                                     RIG_LOAD(WARP_GLOBAL, 4, BASE, 4),
                                     RIG_ALU(2, 4),
                                     RIG_EXIT};
  rig_t *a = RUN(with, 1, 0), *b = RUN(without, 1, 0);
  ck_assert_uint_eq(sm_l1d_stats(a->sm)->misses, 2);
  ck_assert_uint_eq(sm_l1d_stats(a->sm)->write_evicts, 1);
  ck_assert_uint_eq(sm_l1d_stats(b->sm)->misses, 1);
  ck_assert_uint_eq(sm_l1d_stats(b->sm)->hits, 1);
  rig_close(a);
  rig_close(b);
}
END_TEST

Suite *test_sm_atomics_suite(void);

Suite *test_sm_atomics_suite(void) {
  Suite *s = suite_create("sm_atomics");
  TCase *t = tcase_create("sm_atomics");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, warp_waits, 0, 3);
  tcase_add_test(t, others_go_on);
  tcase_add_test(t, one_word);
  tcase_add_test(t, addresses_descend);
  tcase_add_test(t, in_shared_memory);
  tcase_add_test(t, behind_its_own_warp);
  tcase_add_test(t, no_lane);
  tcase_add_test(t, evicts);
  suite_add_tcase(s, t);
  return s;
}
