/* SPDX-License-Identifier: Apache-2.0 */
/* MSHR or PRT: the papers' numbers, and tables of random sizes that are known only by their ideal
 * curves. */
#include "studies/micro/deduce/table.h"
#include "studies/micro/deduce/spikes.h"
#include "micro_help.h"
#include "prng.h"

#include <check.h>
#include <string.h>

static deduce_table_t deduce(const deduce_table_curve_t *c, size_t n, uint32_t slack) {
  mrpb_err_t err = {{0}};
  deduce_table_t t;
  ck_assert_msg(deduce_table(&t, c, n, slack, &err) == 0, "%s", err.text);
  return t;
}

static void ck_interval(deduce_interval_t i, uint32_t lo, uint32_t hi) {
  ck_assert_uint_eq(i.lo, lo);
  ck_assert_uint_eq(i.hi, hi);
}

/* Paper 000, section 5.1: spikes at 128, 64 (N = 2), 256 (Merger2), 256 (Merger4, N = 2), 256
 * (Merger8, N = 4); none for Merger16 and Merger32. */
START_TEST(m2070) {
  const deduce_table_curve_t c[] = {{1, 32, 128, 130, 0}, {2, 32, 64, 66, 0},  {1, 16, 256, 258, 0},
                                    {2, 8, 256, 258, 0},  {4, 4, 256, 258, 0}, {4, 2, 1024, 0, 0},
                                    {4, 1, 1024, 0, 0},   {1, 2, 1024, 0, 0}};
  deduce_table_t t = deduce(c, 8, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_MSHR);
  ck_interval(t.lines, 128, 128);
  ck_interval(t.merges, 8, UINT32_MAX);
  ck_assert_uint_eq(t.contradicted, 1 << 5); /* 256 lines without a spike: another limit */
}
END_TEST

/* Section 5.2, as printed: 680 threads at N = 2, 454 at N = 3, somewhere in a warp. */
START_TEST(k20) {
  const deduce_table_curve_t c[] = {
      {1, 32, 1024, 0, 0}, {2, 32, 680, 682, 0}, {3, 32, 454, 456, 0}};
  deduce_table_t t = deduce(c, 3, 32);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_EITHER); /* a warp's width leaves room for both */
  ck_assert_uint_le(t.loads.lo, 44);
  ck_assert_uint_ge(t.loads.hi, 45);
  /* Where the spikes of 44 entries lie exactly. */
  const deduce_table_curve_t exact[] = {
      {1, 32, 1024, 0, 0}, {2, 32, 704, 706, 0}, {3, 32, 448, 450, 0}};
  t = deduce(exact, 3, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_PRT);
  ck_interval(t.loads, 44, 44);
  ck_assert_uint_eq(t.contradicted, 0);
}
END_TEST

START_TEST(one_curve) {
  deduce_table_t t = deduce(&(deduce_table_curve_t){1, 32, 128, 130, 0}, 1, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_EITHER);
  ck_interval(t.lines, 128, 129);
  ck_interval(t.loads, 4, 4);
  /* A curve without a spike decides: 512 lines fit. */
  t = deduce((const deduce_table_curve_t[]){{1, 32, 128, 130, 0}, {2, 32, 128, 0, 0}}, 2, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_EITHER); /* it contradicts both */
  t = deduce((const deduce_table_curve_t[]){{1, 32, 128, 130, 0}, {4, 1, 1024, 0, 0}}, 2, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_MSHR);
  ck_assert_uint_eq(t.contradicted, 0);
  /* Where two warps share a line, as many loads want half the lines. */
  t = deduce((const deduce_table_curve_t[]){{20, 1, 800, 802, 0}, {20, 1, 800, 802, 2}}, 2, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_PRT);
  ck_interval(t.loads, 500, 519);
  t = deduce((const deduce_table_curve_t[]){{20, 1, 800, 802, 0}, {20, 1, 1024, 0, 2}}, 2, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_MSHR);
  ck_interval(t.lines, 500, 519);
  t = deduce((const deduce_table_curve_t[]){{1, 2, 128, 130, 0}, {1, 32, 128, 0, 0}}, 2, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_PRT);
  ck_interval(t.loads, 4, 4);
}
END_TEST

