/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescer: the rules case by case, and against a direct restatement on random addresses. */
#include "parts/coalescer.h"

#include "prng.h"

#include <check.h>
#include <stdbool.h>
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

Suite *test_coalescer_suite(void);

Suite *test_coalescer_suite(void) {
  Suite *s = suite_create("coalescer");
  TCase *t = tcase_create("coalescer");
  tcase_add_test(t, one_line);
  tcase_add_test(t, shrinks);
  tcase_add_test(t, element_sizes);
  tcase_add_test(t, divergent_ascending);
  suite_add_tcase(s, t);
  TCase *r = tcase_create("random");
  tcase_add_test(r, random_addresses);
  tcase_set_tags(r, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(s, r);
  return s;
}
