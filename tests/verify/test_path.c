/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a path: for each clause, hand-made events that break it are reported under its name
 * and break no other clause. */
#include "verify/path/path.h"
#include "bits.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_path_suite(void);

typedef struct {
  path_model_t m;
  path_in_t in; /* of the next cycle */
  path_out_t out;
  bool good;
} run_t;

static void clear(run_t *r) {
  memset(&r->in, 0, sizeof r->in);
  memset(&r->out, 0, sizeof r->out);
  r->in.srst_ni = r->in.mem_ready_i = r->in.ar_ready_i = r->in.aw_ready_i = r->in.w_ready_i = 1;
  r->in.rsp_ready_i = bits_mask(r->m.cfg.LANES);
  r->out.mem_rsp_ready_o = r->out.r_ready_o = r->out.b_ready_o = 1;
}

/* Two lanes of 4 bytes, lines of 16; everything is seen. */
static run_t *start(unsigned off, bool axi) {
  path_cfg_t cfg;
  const path_has_t has = {.write = true,
                          .mask = true,
                          .rsp_ready = true,
                          .flush = true,
                          .mem_ready = true,
                          .mem = !axi,
                          .mem_write = true,
                          .mem_id = true,
                          .mem_mask = true,
                          .mem_rsp_ready = true,
                          .axi = axi,
                          .axi_write = axi,
                          .axi_ready = axi,
                          .r_ready = axi,
                          .b_ready = axi};
  run_t *r = calloc(1, sizeof *r);
  ck_assert_ptr_nonnull(r);
  module_defaults(&path_class, (uint32_t *)&cfg);
  cfg.LANES = 2;
  cfg.JOINT = 0;
  path_model_start(&r->m, &cfg, &has, off, 1);
  r->good = true;
  clear(r);
  return r;
}

static void cycle(run_t *r) {
  if (r->good) r->good = path_model_cycle(&r->m, &r->in, &r->out);
  clear(r);
}

static void idle(run_t *r, unsigned cycles) {
  while (cycles-- > 0) cycle(r);
}

static uint8_t initial(run_t *r, uint64_t addr) {
  return bytes_line(&r->m.bytes, addr & ~UINT64_C(15), true)->byte[addr & 15].memory;
}

/* The word that memory has at first. */
static uint32_t first_word(run_t *r, uint64_t addr) {
  uint32_t word = 0;
  for (unsigned i = 0; i < 4; i++) word |= (uint32_t)initial(r, addr + i) << 8 * i;
  return word;
}

static void request(run_t *r, unsigned lane, const path_request_t *q) {
  path_request_put(&r->m.cfg, &r->in, lane, q);
  r->in.req_valid_i |= UINT64_C(1) << lane;
}

static void load(run_t *r, unsigned lane, unsigned tag, uint64_t addr) {
  request(r, lane, &(path_request_t){.addr = addr, .tag = tag, .mask = 15});
  r->out.req_ready_o = 3;
  cycle(r);
}

static void store(run_t *r, uint64_t addr, uint32_t data, unsigned mask) {
  request(r, 0, &(path_request_t){.write = true, .addr = addr, .data = data, .mask = mask});
  r->out.req_ready_o = 3;
  cycle(r);
}

static void set_answer(run_t *r, unsigned lane, unsigned tag, uint32_t word) {
  r->out.rsp_valid_o |= UINT64_C(1) << lane;
  words_put(r->out.rsp_tag_o, lane * 4, 4, tag);
  words_put(r->out.rsp_data_o, lane * 32, 32, word);
}

static void answer(run_t *r, unsigned lane, unsigned tag, uint32_t word) {
  set_answer(r, lane, tag, word);
  cycle(r);
}

/* A request to memory: of the line's first word with `mask`, a write if `write`. */
static void set_memory(run_t *r, bool write, uint64_t addr, uint32_t data, unsigned mask) {
  r->out.mem_valid_o = 1;
  r->out.mem_write_o = write;
  r->out.mem_addr_o = addr;
  r->out.mem_mask_o[0] = mask;
  r->out.mem_data_o[0] = data;
}

static void memory(run_t *r, bool write, uint64_t addr, uint32_t data, unsigned mask) {
  set_memory(r, write, addr, data, mask);
  cycle(r);
}

static void reply(run_t *r) {
  r->in.mem_rsp_valid_i = 1;
  cycle(r);
}

static void flush(run_t *r, bool done) {
  r->in.flush_i = 1;
  r->out.flush_done_o = done;
  cycle(r);
}

