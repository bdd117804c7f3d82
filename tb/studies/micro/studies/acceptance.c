/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptance: how many loads an SM accepts before it stops, for loads of 1, 4, 8, 16 and 32 lines,
 * with L1Ds of several sizes and from some of the schedulers. The accepted loads are those in the
 * table (or as many as there are lines for) plus those in the front queues. docs/micro/h200.md */
#include "studies/micro/kernels/accept.h"
#include "studies/micro/study.h"

#include <math.h>

enum {
  LINE = 128,
  SIZES = 8,
  KINDS = 5,
  MANY = 2 /* the first kind that lines limit, not entries */
};

static const uint32_t kilobytes[SIZES] = {248, 224, 192, 156, 124, 92, 60, 28};
static const uint32_t lines_of[KINDS] = {1, 4, 8, 16, 32};

typedef struct {
  study_t *s;
  accepted_t seen;
  bool host;  /* data come from pinned host memory, which is slow enough */
  unsigned n; /* number of sizes that this L1D can be cut to */
  uint32_t kb[SIZES], taken[SIZES][KINDS];
  uint32_t full[SIZES]; /* cycles: the latest time at which loads of many lines stopped */
  bool late[SIZES];     /* measured again with a busy link: the first data came late enough */
  bool drained;         /* loads of one line, largest L1D: a scheduler had issued all of its own */
  uint32_t back;        /* the earliest time at which loads were accepted again */
  double front, shared; /* loads in the queues */
  bool queues;          /* the queues were found */
} run_t;

static uint32_t take(run_t *r, accept_what_t what, uint32_t kb, uint32_t lines,
                     uint32_t schedulers) {
  const accept_t p = {.schedulers = schedulers, .from_host = r->host};
  accept_take(&r->s->on, kb, lines, what, &p, &p, &r->seen);
  return r->seen.accepted;
}

/* ---- the L1D's lines -------------------------------------------------------- */

/* Loads of 16 lines and of 32 are both limited by lines alone, so their counts differ by lines /
 * 32. */
static double lines_seen(const run_t *r, unsigned size) {
  return 32.0 * (r->taken[size][3] - r->taken[size][4]);
}

/* Loads of 8 lines, less those in the front queues, must then be four times as many as those of 32:
 * the excess must be lines / 8 - lines / 16. A load's last lines may not fit, so one load may be
 * missing. */
static bool is_by_lines(const run_t *r, unsigned size) {
  const uint32_t *n = r->taken[size];
  double lines = lines_seen(r, size);
  return lines > 0 && fabs((double)n[2] - n[3] - lines / 16) <= 1;
}

/* On a noisy GPU each count may be off by one. Returns what all three pairs of counts allow. An L1D
 * is a multiple of 4 KB, so perhaps only one number is left. */
static micro_value_t lines_allowed(const run_t *r, unsigned size) {
  enum { STEP = 32 /* lines */ };
  const uint32_t *n = r->taken[size];
  const double each[] = {32, 32.0 / 3, 16};
  const double more[] = {(double)n[3] - n[4], (double)n[2] - n[4], (double)n[2] - n[3]};
  double lo = 0, hi = HUGE_VAL;
  for (unsigned i = 0; i < 3; i++) {
    lo = fmax(lo, (more[i] - 1) * each[i]);
    hi = fmin(hi, (more[i] + 1) * each[i]);
  }
  const double first = ceil(lo / (double)STEP) * (double)STEP;
  if (first <= hi && first + (double)STEP > hi) return micro_number(first);
  return lo <= hi ? micro_range(ceil(lo), floor(hi)) : micro_undecided();
}

/* Notes when the pause began, the latest of all, and when it ended, the earliest of all. */
static void note_pause(const accepted_t *seen, uint32_t *full, uint32_t *back) {
  if (seen->at[seen->accepted - 1] > *full) *full = seen->at[seen->accepted - 1];
  if (seen->at[seen->accepted] < *back) *back = seen->at[seen->accepted];
}

