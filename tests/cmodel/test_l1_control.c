/* SPDX-License-Identifier: Apache-2.0 */
/* l1_control against its page: what a refusal drops, each decision by hand, every combination of
 * what it looks at against the page's table, the beats of all sets of sectors. */
#include "l1_control.h"
#include <check.h>
#include <stdbool.h>
#include <string.h>

/* 4 sectors of 2 beats, 5 lines, 3 bypass entries: places have 3 bits, an id 1 + 3. */
static const l1_control_cfg_t small = {.ADDR_W = 8,
                                       .SECTORS = 4,
                                       .BEATS = 8,
                                       .LINES = 5,
                                       .MSHRS = 6,
                                       .BYPASSES = 3,
                                       .STORES = 4,
                                       .ENTRY_W = 5,
                                       .NUMBER_W = 2,
                                       .PARITY = 1};

static l1_control_t *make(const l1_control_cfg_t *cfg) {
  l1_control_t *self;
  ck_assert_int_eq(l1_control_create(&self, cfg, NULL), 0);
  return self;
}

/* Everything has room, nothing is here, nothing is presented. */
static l1_control_in_t room(void) {
  return (l1_control_in_t){.mshr_ready_i = 1,
                           .mshr_entry_i = 5,
                           .bypass_ready_i = 1,
                           .bypass_entry_i = 2,
                           .read_ready_i = 1,
                           .miss_ready_i = 1,
                           .flight_ready_i = 1,
                           .place_i = 4};
}

static l1_control_in_t present(bool write, uint64_t line, uint64_t sectors) {
  l1_control_in_t in = room();
  in.req_valid_i = 1;
  in.req_write_i = write;
  in.req_line_i = line;
  in.req_entry_i = line & 3;
  in.req_number_i = 2;
  in.req_sectors_i = sectors;
  return in;
}

static l1_control_out_t step(l1_control_t *self, l1_control_in_t in) {
  l1_control_out_t out;
  mrpb_err_t err = {""};
  in.srst_ni = 1;
  memset(&out, 0xff, sizeof out);
  ck_assert_msg(l1_control_cycle(self, &in, &out, &err) == 0, "%s", err.text);
  return out;
}

/* A request in A, with nothing behind it. */
static void bring(l1_control_t *self, bool write, uint64_t line, uint64_t sectors) {
  step(self, present(write, line, sectors));
  step(self, room());
}

/* {write, id, line, first beat, last beat} of `small`. */
static uint64_t word(uint64_t write, uint64_t id, uint64_t line, uint64_t first, uint64_t last) {
  return (((write << 4 | id) << 8 | line) << 3 | first) << 3 | last;
}

/* X, Y and Z are presented, X is refused: Y and Z are dropped, and all are presented again. */
START_TEST(refusal_drops_two) {
  l1_control_t *self = make(&small);
  ck_assert_uint_eq(step(self, present(false, 0x11, 1)).look_line_o, 0x11);
  step(self, present(false, 0x22, 1));
  l1_control_in_t z = present(false, 0x33, 1);
  z.full_i = 1;
  l1_control_out_t o = step(self, z);
  ck_assert(o.answer_o == 1 && o.mshr_line_o == 0x11 && o.event_o == 1 << 5);
  ck_assert(!o.mshr_valid_o && !o.miss_valid_o && !o.reserve_o && !o.start_valid_o);
  o = step(self, present(false, 0x11, 1));
  ck_assert(o.answer_o == 0 && o.event_o == 0 && o.find_line_o == 0x11);
  o = step(self, present(false, 0x22, 1));
  ck_assert(o.answer_o == 0 && o.event_o == 0);
  o = step(self, present(false, 0x33, 1));
  ck_assert(o.event_o == 1 << 1 && o.mshr_line_o == 0x11);
  o = step(self, room());
  ck_assert(o.event_o == 1 << 1 && o.mshr_line_o == 0x22);
  o = step(self, room());
  ck_assert(o.event_o == 1 << 1 && o.mshr_line_o == 0x33);
  ck_assert_uint_eq(step(self, room()).event_o, 0);
  l1_control_destroy(self);
}
END_TEST

