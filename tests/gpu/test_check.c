/* SPDX-License-Identifier: Apache-2.0 */
/* The checking mode: random programs on a small GPU run without violation under every MRPB, bypass
 * and tracking; with a hazard let in, some of them do not. Also host writes, bytes, and sources
 * without values. */
#include "check_help.h"

typedef struct {
  unsigned lines, warps, ops;
  uint64_t spread; /* bytes from a line to the next */
  bool own;        /* no two threads touch one byte with a store */
} shape_t;

static uint64_t below(prng_t *p, uint64_t n) {
  return prng_next(p) % n;
}

/* One load or store of random lanes, element size and pattern. */
static void random_access(script_t *s, unsigned warp, const shape_t *shape, prng_t *p) {
  static const unsigned elems[] = {1, 2, 4, 4, 4, 8, 16};
  bool store = below(p, 3) == 0;
  unsigned elem = elems[below(p, 7)], pattern = (unsigned)below(p, 4);
  unsigned line = (unsigned)below(p, shape->lines), slots = 128 / elem;
  script_op_t *op =
      script_access(s, warp, store ? WARP_STORE : WARP_LOAD,
                    store ? (unsigned)below(p, 8) : 1 + (unsigned)below(p, 7), elem, 0, 0);
  op->mask = below(p, 4) ? UINT32_MAX : (uint32_t)prng_next(p);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint64_t l = line, slot = lane % slots;
    if (pattern == 1) l = below(p, shape->lines);
    if (pattern == 2) slot = below(p, slots);
    if (pattern == 3) l = (line + lane) % shape->lines;
    op->addr[lane] = SCRIPT_BASE + l * shape->spread + slot * elem;
    if (shape->own) op->addr[lane] += (uint64_t)warp * shape->lines * shape->spread;
  }
}

static script_t *random_script(const shape_t *shape, unsigned blocks, unsigned launches,
                               uint64_t seed) {
  prng_t p = prng_seed(seed, 0);
  script_t *s = script_new(blocks, shape->warps, launches);
  for (unsigned w = 0; w < blocks * shape->warps; w++)
    for (unsigned i = 0; i < shape->ops; i++) {
      random_access(s, w, shape, &p);
      if (below(&p, 4) == 0) script_wait(s, w, 1 + (unsigned)below(&p, 7));
      if (below(&p, 16) == 0) script_delay(s, w, 8, 1 + (unsigned)below(&p, 300));
    }
  script_exit(s);
  return s;
}

/* Tight everywhere: conflicts, evictions and write-backs in every program. */
static config_t small_gpu(void) {
  config_t c;
  config_defaults(&c);
  c.sms = 3;
  c.l2_slices = 2;
  c.l1d_sets = 2;
  c.l1d_ways = 2;
  c.mshr_entries = 6;
  c.l2_sets = 2;
  c.l2_ways = 2;
  c.l2_rop_latency = 20;
  c.dram_latency = 20;
  c.hang_cycles = 20000;
  return c;
}

static const shape_t few = {6, 4, 12, 128, false};

static outcome_t run_random(const config_t *c, const shape_t *shape, uint64_t seed,
                            uint32_t hazards) {
  return script_run(random_script(shape, 3, 1, seed), c, true, hazards, NULL);
}

static void expect_fine(const outcome_t *o, uint64_t seed) {
  ck_assert_msg(o->end == GPU_DONE, "seed %u: end %d: %s%s", (unsigned)seed, (int)o->end,
                o->err.text, o->dump);
  ck_assert_uint_gt(o->check.loads, 0);
  ck_assert_uint_eq(o->check.loads, o->check.hits + o->check.fills + o->check.bypasses);
}

/* _i: reply x tracking x bypass x flush; each seed another policy, signature and depth, in the
 * second half another time of the L1D's answer, too. */
START_TEST(every_mrpb) {
  config_t c = small_gpu();
  c.mrpb = 1;
  c.bypass_reply = (uint32_t)_i % 2;
  c.bypass_tracking = (uint32_t)_i / 2 % 3;
  c.mrpb_bypass = (uint32_t)_i / 6 % 3;
  c.mrpb_flush = (uint32_t)_i / 18;
  c.prt_entries = 5;
  for (uint64_t seed = 0; seed < 12; seed++) {
    c.mrpb_policy = (uint32_t)seed % 6;
    c.mrpb_signature = (uint32_t)seed % 3;
    c.mrpb_depth = 1 + (uint32_t)seed % 8;
    c.mrpb_answer = seed < 6 ? 0 : (uint32_t)seed % 5;
    c.l2_wb_address_bug = (uint32_t)seed % 2;
    outcome_t o = run_random(&c, &few, seed, 0);
    expect_fine(&o, seed);
  }
}
END_TEST

START_TEST(baseline) {
  for (uint64_t seed = 0; seed < 60; seed++) {
    config_t c = small_gpu();
    c.l2_wb_address_bug = seed % 2;
    c.l1d_sets = 1 + (uint32_t)seed % 3;
    c.mshr_merges = 1 + (uint32_t)seed % 9;
    c.l2_mshr_merges = 1 + (uint32_t)seed % 5;
    outcome_t o = run_random(&c, &few, 100 + seed, 0);
    expect_fine(&o, seed);
  }
}
END_TEST

