/* SPDX-License-Identifier: Apache-2.0 */
/* The semantics of the kernel, one rule per test; under both schedulers where both are legal. */
#include "sim_help.h"

/* ---- evaluate and update -------------------------------------------------------------------- */

static void write_thrice(sim_t *sim, void *ctx) {
  shared_t *s = ctx;
  sim_write(sim, s->a, 7);
  sim_write(sim, s->a, 0x1f5); /* 8 bits: 0xf5 */
  ck_assert_uint_eq(sim_read(sim, s->a), s->runs ? 0xf5 : 1);
  s->runs++;
}

START_TEST(last_write_wins) {
  BOTH(sched) {
    shared_t s = {0};
    who_t w = {&s, 1, 0};
    sim_t *sim = sim_create();
    s.a = sim_signal(sim, SIM_TOP, "a", 8, 0x101);
    sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 5);
    sim_proc_t p = process(sim, "p", write_thrice, &s),
               q = sim_process(sim, SIM_TOP, "q", note, &w);
    sim_on_rise(sim, p, clk);
    sim_reads(sim, p, &s.a, 1);
    sim_writes(sim, p, &s.a, 1);
    sim_sensitive(sim, q, &s.a, 1);
    sim_reads(sim, q, &s.a, 1);
    sim_writes(sim, q, SIM_NO_SIGS);
    elaborate(sim, sched);
    until(sim, 4);
    ck_assert_uint_eq(sim_read(sim, s.a), 1);
    until(sim, 100);
    ck_assert_int_eq(s.runs, 10);
    ck_assert_int_eq(
        s.n_log, 2); /* at the start and once for 1 -> 0xf5; writes of equal values wake nobody */
    ck_assert_uint_eq(s.log[1].time, 5);
    ck_assert_uint_eq(s.log[1].a, 0xf5);
    sim_destroy(sim);
  }
}
END_TEST

static void write_and_back(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  sim_write(sim, s->a, !sim_read(sim, s->a));
  sim_write(sim, s->a, sim_read(sim, s->a));
}

START_TEST(no_event_when_next_equals_cur) {
  shared_t s = {0};
  who_t w = {&s, 1, 0};
  sim_t *sim = sim_create();
  s.a = sim_signal(sim, SIM_TOP, "a", 1, 0);
  sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 0);
  sim_on_rise(sim, process(sim, "p", write_and_back, &s), clk);
  sim_sensitive(sim, process(sim, "q", note, &w), &s.a, 1);
  elaborate(sim, SIM_EVENT_DRIVEN);
  until(sim, 100);
  ck_assert_int_eq(s.n_log, 0);
  ck_assert_uint_eq(sim_stats(sim).activations, 11);
  sim_destroy(sim);
}
END_TEST

static void swap_half(sim_t *sim, void *ctx) {
  const who_t *w = ctx;
  if (w->tag)
    sim_write(sim, w->s->a, sim_read(sim, w->s->b));
  else
    sim_write(sim, w->s->b, sim_read(sim, w->s->a));
}

/* Edges of two clocks at one time: all processes see the values of before. */
START_TEST(edges_at_one_time_share_an_evaluation) {
  BOTH(sched) {
    shared_t s = {0};
    who_t w[2] = {{&s, 0, 0}, {&s, 1, 0}};
    sim_t *sim = sim_create();
    s.a = sim_signal(sim, SIM_TOP, "a", 8, 1);
    s.b = sim_signal(sim, SIM_TOP, "b", 8, 2);
    for (unsigned i = 0; i < 2; i++) {
      sim_clock_t c = sim_clock_hz(sim, SIM_TOP, i ? "c1" : "c0", 575000000u * (i + 1), 0);
      sim_proc_t p = process(sim, i ? "p1" : "p0", swap_half, &w[i]);
      sim_on_rise(sim, p, c);
      sim_reads(sim, p, SIM_SIGS(s.a, s.b));
      sim_writes(sim, p, i ? &s.a : &s.b, 1);
    }
    elaborate(sim, sched);
    until(sim, 0);
    ck_assert_uint_eq(sim_read(sim, s.a), 2);
    ck_assert_uint_eq(sim_read(sim, s.b), 1);
    sim_destroy(sim);
  }
}
END_TEST

