/* SPDX-License-Identifier: Apache-2.0 */
/* l1_top against its page: scenes with a memory that answers after some cycles, worked out by hand. */
#include "l1_top.h"
#include <check.h>
#include <stdbool.h>
#include <string.h>

enum { LANES = 4, WORDS = 8, BUS_WORDS = 2, MEMORY = 256, MOST = 64, DELAY = 6 };

static const l1_top_cfg_t small = {.LANES = LANES,
                                   .WORDS = WORDS,
                                   .SECTORS = 2,
                                   .BUS_WORDS = BUS_WORDS,
                                   .ADDR_W = 5,
                                   .SETS = 2,
                                   .WAYS = 2,
                                   .MSHRS = 3,
                                   .MERGES = 2,
                                   .BYPASSES = 2,
                                   .ENTRIES = 5,
                                   .STORES = 3,
                                   .WRITES = 4,
                                   .MISSES = 3,
                                   .READS = 2,
                                   .ANSWERS = 2,
                                   .QUEUES = 4,
                                   .DEPTH = 2,
                                   .BLOCKS = 4,
                                   .SIGNATURE = 1,
                                   .FLUSH = 1,
                                   .LATENCY = 3,
                                   .BYPASS = 2,
                                   .PASSES = 1,
                                   .TAG_W = 4};

typedef struct {
  unsigned cycle, warp, tag, lanes, last;
  uint32_t data[LANES];
} answer_t;

typedef struct {
  l1_top_t *self;
  l1_top_in_t in;
  l1_top_out_t out;
  unsigned cycle;
  uint32_t memory[MEMORY]; /* words */
  /* Beats and acknowledgments that are to come. */
  struct {
    unsigned due, id, word, last;
  } beat[MOST];
  unsigned due[MOST]; /* acknowledgments, in the order of the writes */
  unsigned beats, reads, read_len, writes, write_at, acks, acked;
  answer_t answer[MOST];
  unsigned answers, stored, stored_warp;
} bench_t;

static bench_t make(l1_top_cfg_t cfg) {
  bench_t b = {.in = {.srst_ni = 1, .out_ready_i = 1}};
  mrpb_err_t err = {""};
  ck_assert_msg(l1_top_create(&b.self, &cfg, &err) == 0, "%s", err.text);
  for (unsigned w = 0; w < MEMORY; w++) b.memory[w] = 0x1000 + w;
  return b;
}

static uint32_t word(const uint64_t *words, unsigned i) {
  return (uint32_t)(words[i / 2] >> i % 2 * 32);
}

static void memory_answers(bench_t *b) {
  b->in.ar_ready_i = b->in.aw_ready_i = b->in.w_ready_i = 1;
  if (b->beats && b->beat[0].due <= b->cycle) {
    b->in.r_valid_i = 1;
    b->in.r_id_i = b->beat[0].id;
    b->in.r_last_i = b->beat[0].last;
    b->in.r_data_i[0] = b->memory[b->beat[0].word] | (uint64_t)b->memory[b->beat[0].word + 1] << 32;
    b->beats--;
    memmove(&b->beat[0], &b->beat[1], b->beats * sizeof b->beat[0]);
  }
  if (b->acked < b->acks && b->due[b->acked] <= b->cycle) {
    b->in.b_valid_i = 1;
    b->acked++;
  }
}

static void memory_takes(bench_t *b) {
  const l1_top_out_t *o = &b->out;
  if (o->ar_valid_o) {
    b->reads++;
    b->read_len = (unsigned)o->ar_len_o + 1;
    for (unsigned k = 0; k < b->read_len; k++, b->beats++) {
      b->beat[b->beats].due = b->cycle + DELAY + k;
      b->beat[b->beats].id = (unsigned)o->ar_id_o;
      b->beat[b->beats].word = (unsigned)o->ar_addr_o / 4 + k * BUS_WORDS;
      b->beat[b->beats].last = k + 1 == b->read_len;
    }
  }
  if (o->aw_valid_o) {
    b->writes++;
    b->write_at = (unsigned)o->aw_addr_o / 4;
  }
  if (!o->w_valid_o) return;
  for (unsigned i = 0; i < 4 * BUS_WORDS; i++)
    if (o->w_strb_o[0] >> i & 1) {
      uint32_t *to = &b->memory[b->write_at + i / 4];
      const uint32_t mask = UINT32_C(0xff) << i % 4 * 8;
      *to = (*to & ~mask) | (word(o->w_data_o, i / 4) & mask);
    }
  b->write_at += BUS_WORDS;
  if (o->w_last_o) b->due[b->acks++] = b->cycle + DELAY;
}