/* Base-S as it is. */
START_TEST(base_s) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    config_t c;
    config_defaults(&c);
    c.mrpb = seed % 2;
    shape_t wide = {12, 4, 30, 1024, false};
    outcome_t o = run_random(&c, &wide, seed, 0);
    expect_fine(&o, seed);
  }
}
END_TEST

/* Threads that keep to themselves see no stale value, and nothing is raced for; and the mode
 * changes no cycle. */
START_TEST(private_bytes) {
  const shape_t own = {3, 4, 20, 128, true};
  config_t c = small_gpu();
  for (uint64_t seed = 0; seed < 10; seed++) {
    c.mrpb = seed % 2;
    script_t *s = random_script(&own, 3, 1, seed);
    for (unsigned w = 0; w < 12;
         w++) /* each thread to its own bytes: lane i the words i, i + 32 .. */
      for (unsigned i = 0; i < s->n[w]; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
          script_op_t *op = &s->op[w][i];
          uint64_t line = (op->addr[lane] - SCRIPT_BASE) / 128;
          if (op->inst.elem > 4) op->inst.elem = 4;
          if (op->inst.elem)
            op->addr[lane] = SCRIPT_BASE + line * 128 + lane * 4 +
                             op->addr[lane] % 4 / op->inst.elem * op->inst.elem;
        }
    outcome_t o = script_run(s, &c, true, 0, NULL);
    expect_fine(&o, seed);
    ck_assert_uint_eq(o.check.stale, 0);
    ck_assert_uint_eq(o.check.raced, 0);
    ck_assert_uint_gt(o.check.transactions, 0);
  }
}
END_TEST

START_TEST(changes_nothing) {
  for (uint64_t seed = 0; seed < 6; seed++) {
    config_t c = small_gpu();
    c.mrpb = seed % 2;
    outcome_t a = script_run(random_script(&few, 3, 1, seed), &c, true, 0, NULL);
    outcome_t b = script_run(random_script(&few, 3, 1, seed), &c, false, 0, NULL);
    ck_assert_uint_eq(a.cycles, b.cycles);
    ck_assert_mem_eq(&a.sm, &b.sm, sizeof a.sm);
    ck_assert_mem_eq(&a.l1d, &b.l1d, sizeof a.l1d);
    ck_assert_mem_eq(&a.l2, &b.l2, sizeof a.l2);
  }
}
END_TEST

/* The host writes between launches, and a source may have no values. */
START_TEST(launches) {
  for (uint64_t seed = 0; seed < 8; seed++) {
    config_t c = small_gpu();
    c.mrpb = seed % 2;
    script_t *s = random_script(&few, 3, 4, seed);
    const bool host = seed % 4 < 2;
    s->host_writes = host;
    s->no_values = seed >= 4;
    outcome_t o = script_run(s, &c, true, 0, NULL);
    expect_fine(&o, seed);
    ck_assert_uint_eq(o.check.host_bytes > 0, host && seed < 4);
  }
}
END_TEST

/* Some of the random programs meet each of the hazards that an SM can let in. */
START_TEST(hazards_are_found) {
  static const uint32_t hazard[] = {HAZARD_BYPASS, HAZARD_WRITTEN_FETCH, HAZARD_DRAINING,
                                    HAZARD_SAME_CYCLE, HAZARD_COLLECTOR};
  const shape_t two = {2, 8, 20, 128, false};
  unsigned found = 0, runs = 0;
  for (uint64_t seed = 0; seed < 60 && found == 0; seed++, runs++) {
    config_t c = small_gpu();
    c.mrpb = hazard[_i] == HAZARD_BYPASS;
    c.mrpb_bypass = MRPB_BYPASS_STALL;
    c.mshr_merges = 32;
    outcome_t o = run_random(&c, &two, seed, hazard[_i]);
    found += o.end == GPU_MISMATCH || o.end == GPU_HANG;
  }
  ck_assert_msg(found > 0, "hazard %u was not met in %u programs", hazard[_i], runs);
}
END_TEST

Suite *test_check_suite(void);

Suite *test_check_suite(void) {
  Suite *s = suite_create("check");
  TCase *t = tcase_create("random"), *u = tcase_create("hazards"), *v = tcase_create("a few");
  tcase_add_loop_test(t, every_mrpb, 0, 34);
  tcase_add_test(t, baseline);
  tcase_add_test(t, base_s);
  tcase_add_test(t, private_bytes);
  tcase_add_test(t, changes_nothing);
  tcase_add_loop_test(u, hazards_are_found, 1, 5);
  tcase_set_tags(t, "heavy");
  tcase_set_tags(u, "heavy");
  tcase_add_loop_test(v, every_mrpb, 34, 36);
  tcase_add_test(v, launches);
  tcase_add_loop_test(v, hazards_are_found, 0, 1);
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  suite_add_tcase(s, v);
  return s;
}
