/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of runs. Each point is a child process; its result goes into the store when it ends. */
#include "studies/sweep/run.h"

#include "base/jobs.h"
#include "studies/sweep/child.h"
#include "studies/sweep/slurm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const sweep_t *sweep;
  plan_t plan;
  run_tally_t tally;
  size_t *point; /* the point of each job */
  child_t *child;
  size_t first, runs; /* all jobs before `first` have ended; `runs` have begun */
  int rc;
  mrpb_err_t *err;
} pool_t;

/* ---- what is said ------------------------------------------------------------------------------ */

static void name_point(const plan_t *plan, size_t i, FILE *f) {
  const sweep_list_t *l = plan->list;
  const sweep_point_t *p = &l->point[i];
  fprintf(f, "%s", l->program[p->program].options);
  for (unsigned k = 0; k < config_count(); k++) {
    char value[128];
    if (!plan->key[k] || !config_has(&p->cfg, k)) continue;
    config_print_value(&p->cfg, k, value, sizeof value);
    fprintf(f, " %s=%s", config_key(k)->name, value);
  }
  fprintf(f, " (%016" PRIx64 ")", p->hash);
}

FILE *run_out(const sweep_t *s) {
  return s->log ? s->log : s->show;
}

static void clear(const sweep_t *s) {
  if (s->show) fprintf(s->show, "\r\033[K");
}

void run_tell(const sweep_t *s, const plan_t *plan, run_tally_t *t, size_t point,
              const sweep_outcome_t *o) {
  const bool good = (o->exited && o->code == 0) || o->ended;
  t->ended++;
  t->failed += !good;
  t->derived += o->from != 0;
  t->cut += o->ended != 0;
  FILE *f = run_out(s);
  if (!f || (!s->log && good)) return;
  clear(s);
  fprintf(f, "[%zu/%zu] ", t->ended, t->all);
  name_point(plan, point, f);
  if (o->from)
    fprintf(f, ": equal to %016" PRIx64, o->from);
  else
    fprintf(f, ": %.2f CPU-s, %ld MB", o->cpu_seconds, o->memory_kb / 1024);
  if (o->ended) fprintf(f, ", ended at %" PRIu64, o->ended);
  if (!good)
    fprintf(f, ", FAILED (%s %d): %s", o->exited ? "exit" : "signal", o->code,
            o->message[0] ? o->message : "no message");
  fputc('\n', f);
  fflush(f);
}

void run_progress(const sweep_t *s, const run_tally_t *t, const plan_t *plan, unsigned at_once) {
  const double seconds = plan_left(plan);
  char left[32] = "?";
  if (!s->show) return;
  if (seconds > 0) plan_duration(seconds / at_once, left, sizeof left);
  fprintf(s->show, "\r%zu of %zu points, %zu running, %zu failed, %s left\033[K", t->ended, t->all,
          plan->begun - t->ended, t->failed, left);
  fflush(s->show);
}

int run_close(const sweep_t *s, const plan_t *plan, const run_tally_t *t) {
  clear(s);
  if (s->show)
    fprintf(s->show, "%zu of %zu points made, %zu failed\n", t->ended, t->all, t->failed);
  if (plan->failed && run_out(s))
    fprintf(run_out(s), "%zu points failed in an earlier run; --retry-failed runs them again\n",
            plan->failed);
  if (run_out(s) && t->derived + t->cut > 0)
    fprintf(run_out(s), "%zu points derived, %zu ended\n", t->derived, t->cut);
  return t->failed || plan->failed || plan->fewer.differs;
}

/* ---- the pool ---------------------------------------------------------------------------------- */

static bool stopped(const sweep_t *s) {
  return s->stop && s->stop();
}

static int store(pool_t *p, size_t i, const sweep_outcome_t *o) {
  const sweep_t *s = p->sweep;
  const sweep_point_t *point = &s->list->point[i];
  mrpb_err_t why = {{0}};
  if (sweep_store_put(s->store, &s->list->program[point->program], point, o, p->err) != 0)
    return -1;
  const int rc = fewer_end(&p->plan.fewer, i, o, &why);
  if (rc < 0) return mrpb_fail(p->err, "%s", why.text);
  plan_end(&p->plan, i, o->exited && o->code == 0 && !o->from ? o->cpu_seconds : 0);
  run_tell(s, &p->plan, &p->tally, i, o);
  if (rc > 0 && run_out(s)) fprintf(run_out(s), "%s\n", why.text);
  return 0;
}

/* Derives what can be derived, until a point must be run. */
static jobs_more_t more(void *ctx) {
  pool_t *p = ctx;
  sweep_outcome_t o;
  while (!stopped(p->sweep)) {
    const size_t i = plan_next(&p->plan);
    if (i == FEWER_NONE) return p->plan.begun < p->plan.n ? JOBS_WAIT : JOBS_NONE;
    const int rc = fewer_derive(&p->plan.fewer, i, &o, p->err);
    p->point[p->runs] = i;
    if (rc == 0) return JOBS_BEGIN;
    const bool good = rc > 0 && store(p, i, &o) == 0;
    free(o.json);
    if (!good) return p->rc = -1, JOBS_NONE;
  }
  return JOBS_NONE;
}