static void sweep_size(run_t *r, uint32_t kb) {
  const accepted_t *seen = &r->seen;
  uint32_t few = 0;
  for (unsigned k = 0; k < KINDS; k++) {
    r->taken[r->n][k] = take(r, ACCEPT_OTHER_LINES, kb, lines_of[k], 4);
    if (seen->accepted == seen->n) continue; /* no pause */
    note_pause(seen, k < MANY ? &few : &r->full[r->n], &r->back);
    if (k == 0 && r->n == 0) r->drained = seen->drained;
  }
  r->kb[r->n++] = kb;
}

/* Lines that return while others are still being requested are no longer awaited. */
static bool is_early(const run_t *r, unsigned size) {
  return r->full[size] > r->back;
}

/* Measures that size again while another SM keeps the link busy, so that all data come later. */
static void take_again(run_t *r, unsigned size) {
  const accepted_t *seen = &r->seen;
  uint32_t full = 0, back = UINT32_MAX;
  for (unsigned k = MANY; k < KINDS; k++) {
    r->taken[size][k] = take(r, ACCEPT_BUSY_LINK, r->kb[size], lines_of[k], 4);
    if (seen->accepted == seen->n) return;
    note_pause(seen, &full, &back);
  }
  r->late[size] = full <= back;
}

static void take_early_again(run_t *r) {
  bool any = false;
  for (unsigned i = 0; i < r->n; i++) any = any || is_early(r, i);
  if (!any || !r->host || r->s->on.limits.sms < 2 || !study_part(r->s, "a busy link")) return;
  for (unsigned i = 0; i < r->n; i++)
    if (is_early(r, i)) take_again(r, i);
}

static void lines_row(const run_t *r, unsigned i) {
  const uint32_t lines = r->kb[i] * 1024 / LINE;
  const bool early = is_early(r, i) && !r->late[i];
  study_of(r->s, "%u", r->kb[i]);
  micro_value_t seen = early                   ? micro_undecided()
                       : r->s->on.limits.noisy ? lines_allowed(r, i)
                       : is_by_lines(r, i)     ? micro_number(lines_seen(r, i))
                                               : micro_undecided();
  study_row_value(r->s, ROW_LINES_AWAITED, seen, study_lines_awaited(r->s, lines),
                  early                          ? "the first data arrive before all are requested"
                  : r->late[i]                   ? "while another SM keeps the link busy"
                  : seen.kind == MICRO_UNDECIDED ? "loads of 8, 16 and 32 lines do not agree"
                                                 : NULL);
}

static void sweep_sizes(run_t *r) {
  const bench_limits_t *most = &r->s->on.limits;
  r->back = UINT32_MAX;
  for (unsigned i = 0; i < SIZES; i++) {
    uint32_t lines = kilobytes[i] * 1024 / LINE;
    if (lines <= most->l1d_lines && lines % most->cut_lines == 0) sweep_size(r, kilobytes[i]);
  }
  take_early_again(r);
  for (unsigned i = 0; i < r->n; i++) lines_row(r, i);
}

static void plot_sizes(run_t *r) {
  micro_plot_t plot =
      study_new_plot(r->s, "L1D [KB]", "loads taken before the pause", "loads that an SM takes");
  for (unsigned k = 0; k < KINDS; k++) {
    char name[32];
    snprintf(name, sizeof name, "%u line%s a load", lines_of[k], k ? "s" : "");
    size_t series = micro_plot_series(&plot, name, MICRO_LINESPOINTS, false);
    for (unsigned i = 0; i < r->n; i++) micro_series_add(&plot, series, r->kb[i], r->taken[i][k]);
  }
  study_plot(r->s, "acceptance", &plot);
}

/* ---- the front queues ------------------------------------------------------- */

/* With one load in service, one load fewer has all its lines as soon as there is one line fewer. If
 * several loads take turns, the last ones each have some of their lines, and nobody can say how
 * many wait in front. */
