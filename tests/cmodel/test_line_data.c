/* SPDX-License-Identifier: Apache-2.0 */
/* line_data against its page: beats and lines, a read of the place that is written, sizes that do
 * not divide, and random cycles against an array of words. */
#include "line_data.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  line_data_t *self;
  line_data_cfg_t cfg;
  line_data_in_t in;
  line_data_out_t out;
} bench_t;

static bench_t make(uint32_t places, uint32_t words, uint32_t bus_words, uint32_t parity) {
  bench_t b = {.cfg = {places, words, bus_words, parity}, .in = {.srst_ni = 1}};
  mrpb_err_t err = {""};
  ck_assert_msg(line_data_create(&b.self, &b.cfg, &err) == 0, "%s", err.text);
  return b;
}

static bench_t *put_word(bench_t *b, uint32_t w, uint32_t value) {
  b->in.write_data_i[w / 2] |= (uint64_t)value << w % 2 * 32;
  return b;
}

static bench_t *put(bench_t *b, uint64_t place, uint64_t beat, uint32_t value) {
  b->in.write_valid_i = 1;
  b->in.write_place_i = place;
  b->in.write_beat_i = beat;
  return put_word(b, 0, value);
}

static bench_t *get(bench_t *b, uint64_t place) {
  b->in.read_valid_i = 1;
  b->in.read_place_i = place;
  return b;
}

