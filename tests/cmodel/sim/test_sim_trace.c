/* SPDX-License-Identifier: Apache-2.0 */
/* Wave windows of the kernel: their contents, when they open and close, and what happens when a
 * file cannot be written. */
#include "sim_help.h"
#include "vcd_read.h"

/* Two counters, one of them in a sub-module, and their sum; `at` makes the first one act once. */
typedef struct counters {
  sim_t *sim;
  sim_module_t top, sub;
  sim_clock_t clk;
  sim_sig_t a, b, sum;
  uint64_t at;
  void (*act)(struct counters *c);
  const char *path;
} counters_t;

static void count_a(sim_t *sim, void *ctx) {
  counters_t *c = ctx;
  sim_write(sim, c->a, sim_read(sim, c->a) + 1);
  if (c->act && sim_cycles(sim, c->clk) == c->at) c->act(c);
}

static void count_b(sim_t *sim, void *ctx) {
  const counters_t *c = ctx;
  sim_write(sim, c->b, sim_read(sim, c->b) + 3);
}

static void add(sim_t *sim, void *ctx) {
  const counters_t *c = ctx;
  sim_write(sim, c->sum, sim_read(sim, c->a) + sim_read(sim, c->b));
}

/* Clock of 10 fs: rising edges at 0, 10 ...; after edge k: a = k + 1, b = 3 (k + 1). */
static void make(counters_t *c, int sched) {
  sim_t *sim = c->sim = sim_create();
  c->top = sim_module(sim, SIM_TOP, "top");
  c->sub = sim_module(sim, c->top, "sub");
  c->clk = sim_clock(sim, c->top, "clk", 10, 0);
  c->a = sim_signal(sim, c->top, "a", 8, 0);
  c->b = sim_signal(sim, c->sub, "b", 16, 0);
  c->sum = sim_signal(sim, c->top, "sum", 16, 0);
  sim_fn_t fn[2] = {count_a, count_b};
  sim_sig_t out[2] = {c->a, c->b};
  for (int i = 0; i < 2; i++) {
    sim_proc_t p = process(sim, i ? "pb" : "pa", fn[i], c);
    sim_on_rise(sim, p, c->clk);
    sim_reads(sim, p, &out[i], 1);
    sim_writes(sim, p, &out[i], 1);
  }
  sim_proc_t p = sim_process(sim, c->top, "add", add, c);
  sim_sensitive(sim, p, out, 2);
  sim_reads(sim, p, out, 2);
  sim_writes(sim, p, &c->sum, 1);
  elaborate(sim, sched);
}

static void open_window(sim_t *sim, const char *path) {
  mrpb_err_t err = {""};
  int status = sim_trace_open(sim, path, &err);
  ck_assert_msg(status == 0, "%s", err.text);
}

/* Reads the window: from, to the time of its last stamp; all values right at every time. */
static void check_window(const char *path, sim_time_t from, sim_time_t to, int n_vars) {
  vcd_read_t *r = malloc(sizeof *r);
  vcd_read_open(r, path);
  ck_assert_int_eq(r->n_vars, n_vars);
  for (int first = 1; vcd_read_step(r); first = 0) {
    if (first) ck_assert_uint_eq(r->time, from);
    uint64_t k = r->time / 10 + 1; /* edges so far */
    for (int i = 0; i < r->n_vars; i++) {
      const vcd_read_var_t *v = &r->var[i];
      uint64_t want = !strcmp(v->name, "top.clk")     ? r->time % 10 < 5
                      : !strcmp(v->name, "top.a")     ? k & 0xff
                      : !strcmp(v->name, "top.sub.b") ? 3 * k & 0xffff
                                                      : ((k & 0xff) + 3 * k) & 0xffff;
      ck_assert_msg(v->value == want, "%s at %llu", v->name, (unsigned long long)r->time);
    }
  }
  ck_assert_uint_eq(r->time, to);
  vcd_read_close(r);
  free(r);
  unlink(path);
}

START_TEST(windows) {
  BOTH(sched) {
    counters_t c = {0};
    char path[256];
    temp_path(path, sizeof path);
    make(&c, sched);
    open_window(c.sim, path); /* from the very start */
    until(c.sim, 1004);
    ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0);
    check_window(path, 0, 1004, 4);
    until(c.sim, 50000); /* late, of a scope only */
    sim_trace_scope(c.sim, c.sub);
    open_window(c.sim, path);
    until(c.sim, 50123);
    ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0);
    check_window(path, 50000, 50123, 1);
    sim_trace_signal(c.sim, c.sum);
    sim_trace_signal(c.sim, sim_find_signal(c.sim, "top.clk"));
    until(c.sim, 60007); /* while the clock is low */
    open_window(c.sim, path);
    until(c.sim, 60008);
    ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0);
    check_window(path, 60007, 60008, 3);
    ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0); /* none is open */
    sim_destroy(c.sim);
  }
}
END_TEST

START_TEST(window_without_a_run) {
  counters_t c = {0};
  char path[256];
  temp_path(path, sizeof path);
  make(&c, SIM_STATIC);
  open_window(c.sim, path);
  ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0);
  vcd_read_t *r = malloc(sizeof *r);
  vcd_read_open(r, path);
  ck_assert_int_eq(vcd_read_step(r), 1);
  for (int i = 0; i < 4; i++) ck_assert_uint_eq(r->var[i].value, 0); /* initial values, not x */
  vcd_read_close(r);
  free(r);
  unlink(path);
  sim_destroy(c.sim);
}
END_TEST

