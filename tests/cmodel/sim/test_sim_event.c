/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the kernel: immediate, delta and timed notification, of which the earliest wins; the
 * delta limit. */
#include "sim_help.h"

/* A process on event e, and a script of calls that one process makes at time 100. */
typedef void (*script_t)(sim_t *sim, sim_event_t e);
typedef struct {
  shared_t s;
  script_t script;
} scripted_t;

static void run_script(sim_t *sim, void *ctx) {
  const scripted_t *x = ctx;
  x->script(sim, x->s.e);
}

/* Times at which the event woke its process, relative to 100; -1 for never. `deltas` in all. */
static int64_t woken(script_t script, int *n, uint64_t *deltas) {
  scripted_t x = {.script = script};
  who_t w = {&x.s, 1, 0};
  sim_t *sim = sim_create();
  sim_event_t start = sim_event(sim, SIM_TOP, "start");
  x.s.e = sim_event(sim, SIM_TOP, "e");
  sim_on_event(sim, process(sim, "script", run_script, &x), start);
  sim_on_event(sim, process(sim, "wait", note, &w), x.s.e);
  elaborate(sim, SIM_EVENT_DRIVEN);
  sim_notify_after(sim, start, 100);
  until(sim, 1000);
  *n = x.s.n_log;
  *deltas = sim_stats(sim).deltas;
  sim_destroy(sim);
  return x.s.n_log ? (int64_t)x.s.log[0].time - 100 : -1;
}

static void later_then_earlier(sim_t *sim, sim_event_t e) {
  sim_notify_after(sim, e, 30);
  sim_notify_after(sim, e, 20);
  sim_notify_after(sim, e, 25);
}
static void delta_wins(sim_t *sim, sim_event_t e) {
  sim_notify_after(sim, e, 30);
  sim_notify_delta(sim, e);
  sim_notify_after(sim, e, 1);
}
static void zero_is_delta(sim_t *sim, sim_event_t e) {
  sim_notify_after(sim, e, 0);
}
static void immediate_wins(sim_t *sim, sim_event_t e) {
  sim_notify_delta(sim, e);
  sim_notify(sim, e);
}
static void cancel_timed(sim_t *sim, sim_event_t e) {
  sim_notify_after(sim, e, 30);
  sim_cancel(sim, e);
}
static void cancel_delta(sim_t *sim, sim_event_t e) {
  sim_notify_delta(sim, e);
  sim_cancel(sim, e);
  sim_notify_after(sim, e, 40);
}
static void cancel_and_delta(sim_t *sim, sim_event_t e) {
  for (int i = 0; i < 5; i++) {
    sim_notify_delta(sim, e);
    sim_cancel(sim, e);
  }
  sim_notify_delta(sim, e);
}
static void beyond_time(sim_t *sim, sim_event_t e) {
  sim_notify_after(sim, e, SIM_NEVER);
}