static bool is_one_in_service(run_t *r, uint32_t taken) {
  const uint32_t kb = r->kb[r->n - 1];
  bool one = true;
  for (uint32_t less = 1; less <= 3 && one; less++)
    if ((kb - less) * 1024 / LINE % r->s->on.limits.cut_lines == 0)
      one = take(r, ACCEPT_OTHER_LINES, kb - less, 32, 4) + 1 == taken;
  return one;
}

/* Takes loads of 32 lines with the smallest L1D. The loads accepted from 1, 2 and 4 schedulers,
 * less those whose lines are awaited, are in the queues. Two more schedulers must add twice as many
 * as one more. */
static void find_queues(run_t *r) {
  study_t *s = r->s;
  const config_t *cfg = study_known(s);
  uint32_t taken[3];
  double awaited = lines_seen(r, r->n - 1) / 32;
  for (unsigned i = 0; i < 3; i++)
    taken[i] = take(r, ACCEPT_OTHER_LINES, r->kb[r->n - 1], 32, 1u << i);
  r->front = (taken[2] - (double)taken[0]) / 3;
  r->shared = taken[0] - awaited - r->front;
  r->queues = is_by_lines(r, r->n - 1) && taken[2] - taken[1] == 2 * (taken[1] - taken[0]);
  if (!s->on.limits.noisy && !is_one_in_service(r, taken[2])) r->queues = false;
  s->from = "loads of 32 lines, the smallest L1D";
  const char *why = r->queues ? NULL : "the schedulers' shares differ";
  for (unsigned i = 0; i < 3; i++) {
    study_of(s, "%u scheduler%s", 1u << i, i ? "s" : "");
    study_row_unless(s, why, ROW_LOADS_IN_FRONT, micro_number(taken[i] - awaited),
                     (1u << i) * cfg->lsu_queue_sched + (double)cfg->lsu_queue, NULL);
  }
  study_row_unless(s, why, ROW_QUEUE_SCHEDULER, micro_number(r->front), cfg->lsu_queue_sched, NULL);
  study_row_unless(s, why, ROW_QUEUE_SHARED, micro_number(r->shared), cfg->lsu_queue,
                   "includes the one in service");
}

/* If nothing stopped before all loads were issued, the table has at least that many entries. */
static void table_row(const run_t *r) {
  const config_t *c = study_known(r->s);
  const double one = r->taken[0][0] - 4 * r->front - r->shared;
  const bool by_lines = one >= lines_seen(r, 0);
  r->s->from = "loads of one line, the largest L1D";
  study_row(r->s, ROW_LOADS_TAKEN, r->taken[0][0], (double)NAN, NULL);
  const bool all = r->taken[0][0] == ACCEPT_MOST || by_lines;
  const char *why = !r->queues           ? "the front queues are not known"
                    : !all && r->drained ? "a scheduler has too few loads to fill its queue"
                                         : NULL;
  study_row_unless(r->s, why, ROW_LOADS_MISSED, all ? micro_at_least(one) : micro_number(one),
                   study_if(c->table == DEVICE_TABLE_PRT, c->prt_loads),
                   by_lines ? "lines run out first"
                   : all    ? "all were taken"
                            : NULL);
}

void study_acceptance(study_t *s) {
  const bench_limits_t *has = &s->on.limits;
  run_t r = {.s = s, .host = has->host};
  const bool large = has->l1d_lines >= kilobytes[SIZES - 1] * 1024 / LINE;
  if (!study_can(s, large && has->schedulers == 4 && accept_fits(has), ROW_ACCEPTANCE,
                 "for an L1D of 28 KB or more, 4 schedulers, and blocks of 1024 threads"))
    return;
  s->from = "loads taken, of 16 and 32 lines";
  sweep_sizes(&r);
  if (!study_can(s, r.n > 0, ROW_ACCEPTANCE, "no size that this L1D can be cut to")) return;
  find_queues(&r);
  table_row(&r);
  plot_sizes(&r);
}
