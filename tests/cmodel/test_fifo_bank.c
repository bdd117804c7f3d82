/* SPDX-License-Identifier: Apache-2.0 */
/* fifo_bank against its page: the worked example, every row of the table, and random traffic
 * against queues kept as plain lists that never wrap. */
#include "fifo_bank.h"
#include "prng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 4096 };

typedef struct {
  fifo_bank_t *bank;
  fifo_bank_cfg_t cfg;
  fifo_bank_out_t out;
  uint64_t data; /* deq_data_o of the next cycle */
} bench_t;

static bench_t make(uint32_t queues, uint32_t depth, uint32_t width) {
  bench_t b = {.cfg = {.QUEUES = queues, .DEPTH = depth, .DATA_W = width}};
  ck_assert_int_eq(fifo_bank_create(&b.bank, &b.cfg, NULL), 0);
  return b;
}

/* One cycle; a queue of -1 means no enqueue or dequeue. Outputs are left in b->out and b->data. */
static void cycle(bench_t *b, int enq, uint64_t data, int deq) {
  fifo_bank_in_t in = {.srst_ni = 1,
                       .enq_valid_i = enq >= 0,
                       .enq_queue_i = enq >= 0 ? (uint64_t)enq : 0,
                       .enq_data_i = data,
                       .deq_valid_i = deq >= 0,
                       .deq_queue_i = deq >= 0 ? (uint64_t)deq : 0};
  fifo_bank_comb(b->bank, &in, &b->out);
  fifo_bank_edge(b->bank, &in);
  b->data = fifo_bank_regs(b->bank)->u_mem.rdata_q;
}

/* Cycles 0 to 3 of the page, and the state after them. */
START_TEST(worked_example) {
  bench_t b = make(4, 2, 8);
  const fifo_bank_regs_t *r = fifo_bank_regs(b.bank);
  static const unsigned head[] = {0, 0, 0, 1}, tail[] = {0, 1, 0, 0}, full[] = {0, 0, 1, 0};
  static const unsigned data[] = {0, 0, 0xA, 0xB};
  for (unsigned t = 0; t < 4; t++) {
    ck_assert(r->head_q[3] == head[t] && r->tail_q[3] == tail[t]);
    cycle(&b, t < 2 ? 3 : -1, 0xA + t, t >= 2 ? 3 : -1);
    ck_assert_uint_eq(b.out.full_o >> 3, full[t]);
    ck_assert_uint_eq(b.out.empty_o, t == 0 ? 0xf : 0x7);
    if (t >= 2) ck_assert_uint_eq(b.data, data[t]);
  }
  ck_assert(r->full_q == 0 && r->empty_q == 0xf);
  ck_assert_uint_eq(r->head_q[3], 0);
  ck_assert_uint_eq(r->tail_q[3], 0);
  ck_assert_uint_eq(r->u_mem.mem_q[6], 0xA);
  ck_assert_uint_eq(r->u_mem.mem_q[7], 0xB);
  fifo_bank_destroy(b.bank);
}
END_TEST

/* A dequeue does not see the enqueue of its cycle; one after it does, while the next one enters. */
START_TEST(stored_first) {
  bench_t b = make(3, 3, 16);
  const fifo_bank_regs_t *r = fifo_bank_regs(b.bank);
  cycle(&b, 2, 0x100, 2);
  ck_assert(b.out.enq_ready_o && !b.out.deq_ready_o);
  ck_assert(r->full_q == 0 && r->empty_q == 0x3);
  ck_assert_uint_eq(b.data, 0);
  for (unsigned t = 0; t < 7; t++) {
    cycle(&b, 2, 0x101 + t, 2);
    ck_assert(b.out.enq_ready_o && b.out.deq_ready_o);
    ck_assert_uint_eq(b.data, 0x100 + t);
    ck_assert(r->full_q == 0 && r->empty_q == 0x3);
    ck_assert_uint_eq(r->head_q[2], (t + 1) % 3);
    ck_assert_uint_eq(r->tail_q[2], (t + 2) % 3);
    ck_assert_uint_eq(r->u_mem.mem_q[6 + (t + 1) % 3], 0x101 + t);
  }
  cycle(&b, 1, 5, 0);
  ck_assert_uint_eq(b.out.deq_ready_o, 0);
  ck_assert_uint_eq(b.data, 0x106); /* what was dequeued last */
  fifo_bank_destroy(b.bank);
}
END_TEST

/* A flush dequeues from the queue that is named for the enqueue, whichever deq_queue_i is. */
START_TEST(flush) {
  bench_t b = make(3, 2, 16);
  cycle(&b, 0, 1, -1);
  cycle(&b, 1, 2, -1);
  for (uint64_t q = 0; q < 4; q++) {
    fifo_bank_in_t in = {
        .srst_ni = 1, .enq_queue_i = q, .deq_valid_i = 1, .deq_queue_i = 3 - q, .deq_same_i = 1};
    fifo_bank_comb(b.bank, &in, &b.out);
    ck_assert_uint_eq(b.out.deq_ready_o, q < 2);
    fifo_bank_edge(b.bank, &in);
    ck_assert_uint_eq(fifo_bank_regs(b.bank)->u_mem.rdata_q, q < 1 ? 1 : 2);
  }
  ck_assert_uint_eq(fifo_bank_regs(b.bank)->empty_q, 7);
  fifo_bank_destroy(b.bank);
}
END_TEST

