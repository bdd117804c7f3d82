/* SPDX-License-Identifier: Apache-2.0 */
/* coalescer against its page: cases worked out by hand; the transactions of tb/parts/coalescer.c;
 * random instructions against a restatement that keeps one list. */
#include "coalescer.h"
#include "parts/coalescer.h"
#include "prng.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  coalescer_t *self;
  coalescer_cfg_t cfg;
  coalescer_in_t in;
  coalescer_out_t out;
} bench_t;

static bench_t make(uint32_t lanes, uint32_t words, uint32_t sectors, uint32_t order) {
  bench_t b = {.cfg = {.LANES = lanes,
                       .WORDS = words,
                       .SECTORS = sectors,
                       .ADDR_W = 25,
                       .INFO_W = 8,
                       .ORDER = order,
                       .PARITY = order},
               .in = {.srst_ni = 1}};
  ck_assert_int_eq(coalescer_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

/* An address in words: the line and the word in it. */
static void lane(bench_t *b, uint32_t l, uint64_t line, uint64_t word) {
  const unsigned word_w = bits_index_w(b->cfg.WORDS);
  words_put(b->in.in_line_i, l * b->cfg.ADDR_W, b->cfg.ADDR_W, line);
  words_put(b->in.in_word_i, l * word_w, word_w, word);
  b->in.in_mask_i |= UINT64_C(1) << l;
}

static void cycle(bench_t *b) {
  mrpb_err_t err = {""};
  ck_assert_msg(coalescer_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
}

/* Offers the instruction, which must be taken at once, and forgets it. */
static void take(bench_t *b, uint64_t split, uint64_t info) {
  b->in.in_valid_i = 1;
  b->in.in_split_i = split;
  b->in.in_info_i = info;
  cycle(b);
  ck_assert(b->out.in_ready_o);
  b->in.in_valid_i = 0;
  b->in.in_mask_i = 0;
}

static void expect(const bench_t *b, uint64_t line, uint64_t sectors, uint64_t lanes,
                   uint64_t number, bool last) {
  ck_assert(b->out.out_valid_o);
  ck_assert_uint_eq(b->out.out_line_o, line);
  ck_assert_uint_eq(b->out.out_sectors_o, sectors);
  ck_assert_uint_eq(b->out.out_lanes_o, lanes);
  ck_assert_uint_eq(b->out.out_number_o, number);
  ck_assert_uint_eq(b->out.out_first_o, number == 0);
  ck_assert_uint_eq(b->out.out_last_o, last);
}

static void expect_none(const bench_t *b) {
  const coalescer_out_t none = {.in_ready_o = b->out.in_ready_o, .idle_o = b->out.idle_o};
  ck_assert_mem_eq(&b->out, &none, sizeof none);
}

/* The figure of the page: A has two requests, B one. B is refused once. */
START_TEST(figure) {
  bench_t b = make(4, 8, 2, 0);
  b.in.out_ready_i = 1;
  lane(&b, 0, 7, 0);
  lane(&b, 1, 3, 5);
  lane(&b, 2, 7, 7);
  take(&b, 0, 0xa1);
  ck_assert(b.out.idle_o);
  lane(&b, 3, 0x1ffffff, 4);
  b.in.in_valid_i = 1;
  b.in.in_info_i = 0xb2;
  cycle(&b); /* 1: the request of line 7 leaves the first stage */
  ck_assert(!b.out.in_ready_o && !b.out.idle_o);
  expect_none(&b);
  cycle(&b); /* 2: the last one leaves, and B is taken */
  ck_assert(b.out.in_ready_o);
  expect(&b, 7, 3, 5, 0, false);
  ck_assert_uint_eq(b.out.out_info_o, 0xa1);
  b.in.in_valid_i = 0;
  cycle(&b); /* 3 */
  expect(&b, 3, 2, 2, 1, true);
  ck_assert_uint_eq(b.out.out_info_o, 0xa1);
  cycle(&b); /* 4 */
  expect(&b, 0x1ffffff, 2, 8, 0, true);
  ck_assert_uint_eq(b.out.out_info_o, 0xb2);
  ck_assert(!b.out.idle_o);
  cycle(&b); /* 5 */
  ck_assert(b.out.idle_o);
  expect_none(&b);
  coalescer_destroy(b.self);
}
END_TEST

/* Descending addresses; a search before each request, also while the output waits. */
START_TEST(descending) {
  bench_t b = make(8, 8, 2, 1);
  b.in.out_ready_i = 1;
  lane(&b, 0, 2, 0);
  lane(&b, 1, 9, 0);
  lane(&b, 5, 9, 7);
  lane(&b, 7, 4, 7);
  take(&b, 0, 1);
  for (int k = 0; k < 2; k++) {
    cycle(&b);
    expect_none(&b);
    ck_assert(!b.out.in_ready_o);
  }
  b.in.out_ready_i = 0;
  cycle(&b);
  expect(&b, 9, 3, 0x22, 0, false);
  b.in.out_ready_i = 1;
  cycle(&b); /* the search is done meanwhile: line 4 follows at once */
  expect(&b, 9, 3, 0x22, 0, false);
  cycle(&b);
  expect(&b, 4, 2, 0x80, 1, false);
  cycle(&b);
  ck_assert(!b.out.out_valid_o && b.out.in_ready_o);
  cycle(&b);
  expect(&b, 2, 1, 0x01, 2, true);
  coalescer_destroy(b.self);
}
END_TEST

/* Lanes in the words 0, 3, 4 and 7 of a line of eight. */
START_TEST(splits) {
  static const struct {
    uint64_t lanes[4], sectors[4];
    unsigned n;
  } want[] = {{{0xf}, {3}, 1},
              {{0x3, 0xc}, {1, 2}, 2},
              {{0x1, 0x2, 0x4, 0x8}, {1, 1, 2, 2}, 4},
              {{0x1, 0x2, 0x4, 0x8}, {1, 1, 2, 2}, 4}};
  static const uint64_t word[] = {0, 3, 4, 7};
  for (unsigned order = 0; order < 2; order++)
    for (uint64_t split = 0; split < 4; split++) {
      bench_t b = make(4, 8, 2, order);
      b.in.out_ready_i = 1;
      for (uint32_t l = 0; l < 4; l++) lane(&b, l, 5, word[l]);
      take(&b, split, 0);
      for (unsigned k = 0; k < want[split].n; k++) {
        const unsigned at = order ? want[split].n - 1 - k : k;
        do cycle(&b);
        while (!b.out.out_valid_o);
        expect(&b, 5, want[split].sectors[at], want[split].lanes[at], k, k + 1 == want[split].n);
      }
      cycle(&b);
      ck_assert(b.out.idle_o);
      coalescer_destroy(b.self);
    }
}
END_TEST

/* A line of two words: a quarter of it is a word. A line of one word has no parts. */
START_TEST(small_lines) {
  for (uint64_t split = 0; split < 4; split++) {
    bench_t b = make(2, 2, 4, 0);
    b.in.out_ready_i = 1;
    lane(&b, 0, 5, 0);
    lane(&b, 1, 5, 1);
    take(&b, split, 0);
    cycle(&b);
    cycle(&b);
    if (split == 0)
      expect(&b, 5, 5, 3, 0, true); /* of four sectors, 0 and 2 have a word */
    else
      expect(&b, 5, 1, 1, 0, false);
    coalescer_destroy(b.self);
    b = make(2, 1, 1, 0);
    lane(&b, 0, 5, 0);
    lane(&b, 1, 5, 0);
    take(&b, split, 0);
    cycle(&b);
    cycle(&b);
    expect(&b, 5, 1, 3, 0, true);
    coalescer_destroy(b.self);
  }
}
END_TEST

/* An instruction without lanes is taken and gone; a reset forgets everything. */
START_TEST(nothing) {
  bench_t b = make(4, 8, 2, 0);
  for (int k = 0; k < 3; k++) {
    take(&b, 0, 9);
    ck_assert(b.out.idle_o);
    expect_none(&b);
  }
  lane(&b, 1, 1, 1);
  lane(&b, 2, 2, 2);
  take(&b, 0, 9);
  cycle(&b);
  cycle(&b);
  expect(&b, 1, 1, 2, 0, false);
  b.in.srst_ni = 0;
  cycle(&b);
  b.in.srst_ni = 1;
  cycle(&b);
  ck_assert(b.out.idle_o && b.out.in_ready_o);
  expect_none(&b);
  coalescer_destroy(b.self);
}
END_TEST

/* While the output waits, nothing leaves and nothing is taken; then the offer counts. */
START_TEST(waits) {
  bench_t b = make(4, 8, 2, 0);
  lane(&b, 1, 1, 1);
  take(&b, 0, 1);
  lane(&b, 2, 2, 2);
  take(&b, 0, 2); /* the only request of the first one leaves the first stage */
  lane(&b, 3, 3, 3);
  b.in.in_valid_i = 1;
  for (int k = 0; k < 3; k++) {
    cycle(&b);
    ck_assert(!b.out.in_ready_o);
    expect(&b, 1, 1, 2, 0, true);
  }
  b.in.out_ready_i = 1;
  cycle(&b);
  ck_assert(b.out.in_ready_o);
  expect(&b, 1, 1, 2, 0, true);
  b.in.in_valid_i = 0;
  cycle(&b);
  expect(&b, 2, 1, 4, 0, true);
  cycle(&b);
  expect(&b, 3, 1, 8, 0, true);
  coalescer_destroy(b.self);
}
END_TEST

START_TEST(sizes) {
  static const coalescer_cfg_t good = {32, 32, 4, 25, 23, 0, 0};
  static const char *const names[] = {"LANES",  "WORDS", "SECTORS", "ADDR_W",
                                      "INFO_W", "ORDER", "PARITY"};
  static const uint32_t low[] = {1, 1, 1, 1, 1, 0, 0}, high[] = {32, 32, 32, 36, 64, 1, 1};
  for (unsigned p = 0; p < 7; p++) {
    coalescer_cfg_t cfg = good;
    uint32_t value[7];
    char want[80];
    mrpb_err_t err = {""};
    coalescer_t *c;
    memcpy(value, &cfg, sizeof value);
    value[p] = high[p] + 1;
    memcpy(&cfg, value, sizeof value);
    ck_assert_int_eq(coalescer_create(&c, &cfg, &err), -1);
    snprintf(want, sizeof want, "ERROR_coalescer_%s_must_be_%u_to_%u (got %u)", names[p], low[p],
             high[p], high[p] + 1);
    ck_assert_str_eq(err.text, want);
  }
}
END_TEST

/* ---- the transactions of the SM's model ---------------------------------------- */

/* A transaction from a request: its line and sectors, narrowed to 32, 64 or 128 bytes. */
static coalesced_t narrowed(const coalescer_out_t *o) {
  const uint64_t s = o->out_sectors_o;
  const uint64_t first = (uint64_t)__builtin_ctzll(s);
  const unsigned bytes = (s & 3) && (s & 12) ? 128 : (s & (s - 1)) ? 64 : 32;
  return (coalesced_t){o->out_line_o * 128 + (first * 32 & ~(uint64_t)(bytes - 1)),
                       (uint32_t)o->out_lanes_o, (uint8_t)bytes};
}

static bool same(const coalesced_t *a, const coalesced_t *b) {
  return a->addr == b->addr && a->lanes == b->lanes && a->bytes == b->bytes;
}

/* Runs an instruction, and compares its requests with the list of the SM's model. */
static void against_the_list(bench_t *b, const uint64_t addr[32], uint32_t mask, unsigned elem) {
  coalesced_t want[COALESCER_LANES];
  const unsigned n = coalescer_run(addr, mask, elem, want);
  bool seen[COALESCER_LANES] = {false};
  unsigned k = 0;
  for (uint32_t l = 0; l < 32; l++) lane(b, l, addr[l] / 128, addr[l] / 4 % 32);
  b->in.in_mask_i = mask;
  take(b, elem == 1 ? 2 : elem == 2 ? 1 : 0, 0);
  for (unsigned wait = 0; k < n; wait++) {
    ck_assert_uint_lt(wait, 200);
    cycle(b);
    if (!b->out.out_valid_o) continue;
    const coalesced_t is = narrowed(&b->out);
    unsigned at = n - 1 - k++;
    if (!b->cfg.ORDER)
      for (at = 0; at < n && !same(&is, &want[at]); at++) continue;
    ck_assert_uint_lt(at, n);
    ck_assert(same(&is, &want[at]) && !seen[at]);
    ck_assert_uint_eq(b->out.out_last_o, k == n);
    seen[at] = true;
  }
  cycle(b);
  ck_assert(b->out.idle_o);
}

START_TEST(as_the_model_of_the_sm) {
  prng_t rng = prng_seed(5, 1);
  for (unsigned order = 0; order < 2; order++) {
    bench_t b = make(32, 32, 4, order);
    b.in.out_ready_i = 1;
    for (unsigned k = 0; k < 2000; k++) {
      const unsigned elem = 1u << k % 5, range = 1u << (4 + prng_below(&rng, 12));
      const uint64_t base = prng_next(&rng) % (UINT64_C(1) << 31) / 4096 * 4096;
      const uint32_t mask = k % 3 ? (uint32_t)prng_next(&rng) : UINT32_MAX;
      uint64_t addr[32];
      for (unsigned l = 0; l < 32; l++)
        addr[l] = base + (k % 7 == 0 ? l : prng_below(&rng, range)) * (uint64_t)elem;
      against_the_list(&b, addr, mask, elem);
    }
    coalescer_destroy(b.self);
  }
}
END_TEST

/* ---- random instructions, a core that waits ------------------------------------- */

typedef struct {
  uint64_t line, part, lanes, sectors, info;
} naive_t;

typedef struct {
  naive_t list[33]; /* the requests that are to come, of all instructions taken */
  unsigned n, number;
  bool last[33];
} naive_list_t;

/* Appends the requests of an instruction, in the order in which they leave. */
static void append(naive_list_t *s, const bench_t *b, const uint64_t *line, const uint64_t *word) {
  const uint64_t size =
      bits_index_w(b->cfg.WORDS) == 1 ? 2 : UINT64_C(1) << bits_index_w(b->cfg.WORDS);
  const uint64_t split = b->in.in_split_i, words = split == 0   ? size
                                                   : split == 1 ? size / 2
                                                   : size > 2   ? size / 4
                                                                : 1;
  const unsigned from = s->n;
  for (uint32_t l = 0; l < b->cfg.LANES; l++) {
    unsigned at = from;
    if (!(b->in.in_mask_i >> l & 1)) continue;
    const naive_t here = {.line = line[l], .part = word[l] / words, .info = b->in.in_info_i};
    while (at < s->n && (s->list[at].line != here.line || s->list[at].part != here.part)) at++;
    if (at == s->n) s->list[s->n++] = here;
    s->list[at].lanes |= UINT64_C(1) << l;
    s->list[at].sectors |= UINT64_C(1) << word[l] * b->cfg.SECTORS / size;
  }
  for (unsigned i = from; b->cfg.ORDER && i < s->n; i++)
    for (unsigned k = i + 1; k < s->n; k++) {
      const naive_t x = s->list[i], y = s->list[k];
      if (x.line > y.line || (x.line == y.line && x.part > y.part)) continue;
      s->list[i] = y;
      s->list[k] = x;
    }
  for (unsigned i = from; i < s->n; i++) s->last[i] = i + 1 == s->n;
}

static void leave(naive_list_t *s, const coalescer_out_t *o) {
  ck_assert_uint_gt(s->n, 0);
  ck_assert_uint_eq(o->out_line_o, s->list[0].line);
  ck_assert_uint_eq(o->out_lanes_o, s->list[0].lanes);
  ck_assert_uint_eq(o->out_sectors_o, s->list[0].sectors);
  ck_assert_uint_eq(o->out_info_o, s->list[0].info);
  ck_assert_uint_eq(o->out_number_o, s->number);
  ck_assert_uint_eq(o->out_last_o, s->last[0]);
  s->number = s->last[0] ? 0 : s->number + 1;
  s->n--;
  memmove(&s->list[0], &s->list[1], s->n * sizeof s->list[0]);
  memmove(&s->last[0], &s->last[1], s->n * sizeof s->last[0]);
}

static void random_run(uint32_t lanes, uint32_t words, uint32_t sectors, uint32_t order) {
  bench_t b = make(lanes, words, sectors, order);
  prng_t rng = prng_seed(lanes, words);
  naive_list_t s = {.n = 0};
  for (unsigned k = 0; k < 4000; k++) {
    uint64_t line[32], word[32];
    for (uint32_t l = 0; l < lanes; l++) {
      line[l] = prng_below(&rng, k % 5 ? 3 : 1 << 20);
      word[l] = bits(prng_next(&rng), bits_index_w(words));
      lane(&b, l, line[l], word[l]);
    }
    b.in.in_mask_i = bits(prng_next(&rng), lanes) | (k % 4 ? 0 : bits_mask(lanes));
    b.in.in_split_i = prng_below(&rng, 4);
    b.in.in_info_i = prng_below(&rng, 256);
    b.in.in_valid_i = prng_below(&rng, 4) != 0;
    b.in.out_ready_i = prng_below(&rng, 3) != 0;
    cycle(&b);
    ck_assert_uint_eq(b.out.idle_o, s.n == 0);
    if (b.out.out_valid_o && b.in.out_ready_i) leave(&s, &b.out);
    /* Of the list, at most the request offered is left of the instruction before. */
    if (!b.in.in_valid_i || !b.out.in_ready_o) continue;
    ck_assert_uint_le(s.n, 1);
    append(&s, &b, line, word);
  }
  coalescer_destroy(b.self);
}

START_TEST(random_instructions) {
  for (uint32_t order = 0; order < 2; order++) {
    random_run(8, 8, 4, order);
    random_run(7, 5, 3, order);
    random_run(32, 32, 16, order);
    random_run(1, 1, 1, order);
    random_run(3, 2, 32, order);
  }
}
END_TEST

Suite *test_coalescer_suite(void);

Suite *test_coalescer_suite(void) {
  Suite *s = suite_create("coalescer");
  TCase *t = tcase_create("page");
  tcase_add_test(t, figure);
  tcase_add_test(t, descending);
  tcase_add_test(t, splits);
  tcase_add_test(t, small_lines);
  tcase_add_test(t, nothing);
  tcase_add_test(t, waits);
  tcase_add_test(t, sizes);
  suite_add_tcase(s, t);
  TCase *r = tcase_create("random");
  tcase_add_test(r, as_the_model_of_the_sm);
  tcase_add_test(r, random_instructions);
  tcase_set_tags(r, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(s, r);
  return s;
}
