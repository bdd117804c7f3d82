/* SPDX-License-Identifier: Apache-2.0 */
/* The MRPB with unbounded queues: as far as the lockstep stimulus fits into 64 entries, it is
 * answered as by the MRPB with 64 entries, every output in every cycle; and far more than 64
 * requests stay in order. */
#include "cosim/cross/unbounded_cross.h"
#include "parts/unbounded.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

enum { MANY = 20000, CROSSED = 50000 };

static mrpb_cfg_t config(uint32_t signature, uint32_t policy, uint32_t flush) {
  return (mrpb_cfg_t){.QUEUES = 48,
                      .DEPTH = 64,
                      .DATA_W = 51,
                      .BLOCKS = 8,
                      .SIGNATURE = signature,
                      .POLICY = policy,
                      .FLUSH = flush,
                      .LATENCY = 5,
                      .BYPASS = 2};
}

static unit_t open_unbounded(const mrpb_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  unit_t u;
  ck_assert_msg(unbounded_open(&u, cfg, &err) == 0, "%s", err.text);
  return u;
}

/* Reads pile up while the L1 refuses, then leave one a cycle in the order of each warp. */
START_TEST(never_full) {
  mrpb_cfg_t cfg = config(1, (uint32_t)_i, 0);
  unit_t u = open_unbounded(&cfg);
  mrpb_err_t err = {{0}};
  mrpb_out_t out;
  uint64_t next[3] = {0}, left = 0;
  for (uint64_t n = 0; n < MANY; n++) {
    mrpb_in_t in = {
        .srst_ni = 1, .in_valid_i = 1, .in_warp_i = n % 3, .in_data_i = n, .l1_answer_i = 2};
    unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&out);
    if (!out.in_ready_o || out.flush_full_o || out.held_o != n) ck_abort_msg("%" PRIu64, n);
    if (unit_edge(&u, (const uint64_t *)&in, &err) != 0) ck_abort_msg("%s", err.text);
  }
  for (unsigned n = 0; n < 3; n++) next[n] = n;
  for (; left < MANY; left++) {
    mrpb_in_t in = {.srst_ni = 1, .in_valid_i = 1, .in_kind_i = 2, .l1_answer_i = 0};
    unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&out);
    if (!out.out_valid_o || out.order_err_o || out.in_ready_o || /* the barrier waits */
        out.out_data_o != next[out.out_warp_o])
      ck_abort_msg("%" PRIu64, left);
    next[out.out_warp_o] += 3;
    if (unit_edge(&u, (const uint64_t *)&in, &err) != 0) ck_abort_msg("%s", err.text);
  }
  mrpb_in_t in = {.srst_ni = 1, .in_valid_i = 1, .in_kind_i = 2, .l1_answer_i = 3};
  unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&out);
  ck_assert(!out.out_valid_o && out.in_ready_o && out.held_o == 0);
  unit_close(&u);
}
END_TEST

static unbounded_cross_t crossed(int i, uint64_t cycles) {
  const mrpb_cfg_t cfg = unbounded_sizes((unsigned)i);
  mrpb_err_t err = {{0}};
  unbounded_cross_t r;
  int rc = unbounded_cross(&r, unbounded_open, &cfg, (uint64_t)i, cycles, &err);
  ck_assert_msg(rc == 0, "%s", err.text);
  ck_assert_msg(!r.differs, "%s differs in cycle %" PRIu64, r.what, r.compared);
  ck_assert_uint_eq(r.compared, cycles);
  ck_assert_uint_eq(r.full, 0);
  return r;
}

/* The whole cross of policies, signatures, flush and bypass with the stimulus of lockstep. */
START_TEST(as_the_bounded_one) {
  const mrpb_cfg_t cfg = unbounded_sizes((unsigned)_i);
  unbounded_cross_t r = crossed(_i, CROSSED);
  ck_assert_uint_gt(r.left, CROSSED / 20);
  ck_assert_uint_gt(r.waits, CROSSED / 200); /* barriers, and writes with the flush option */
  ck_assert_uint_gt(r.resets, 0);
  if (cfg.SIGNATURE == 1 || cfg.QUEUES == 1) ck_assert_uint_eq(r.order_errs, 0);
  if (cfg.SIGNATURE != 1 && cfg.QUEUES > 1) ck_assert_uint_gt(r.order_errs, 0);
}
END_TEST

START_TEST(as_the_bounded_one_in_short) {
  crossed(5 * _i, 2000);
}
END_TEST

START_TEST(refused) {
  mrpb_cfg_t cfg = config(1, 0, 1);
  mrpb_err_t err = {{0}};
  unit_t u;
  cfg.QUEUES = 65;
  ck_assert_int_eq(unbounded_open(&u, &cfg, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "QUEUES"));
  unit_close(&u);
}
END_TEST

Suite *test_unbounded_suite(void);

Suite *test_unbounded_suite(void) {
  Suite *s = suite_create("unbounded");
  TCase *t = tcase_create("unbounded");
  tcase_add_loop_test(t, as_the_bounded_one_in_short, 0, UNBOUNDED_SIZES / 5);
  tcase_add_loop_test(t, never_full, 0, 6);
  tcase_add_test(t, refused);
  suite_add_tcase(s, t);
  t = tcase_create("cross");
  tcase_set_tags(t, "heavy");
  tcase_add_loop_test(t, as_the_bounded_one, 0, UNBOUNDED_SIZES);
  suite_add_tcase(s, t);
  return s;
}
