/* SPDX-License-Identifier: Apache-2.0 */
/* reg_fifo against its page: each rule alone, and random cycles against a plain list. */
#include "prng.h"
#include "reg_fifo.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  reg_fifo_t *self;
  reg_fifo_cfg_t cfg;
  reg_fifo_in_t in;
  reg_fifo_out_t out;
} bench_t;

static bench_t make(uint32_t data_w, uint32_t depth, uint32_t find_w) {
  bench_t b = {.cfg = {data_w, depth, find_w, 0}, .in = {.srst_ni = 1}};
  ck_assert_int_eq(reg_fifo_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

static bench_t *offer(bench_t *b, uint64_t entry) {
  b->in.in_valid_i = 1;
  b->in.in_data_i[0] = entry;
  return b;
}

static bench_t *take(bench_t *b) {
  b->in.out_ready_i = 1;
  return b;
}

static const reg_fifo_out_t *step(bench_t *b) {
  mrpb_err_t err = {""};
  memset(&b->out, 0xff, sizeof b->out);
  ck_assert_msg(reg_fifo_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
  b->in = (reg_fifo_in_t){.srst_ni = 1};
  return &b->out;
}

/* The example of the page. */
START_TEST(example) {
  bench_t b = make(8, 2, 0);
  const reg_fifo_out_t *o = step(offer(&b, 0xa));
  ck_assert(o->in_ready_o == 1 && o->out_valid_o == 0 && o->out_data_o[0] == 0);
  o = step(offer(&b, 0xb));
  ck_assert(o->in_ready_o == 1 && o->out_data_o[0] == 0xa && o->count_o == 1);
  o = step(take(offer(&b, 0xc)));
  ck_assert(o->in_ready_o == 0 && o->out_data_o[0] == 0xa && o->count_o == 2);
  o = step(take(offer(&b, 0xc)));
  ck_assert(o->in_ready_o == 1 && o->out_data_o[0] == 0xb && o->count_o == 1);
  ck_assert_uint_eq(reg_fifo_regs(b.self)->head_q, 0);
  o = step(take(&b));
  ck_assert(o->out_valid_o == 1 && o->out_data_o[0] == 0xc && o->count_o == 1);
  o = step(take(&b));
  ck_assert(o->out_valid_o == 0 && o->out_data_o[0] == 0 && o->count_o == 0);
  reg_fifo_destroy(b.self);
}
END_TEST

/* An entry waits and holds; a full queue refuses; an empty one has nothing. */
START_TEST(waits) {
  bench_t b = make(64, 1, 0);
  ck_assert_uint_eq(step(take(offer(&b, 7)))->out_valid_o, 0);
  for (int i = 0; i < 3; i++) {
    const reg_fifo_out_t *o = step(offer(&b, 9));
    ck_assert(o->out_valid_o == 1 && o->out_data_o[0] == 7 && o->in_ready_o == 0);
  }
  ck_assert_uint_eq(step(take(offer(&b, 9)))->out_data_o[0], 7);
  ck_assert_uint_eq(step(&b)->count_o, 0);
  reg_fifo_destroy(b.self);
}
END_TEST

/* The ring of three places: after three transfers the places are used again. */
START_TEST(ring) {
  bench_t b = make(16, 3, 0);
  const reg_fifo_regs_t *r = reg_fifo_regs(b.self);
  step(offer(&b, 1));
  for (uint64_t n = 1; n <= 7; n++) {
    ck_assert_uint_eq(r->head_q, (n - 1) % 3);
    ck_assert_uint_eq(r->tail_q, n % 3);
    ck_assert_uint_eq(r->held_q, UINT64_C(1) << (n - 1) % 3);
    ck_assert_uint_eq(step(take(offer(&b, n + 1)))->out_data_o[0], n);
  }
  reg_fifo_destroy(b.self);
}
END_TEST

static bool finds(bench_t *b, uint64_t key) {
  b->in.find_i = key;
  return step(b)->find_o;
}

START_TEST(search) {
  bench_t b = make(12, 4, 5);
  ck_assert(!finds(&b, 0)); /* places that are not held */
  ck_assert(!finds(offer(&b, 0xfe3), 3));
  ck_assert(finds(offer(&b, 0x007), 3)); /* bits above the key do not count */
  ck_assert(finds(&b, 7));
  ck_assert(!finds(&b, 1));
  ck_assert(!finds(&b, 0x13));
  ck_assert(finds(take(&b), 3)); /* the entry that leaves */
  ck_assert(!finds(&b, 3));      /* it is still in its place */
  ck_assert(finds(&b, 7));
  b.in.srst_ni = 0;
  ck_assert(finds(&b, 7));
  ck_assert(!finds(&b, 7));
  reg_fifo_destroy(b.self);
}
END_TEST

/* An entry of 3 bits and a key of 6: the entry has no more bits, which count as 0. */
START_TEST(wide_key) {
  bench_t b = make(3, 2, 6);
  step(offer(&b, 5));
  ck_assert(finds(&b, 5));
  ck_assert(!finds(&b, 5 + 8));
  ck_assert(!finds(&b, 5 + 32));
  reg_fifo_destroy(b.self);
  b = make(3, 2, 0);
  step(offer(&b, 0));
  ck_assert(!finds(&b, 0)); /* the queue is not asked */
  reg_fifo_destroy(b.self);
}
END_TEST

/* A reset takes the entries back, and one that is offered in it does not come. */
START_TEST(reset) {
  bench_t b = make(8, 5, 8);
  const reg_fifo_regs_t *r = reg_fifo_regs(b.self);
  for (uint64_t n = 0; n < 5; n++) step(offer(&b, 0x20 + n));
  step(take(&b));
  b.in.srst_ni = 0;
  step(take(offer(&b, 0x77)));
  ck_assert(r->head_q == 0 && r->tail_q == 0 && r->count_q == 0 && r->held_q == 0);
  for (uint32_t p = 0; p < 5; p++) ck_assert_uint_eq(r->data_q[p], 0x20 + p);
  ck_assert_uint_eq(step(&b)->out_valid_o, 0);
  reg_fifo_destroy(b.self);
}
END_TEST

/* Entries of 1200 bits: every bit is kept, and no more. */
START_TEST(wide_entries) {
  bench_t b = make(1200, 2, 64);
  for (unsigned n = 0; n < 2; n++) {
    offer(&b, 0);
    for (unsigned w = 0; w < 19; w++)
      b.in.in_data_i[w] = bits(UINT64_C(0x9e3779b97f4a7c15) * (w + 20 * n + 1), w < 18 ? 64 : 48);
    step(&b);
  }
  for (unsigned n = 0; n < 2; n++) {
    ck_assert(finds(&b, UINT64_C(0x9e3779b97f4a7c15) * (20 * n + 1)));
    const reg_fifo_out_t *o = step(take(&b));
    for (unsigned w = 0; w < 19; w++)
      ck_assert_uint_eq(o->out_data_o[w],
                        bits(UINT64_C(0x9e3779b97f4a7c15) * (w + 20 * n + 1), w < 18 ? 64 : 48));
  }
  reg_fifo_destroy(b.self);
}
END_TEST

START_TEST(refused_sizes) {
  static const struct {
    reg_fifo_cfg_t cfg;
    const char *text;
  } row[] = {{{0, 8, 0, 0}, "ERROR_reg_fifo_DATA_W_must_be_1_to_1200 (got 0)"},
             {{1201, 8, 0, 0}, "ERROR_reg_fifo_DATA_W_must_be_1_to_1200 (got 1201)"},
             {{8, 0, 0, 0}, "ERROR_reg_fifo_DEPTH_must_be_1_to_64 (got 0)"},
             {{8, 65, 0, 0}, "ERROR_reg_fifo_DEPTH_must_be_1_to_64 (got 65)"},
             {{8, 8, 65, 0}, "ERROR_reg_fifo_FIND_W_must_be_0_to_64 (got 65)"}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    reg_fifo_t *self;
    mrpb_err_t err = {""};
    ck_assert_int_eq(reg_fifo_create(&self, &row[i].cfg, &err), -1);
    ck_assert_str_eq(err.text, row[i].text);
    ck_assert_ptr_null(self);
  }
}
END_TEST

/* The page once more: a list whose first element is the oldest entry. */
typedef struct {
  uint64_t entry[64];
  uint32_t n;
} list_t;

static bool list_has(const list_t *l, uint64_t key, uint32_t find_w) {
  bool has = false;
  for (uint32_t i = 0; i < l->n; i++) has |= (l->entry[i] & bits_mask(find_w)) == key;
  return has && find_w > 0;
}

static const uint32_t sizes[][3] = {{1, 1, 1}, {64, 8, 0}, {33, 5, 9}, {5, 64, 3}, {7, 3, 12}};

START_TEST(random_against_list) {
  const uint32_t data_w = sizes[_i][0], depth = sizes[_i][1], find_w = sizes[_i][2];
  bench_t b = make(data_w, depth, find_w);
  prng_t p = prng_seed(5, (uint64_t)_i);
  list_t l = {{0}, 0};
  for (uint32_t t = 0; t < 20000; t++) {
    const unsigned in_rate = t / 500 % 2 ? 300 : 800;
    const uint64_t entry = bits(prng_next(&p) & (t & 64 ? 3 : UINT64_MAX), data_w);
    const bool in = prng_chance(&p, in_rate), out = prng_chance(&p, 500);
    if (in) offer(&b, entry);
    if (out) take(&b);
    b.in.find_i = bits(prng_next(&p) & 3, find_w ? find_w : 1);
    const bool has = list_has(&l, b.in.find_i, find_w);
    const reg_fifo_out_t *o = step(&b);
    ck_assert_uint_eq(o->in_ready_o, l.n < depth);
    ck_assert_uint_eq(o->count_o, l.n);
    ck_assert_uint_eq(o->out_valid_o, l.n > 0);
    ck_assert_uint_eq(o->out_data_o[0], l.n > 0 ? l.entry[0] : 0);
    ck_assert_uint_eq(o->find_o, has);
    const bool comes = in && l.n < depth, leaves = out && l.n > 0;
    if (comes) l.entry[l.n] = entry;
    if (leaves) memmove(l.entry, l.entry + 1, sizeof l.entry - sizeof *l.entry);
    l.n = l.n + comes - leaves;
  }
  reg_fifo_destroy(b.self);
}
END_TEST

Suite *test_reg_fifo_suite(void);
Suite *test_reg_fifo_suite(void) {
  Suite *suite = suite_create("reg_fifo");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, example);
  tcase_add_test(tc, waits);
  tcase_add_test(tc, ring);
  tcase_add_test(tc, search);
  tcase_add_test(tc, wide_key);
  tcase_add_test(tc, reset);
  tcase_add_test(tc, wide_entries);
  tcase_add_test(tc, refused_sizes);
  tcase_add_loop_test(tc, random_against_list, 0, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
