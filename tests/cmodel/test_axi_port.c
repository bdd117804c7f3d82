/* SPDX-License-Identifier: Apache-2.0 */
/* axi_port against its page: cases worked out by hand, and random requests against queues of what
 * memory must see. */
#include "axi_port.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  axi_port_t *self;
  axi_port_cfg_t cfg;
  axi_port_in_t in;
  axi_port_out_t out;
} bench_t;

/* 8 words in a line, 2 in a beat: 4 beats, whose numbers have 2 bits. */
static bench_t make(void) {
  bench_t b = {.cfg = {.ADDR_W = 8, .WORDS = 8, .BUS_WORDS = 2, .ID_W = 4, .STORES = 5},
               .in = {.srst_ni = 1}};
  ck_assert_int_eq(axi_port_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

static uint64_t word(bool write, uint64_t id, uint64_t line, uint64_t first, uint64_t last) {
  return (uint64_t)write << 16 | id << 12 | line << 4 | first << 2 | last;
}

static void request(bench_t *b, uint64_t data) {
  b->in.req_valid_i = 1;
  b->in.req_data_i = data;
}

static const axi_port_out_t *step(bench_t *b) {
  mrpb_err_t err = {""};
  memset(&b->out, 0xff, sizeof b->out);
  ck_assert_msg(axi_port_cycle(b->self, &b->in, &b->out, &err) == 0, "%s", err.text);
  b->in = (axi_port_in_t){.srst_ni = 1};
  return &b->out;
}

/* Line 0x21 begins at byte 0x420; its beat 1 is 8 bytes further. */
START_TEST(read_at_once) {
  bench_t b = make();
  request(&b, word(false, 9, 0x21, 1, 3));
  b.in.ar_ready_i = 1;
  const axi_port_out_t *o = step(&b);
  ck_assert(o->req_ready_o && o->ar_valid_o && o->idle_o);
  ck_assert_uint_eq(o->ar_id_o, 9);
  ck_assert_uint_eq(o->ar_addr_o, 0x428);
  ck_assert_uint_eq(o->ar_len_o, 2);
  o = step(&b);
  ck_assert(!o->ar_valid_o && o->ar_id_o == 0 && o->ar_addr_o == 0 && o->ar_len_o == 0);
  axi_port_destroy(b.self);
}
END_TEST

/* A read that is not taken leaves the queue, and stays on offer; the next one waits for it. */
START_TEST(read_kept) {
  bench_t b = make();
  request(&b, word(false, 1, 0xff, 3, 3));
  ck_assert(step(&b)->req_ready_o);
  for (unsigned n = 0; n < 3; n++) {
    request(&b, word(false, 2, 0, 0, 0));
    const axi_port_out_t *o = step(&b);
    ck_assert(!o->req_ready_o && o->ar_valid_o && o->ar_id_o == 1 && !o->idle_o);
    ck_assert_uint_eq(o->ar_addr_o, 0xff * 32 + 24);
    ck_assert_uint_eq(o->ar_len_o, 0);
  }
  request(&b, word(false, 2, 0, 0, 0));
  b.in.ar_ready_i = 1;
  ck_assert(!step(&b)->req_ready_o);
  request(&b, word(false, 2, 0, 0, 0));
  const axi_port_out_t *o = step(&b);
  ck_assert(o->req_ready_o && o->ar_id_o == 2);
  axi_port_destroy(b.self);
}
END_TEST

/* Three beats of entry 4, the address last; the next write follows in the cycle in which this one
 * ends. A read passes meanwhile. */
START_TEST(write_of_three_beats) {
  bench_t b = make();
  request(&b, word(true, 0xc, 5, 1, 3));
  const axi_port_out_t *o = step(&b);
  ck_assert(o->req_ready_o && !o->aw_valid_o && !o->w_valid_o && o->idle_o);
  for (uint64_t beat = 1; beat <= 3; beat++) {
    request(&b, beat == 2 ? word(false, 7, 1, 0, 0) : word(true, 1, 2, 0, 0));
    b.in.ar_ready_i = b.in.w_ready_i = 1;
    b.in.beat_data_i[0] = 0x1111 * beat;
    b.in.beat_strobe_i[0] = 0x10 + beat;
    o = step(&b);
    ck_assert(o->aw_valid_o && o->aw_addr_o == 5 * 32 + 8 && o->aw_len_o == 2);
    ck_assert(o->w_valid_o && o->w_data_o[0] == 0x1111 * beat && o->w_strb_o[0] == 0x10 + beat);
    ck_assert(o->beat_entry_o == 4 && o->beat_number_o == beat && o->w_last_o == (beat == 3));
    ck_assert(o->req_ready_o == (beat == 2) && o->ar_valid_o == (beat == 2));
  }
  b.in.beat_data_i[0] = 1;
  o = step(&b);
  ck_assert(o->aw_valid_o && !o->w_valid_o && o->w_data_o[0] == 0 && o->beat_entry_o == 0);
  request(&b, word(true, 1, 2, 0, 0));
  b.in.aw_ready_i = 1;
  ck_assert(step(&b)->req_ready_o);
  b.in.aw_ready_i = b.in.w_ready_i = 1;
  o = step(&b);
  ck_assert(o->aw_valid_o && o->w_valid_o && o->w_last_o && o->req_ready_o);
  ck_assert(step(&b)->idle_o);
  axi_port_destroy(b.self);
}
END_TEST

/* The entry of a write is free when its last beat is taken, not with a beat before it. */
START_TEST(frees) {
  bench_t b = make();
  request(&b, word(true, 0xb, 2, 1, 2));
  ck_assert(!step(&b)->free_valid_o);
  b.in.w_ready_i = 1;
  const axi_port_out_t *o = step(&b);
  ck_assert(o->w_valid_o && o->beat_entry_o == 3 && !o->free_valid_o && o->free_entry_o == 0);
  ck_assert(!step(&b)->free_valid_o);
  b.in.w_ready_i = 1;
  o = step(&b);
  ck_assert(o->w_last_o && o->free_valid_o && o->free_entry_o == 3);
  axi_port_destroy(b.self);
}
END_TEST

/* A reset takes all offers back; in its own cycle they are still there. */
START_TEST(reset) {
  bench_t b = make();
  request(&b, word(true, 1, 2, 0, 3));
  step(&b);
  request(&b, word(false, 1, 2, 0, 3));
  step(&b);
  b.in.srst_ni = 0;
  request(&b, word(true, 1, 2, 0, 3));
  const axi_port_out_t *o = step(&b);
  ck_assert(o->ar_valid_o && o->aw_valid_o && o->w_valid_o);
  o = step(&b);
  ck_assert(!o->ar_valid_o && !o->aw_valid_o && !o->w_valid_o && o->idle_o);
  axi_port_destroy(b.self);
}
END_TEST

/* Beats that the line does not have: 5 words in beats of 2 are 3 beats, with numbers of 2 bits. */
START_TEST(odd_sizes) {
  bench_t b = {.cfg = {.ADDR_W = 3, .WORDS = 5, .BUS_WORDS = 2, .ID_W = 1, .STORES = 9},
               .in = {.srst_ni = 1}};
  ck_assert_int_eq(axi_port_create(&b.self, &b.cfg, NULL), 0);
  request(&b, 1 << 7 | 7 << 4 | 2 << 2 | 0); /* a read of line 7, beats 2, 3, 0 */
  const axi_port_out_t *o = step(&b);
  ck_assert_uint_eq(o->ar_id_o, 1);
  ck_assert_uint_eq(o->ar_addr_o, 7 * 20 + 16);
  ck_assert_uint_eq(o->ar_len_o, 2);
  request(&b, 1 << 8 | 1 << 7 | 0 << 4 | 3 << 2 | 0);
  step(&b);
  b.in.w_ready_i = 1;
  o = step(&b);
  ck_assert(o->beat_number_o == 3 && !o->w_last_o && o->beat_entry_o == 1);
  b.in.w_ready_i = 1;
  o = step(&b);
  ck_assert(o->beat_number_o == 0 && o->w_last_o);
  axi_port_destroy(b.self);
}
END_TEST

enum { HELD = 4 };

/* Requests that were taken, and what memory has seen of them. */
typedef struct {
  uint64_t read[HELD], addr, beats; /* the oldest first */
  unsigned reads, addrs, left;
} seen_t;

static void seen_addresses(seen_t *s, const axi_port_in_t *i, const axi_port_out_t *o) {
  ck_assert_uint_eq(o->ar_valid_o, s->reads > 0);
  ck_assert_uint_eq(o->aw_valid_o, s->addrs > 0);
  if (s->reads) {
    const uint64_t q = s->read[0];
    ck_assert_uint_eq(o->ar_id_o, q >> 12 & 15);
    ck_assert_uint_eq(o->ar_addr_o, (q >> 4 & 255) * 32 + (q >> 2 & 3) * 8);
    ck_assert_uint_eq(o->ar_len_o, (q - (q >> 2)) & 3);
    if (i->ar_ready_i) s->reads = 0;
  }
  if (s->addrs) {
    ck_assert_uint_eq(o->aw_addr_o, (s->addr >> 4 & 255) * 32 + (s->addr >> 2 & 3) * 8);
    ck_assert_uint_eq(o->aw_len_o, (s->addr - (s->addr >> 2)) & 3);
    if (i->aw_ready_i) s->addrs = 0;
  }
}

static void seen_beats(seen_t *s, const axi_port_in_t *i, const axi_port_out_t *o) {
  ck_assert_uint_eq(o->w_valid_o, s->left > 0);
  if (!s->left) return;
  ck_assert_uint_eq(o->beat_entry_o, s->beats >> 12 & 7);
  ck_assert_uint_eq(o->beat_number_o, (s->beats - (s->left - 1)) & 3);
  ck_assert_uint_eq(o->w_last_o, s->left == 1);
  s->left -= i->w_ready_i != 0;
}

START_TEST(random_requests) {
  bench_t b = make();
  seen_t s = {.reads = 0};
  prng_t p = prng_seed(17, (uint64_t)_i);
  unsigned reads = 0, writes = 0;
  for (uint32_t t = 0; t < 20000; t++) {
    const uint64_t v = prng_next(&p), data = v >> 8 & 0x1ffff;
    const bool write = data >> 16 & 1;
    b.in.req_valid_i = (v & 3) != 0;
    b.in.req_data_i = data;
    b.in.ar_ready_i = v >> 2 & 1;
    b.in.aw_ready_i = v >> 3 & 1;
    b.in.w_ready_i = v >> 4 & 1;
    const axi_port_in_t in = b.in;
    const bool read_waits = s.reads > 0;
    if (in.req_valid_i && !write && !read_waits) s.read[s.reads++] = data;
    const axi_port_out_t *o = step(&b);
    seen_addresses(&s, &in, o);
    seen_beats(&s, &in, o);
    ck_assert_uint_eq(o->req_ready_o, write ? !s.addrs && !s.left : !read_waits);
    reads += in.req_valid_i && !write && o->req_ready_o;
    if (!in.req_valid_i || !write || !o->req_ready_o) continue;
    writes++;
    s.addr = s.beats = data;
    s.addrs = 1;
    s.left = (unsigned)((data - (data >> 2)) & 3) + 1;
  }
  ck_assert(reads > 1000 && writes > 1000);
  axi_port_destroy(b.self);
}
END_TEST

Suite *test_axi_port_suite(void);
Suite *test_axi_port_suite(void) {
  Suite *suite = suite_create("axi_port");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, read_at_once);
  tcase_add_test(tc, read_kept);
  tcase_add_test(tc, write_of_three_beats);
  tcase_add_test(tc, frees);
  tcase_add_test(tc, reset);
  tcase_add_test(tc, odd_sizes);
  tcase_add_loop_test(tc, random_requests, 0, 3);
  suite_add_tcase(suite, tc);
  return suite;
}
