/* SPDX-License-Identifier: Apache-2.0 */
/* mshr against its page: directed cases, random traffic against entries kept as plain lists and
 * searched by time stamps, and the contract seen from outside: every accepted read leaves exactly
 * once, in order. */
#include "mshr_naive.h"
#include "mshr.h"
#include "prng.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  mshr_t *self;
  mshr_cfg_t cfg;
  mshr_in_t in;
  mshr_out_t out;
} bench_t;

static bench_t make(uint32_t entries, uint32_t merges) {
  bench_t b = {.cfg = {.ENTRIES = entries,
                       .MERGES = merges,
                       .ADDR_W = 25,
                       .DATA_W = 64,
                       .STORES = entries != 33,
                       .READ_REG = merges % 2},
               .in = {.srst_ni = 1}};
  ck_assert_int_eq(mshr_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

/* The cycle is put together by these, then run by step. */
static bench_t *req(bench_t *b, uint64_t addr, uint64_t data) {
  b->in.req_valid_i = 1;
  b->in.req_addr_i = addr;
  b->in.req_data_i = data;
  return b;
}

static bench_t *fill(bench_t *b, uint64_t entry) {
  b->in.fill_valid_i = 1;
  b->in.fill_entry_i = entry;
  return b;
}

static bench_t *take(bench_t *b) {
  b->in.out_ready_i = 1;
  return b;
}

static bench_t *store(bench_t *b, uint64_t addr) {
  b->in.store_valid_i = 1;
  b->in.store_addr_i = addr;
  return b;
}

static const mshr_out_t *step(bench_t *b) {
  memset(&b->out, 0xff, sizeof b->out);
  mshr_comb(b->self, &b->in, &b->out);
  mshr_edge(b->self, &b->in);
  b->in = (mshr_in_t){.srst_ni = 1};
  return &b->out;
}

static void expect_req(const mshr_out_t *o, unsigned ready, unsigned merge, unsigned refuse,
                       unsigned entry) {
  ck_assert_uint_eq(o->req_ready_o, ready);
  ck_assert_uint_eq(o->req_merge_o, merge);
  ck_assert_uint_eq(o->req_refuse_o, refuse);
  ck_assert_uint_eq(o->req_entry_o, entry);
}

static void expect_out(const mshr_out_t *o, unsigned valid, uint64_t data, unsigned entry,
                       unsigned last) {
  ck_assert_uint_eq(o->out_valid_o, valid);
  ck_assert_uint_eq(o->out_data_o, data);
  ck_assert_uint_eq(o->out_entry_o, entry);
  ck_assert_uint_eq(o->out_last_o, last);
}

START_TEST(four_answers) {
  bench_t b = make(2, 2);
  expect_req(step(req(&b, 10, 1)), 1, 0, 0, 0);
  expect_req(step(req(&b, 10, 2)), 1, 1, 0, 0);
  expect_req(step(req(&b, 10, 3)), 0, 1, 2, 0); /* lists MERGES reads */
  expect_req(step(req(&b, 20, 4)), 1, 0, 0, 1);
  ck_assert_uint_eq(b.out.count_o, 1);          /* at the start of that cycle */
  expect_req(step(req(&b, 30, 5)), 0, 0, 1, 0); /* no entry */
  ck_assert_uint_eq(b.out.count_o, 2);
  b.in.req_addr_i =
      20; /* the answer does not wait for req_valid_i, and nothing is accepted without it */
  expect_req(step(&b), 1, 1, 0, 1);
  b.in.req_addr_i = 10;
  expect_req(step(&b), 0, 1, 2, 0);
  ck_assert_uint_eq(mshr_regs(b.self)->len_q[1], 1);
  mshr_destroy(b.self);
}
END_TEST

/* A fill in t is on out_* in t + 1; reads leave in order; a later fill waits; ready entries still
 * merge. */
START_TEST(fill_and_drain) {
  bench_t b = make(3, 3);
  step(req(&b, 1, 11)), step(req(&b, 2, 21)), step(req(&b, 1, 12)), step(req(&b, 3, 31));
  expect_out(step(fill(&b, 0)), 0, 0, 0, 0);
  expect_out(step(fill(&b, 2)), 1, 11, 0, 0); /* not taken */
  expect_out(step(take(&b)), 1, 11, 0, 0);
  expect_out(step(take(req(&b, 1, 13))), 1, 12, 0,
             1); /* too late: released first, then allocated anew */
  expect_req(&b.out, 1, 0, 0, 0);
  expect_out(step(take(req(&b, 3, 32))), 1, 31, 2, 1);
  expect_req(&b.out, 1, 0, 0, 2);
  expect_out(step(take(&b)), 0, 0, 0, 0); /* entry 0 is live again, and awaits its line */
  step(fill(&b, 0));
  expect_out(step(req(&b, 1, 14)), 1, 13, 0, 1);
  expect_req(&b.out, 1, 1, 0, 0); /* ready and draining, and it merges */
  expect_out(step(take(&b)), 1, 13, 0, 0);
  expect_out(step(take(&b)), 1, 14, 0, 1);
  expect_out(step(&b), 0, 0, 0, 0);
  ck_assert_uint_eq(b.out.count_o, 2);
  mshr_destroy(b.self);
}
END_TEST

/* A drain makes room in the same cycle: for a merge, and by a release for an allocation. */
START_TEST(room_in_the_same_cycle) {
  bench_t b = make(2, 2);
  step(req(&b, 1, 11)), step(req(&b, 1, 12)), step(req(&b, 2, 21)), step(fill(&b, 0));
  expect_req(step(req(&b, 1, 13)), 0, 1, 2, 0);
  expect_req(step(take(req(&b, 1, 13))), 1, 1, 0, 0);
  ck_assert_uint_eq(mshr_regs(b.self)->data_q[0], 13); /* where the first read was */
  expect_out(step(take(&b)), 1, 12, 0, 0);
  expect_req(step(req(&b, 9, 91)), 0, 0, 1, 0);
  expect_req(step(take(req(&b, 9, 91))), 1, 0, 0, 0); /* the entry released in this cycle */
  ck_assert_uint_eq(b.out.out_last_o, 1);
  const mshr_regs_t *r = mshr_regs(b.self);
  ck_assert(r->addr_q[0] == 9 && r->len_q[0] == 1 && r->head_q[0] == 0 && r->data_q[0] == 91);
  ck_assert(r->valid_q[0] == 3 && r->ready_q[0] == 0 && r->count_q == 2 && r->order_len_q == 0);
  mshr_destroy(b.self);
}
END_TEST

static void expect_next(const bench_t *b, unsigned next) {
  ck_assert_uint_eq(mshr_regs(b->self)->next_q, next);
}

/* The entry of an allocation is known a cycle before: a release comes too late for it, unless the
 * table is full. */
START_TEST(next_entry) {
  bench_t b = make(3, 2);
  expect_req(step(req(&b, 1, 11)), 1, 0, 0, 0), expect_next(&b, 1);
  expect_req(step(req(&b, 2, 21)), 1, 0, 0, 1), expect_next(&b, 2);
  step(fill(&b, 0)), expect_next(&b, 2);
  /* Entry 0 is released, 2 is allocated, and no other was free before. */
  expect_req(step(take(req(&b, 3, 31))), 1, 0, 0, 2), expect_next(&b, 0);
  expect_req(step(req(&b, 4, 41)), 1, 0, 0, 0);
  ck_assert_uint_eq(mshr_regs(b.self)->count_q, 3);
  step(fill(&b, 1));
  expect_req(step(req(&b, 5, 51)), 0, 0, 1, 0), expect_next(&b, 1); /* full: 1 drains */
  expect_req(step(take(req(&b, 5, 51))), 1, 0, 0, 1);
  step(fill(&b, 2));
  step(take(&b)), expect_next(&b, 2); /* full: 2 is released, and nothing allocated */
  step(fill(&b, 1)), step(take(&b)), expect_next(&b, 2); /* not full: another release */
  expect_req(step(req(&b, 6, 61)), 1, 0, 0, 2), expect_next(&b, 1);
  mshr_destroy(b.self);
}
END_TEST

static void expect_store(const mshr_out_t *o, unsigned hit, unsigned entry) {
  ck_assert_uint_eq(o->store_hit_o, hit);
  ck_assert_uint_eq(o->store_entry_o, entry);
}

/* A marked entry accepts no read until it is released; its fill tells of it, once. */
START_TEST(marked_until_released) {
  bench_t b = make(3, 2);
  step(req(&b, 1, 11)), step(req(&b, 2, 21));
  expect_store(step(store(&b, 3)), 0, 0);
  b.in.store_addr_i = 2; /* asks, and does not mark */
  expect_store(step(&b), 1, 1);
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 0);
  expect_store(step(store(req(&b, 2, 22), 2)), 1, 1);
  expect_req(&b.out, 1, 1, 0, 1);               /* the read of the cycle was before the store */
  expect_req(step(req(&b, 2, 23)), 0, 1, 3, 0); /* marked, and the list is full, too */
  expect_store(step(store(&b, 2)), 1, 1);       /* once more */
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 2);
  ck_assert_uint_eq(step(fill(&b, 0))->fill_written_o, 0);
  ck_assert_uint_eq(step(fill(&b, 1))->fill_written_o, 1);
  ck_assert_uint_eq(step(fill(&b, 1))->fill_written_o, 0); /* a bad fill */
  step(take(&b)), step(take(&b));
  expect_req(step(req(&b, 2, 23)), 0, 1, 3, 0);       /* one read left: still refused */
  expect_req(step(take(req(&b, 2, 23))), 1, 0, 0, 2); /* released: allocates anew */
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 0);
  mshr_destroy(b.self);
}
END_TEST

