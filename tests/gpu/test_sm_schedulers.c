/* SPDX-License-Identifier: Apache-2.0 */
/* Warp schedulers (the order of round robin and of greedy-then-oldest, the CCWS-SWL limit), and
 * barriers with warps that end before or after the others arrive. */
#include "sm_rig.h"

enum { LONG = 200, WARPS = 8 };

/* `n` independent instructions and an exit. */
static rig_script_t busy(rig_op_t *ops, unsigned n) {
  for (unsigned i = 0; i < n; i++) ops[i] = (rig_op_t)RIG_ALU((uint16_t)(1 + i % 100), 0);
  ops[n] = (rig_op_t)RIG_EXIT;
  return (rig_script_t){ops, n + 1};
}

/* Issued by the warps of `block` before cycle `before`. */
static unsigned issued(const rig_t *r, uint32_t block, uint64_t before) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->n_log; i++) n += r->log[i].block == block && r->log[i].cycle < before;
  return n;
}

static uint64_t last_cycle(const rig_t *r, uint32_t block) {
  uint64_t last = 0;
  for (unsigned i = 0; i < r->n_log; i++)
    if (r->log[i].block == block) last = r->log[i].cycle;
  return last;
}

/* ---- order ------------------------------------------------------------------- */

/* Blocks of 8 warps on one scheduler that they keep busy. Block 0 is short, so block 2 comes into
 * its slot, below block 1, which is older. What block 2 has issued when block 1 ends: */
static unsigned younger_share(uint32_t scheduler) {
  rig_op_t few[5], many[LONG + 1];
  rig_script_t s[3 * WARPS];
  for (unsigned i = 0; i < 3 * WARPS; i++) s[i] = i < WARPS ? busy(few, 4) : busy(many, LONG);
  rig_t *r = rig_new(3, WARPS, s, 3 * WARPS);
  r->cfg.schedulers = 1;
  r->cfg.warps_per_sm = 2 * WARPS;
  r->cfg.scheduler = scheduler;
  ck_assert(rig_run(r));
  unsigned n = issued(r, 2, last_cycle(r, 1));
  rig_close(r);
  return n;
}

START_TEST(oldest_first) {
  const unsigned all = WARPS * LONG;
  ck_assert_uint_gt(younger_share(CONFIG_SCHEDULER_RR), all * 8 / 10);
  ck_assert_uint_lt(younger_share(CONFIG_SCHEDULER_GTO), all * 2 / 10);
}
END_TEST

/* Instructions that followed one of the same warp at once, of `n`. */
static unsigned runs(uint32_t scheduler, unsigned *n) {
  rig_op_t ops[LONG + 1];
  const rig_script_t s = busy(ops, LONG);
  rig_t *r = rig_new(1, WARPS, &s, 1);
  unsigned same = 0;
  r->cfg.schedulers = 1;
  r->cfg.scheduler = scheduler;
  ck_assert(rig_run(r));
  for (unsigned i = 1; i < r->n_log; i++) same += r->log[i].warp == r->log[i - 1].warp;
  *n = r->n_log;
  rig_close(r);
  return same;
}

/* The i-buffer has two instructions: greedy issues both, round robin turns after each. */
START_TEST(greedy) {
  unsigned n = 0, rr = runs(CONFIG_SCHEDULER_RR, &n), gto = runs(CONFIG_SCHEDULER_GTO, &n);
  ck_assert_uint_eq(n, WARPS * (LONG + 1));
  ck_assert_uint_lt(rr, n / 20);
  ck_assert_uint_gt(gto, n * 45 / 100);
}
END_TEST

/* A greedy warp that waits for a register gives way to the oldest that does not. */
START_TEST(stalled_greedy) {
  const rig_op_t waits[] = {RIG_SLOW(1, 0), RIG_ALU(2, 1), RIG_EXIT};
  const rig_op_t runs_on[] = {RIG_ALU(1, 0), RIG_ALU(2, 0), RIG_ALU(3, 0), RIG_ALU(4, 0), RIG_EXIT};
  const rig_script_t s[] = {RIG_SCRIPT(waits), RIG_SCRIPT(runs_on), RIG_SCRIPT(runs_on)};
  rig_t *r = rig_new(1, 3, s, 3);
  r->cfg.schedulers = 1;
  r->cfg.scheduler = CONFIG_SCHEDULER_GTO;
  ck_assert(rig_run(r));
  ck_assert_uint_lt(rig_cycle(r, 0, 2, 4), rig_cycle(r, 0, 0, 1));
  rig_close(r);
}
END_TEST

