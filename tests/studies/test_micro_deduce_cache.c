/* SPDX-License-Identifier: Apache-2.0 */
/* Deduces caches and TLBs of known structure from their latencies alone. */
#include "gpu/cache_sim.h"
#include "studies/micro/deduce/cache.h"

#include <check.h>
#include <inttypes.h>

static chase_cfg_t probe(sim_t *s, uint64_t step, uint64_t limit) {
  return (chase_cfg_t){.chase = sim_chase, .ctx = s, .step = step, .limit = limit};
}

static deduce_cache_t deduce(const chase_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  deduce_cache_t d;
  ck_assert_msg(deduce_cache(&d, cfg, &err) == 0, "%s", err.text);
  ck_assert(d.found);
  return d;
}

/* All sets alike. */
static void ck_geometry(const deduce_cache_t *d, uint64_t capacity, uint64_t line, uint32_t sets,
                        uint32_t ways) {
  ck_assert_uint_eq(d->capacity, capacity);
  ck_assert_uint_eq(d->line, line);
  ck_assert(d->complete);
  ck_assert_uint_eq(d->sets, sets);
  for (uint32_t s = 0; s < sets; s++) ck_assert_uint_eq(d->ways[s], ways);
}

static uint32_t set_number(const sim_cache_t *c, uint64_t address) {
  return c->cfg.map ? c->cfg.map(address / c->cfg.line)
                    : (uint32_t)((address >> c->cfg.low_bit) % c->cfg.sets);
}

/* The sets found are those of `c`, under whatever numbers. */
static void ck_sets(const deduce_cache_t *d, const sim_cache_t *c, uint64_t base) {
  uint32_t number[512];
  memset(number, 255, sizeof number);
  for (uint64_t i = 0; i < d->n_set_of; i++) {
    uint32_t set = set_number(c, base + i * d->line);
    if (number[set] == UINT32_MAX) number[set] = d->set_of[i];
    if (number[set] != d->set_of[i]) ck_abort_msg("line %" PRIu64, i);
  }
}

/* Lines from `base` on until one finds its set full. */
static uint64_t prefix(const sim_cache_t *c, uint64_t base) {
  uint32_t held[512] = {0};
  for (uint64_t i = 0;; i++)
    if (++held[set_number(c, base + i * c->cfg.line)] > c->cfg.ways) return i * c->cfg.line;
}

/* ---- the papers' caches ---------------------------------------------------- */

/* Fermi's L1: 32 sets of four ways with 1/6, 1/2, 1/6, 1/6. */
START_TEST(fermi_l1) {
  sim_cfg_t cfg = {.line = 128, .sets = 32, .ways = 4, .low_bit = 7, .policy = SIM_FERMI};
  sim_t s;
  sim_open(&s, &cfg, 1, 5);
  s.flush = _i;
  chase_cfg_t p = probe(&s, 4, 1 << 20);
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, 16384, 128, 32, 4);
  ck_sets(&d, &s.level[0], 0);
  ck_assert_uint_eq(d.hit, 116);
  ck_assert_uint_eq(d.miss, 404);
  ck_assert_uint_eq(d.fill, 128);
  ck_assert_uint_eq(d.address_bits, 0xf80);
  ck_assert(d.selects);
  ck_assert_int_eq(d.policy, DEDUCE_CACHE_OTHER);
  ck_assert_uint_eq(d.repeats, 0);
  ck_assert_uint_eq(d.n_shares, 4);
  ck_assert_double_eq_tol(d.share[0], 1.0 / 2, 0.03);
  for (unsigned i = 1; i < 4; i++) ck_assert_double_eq_tol(d.share[i], 1.0 / 6, 0.03);
  ck_assert_uint_eq(d.accesses, s.reads);
  ck_assert_uint_lt(d.accesses, 2000000);
  double rate;
  uint64_t missed;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(deduce_cache_miss_rate(&d, &p, 1, 64, &rate, &missed, &err), 0);
  ck_assert_uint_eq(missed, 5);
  ck_assert_double_gt(rate, 0.01);
  ck_assert_double_lt(rate, 0.03);
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

/* Texture L1: 12 KB, 32-byte lines, bits 7 and 8 choose among four sets of 96. */
START_TEST(texture_l1) {
  sim_cfg_t cfg = {.line = 32, .sets = 4, .ways = 96, .low_bit = 7};
  sim_t s;
  sim_open(&s, &cfg, 1, 5);
  chase_cfg_t p = probe(&s, 4, 1 << 20);
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, 12288, 32, 4, 96);
  ck_sets(&d, &s.level[0], 0);
  ck_assert_uint_eq(d.address_bits, 0x180);
  ck_assert(d.selects);
  ck_assert_uint_eq(d.period, 16);
  ck_assert_int_eq(d.policy, DEDUCE_CACHE_LRU);
  ck_assert_uint_eq(d.repeats, 1);
  ck_assert_uint_lt(d.accesses, 2000000);
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