/* The store is last in its cycle: it marks what is allocated, not what is released, and a line that
 * arrives is not out of date yet. */
START_TEST(store_is_last) {
  bench_t b = make(2, 2);
  expect_store(step(store(req(&b, 1, 11), 1)), 0, 0);
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 1);
  step(store(req(&b, 2, 21), 3));
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 1);
  ck_assert_uint_eq(step(store(fill(&b, 1), 2))->fill_written_o, 0);
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 3);
  expect_store(step(store(take(&b), 2)), 0, 0); /* released in this cycle */
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 1);
  ck_assert_uint_eq(step(fill(&b, 0))->fill_written_o, 1);
  /* Released, and allocated in the same cycle for the line of the store. */
  expect_store(step(store(take(req(&b, 1, 12)), 1)), 0, 0);
  expect_req(&b.out, 1, 0, 0, 1);
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 2);
  b.in.srst_ni = 0;
  step(store(&b, 1));
  ck_assert_uint_eq(mshr_regs(b.self)->written_q[0], 0);
  mshr_destroy(b.self);
}
END_TEST

/* With READ_REG read_q has the next word before it is offered, and keeps the last one. */
START_TEST(read_register) {
  bench_t b = make(2, 3);
  ck_assert_uint_eq(b.cfg.READ_REG, 1);
  const mshr_regs_t *r = mshr_regs(b.self);
  step(req(&b, 1, 11)), step(req(&b, 1, 12)), step(req(&b, 2, 21));
  ck_assert_uint_eq(r->read_q, 0);
  step(fill(&b, 0));
  ck_assert_uint_eq(r->read_q, 11);
  step(fill(&b, 1));
  ck_assert_uint_eq(r->read_q, 11); /* not taken */
  expect_out(step(take(req(&b, 1, 13))), 1, 11, 0, 0);
  ck_assert_uint_eq(r->read_q, 12);
  step(take(req(&b, 1, 14))); /* wraps around: place 0 again */
  ck_assert(r->read_q == 13 && r->data_q[0] == 14);
  step(take(&b));
  expect_out(step(take(&b)), 1, 14, 0, 1);
  ck_assert_uint_eq(r->read_q, 21);
  expect_out(step(take(req(&b, 1, 15))), 1, 21, 1, 1);
  ck_assert_uint_eq(r->read_q, 21); /* nothing drains */
  expect_out(step(&b), 0, 0, 0, 0);
  mshr_destroy(b.self);
}
END_TEST

