/* SPDX-License-Identifier: Apache-2.0 */
/* Models that elaboration refuses, with the message that names the place; and the static
 * scheduler's rules. */
#include "sim_help.h"

static void nothing(sim_t *sim, void *ctx) {
  (void)sim;
  (void)ctx;
}

static void copy_a_to_b(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  sim_write(sim, s->b, sim_read(sim, s->a));
}

/* ---- construction --------------------------------------------------------------------------- */

typedef void (*build_t)(sim_t *sim);

static void dup_signal(sim_t *sim) {
  sim_module_t m = sim_module(sim, SIM_TOP, "m");
  sim_signal(sim, m, "x", 1, 0);
  sim_process(sim, m, "x", nothing, NULL);
}
static void wide_signal(sim_t *sim) {
  sim_signal(sim, sim_module(sim, SIM_TOP, "m"), "x", 65, 0);
}
static void no_width(sim_t *sim) {
  sim_signal(sim, SIM_TOP, "x", 0, 0);
}
static void bad_name(sim_t *sim) {
  sim_signal(sim, sim_module(sim, SIM_TOP, "m"), "a b", 1, 0);
}
static void empty_name(sim_t *sim) {
  sim_module(sim, SIM_TOP, "");
}
static void bad_module(sim_t *sim) {
  sim_signal(sim, (sim_module_t){9}, "x", 1, 0);
}
static void bad_clock(sim_t *sim) {
  sim_clock(sim, SIM_TOP, "c", 1, 0);
}
static void fast_clock(sim_t *sim) {
  sim_clock_hz(sim, SIM_TOP, "c", UINT64_C(500000000000001), 0);
}
static void bad_handle(sim_t *sim) {
  sim_sensitive(sim, sim_process(sim, SIM_TOP, "p", nothing, NULL), &(sim_sig_t){0}, 1);
}
static void bad_event(sim_t *sim) {
  sim_on_event(sim, sim_process(sim, SIM_TOP, "p", nothing, NULL), (sim_event_t){3});
}
static void bad_process(sim_t *sim) {
  sim_on_rise(sim, (sim_proc_t){5}, sim_clock(sim, SIM_TOP, "c", 2, 0));
}
static void writes_clock(sim_t *sim) {
  sim_sig_t s = sim_clock_signal(sim, sim_clock(sim, SIM_TOP, "c", 2, 0));
  sim_writes(sim, sim_process(sim, SIM_TOP, "p", nothing, NULL), &s, 1);
}
static void first_error_stays(sim_t *sim) {
  no_width(sim);
  dup_signal(sim);
}

START_TEST(construction) {
  static const struct {
    build_t build;
    const char *part;
  } cases[] = {
      {dup_signal, "the name \"m.x\" is given twice"},
      {wide_signal, "signal \"m.x\" has 65 bits; legal are 1 to 64"},
      {no_width, "signal \"x\" has 0 bits"},
      {bad_name, "signal \"a b\" in \"m\": a name has"},
      {empty_name, "module \"\" in \"\": a name has"},
      {bad_module, "signal \"x\": its parent is not a module"},
      {bad_clock, "clock \"c\" has a period of 1 fs; legal are 2"},
      {fast_clock, "clock \"c\" has 500000000000001 Hz; legal are"},
      {bad_handle, "process \"p\": it is given a handle"},
      {bad_event, "process \"p\": it is given a handle"},
      {bad_process, "process handle 5"},
      {writes_clock, "process \"p\" declares that it writes the clock \"c\""},
      {first_error_stays, "signal \"x\" has 0 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) BOTH(sched) {
      mrpb_err_t err = {""};
      sim_t *sim = sim_create();
      cases[i].build(sim);
      ck_assert_int_eq(sim_elaborate(sim, (sim_sched_t)sched, &err), -1);
      expect_error(&err, cases[i].part);
      err.text[0] = '\0';
      ck_assert_int_eq(sim_run_until(sim, 1, &err), SIM_ERROR);
      expect_error(&err, "not elaborated");
      sim_destroy(sim);
    }
}
END_TEST

START_TEST(late_and_foreign_calls) {
  mrpb_err_t err = {""};
  sim_t *sim = sim_create();
  sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 0);
  elaborate(sim, SIM_EVENT_DRIVEN);
  ck_assert_int_eq(sim_elaborate(sim, SIM_STATIC, &err), -1);
  expect_error(&err, "elaborated already");
  ck_assert_uint_eq(sim_signal(sim, SIM_TOP, "late", 1, 0).id, 0);
  err.text[0] = '\0';
  ck_assert_int_eq(sim_run_cycles(sim, (sim_clock_t){7}, 1, &err), SIM_ERROR);
  expect_error(&err, "clock handle 7");
  ck_assert_int_eq(sim_run_cycles(sim, clk, 1, NULL), SIM_REACHED);
  char name[16];
  ck_assert_str_eq(sim_signal_name(sim, sim_find_signal(sim, "clk"), name, sizeof name), "clk");
  ck_assert_str_eq(sim_signal_name(sim, sim_find_signal(sim, "none.such"), name, sizeof name),
                   "(none)");
  sim_destroy(sim);
  sim_destroy(NULL);
}
END_TEST