static bench_t *step(bench_t *b) {
  mrpb_err_t err = {""};
  memset(&b->out, 0xff, sizeof b->out);
  ck_assert_msg(line_data_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(b->out.error_o, 0);
  b->in = (line_data_in_t){.srst_ni = 1};
  return b;
}

/* A word of data_o in the cycle that was run last. */
static uint32_t shown(const bench_t *b, uint32_t w) {
  return (uint32_t)(b->out.data_o[w / 2] >> w % 2 * 32);
}

START_TEST(page_example) {
  bench_t b = make(6, 2, 1, (uint32_t)_i);
  step(put(&b, 5, 0, 0xaaaa));
  step(get(put(&b, 5, 1, 0xbbbb), 5)); /* word 1 is not written yet */
  step(get(&b, 5));
  ck_assert(shown(&b, 0) == 0xaaaa && shown(&b, 1) == 0);
  for (int t = 0; t < 3; t++) { /* it holds, whatever is written */
    step(put(&b, 5, 0, 0xcccc));
    ck_assert(shown(&b, 0) == 0xaaaa && shown(&b, 1) == 0xbbbb);
  }
  step(get(&b, 5)), step(&b);
  ck_assert(shown(&b, 0) == 0xcccc && shown(&b, 1) == 0xbbbb);
  line_data_destroy(b.self);
}
END_TEST

START_TEST(same_edge_gives_old_word) {
  bench_t b = make(2, 1, 1, (uint32_t)_i);
  step(put(&b, 1, 0, 1));
  step(get(put(&b, 1, 0, 2), 1));
  step(get(&b, 1));
  ck_assert_uint_eq(shown(&b, 0), 1);
  step(&b);
  ck_assert_uint_eq(shown(&b, 0), 2);
  line_data_destroy(b.self);
}
END_TEST

/* Five words in beats of two: the last beat has one word. */
START_TEST(last_beat_is_cut) {
  bench_t b = make(2, 5, 2, (uint32_t)_i);
  for (uint32_t beat = 0; beat < 4; beat++)
    step(put_word(put(&b, 1, beat, 10 * beat + 1), 1, 10 * beat + 2));
  step(get(&b, 1)), step(&b);
  const uint32_t want[] = {1, 2, 11, 12, 21};
  for (uint32_t w = 0; w < 5; w++) ck_assert_uint_eq(shown(&b, w), want[w]);
  ck_assert_uint_eq(b.out.data_o[2] >> 32, 0);
  step(get(&b, 0)), step(&b); /* beat 3, which does not exist, was written nowhere */
  for (uint32_t w = 0; w < 5; w++) ck_assert_uint_eq(shown(&b, w), 0);
  line_data_destroy(b.self);
}
END_TEST

START_TEST(wider_than_the_line) {
  bench_t b = make(1, 1, 32, (uint32_t)_i);
  step(put_word(put(&b, 0, 0, 7), 31, 9));
  step(put(&b, 0, 1, 8)); /* no such beat */
  step(get(&b, 0)), step(&b);
  ck_assert_uint_eq(shown(&b, 0), 7);
  ck_assert_uint_eq(b.out.data_o[0] >> 32, 0);
  line_data_destroy(b.self);
}
END_TEST

START_TEST(no_such_place) {
  bench_t b = make(5, 1, 1, (uint32_t)_i);
  step(put(&b, 4, 0, 3)), step(get(&b, 4)), step(put(&b, 5, 0, 9));
  ck_assert_uint_eq(shown(&b, 0), 3);
  step(get(&b, 7)), step(&b);
  ck_assert_uint_eq(shown(&b, 0), 3); /* the read of place 7 is ignored */
  line_data_destroy(b.self);
}
END_TEST

/* A reset neither reads nor writes. With PARITY, what was written before it is shown as 0. */
START_TEST(reset) {
  bench_t b = make(2, 2, 1, (uint32_t)_i);
  step(put(&b, 0, 0, 5)), step(put(&b, 0, 1, 6)), step(put(&b, 1, 0, 7)), step(get(&b, 0));
  b.in.srst_ni = 0;
  step(get(put(&b, 0, 0, 9), 1));
  ck_assert(shown(&b, 0) == 5 && shown(&b, 1) == 6);
  step(get(&b, 0));
  ck_assert_uint_eq(shown(&b, 0), _i ? 0 : 5);
  step(put(&b, 0, 1, 8)), step(get(&b, 0)), step(&b);
  ck_assert_uint_eq(shown(&b, 0), _i ? 0 : 5);
  ck_assert_uint_eq(shown(&b, 1), 8);
  line_data_destroy(b.self);
}
END_TEST

START_TEST(sizes_are_refused) {
  line_data_t *self;
  mrpb_err_t err = {""};
  ck_assert_int_eq(line_data_create(&self, &(line_data_cfg_t){1057, 32, 8, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_line_data_PLACES_must_be_1_to_1056 (got 1057)");
  err.text[0] = 0;
  ck_assert_int_eq(line_data_create(&self, &(line_data_cfg_t){1, 32, 0, 0}, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_line_data_BUS_WORDS_must_be_1_to_32 (got 0)");
}
END_TEST

static const uint32_t sizes[][4] = {{1, 1, 1, 0}, {1056, 32, 8, 1}, {132, 32, 8, 0},
                                    {3, 5, 2, 1}, {7, 31, 4, 0},    {4, 2, 2, 1},
                                    {5, 8, 3, 0}, {9, 32, 1, 1}};

/* Words that were written; only places that were written whole are read. */
START_TEST(random_against_words) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2], sizes[_i][3]);
  const uint32_t places = b.cfg.PLACES, words = b.cfg.WORDS, bus = b.cfg.BUS_WORDS;
  const uint32_t beats = (words + bus - 1) / bus, few = places < 5 ? places : 5;
  uint32_t(*word)[32] = calloc(few, sizeof *word), last[32] = {0};
  prng_t p = prng_seed(11, (uint64_t)_i);
  for (uint32_t t = 0; t < few * beats + 20000; t++) {
    const bool fill = t < few * beats; /* of all places, first */
    const uint32_t q = fill ? t / beats : prng_below(&p, few), place = places - few + q;
    const uint32_t beat = fill ? t % beats : prng_below(&p, beats), from = prng_below(&p, few);
    const bool write = fill || prng_below(&p, 2), read = !fill && prng_below(&p, 2);
    if (write) put(&b, place, beat, 0);
    if (read) get(&b, places - few + from);
    for (uint32_t w = 0; w < bus; w++) put_word(&b, w, (uint32_t)prng_next(&p));
    const line_data_in_t in = b.in;
    step(&b);
    for (uint32_t w = 0; w < words; w++) ck_assert_uint_eq(shown(&b, w), last[w]);
    if (read) memcpy(last, word[from], sizeof last);
    for (uint32_t w = 0; w < words && write; w++)
      if (w / bus == beat)
        word[q][w] = (uint32_t)(in.write_data_i[w % bus / 2] >> w % bus % 2 * 32);
  }
  free(word);
  line_data_destroy(b.self);
}
END_TEST

Suite *test_line_data_suite(void);
Suite *test_line_data_suite(void) {
  Suite *suite = suite_create("line_data");
  TCase *tc = tcase_create("all");
  tcase_add_loop_test(tc, page_example, 0, 2);
  tcase_add_loop_test(tc, same_edge_gives_old_word, 0, 2);
  tcase_add_loop_test(tc, last_beat_is_cut, 0, 2);
  tcase_add_loop_test(tc, wider_than_the_line, 0, 2);
  tcase_add_loop_test(tc, no_such_place, 0, 2);
  tcase_add_loop_test(tc, reset, 0, 2);
  tcase_add_test(tc, sizes_are_refused);
  tcase_add_loop_test(tc, random_against_words, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