/* ---- SWL_LIMIT --------------------------------------------------------------- */

/* Most warps that were between their first and their last instruction at once, of one scheduler. */
static unsigned most_at_once(const rig_t *r, unsigned schedulers, unsigned per_warp) {
  unsigned done[64] = {0}, most = 0;
  for (unsigned i = 0; i < r->n_log; i++) {
    done[r->log[i].warp]++;
    unsigned n[4] = {0};
    for (unsigned w = 0; w < 64; w++)
      if (done[w] > 0 && done[w] < per_warp) n[w % schedulers]++;
    for (unsigned s = 0; s < schedulers; s++) most = n[s] > most ? n[s] : most;
  }
  return most;
}

START_TEST(limit) {
  rig_op_t ops[21];
  const rig_script_t s = busy(ops, 20);
  for (uint32_t scheduler = CONFIG_SCHEDULER_RR; scheduler <= CONFIG_SCHEDULER_GTO; scheduler++) {
    rig_t *r = rig_new(1, 16, &s, 1);
    r->cfg.scheduler = scheduler;
    r->cfg.swl_limit = (uint32_t)_i;
    ck_assert(rig_run(r));
    unsigned most = most_at_once(r, 2, 21);
    if (_i == 0)
      ck_assert_uint_ge(most, 4);
    else
      ck_assert_uint_eq(most, (unsigned)_i);
    rig_close(r);
  }
}
END_TEST

/* One warp at a time means in order of age, also when a newer block has the lower slot. */
START_TEST(limit_takes_the_oldest) {
  rig_op_t few[5], many[LONG + 1];
  rig_script_t s[6];
  for (unsigned i = 0; i < 6; i++) s[i] = i < 2 ? busy(few, 4) : busy(many, LONG);
  rig_t *r = rig_new(3, 2, s, 6);
  r->cfg.schedulers = 1;
  r->cfg.warps_per_sm = 4;
  r->cfg.swl_limit = 1;
  ck_assert(rig_run(r));
  for (unsigned i = 1; i < r->n_log; i++)
    ck_assert_uint_ge(r->log[i].block * 2 + r->log[i].warp,
                      r->log[i - 1].block * 2 + r->log[i - 1].warp);
  rig_close(r);
}
END_TEST

/* ---- barriers ---------------------------------------------------------------- */

/* Nobody issues what is behind a barrier before every live warp has come to it. */
static void check_barriers(rig_t *r, const rig_issue_t *i) {
  const unsigned warps = r->launch.threads / WARP_LANES;
  unsigned met[64] = {0}, mine = 0;
  bool ended[64] = {false};
  if (i->cls == WARP_EXIT) return;
  for (unsigned k = 0; k < r->n_log; k++) {
    if (r->log[k].block != i->block) continue;
    met[r->log[k].warp] += r->log[k].cls == WARP_BARRIER;
    ended[r->log[k].warp] |= r->log[k].cls == WARP_EXIT;
  }
  mine = met[i->warp];
  for (unsigned w = 0; w < warps; w++) ck_assert(ended[w] || met[w] >= mine);
}

/* Bits of _i: MRPB, GTO; the rest is the limit. */
static rig_t *barrier_rig(int i, unsigned blocks, unsigned warps, const rig_script_t *s,
                          unsigned n) {
  rig_t *r = rig_new(blocks, warps, s, n);
  r->cfg.mrpb = i & 1;
  r->cfg.scheduler = i >> 1 & 1 ? CONFIG_SCHEDULER_GTO : CONFIG_SCHEDULER_RR;
  r->cfg.swl_limit = (uint32_t)i >> 2;
  r->issued = check_barriers;
  return r;
}
enum { BARRIER_RIGS = 4 * 4 };

#define BASE UINT64_C(0x80000000)

/* Every warp of a block is needed at every barrier, however few may run at once. */
START_TEST(limited_barrier) {
  const rig_op_t ops[] = {RIG_ALU(1, 0), RIG_BARRIER, RIG_LOAD(WARP_GLOBAL, 2, BASE, 4),
                          RIG_ALU(3, 2), RIG_BARRIER, RIG_BARRIER,
                          RIG_ALU(4, 3), RIG_EXIT};
  const rig_script_t s = RIG_SCRIPT(ops);
  rig_t *r = barrier_rig(_i, 3, 12, &s, 1);
  ck_assert(rig_run(r));
  ck_assert_uint_eq(r->n_log, 3 * 12 * 8);
  rig_close(r);
}
END_TEST

