/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks whose edges a function gives: the same steps and waves under both schedulers, together
 * with other clocks, through restarts and pauses; errors. */
#include "sim_help.h"
#include "vcd_read.h"

/* What a source says, one answer after the other. */
typedef struct {
  const sim_edge_t *edge;
  size_t n, at, chunk; /* chunk: steps in one answer */
} script_t;

static size_t play(void *ctx, sim_edge_t *edge, size_t n) {
  script_t *s = ctx;
  size_t k = 0;
  for (; k < n && k < s->chunk && s->at < s->n; k++) edge[k] = s->edge[s->at++];
  return k;
}

typedef struct {
  script_t script;
  sim_t *sim;
  sim_clock_t clk[4];
  sim_source_t source;
  who_t who[4];
  shared_t seen;

} rig_t;

static void tick(sim_t *sim, void *ctx) {
  const who_t *w = ctx;
  note(sim, ctx);
  sim_write(sim, w->s->a, sim_read(sim, w->s->a) + (1u << 4 * w->tag));
}

/* Clocks 0 and 1 of a source, 2 of 7 fs; `signals`: processes write one, else clocks alone. */
static void make(rig_t *r, int sched, const sim_edge_t *edge, size_t n, size_t chunk,
                 bool signals) {
  *r = (rig_t){.script = {edge, n, 0, chunk}};
  r->sim = sim_create();
  r->source = sim_source(r->sim, play, &r->script);
  r->clk[0] = sim_source_clock(r->sim, SIM_TOP, "c0", r->source, 3);
  if (signals) r->clk[2] = sim_clock(r->sim, SIM_TOP, "c2", 7, 0);
  r->clk[1] = sim_source_clock(r->sim, SIM_TOP, "c1", r->source, 3);
  r->seen.a =
      signals ? sim_signal(r->sim, SIM_TOP, "a", 12, 0) : sim_clock_signal(r->sim, r->clk[0]);
  for (int i = 0; i < (signals ? 3 : 2); i++) {
    char name[16] = {'p', (char)('0' + i)};
    r->who[i] = (who_t){&r->seen, i, 0};
    sim_proc_t p = process(r->sim, name, signals ? tick : note, &r->who[i]);
    sim_on_rise(r->sim, p, r->clk[i]);
    sim_reads(r->sim, p, &r->seen.a, signals);
    sim_writes(r->sim, p, &r->seen.a, signals);
  }
  elaborate(r->sim, sched);
}

static const sim_edge_t script[] = {{0, 3},  {0, 1},  {5, 1},  {7, 2},   {7, 1},
                                    {9, 1},  {14, 3}, {14, 2}, {30, 1},  {31, 2},
                                    {31, 1}, {49, 3}, {90, 2}, {100, 1}, {101, 1}};
enum { STEPS = sizeof script / sizeof *script };

START_TEST(both_schedulers_and_chunks) {
  static const size_t chunks[] = {1, 2, 64};
  char *first = NULL, path[64];
  size_t size = 0;
  for (size_t c = 0; c < 3; c++) BOTH(sched) {
      rig_t r;
      make(&r, sched, script, STEPS, chunks[c], true);
      temp_path(path, sizeof path);
      ck_assert_int_eq(sim_trace_open(r.sim, path, NULL), 0);
      until(r.sim, 13);
      until(r.sim, 40);
      ck_assert_int_eq(sim_run_cycles(r.sim, r.clk[0], 3, NULL), SIM_REACHED);
      ck_assert_uint_eq(sim_now(r.sim), 101);
      ck_assert_uint_eq(sim_cycles(r.sim, r.clk[0]), 11);
      ck_assert_uint_eq(sim_cycles(r.sim, r.clk[1]), 7);
      ck_assert_uint_eq(sim_cycles(r.sim, r.clk[2]), 15);
      ck_assert_int_eq(sim_trace_close(r.sim, NULL), 0);
      size_t n;
      char *text = read_file(path, &n);
      if (!first) first = text, size = n;
      ck_assert_uint_eq(n, size);
      ck_assert_mem_eq(text, first, n);
      if (text != first) free(text);
      unlink(path);
      sim_destroy(r.sim);
    }
  free(first);
}
END_TEST

/* The process log of clocks alone is what the script says, on the short way and the general one. */
START_TEST(order_of_steps) {
  BOTH(sched) {
    for (int signals = 0; signals < 2; signals++) {
      rig_t r;
      make(&r, sched, script, STEPS, 4, signals);
      until(r.sim, 200);
      int at = 0;
      for (size_t i = 0; i < STEPS; i++)
        for (int c = 0; c < 2; c++) {
          if (!(script[i].rise >> c & 1)) continue;
          while (at < r.seen.n_log && r.seen.log[at].tag == 2) at++;
          ck_assert_int_lt(at, r.seen.n_log);
          ck_assert_int_eq(r.seen.log[at].tag, c);
          ck_assert_uint_eq(r.seen.log[at++].time, script[i].time);
        }
      sim_destroy(r.sim);
    }
  }
}
END_TEST

/* A function of the model: it says when the process that it clocks wants to run next. */
typedef struct {
  sim_time_t next;
  sim_source_t source;
  unsigned runs;
} wish_t;