START_TEST(without_stores) {
  bench_t b = make(33, 2);
  ck_assert_uint_eq(b.cfg.STORES, 0);
  step(store(req(&b, 1, 11), 1));
  expect_store(step(store(&b, 1)), 0, 0);
  ck_assert_uint_eq(step(fill(&b, 0))->fill_written_o, 0);
  expect_req(step(req(&b, 1, 12)), 1, 1, 0, 0);
  mshr_destroy(b.self);
}
END_TEST

/* One merge an entry: a second read of the line waits until the first has left, then allocates. */
START_TEST(single_merge) {
  bench_t b = make(1, 1);
  step(req(&b, 7, 1));
  expect_req(step(req(&b, 7, 2)), 0, 1, 2, 0);
  expect_req(step(req(&b, 8, 3)), 0, 0, 1, 0);
  step(fill(&b, 0));
  expect_req(step(take(req(&b, 7, 2))), 1, 0, 0, 0);
  expect_out(&b.out, 1, 1, 0, 1);
  expect_out(step(take(&b)), 0, 0, 0, 0);
  mshr_destroy(b.self);
}
END_TEST

START_TEST(bad_fills) {
  bench_t b = make(5, 2);
  step(req(&b, 1, 11)), step(req(&b, 2, 21));
  static const uint64_t wrong[] = {2, 4, 5, 7, 127, 128, UINT64_MAX};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    mshr_regs_t before = *mshr_regs(b.self);
    ck_assert_uint_eq(step(fill(&b, wrong[i]))->fill_err_o, 1);
    ck_assert_int_eq(memcmp(&before, mshr_regs(b.self), sizeof before), 0);
  }
  ck_assert_uint_eq(step(&b)->fill_err_o, 0);
  ck_assert_uint_eq(step(fill(&b, 1))->fill_err_o, 0);
  ck_assert_uint_eq(step(fill(&b, 1))->fill_err_o, 1);       /* ready already */
  ck_assert_uint_eq(step(take(fill(&b, 1)))->fill_err_o, 1); /* leaving in this cycle */
  ck_assert_uint_eq(step(fill(&b, 1))->fill_err_o, 1);       /* free */
  ck_assert_uint_eq(step(fill(req(&b, 3, 31), 2))->fill_err_o,
                    1); /* allocated in this cycle: too early */
  ck_assert_uint_eq(b.out.req_entry_o, 2);
  ck_assert_uint_eq(step(fill(&b, 2))->fill_err_o, 0);
  mshr_destroy(b.self);
}
END_TEST