static void reset(run_t *r) {
  r->in.srst_ni = 0;
  cycle(r);
}

/* ---- a way to break each ---- */

static void correct(run_t *r) {
  const uint32_t old = first_word(r, 0x20);
  load(r, 0, 1, 0x20);
  store(r, 0x20, 0x44332211, 5); /* bytes 0 and 2: the load is older */
  memory(r, false, 0x20, 0, 0xffff);
  reply(r);
  load(r, 1, 1, 0x20);
  answer(r, 0, 1, old);
  answer(r, 1, 1, (old & 0xff00ff00) | 0x00330011);
  store(r, 0x20, 0x99, 1);
  memory(r, true, 0x20, 0x00330099, 5); /* two stores of byte 0 in one write */
  memory(r, true, 0x20, 0x00330099, 5); /* and again, as REWRITE allows */
  flush(r, false);
  flush(r, true);
  const uint32_t now = first_word(r, 0x20); /* another device may have written it */
  load(r, 0, 2, 0x20);
  reset(r);
  load(r, 0, 2, 0x20);
  answer(r, 0, 2, now);
}

static void value(run_t *r) {
  const uint32_t old = first_word(r, 0x20);
  store(r, 0x20, 0x11, 1);
  load(r, 0, 1, 0x20);
  answer(r, 0, 1, old);
}

static void younger(run_t *r) {
  const uint32_t old = first_word(r, 0x20);
  load(r, 0, 1, 0x20);
  store(r, 0x20, 0x11, 1);
  answer(r, 0, 1, (old & 0xffffff00) | 0x11);
}

static void once(run_t *r) {
  const uint32_t old = first_word(r, 0x20);
  load(r, 0, 1, 0x20);
  answer(r, 0, 1, old);
  answer(r, 0, 1, old);
}

static void lane(run_t *r) {
  load(r, 0, 1, 0x20);
  answer(r, 1, 1, first_word(r, 0x20));
}

static void answered(run_t *r) {
  load(r, 0, 1, 0x20);
  idle(r, r->m.patience + 1);
}

/* While memory owes an answer, no time passes. */
static void waits(run_t *r) {
  load(r, 0, 1, 0x20);
  memory(r, false, 0x20, 0, 0xffff);
  idle(r, 20 * r->m.patience);
}

/* Lines come all the time, but no answer. */
static void livelock(run_t *r) {
  load(r, 0, 1, 0x20);
  for (unsigned i = 0; i <= r->m.patience; i++) {
    memory(r, false, 0x20, 0, 0xffff);
    reply(r);
  }
}

static void accepted(run_t *r) {
  for (unsigned i = 0; i < r->m.patience + 2; i++) {
    request(r, 0, &(path_request_t){.addr = 0x20, .mask = 15});
    cycle(r);
  }
}

static void lost_in_flush(run_t *r) {
  store(r, 0x20, ~first_word(r, 0x20), 1);
  flush(r, true);
}

static void lost_in_time(run_t *r) {
  r->m.cfg.BACK = 0;
  store(r, 0x20, ~first_word(r, 0x20), 1);
  idle(r, r->m.patience + 1);
}

static void written(run_t *r) {
  memory(r, true, 0x20, ~first_word(r, 0x20), 1);
}

static void written_older(run_t *r) {
  const uint32_t old = first_word(r, 0x20);
  store(r, 0x20, old + 1, 1);
  store(r, 0x20, old + 2, 1);
  memory(r, true, 0x20, old + 2, 1);
  memory(r, true, 0x20, old + 1, 1);
}

static void doubled(run_t *r) {
  r->m.cfg.REWRITE = 0;
  const uint32_t old = first_word(r, 0x20);
  store(r, 0x20, old + 1, 1);
  memory(r, true, 0x20, old + 1, 1);
  memory(r, true, 0x20, old + 1, 1);
}

static void malformed(run_t *r) {
  memory(r, false, 0x24, 0, 0xffff);
}

static void no_byte(run_t *r) {
  memory(r, true, 0x20, 0, 0);
}

static void part_of_sector(run_t *r) {
  r->m.cfg.SECTOR = 8;
  memory(r, false, 0x20, 0, 0xff); /* a sector */
  memory(r, false, 0x20, 0, 0xfff);
}

static void held_answer(run_t *r) {
  load(r, 0, 1, 0x20);
  set_answer(r, 0, 1, first_word(r, 0x20));
  r->in.rsp_ready_i = 2;
  cycle(r);
  cycle(r);
}