static const l1_top_out_t *step(bench_t *b) {
  memory_answers(b);
  memset(&b->out, 0xff, sizeof b->out);
  l1_top_step(b->self, &b->in, &b->out);
  const l1_top_out_t *o = &b->out;
  memory_takes(b);
  if (o->out_valid_o && b->in.out_ready_i) {
    answer_t *a = &b->answer[b->answers++];
    *a = (answer_t){b->cycle,
                    (unsigned)o->out_warp_o,
                    (unsigned)o->out_tag_o,
                    (unsigned)o->out_mask_o,
                    (unsigned)o->out_last_o,
                    {0}};
    for (unsigned l = 0; l < LANES; l++) a->data[l] = word(o->out_data_o, l);
  }
  if (o->stored_valid_o) {
    b->stored++;
    b->stored_warp = (unsigned)o->stored_warp_o;
  }
  b->cycle++;
  b->in = (l1_top_in_t){.srst_ni = 1, .out_ready_i = 1};
  return o;
}

static void run(bench_t *b, unsigned cycles) {
  while (cycles--) step(b);
}

/* Offers an instruction of the lanes in `mask`: lane l is at word at[l] of memory. */
static void offer(bench_t *b, bool write, unsigned warp, unsigned tag, unsigned mask,
                  const unsigned *at) {
  b->in.in_valid_i = 1;
  b->in.in_write_i = write;
  b->in.in_warp_i = warp;
  b->in.in_block_i = warp;
  b->in.in_tag_i = tag;
  b->in.in_mask_i = mask;
  for (unsigned l = 0; l < LANES; l++) {
    b->in.in_line_i[0] |= (uint64_t)(at[l] / WORDS) << 5 * l;
    b->in.in_word_i[0] |= (uint64_t)(at[l] % WORDS) << 3 * l;
    b->in.in_data_i[l / 2] |= (uint64_t)(0xa0 + l) << l % 2 * 32;
    b->in.in_bytes_i[0] |= UINT64_C(15) << 4 * l;
  }
}

static unsigned enter(bench_t *b, bool write, unsigned warp, unsigned tag, unsigned mask,
                      const unsigned *at) {
  for (unsigned k = 0; k < MOST; k++) {
    offer(b, write, warp, tag, mask, at);
    if (step(b)->in_ready_o) return b->cycle - 1;
  }
  ck_abort_msg("the instruction is not taken");
}

static const unsigned row[LANES] = {16, 17, 18, 19}, two[LANES] = {16, 17, 24, 31};

/* A miss reads the sector that it needs; a hit comes back in the eleventh cycle. */
START_TEST(miss_and_hit) {
  bench_t b = make(small);
  enter(&b, false, 2, 5, 15, row);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 1);
  ck_assert_uint_eq(b.read_len, 2);
  ck_assert_uint_eq(b.answers, 1);
  ck_assert_uint_eq(b.answer[0].warp, 2);
  ck_assert_uint_eq(b.answer[0].tag, 5);
  ck_assert_uint_eq(b.answer[0].lanes, 15);
  ck_assert_uint_eq(b.answer[0].last, 1);
  for (unsigned l = 0; l < LANES; l++) ck_assert_uint_eq(b.answer[0].data[l], 0x1010 + l);
  const unsigned at = enter(&b, false, 1, 6, 5, row);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 1);
  ck_assert_uint_eq(b.answers, 2);
  ck_assert_uint_eq(b.answer[1].cycle - at, 11);
  ck_assert_uint_eq(b.answer[1].data[2], 0x1012);
  ck_assert_uint_eq(b.answer[1].data[1], 0);
  ck_assert_uint_eq(b.out.hits_o, 1);
  ck_assert_uint_eq(b.out.misses_o, 1);
  l1_top_destroy(b.self);
}
END_TEST

/* The other sector of a line that is here is read alone. */
START_TEST(sectors) {
  static const unsigned other[LANES] = {20, 21, 22, 23}, all[LANES] = {16, 19, 20, 23};
  bench_t b = make(small);
  enter(&b, false, 0, 1, 15, row);
  run(&b, 40);
  enter(&b, false, 0, 2, 15, other);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 2);
  ck_assert_uint_eq(b.read_len, 2);
  enter(&b, false, 0, 3, 15, all);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 2);
  ck_assert_uint_eq(b.answer[2].data[0], 0x1010);
  ck_assert_uint_eq(b.answer[2].data[3], 0x1017);
  l1_top_destroy(b.self);
}
END_TEST

