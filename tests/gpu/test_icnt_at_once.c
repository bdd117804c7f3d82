/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect: packets that pass in one step (docs/memory/icnt.md) are where they would be flit by
 * flit, in every cycle. */
#include "gpu/icnt_rig.h"

static void expect_same_state(const rig_t r[2]) {
  const icnt_t *a = r[0].ic, *b = r[1].ic;
  ck_assert_uint_eq(icnt_requests_waiting(a), icnt_requests_waiting(b));
  ck_assert_uint_eq(icnt_replies_waiting(a).word[0], icnt_replies_waiting(b).word[0]);
  for (uint32_t sm = 0; sm < SMS; sm++) {
    const icnt_injection_t one = icnt_injection(a, sm), other = icnt_injection(b, sm);
    ck_assert_uint_eq(one.held, other.held);
    ck_assert_uint_eq(one.port, other.port);
  }
  for (unsigned d = 0; d < ICNT_DIRECTIONS; d++)
    ck_assert_mem_eq(icnt_stats(a, (icnt_direction_t)d), icnt_stats(b, (icnt_direction_t)d),
                     sizeof(icnt_stats_t));
}

/* An interconnect in which packets pass at once, and one in which they do not, with narrow flits, small
 * buffers, slow receivers. */
START_TEST(at_once_is_flit_by_flit) {
  static const uint32_t first[2] = {0, 0};
  prng_t rng = prng_seed(23, (uint64_t)_i);
  icnt_cfg_t cfg;
  rig_t r[2];
  icnt_defaults(&cfg);
  if (_i & 1) cfg.flit_bytes = 16, cfg.inject_flits = 12;
  if (_i & 2) cfg.vc_flits = cfg.eject_flits = 1;
  if (_i & 4) cfg.boundary_flits = _i & 1 ? 9 : 5;
  if (_i & 8) cfg.double_drain = 0;
  const unsigned pause = _i & 16 ? 2 : 5; /* every so many cycles a partition takes nothing */
  rig_open(&r[0], &cfg);
  cfg.by_flit = 1;
  rig_open(&r[1], &cfg);
  for (unsigned t = 0; t < LOAD / 4; t++) {
    for (uint32_t i = 0; t % pause && i < 2 * PARTS; i++) answer(&r[i % 2], i / 2);
    for (unsigned i = 0; i < 2; i++) icnt_cycle(r[i].ic);
    for (uint32_t sm = 0; t / 500 % 2 == 0 && sm < SMS; sm++) pass_both(r, first, sm, &rng);
    expect_same_state(r);
  }
  ck_assert_uint_gt(icnt_stats(r[1].ic, ICNT_REPLY)->delivered, 500);
  for (unsigned i = 0; i < 2; i++) {
    icnt_destroy(r[i].ic);
    packet_pool_destroy(r[i].pool);
  }
}
END_TEST

Suite *test_icnt_at_once_suite(void);

Suite *test_icnt_at_once_suite(void) {
  Suite *s = suite_create("icnt_at_once");
  TCase *t = tcase_create("random load");
  tcase_set_tags(t, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(t, at_once_is_flit_by_flit, 0, 32);
  suite_add_tcase(s, t);
  return s;
}