START_TEST(no_spike) {
  deduce_table_t t =
      deduce((const deduce_table_curve_t[]){{1, 32, 1024, 0, 0}, {3, 1, 1024, 0, 0}}, 2, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_NO_SPIKE);
  ck_interval(t.lines, 1024, UINT32_MAX);
  ck_interval(t.loads, 96, UINT32_MAX);
}
END_TEST

START_TEST(neither) {
  const deduce_table_curve_t c[] = {
      {1, 32, 128, 130, 0}, {2, 32, 64, 66, 0}, {1, 16, 256, 258, 0}, {1, 8, 200, 202, 0}};
  deduce_table_t t = deduce(c, 4, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_NEITHER);
  ck_assert_uint_eq(t.contradicted, 1 << 3);
  ck_assert(t.lines.hi < t.lines.lo);
}
END_TEST

/* H200: 510 warp loads (spikes at 992, 802, 674 threads), 992 lines with 124 KB of L1. */
START_TEST(h200) {
  const deduce_table_curve_t c[] = {{16, 1, 992, 994, 0}, {17, 1, 960, 962, 0},
                                    {73, 1, 192, 194, 0}, {4, 8, 992, 994, 0},
                                    {2, 32, 496, 498, 0}, {30, 1, 544, 546, 0}};
  deduce_table_t t = deduce(c, 6, 0);
  ck_assert_int_eq(t.kind, DEDUCE_TABLE_BOTH);
  ck_interval(t.loads, 510, 510);
  ck_interval(t.lines, 992, 995);
}
END_TEST

/* ---- blind ----------------------------------------------------------------- */

/* Measures one pattern of the table `m`. */
static deduce_table_curve_t measure(micro_ideal_t m, uint32_t loads, uint32_t lines) {
  uint32_t threads[IDEAL_POINTS];
  double latency[IDEAL_POINTS];
  mrpb_err_t err = {{0}};
  micro_spikes_t s;
  m.loads = loads;
  m.lanes = 32 / lines;
  micro_ideal_curve(&m, threads, latency);
  ck_assert_msg(micro_spikes_find(&s, threads, latency, IDEAL_POINTS, NULL, &err) == 0, "%s",
                err.text);
  const micro_spike_t *spike = micro_spikes_first(&s);
  deduce_table_curve_t c = {loads, lines, spike ? spike->before : 1024, spike ? spike->after : 0,
                            0};
  micro_spikes_free(&s);
  return c;
}

static unsigned sweep(const micro_ideal_t *m, deduce_table_curve_t *c) {
  unsigned n = 0;
  for (uint32_t lines = 32; lines >= 1; lines /= 2)
    for (uint32_t loads = 1; loads <= 4; loads++) c[n++] = measure(*m, loads, lines);
  return n;
}

static void ck_holds(deduce_interval_t i, uint32_t size, const char *what) {
  ck_assert_msg(i.lo <= size && size <= i.hi, "%s: %u, deduced %u to %u", what, size, i.lo, i.hi);
}

