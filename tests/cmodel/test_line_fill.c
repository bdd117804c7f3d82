/* SPDX-License-Identifier: Apache-2.0 */
/* line_fill against its page: each rule alone, and random cycles against a plain account of the
 * fetches. */
#include "line_fill.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  line_fill_t *self;
  line_fill_cfg_t cfg;
  line_fill_in_t in;
  line_fill_out_t out;
} bench_t;

static bench_t make(const line_fill_cfg_t *cfg) {
  bench_t b = {.cfg = *cfg, .in = {.srst_ni = 1}};
  ck_assert_int_eq(line_fill_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

/* 4 MSHR entries, 2 of the bypass table, 16 lines of 4 beats of 3 words, ids of 4 bits. */
static bench_t small(void) {
  return make(&(line_fill_cfg_t){4, 2, 16, 4, 3, 4, 0});
}

enum { BYPASS = 8 };

static bench_t *begin(bench_t *b, uint64_t id, uint64_t place, uint64_t beat) {
  b->in.start_valid_i = 1;
  b->in.start_id_i = id;
  b->in.start_place_i = place;
  b->in.start_beat_i = beat;
  return b;
}

static bench_t *beat(bench_t *b, uint64_t id, uint64_t data, bool last) {
  b->in.r_valid_i = 1;
  b->in.r_id_i = id;
  b->in.r_data_i[0] = data;
  b->in.r_last_i = last;
  return b;
}

static const line_fill_out_t *step(bench_t *b) {
  mrpb_err_t err = {""};
  memset(&b->out, 0xff, sizeof b->out);
  ck_assert_msg(line_fill_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(b->out.r_ready_o, 1);
  b->in = (line_fill_in_t){.srst_ni = 1};
  return &b->out;
}

static bool writes(const line_fill_out_t *o, uint64_t place, uint64_t number, uint64_t data) {
  return o->write_valid_o == 1 && o->write_place_o == place && o->write_beat_o == number &&
         o->write_data_o[0] == data;
}

static bool writes_nothing(const line_fill_out_t *o) {
  return o->write_valid_o == 0 && o->write_place_o == 0 && o->write_beat_o == 0 &&
         o->write_data_o[0] == 0;
}

/* No table is told (0), the MSHR table (1) or the bypass table (2), of this entry. */
static bool tells(const line_fill_out_t *o, unsigned table, uint64_t entry) {
  return o->fill_valid_o == (table == 1) && o->bypass_fill_valid_o == (table == 2) &&
         o->fill_entry_o == entry;
}

/* The example of the page. */
START_TEST(example) {
  bench_t b = small();
  step(begin(&b, BYPASS, 5, 3)); /* the place of a bypass is not what it is given */
  ck_assert(writes_nothing(step(begin(&b, 2, 9, 1))));
  const line_fill_out_t *o = step(beat(&b, 2, 0x51, false));
  ck_assert(writes_nothing(o) && o->r_err_o == 0);
  o = step(beat(&b, BYPASS, 0x52, true));
  ck_assert(writes(o, 9, 1, 0x51) && tells(o, 0, 0));
  o = step(beat(&b, 2, 0x53, true));
  ck_assert(writes(o, 16, 3, 0x52) && tells(o, 2, 0));
  o = step(&b);
  ck_assert(writes(o, 9, 2, 0x53) && tells(o, 1, 2));
  o = step(&b);
  ck_assert(writes_nothing(o) && tells(o, 0, 0));
  line_fill_destroy(b.self);
}
END_TEST

/* A beat is good only while its fetch waits, and its entry must exist. */
START_TEST(wrong_beats) {
  bench_t b = small();
  for (uint64_t id = 0; id < 16; id++) ck_assert_uint_eq(step(beat(&b, id, 1, true))->r_err_o, 1);
  ck_assert_uint_eq(step(beat(begin(&b, 1, 3, 0), 1, 1, true))->r_err_o, 1); /* too early */
  ck_assert_uint_eq(step(beat(&b, BYPASS + 1, 1, false))->r_err_o, 1);       /* the other table */
  ck_assert_uint_eq(step(beat(&b, 1, 1, true))->r_err_o, 0);
  const line_fill_out_t *o = step(beat(&b, 1, 1, true)); /* the fetch has ended */
  ck_assert(o->r_err_o == 1 && writes(o, 3, 0, 1) && tells(o, 1, 1));
  b.in.r_id_i = 3;
  ck_assert_uint_eq(step(&b)->r_err_o, 0); /* no beat */
  ck_assert(writes_nothing(step(&b)));
  step(begin(&b, 4, 3, 0)); /* 4 MSHR entries, 2 of the bypass table: these do not exist */
  step(begin(&b, BYPASS + 2, 3, 0));
  for (uint64_t id = 0; id < 16; id++) ck_assert_uint_eq(step(beat(&b, id, 1, true))->r_err_o, 1);
  line_fill_destroy(b.self);
}
END_TEST

/* The beats count up, beyond the last one from 0 on, in each fetch for itself. */
START_TEST(beats) {
  bench_t b = small();
  step(begin(&b, 3, 15, 2));
  step(begin(&b, BYPASS + 1, 0, 0));
  for (uint64_t n = 0; n < 6; n++) {
    step(beat(&b, 3, n, n == 5));
    ck_assert(writes(step(beat(&b, BYPASS + 1, 100 + n, n == 5)), 15, (2 + n) % 4, n));
    const line_fill_out_t *o = step(&b);
    ck_assert(writes(o, 17, n % 4, 100 + n) && tells(o, n == 5 ? 2 : 0, n == 5));
  }
  line_fill_destroy(b.self);
}
END_TEST

/* A start in the cycle of a beat of the same id: the beat belongs to the fetch before. */
START_TEST(start_with_beat) {
  bench_t b = small();
  step(begin(&b, 0, 4, 1));
  step(beat(begin(&b, 0, 7, 3), 0, 0x11, true));
  const line_fill_out_t *o = step(beat(&b, 0, 0x22, true));
  ck_assert(writes(o, 4, 1, 0x11) && tells(o, 1, 0) && o->r_err_o == 0);
  o = step(&b);
  ck_assert(writes(o, 7, 3, 0x22) && tells(o, 1, 0));
  line_fill_destroy(b.self);
}
END_TEST

static uint64_t drain_place(bench_t *b, uint64_t entry) {
  b->in.drain_entry_i = entry;
  return step(b)->drain_place_o;
}

/* A place is shown from the cycle after the start on, until the next start or a reset. */
START_TEST(drain) {
  bench_t b = make(&(line_fill_cfg_t){3, 2, 16, 4, 1, 4, 0});
  ck_assert_uint_eq(drain_place(begin(&b, 2, 11, 0), 2), 0);
  ck_assert_uint_eq(drain_place(begin(&b, BYPASS + 1, 9, 0), 2), 11);
  ck_assert_uint_eq(drain_place(&b, 1), 0);
  ck_assert_uint_eq(drain_place(&b, 3), 0); /* no such entry */
  step(beat(&b, 2, 0, true));
  ck_assert_uint_eq(drain_place(&b, 2), 11);
  ck_assert_uint_eq(drain_place(begin(&b, 2, 6, 0), 2), 11);
  ck_assert_uint_eq(drain_place(&b, 2), 6);
  b.in.srst_ni = 0;
  ck_assert_uint_eq(drain_place(begin(&b, 0, 5, 0), 2), 6);
  ck_assert_uint_eq(drain_place(&b, 2), 0);
  ck_assert_uint_eq(drain_place(&b, 0), 0);
  line_fill_destroy(b.self);
}
END_TEST

/* A reset ends every fetch and empties the register stage. */
START_TEST(reset) {
  bench_t b = small();
  for (uint64_t e = 0; e < 4; e++) step(begin(&b, e, e, 0));
  step(begin(&b, BYPASS, 0, 0));
  step(beat(&b, 1, 0x33, true));
  b.in.srst_ni = 0;
  step(beat(begin(&b, BYPASS + 1, 0, 0), 2, 0x44, true));
  const line_fill_out_t *o = step(&b);
  ck_assert(writes_nothing(o) && tells(o, 0, 0));
  for (uint64_t id = 0; id < 16; id++) ck_assert_uint_eq(step(beat(&b, id, 1, true))->r_err_o, 1);
  line_fill_destroy(b.self);
}
END_TEST

/* Ids of fewer bits than the tables have entries, and of more. */
START_TEST(ids) {
  bench_t b = make(&(line_fill_cfg_t){100, 50, 4096, 32, 32, 2, 0});
  step(begin(&b, 1, 4145, 31));
  step(begin(&b, 3, 0, 30));
  step(beat(&b, 1, 1, true));
  const line_fill_out_t *o = step(beat(&b, 3, 2, true));
  ck_assert(writes(o, 4145, 31, 1) && tells(o, 1, 1));
  o = step(&b);
  ck_assert(writes(o, 4097, 30, 2) && tells(o, 2, 1));
  line_fill_destroy(b.self);
  b = make(&(line_fill_cfg_t){1, 1, 1, 1, 1, 16, 0});
  ck_assert_uint_eq(step(begin(&b, 0x8000, 1, 0))->r_err_o, 0);
  ck_assert_uint_eq(step(beat(&b, 0x8001, 1, true))->r_err_o, 1);
  ck_assert_uint_eq(step(beat(&b, 0xc000, 1, true))->r_err_o, 1);
  ck_assert_uint_eq(step(beat(&b, 0x8000, 1, true))->r_err_o, 0);
  ck_assert(writes(step(&b), 1, 0, 1));
  line_fill_destroy(b.self);
}
END_TEST

/* Every word of a beat of 31 words is written, and no more. */
START_TEST(words) {
  bench_t b = make(&(line_fill_cfg_t){1, 1, 1, 1, 31, 2, 0});
  step(begin(&b, 0, 0, 0));
  beat(&b, 0, 0, true);
  for (unsigned w = 0; w < 16; w++)
    b.in.r_data_i[w] = bits(UINT64_C(0x9e3779b97f4a7c15) * (w + 1), w < 15 ? 64 : 32);
  step(&b);
  const line_fill_out_t *o = step(&b);
  for (unsigned w = 0; w < 16; w++)
    ck_assert_uint_eq(o->write_data_o[w],
                      bits(UINT64_C(0x9e3779b97f4a7c15) * (w + 1), w < 15 ? 64 : 32));
  line_fill_destroy(b.self);
}
END_TEST

START_TEST(refused_sizes) {
  static const struct {
    line_fill_cfg_t cfg;
    const char *text;
  } row[] = {{{0, 1, 1, 1, 1, 2, 0}, "ERROR_line_fill_MSHRS_must_be_1_to_128 (got 0)"},
             {{1, 129, 1, 1, 1, 2, 0}, "ERROR_line_fill_BYPASSES_must_be_1_to_128 (got 129)"},
             {{1, 1, 4097, 1, 1, 2, 0}, "ERROR_line_fill_LINES_must_be_1_to_4096 (got 4097)"},
             {{1, 1, 1, 33, 1, 2, 0}, "ERROR_line_fill_BEATS_must_be_1_to_32 (got 33)"},
             {{1, 1, 1, 1, 0, 2, 0}, "ERROR_line_fill_BUS_WORDS_must_be_1_to_32 (got 0)"},
             {{1, 1, 1, 1, 1, 1, 0}, "ERROR_line_fill_ID_W_must_be_2_to_16 (got 1)"}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    line_fill_t *self;
    mrpb_err_t err = {""};
    ck_assert_int_eq(line_fill_create(&self, &row[i].cfg, &err), -1);
    ck_assert_str_eq(err.text, row[i].text);
    ck_assert_ptr_null(self);
  }
}
END_TEST

/* The page once more: an account for each id, and the beat that is written next. */
typedef struct {
  bool waits, started;
  uint64_t place, number;
} account_t;

typedef struct {
  bool valid, last;
  uint64_t id, place, number, data;
} stage_t;

static void check_stage(const line_fill_out_t *o, const stage_t *s, uint64_t bypass) {
  if (!s->valid) {
    ck_assert(writes_nothing(o) && tells(o, 0, 0));
    return;
  }
  ck_assert(writes(o, s->place, s->number, s->data));
  ck_assert(tells(o, !s->last ? 0 : s->id & bypass ? 2 : 1, s->last ? s->id & (bypass - 1) : 0));
}

static const line_fill_cfg_t sizes[] = {
    {1, 1, 1, 1, 1, 2, 0}, {4, 2, 16, 4, 2, 4, 0}, {3, 5, 6, 3, 1, 5, 0}, {32, 4, 128, 8, 2, 6, 0}};

START_TEST(random_against_accounts) {
  bench_t b = make(&sizes[_i]);
  const line_fill_cfg_t *c = &b.cfg;
  const uint64_t bypass = UINT64_C(1) << (c->ID_W - 1);
  const unsigned beat_w = bits_index_w(c->BEATS);
  prng_t p = prng_seed(9, (uint64_t)_i);
  account_t a[64] = {{0}};
  stage_t s = {0};
  unsigned good = 0, bad = 0;
  for (uint32_t t = 0; t < 20000; t++) {
    const uint64_t from = prng_next(&p) & (2 * bypass - 1), id = prng_next(&p) & (2 * bypass - 1);
    const uint64_t data = prng_next(&p) & UINT32_MAX, e = id & (bypass - 1);
    const bool starts = prng_chance(&p, 500), comes = prng_chance(&p, 500);
    const bool last = prng_chance(&p, 300), exists = e < (id & bypass ? c->BYPASSES : c->MSHRS);
    const uint64_t place = prng_below(&p, c->LINES), first = prng_below(&p, c->BEATS);
    const uint64_t asked = prng_below(&p, c->MSHRS);
    if (starts) begin(&b, id, place, first);
    if (comes) beat(&b, from, data, last);
    b.in.drain_entry_i = asked;
    const line_fill_out_t *o = step(&b);
    check_stage(o, &s, bypass);
    ck_assert_uint_eq(o->r_err_o, comes && !a[from].waits);
    ck_assert_uint_eq(o->drain_place_o, a[asked].started ? a[asked].place : 0);
    s = (stage_t){comes && a[from].waits, last, from, a[from].place, a[from].number, data};
    if (s.valid) {
      a[from].number = (a[from].number + 1) & bits_mask(beat_w);
      a[from].waits = !last;
    }
    if (starts && exists)
      a[id] = (account_t){true, true, id & bypass ? c->LINES + e : place, first};
    good += s.valid;
    bad += comes && !s.valid;
  }
  ck_assert(good > 1000 && bad > 1000);
  line_fill_destroy(b.self);
}
END_TEST

Suite *test_line_fill_suite(void);
Suite *test_line_fill_suite(void) {
  Suite *suite = suite_create("line_fill");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, example);
  tcase_add_test(tc, wrong_beats);
  tcase_add_test(tc, beats);
  tcase_add_test(tc, start_with_beat);
  tcase_add_test(tc, drain);
  tcase_add_test(tc, reset);
  tcase_add_test(tc, ids);
  tcase_add_test(tc, words);
  tcase_add_test(tc, refused_sizes);
  tcase_add_loop_test(tc, random_against_accounts, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
