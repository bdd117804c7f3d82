/* SPDX-License-Identifier: Apache-2.0 */
/* Models of clocks alone, whose pattern of coinciding edges is played from a table: both schedulers
 * make the same steps, through runs of any length, stops, and reads of a clock's level. */
#include "sim_help.h"

enum { CLOCKS = 4, PROCS = 5, MOST = 20000 };

typedef struct seen seen_t;
typedef struct {
  seen_t *seen;
  unsigned tag;
} member_t;

struct seen {
  sim_clock_t clk[CLOCKS];
  member_t member[PROCS];
  unsigned n, observe_at, stop_at;
  bool low; /* a level that was looked at was once low */
  struct {
    sim_time_t time;
    uint64_t cycles;
    unsigned tag;
  } log[MOST];
};

static void member(sim_t *sim, void *ctx) {
  const member_t *m = ctx;
  seen_t *s = m->seen;
  ck_assert_uint_lt(s->n, MOST);
  s->log[s->n].time = sim_now(sim);
  s->log[s->n].cycles = sim_cycles(sim, s->clk[m->tag % CLOCKS]);
  s->log[s->n].tag = m->tag;
  if (++s->n == s->stop_at) sim_stop(sim);
  if (s->n >= s->observe_at && !sim_read(sim, sim_clock_signal(sim, s->clk[3]))) s->low = true;
}

/* Clocks of 575, 1150, 750 MHz and the last one's frequency; the process of clock 1 twice. */
static sim_t *model(seen_t *s, int sched, uint64_t mhz, sim_time_t first) {
  static const uint64_t f[CLOCKS] = {575, 1150, 750, 0};
  sim_t *sim = sim_create();
  for (unsigned i = 0; i < CLOCKS; i++) {
    char name[8] = {'c', (char)('0' + i)};
    uint64_t hz = (f[i] ? f[i] : mhz) * UINT64_C(1000000);
    s->clk[i] = sim_clock_hz(sim, SIM_TOP, name, hz, i == 3 ? first : 0);
  }
  for (unsigned i = 0; i < PROCS; i++) {
    char name[8] = {'p', (char)('0' + i)};
    s->member[i] = (member_t){s, i};
    sim_proc_t p = process(sim, name, member, &s->member[i]);
    sim_on_rise(sim, p, s->clk[i < CLOCKS ? i : 1]);
    sim_reads(sim, p, SIM_NO_SIGS);
    sim_writes(sim, p, SIM_NO_SIGS);
  }
  elaborate(sim, sched);
  return sim;
}

static void chunks(sim_t *sim, seen_t *s) {
  mrpb_err_t err = {""};
  for (unsigned i = 1; i < 60; i++) {
    sim_status_t status = sim_run_cycles(sim, s->clk[i % CLOCKS], i, &err);
    ck_assert_msg(status == SIM_REACHED || status == SIM_STOPPED, "%s", err.text);
    until(sim, sim_now(sim) + i * 100);
  }
}

static void compare(uint64_t mhz, sim_time_t first, unsigned observe_at, unsigned stop_at) {
  seen_t *s = calloc(2, sizeof *s);
  sim_t *sim[2];
  BOTH(sched) {
    seen_t *x = &s[sched - SIM_EVENT_DRIVEN];
    x->observe_at = observe_at;
    x->stop_at = stop_at;
    sim_t *made = sim[sched - SIM_EVENT_DRIVEN] = model(x, sched, mhz, first);
    chunks(made, x);
  }
  ck_assert_uint_gt(s[0].n, 3000);
  ck_assert_uint_eq(s[0].n, s[1].n);
  for (unsigned i = 0; i < s[0].n; i++) {
    ck_assert_uint_eq(s[0].log[i].time, s[1].log[i].time);
    ck_assert_uint_eq(s[0].log[i].cycles, s[1].log[i].cycles);
    ck_assert_uint_eq(s[0].log[i].tag, s[1].log[i].tag);
  }
  ck_assert(s[0].low == s[1].low);
  ck_assert_uint_eq(sim_now(sim[0]), sim_now(sim[1]));
  ck_assert_uint_eq(sim_stats(sim[0]).steps, sim_stats(sim[1]).steps);
  ck_assert_uint_eq(sim_stats(sim[0]).activations, sim_stats(sim[1]).activations);
  sim_destroy(sim[0]);
  sim_destroy(sim[1]);
  free(s);
}

START_TEST(short_pattern) {
  compare(575, 0, UINT32_MAX, 0);
  compare(1401, 0, UINT32_MAX, 0);
}
END_TEST

START_TEST(no_pattern) {
  compare(997, 1234567, UINT32_MAX, 0);
}
END_TEST

START_TEST(stop_inside) {
  compare(575, 0, UINT32_MAX, 777);
}
END_TEST

START_TEST(level_looked_at_during_a_run) {
  compare(575, 0, 1500, 0);
}
END_TEST

Suite *test_sim_beat_suite(void);
Suite *test_sim_beat_suite(void) {
  Suite *s = suite_create("sim_beat");
  TCase *t = tcase_create("beat");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, stop_inside);
  suite_add_tcase(s, t);
  t = tcase_create("more beats");
  tcase_set_timeout(t, 60);
  tcase_set_tags(t, "heavy"); /* thousands of edges each: not under valgrind */
  tcase_add_test(t, short_pattern);
  tcase_add_test(t, no_pattern);
  tcase_add_test(t, level_looked_at_during_a_run);
  suite_add_tcase(s, t);
  return s;
}
