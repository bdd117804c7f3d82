/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for the tests of the kernel: a log of which process ran when, and calls that must
 * succeed. */
#ifndef SIM_HELP_H
#define SIM_HELP_H

#include "sim/sim.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BOTH(sched) for (int sched = SIM_EVENT_DRIVEN; sched <= SIM_STATIC; sched++)

/* What the processes of these tests share: signals, an event, and a log of which process ran
 * when. */
typedef struct {
  sim_sig_t a, b, c;
  sim_event_t e;
  int tag, runs, n_log;
  struct {
    int tag;
    sim_time_t time;
    uint64_t a;
  } log[64];
} shared_t;

typedef struct {
  shared_t *s;
  int tag;
  uint64_t arg;
} who_t;

static inline void note(sim_t *sim, void *ctx) {
  const who_t *w = ctx;
  shared_t *s = w->s;
  if (s->n_log == 64) return;
  s->log[s->n_log].tag = w->tag;
  s->log[s->n_log].time = sim_now(sim);
  s->log[s->n_log++].a = sim_read(sim, s->a);
}

static inline void elaborate(sim_t *sim, int sched) {
  mrpb_err_t err = {""};
  int status = sim_elaborate(sim, (sim_sched_t)sched, &err);
  ck_assert_msg(status == 0, "%s", err.text);
}

static inline void until(sim_t *sim, sim_time_t t) {
  mrpb_err_t err = {""};
  sim_status_t status = sim_run_until(sim, t, &err);
  ck_assert_msg(status == SIM_REACHED, "%s", err.text);
}

static inline void expect_error(const mrpb_err_t *err, const char *part) {
  ck_assert_msg(strstr(err->text, part), "\"%s\" is not in \"%s\"", part, err->text);
}

static inline sim_proc_t process(sim_t *sim, const char *name, sim_fn_t fn, void *ctx) {
  sim_proc_t p = sim_process(sim, SIM_TOP, name, fn, ctx);
  sim_dont_initialize(sim, p);
  return p;
}

#endif