START_TEST(notifications) {
  static const struct {
    script_t script;
    int64_t at;
    uint64_t deltas;
  } cases[] = {{later_then_earlier, 20, 0}, {delta_wins, 0, 1},    {zero_is_delta, 0, 1},
               {immediate_wins, 0, 0},      {cancel_timed, -1, 0}, {cancel_delta, 40, 1},
               {cancel_and_delta, 0, 1},    {beyond_time, -1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int n;
    uint64_t deltas;
    ck_assert_int_eq(woken(cases[i].script, &n, &deltas), cases[i].at);
    ck_assert_int_eq(n, cases[i].at >= 0);
    if (cases[i].script != immediate_wins) ck_assert_uint_eq(deltas, cases[i].deltas);
  }
}
END_TEST

/* Many timed events, cancelled and moved at random, against a plain list of times. */
START_TEST(event_queue) {
  enum { N = 60 };
  shared_t s = {0};
  who_t w[N];
  sim_event_t e[N];
  sim_time_t want[N];
  sim_t *sim = sim_create();
  for (int i = 0; i < N; i++) {
    char name[16];
    snprintf(name, sizeof name, "e%d", i);
    e[i] = sim_event(sim, SIM_TOP, name);
    w[i] = (who_t){&s, i, 0};
    snprintf(name, sizeof name, "p%d", i);
    sim_on_event(sim, process(sim, name, note, &w[i]), e[i]);
    want[i] = SIM_NEVER;
  }
  elaborate(sim, SIM_EVENT_DRIVEN);
  uint64_t x = 1;
  for (int k = 0; k < 1000; k++) {
    x = x * UINT64_C(6364136223846793005) + 1;
    uint64_t i = (x >> 33) % N, t = 1 + (x >> 50) % 40;
    if (x >> 63)
      sim_cancel(sim, e[i]);
    else
      sim_notify_after(sim, e[i], t);
    want[i] = x >> 63 ? SIM_NEVER : t < want[i] ? t : want[i];
  }
  until(sim, 50);
  int pending = 0;
  for (int i = 0; i < N; i++) pending += want[i] != SIM_NEVER;
  ck_assert_int_gt(pending, 10);
  ck_assert_int_eq(s.n_log, pending);
  for (int i = 0; i < s.n_log; i++) {
    ck_assert_uint_eq(s.log[i].time, want[s.log[i].tag]);
    if (i) ck_assert_uint_le(s.log[i - 1].time, s.log[i].time);
  }
  sim_destroy(sim);
}
END_TEST

/* ---- no rest -------------------------------------------------------------------------------- */

static void invert(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  sim_write(sim, s->a, !sim_read(sim, s->a));
}

START_TEST(delta_limit_names_the_signal) {
  shared_t s = {0};
  mrpb_err_t err = {""}, again = {""};
  sim_t *sim = sim_create();
  sim_module_t top = sim_module(sim, SIM_TOP, "top"), sub = sim_module(sim, top, "ring[3]");
  s.a = sim_signal(sim, sub, "osc", 1, 0);
  sim_proc_t p = sim_process(sim, top, "inv", invert, &s);
  sim_sensitive(sim, p, &s.a, 1);
  sim_set_delta_limit(sim, 50);
  elaborate(sim, SIM_EVENT_DRIVEN);
  ck_assert_int_eq(sim_run_until(sim, 10, &err), SIM_ERROR);
  expect_error(&err, "no rest after 50 delta cycles: \"top.ring[3].osc\" still changes");
  ck_assert_uint_eq(sim_stats(sim).deltas, 50);
  ck_assert_int_eq(sim_run_until(sim, 10, &again), SIM_ERROR); /* and stays so */
  expect_error(&again, "top.ring[3].osc");
  sim_destroy(sim);
}
END_TEST

static void write_and_restore(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  sim_write(sim, s->b, 1);
  sim_write(sim, s->b, 0);
}

/* As many delta cycles as the limit allows, and a last write that changes nothing, are no error. */
START_TEST(delta_limit_just_reached) {
  shared_t s = {0};
  sim_t *sim = sim_create();
  s.a = sim_signal(sim, SIM_TOP, "a", 1, 0);
  s.b = sim_signal(sim, SIM_TOP, "b", 1, 0);
  sim_sensitive(sim, process(sim, "p", write_and_restore, &s), &s.a, 1);
  sim_set_delta_limit(sim, 1);
  elaborate(sim, SIM_EVENT_DRIVEN);
  sim_write(sim, s.a, 1);
  until(sim, 5);
  ck_assert_uint_eq(sim_read(sim, s.a), 1);
  sim_destroy(sim);
}
END_TEST

typedef struct {
  sim_event_t mine, other;
  int immediate, runs;
} pingpong_t;

static void pingpong(sim_t *sim, void *ctx) {
  pingpong_t *p = ctx;
  p->runs++;
  sim_notify(sim, p->mine); /* no effect on the process that calls it */
  if (p->immediate)
    sim_notify(sim, p->other);
  else
    sim_notify_delta(sim, p->other);
}

START_TEST(events_without_rest) {
  for (int immediate = 0; immediate < 2; immediate++) {
    mrpb_err_t err = {""};
    pingpong_t p[2] = {{.immediate = immediate}, {.immediate = immediate}};
    sim_t *sim = sim_create();
    p[0].mine = p[1].other = sim_event(sim, SIM_TOP, "e0");
    p[1].mine = p[0].other = sim_event(sim, SIM_TOP, "e1");
    sim_on_event(sim, sim_process(sim, SIM_TOP, "ping", pingpong, &p[0]), p[0].mine);
    sim_on_event(sim, process(sim, "pong", pingpong, &p[1]), p[1].mine);
    sim_set_delta_limit(sim, 20);
    elaborate(sim, SIM_EVENT_DRIVEN);
    ck_assert_int_eq(sim_run_until(sim, 10, &err), SIM_ERROR);
    expect_error(&err, "no rest after 20 delta cycles: events wake \"p");
    ck_assert_int_lt(p[0].runs + p[1].runs, 30);
    sim_destroy(sim);
  }
}
END_TEST

/* The woken process runs in the same evaluation phase: it reads the values of before the update. */
typedef struct {
  sim_sig_t a;
  sim_event_t e;
  uint64_t seen;
} immediate_t;

static void write_then_notify(sim_t *sim, void *ctx) {
  const immediate_t *x = ctx;
  sim_write(sim, x->a, 9);
  sim_notify(sim, x->e);
}

static void see(sim_t *sim, void *ctx) {
  immediate_t *x = ctx;
  x->seen = sim_read(sim, x->a);
}

START_TEST(immediate_joins_the_evaluation) {
  immediate_t x = {.seen = 77};
  sim_t *sim = sim_create();
  x.a = sim_signal(sim, SIM_TOP, "a", 8, 3);
  x.e = sim_event(sim, SIM_TOP, "e");
  sim_on_event(sim, process(sim, "see", see, &x), x.e);
  sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 5);
  sim_on_rise(sim, process(sim, "p", write_then_notify, &x), clk);
  elaborate(sim, SIM_EVENT_DRIVEN);
  until(sim, 5);
  ck_assert_uint_eq(x.seen, 3);
  ck_assert_uint_eq(sim_read(sim, x.a), 9);
  ck_assert_uint_eq(sim_stats(sim).deltas, 1);
  sim_notify(sim, x.e); /* from outside: at the start of the next run */
  ck_assert_uint_eq(x.seen, 3);
  until(sim, 6);
  ck_assert_uint_eq(x.seen, 9);
  sim_destroy(sim);
}
END_TEST

Suite *test_sim_event_suite(void);
Suite *test_sim_event_suite(void) {
  Suite *s = suite_create("sim_event");
  TCase *t = tcase_create("events");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, notifications);
  tcase_add_test(t, event_queue);
  tcase_add_test(t, delta_limit_names_the_signal);
  tcase_add_test(t, delta_limit_just_reached);
  tcase_add_test(t, events_without_rest);
  tcase_add_test(t, immediate_joins_the_evaluation);
  suite_add_tcase(s, t);
  return s;
}
