/* SPDX-License-Identifier: Apache-2.0 */
/* line_align against its page: one pass and two, answers that wait, and random cycles against a
 * queue of answers that are computed lane by lane. */
#include "line_align.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  line_align_t *self;
  line_align_cfg_t cfg;
  line_align_in_t in;
  line_align_out_t out;
} bench_t;

/* Word k of the line is 100 + k. */
static void line_of(line_align_in_t *in, uint32_t words) {
  memset(in->in_line_i, 0, sizeof in->in_line_i);
  for (uint32_t k = 0; k < words; k++) in->in_line_i[k / 2] |= (uint64_t)(100 + k) << k % 2 * 32;
}

static bench_t make(uint32_t lanes, uint32_t words, uint32_t passes, uint32_t parity) {
  bench_t b = {.cfg = {lanes, words, 8, passes, parity}, .in = {.srst_ni = 1}};
  mrpb_err_t err = {""};
  ck_assert_msg(line_align_create(&b.self, &b.cfg, &err) == 0, "%s", err.text);
  line_of(&b.in, words);
  return b;
}

static void put_word(line_align_in_t *in, uint32_t lane, uint32_t width, uint64_t word) {
  words_put(in->in_word_i, lane * width, width, word);
}

/* A request of these lanes; lane l asks for word (first + l) of the line, modulo its words. */
static bench_t *ask(bench_t *b, uint64_t mask, uint32_t first, uint64_t info) {
  b->in.in_valid_i = 1;
  b->in.in_mask_i = mask;
  b->in.in_info_i = info;
  for (uint32_t l = 0; l < b->cfg.LANES; l++)
    put_word(&b->in, l, bits_index_w(b->cfg.WORDS), (first + l) % b->cfg.WORDS);
  return b;
}

