/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM channel: every timing limit from both sides (not one cycle earlier, not one later), FR-FCFS
 * order, queues. test_dram_twin.c compares it with a plain re-statement, test_dram_replay.c with
 * other simulators' figures. */
#include "gpu/dram/dram.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t t;
  dram_command_t command;
  uint32_t bank, row;
} event_t;

enum { EVENTS = 64, ROW = 1 << 16, BANK = 1 << 12 };

typedef struct {
  dram_cfg_t cfg;
  dram_t *d;
  packet_pool_t *pool;
  uint64_t now;
  event_t log[EVENTS]; /* commands */
  unsigned n;
  uint64_t done_at[EVENTS]; /* finished requests, by tag */
  unsigned done;
} rig_t;

static void rig_open(rig_t *r, const dram_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  *r = (rig_t){.cfg = *cfg, .pool = packet_pool_create(64)};
  ck_assert_ptr_nonnull(r->pool);
  ck_assert_msg(dram_create(&r->d, cfg, r->pool, &err) == 0, "%s", err.text);
}

static void rig_default(rig_t *r) {
  dram_cfg_t cfg;
  dram_defaults(&cfg);
  rig_open(r, &cfg);
}

static void rig_close(rig_t *r) {
  ck_assert_uint_eq(dram_in_flight(r->d), 0);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  dram_destroy(r->d);
  packet_pool_destroy(r->pool);
}

static void add(rig_t *r, packet_kind_t kind, uint32_t bank, uint32_t row, uint32_t column,
                uint32_t bytes) {
  packet_t *p = packet_alloc(r->pool);
  ck_assert_ptr_nonnull(p);
  p->local = (uint64_t)row * ROW + (uint64_t)bank * BANK + column * 64;
  p->kind = kind;
  p->bytes = bytes;
  ck_assert(!dram_full(r->d));
  dram_push(r->d, p);
}

static void step(rig_t *r) {
  dram_step(r->d);
  event_t e = {.t = r->now};
  e.command = dram_last_command(r->d, &e.bank, &e.row);
  if (e.command != DRAM_NONE && r->n < EVENTS) r->log[r->n++] = e;
  packet_t *p;
  while ((p = dram_pop(r->d))) {
    if (r->done < EVENTS) r->done_at[r->done++] = r->now;
    packet_free(r->pool, p);
  }
  r->now++;
}

static void steps(rig_t *r, unsigned n) {
  while (n--) step(r);
}

/* Lets the channel finish and long enough after it that no limit of the past is left; clears the
 * log. */
static void settle(rig_t *r) {
  steps(r, 400);
  ck_assert_uint_eq(dram_in_flight(r->d), 0);
  r->n = r->done = 0;
}

/* The k-th command of this kind and bank. */
static const event_t *nth(const rig_t *r, dram_command_t c, uint32_t bank, unsigned k) {
  for (unsigned i = 0; i < r->n; i++)
    if (r->log[i].command == c && r->log[i].bank == bank && k-- == 0) return &r->log[i];
  ck_abort_msg("command %d of bank %u is missing", (int)c, bank);
  return NULL;
}

/* From the first command of one kind and bank to the first of another. */
static uint64_t gap(const rig_t *r, dram_command_t a, uint32_t bank_a, dram_command_t b,
                    uint32_t bank_b) {
  return nth(r, b, bank_b, 0)->t - nth(r, a, bank_a, 0)->t;
}

/* ---- timing ---------------------------------------------------------------------------------- */

/* Opens row 1 of the banks, then runs the two requests that the limit stands between. */
static void open_rows(rig_t *r, uint32_t bank_a, uint32_t bank_b) {
  add(r, PACKET_READ, bank_a, 1, 0, 64);
  step(r);
  if (bank_b != bank_a) add(r, PACKET_READ, bank_b, 1, 0, 64);
  settle(r);
}