/* Lanes in two lines are two requests; only the second answer is the last. */
START_TEST(two_lines) {
  bench_t b = make(small);
  enter(&b, false, 3, 9, 15, two);
  run(&b, 60);
  ck_assert_uint_eq(b.reads, 2);
  ck_assert_uint_eq(b.answers, 2);
  ck_assert_uint_eq(b.answer[0].lanes | b.answer[1].lanes, 15);
  ck_assert_uint_eq(b.answer[0].lanes & b.answer[1].lanes, 0);
  ck_assert_uint_eq(b.answer[0].last, 0);
  ck_assert_uint_eq(b.answer[1].last, 1);
  for (unsigned l = 0; l < LANES; l++)
    ck_assert_uint_eq(b.answer[0].data[l] + b.answer[1].data[l], 0x1000 + two[l]);
  l1_top_destroy(b.self);
}
END_TEST

/* Two loads of a line that is not here read it once. */
START_TEST(merge) {
  bench_t b = make(small);
  enter(&b, false, 0, 1, 1, row);
  enter(&b, false, 1, 2, 2, row);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 1);
  ck_assert_uint_eq(b.answers, 2);
  ck_assert_uint_eq(b.out.merges_o, 1);
  ck_assert_uint_eq(b.answer[1].data[1], 0x1011);
  l1_top_destroy(b.self);
}
END_TEST

/* A store evicts the line and goes to memory; the next load of the warp waits for it. */
START_TEST(store) {
  bench_t b = make(small);
  enter(&b, false, 2, 1, 15, row);
  run(&b, 40);
  enter(&b, true, 2, 0, 6, row);
  enter(&b, false, 2, 2, 15, row);
  run(&b, 60);
  ck_assert_uint_eq(b.writes, 1);
  ck_assert_uint_eq(b.stored, 1);
  ck_assert_uint_eq(b.stored_warp, 2);
  ck_assert_uint_eq(b.memory[16], 0x1010);
  ck_assert_uint_eq(b.memory[17], 0xa1);
  ck_assert_uint_eq(b.memory[18], 0xa2);
  ck_assert_uint_eq(b.reads, 2);
  ck_assert_uint_eq(b.answer[1].data[0], 0x1010);
  ck_assert_uint_eq(b.answer[1].data[1], 0xa1);
  ck_assert_uint_eq(b.out.evicts_o, 1);
  ck_assert_uint_eq(b.out.stores_o, 1);
  l1_top_destroy(b.self);
}
END_TEST

/* Of a second store the lanes must wait until all requests of the first have left the coalescer. */
START_TEST(store_after_store) {
  bench_t b = make(small);
  const unsigned first = enter(&b, true, 0, 0, 15, two);
  const unsigned second = enter(&b, true, 1, 0, 1, row);
  ck_assert_uint_eq(second - first, 3);
  run(&b, 60);
  ck_assert_uint_eq(b.stored, 3);
  ck_assert_uint_eq(b.memory[31], 0xa3);
  l1_top_destroy(b.self);
}
END_TEST

/* Two stores of one line are in flight together, and a load behind them waits for both. */
START_TEST(stores_of_a_line) {
  bench_t b = make(small);
  enter(&b, true, 2, 0, 2, row);
  const unsigned first = b.cycle;
  enter(&b, true, 3, 0, 4, row);
  enter(&b, false, 3, 2, 15, row);
  while (b.writes < 2 && b.cycle < first + 40) step(&b);
  ck_assert_uint_eq(b.writes, 2);
  ck_assert_uint_eq(b.stored, 0);
  ck_assert_uint_eq(b.reads, 0);
  run(&b, 60);
  ck_assert_uint_eq(b.stored, 2);
  ck_assert_uint_eq(b.stored_warp, 3);
  ck_assert_uint_eq(b.answer[0].data[1], 0xa1);
  ck_assert_uint_eq(b.answer[0].data[2], 0xa2);
  l1_top_destroy(b.self);
}
END_TEST

/* An instruction without lanes is taken at once, and nothing follows. */
START_TEST(nothing) {
  bench_t b = make(small);
  offer(&b, false, 0, 1, 0, row);
  ck_assert_uint_eq(step(&b)->in_ready_o, 1);
  run(&b, 30);
  ck_assert_uint_eq(b.reads + b.writes + b.answers, 0);
  l1_top_destroy(b.self);
}
END_TEST