/* A refused load bypasses when it is presented again; if it cannot, it is looked up again. */
START_TEST(bypass_after_refusal) {
  l1_control_t *self = make(&small);
  bring(self, false, 0x42, 6);
  l1_control_in_t in = room();
  in.full_i = 1;
  ck_assert_uint_eq(step(self, in).answer_o, 1);
  in = present(false, 0x42, 6);
  in.byp_valid_i = 1;
  in.bypass_ready_i = 0;
  l1_control_out_t o = step(self, in); /* it enters D */
  ck_assert(!o.byp_ready_o && !o.bypass_valid_o);
  step(self, room());
  in = room();
  in.full_i = 1;
  ck_assert_uint_eq(step(self, in).answer_o, 1);
  in = present(false, 0x42, 6);
  in.byp_valid_i = 1;
  o = step(self, in);
  ck_assert(o.byp_ready_o && o.bypass_valid_o && o.miss_valid_o && o.start_valid_o);
  ck_assert(o.event_o == 1 << 3 && o.bypass_line_o == 0x42 && o.bypass_data_o == (2 << 5 | 2));
  ck_assert_uint_eq(o.miss_data_o, word(0, 1 << 3 | 2, 0x42, 2, 5));
  ck_assert(o.start_id_o == (1 << 3 | 2) && o.start_place_o == 7 && o.start_beat_o == 2);
  for (unsigned t = 0; t < 3; t++) ck_assert_uint_eq(step(self, room()).event_o, 0);
  in = present(false, 0x42, 6); /* a store of the line is in flight */
  in.byp_valid_i = in.find_i = 1;
  ck_assert_uint_eq(step(self, in).byp_ready_o, 0);
  l1_control_destroy(self);
}
END_TEST

START_TEST(hit_and_missing_sector) {
  l1_control_t *self = make(&small);
  bring(self, false, 0x81, 5);
  l1_control_in_t in = room();
  in.hit_i = 1;
  in.have_i = 0xd;
  l1_control_out_t o = step(self, in);
  ck_assert(o.touch_o && o.read_valid_o && o.event_o == 1);
  ck_assert_uint_eq(o.read_data_o, (uint64_t)(2 << 5 | 1) << 3 | 4);
  bring(self, false, 0x81, 5);
  in.have_i = 9; /* sector 2 is missing */
  o = step(self, in);
  ck_assert(!o.touch_o && o.reserve_o && o.mshr_valid_o && o.event_o == 1 << 1);
  ck_assert_uint_eq(o.reserve_sectors_o, 0xd);
  ck_assert_uint_eq(o.miss_data_o, word(0, 5, 0x81, 4, 5));
  ck_assert(o.start_id_o == 5 && o.start_place_o == 4 && o.start_beat_o == 4);
  bring(self, false, 0x81, 5);
  in.read_find_i = 1; /* its place is still to be read */
  ck_assert_uint_eq(step(self, in).answer_o, 2);
  l1_control_destroy(self);
}
END_TEST

START_TEST(merge) {
  l1_control_t *self = make(&small);
  bring(self, false, 0x81, 1);
  l1_control_in_t in = room();
  in.pending_i = in.mshr_merge_i = 1;
  in.have_i = 3;
  in.miss_ready_i = in.read_ready_i = 0; /* it needs neither */
  l1_control_out_t o = step(self, in);
  ck_assert(o.mshr_valid_o && !o.reserve_o && !o.miss_valid_o && o.event_o == 1 << 2);
  ck_assert_uint_eq(o.mshr_data_o, 2 << 5 | 1);
  bring(self, false, 0x81, 1);
  in.mshr_merge_i = 0; /* the entry's last read leaves in this cycle */
  ck_assert_uint_eq(step(self, in).answer_o, 2);
  l1_control_destroy(self);
}
END_TEST

/* The line's last read leaves in this cycle: the table has no entry any more, the tags still have
 * the line reserved. A store must wait until it can evict the line. */
START_TEST(store_after_release) {
  l1_control_t *self = make(&small);
  bring(self, true, 0x93, 9);
  l1_control_in_t in = room();
  in.pending_i = 1;
  l1_control_out_t o = step(self, in);
  ck_assert(o.answer_o == 2 && !o.send_valid_o && !o.miss_valid_o && o.event_o == 1 << 6);
  bring(self, true, 0x93, 9);
  in = room();
  in.hit_i = 1;
  in.have_i = 15;
  o = step(self, in);
  ck_assert(o.send_valid_o && o.evict_o && o.send_entry_o == 3 && o.find_line_o == 0x93);
  ck_assert_uint_eq(o.event_o, 1 << 4 | 1 << 7);
  ck_assert_uint_eq(o.miss_data_o, word(1, 3, 0x93, 0, 7));
  ck_assert(!o.start_valid_o && !o.mshr_valid_o);
  l1_control_destroy(self);
}
END_TEST

