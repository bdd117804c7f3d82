/* SPDX-License-Identifier: Apache-2.0 */
/* store_buffer against its page: cases worked out by hand, and random cycles against a state for
 * each byte. */
#include "store_buffer.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  store_buffer_t *self;
  store_buffer_cfg_t cfg;
  store_buffer_in_t in;
  store_buffer_out_t out;
} bench_t;

/* 4 lanes, 4 words in a line, 2 in a beat. */
static bench_t make(uint32_t stores, uint32_t passes) {
  bench_t b = {.cfg = {.STORES = stores, .LANES = 4, .WORDS = 4, .BUS_WORDS = 2, .PASSES = passes},
               .in = {.srst_ni = 1}};
  ck_assert_int_eq(store_buffer_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

/* Lane l stores bytes `bytes[l]` of word `words[l]`; each byte is 0x11 * (l + 1). */
static void lanes(bench_t *b, const uint8_t words[4], const uint8_t bytes[4]) {
  b->in.lanes_valid_i = 1;
  for (unsigned l = 0; l < 4; l++) {
    b->in.lanes_word_i[0] |= (uint64_t)words[l] << 2 * l;
    b->in.lanes_bytes_i[0] |= (uint64_t)bytes[l] << 4 * l;
    b->in.lanes_data_i[l / 2] |= UINT64_C(0x11111111) * (l + 1) << l % 2 * 32;
  }
}

static void put(bench_t *b, uint64_t set) {
  b->in.put_valid_i = 1;
  b->in.put_lanes_i = set;
}

static const store_buffer_out_t *step(bench_t *b) {
  mrpb_err_t err = {""};
  memset(&b->out, 0xff, sizeof b->out);
  ck_assert_msg(store_buffer_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
  b->in = (store_buffer_in_t){.srst_ni = 1};
  return &b->out;
}

static void expect(bench_t *b, uint64_t entry, uint64_t beat, uint64_t data, uint64_t strobe) {
  b->in.beat_entry_i = entry;
  b->in.beat_number_i = beat;
  const store_buffer_out_t *o = step(b);
  ck_assert_msg(o->beat_data_o[0] == data && o->beat_strobe_o[0] == strobe,
                "e%u beat %u: 0x%llx 0x%llx", (unsigned)entry, (unsigned)beat,
                (unsigned long long)o->beat_data_o[0], (unsigned long long)o->beat_strobe_o[0]);
}

/* Lanes 0 and 2 store bytes of word 1, both of them byte 1: lane 2 wins. Lane 3 is not served. */
START_TEST(gathers) {
  for (uint32_t passes = 1; passes <= 2; passes++) {
    bench_t b = make(2, passes);
    lanes(&b, (const uint8_t[4]){1, 2, 1, 1}, (const uint8_t[4]){3, 15, 6, 15});
    ck_assert(step(&b)->lanes_ready_o);
    put(&b, 7);
    const store_buffer_out_t *o = step(&b);
    ck_assert(o->put_ready_o && o->put_entry_o == 0 && o->lanes_ready_o == (passes == 1));
    ck_assert_uint_eq(step(&b)->put_ready_o, passes == 1);
    expect(&b, 0, 0, UINT64_C(0x0033331100000000), 0x70);
    expect(&b, 0, 1, 0x22222222, 0x0f);
    expect(&b, 1, 1, 0, 0);
    store_buffer_destroy(b.self);
  }
}
END_TEST

/* In the cycle of the second pass the first half is there, and the next instruction can be kept. */
START_TEST(second_pass) {
  bench_t b = make(3, 2);
  lanes(&b, (const uint8_t[4]){0, 1, 0, 1}, (const uint8_t[4]){15, 15, 1, 8});
  step(&b);
  put(&b, 15);
  lanes(&b, (const uint8_t[4]){0, 0, 0, 0}, (const uint8_t[4]){1, 1, 1, 1});
  ck_assert(!step(&b)->lanes_ready_o);
  put(&b, 1);
  lanes(&b, (const uint8_t[4]){3, 0, 0, 0}, (const uint8_t[4]){1, 1, 1, 1});
  b.in.beat_entry_i = 0;
  const store_buffer_out_t *o = step(&b);
  ck_assert(!o->put_ready_o && o->lanes_ready_o && o->put_entry_o == 1);
  ck_assert_uint_eq(o->beat_data_o[0], UINT64_C(0x2222222211111111));
  expect(&b, 0, 0, UINT64_C(0x4422222211111133), 0xff);
  put(&b, 1); /* of the other instruction, lanes of one half: one pass */
  ck_assert(step(&b)->lanes_ready_o);
  put(&b, 8);
  ck_assert(step(&b)->put_ready_o);
  expect(&b, 1, 1, UINT64_C(0x0000001100000000), 0x10);
  expect(&b, 2, 0, 0x44, 1);
  store_buffer_destroy(b.self);
}
END_TEST

/* An entry is used, shown and freed; a free at the wrong time is ignored. */
START_TEST(life_of_an_entry) {
  bench_t b = make(2, 1);
  ck_assert(step(&b)->empty_o);
  put(&b, 1);
  b.in.free_valid_i = 1; /* too early: the entry is not in use yet */
  ck_assert_uint_eq(step(&b)->count_o, 0);
  b.in.free_valid_i = 1;
  b.in.free_entry_i = 1; /* of an entry that is not in use */
  const store_buffer_out_t *o = step(&b);
  ck_assert(!o->empty_o && o->count_o == 1 && o->put_ready_o && o->put_entry_o == 1);
  put(&b, 2);
  ck_assert_uint_eq(step(&b)->count_o, 1);
  put(&b, 4);
  b.in.free_valid_i = 1;
  o = step(&b);
  ck_assert(!o->put_ready_o && o->put_entry_o == 0 && o->count_o == 2);
  o = step(&b);
  ck_assert(o->put_ready_o && o->put_entry_o == 0 && o->count_o == 1);
  b.in.free_valid_i = 1; /* it is free already */
  ck_assert_uint_eq(step(&b)->count_o, 1);
  ck_assert_uint_eq(step(&b)->count_o, 1);
  store_buffer_destroy(b.self);
}
END_TEST

/* Before an instruction is kept, and again after a reset, a request stores nothing. */
START_TEST(nothing_kept) {
  bench_t b = make(2, 1);
  const store_buffer_regs_t *r = store_buffer_regs(b.self);
  lanes(&b, (const uint8_t[4]){0, 1, 2, 3}, (const uint8_t[4]){15, 15, 15, 15});
  step(&b);
  b.in.srst_ni = 0;
  put(&b, 15);
  step(&b);
  ck_assert_uint_eq(r->lane_q[3], 0x44444444);
  put(&b, 15);
  ck_assert(step(&b)->empty_o);
  expect(&b, 0, 0, 0, 0);
  store_buffer_destroy(b.self);
}
END_TEST

/* What the page says of each byte, in the plainest way. */
typedef struct {
  bool has, used[8], stored[8][20];
  uint8_t byte[8][20], word[5], lane[5][4];
  bool bytes[5][4];
  int second; /* entry of a second pass, or -1 */
  uint64_t later;
} naive_t;

static void naive_pass(naive_t *n, unsigned e, uint64_t set, unsigned words) {
  for (unsigned l = 0; l < 5; l++)
    for (unsigned k = 0; k < 4; k++) {
      if (!n->has || !(set >> l & 1) || !n->bytes[l][k] || n->word[l] >= words) continue;
      n->stored[e][n->word[l] * 4 + k] = true;
      n->byte[e][n->word[l] * 4 + k] = n->lane[l][k];
    }
}

static void naive_keep(naive_t *n, const store_buffer_in_t *i) {
  n->has = true;
  for (unsigned l = 0; l < 5; l++) {
    n->word[l] = i->lanes_word_i[0] >> 3 * l & 7;
    for (unsigned k = 0; k < 4; k++) {
      n->bytes[l][k] = i->lanes_bytes_i[0] >> (4 * l + k) & 1;
      n->lane[l][k] = i->lanes_data_i[l / 2] >> (l % 2 * 32 + 8 * k) & 255;
    }
  }
}

static void naive_edge(naive_t *n, const store_buffer_in_t *i, const store_buffer_out_t *o,
                       bool two) {
  const uint64_t set = i->put_lanes_i, f = i->free_entry_i;
  const bool taken = i->put_valid_i && o->put_ready_o;
  const bool both = taken && two && (set & 7) && (set & 24);
  const bool frees = i->free_valid_i && f < 3 && n->used[f];
  if (n->second >= 0) naive_pass(n, (unsigned)n->second, n->later, 5);
  if (taken) {
    const unsigned e = (unsigned)o->put_entry_o;
    n->used[e] = true;
    memset(n->stored[e], 0, sizeof n->stored[e]);
    memset(n->byte[e], 0, sizeof n->byte[e]);
    naive_pass(n, e, both ? set & 7 : set, 5);
  }
  n->second = both ? (int)o->put_entry_o : -1;
  n->later = set & 24;
  if (i->lanes_valid_i && !both) naive_keep(n, i);
  if (frees) n->used[f] = false;
}

static void naive_check(const naive_t *n, const store_buffer_in_t *i, const store_buffer_out_t *o) {
  unsigned used = 0, lowest = 3;
  for (unsigned e = 3; e-- > 0;) {
    used += n->used[e];
    if (!n->used[e]) lowest = e;
  }
  ck_assert_uint_eq(o->count_o, used);
  ck_assert_uint_eq(o->put_ready_o, used < 3 && n->second < 0);
  ck_assert_uint_eq(o->put_entry_o, lowest < 3 ? lowest : 0);
  const uint64_t e = i->beat_entry_i;
  for (unsigned k = 0; k < 8; k++) {
    const unsigned at = (unsigned)i->beat_number_i * 8 + k;
    const bool is = e < 3 && n->used[e] && at < 20 && n->stored[e][at];
    ck_assert_uint_eq(o->beat_strobe_o[0] >> k & 1, is);
    ck_assert_uint_eq(o->beat_data_o[0] >> 8 * k & 255, is ? n->byte[e][at] : 0);
  }
}

/* 3 entries, 5 lanes, 5 words in beats of 2; numbers that are too large occur. */
START_TEST(random_against_bytes) {
  const bool two = _i & 1;
  bench_t b = {.cfg = {.STORES = 3, .LANES = 5, .WORDS = 5, .BUS_WORDS = 2, .PASSES = two + 1u},
               .in = {.srst_ni = 1}};
  ck_assert_int_eq(store_buffer_create(&b.self, &b.cfg, NULL), 0);
  naive_t *n = calloc(1, sizeof *n);
  n->second = -1;
  prng_t p = prng_seed(23, (uint64_t)_i);
  unsigned puts = 0;
  for (uint32_t t = 0; t < 20000; t++) {
    const uint64_t v = prng_next(&p), v2 = prng_next(&p);
    b.in.lanes_valid_i = v & 1;
    b.in.lanes_word_i[0] = v >> 1 & 0x7fff & (v >> 63 ? 0x7fff : 0x1249);
    b.in.lanes_bytes_i[0] = v >> 16 & 0xfffff;
    for (unsigned w = 0; w < 3; w++) b.in.lanes_data_i[w] = prng_next(&p) >> (w == 2 ? 32 : 0);
    b.in.put_valid_i = v >> 40 & 1;
    b.in.put_lanes_i = v >> 41 & 31 & (v >> 46 & 1 ? 31 : v >> 47);
    b.in.free_valid_i = v2 >> 3 & 1;
    b.in.free_entry_i = v2 >> 4 & 3;
    b.in.beat_entry_i = v2 >> 6 & 3;
    b.in.beat_number_i = v2 >> 8 & 3;
    const store_buffer_in_t in = b.in;
    const store_buffer_out_t *o = step(&b);
    naive_check(n, &in, o);
    puts += in.put_valid_i && o->put_ready_o;
    naive_edge(n, &in, o, two);
  }
  ck_assert(puts > 1000);
  free(n);
  store_buffer_destroy(b.self);
}
END_TEST

Suite *test_store_buffer_suite(void);
Suite *test_store_buffer_suite(void) {
  Suite *suite = suite_create("store_buffer");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, gathers);
  tcase_add_test(tc, second_pass);
  tcase_add_test(tc, life_of_an_entry);
  tcase_add_test(tc, nothing_kept);
  tcase_add_loop_test(tc, random_against_bytes, 0, 4);
  suite_add_tcase(suite, tc);
  return suite;
}