START_TEST(reset_in_the_middle) {
  bench_t b = make(4, 2);
  for (unsigned i = 0; i < 4; i++) step(req(&b, i, 40 + i));
  step(fill(&b, 2)), step(fill(&b, 0)), step(take(&b));
  mshr_regs_t before = *mshr_regs(b.self);
  b.in.srst_ni = 0;
  step(take(fill(req(&b, 9, 9), 1)));
  const mshr_regs_t *r = mshr_regs(b.self);
  before.valid_q[0] = before.ready_q[0] = before.drain_q[0] = 0;
  before.order_head_q = before.order_len_q = before.count_q = before.next_q = 0;
  ck_assert_int_eq(memcmp(&before, r, sizeof before), 0); /* and nothing else changed */
  expect_req(step(req(&b, 1, 5)), 1, 0, 0, 0);            /* no line is known any more */
  mshr_destroy(b.self);
}
END_TEST

/* Fills every entry with every merge, then drains all of it: E x M reads, entries in the order of
 * fills. */
START_TEST(all_of_it) {
  static const uint32_t sizes[][2] = {{1, 1},  {2, 3},  {3, 2},   {5, 5},
                                      {33, 8}, {48, 1}, {64, 32}, {128, 32}};
  uint32_t entries = sizes[_i][0], merges = sizes[_i][1];
  bench_t b = make(entries, merges);
  for (uint32_t m = 0; m < merges; m++)
    for (uint32_t e = 0; e < entries; e++)
      expect_req(step(req(&b, e * 3, e << 8 | m)), 1, m > 0, 0, e);
  expect_req(step(req(&b, 0, 0)), 0, 1, 2, 0);
  expect_req(step(req(&b, 1, 0)), 0, 0, 1, 0);
  for (uint32_t e = entries; e-- > 0;) ck_assert_uint_eq(step(fill(&b, e))->fill_err_o, 0);
  ck_assert_uint_eq(mshr_regs(b.self)->order_len_q, entries);
  for (uint32_t e = entries; e-- > 0;)
    for (uint32_t m = 0; m < merges; m++)
      expect_out(step(take(&b)), 1, e << 8 | m, e, m == merges - 1);
  ck_assert_uint_eq(step(&b)->count_o, 0);
  mshr_destroy(b.self);
}
END_TEST