START_TEST(activate_to_column_and_data) {
  for (uint32_t extra = 0; extra < 3; extra++) {
    dram_cfg_t cfg;
    dram_defaults(&cfg);
    cfg.tRCD += extra;
    cfg.tCL += 2 * extra;
    rig_t r;
    rig_open(&r, &cfg);
    add(&r, PACKET_READ, 3, 7, 0, 128);
    steps(&r, 100);
    ck_assert_uint_eq(nth(&r, DRAM_ACTIVATE, 3, 0)->t, 0); /* scheduled and issued in one cycle */
    ck_assert_uint_eq(gap(&r, DRAM_ACTIVATE, 3, DRAM_READ, 3), cfg.tRCD);
    /* 128 B are two columns of one bank group; data leave CL after the second. */
    ck_assert_uint_eq(nth(&r, DRAM_READ, 3, 1)->t - nth(&r, DRAM_READ, 3, 0)->t, cfg.tCCDL);
    ck_assert_uint_eq(r.done_at[0], nth(&r, DRAM_READ, 3, 1)->t + cfg.tCL);
    rig_close(&r);
    rig_open(&r, &cfg);
    add(&r, PACKET_WRITE, 3, 7, 0, 32);
    steps(&r, 100);
    ck_assert_uint_eq(gap(&r, DRAM_ACTIVATE, 3, DRAM_WRITE, 3), cfg.tRCD - (cfg.tWL + 1));
    ck_assert_uint_eq(r.done_at[0], nth(&r, DRAM_WRITE, 3, 0)->t + cfg.tWL);
    rig_close(&r);
  }
}
END_TEST

START_TEST(row_cycle) {
  static const uint32_t ras[] = {28, 29, 40, 28, 28}, rp[] = {12, 12, 12, 12, 20},
                        rc[] = {40, 40, 40, 55, 40};
  for (int i = 0; i < 5; i++) {
    dram_cfg_t cfg;
    dram_defaults(&cfg);
    cfg.tRAS = ras[i];
    cfg.tRP = rp[i];
    cfg.tRC = rc[i];
    rig_t r;
    rig_open(&r, &cfg);
    add(&r, PACKET_READ, 3, 7, 0, 64);
    step(&r);
    add(&r, PACKET_READ, 3, 8, 0, 64);
    steps(&r, 150);
    uint64_t first = nth(&r, DRAM_ACTIVATE, 3, 0)->t, second = nth(&r, DRAM_ACTIVATE, 3, 1)->t;
    ck_assert_uint_eq(gap(&r, DRAM_ACTIVATE, 3, DRAM_PRECHARGE, 3), cfg.tRAS);
    uint64_t pre = nth(&r, DRAM_PRECHARGE, 3, 0)->t - first;
    ck_assert_uint_eq(second - first, pre + cfg.tRP > cfg.tRC ? pre + cfg.tRP : cfg.tRC);
    rig_close(&r);
  }
}
END_TEST

START_TEST(activates_of_two_banks) {
  for (uint32_t rrd = 1; rrd < 9; rrd++) {
    dram_cfg_t cfg;
    dram_defaults(&cfg);
    cfg.tRRD = rrd;
    rig_t r;
    rig_open(&r, &cfg);
    add(&r, PACKET_READ, 3, 7, 0, 64);
    add(&r, PACKET_READ, 9, 7, 0, 64);
    steps(&r, 100);
    ck_assert_uint_eq(gap(&r, DRAM_ACTIVATE, 3, DRAM_ACTIVATE, 9), rrd);
    rig_close(&r);
  }
}
END_TEST

/* A column command in bank a, then one in bank b, both rows open. */
static uint64_t columns(const dram_cfg_t *cfg, packet_kind_t a, uint32_t bank_a, packet_kind_t b,
                        uint32_t bank_b) {
  rig_t r;
  rig_open(&r, cfg);
  open_rows(&r, bank_a, bank_b);
  add(&r, a, bank_a, 1, 0, 64);
  step(&r);
  add(&r, b, bank_b, 1, 1, 64);
  steps(&r, 100);
  ck_assert_uint_eq(r.n, 2);
  ck_assert_uint_eq(r.log[0].bank, bank_a);
  ck_assert_uint_eq(r.log[1].bank, bank_b);
  uint64_t t = r.log[1].t - r.log[0].t;
  rig_close(&r);
  return t;
}

START_TEST(column_to_column) {
  dram_cfg_t cfg;
  dram_defaults(&cfg);
  for (uint32_t ccd = 1; ccd < 5; ccd++) {
    cfg.tCCD = ccd;
    cfg.tCCDL = ccd + 2;
    ck_assert_uint_eq(columns(&cfg, PACKET_READ, 0, PACKET_READ, 8), ccd);
    ck_assert_uint_eq(columns(&cfg, PACKET_READ, 0, PACKET_READ, 0), ccd + 2);
    ck_assert_uint_eq(columns(&cfg, PACKET_WRITE, 0, PACKET_WRITE, 8), ccd);
    ck_assert_uint_eq(columns(&cfg, PACKET_WRITE, 0, PACKET_WRITE, 1), ccd + 2);
    /* The release's group index is off by one bit: banks 0 to 7 are one group. */
    cfg.group_shift_bug = 1;
    ck_assert_uint_eq(columns(&cfg, PACKET_READ, 0, PACKET_READ, 7), ccd + 2);
    cfg.group_shift_bug = 0;
    ck_assert_uint_eq(columns(&cfg, PACKET_READ, 0, PACKET_READ, 3), ccd + 2);
    ck_assert_uint_eq(columns(&cfg, PACKET_READ, 0, PACKET_READ, 4), ccd);
    cfg.group_shift_bug = 1;
  }
}
END_TEST