START_TEST(edges_of_signals) {
  shared_t s = {0};
  who_t w[3] = {{&s, 1, 0}, {&s, 2, 0}, {&s, 3, 0}};
  sim_t *sim = sim_create();
  s.a = sim_signal(sim, SIM_TOP, "a", 2, 0);
  sim_sensitive_pos(sim, process(sim, "pos", note, &w[0]), s.a);
  sim_sensitive_neg(sim, process(sim, "neg", note, &w[1]), s.a);
  sim_sensitive(sim, process(sim, "any", note, &w[2]), &s.a, 1);
  elaborate(sim, SIM_EVENT_DRIVEN);
  static const int values[] = {1, 3, 2, 0, 1, 0}, want[] = {1, 3, 3, 2, 3, 3, 1, 3, 2, 3};
  for (sim_time_t t = 0; t < 6; t++) {
    until(sim, t);
    sim_write(sim, s.a, (uint64_t)values[t]);
  }
  until(sim, 6);
  ck_assert_int_eq(s.n_log, 10);
  for (int i = 0; i < 10; i++) { /* within a delta the order is that of the processes */
    ck_assert_int_eq(s.log[i].tag, want[i]);
  }
  sim_destroy(sim);
}
END_TEST

static void count_run(sim_t *sim, void *ctx) {
  (void)sim;
  ++*(int *)ctx;
}

START_TEST(initialisation) {
  BOTH(sched) {
    int runs[3] = {0};
    sim_t *sim = sim_create();
    sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 5);
    for (int i = 0; i < 3; i++) {
      char name[] = {'p', (char)('0' + i), 0};
      sim_proc_t p = sim_process(sim, SIM_TOP, name, count_run, &runs[i]);
      if (i) sim_on_rise(sim, p, clk);
      if (i == 2) sim_dont_initialize(sim, p);
      sim_reads(sim, p, SIM_NO_SIGS);
      sim_writes(sim, p, SIM_NO_SIGS);
    }
    elaborate(sim, sched);
    until(sim, 4);
    ck_assert_int_eq(runs[0] * 100 + runs[1] * 10 + runs[2], 110);
    until(sim, 5);
    ck_assert_int_eq(runs[0] * 100 + runs[1] * 10 + runs[2], 121);
    sim_destroy(sim);
  }
}
END_TEST

typedef struct {
  sim_sig_t reg[64], parity;
} row_t;

static void count_row(sim_t *sim, void *ctx) {
  const row_t *r = ctx;
  for (uint64_t i = 0; i < 64; i++) sim_write(sim, r->reg[i], sim_read(sim, r->reg[i]) + i + 1);
}

static void parity_of_some(sim_t *sim, void *ctx) {
  const row_t *r = ctx;
  uint64_t x = 0;
  for (int i = 22; i < 46; i++) x ^= sim_read(sim, r->reg[i]);
  sim_write(sim, r->parity, x);
}

/* A row of registers, of which whole blocks of slots in the middle are read by a combinational
 * process. */
START_TEST(row_of_registers) {
  BOTH(sched) {
    row_t r;
    sim_t *sim = sim_create();
    sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 0);
    for (int i = 0; i < 64; i++) {
      char name[16];
      snprintf(name, sizeof name, "r%d", i);
      r.reg[i] = sim_signal(sim, SIM_TOP, name, 32, 0);
    }
    r.parity = sim_signal(sim, SIM_TOP, "parity", 32, 0);
    sim_proc_t p = process(sim, "count", count_row, &r);
    sim_on_rise(sim, p, clk);
    sim_reads(sim, p, r.reg, 64);
    sim_writes(sim, p, r.reg, 64);
    p = sim_process(sim, SIM_TOP, "parity_of_some", parity_of_some, &r);
    sim_sensitive(sim, p, r.reg + 22, 24);
    sim_reads(sim, p, r.reg + 22, 24);
    sim_writes(sim, p, &r.parity, 1);
    elaborate(sim, sched);
    for (uint64_t n = 1; n < 100; n++) {
      uint64_t x = 0;
      ck_assert_int_eq(sim_run_cycles(sim, clk, 1, NULL), SIM_REACHED);
      for (uint64_t i = 0; i < 64; i++) {
        ck_assert_uint_eq(sim_read(sim, r.reg[i]), n * (i + 1));
        if (i >= 22 && i < 46) x ^= n * (i + 1);
      }
      ck_assert_uint_eq(sim_read(sim, r.parity), x);
    }
    sim_destroy(sim);
  }
}
END_TEST

/* ---- clocks --------------------------------------------------------------------------------- */