/* A flush waits for what is under way, takes no instruction, and forgets every line. */
START_TEST(flush) {
  bench_t b = make(small);
  enter(&b, false, 0, 1, 15, row);
  bool done = false;
  for (unsigned k = 0; k < 60 && !done; k++) {
    b.in.flush_i = 1;
    offer(&b, false, 1, 2, 1, row);
    done = step(&b)->flush_done_o;
    ck_assert_uint_eq(b.out.in_ready_o, 0);
    if (done) ck_assert_uint_eq(b.answers, 1);
  }
  ck_assert(done);
  b.memory[16] = 7;
  enter(&b, false, 0, 3, 1, row);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 2);
  ck_assert_uint_eq(b.answer[1].data[0], 7);
  l1_top_destroy(b.self);
}
END_TEST

/* A barrier waits for the requests of its block that are before the L1, not for those of others. */
START_TEST(barrier) {
  bench_t b = make(small);
  b.in.barrier_valid_i = 1;
  ck_assert_uint_eq(step(&b)->barrier_ready_o, 1);
  const unsigned at = enter(&b, false, 2, 1, 15, row);
  unsigned passed = 0, other = 0;
  for (unsigned k = 0; k < 20; k++) {
    b.in.barrier_valid_i = 1;
    b.in.barrier_block_i = k % 2 ? 2 : 1;
    const unsigned cycle = b.cycle;
    if (!step(&b)->barrier_ready_o) continue;
    if (k % 2 && !passed) passed = cycle - at;
    if (k % 2 == 0 && !other) other = cycle - at;
  }
  ck_assert_uint_lt(other, passed);
  ck_assert_uint_ge(passed, 8); /* decided in the seventh cycle */
  l1_top_destroy(b.self);
}
END_TEST

/* A reset forgets loads: no answer comes, and the line is read anew. */
START_TEST(reset) {
  bench_t b = make(small);
  enter(&b, false, 0, 1, 15, row);
  run(&b, 40);
  enter(&b, false, 0, 2, 15, row);
  b.in.srst_ni = 0;
  step(&b);
  run(&b, 40);
  ck_assert_uint_eq(b.answers, 1);
  ck_assert_uint_eq(b.out.hits_o, 0);
  enter(&b, false, 0, 3, 15, row);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 2);
  ck_assert_uint_eq(b.answer[1].tag, 3);
  l1_top_destroy(b.self);
}
END_TEST

/* A line of five words comes in three beats, of which the last is half a beat. */
START_TEST(odd_line) {
  static const unsigned all[LANES] = {10, 12, 13, 14};
  l1_top_cfg_t cfg = small;
  cfg.WORDS = 5;
  cfg.SECTORS = 1;
  bench_t b = make(cfg);
  b.in.in_valid_i = 1;
  b.in.in_mask_i = 15;
  for (unsigned l = 0; l < LANES; l++) {
    b.in.in_line_i[0] |= UINT64_C(2) << 5 * l;
    b.in.in_word_i[0] |= (uint64_t)(all[l] - 10) << 3 * l;
  }
  ck_assert_uint_eq(step(&b)->in_ready_o, 1);
  run(&b, 40);
  ck_assert_uint_eq(b.reads, 1);
  ck_assert_uint_eq(b.read_len, 3);
  ck_assert_uint_eq(b.answers, 1);
  for (unsigned l = 0; l < LANES; l++) ck_assert_uint_eq(b.answer[0].data[l], 0x1000 + all[l]);
  l1_top_destroy(b.self);
}
END_TEST

Suite *test_l1_top_suite(void);
Suite *test_l1_top_suite(void) {
  Suite *s = suite_create("l1_top");
  TCase *t = tcase_create("scenes");
  tcase_add_test(t, miss_and_hit);
  tcase_add_test(t, sectors);
  tcase_add_test(t, two_lines);
  tcase_add_test(t, merge);
  tcase_add_test(t, store);
  tcase_add_test(t, store_after_store);
  tcase_add_test(t, stores_of_a_line);
  tcase_add_test(t, nothing);
  tcase_add_test(t, flush);
  tcase_add_test(t, barrier);
  tcase_add_test(t, reset);
  tcase_add_test(t, odd_line);
  suite_add_tcase(s, t);
  return s;
}
