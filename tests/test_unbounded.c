/* The MRPB with unbounded queues: random traffic that fits into 64 entries is answered as by the
 * MRPB with 64, every output in every cycle; and far more than 64 stay in order. */
#include "prng.h"
#include "sm/unbounded.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

enum { WARPS = 48, ROUNDS = 6000, MANY = 20000 };

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

static void draw(prng_t *p, mrpb_in_t *in, unsigned busy, uint64_t held) {
  static const uint64_t answers[] = {0, 0, 0, 1, 2, 3};
  *in = (mrpb_in_t){.rst_ni = 1};
  uint64_t warp = prng_below(p, WARPS);
  in->in_valid_i = held < 60 && prng_chance(p, busy);
  in->in_kind_i = prng_chance(p, 30) ? 2 : prng_chance(p, 200);
  in->in_warp_i = warp;
  in->in_block_i = warp / 6;
  in->in_block_warp_i = warp % 6;
  in->in_data_i = prng_next(p) >> 13;
  in->l1_answer_i = prng_chance(p, busy) ? answers[prng_below(p, 6)] : 0;
  in->byp_ready_i = prng_chance(p, 500);
}

/* Signature, policy, flush from the loop; latency, bypass and number of queues vary with them. */
START_TEST(as_with_64) {
  mrpb_cfg_t cfg = config((uint32_t)_i % 3, (uint32_t)_i / 3 % 6, (uint32_t)_i / 18);
  mrpb_err_t err = {{0}};
  prng_t p = prng_seed(11, (uint64_t)_i);
  mrpb_t *bounded;
  unsigned busy = 950, left = 0, waits = 0;
  cfg.LATENCY = 3 + (uint32_t)_i % 16;
  cfg.BYPASS = (uint32_t)_i % 3;
  cfg.QUEUES = _i % 4 == 0 ? 5 : 48;
  ck_assert_int_eq(mrpb_create(&bounded, &cfg, &err), 0);
  cfg.DEPTH = 0;
  unit_t u = open_unbounded(&cfg);
  mrpb_out_t a = {0}, b;
  for (unsigned n = 0; n < ROUNDS; n++) {
    mrpb_in_t in;
    if (n % 500 == 0) busy = busy == 950 ? 400 : 950;
    draw(&p, &in, busy, a.held_o);
    mrpb_comb(bounded, &in, &a);
    memset(&b, 0x55, sizeof b);
    unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&b);
    if (memcmp(&a, &b, sizeof a) != 0 || b.order_err_o) ck_abort_msg("cycle %u differs", n);
    left += a.out_valid_o && in.l1_answer_i == 0;
    waits += in.in_valid_i && !a.in_ready_o;
    mrpb_edge(bounded, &in);
    if (unit_edge(&u, (const uint64_t *)&in, &err) != 0) ck_abort_msg("%s", err.text);
  }
  ck_assert_uint_gt(left, 1000);
  ck_assert_uint_gt(waits, 0); /* barriers, and writes with the flush option */
  mrpb_destroy(bounded);
  unit_close(&u);
}
END_TEST

/* Reads pile up while the L1 refuses, then leave one a cycle in the order of each warp. */
START_TEST(never_full) {
  mrpb_cfg_t cfg = config(1, (uint32_t)_i, 0);
  unit_t u = open_unbounded(&cfg);
  mrpb_err_t err = {{0}};
  mrpb_out_t out;
  uint64_t next[3] = {0}, left = 0;
  for (uint64_t n = 0; n < MANY; n++) {
    mrpb_in_t in = {
        .rst_ni = 1, .in_valid_i = 1, .in_warp_i = n % 3, .in_data_i = n, .l1_answer_i = 2};
    unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&out);
    if (!out.in_ready_o || out.flush_full_o || out.held_o != n) ck_abort_msg("%" PRIu64, n);
    if (unit_edge(&u, (const uint64_t *)&in, &err) != 0) ck_abort_msg("%s", err.text);
  }
  for (unsigned n = 0; n < 3; n++) next[n] = n;
  for (; left < MANY; left++) {
    mrpb_in_t in = {.rst_ni = 1, .in_valid_i = 1, .in_kind_i = 2, .l1_answer_i = 0};
    unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&out);
    if (!out.out_valid_o || out.order_err_o || out.in_ready_o || /* the barrier waits */
        out.out_data_o != next[out.out_warp_o])
      ck_abort_msg("%" PRIu64, left);
    next[out.out_warp_o] += 3;
    if (unit_edge(&u, (const uint64_t *)&in, &err) != 0) ck_abort_msg("%s", err.text);
  }
  mrpb_in_t in = {.rst_ni = 1, .in_valid_i = 1, .in_kind_i = 2, .l1_answer_i = 3};
  unit_comb(&u, (const uint64_t *)&in, (uint64_t *)&out);
  ck_assert(!out.out_valid_o && out.in_ready_o && out.held_o == 0);
  unit_close(&u);
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
  tcase_add_loop_test(t, as_with_64, 0, 36);
  tcase_add_loop_test(t, never_full, 0, 6);
  tcase_add_test(t, refused);
  suite_add_tcase(s, t);
  return s;
}