/* L2 TLB of 65 entries: one set of 17, six of 8. */
static uint32_t tlb_set(uint64_t page) {
  uint32_t i = (uint32_t)(page % 65);
  return i < 56 ? i % 7 : 0;
}
static uint32_t tlb_ways(uint32_t set) {
  return set ? 8 : 17;
}

static const sim_cfg_t tlb[2] = {
    {.line = 2 << 20, .sets = 1, .ways = 16, .low_bit = 21},
    {.line = 2 << 20, .sets = 7, .ways = 17, .map = tlb_set, .set_ways = tlb_ways}};

static void ck_tlb(const deduce_cache_t *d) {
  ck_assert_uint_eq(d->capacity, UINT64_C(130) << 20);
  ck_assert_uint_eq(d->line, 2 << 20);
  ck_assert(d->complete);
  ck_assert_uint_eq(d->sets, 7);
  ck_assert_uint_eq(d->ways[0], 17);
  for (unsigned i = 1; i < 7; i++) ck_assert_uint_eq(d->ways[i], 8);
  ck_assert_int_eq(d->policy, DEDUCE_CACHE_LRU);
}

START_TEST(unequal_tlb) {
  sim_t s;
  sim_open(&s, &tlb[1], 1, 5);
  chase_cfg_t p = probe(&s, 1 << 20, UINT64_C(1) << 34);
  p.skew = 128;
  deduce_cache_t d = deduce(&p);
  ck_tlb(&d);
  ck_sets(&d, &s.level[0], 0);
  /* Figure 11: all of the large set at once, then one more of the small ones each time. */
  for (uint64_t extra = 0; extra < 8; extra++) {
    double rate;
    uint64_t missed;
    mrpb_err_t err = {{0}};
    ck_assert_int_eq(deduce_cache_miss_rate(&d, &p, extra, 4, &rate, &missed, &err), 0);
    ck_assert_uint_eq(missed, extra ? 18 + 9 * (extra - 1) : 0);
    ck_assert_double_eq_tol(rate, (double)missed / (double)(65 + extra), 1e-9);
  }
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

/* The same behind the first TLB, which holds 16 pages. */
START_TEST(tlb_behind_tlb) {
  sim_t s;
  sim_open(&s, tlb, 2, 5);
  chase_cfg_t p = probe(&s, 1 << 20, UINT64_C(1) << 34);
  p.skew = 128;
  p.word = 128;
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, 32 << 20, 2 << 20, 1, 16);
  ck_assert_int_eq(d.policy, DEDUCE_CACHE_LRU);
  deduce_cache_free(&d);
  p.level = 1;
  d = deduce(&p);
  ck_tlb(&d);
  ck_sets(&d, &s.level[1], 0);
  ck_assert_uint_eq(d.hit, 116);
  ck_assert_uint_eq(d.miss, 655);
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

/* H200: 128-byte lines of four sectors. */
START_TEST(sectors) {
  sim_cfg_t cfg = {.line = 128, .sector = 32, .sets = 4, .ways = 56, .low_bit = 7};
  sim_t s;
  sim_open(&s, &cfg, 1, 5);
  chase_cfg_t p = probe(&s, 8, 1 << 20);
  p.word = 8 * (uint64_t)_i; /* 8: as many words as are tried do not lie in one sector */
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, 28 << 10, 128, 4, 56);
  ck_assert_uint_eq(d.fill, 32);
  ck_assert_int_eq(d.policy, DEDUCE_CACHE_LRU);
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

/* Six ways, first in first out. */
START_TEST(fifo) {
  sim_cfg_t cfg = {.line = 128, .sets = 32, .ways = 6, .low_bit = 7, .policy = SIM_FIFO};
  sim_t s;
  sim_open(&s, &cfg, 1, 5);
  chase_cfg_t p = probe(&s, 4, 1 << 20);
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, 24576, 128, 32, 6);
  ck_assert_uint_eq(d.address_bits, 0xf80);
  ck_assert_int_eq(d.policy, DEDUCE_CACHE_FIFO);
  ck_assert_uint_lt(d.accesses, 2000000);
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

/* A policy that is neither, and periodic. */
START_TEST(pattern) {
  sim_cfg_t cfg = {.line = 64, .sets = 8, .ways = 4, .low_bit = 6, .policy = SIM_PATTERN};
  sim_t s;
  sim_open(&s, &cfg, 1, 5);
  chase_cfg_t p = probe(&s, 8, 1 << 20);
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, 2048, 64, 8, 4);
  ck_assert_int_eq(d.policy, DEDUCE_CACHE_OTHER);
  ck_assert_uint_gt(d.repeats, 1);
  deduce_cache_free(&d);
  sim_close(&s);
}
END_TEST