static int open_run(void *ctx, size_t job, mrpb_err_t *err) {
  pool_t *p = ctx;
  const size_t i = p->point[job];
  p->runs = job + 1;
  if (child_open(&p->child[job], &p->sweep->list->point[i], err) != 0) return -1;
  if (!fewer_bounded(&p->plan.fewer, i)) return 0;
  return child_bind(&p->child[job], fewer_bound(&p->plan.fewer, i), err);
}

static int become(void *ctx, size_t job, FILE *out) {
  const pool_t *p = ctx;
  const sweep_list_t *l = p->sweep->list;
  (void)out;
  return child_become(&p->child[job], p->sweep->program,
                      &l->program[l->point[p->point[job]].program]);
}

static void tick(void *ctx) {
  pool_t *p = ctx;
  while (p->first < p->runs && !p->child[p->first].open) p->first++;
  for (size_t i = p->first; i < p->runs; i++) {
    child_drain(&p->child[i]);
    if (p->child[i].bound) p->child[i].bound->cycles = fewer_bound(&p->plan.fewer, p->point[i]);
  }
  run_progress(p->sweep, &p->tally, &p->plan, p->sweep->jobs);
}

/* A run that was ended together with this process has not failed; it is missing. */
static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  pool_t *p = ctx;
  const sweep_t *s = p->sweep;
  const size_t i = p->point[end->job];
  const sweep_point_t *point = &s->list->point[i];
  sweep_outcome_t o;
  if (end->why) {
    p->rc = mrpb_fail(p->err, "%s", end->why);
    return JOBS_NO_MORE;
  }
  child_end(&p->child[end->job], point, end, &o);
  const bool good = (o.exited && o.code == 0) || o.ended;
  if (p->rc != 0 || (!good && stopped(s))) return free(o.json), JOBS_NO_MORE;
  p->rc = store(p, i, &o);
  free(o.json);
  return p->rc != 0 ? JOBS_END_ALL : JOBS_GO_ON;
}

static int run_pool(pool_t *p, mrpb_err_t *err) {
  const sweep_t *s = p->sweep;
  const jobs_t jobs = {.n = p->plan.n,
                       .at_once = s->jobs,
                       .silent = true,
                       .ctx = p,
                       .more = more,
                       .open = open_run,
                       .work = become,
                       .end = tell,
                       .tick = tick,
                       .stop = s->stop};
  p->point = calloc(p->plan.n + 1, sizeof *p->point);
  p->child = calloc(p->plan.n + 1, sizeof *p->child);
  const int rc = p->point && p->child ? jobs_run(&jobs, err) : mrpb_fail(err, "out of memory");
  for (size_t i = p->first; p->child && i < p->runs; i++) child_close(&p->child[i]);
  free(p->point);
  free(p->child);
  return rc;
}

static int run_here(const sweep_t *s, mrpb_err_t *err) {
  pool_t p = {.sweep = s, .err = err};
  if (plan_open(&p.plan, s, err) != 0) return -1;
  p.tally.all = p.plan.n;
  const int rc = run_pool(&p, err), failed = run_close(s, &p.plan, &p.tally);
  plan_close(&p.plan);
  return rc < 0 || p.rc < 0 ? -1 : rc == JOBS_STOPPED ? 130 : failed;
}

int sweep_run(const sweep_t *s, mrpb_err_t *err) {
  return s->slurm ? slurm_run(s, err) : run_here(s, err);
}

int sweep_show(const sweep_t *s, FILE *out, mrpb_err_t *err) {
  plan_t plan;
  char text[32] = "unknown";
  if (plan_open(&plan, s, err) != 0) return -1;
  if (plan.n == 0 || plan_left(&plan) > 0) plan_duration(plan_left(&plan), text, sizeof text);
  fprintf(out, "%zu points: %zu done, %zu failed, %zu to run; CPU time: %s\n", s->list->n,
          plan.done, plan.failed, plan.n, text);
  if (plan.over > 0) fprintf(out, "%zu ended: another point of their group is better\n", plan.over);
  if (s->skip_equal && plan.n > 0) fprintf(out, "of those to run, some may be derived\n");
  for (size_t i = 0; plan.fewer.point && i < s->list->n; i++) plan.fewer.point[i].waits = false;
  while (plan.begun < plan.n) {
    const size_t i = plan_next(&plan);
    const double cost = plan_cost(&plan, s->list->point[i].program);
    if (cost > 0) plan_duration(cost, text, sizeof text);
    fprintf(out, "%s  ", cost > 0 ? text : "?");
    name_point(&plan, i, out);
    fputc('\n', out);
  }
  plan_close(&plan);
  return 0;
}