static void run_inside(sim_t *sim, void *ctx) {
  ck_assert_int_eq(sim_run_until(sim, 5, ctx), SIM_ERROR);
}

START_TEST(run_from_a_process) {
  mrpb_err_t err = {""};
  sim_t *sim = sim_create();
  sim_process(sim, SIM_TOP, "p", run_inside, &err);
  elaborate(sim, SIM_EVENT_DRIVEN);
  until(sim, 10);
  expect_error(&err, "from within a process");
  sim_destroy(sim);
}
END_TEST

/* ---- what the static scheduler refuses ------------------------------------------------------ */

/* A small model around one process "top.p" with signals a and b; `spoil` breaks one rule. */
typedef struct {
  sim_t *sim;
  sim_module_t top;
  sim_sig_t a, b;
  sim_clock_t clk;
  sim_proc_t p;
} model_t;

static void comb(const model_t *m, sim_proc_t p, sim_sig_t from, sim_sig_t to) {
  sim_sensitive(m->sim, p, &from, 1);
  sim_reads(m->sim, p, &from, 1);
  sim_writes(m->sim, p, &to, 1);
}

static void spoil_writes(const model_t *m) {
  sim_sensitive(m->sim, m->p, &m->a, 1);
  sim_reads(m->sim, m->p, &m->a, 1);
}
static void spoil_reads(const model_t *m) {
  sim_on_rise(m->sim, m->p, m->clk);
  sim_writes(m->sim, m->p, &m->b, 1);
}
static void spoil_event(const model_t *m) {
  comb(m, m->p, m->a, m->b);
  sim_on_event(m->sim, m->p, sim_event(m->sim, m->top, "e"));
}
static void spoil_edge(const model_t *m) {
  comb(m, m->p, m->a, m->b);
  sim_sensitive_pos(m->sim, m->p, m->a);
}
static void spoil_mixed(const model_t *m) {
  comb(m, m->p, m->a, m->b);
  sim_on_fall(m->sim, m->p, m->clk);
}
static void spoil_dont_init(const model_t *m) {
  comb(m, m->p, m->a, m->b);
  sim_dont_initialize(m->sim, m->p);
}
static void spoil_sensitivity(const model_t *m) {
  comb(m, m->p, m->a, m->b);
  sim_sig_t c = sim_signal(m->sim, m->top, "c", 1, 0);
  sim_reads(m->sim, m->p, &c, 1);
}
static void spoil_drivers(const model_t *m) {
  comb(m, m->p, m->a, m->b);
  sim_proc_t q = sim_process(m->sim, m->top, "q", nothing, NULL);
  sim_on_rise(m->sim, q, m->clk);
  sim_reads(m->sim, q, SIM_NO_SIGS);
  sim_writes(m->sim, q, &m->b, 1);
}
static void spoil_self_loop(const model_t *m) {
  comb(m, m->p, m->a, m->a);
}
static void spoil_loop(const model_t *m) {
  sim_sig_t c = sim_signal(m->sim, m->top, "c", 1, 0), d = sim_signal(m->sim, m->top, "d", 1, 0);
  comb(m, m->p, m->a, m->b);
  comb(m, sim_process(m->sim, m->top, "q", nothing, NULL), m->b, c);
  comb(m, sim_process(m->sim, m->top, "r", nothing, NULL), c, m->a);
  comb(m, sim_process(m->sim, m->top, "behind", nothing, NULL), c, d);
}
static void spoil_long_loop(const model_t *m) {
  sim_sig_t from = m->a;
  for (int i = 0; i < 300; i++) {
    char name[16];
    snprintf(name, sizeof name, "s%d", i);
    sim_sig_t to = i == 299 ? m->a : sim_signal(m->sim, m->top, name, 1, 0);
    snprintf(name, sizeof name, "q%d", i);
    comb(m, sim_process(m->sim, m->top, name, nothing, NULL), from, to);
    from = to;
  }
  comb(m, m->p, m->a, m->b);
}