START_TEST(turn_around) {
  for (uint32_t x = 0; x < 3; x++) {
    dram_cfg_t cfg;
    dram_defaults(&cfg);
    cfg.tCDLR += x;
    cfg.tCL += x;
    /* WTR = WL + burst + CDLR, RTW = CL + burst + 2 - WL, across banks. */
    ck_assert_uint_eq(columns(&cfg, PACKET_WRITE, 0, PACKET_READ, 8), 4 + 2 + 5 + x);
    ck_assert_uint_eq(columns(&cfg, PACKET_WRITE, 0, PACKET_READ, 0), 4 + 2 + 5 + x);
    ck_assert_uint_eq(columns(&cfg, PACKET_READ, 0, PACKET_WRITE, 8), 12 + x + 2 + 2 - 4);
  }
}
END_TEST

/* A column command, then a precharge of the same bank for another row. */
static uint64_t column_to_precharge(const dram_cfg_t *cfg, packet_kind_t kind) {
  rig_t r;
  rig_open(&r, cfg);
  open_rows(&r, 5, 5);
  add(&r, kind, 5, 1, 0, 64);
  step(&r);
  add(&r, PACKET_READ, 5, 2, 0, 64);
  steps(&r, 150);
  uint64_t t = gap(&r, kind == PACKET_READ ? DRAM_READ : DRAM_WRITE, 5, DRAM_PRECHARGE, 5);
  rig_close(&r);
  return t;
}

START_TEST(column_to_precharge_limits) {
  dram_cfg_t cfg;
  dram_defaults(&cfg);
  ck_assert_uint_eq(column_to_precharge(&cfg, PACKET_READ), 2); /* burst, 2 cycles */
  ck_assert_uint_eq(column_to_precharge(&cfg, PACKET_WRITE), 4 + 2 + 12);
  cfg.tRTPL = 5;
  cfg.tWR = 20;
  ck_assert_uint_eq(column_to_precharge(&cfg, PACKET_READ), 5);
  ck_assert_uint_eq(column_to_precharge(&cfg, PACKET_WRITE), 4 + 2 + 20);
  /* RTPL holds for the group: a read of bank 6 delays the precharge of bank 5. */
  rig_t r;
  rig_open(&r, &cfg);
  open_rows(&r, 5, 6);
  add(&r, PACKET_READ, 6, 1, 0, 64);
  step(&r);
  add(&r, PACKET_READ, 5, 2, 0, 64);
  steps(&r, 100);
  ck_assert_uint_eq(gap(&r, DRAM_READ, 6, DRAM_PRECHARGE, 5), 5);
  rig_close(&r);
}
END_TEST

/* ---- order and queues ------------------------------------------------------------------------ */

START_TEST(open_row_first_then_oldest_then_the_whole_row) {
  rig_t r;
  rig_default(&r);
  static const uint32_t rows[] = {1, 2, 3, 1, 2, 3, 1}, served[] = {1, 1, 1, 2, 2, 3, 3};
  for (unsigned i = 0; i < 7; i++) {
    add(&r, PACKET_READ, 4, rows[i], i, 64);
    step(&r);
  }
  steps(&r, 300);
  for (unsigned i = 0; i < 7; i++) ck_assert_uint_eq(nth(&r, DRAM_READ, 4, i)->row, served[i]);
  ck_assert_uint_eq(dram_stats(r.d)->activates, 3);
  ck_assert_uint_eq(dram_stats(r.d)->precharges, 2);
  ck_assert_uint_eq(dram_stats(r.d)->row_hits, 4);
  ck_assert_uint_eq(dram_stats(r.d)->reads, 7);
  rig_close(&r);
}
END_TEST