/* Edge k of f Hz is at floor(k * 10^15 / f): no drift, and coincidence where theory has it. */
START_TEST(clock_domains) {
  static const uint64_t hz[4] = {575000000, 1150000000, 575000000, 750000000};
  sim_t *sim = sim_create();
  sim_clock_t clk[4];
  char name[] = "c0";
  for (int i = 0; i < 4; i++, name[1]++) clk[i] = sim_clock_hz(sim, SIM_TOP, name, hz[i], 0);
  elaborate(sim, SIM_EVENT_DRIVEN);
  for (uint64_t k = 0; k < 3000; k++) {
    ck_assert_int_eq(sim_run_cycles(sim, clk[0], 1, NULL), SIM_REACHED);
    ck_assert_uint_eq(sim_now(sim), (sim_time_t)((double)k * 1e15 / 575e6));
    ck_assert_uint_eq(sim_cycles(sim, clk[1]),
                      2 * k + 1); /* its edge 2k is done too, at the same time */
    ck_assert_uint_eq(sim_cycles(sim, clk[2]), k + 1);
    ck_assert_uint_eq(sim_cycles(sim, clk[3]), k * 750 / 575 + 1);
  }
  until(sim, SIM_MS);
  ck_assert_uint_eq(sim_cycles(sim, clk[0]), 575001);
  ck_assert_uint_eq(sim_cycles(sim, clk[3]), 750001);
  ck_assert_int_eq(sim_run_cycles(sim, clk[1], 1150000, NULL), SIM_REACHED);
  ck_assert_uint_eq(sim_now(sim), 2 * SIM_MS);
  sim_destroy(sim);
}
END_TEST

/* Clocks in order of creation, then the processes of an edge in order of creation, also when one of
 * them has several triggers; each runs once. */
START_TEST(order_on_an_edge) {
  BOTH(sched) for (int multi = 0; multi < 2; multi++) {
    shared_t s = {0};
    who_t w[6];
    sim_t *sim = sim_create();
    sim_clock_t c0 = sim_clock(sim, SIM_TOP, "c0", 20, 0),
                c1 = sim_clock(sim, SIM_TOP, "c1", 10, 0);
    for (int i = 0; i < 6; i++) {
      char name[] = {'p', (char)('0' + i), 0};
      w[i] = (who_t){&s, i, 0};
      sim_proc_t p = process(sim, name, note, &w[i]);
      sim_on_rise(sim, p, i % 2 ? c0 : c1);
      if (multi && i == 2) sim_on_rise(sim, p, c0);
      sim_reads(sim, p, SIM_NO_SIGS);
      sim_writes(sim, p, SIM_NO_SIGS);
    }
    elaborate(sim, sched);
    until(sim, 10);
    static const int want[2][9] = {{1, 3, 5, 0, 2, 4, 0, 2, 4}, {1, 2, 3, 5, 0, 4, 0, 2, 4}};
    ck_assert_int_eq(s.n_log, 9);
    for (int i = 0; i < 9; i++) ck_assert_int_eq(s.log[i].tag, want[multi][i]);
    sim_destroy(sim);
  }
}
END_TEST

static void copy_clock(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  sim_write(sim, s->b, sim_read(sim, s->a) + 2);
  sim_write(sim, s->a, 0); /* writing a clock does nothing */
}

START_TEST(falling_edges_and_clock_signal) {
  BOTH(sched) {
    shared_t s = {0};
    who_t w = {&s, 1, 0};
    sim_t *sim = sim_create();
    sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 7, 2);
    s.a = sim_clock_signal(sim, clk);
    s.b = sim_signal(sim, SIM_TOP, "b", 2, 0);
    sim_proc_t fall = process(sim, "fall", note, &w),
               copy = sim_process(sim, SIM_TOP, "copy", copy_clock, &s);
    sim_on_fall(sim, fall, clk);
    sim_reads(sim, fall, &s.a, 1);
    sim_writes(sim, fall, SIM_NO_SIGS);
    sim_sensitive(sim, copy, &s.a, 1);
    sim_reads(sim, copy, &s.a, 1);
    sim_writes(sim, copy, &s.b, 1);
    elaborate(sim, sched);
    for (sim_time_t t = 0; t < 60; t++) {
      until(sim, t);
      uint64_t high = t >= 2 && (t - 2) % 7 < 3; /* falls half a period later, rounded down */
      ck_assert_uint_eq(sim_read(sim, s.a), high);
      ck_assert_uint_eq(sim_read(sim, s.b), high + 2);
    }
    ck_assert_int_eq(s.n_log, 8);
    for (sim_time_t i = 0; i < 8; i++) ck_assert_uint_eq(s.log[i].time, 5 + 7 * i);
    sim_destroy(sim);
  }
}
END_TEST