/* A warp that has ended is not waited for, though its store is not acknowledged yet. */
START_TEST(ended_before) {
  const rig_op_t gone[] = {RIG_STORE(WARP_GLOBAL, 0, BASE, 128), RIG_EXIT};
  const rig_op_t stays[] = {RIG_SLOW(1, 0), RIG_ALU(2, 1), RIG_BARRIER, RIG_ALU(3, 0), RIG_EXIT};
  const rig_script_t s[] = {RIG_SCRIPT(gone), RIG_SCRIPT(stays), RIG_SCRIPT(stays),
                            RIG_SCRIPT(gone)};
  rig_t *r = barrier_rig(_i, 1, 4, s, 4);
  ck_assert(rig_run(r));
  ck_assert_uint_eq(r->n_log, 2 * 2 + 2 * 5);
  rig_close(r);
}
END_TEST

/* The others wait at the barrier; the last one ends instead of coming, and that releases them. */
START_TEST(ended_after) {
  const rig_op_t ends[] = {RIG_SLOW(1, 0), RIG_ALU(2, 1), RIG_STORE(WARP_GLOBAL, 2, BASE, 128),
                           RIG_EXIT};
  const rig_op_t waits[] = {RIG_LOAD(WARP_GLOBAL, 2, BASE, 128),
                            RIG_BARRIER,
                            RIG_ALU(3, 0),
                            RIG_BARRIER,
                            RIG_ALU(4, 0),
                            RIG_EXIT};
  const rig_script_t s[] = {RIG_SCRIPT(waits), RIG_SCRIPT(ends), RIG_SCRIPT(waits)};
  rig_t *r = barrier_rig(_i, 2, 3, s, 3);
  ck_assert(rig_run(r));
  ck_assert_uint_eq(r->n_log, 2 * (4 + 2 * 6));
  for (uint32_t b = 0; b < 2; b++) ck_assert_uint_ge(rig_cycle(r, b, 0, 2), rig_cycle(r, b, 1, 3));
  rig_close(r);
}
END_TEST

/* With the MRPB a barrier that an exit completes still waits for the block's requests: the 32 of
 * the warp that ended, and the 64 of the others, have left it before anyone goes on. */
static void check_drained(rig_t *r, const rig_issue_t *i) {
  if (i->warp != 1 && r->n_log > 0 && i->cls == WARP_ALU) {
    const sm_stats_t *s = sm_stats(r->sm);
    ck_assert_uint_eq(s->mrpb_in, 3 * 32);
    ck_assert_uint_eq(s->mrpb_out, 3 * 32);
  }
}

START_TEST(ended_after_in_band) {
  const rig_op_t ends[] = {RIG_SLOW(1, 0), RIG_LOAD(WARP_GLOBAL, 2, BASE, 4096), RIG_ALU(3, 1),
                           RIG_EXIT};
  const rig_op_t waits[] = {RIG_LOAD(WARP_GLOBAL, 2, BASE + 128, 4096), RIG_BARRIER, RIG_ALU(3, 0),
                            RIG_EXIT};
  const rig_script_t s[] = {RIG_SCRIPT(waits), RIG_SCRIPT(ends), RIG_SCRIPT(waits)};
  rig_t *r = rig_new(1, 3, s, 3);
  r->cfg.mrpb = 1;
  r->cfg.mrpb_depth = 64;
  r->cfg.mrpb_bypass = MRPB_BYPASS_OFF;
  r->issued = check_drained;
  ck_assert(rig_run(r));
  rig_close(r);
}
END_TEST

Suite *test_sm_schedulers_suite(void);

Suite *test_sm_schedulers_suite(void) {
  Suite *s = suite_create("sm_schedulers");
  TCase *t = tcase_create("order"), *b = tcase_create("barriers");
  tcase_add_test(t, oldest_first);
  tcase_add_test(t, greedy);
  tcase_add_test(t, stalled_greedy);
  tcase_add_loop_test(t, limit, 0, 4);
  tcase_add_test(t, limit_takes_the_oldest);
  tcase_add_loop_test(b, limited_barrier, 0, BARRIER_RIGS);
  tcase_add_loop_test(b, ended_before, 0, BARRIER_RIGS);
  tcase_add_loop_test(b, ended_after, 0, BARRIER_RIGS);
  tcase_add_test(b, ended_after_in_band);
  suite_add_tcase(s, t);
  suite_add_tcase(s, b);
  return s;
}