/* A full queue refuses an enqueue even if the same cycle makes room. */
START_TEST(full_refuses) {
  static const uint32_t depths[] = {1, 2, 3, 5, 33, 48, 64};
  bench_t b = make(2, depths[_i], 64);
  for (uint32_t i = 0; i < depths[_i]; i++) {
    ck_assert_uint_eq(b.out.full_o, 0);
    cycle(&b, 1, i + 1, -1);
    ck_assert_uint_eq(b.out.enq_ready_o, 1);
  }
  cycle(&b, 1, 0xbad, 1);
  ck_assert_uint_eq(b.out.full_o, 2);
  ck_assert_uint_eq(b.out.empty_o, 1);
  ck_assert_uint_eq(b.out.enq_ready_o, 0);
  ck_assert_uint_eq(b.data, 1);
  for (uint32_t i = 1; i < depths[_i]; i++) {
    cycle(&b, -1, 0, 1);
    ck_assert_uint_eq(b.data, i + 1);
  }
  cycle(&b, -1, 0, 1);
  ck_assert_uint_eq(b.out.deq_ready_o, 0);
  ck_assert_uint_eq(b.out.empty_o, 3);
  fifo_bank_destroy(b.bank);
}
END_TEST

/* Ready does not depend on valid; queues that do not exist are refused and touch nothing. */
START_TEST(ready_and_range) {
  bench_t b = make(5, 2, 8);
  cycle(&b, 4, 7, -1);
  fifo_bank_regs_t before = *fifo_bank_regs(b.bank);
  for (uint64_t q = 0; q < 8; q++) {
    fifo_bank_in_t in = {.srst_ni = 1, .enq_queue_i = q, .enq_data_i = 9, .deq_queue_i = q};
    fifo_bank_comb(b.bank, &in, &b.out);
    ck_assert_uint_eq(b.out.enq_ready_o, q < 5);
    ck_assert_uint_eq(b.out.deq_ready_o, q == 4);
    fifo_bank_edge(b.bank, &in);
    ck_assert_int_eq(memcmp(&before, fifo_bank_regs(b.bank), sizeof before), 0);
  }
  static const uint64_t outside[] = {5, 6, 7, 63, 64, 65, UINT64_MAX};
  for (unsigned i = 0; i < sizeof outside / sizeof *outside; i++) {
    fifo_bank_in_t in = {1, 1, outside[i], 9, 1, outside[i], i & 1};
    fifo_bank_comb(b.bank, &in, &b.out);
    ck_assert_uint_eq(b.out.enq_ready_o, 0);
    ck_assert_uint_eq(b.out.deq_ready_o, 0);
    fifo_bank_edge(b.bank, &in);
    ck_assert_int_eq(memcmp(&before, fifo_bank_regs(b.bank), sizeof before), 0);
  }
  fifo_bank_destroy(b.bank);
}
END_TEST

/* Reset empties every queue, keeps the SRAM, and ignores what is offered meanwhile. */
START_TEST(reset_in_the_middle) {
  bench_t b = make(3, 2, 8);
  cycle(&b, 0, 1, -1);
  cycle(&b, 2, 2, -1);
  cycle(&b, 2, 3, 0);
  fifo_bank_in_t in = {.srst_ni = 0,
                       .enq_valid_i = 1,
                       .enq_queue_i = 1,
                       .enq_data_i = 0xee,
                       .deq_valid_i = 1,
                       .deq_queue_i = 1};
  fifo_bank_comb(b.bank, &in, &b.out);
  ck_assert_uint_eq(b.out.full_o, 4); /* outputs are functions of the registers also now */
  ck_assert_uint_eq(b.out.deq_data_o, 1);
  fifo_bank_edge(b.bank, &in);
  const fifo_bank_regs_t *r = fifo_bank_regs(b.bank);
  static const uint64_t memory[] = {1, 0, 0, 0, 2, 3};
  for (unsigned q = 0; q < 3; q++)
    ck_assert((r->empty_q >> q & 1) && r->head_q[q] == 0 && r->tail_q[q] == 0);
  for (unsigned i = 0; i < 6; i++) ck_assert_uint_eq(r->u_mem.mem_q[i], memory[i]);
  ck_assert_uint_eq(r->u_mem.rdata_q, 1);
  cycle(&b, 2, 9, 2);
  ck_assert_uint_eq(b.out.empty_o, 7);
  ck_assert_uint_eq(b.out.full_o, 0);
  cycle(&b, -1, 0, 2);
  ck_assert_uint_eq(b.data, 9);
  fifo_bank_destroy(b.bank);
}
END_TEST

/* A queue as a list: everything that ever entered, and how much of it has left. */
typedef struct {
  uint64_t item[LIST];
  uint32_t in, out;
} list_t;