static const uint32_t sizes[][2] = {{1, 1},  {2, 1},  {3, 2},  {5, 3},   {8, 5},
                                    {32, 8}, {33, 2}, {64, 4}, {65, 32}, {128, 3}};

START_TEST(random_against_lists) {
  bench_t b = make(sizes[_i][0], sizes[_i][1]);
  naive_t *n = calloc(1, sizeof *n),
          empty = {.entries = sizes[_i][0], .merges = sizes[_i][1], .stores = b.cfg.STORES};
  *n = empty;
  prng_t p = prng_seed(6, (uint64_t)_i);
  unsigned req_rate = 0, fill_rate = 0, out_rate = 0, lines = 1, seen[4] = {0};
  uint32_t reach = 1u << bits_index_w(b.cfg.ENTRIES);
  for (uint32_t t = 0; t < 20000; t++) {
    if (t % 512 == 0) {
      req_rate = 200 + prng_below(&p, 800);
      fill_rate = prng_below(&p, 1000);
      out_rate = prng_below(&p, 1000);
      lines = 1 + prng_below(&p, 2 * b.cfg.ENTRIES);
    }
    b.in = (mshr_in_t){.srst_ni = !prng_chance(&p, 1),
                       .req_valid_i = prng_chance(&p, req_rate),
                       .req_addr_i = prng_below(&p, lines) * UINT64_C(0x1010101) & 0x1ffffff,
                       .req_data_i = prng_next(&p),
                       .fill_valid_i = prng_chance(&p, fill_rate),
                       .fill_entry_i = prng_below(&p, reach),
                       .out_ready_i = prng_chance(&p, out_rate),
                       .store_valid_i = prng_chance(&p, t % 1024 < 512 ? 100 : 5),
                       .store_addr_i = prng_below(&p, lines) * UINT64_C(0x1010101) & 0x1ffffff};
    mshr_out_t expected;
    bool reset = !b.in.srst_ni;
    naive_cycle(n, &b.in, &expected);
    step(&b);
    if (memcmp(&b.out, &expected, sizeof expected)) ck_abort_msg("cycle %u", t);
    if (reset) *n = empty;
    seen[expected.req_refuse_o]++;
    const mshr_regs_t *r = mshr_regs(b.self);
    for (unsigned e = 0; e < b.cfg.ENTRIES; e++) {
      bool used = r->valid_q[e / 32] >> e % 32 & 1;
      if (r->next_q != n->next || used != n->entry[e].used ||
          (used && r->len_q[e] != n->entry[e].n))
        ck_abort_msg("cycle %u: entry %u", t, e);
    }
  }
  ck_assert(seen[0] && seen[1] && seen[2] && !seen[3] == !b.cfg.STORES);
  free(n);
  mshr_destroy(b.self);
}
END_TEST