/* Runs the cycle; the result has bit 0 for in_ready_o, 1 for line_done_o, 2 for out_valid_o. */
static unsigned step(bench_t *b, bool core_takes) {
  mrpb_err_t err = {""};
  b->in.out_ready_i = core_takes;
  memset(&b->out, 0xff, sizeof b->out);
  ck_assert_msg(line_align_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(b->out.error_o, 0);
  b->in = (line_align_in_t){.srst_ni = 1};
  line_of(&b->in, b->cfg.WORDS);
  return (unsigned)(b->out.in_ready_o | b->out.line_done_o << 1 | b->out.out_valid_o << 2);
}

static uint32_t lane(const bench_t *b, uint32_t l) {
  return (uint32_t)(b->out.out_data_o[l / 2] >> l % 2 * 32);
}

enum { READY = 1, DONE = 2, VALID = 4 };

static void answer_is(const bench_t *b, uint64_t mask, uint32_t first, uint64_t info) {
  ck_assert_uint_eq(b->out.out_mask_o, mask);
  ck_assert_uint_eq(b->out.out_info_o, info);
  for (uint32_t l = 0; l < b->cfg.LANES; l++)
    ck_assert_uint_eq(lane(b, l), mask >> l & 1 ? 100 + (first + l) % b->cfg.WORDS : 0);
}

START_TEST(page_example) {
  bench_t b = make(32, 32, 2, (uint32_t)_i);
  ck_assert_uint_eq(step(ask(&b, 0x80000001, 3, 0xa), true), READY);
  ck_assert_uint_eq(step(ask(&b, 0xffff, 0, 0xb), true), DONE);
  ck_assert_uint_eq(step(ask(&b, 0xffff, 0, 0xb), true), READY | DONE | VALID);
  answer_is(&b, 0x80000001, 3, 0xa);
  ck_assert_uint_eq(step(ask(&b, 0xf0000, 9, 0xc), false), VALID);
  answer_is(&b, 0xffff, 0, 0xb);
  ck_assert_uint_eq(step(&b, true), READY | VALID);
  answer_is(&b, 0xffff, 0, 0xb);
  ck_assert_uint_eq(step(&b, true), READY);
  answer_is(&b, 0, 0, 0);
  line_align_destroy(b.self);
}
END_TEST

START_TEST(one_pass_takes_all) {
  bench_t b = make(32, 32, 1, (uint32_t)_i);
  for (uint32_t t = 0; t < 40; t++) {
    ck_assert_uint_eq(step(ask(&b, 0xffffffff, t, t), true), READY | DONE | (t ? VALID : 0u));
    if (t) answer_is(&b, 0xffffffff, t - 1, t - 1);
  }
  line_align_destroy(b.self);
}
END_TEST

/* Five lanes: 0, 1 and 2 are the lower half. */
START_TEST(halves_of_five) {
  bench_t b = make(5, 4, 2, (uint32_t)_i);
  const struct {
    uint64_t mask;
    bool two;
  } cases[] = {{0x07, false}, {0x18, false}, {0x0c, true},  {0x14, true},
               {0x1f, true},  {0x00, false}, {0x10, false}, {0x04, false}};
  for (uint32_t t = 0; t < sizeof cases / sizeof *cases; t++) {
    ck_assert_uint_eq(step(ask(&b, cases[t].mask, t, t), false), READY | (cases[t].two ? 0 : DONE));
    if (cases[t].two) ck_assert_uint_eq(step(ask(&b, 0x1f, 0, 0), true), DONE);
    ck_assert_uint_eq(step(ask(&b, 0x1f, 0, 0), false), VALID);
    answer_is(&b, cases[t].mask, t, t);
    ck_assert_uint_eq(step(&b, true), READY | VALID);
  }
  line_align_destroy(b.self);
}
END_TEST

/* The second pass takes its words from the line of its own cycle. */
START_TEST(line_of_the_second_pass) {
  bench_t b = make(2, 1, 2, (uint32_t)_i);
  step(ask(&b, 3, 0, 1), true);
  b.in.in_line_i[0] = 555;
  step(&b, true);
  step(&b, true);
  ck_assert(lane(&b, 0) == 100 && lane(&b, 1) == 555);
  line_align_destroy(b.self);
}
END_TEST

START_TEST(word_behind_the_line) {
  bench_t b = make(2, 3, 2, (uint32_t)_i);
  b.in.in_valid_i = 1;
  b.in.in_mask_i = 3;
  b.in.in_word_i[0] = 3 | 3 << 2; /* there are words 0, 1 and 2 */
  step(&b, true), step(&b, true);
  ck_assert_uint_eq(step(&b, true), READY | VALID);
  ck_assert(lane(&b, 0) == 0 && lane(&b, 1) == 0 && b.out.out_mask_o == 3);
  line_align_destroy(b.self);
}
END_TEST

START_TEST(reset) {
  bench_t b = make(4, 4, 2, (uint32_t)_i);
  step(ask(&b, 0xf, 0, 9), true);
  b.in.srst_ni = 0;
  ck_assert_uint_eq(step(&b, true), DONE); /* its second pass is not done */
  ck_assert_uint_eq(step(ask(&b, 0x3, 0, 9), true), READY | DONE);
  b.in.srst_ni = 0;
  ck_assert_uint_eq(step(ask(&b, 0x3, 1, 8), true), READY | DONE | VALID);
  ck_assert_uint_eq(step(&b, true), READY);
  ck_assert_uint_eq(line_align_regs(b.self)->info_q, 9);
  line_align_destroy(b.self);
}
END_TEST

START_TEST(sizes_are_refused) {
  line_align_t *self;
  mrpb_err_t err = {""};
  ck_assert_int_eq(line_align_create(&self, &(line_align_cfg_t){32, 32, 65, 1, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_line_align_INFO_W_must_be_1_to_64 (got 65)");
  err.text[0] = 0;
  ck_assert_int_eq(line_align_create(&self, &(line_align_cfg_t){32, 32, 8, 3, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_line_align_PASSES_must_be_1_to_2 (got 3)");
}
END_TEST

static const uint32_t sizes[][4] = {{32, 32, 2, 1}, {32, 32, 1, 0}, {1, 1, 2, 1},  {1, 5, 1, 0},
                                    {3, 7, 2, 0},   {31, 29, 2, 1}, {8, 16, 2, 0}, {17, 3, 1, 1}};

/* Every request that is taken is answered once, in order, with the words that its lanes ask for. */
START_TEST(random_against_queue) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2], sizes[_i][3]);
  const uint64_t all = bits_mask(b.cfg.LANES);
  struct {
    uint64_t mask, info;
    uint32_t first;
  } queue[2];
  unsigned held = 0, answers = 0;
  prng_t p = prng_seed(5, (uint64_t)_i);
  for (uint32_t t = 0; t < 20000; t++) {
    const uint64_t v = prng_next(&p), mask = v & 1 ? v >> 32 & all : v >> 32 & v >> 16 & all;
    const bool asks = prng_below(&p, 3), takes = prng_below(&p, 3);
    const uint32_t first = (uint32_t)(v >> 8 & 31);
    if (asks) ask(&b, mask, first, v >> 2 & 255);
    const unsigned did = step(&b, takes);
    ck_assert(held > 0 || !(did & VALID));
    if (did & VALID) answer_is(&b, queue[0].mask, queue[0].first, queue[0].info);
    if ((did & VALID) && takes) {
      queue[0] = queue[1];
      held--;
      answers++;
    }
    if (!asks || !(did & READY)) continue;
    ck_assert_uint_eq(held, 0);
    queue[held].mask = mask;
    queue[held].info = v >> 2 & 255;
    queue[held++].first = first;
  }
  ck_assert_uint_gt(answers, 4000);
  line_align_destroy(b.self);
}
END_TEST

Suite *test_line_align_suite(void);
Suite *test_line_align_suite(void) {
  Suite *suite = suite_create("line_align");
  TCase *tc = tcase_create("all");
  tcase_add_loop_test(tc, page_example, 0, 2);
  tcase_add_loop_test(tc, one_pass_takes_all, 0, 2);
  tcase_add_loop_test(tc, halves_of_five, 0, 2);
  tcase_add_loop_test(tc, line_of_the_second_pass, 0, 2);
  tcase_add_loop_test(tc, word_behind_the_line, 0, 2);
  tcase_add_loop_test(tc, reset, 0, 2);
  tcase_add_test(tc, sizes_are_refused);
  tcase_add_loop_test(tc, random_against_queue, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