static void compare(const bench_t *b, const list_t *lists, const fifo_bank_in_t *in, uint64_t data,
                    uint32_t t) {
  const fifo_bank_regs_t *r = fifo_bank_regs(b->bank);
  uint32_t depth = b->cfg.DEPTH;
  uint64_t full = 0, empty = 0;
  for (uint32_t q = 0; q < b->cfg.QUEUES; q++) {
    uint32_t held = lists[q].in - lists[q].out;
    full |= (uint64_t)(held == depth) << q;
    empty |= (uint64_t)(held == 0) << q;
    if (r->head_q[q] != lists[q].out % depth || r->tail_q[q] != lists[q].in % depth)
      ck_abort_msg("cycle %u: pointers of queue %u", t, q);
  }
  uint64_t e = in->enq_queue_i, d = in->deq_same_i ? e : in->deq_queue_i;
  bool enq_ready = e < b->cfg.QUEUES && !(full >> e & 1);
  bool deq_ready = d < b->cfg.QUEUES && !(empty >> d & 1);
  if (b->out.full_o != full || b->out.empty_o != empty) ck_abort_msg("cycle %u: full or empty", t);
  if (b->out.enq_ready_o != enq_ready || b->out.deq_ready_o != deq_ready ||
      b->out.deq_data_o != data)
    ck_abort_msg("cycle %u: ready or data", t);
}

static const uint32_t sizes[][3] = {{1, 1, 1},   {1, 5, 64},  {2, 2, 8},   {3, 5, 13},
                                    {5, 3, 64},  {33, 1, 20}, {48, 8, 64}, {64, 64, 64},
                                    {7, 33, 64}, {64, 48, 3}};

START_TEST(random_against_lists) {
  bench_t b = make(sizes[_i][0], sizes[_i][1], sizes[_i][2]);
  uint32_t queues = b.cfg.QUEUES, reach = 1u << bits_index_w(queues);
  list_t *lists = calloc(64, sizeof *lists);
  prng_t p = prng_seed(3, (uint64_t)_i);
  unsigned enq_rate = 500, deq_rate = 500, favourite = 0;
  uint64_t data = 0;
  for (uint32_t t = 0; t < 40000; t++) {
    if (t % 512 == 0) { /* phases that fill and phases that empty, often around one queue */
      enq_rate = 200 + prng_below(&p, 800);
      deq_rate = 200 + prng_below(&p, 800);
      favourite = prng_below(&p, queues);
    }
    fifo_bank_in_t in = {.srst_ni = !prng_chance(&p, 1),
                         .enq_valid_i = prng_chance(&p, enq_rate),
                         .enq_queue_i = prng_chance(&p, 500) ? favourite : prng_below(&p, reach),
                         .enq_data_i = bits(prng_next(&p), b.cfg.DATA_W),
                         .deq_valid_i = prng_chance(&p, deq_rate),
                         .deq_queue_i = prng_chance(&p, 500) ? favourite : prng_below(&p, reach),
                         .deq_same_i = prng_chance(&p, 250)};
    fifo_bank_comb(b.bank, &in, &b.out);
    compare(&b, lists, &in, data, t);
    list_t *e = &lists[in.enq_queue_i], *d = in.deq_same_i ? e : &lists[in.deq_queue_i];
    if (in.srst_ni && in.deq_valid_i && b.out.deq_ready_o) data = d->item[d->out];
    if (in.enq_valid_i && b.out.enq_ready_o) {
      ck_assert_uint_lt(e->in, LIST);
      e->item[e->in++] = in.enq_data_i;
    }
    if (in.deq_valid_i && b.out.deq_ready_o) d->out++;
    fifo_bank_edge(b.bank, &in);
    for (uint32_t q = 0; q < queues && !in.srst_ni; q++) lists[q].in = lists[q].out = 0;
    for (uint32_t q = 0; q < queues;
         q++) /* start anew long before the end, at a whole number of laps */
      if (lists[q].in > LIST - 8 && lists[q].in == lists[q].out && lists[q].in % b.cfg.DEPTH == 0)
        lists[q].in = lists[q].out = 0;
  }
  free(lists);
  fifo_bank_destroy(b.bank);
}
END_TEST

Suite *test_fifo_bank_suite(void);
Suite *test_fifo_bank_suite(void) {
  Suite *suite = suite_create("fifo_bank");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, worked_example);
  tcase_add_test(tc, stored_first);
  tcase_add_test(tc, flush);
  tcase_add_loop_test(tc, full_refuses, 0, 7);
  tcase_add_test(tc, ready_and_range);
  tcase_add_test(tc, reset_in_the_middle);
  tcase_add_loop_test(tc, random_against_lists, 0, 3);
  TCase *more = tcase_create("more sizes");
  tcase_set_timeout(more, 120);
  tcase_set_tags(more, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(more, random_against_lists, 3, sizeof sizes / sizeof *sizes);
  suite_add_tcase(suite, tc);
  suite_add_tcase(suite, more);
  return suite;
}