enum { READS = 20000 };

/* From outside, with numbered reads and fills that come in any order: what the L1 relies on. */
START_TEST(leaves_once_in_order) {
  uint32_t entries = sizes[_i][0];
  bench_t b = make(entries, sizes[_i][1]);
  prng_t p = prng_seed(7, (uint64_t)_i);
  uint32_t accepted = 0, left = 0, waiting[128], n_waiting = 0, filled[128], n_filled = 0;
  uint64_t line_of[READS], last[128] = {0};
  bool gone[READS + 1] = {false};
  while (left < READS) {
    if (accepted < READS && prng_chance(&p, 700))
      req(&b, prng_below(&p, entries + 4), accepted + 1); /* reads are numbered from 1 */
    uint32_t f = n_waiting ? prng_below(&p, n_waiting) : 0;
    bool filling = n_waiting && prng_chance(&p, 300);
    if (filling) fill(&b, waiting[f]);
    if (prng_chance(&p, 600)) take(&b);
    mshr_in_t in = b.in;
    step(&b);
    if (b.out.fill_err_o) ck_abort_msg("a good fill was refused");
    if (b.out.out_valid_o && in.out_ready_i) {
      uint64_t read = b.out.out_data_o, e = b.out.out_entry_o;
      if (!n_filled || filled[0] != e) ck_abort_msg("entry out of the order of the fills");
      if (read < 1 || read > accepted || gone[read]) ck_abort_msg("read left twice or never came");
      if (read <= last[e]) ck_abort_msg("reads of an entry changed places");
      gone[read] = true;
      last[e] = read;
      left++;
      if (b.out.out_last_o) memmove(filled, filled + 1, --n_filled * sizeof *filled);
    }
    if (filling) {
      filled[n_filled++] = waiting[f];
      waiting[f] = waiting[--n_waiting];
    }
    if (in.req_valid_i && b.out.req_ready_o) {
      line_of[accepted++] = in.req_addr_i;
      if (!b.out.req_merge_o) waiting[n_waiting++] = (uint32_t)b.out.req_entry_o;
      ck_assert_uint_eq(mshr_regs(b.self)->addr_q[b.out.req_entry_o], line_of[accepted - 1]);
    }
  }
  ck_assert_uint_eq(step(&b)->count_o, 0);
  mshr_destroy(b.self);
}
END_TEST

Suite *test_mshr_suite(void);
Suite *test_mshr_suite(void) {
  Suite *suite = suite_create("mshr");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, four_answers);
  tcase_add_test(tc, fill_and_drain);
  tcase_add_test(tc, room_in_the_same_cycle);
  tcase_add_test(tc, next_entry);
  tcase_add_test(tc, marked_until_released);
  tcase_add_test(tc, store_is_last);
  tcase_add_test(tc, without_stores);
  tcase_add_test(tc, read_register);
  tcase_add_test(tc, single_merge);
  tcase_add_test(tc, bad_fills);
  tcase_add_test(tc, reset_in_the_middle);
  tcase_add_loop_test(tc, all_of_it, 0, 8);
  tcase_add_loop_test(tc, random_against_lists, 0, 3);
  tcase_add_loop_test(tc, leaves_once_in_order, 0, 3);
  TCase *more = tcase_create("more sizes");
  tcase_set_timeout(more, 120);
  tcase_set_tags(more, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(more, leaves_once_in_order, 3, sizeof sizes / sizeof *sizes);
  tcase_add_loop_test(more, random_against_lists, 3, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  suite_add_tcase(suite, more);
  return suite;
}