START_TEST(refusals) {
  static const struct {
    void (*spoil)(const model_t *m);
    const char *part;
  } cases[] = {
      {spoil_writes, "process \"top.p\" does not declare what it writes"},
      {spoil_reads, "process \"top.p\" does not declare what it reads"},
      {spoil_event, "process \"top.p\" is sensitive to an event"},
      {spoil_edge, "process \"top.p\" is sensitive to the edge of a signal that is not a clock"},
      {spoil_mixed, "process \"top.p\" is sensitive to both clock edges and signals"},
      {spoil_dont_init, "process \"top.p\" is combinational but not run at the start"},
      {spoil_sensitivity, "process \"top.p\" reads \"top.c\" but is not sensitive to it"},
      {spoil_drivers, "\"top.b\" is written by \"top.p\" and by \"top.q\""},
      {spoil_self_loop, "combinational loop: top.p <- top.a <- top.p"},
      {spoil_loop, "top.p <- top.a <- top.r <- top.c <- top.q <- top.b <- top.p"},
      {spoil_long_loop, "... <- top.q"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mrpb_err_t err = {""};
    shared_t s = {0};
    model_t m = {.sim = sim_create()};
    m.top = sim_module(m.sim, SIM_TOP, "top");
    m.a = s.a = sim_signal(m.sim, m.top, "a", 1, 0);
    m.b = s.b = sim_signal(m.sim, m.top, "b", 1, 0);
    m.clk = sim_clock(m.sim, m.top, "clk", 10, 0);
    m.p = sim_process(m.sim, m.top, "p", copy_a_to_b, &s);
    cases[i].spoil(&m);
    ck_assert_int_eq(sim_elaborate(m.sim, SIM_STATIC, &err), -1);
    expect_error(&err, "static scheduler: ");
    expect_error(&err, cases[i].part);
    elaborate(m.sim, SIM_EVENT_DRIVEN); /* the reference takes the same model */
    until(m.sim, 100);
    sim_destroy(m.sim);
  }
}
END_TEST

/* ---- declarations that are wrong ------------------------------------------------------------ */

START_TEST(undeclared_write_at_the_start) {
  BOTH(sched) {
    shared_t s = {0};
    mrpb_err_t err = {""};
    sim_t *sim = sim_create();
    s.a = sim_signal(sim, SIM_TOP, "a", 8, 5);
    s.b = sim_signal(sim, SIM_TOP, "b", 8, 0);
    sim_sig_t c = sim_signal(sim, SIM_TOP, "c", 8, 0);
    sim_proc_t p = sim_process(sim, SIM_TOP, "p", copy_a_to_b, &s);
    sim_sensitive(sim, p, &s.a, 1);
    sim_reads(sim, p, &s.a, 1);
    sim_writes(sim, p, &c, 1);
    elaborate(sim, sched);
    ck_assert_int_eq(sim_run_until(sim, 1, &err), SIM_ERROR);
    expect_error(&err, "process \"p\" writes \"b\", which it does not declare");
    sim_destroy(sim);
  }
}
END_TEST

static void sneaky(sim_t *sim, void *ctx) {
  const shared_t *s = ctx;
  if (sim_read(sim, s->a) == 3) sim_write(sim, s->b, 1); /* not declared, and not at the start */
}

START_TEST(undeclared_write_later) {
  shared_t s = {0};
  mrpb_err_t err = {""};
  sim_t *sim = sim_create();
  s.a = sim_signal(sim, SIM_TOP, "a", 8, 0);
  s.b = sim_signal(sim, SIM_TOP, "b", 8, 0);
  sim_proc_t p = sim_process(sim, SIM_TOP, "p", sneaky, &s);
  sim_sensitive(sim, p, &s.a, 1);
  sim_reads(sim, p, &s.a, 1);
  sim_writes(sim, p, SIM_NO_SIGS);
  elaborate(sim, SIM_STATIC);
  sim_write(sim, s.a, 2);
  until(sim, 1);
  sim_write(sim, s.a, 3);
  ck_assert_int_eq(sim_run_until(sim, 2, &err), SIM_ERROR);
  expect_error(&err,
               "\"b\" is written by a combinational process that does not declare this write");
  sim_destroy(sim);
}
END_TEST

Suite *test_sim_errors_suite(void);
Suite *test_sim_errors_suite(void) {
  Suite *s = suite_create("sim_errors");
  TCase *t = tcase_create("errors");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, construction);
  tcase_add_test(t, late_and_foreign_calls);
  tcase_add_test(t, run_from_a_process);
  tcase_add_test(t, refusals);
  tcase_add_test(t, undeclared_write_at_the_start);
  tcase_add_test(t, undeclared_write_later);
  suite_add_tcase(s, t);
  return s;
}
