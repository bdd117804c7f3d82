/* SPDX-License-Identifier: Apache-2.0 */
/* The checking mode on mixtures: pipeline cores before ports, in-order cores before flits. A
 * program runs without violation, and is reported when a hazard is let in; random programs have the
 * cycles that they have without checking. */
#include "check_help.h"
#include "mixture_help.h"

Suite *test_mixtures_suite(void);

#define LINE(n) ((uint64_t)(n)*128)

/* One SM, so that times are the program's. */
static config_t one_sm(bool in_order, const char *device) {
  config_t c = mixture(in_order, !in_order, device);
  c.sms = c.cluster = 1;
  return c;
}

static void expect_text(const outcome_t *o, const char *part) {
  ck_assert_msg(o->end == GPU_MISMATCH, "end %d: %s", (int)o->end, o->err.text);
  ck_assert_msg(strstr(o->err.text, part), "\"%s\" is not in \"%s\"", part, o->err.text);
}

/* A load, a store to its line before or after the load's data have come, and a load. */
static script_t *stored_line(bool waits) {
  script_t *s = script_new(1, 1, 1);
  script_load(s, 0, 1, LINE(3));
  if (waits) script_wait(s, 0, 1);
  script_store(s, 0, 0, LINE(3));
  for (unsigned i = 0; i < 40; i++) script_wait(s, 0, waits ? 0 : 1);
  script_load(s, 0, 2, LINE(3));
  script_exit(s);
  return s;
}

static void hazard_is_found(const config_t *c, bool waits, uint32_t hazard, const char *text) {
  const outcome_t plain = script_run(stored_line(waits), c, false, 0, NULL);
  outcome_t o = script_run(stored_line(waits), c, true, 0, NULL);
  ck_assert_msg(o.end == GPU_DONE, "end %d: %s", (int)o.end, o.err.text);
  ck_assert_uint_eq(o.cycles, plain.cycles);
  ck_assert_uint_eq(o.check.loads, 2 * WARP_LANES);
  ck_assert_uint_eq(o.check.loads, o.check.hits + o.check.fills + o.check.bypasses);
  ck_assert_uint_eq(o.check.stale, 0);
  o = script_run(stored_line(waits), c, true, hazard, NULL);
  expect_text(&o, text);
}

/* With sectors and a PRT, and with whole lines and an MSHR table. */
START_TEST(in_order_cores_before_flits) {
  const config_t c = one_sm(true, _i ? "m2070" : "h200");
  hazard_is_found(&c, true, HAZARD_STORE, "expected its own store #1 (sm0 warp 0 pc ");
}
END_TEST

START_TEST(pipeline_cores_before_ports) {
  config_t c = one_sm(false, "k20");
  c.mrpb = 0;
  hazard_is_found(&c, false, HAZARD_WRITTEN_FETCH, "got the initial contents from an L1D hit");
}
END_TEST

/* ---- random programs ------------------------------------------------------------- */

static uint64_t below(prng_t *p, uint64_t n) {
  return prng_next(p) % n;
}

/* Each warp has six lines of its own, and waits for each load: no line is written while it is on its
 * way (hazard b of docs/check.md). */
static script_t *random_script(uint64_t seed) {
  enum { BLOCKS = 3, WARPS = 4, OPS = 24, LINES = 6 };
  prng_t p = prng_seed(seed, 0);
  script_t *s = script_new(BLOCKS, WARPS, 2);
  for (unsigned w = 0; w < BLOCKS * WARPS; w++)
    for (unsigned i = 0; i < OPS; i++) {
      const bool store = below(&p, 3) == 0;
      const unsigned reg = 1 + (unsigned)below(&p, 7);
      script_op_t *op = script_access(s, w, store ? WARP_STORE : WARP_LOAD, reg, 4,
                                      LINE(w * LINES + below(&p, LINES)), 4);
      if (below(&p, 2)) op->mask = (uint32_t)prng_next(&p);
      if (!store) script_wait(s, w, reg);
    }
  script_exit(s);
  return s;
}

/* In small L2s, where there are some, lines leave them. */
START_TEST(random_programs) {
  static const char *const device[] = {"h200", "m2070", "k20", "gtx780"};
  const bool in_order = _i % 2;
  config_t c = mixture(in_order, !in_order, device[_i / 2 % 4]);
  c.sms = c.cluster = 3;
  c.l2_sets = in_order ? 2 : c.l2_sets;
  c.l2_ways = in_order ? 2 : c.l2_ways;
  for (uint64_t seed = 0; seed < 6; seed++) {
    const uint64_t cycles = script_run(random_script(seed), &c, false, 0, NULL).cycles;
    const outcome_t o = script_run(random_script(seed), &c, true, 0, NULL);
    ck_assert_msg(o.end == GPU_DONE, "seed %u: end %d: %s%s", (unsigned)seed, (int)o.end,
                  o.err.text, o.dump);
    ck_assert_uint_eq(o.cycles, cycles);
    ck_assert_uint_gt(o.check.loads, 0);
    ck_assert_uint_eq(o.check.loads, o.check.hits + o.check.fills + o.check.bypasses);
  }
}
END_TEST

Suite *test_mixtures_suite(void) {
  Suite *s = suite_create("mixtures");
  TCase *t = tcase_create("checking");
  tcase_add_loop_test(t, in_order_cores_before_flits, 0, 2);
  tcase_add_test(t, pipeline_cores_before_ports);
  tcase_add_loop_test(t, random_programs, 0, 8);
  suite_add_tcase(s, t);
  return s;
}