static void held_request(run_t *r) {
  set_memory(r, false, 0x20, 0, 0xffff);
  r->in.mem_ready_i = 0;
  cycle(r);
  memory(r, false, 0x30, 0, 0xffff);
}

/* The lines that another device writes are drawn: of 16 lines, one at least is. */
static void kept(run_t *r) {
  uint32_t old[16];
  for (unsigned i = 0; i < 16; i++) old[i] = first_word(r, 16 * i);
  flush(r, true);
  for (unsigned i = 0; i < 16; i++) {
    if (!r->good || first_word(r, 16 * i) == old[i]) continue;
    load(r, 0, 1, 16 * i);
    answer(r, 0, 1, old[i]);
  }
}

static void flushed(run_t *r) {
  for (unsigned i = 0; i < 17 * r->m.patience; i++) flush(r, false);
}

static void before(run_t *r) {
  load(r, 0, 1, 0x20);
  reset(r);
  answer(r, 0, 1, first_word(r, 0x20));
}

/* ---- AXI ---- */

static void set_aw(run_t *r, uint64_t addr, unsigned beats) {
  r->out.aw_valid_o = 1;
  r->out.aw_addr_o = addr;
  r->out.aw_len_o = beats - 1;
  r->out.aw_size_o = 3;
  r->out.aw_burst_o = 1;
}

static void set_w(run_t *r, uint64_t data, unsigned strobe, bool last) {
  r->out.w_valid_o = 1;
  r->out.w_data_o[0] = data;
  r->out.w_strb_o[0] = strobe;
  r->out.w_last_o = last;
}

static void set_ar(run_t *r, uint64_t addr, unsigned beats, unsigned burst) {
  r->out.ar_valid_o = 1;
  r->out.ar_addr_o = addr;
  r->out.ar_len_o = beats - 1;
  r->out.ar_size_o = 3;
  r->out.ar_burst_o = burst;
}

/* The byte at 0x28 is in the second beat, whose beats come before the address. */
static void axi_correct(run_t *r) {
  store(r, 0x28, 0x77, 1);
  set_w(r, 0, 0, false);
  cycle(r);
  set_w(r, 0x77, 1, true);
  cycle(r);
  set_aw(r, 0x20, 2);
  cycle(r);
  r->in.b_valid_i = 1;
  cycle(r);
  set_ar(r, 0x28, 2, 2); /* wraps: 0x28, then 0x20 */
  cycle(r);
  r->in.r_valid_i = 1;
  path_model_legal(&r->m, &r->in);
  ck_assert_uint_eq(r->in.r_data_i[0] & 0xff, 0x77);
  ck_assert_uint_eq(r->in.r_last_i, 0);
  cycle(r);
  r->in.r_valid_i = 1;
  path_model_legal(&r->m, &r->in);
  ck_assert_uint_eq(r->in.r_data_i[0] & 0xff, initial(r, 0x20));
  ck_assert_uint_eq(r->in.r_last_i, 1);
  cycle(r);
  flush(r, true);
}

static void axi_page(run_t *r) {
  r->m.cfg.ADDR_W = 16;
  set_ar(r, 0xff8, 2, 1);
  cycle(r);
}

static void axi_wrap(run_t *r) {
  set_ar(r, 0x20, 3, 2);
  cycle(r);
}

static void axi_last(run_t *r) {
  set_aw(r, 0x20, 2);
  set_w(r, 0, 0, true);
  cycle(r);
  set_w(r, 0, 0, true);
  cycle(r);
}

static void axi_lane(run_t *r) {
  store(r, 0x20, 0x77, 1);
  set_aw(r, 0x24, 1); /* begins in the middle of a beat */
  set_w(r, 0x77, 1, true);
  cycle(r);
}

static void axi_held(run_t *r) {
  r->in.w_ready_i = 0;
  set_w(r, 1, 1, true);
  cycle(r);
  set_w(r, 2, 1, true);
  cycle(r);
}

static void axi_written(run_t *r) {
  set_aw(r, 0x20, 1);
  set_w(r, (uint8_t)~initial(r, 0x20), 1, true);
  cycle(r);
  r->in.b_valid_i = 1;
  cycle(r);
}