START_TEST(flush) {
  l1_control_t *self = make(&small);
  l1_control_in_t in = present(false, 1, 1);
  in.flush_i = in.idle_i = 1;
  ck_assert_uint_eq(step(self, in).flush_done_o, 0); /* in T */
  in = room();
  in.flush_i = in.idle_i = 1;
  ck_assert_uint_eq(step(self, in).flush_done_o, 0); /* in D */
  ck_assert_uint_eq(step(self, in).clear_o, 0);      /* in A */
  in.idle_i = 0;
  ck_assert_uint_eq(step(self, in).flush_done_o, 0);
  in.idle_i = 1;
  const l1_control_out_t o = step(self, in);
  ck_assert(o.flush_done_o && o.clear_o);
  in.flush_i = 0;
  ck_assert_uint_eq(step(self, in).flush_done_o, 0);
  l1_control_destroy(self);
}
END_TEST

START_TEST(reset) {
  l1_control_t *self = make(&small);
  step(self, present(true, 0xff, 15));
  step(self, present(true, 0xff, 15));
  l1_control_in_t in = present(true, 0xff, 15);
  in.srst_ni = 0;
  l1_control_edge(self, &in);
  const l1_control_regs_t *r = l1_control_regs(self);
  ck_assert(!r->d_valid_q && !r->a_valid_q && !r->d_write_q && !r->a_write_q);
  ck_assert(r->d_line_q == 0 && r->a_line_q == 0 && r->a_sectors_q == 0 && r->d_entry_q == 0);
  ck_assert_uint_eq(step(self, room()).event_o, 0);
  l1_control_destroy(self);
}
END_TEST

/* What is looked at, one bit each. */
enum {
  HIT = 1,
  PENDING = 2,
  FULL = 4,
  HAVE = 8,
  MSHR_READY = 16,
  MERGE = 32,
  MSHR_STORE = 64,
  BYPASS_STORE = 128,
  FIND = 256,
  READ_READY = 512,
  READ_FIND = 1024,
  MISS_READY = 2048,
  FLIGHT_READY = 4096,
  COMBINATIONS = 8192
};

/* The event of a decision, from the page's rows read from top to bottom. */
static uint64_t expect(bool write, unsigned on) {
  const uint64_t refuse = 1 << 6;
  if (write) {
    if (on & (PENDING | MSHR_STORE | BYPASS_STORE)) return refuse;
    if (!(on & MISS_READY) || !(on & FLIGHT_READY)) return refuse;
    return on & HIT ? 1 << 4 | 1 << 7 : 1 << 4;
  }
  if ((on & HIT) && (on & HAVE)) return on & READ_READY ? 1 : refuse;
  if ((on & PENDING) && (on & HAVE)) return (on & MSHR_READY) && (on & MERGE) ? 1 << 2 : refuse;
  if (on & PENDING) return refuse;
  if (on & FULL) return 1 << 5;
  if (on & (MERGE | FIND | READ_FIND)) return refuse;
  return (on & MSHR_READY) && (on & MISS_READY) ? 1 << 1 : refuse;
}

START_TEST(every_combination) {
  l1_control_t *self = make(&small);
  for (unsigned write = 0; write < 2; write++)
    for (unsigned on = 0; on < COMBINATIONS; on++) {
      bring(self, write, 0x5a, 6);
      const l1_control_in_t in = {.hit_i = (on & HIT) != 0,
                                  .pending_i = (on & PENDING) != 0,
                                  .full_i = (on & FULL) != 0,
                                  .have_i = on & HAVE ? 0xe : 0xa,
                                  .mshr_ready_i = (on & MSHR_READY) != 0,
                                  .mshr_merge_i = (on & MERGE) != 0,
                                  .mshr_store_hit_i = (on & MSHR_STORE) != 0,
                                  .bypass_store_hit_i = (on & BYPASS_STORE) != 0,
                                  .find_i = (on & FIND) != 0,
                                  .read_ready_i = (on & READ_READY) != 0,
                                  .read_find_i = (on & READ_FIND) != 0,
                                  .miss_ready_i = (on & MISS_READY) != 0,
                                  .flight_ready_i = (on & FLIGHT_READY) != 0};
      const l1_control_out_t o = step(self, in);
      const uint64_t want = expect(write, on);
      if (o.event_o != want)
        ck_abort_msg("write %u, %#x: %#x, not %#x", write, on, (unsigned)o.event_o, (unsigned)want);
      ck_assert_uint_eq(o.answer_o, want >> 5 & 3);
      ck_assert_uint_eq(o.miss_valid_o, (want & (1 << 1 | 1 << 4)) != 0);
      ck_assert_uint_eq(o.mshr_valid_o, (want & (1 << 1 | 1 << 2)) != 0);
      ck_assert_uint_eq(o.start_valid_o, want >> 1 & 1);
    }
  l1_control_destroy(self);
}
END_TEST