/* As many MSHRs as the memory's latency leaves room for. */
START_TEST(blind_mshr) {
  prng_t prng = prng_seed(11, (uint64_t)_i);
  deduce_table_curve_t c[DEDUCE_TABLE_CURVES];
  uint32_t size = _i == 0 ? 96 : _i == 1 ? 97 : _i == 2 ? 45 : 33 + prng_below(&prng, 220);
  micro_ideal_t m = {.lines = size, .gap = 1, .latency = 600 + prng_below(&prng, 300)};
  if (_i % 2) m.merges = 1u << prng_below(&prng, 4);
  unsigned n = sweep(&m, c);
  deduce_table_t t = deduce(c, n, 0);
  ck_assert_msg(t.kind == DEDUCE_TABLE_MSHR, "%u MSHRs of %u: %s", size, m.merges,
                deduce_table_name(t.kind));
  ck_holds(t.lines, size, "MSHRs");
  ck_assert_uint_le(t.lines.hi - t.lines.lo, 1);
  if (m.merges) {
    ck_holds(t.merges, m.merges, "merges");
    ck_interval(t.merges, m.merges, m.merges);
  }
  ck_assert_uint_eq(t.contradicted, 0);
}
END_TEST

START_TEST(blind_prt) {
  prng_t prng = prng_seed(12, (uint64_t)_i);
  deduce_table_curve_t c[DEDUCE_TABLE_CURVES];
  uint32_t size = _i == 0 ? 24 : _i == 1 ? 44 : _i == 2 ? 45 : 6 + prng_below(&prng, 80);
  micro_ideal_t m = {.table = size, .gap = 1, .latency = 3500};
  unsigned n = 0;
  for (uint32_t lines = 32; lines >= 1; lines /= 4)
    for (uint32_t loads = 1; loads <= 7; loads++) c[n++] = measure(m, loads, lines);
  deduce_table_t t = deduce(c, n, 0);
  ck_assert_msg(t.kind == DEDUCE_TABLE_PRT, "%u PRT entries: %s", size, deduce_table_name(t.kind));
  ck_holds(t.loads, size, "PRT entries");
  /* Loads of 1 to 7 per warp leave the sizes apart that have a multiple of theirs between them. */
  uint32_t lo = 0, hi = UINT32_MAX;
  for (uint32_t loads = 1; loads <= 7; loads++) {
    uint32_t fits = size / loads;
    if (fits > 32) fits = 32;
    if (fits * loads > lo) lo = fits * loads;
    if (fits < 32 && (fits + 1) * loads - 1 < hi) hi = (fits + 1) * loads - 1;
  }
  ck_interval(t.loads, lo, hi);
  ck_assert_uint_eq(t.contradicted, 0);
}
END_TEST

START_TEST(errors) {
  mrpb_err_t err = {{0}};
  deduce_table_t t;
  ck_assert_int_eq(deduce_table(&t, NULL, 0, 0, &err), -1);
  ck_assert_str_eq(err.text, "table deduction: 0 curves; legal: 1 to 64");
  const deduce_table_curve_t wrong[] = {
      {0, 1, 2, 4, 0}, {1, 0, 2, 4, 0}, {1, 33, 2, 4, 0}, {1, 1, 4, 4, 0}, {1, 1, 70000, 0, 0}};
  for (unsigned i = 0; i < 5; i++) {
    err.text[0] = '\0';
    ck_assert_int_eq(deduce_table(&t, &wrong[i], 1, 0, &err), -1);
    ck_assert_msg(strstr(err.text, "legal: 1 to 4096 loads"), "%s", err.text);
  }
}
END_TEST

Suite *test_micro_deduce_table_suite(void);

Suite *test_micro_deduce_table_suite(void) {
  Suite *s = suite_create("micro_deduce_table");
  TCase *t = tcase_create("known");
  tcase_add_test(t, m2070);
  tcase_add_test(t, k20);
  tcase_add_test(t, one_curve);
  tcase_add_test(t, no_spike);
  tcase_add_test(t, neither);
  tcase_add_test(t, h200);
  tcase_add_test(t, errors);
  TCase *blind = tcase_create("blind");
  tcase_set_timeout(blind, 60);
  tcase_set_tags(blind, "heavy");
  tcase_add_loop_test(blind, blind_mshr, 0, 24);
  tcase_add_loop_test(blind, blind_prt, 0, 12);
  suite_add_tcase(s, t);
  suite_add_tcase(s, blind);
  return s;
}