START_TEST(scheduler_return_queue_and_data_pipe_have_their_sizes) {
  rig_t r;
  rig_default(&r);
  unsigned pushed = 0;
  for (unsigned t = 0; t < 1200; t++) { /* nobody takes the results */
    if (!dram_full(r.d) && pushed < 60) {
      packet_t *p = packet_alloc(r.pool);
      p->local = ROW * (uint64_t)pushed++;
      p->bytes = 64;
      dram_push(r.d, p);
    }
    dram_step(r.d);
  }
  ck_assert_uint_eq(dram_stats(r.d)->queue_max, 16);
  /* 16 returned; the next stands at the end of the pipe, which is as long as CL, with one place
   * behind it once a column has reached the last. */
  uint64_t reads = dram_stats(r.d)->reads;
  ck_assert_uint_ge(reads, 17);
  ck_assert_uint_le(reads, 16 + r.cfg.tCL + 1);
  unsigned got = 0;
  for (unsigned t = 0; t < 4000; t++) {
    packet_t *p = dram_pop(r.d);
    if (p) {
      ck_assert_uint_eq(p->row, got++); /* one bank, distinct rows: in order */
      packet_free(r.pool, p);
    }
    dram_step(r.d);
  }
  ck_assert_uint_eq(got, pushed);
  rig_close(&r);
}
END_TEST

START_TEST(fixed_delay_counts_sm_cycles) {
  rig_t r;
  rig_default(&r);
  packet_queue_t from, to;
  packet_queue_init(&from, 8);
  packet_queue_init(&to, 8);
  packet_t *p = packet_alloc(r.pool), *wb = packet_alloc(r.pool);
  p->bytes = wb->bytes = 64;
  p->local = BANK;
  wb->kind = PACKET_WRITE_BACK;
  packet_queue_push(&from, p);
  packet_queue_push(&from, wb);
  uint64_t first = 0, activated = 0;
  for (uint64_t t = 0; t < 400; t++) { /* 4 DRAM cycles to 3 SM cycles */
    dram_cycle(r.d, &from, &to, 50 + t * 3 / 4);
    uint32_t bank, row;
    if (dram_last_command(r.d, &bank, &row) == DRAM_ACTIVATE && !activated) activated = t;
    if (to.count && !first) first = t;
  }
  /* In at t = 0, SM cycle 50; ready at SM cycle 150, t = 134 (ceil(100 * 4 / 3)); activate one
   * cycle on. */
  ck_assert_uint_eq(activated, 135);
  ck_assert_uint_eq(first, 135 + 12 + 12 + 1);
  ck_assert_ptr_eq(packet_queue_pop(&to), p);
  ck_assert_uint_eq(to.count, 0); /* the write-back ends in the DRAM */
  packet_free(r.pool, p);
  ck_assert_uint_eq(dram_stats(r.d)->write_backs, 1);
  rig_close(&r);
}
END_TEST

START_TEST(skipping_idle_cycles_only_counts_them) {
  rig_t a, b;
  rig_default(&a);
  rig_default(&b);
  for (int round = 0; round < 20; round++) {
    add(&a, PACKET_READ, (uint32_t)round % 16, (uint32_t)round / 3, 0, 128);
    add(&b, PACKET_READ, (uint32_t)round % 16, (uint32_t)round / 3, 0, 128);
    while (dram_in_flight(a.d)) step(&a), step(&b);
    steps(&a, 13);
    dram_skip(b.d, 13);
    b.now += 13;
  }
  ck_assert_uint_eq(a.n, b.n);
  for (unsigned i = 0; i < a.n; i++) ck_assert_uint_eq(a.log[i].t, b.log[i].t);
  ck_assert_int_eq(memcmp(dram_stats(a.d), dram_stats(b.d), sizeof(dram_stats_t)), 0);
  rig_close(&a);
  rig_close(&b);
}
END_TEST

Suite *test_dram_suite(void);

Suite *test_dram_suite(void) {
  Suite *s = suite_create("dram");
  TCase *t = tcase_create("channel");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, activate_to_column_and_data);
  tcase_add_test(t, row_cycle);
  tcase_add_test(t, activates_of_two_banks);
  tcase_add_test(t, column_to_column);
  tcase_add_test(t, turn_around);
  tcase_add_test(t, column_to_precharge_limits);
  tcase_add_test(t, open_row_first_then_oldest_then_the_whole_row);
  tcase_add_test(t, scheduler_return_queue_and_data_pipe_have_their_sizes);
  tcase_add_test(t, fixed_delay_counts_sm_cycles);
  tcase_add_test(t, skipping_idle_cycles_only_counts_them);
  suite_add_tcase(s, t);
  return s;
}