static void act_open(counters_t *c) {
  open_window(c->sim, c->path);
}
static void act_close(counters_t *c) {
  ck_assert_int_eq(sim_trace_close(c->sim, NULL), 0);
}
static void act_stop(counters_t *c) {
  sim_stop(c->sim);
}

START_TEST(window_from_a_process) {
  BOTH(sched) {
    char path[256];
    temp_path(path, sizeof path);
    counters_t c = {.act = act_open, .at = 8, .path = path};
    make(&c, sched);
    until(c.sim, 95);
    c.act = act_close;
    c.at = 16;
    until(c.sim, 300);
    check_window(path, 70, 145, 4); /* the step of the closing edge, 150, is left out */
    sim_destroy(c.sim);
  }
}
END_TEST

/* After sim_stop, and after a flush without any closing, the file is whole. */
START_TEST(stopped_early) {
  BOTH(sched) {
    char path[256];
    temp_path(path, sizeof path);
    counters_t c = {.act = act_stop, .at = 50};
    make(&c, sched);
    open_window(c.sim, path);
    ck_assert_int_eq(sim_run_until(c.sim, 100000, NULL), SIM_STOPPED);
    ck_assert_int_eq(sim_trace_flush(c.sim, NULL), 0);
    check_window(path, 0, 490, 4);
    sim_destroy(c.sim); /* closes the window */
  }
}
END_TEST

/* A write from outside just before a window opens is in it. */
START_TEST(write_before_opening) {
  BOTH(sched) {
    char path[256];
    temp_path(path, sizeof path);
    counters_t c = {0};
    make(&c, sched);
    until(c.sim, 5);
    sim_write(c.sim, c.b, 500);
    open_window(c.sim, path);
    until(c.sim, 9);
    ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0);
    vcd_read_t *r = malloc(sizeof *r);
    vcd_read_open(r, path);
    while (vcd_read_step(r)) {
    }
    ck_assert_uint_eq(vcd_read_find(r, "top.sub.b")->value, 500);
    ck_assert_uint_eq(vcd_read_find(r, "top.sum")->value, 501);
    vcd_read_close(r);
    free(r);
    unlink(path);
    sim_destroy(c.sim);
  }
}
END_TEST

START_TEST(file_errors) {
  counters_t c = {0};
  mrpb_err_t err = {""};
  char path[256];
  temp_path(path, sizeof path);
  sim_t *raw = sim_create();
  ck_assert_int_eq(sim_trace_open(raw, path, &err), -1);
  expect_error(&err, "not elaborated");
  sim_destroy(raw);
  make(&c, SIM_EVENT_DRIVEN);
  err.text[0] = '\0';
  ck_assert_int_eq(sim_trace_open(c.sim, "/nonexistent/w.vcd", &err), -1);
  expect_error(&err, "/nonexistent/w.vcd: cannot write: No such file or directory");
  open_window(c.sim, path);
  err.text[0] = '\0';
  ck_assert_int_eq(sim_trace_open(c.sim, path, &err), -1);
  expect_error(&err, "a wave window is open already");
  ck_assert_int_eq(sim_trace_close(c.sim, NULL), 0);
  sim_destroy(c.sim);
  unlink(path);
}
END_TEST

/* A full disk ends the run with an error as soon as a buffer is full; the simulation itself is
 * unharmed. */
START_TEST(full_disk) {
  BOTH(sched) {
    counters_t c = {0};
    mrpb_err_t err = {""};
    make(&c, sched);
    open_window(c.sim, "/dev/full");
    ck_assert_int_eq(sim_run_until(c.sim, 10000000, &err), SIM_ERROR);
    expect_error(&err, "/dev/full: cannot write: No space left on device");
    ck_assert_uint_lt(sim_now(c.sim), 5000000);
    err.text[0] = '\0';
    ck_assert_int_eq(sim_trace_close(c.sim, &err), -1);
    expect_error(&err, "No space left on device");
    until(c.sim, 10000000);
    ck_assert_uint_eq(sim_read(c.sim, c.b), (3 * 1000001) & 0xffff);
    open_window(c.sim, "/dev/full"); /* too little for a buffer: noticed at the closing */
    until(c.sim, 10000100);
    err.text[0] = '\0';
    ck_assert_int_eq(sim_trace_close(c.sim, &err), -1);
    expect_error(&err, "No space left on device");
    sim_destroy(c.sim);
  }
}
END_TEST

Suite *test_sim_trace_suite(void);
Suite *test_sim_trace_suite(void) {
  Suite *s = suite_create("sim_trace");
  TCase *t = tcase_create("windows");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, windows);
  tcase_add_test(t, window_without_a_run);
  tcase_add_test(t, window_from_a_process);
  tcase_add_test(t, stopped_early);
  tcase_add_test(t, write_before_opening);
  tcase_add_test(t, file_errors);
  tcase_add_test(t, full_disk);
  suite_add_tcase(s, t);
  return s;
}