static size_t when(void *ctx, sim_edge_t *edge, size_t n) {
  wish_t *w = ctx;
  (void)n;
  if (w->next == SIM_NEVER) return 0;
  *edge = (sim_edge_t){w->next, 1};
  return 1;
}

static void run_wish(sim_t *sim, void *ctx) {
  wish_t *w = ctx;
  w->runs++;
  w->next = w->runs % 5 == 0 ? SIM_NEVER : sim_now(sim) + w->runs;
}

START_TEST(wishes_and_pauses) {
  BOTH(sched) {
    wish_t w = {.next = 10};
    mrpb_err_t err = {""};
    sim_t *sim = sim_create();
    w.source = sim_source(sim, when, &w);
    sim_clock_t c = sim_source_clock(sim, SIM_TOP, "c", w.source, 1);
    sim_proc_t p = process(sim, "p", run_wish, &w);
    sim_on_rise(sim, p, c);
    sim_reads(sim, p, SIM_NO_SIGS);
    sim_writes(sim, p, SIM_NO_SIGS);
    elaborate(sim, sched);
    until(sim, 100);
    ck_assert_uint_eq(w.runs, 5); /* at 10, 11, 13, 16, 20; then none */
    ck_assert_int_eq(sim_run_cycles(sim, c, 1, &err), SIM_ERROR);
    expect_error(&err, "no further clock edge");
    w.next = 200;
    until(sim, 150);
    w.next = 170; /* it has said 200 */
    until(sim, 180);
    ck_assert_uint_eq(w.runs, 5);
    w.next = 190;
    sim_source_restart(sim, w.source);
    until(sim, 195);
    ck_assert_uint_eq(w.runs, 6);
    ck_assert_uint_eq(sim_cycles(sim, c), 6);
    sim_destroy(sim);
  }
}
END_TEST

START_TEST(errors) {
  static const struct {
    sim_edge_t edge[3];
    const char *part;
  } cases[] = {
      {{{5, 1}, {4, 1}}, "clock \"c0\": its function gives an edge at 4 fs; it is 5 fs already"},
      {{{5, 1}, {6, 0}},
       "time 6 fs: clock \"c0\": its function lets 0 rise; legal are clocks of 0x3"},
      {{{5, 1}, {6, 4}}, "its function lets 0x4 rise"},
      {{{5, 1}, {5, UINT32_MAX}}, "its function lets 0xffffffff rise"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    BOTH(sched) for (int signals = 0; signals < 2; signals++) {
      rig_t r;
      mrpb_err_t err = {""};
      make(&r, sched, cases[i].edge, 2, 64, signals);
      ck_assert_int_eq(sim_run_until(r.sim, 100, &err), SIM_ERROR);
      expect_error(&err, cases[i].part);
      ck_assert_int_eq(r.seen.n_log > 0 && r.seen.log[r.seen.n_log - 1].time <= 5, 1);
      ck_assert_int_eq(sim_run_until(r.sim, 100, &err), SIM_ERROR); /* and stays so */
      sim_destroy(r.sim);
    }
}
END_TEST

static size_t stuck(void *ctx, sim_edge_t *edge, size_t n) {
  (void)ctx;
  (void)n;
  *edge = (sim_edge_t){3, 1};
  return 1;
}

START_TEST(time_never_moves) {
  BOTH(sched) {
    mrpb_err_t err = {""};
    sim_t *sim = sim_create();
    sim_source_clock(sim, SIM_TOP, "c", sim_source(sim, stuck, NULL), 1);
    elaborate(sim, sched);
    ck_assert_int_eq(sim_run_until(sim, 100, &err), SIM_ERROR);
    expect_error(&err, "time 3 fs: no rest after 10000 answers of the function of clock \"c\"");
    sim_destroy(sim);
  }
}
END_TEST

START_TEST(construction) {
  BOTH(sched) for (int i = 0; i < 4; i++) {
    static const char *const part[] = {"a clock source has no clock", "is high for 0 fs",
                                       "clock source handle 7", "is one too many"};
    mrpb_err_t err = {""};
    sim_t *sim = sim_create();
    sim_source_t s = sim_source(sim, stuck, NULL);
    if (i == 1) sim_source_clock(sim, SIM_TOP, "c", s, 0);
    if (i == 2) sim_source_clock(sim, SIM_TOP, "c", (sim_source_t){7}, 1);
    for (int c = 0; i == 3 && c < 33; c++) {
      char name[16];
      snprintf(name, sizeof name, "c%d", c);
      sim_source_clock(sim, SIM_TOP, name, s, 1);
    }
    ck_assert_int_eq(sim_elaborate(sim, (sim_sched_t)sched, &err), -1);
    expect_error(&err, part[i]);
    sim_destroy(sim);
  }
}
END_TEST

Suite *test_sim_source_suite(void);
Suite *test_sim_source_suite(void) {
  Suite *s = suite_create("sim_source");
  TCase *t = tcase_create("edges from a function");
  tcase_add_test(t, both_schedulers_and_chunks);
  tcase_add_test(t, order_of_steps);
  tcase_add_test(t, wishes_and_pauses);
  tcase_add_test(t, errors);
  tcase_add_test(t, time_never_moves);
  tcase_add_test(t, construction);
  suite_add_tcase(s, t);
  return s;
}