/* ---- running -------------------------------------------------------------------------------- */

static void stop_at_five(sim_t *sim, void *ctx) {
  shared_t *s = ctx;
  sim_write(sim, s->a, (uint64_t)++s->runs);
  if (s->runs == 5) sim_stop(sim);
}

START_TEST(stop_and_go) {
  BOTH(sched) {
    shared_t s = {0};
    sim_t *sim = sim_create();
    s.a = sim_signal(sim, SIM_TOP, "a", 16, 0);
    sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 0);
    sim_proc_t p = process(sim, "p", stop_at_five, &s);
    sim_on_rise(sim, p, clk);
    sim_reads(sim, p, SIM_NO_SIGS);
    sim_writes(sim, p, &s.a, 1);
    elaborate(sim, sched);
    ck_assert_int_eq(sim_run_until(sim, 1000, NULL), SIM_STOPPED);
    ck_assert_uint_eq(sim_now(sim), 40);
    ck_assert_uint_eq(sim_read(sim, s.a), 5); /* the time step was finished */
    ck_assert_int_eq(sim_run_cycles(sim, clk, 2, NULL), SIM_REACHED);
    ck_assert_uint_eq(sim_now(sim), 60);
    until(sim, 65);
    ck_assert_uint_eq(sim_now(sim), 65);
    sim_stop(sim); /* as from a signal handler between two runs: not lost */
    ck_assert_int_eq(sim_run_until(sim, 1000, NULL), SIM_STOPPED);
    ck_assert_uint_eq(sim_now(sim), 65);
    mrpb_err_t err = {""};
    ck_assert_int_eq(sim_run_until(sim, 64, &err), SIM_ERROR);
    expect_error(&err, "cannot run until 64 fs");
    sim_destroy(sim);
  }
}
END_TEST

static void plus_one(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  sim_write(sim, s->b, sim_read(sim, s->a) + 1);
}

/* Two simulations of one process do not know of each other; writes from outside settle at the
 * present. */
START_TEST(several_simulations) {
  sim_t *sim[2];
  shared_t s[2] = {0};
  for (int i = 0; i < 2; i++) {
    sim[i] = sim_create();
    s[i].a = sim_signal(sim[i], SIM_TOP, "a", 8, 0);
    s[i].b = sim_signal(sim[i], SIM_TOP, "b", 8, 0);
    sim_proc_t p = sim_process(sim[i], SIM_TOP, "p", plus_one, &s[i]);
    sim_sensitive(sim[i], p, &s[i].a, 1);
    sim_reads(sim[i], p, &s[i].a, 1);
    sim_writes(sim[i], p, &s[i].b, 1);
    elaborate(sim[i], i);
  }
  for (uint64_t t = 0; t < 20; t++)
    for (int i = 0; i < 2; i++) {
      sim_write(sim[i], s[i].a, t * 3 + (uint64_t)i);
      ck_assert_uint_eq(sim_read(sim[i], s[i].b), t ? t * 3 - 2 + (uint64_t)i : 0);
      until(sim[i], t);
      ck_assert_uint_eq(sim_read(sim[i], s[i].b), t * 3 + 1 + (uint64_t)i);
    }
  for (int i = 0; i < 2; i++) { /* but not to what a combinational process drives */
    mrpb_err_t err = {""};
    sim_write(sim[i], s[i].b, 77);
    ck_assert_int_eq(sim_run_until(sim[i], 30, &err), SIM_ERROR);
    expect_error(&err, "\"b\" is written from outside, but the combinational process \"p\"");
    sim_destroy(sim[i]);
  }
}
END_TEST

Suite *test_sim_suite(void);
Suite *test_sim_suite(void) {
  Suite *s = suite_create("sim");
  TCase *t = tcase_create("semantics");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, last_write_wins);
  tcase_add_test(t, no_event_when_next_equals_cur);
  tcase_add_test(t, edges_at_one_time_share_an_evaluation);
  tcase_add_test(t, edges_of_signals);
  tcase_add_test(t, row_of_registers);
  tcase_add_test(t, initialisation);
  tcase_add_test(t, order_on_an_edge);
  tcase_add_test(t, falling_edges_and_clock_signal);
  tcase_add_test(t, stop_and_go);
  tcase_add_test(t, several_simulations);
  TCase *h = tcase_create("many edges");
  tcase_set_tags(h, "heavy"); /* 2 ms of four clocks: not under valgrind */
  tcase_add_test(h, clock_domains);
  suite_add_tcase(s, t);
  suite_add_tcase(s, h);
  return s;
}