START_TEST(nothing) {
  sim_cfg_t cfg = {.line = 64, .sets = 64, .ways = 4, .low_bit = 6};
  sim_t s;
  sim_open(&s, &cfg, 1, 5);
  chase_cfg_t p = probe(&s, 64, 8192); /* half the cache */
  deduce_cache_t d;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(deduce_cache(&d, &p, &err), 0);
  ck_assert(!d.found);
  p.limit = 100;
  ck_assert_int_eq(deduce_cache(&d, &p, &err), -1);
  ck_assert_str_eq(err.text, "P-chase: step of 64 bytes in 100; legal: at least 1, and two of them "
                             "within the limit");
  err.text[0] = '\0';
  p.limit = 1 << 20;
  p.budget = 10000;
  ck_assert_int_eq(deduce_cache(&d, &p, &err), -1);
  ck_assert_str_eq(err.text, "P-chase: 10000 accesses do not suffice; legal: a larger budget, or a "
                             "coarser step than 64 bytes");
  sim_close(&s);
}
END_TEST

/* ---- blind ----------------------------------------------------------------- */

static uint32_t pick(prng_t *prng, const uint32_t *from, uint32_t n) {
  return from[prng_below(prng, n)];
}

/* One random cache of at most 2048 lines; nothing but its latencies is used. */
static void blind(uint64_t seed) {
  static const uint32_t sets[] = {1, 1, 2, 4, 8, 16, 32, 3, 5, 6, 7, 12, 24};
  static const uint32_t ways[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 17, 24, 32, 65, 96};
  static const deduce_cache_policy_t as[] = {DEDUCE_CACHE_LRU, DEDUCE_CACHE_FIFO,
                                             DEDUCE_CACHE_OTHER, DEDUCE_CACHE_OTHER};
  prng_t prng = prng_seed(seed, 1);
  sim_cfg_t cfg = {.sets = pick(&prng, sets, 13), .ways = pick(&prng, ways, 14)};
  while (cfg.sets * cfg.ways > 512) cfg.ways = pick(&prng, ways, 14);
  if (cfg.sets * cfg.ways == 1) cfg.ways = 2;
  cfg.policy = cfg.ways > 16 ? prng_below(&prng, 2) : prng_below(&prng, 4);
  if (cfg.ways == 1) cfg.policy = SIM_LRU;
  unsigned bits = 5 + prng_below(&prng, 4), above = prng_below(&prng, 3);
  cfg.line = UINT64_C(1) << bits;
  cfg.low_bit = bits + (prng_chance(&prng, 300) ? above : 0);
  sim_t s;
  sim_open(&s, &cfg, 1, seed);
  s.flush = prng_chance(&prng, 500);
  chase_cfg_t p = probe(&s, 8, 1 << 24);
  /* A multiple of all lines that share the set's bits. */
  p.base = (uint64_t)prng_below(&prng, 1000) << cfg.low_bit;
  deduce_cache_t d = deduce(&p);
  ck_geometry(&d, prefix(&s.level[0], p.base), cfg.line, cfg.sets, cfg.ways);
  ck_assert_uint_eq(d.lines, cfg.sets * cfg.ways);
  ck_sets(&d, &s.level[0], p.base);
  ck_assert_int_eq(d.policy, cfg.ways == 1 ? DEDUCE_CACHE_DIRECT : as[cfg.policy]);
  if (cfg.policy >= SIM_FERMI && cfg.ways > 1) {
    ck_assert_uint_eq(d.n_shares, cfg.ways);
    double most =
        (cfg.policy == SIM_FERMI ? 3.0 : 1.0) / (cfg.ways + (cfg.policy == SIM_FERMI ? 2 : 0));
    ck_assert_double_eq_tol(d.share[0], most, 0.05);
  }
  ck_assert_uint_lt(d.accesses, 2000000);
  if ((cfg.sets & (cfg.sets - 1)) == 0 && cfg.sets > 1) {
    ck_assert(d.selects);
    ck_assert_uint_eq(d.address_bits, (uint64_t)(cfg.sets - 1) << cfg.low_bit);
  }
  deduce_cache_free(&d);
  sim_close(&s);
}

START_TEST(blind_few) {
  for (uint64_t seed = 1; seed <= 6; seed++) blind(seed);
}
END_TEST

START_TEST(blind_many) {
  for (uint64_t k = 0; k < 25; k++) blind(1000 + 25 * (uint64_t)_i + k);
}
END_TEST

Suite *test_micro_deduce_cache_suite(void);

Suite *test_micro_deduce_cache_suite(void) {
  Suite *s = suite_create("micro_deduce_cache");
  TCase *t = tcase_create("known");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, fermi_l1, 0, 2);
  tcase_add_test(t, texture_l1);
  tcase_add_test(t, unequal_tlb);
  tcase_add_test(t, tlb_behind_tlb);
  tcase_add_loop_test(t, sectors, 0, 2);
  tcase_add_test(t, fifo);
  tcase_add_test(t, pattern);
  tcase_add_test(t, nothing);
  tcase_add_test(t, blind_few);
  TCase *many = tcase_create("blind");
  tcase_set_timeout(many, 60);
  tcase_set_tags(many, "heavy"); /* 250 caches: not under valgrind */
  tcase_add_loop_test(many, blind_many, 0, 10);
  suite_add_tcase(s, t);
  suite_add_tcase(s, many);
  return s;
}