static const struct {
  void (*play)(run_t *r);
  unsigned clause;
  bool axi;
} cases[] = {
    {correct, 0, false},
    {value, PATH_VALUE, false},
    {younger, PATH_VALUE, false},
    {once, PATH_ONCE, false},
    {lane, PATH_LANE, false},
    {answered, PATH_ANSWERED, false},
    {waits, 0, false},
    {livelock, PATH_ANSWERED, false},
    {accepted, PATH_ACCEPTED, false},
    {lost_in_flush, PATH_LOST, false},
    {lost_in_time, PATH_LOST, false},
    {written, PATH_WRITTEN, false},
    {written_older, PATH_WRITTEN, false},
    {doubled, PATH_DOUBLED, false},
    {malformed, PATH_REQUEST, false},
    {no_byte, PATH_REQUEST, false},
    {part_of_sector, PATH_REQUEST, false},
    {held_answer, PATH_HELD, false},
    {held_request, PATH_HELD, false},
    {kept, PATH_KEPT, false},
    {flushed, PATH_FLUSH, false},
    {before, PATH_RESET, false},
    {axi_correct, 0, true},
    {axi_page, PATH_AXI, true},
    {axi_wrap, PATH_AXI, true},
    {axi_last, PATH_AXI, true},
    {axi_lane, PATH_AXI, true},
    {axi_held, PATH_HELD, true},
    {axi_written, PATH_WRITTEN, true},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(test_each_clause) {
  const unsigned clause = cases[_i].clause;
  run_t *r = start(0, cases[_i].axi);
  cases[_i].play(r);
  ck_assert_msg(r->m.broken.clause == clause, "clause %u, not %u: %s", r->m.broken.clause, clause,
                r->m.broken.text);
  free(r);
}
END_TEST

/* With a clause off, what breaks it breaks no other one, except that a value that is not judged by
 * clause 12 is judged by clause 1, and one that is in another lane by clause 2. */
START_TEST(test_off) {
  const unsigned clause = cases[_i].clause;
  run_t *r = start(1u << clause | 1u << PATH_VALUE | 1u << PATH_ONCE, cases[_i].axi);
  cases[_i].play(r);
  ck_assert_msg(r->m.broken.clause == 0, "off, and clause %u is broken: %s", r->m.broken.clause,
                r->m.broken.text);
  free(r);
}
END_TEST

/* Clause 15 is of the engine: tests/conform/path.sh. */
START_TEST(test_all_clauses) {
  for (unsigned n = 1; n < PATH_CLAUSES; n++) {
    bool found = false;
    for (unsigned i = 0; i < CASES; i++) found = found || cases[i].clause == n;
    ck_assert_msg(found, "no case breaks clause %u", n);
  }
}
END_TEST

/* What the environment may not offer becomes what it may. */
START_TEST(test_legal_inputs) {
  run_t *r = start(0, false);
  load(r, 0, 1, 0x20);
  request(r, 0, &(path_request_t){.addr = 0x23, .tag = 1, .mask = 1});
  request(r, 1, &(path_request_t){.write = true, .addr = 0x20, .tag = 5, .mask = 2});
  r->in.mem_rsp_valid_i = 1;
  path_model_legal(&r->m, &r->in);
  const path_request_t first = path_request(&r->m.cfg, &r->in, 0);
  ck_assert_uint_eq(first.addr, 0x20);
  ck_assert_uint_eq(first.tag, 2);             /* 1 is unanswered */
  ck_assert_uint_eq(first.mask, 15);           /* a load is of the whole word */
  ck_assert_uint_eq(r->in.req_valid_i, 1);     /* the store is of the same bytes */
  ck_assert_uint_eq(r->in.mem_rsp_valid_i, 0); /* memory has not been asked */
  clear(r);
  memory(r, false, 0x20, 0, 0xffff);
  r->in.mem_rsp_valid_i = 1;
  path_model_legal(&r->m, &r->in);
  ck_assert_uint_eq(r->in.mem_rsp_data_i[0] & 0xff, initial(r, 0x20));
  r->out.mem_rsp_ready_o = 0;
  cycle(r);
  path_model_legal(&r->m, &r->in);
  ck_assert_uint_eq(r->in.mem_rsp_valid_i, 1); /* it was not taken */
  free(r);
}
END_TEST

Suite *test_path_suite(void) {
  Suite *s = suite_create("path");
  TCase *tc = tcase_create("clauses");
  tcase_add_loop_test(tc, test_each_clause, 0, CASES);
  tcase_add_loop_test(tc, test_off, 0, CASES);
  tcase_add_test(tc, test_all_clauses);
  tcase_add_test(tc, test_legal_inputs);
  suite_add_tcase(s, tc);
  return s;
}
