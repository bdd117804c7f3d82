/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescer: the rules case by case, and against a direct restatement on random addresses. */
#include "parts/coalescer.h"

#include "prng.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = COALESCER_LANES };
#define ALL UINT32_MAX

static void fill(uint64_t addr[LANES], uint64_t base, uint64_t stride) {
  for (unsigned i = 0; i < LANES; i++) addr[i] = base + i * stride;
}

START_TEST(one_line) {
  uint64_t addr[LANES];
  coalesced_t out[LANES];
  fill(addr, 0x80001000, 4);
  ck_assert_uint_eq(coalescer_run(addr, ALL, 4, out), 1);
  ck_assert_uint_eq(out[0].addr, 0x80001000);
  ck_assert_uint_eq(out[0].bytes, 128);
  ck_assert_uint_eq(out[0].lanes, ALL);
}
END_TEST

/* A lone lane of 4 bytes is a 32-byte access at its sector. */
START_TEST(shrinks) {
  static const struct {
    uint64_t first, last, addr;
    unsigned bytes;
  } c[] = {{0x00, 0x00, 0x00, 32},  {0x20, 0x20, 0x20, 32}, {0x40, 0x40, 0x40, 32},
           {0x60, 0x7c, 0x60, 32},  {0x00, 0x20, 0x00, 64}, {0x40, 0x60, 0x40, 64},
           {0x20, 0x40, 0x00, 128}, {0x00, 0x60, 0x00, 128}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    uint64_t addr[LANES] = {0x80000000 + c[i].first, 0x80000000 + c[i].last};
    coalesced_t out[LANES];
    ck_assert_uint_eq(coalescer_run(addr, 3, 4, out), 1);
    ck_assert_uint_eq(out[0].addr, 0x80000000 + c[i].addr);
    ck_assert_uint_eq(out[0].bytes, c[i].bytes);
  }
}
END_TEST

START_TEST(element_sizes) {
  uint64_t addr[LANES];
  coalesced_t out[LANES];
  fill(addr, 0x1000, 1);
  ck_assert_uint_eq(coalescer_run(addr, ALL, 1, out), 1);
  ck_assert_uint_eq(out[0].bytes, 32);
  fill(addr, 0x1000, 2);
  ck_assert_uint_eq(coalescer_run(addr, ALL, 2, out), 1);
  ck_assert_uint_eq(out[0].bytes, 64);
  fill(addr, 0x1000,
       4); /* bytes 128 apart in 32 B segments: two of the same line are two accesses */
  ck_assert_uint_eq(coalescer_run(addr, ALL, 1, out), 4);
  fill(addr, 0x1000, 8);
  ck_assert_uint_eq(coalescer_run(addr, ALL, 8, out), 2);
  ck_assert_uint_eq(out[1].addr, 0x1080);
  fill(addr, 0x1000, 16);
  ck_assert_uint_eq(coalescer_run(addr, ALL, 16, out), 4);
}
END_TEST

START_TEST(divergent_ascending) {
  uint64_t addr[LANES];
  coalesced_t out[LANES];
  for (unsigned i = 0; i < LANES; i++) addr[i] = 0x80000000 + (uint64_t)(31 - i) * 8192;
  ck_assert_uint_eq(coalescer_run(addr, ALL, 4, out), 32);
  for (unsigned i = 0; i < LANES; i++) {
    ck_assert_uint_eq(out[i].addr, 0x80000000 + (uint64_t)i * 8192);
    ck_assert_uint_eq(out[i].lanes, UINT32_C(1) << (31 - i));
    ck_assert_uint_eq(out[i].bytes, 32);
  }
  ck_assert_uint_eq(coalescer_run(addr, 0, 4, out), 0);
}
END_TEST

static void check_random(prng_t *p) {
  static const unsigned elems[] = {1, 2, 4, 8, 16};
  unsigned elem = elems[prng_below(p, 5)], segment = elem == 1 ? 32 : elem == 2 ? 64 : 128;
  unsigned range = 1u << (4 + prng_below(p, 10));
  uint64_t addr[LANES];
  coalesced_t out[LANES];
  uint32_t mask = (uint32_t)prng_next(p), seen = 0;
  for (unsigned i = 0; i < LANES; i++) addr[i] = 0x80000000 + (uint64_t)prng_below(p, range) * elem;
  unsigned n = coalescer_run(addr, mask, elem, out);
  for (unsigned k = 0; k < n; k++) {
    unsigned used = 0; /* sectors touched */
    if (k > 0) ck_assert_uint_gt(out[k].addr, out[k - 1].addr);
    ck_assert_uint_eq(out[k].addr % out[k].bytes, 0);
    ck_assert_uint_eq(out[k].lanes & seen, 0);
    seen |= out[k].lanes;
    for (unsigned i = 0; i < LANES; i++) {
      bool in = (mask >> i & 1) && addr[i] / segment == out[k].addr / segment;
      ck_assert_uint_eq(out[k].lanes >> i & 1, in);
      if (!in) continue;
      ck_assert_uint_ge(addr[i], out[k].addr);
      ck_assert_uint_le(addr[i] + elem, out[k].addr + out[k].bytes);
      used |= 1u << (addr[i] - out[k].addr) / 32;
    }
    /* No smaller: both halves are touched. */
    if (out[k].bytes == 64) ck_assert_uint_eq(used, 3);
    if (out[k].bytes == 128) ck_assert((used & 3) && (used & 12));
  }
  ck_assert_uint_eq(seen, mask);
}