/* With FETCH a miss of one sector reserves and fetches all that the line lacks; a bypass does not. */
START_TEST(fetch_all) {
  l1_control_cfg_t cfg = small;
  cfg.FETCH = 1;
  l1_control_t *self = make(&cfg);
  bring(self, false, 0x21, 4);
  l1_control_in_t in = room();
  l1_control_out_t o = step(self, in);
  ck_assert(o.reserve_o && o.reserve_sectors_o == 15 && o.start_beat_o == 0);
  ck_assert_uint_eq(o.miss_data_o, word(0, in.mshr_entry_i, 0x21, 0, 7));
  bring(self, false, 0x21, 4);
  in.hit_i = 1;
  in.have_i = 3;
  o = step(self, in);
  ck_assert(o.reserve_o && o.reserve_sectors_o == 15);
  ck_assert_uint_eq(o.miss_data_o, word(0, in.mshr_entry_i, 0x21, 4, 7));
  in = present(false, 0x22, 2);
  in.byp_valid_i = 1;
  o = step(self, in);
  ck_assert(o.bypass_valid_o && o.start_beat_o == 2);
  l1_control_destroy(self);
}
END_TEST

/* SECTORS, BEATS: equal, more beats, fewer beats, and neither divides the other. */
static const uint32_t shapes[][2] = {{1, 1}, {1, 32}, {4, 4}, {2, 8}, {8, 2}, {3, 7}, {7, 3}};

/* A fetch covers each beat that touches one of its sectors, and no more before and behind. */
START_TEST(beats) {
  l1_control_cfg_t cfg = small;
  cfg.SECTORS = shapes[_i][0];
  cfg.BEATS = shapes[_i][1];
  l1_control_t *self = make(&cfg);
  const unsigned beat_w = bits_index_w(cfg.BEATS);
  for (uint64_t sectors = 1; sectors < UINT64_C(1) << cfg.SECTORS; sectors++) {
    l1_control_in_t in = present(false, 7, sectors);
    in.byp_valid_i = 1;
    const l1_control_out_t o = step(self, in);
    uint32_t first = cfg.BEATS, last = 0;
    /* Beat b is the part from b / BEATS to (b + 1) / BEATS of the line. */
    for (uint32_t b = 0; b < cfg.BEATS; b++)
      for (uint32_t s = 0; s < cfg.SECTORS; s++) {
        const bool apart =
            (b + 1) * cfg.SECTORS <= s * cfg.BEATS || (s + 1) * cfg.BEATS <= b * cfg.SECTORS;
        if (apart || !(sectors >> s & 1)) continue;
        if (b < first) first = b;
        last = b;
      }
    ck_assert_uint_eq(o.start_beat_o, first);
    ck_assert_uint_eq(bits(o.miss_data_o, beat_w), last);
    ck_assert_uint_eq(bits(o.miss_data_o >> beat_w, beat_w), first);
  }
  l1_control_destroy(self);
}
END_TEST

Suite *test_l1_control_suite(void);
Suite *test_l1_control_suite(void) {
  Suite *suite = suite_create("l1_control");
  TCase *tc = tcase_create("all");
  tcase_add_test(tc, refusal_drops_two);
  tcase_add_test(tc, bypass_after_refusal);
  tcase_add_test(tc, hit_and_missing_sector);
  tcase_add_test(tc, merge);
  tcase_add_test(tc, store_after_release);
  tcase_add_test(tc, flush);
  tcase_add_test(tc, reset);
  tcase_add_test(tc, every_combination);
  tcase_add_test(tc, fetch_all);
  tcase_add_loop_test(tc, beats, 0, sizeof shapes / sizeof *shapes);
  suite_add_tcase(suite, tc);
  return suite;
}