START_TEST(random_addresses) {
  prng_t p = prng_seed(7, 0);
  for (unsigned i = 0; i < 4000; i++) check_random(&p);
}
END_TEST

/* ---- atomics ----------------------------------------------------------------- */

/* The reference's way, half by half: each lane into the first transaction of its segment in which its
 * bytes are free. Written with a map of bytes for each transaction and no order kept on the way. */
typedef struct {
  uint64_t segment;
  uint32_t lanes;
  bool byte[COALESCER_LINE];
  unsigned born; /* in its segment */
} wanted_t;

static unsigned restate(const uint64_t addr[LANES], uint32_t mask, unsigned elem, unsigned first,
                        wanted_t out[LANES]) {
  const uint64_t size = elem == 2 ? 64 : 128;
  unsigned n = 0;
  memset(out, 0, LANES * sizeof *out);
  for (unsigned lane = first; lane < first + LANES / 2; lane++) {
    unsigned at = 0, born = 0;
    if (!(mask >> lane & 1)) continue;
    for (; at < n; at++) {
      bool clash = false;
      if (out[at].segment != addr[lane] / size) continue;
      born++;
      for (unsigned b = 0; b < elem; b++) clash |= out[at].byte[addr[lane] % COALESCER_LINE + b];
      if (!clash) break;
    }
    if (at == n) out[n++] = (wanted_t){.segment = addr[lane] / size, .born = born};
    out[at].lanes |= 1u << lane;
    for (unsigned b = 0; b < elem; b++) out[at].byte[addr[lane] % COALESCER_LINE + b] = true;
  }
  return n;
}

static int by_segment(const void *a, const void *b) {
  const wanted_t *x = a, *y = b;
  if (x->segment != y->segment) return x->segment < y->segment ? -1 : 1;
  return x->born < y->born ? -1 : 1;
}

START_TEST(atomics_at_random) {
  prng_t rng = prng_seed(3, 1);
  for (unsigned k = 0; k < 4000; k++) {
    const unsigned elem = 2u << k % 3, spread = 1u << prng_next(&rng) % 9;
    const uint32_t mask = k % 4 ? (uint32_t)prng_next(&rng) : ALL;
    uint64_t addr[LANES];
    coalesced_t out[LANES];
    wanted_t want[LANES];
    for (unsigned i = 0; i < LANES; i++) addr[i] = 0x80000000 + prng_next(&rng) % spread * elem;
    const unsigned n = coalescer_atomic(addr, mask, elem, out);
    unsigned at = 0;
    for (unsigned half = 0; half < 2; half++) {
      const unsigned m = restate(addr, mask, elem, half * LANES / 2, want);
      qsort(want, m, sizeof *want, by_segment);
      for (unsigned i = 0; i < m; i++, at++) {
        unsigned low = COALESCER_LINE, high = 0;
        for (unsigned b = 0; b < COALESCER_LINE; b++) {
          if (want[i].byte[b] && b < low) low = b;
          if (want[i].byte[b]) high = b;
        }
        ck_assert_uint_lt(at, n);
        ck_assert_uint_eq(out[at].lanes, want[i].lanes);
        ck_assert_uint_eq(out[at].addr % out[at].bytes, 0);
        ck_assert_uint_le(out[at].addr % COALESCER_LINE, low);
        ck_assert_uint_gt(out[at].addr % COALESCER_LINE + out[at].bytes, high);
        ck_assert(out[at].bytes == 32 || low / (out[at].bytes / 2) != high / (out[at].bytes / 2));
      }
    }
    ck_assert_uint_eq(at, n);
  }
}
END_TEST

/* Elements of several words: a word of all lanes is a line; lanes at other words share lines. */
START_TEST(words_apart) {
  uint64_t addr[LANES];
  coalesced_t out[COALESCER_MOST];
  fill(addr, 0xC0000000, 4);
  ck_assert_uint_eq(coalescer_words(addr, ALL, 4, 128, out), 4);
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_uint_eq(out[i].addr, 0xC0000000 + 128 * i);
    ck_assert_uint_eq(out[i].lanes, ALL);
    ck_assert_uint_eq(out[i].bytes, 128);
  }
  addr[9] += 128; /* words 1 and 2, the others 0 and 1 */
  ck_assert_uint_eq(coalescer_words(addr, 0x203, 2, 128, out), 3);
  static const uint32_t lanes[] = {0x3, 0x203, 0x200};
  static const unsigned at[] = {0, 128, 256 + 32}, bytes[] = {32, 64, 32};
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(out[i].lanes, lanes[i]);
    ck_assert_uint_eq(out[i].addr, 0xC0000000 + at[i]);
    ck_assert_uint_eq(out[i].bytes, bytes[i]);
  }
  for (unsigned i = 0; i < LANES; i++) addr[i] = 0xC0000000 + 4 * i + 1024 * i;
  ck_assert_uint_eq(coalescer_words(addr, ALL, 4, 128, out), COALESCER_MOST);
}
END_TEST

Suite *test_transactions_suite(void);

Suite *test_transactions_suite(void) {
  Suite *s = suite_create("transactions");
  TCase *t = tcase_create("transactions");
  tcase_add_test(t, one_line);
  tcase_add_test(t, shrinks);
  tcase_add_test(t, element_sizes);
  tcase_add_test(t, divergent_ascending);
  tcase_add_test(t, words_apart);
  suite_add_tcase(s, t);
  TCase *r = tcase_create("random");
  tcase_add_test(r, random_addresses);
  tcase_set_tags(r, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_test(t, atomics_at_random);
  suite_add_tcase(s, r);
  return s;
}
