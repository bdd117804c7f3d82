/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-Latency (papers 000 and 002): how the time of N loads per thread grows with the threads.
 * It jumps where the structure for outstanding loads is full. The jumps of several patterns show
 * MSHRs or a PRT, and how many entries; the jump of one warp shows the scoreboard's limit; warps
 * that share a line show the reads of one MSHR. docs/micro/thread_latency.md */
#include "studies/micro/deduce/table.h"
#include "studies/micro/kernels/loads.h"
#include "studies/micro/deduce/spikes.h"
#include "studies/micro/studies/scoreboard.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 1024, STEP = 2, MAX_POINTS = MAX_THREADS / STEP };
/* Loads that so many threads share have few lines; curves that must agree; a clear jump is so many
 * times the next one. */
enum { FEW_SHARERS = 16, AGREE = 2, CLEAR = 2 };
/* Two SMs share a limit if each reaches it with less than this part of one's threads. */
static const double of_one_sm = 0.75;

/* One curve: what was loaded, and the result. */
typedef struct {
  loads_kind_t kind;
  loads_t p;
  char name[48]; /* "unique, N = 1" */
  size_t n;
  uint32_t threads[MAX_POINTS];
  double latency[MAX_POINTS], variance[MAX_POINTS];
  deduce_table_curve_t seen, seen_full; /* from all points; from points with full warps only */
} curve_t;

typedef struct {
  study_t *s;
  scoreboard_t board;
  uint32_t max_threads;
  bool merges_seen;
  uint32_t merges; /* warps that share a line before one waits; or all that were tried */
  deduce_table_kind_t kind;
  uint32_t entries; /* deduced MSHRs */
  curve_t *curve;
  size_t n;
} run_t;

/* ---- sweeps ---------------------------------------------------------------- */

static void name_curve(curve_t *c) {
  if (c->p.warps_on_line > 1)
    snprintf(c->name, sizeof c->name, "%u warps share a line, N = %u", c->p.warps_on_line,
             c->kind.loads);
  else if (c->p.sharers == 1)
    snprintf(c->name, sizeof c->name, "unique, N = %u", c->kind.loads);
  else
    snprintf(c->name, sizeof c->name, "Merger%u, N = %u", c->p.sharers, c->kind.loads);
}

/* The first launch fills the TLBs and is not counted. If launches are repeated, the whole sweep is
 * repeated, so that drift affects all points alike. */
static void sweep(const study_t *s, curve_t *c, uint32_t from, uint32_t to, uint32_t step) {
  loads_bench_t b;
  loads_t p = c->p;
  loads_open(&b, &s->on, &c->kind);
  p.threads = to;
  loads_once(&b, &p);
  for (uint32_t i = 0; i < s->on.limits.repeats; i++)
    for (p.threads = from, c->n = 0; p.threads <= to; p.threads += step, c->n++) {
      const uint32_t cycles = loads_once(&b, &p);
      c->threads[c->n] = p.threads;
      if (i == 0 || cycles < c->latency[c->n]) c->latency[c->n] = cycles;
    }
  bench_close(&b.bench);
}

/* The point of saturation in every `every`-th point: good and bad threads. */
static deduce_table_curve_t find_spike(const curve_t *c, size_t every, mrpb_err_t *err) {
  uint32_t threads[MAX_POINTS];
  double latency[MAX_POINTS];
  size_t n = 0;
  micro_spikes_t spikes;
  for (size_t i = every - 1; i < c->n; i += every, n++) {
    threads[n] = c->threads[i];
    latency[n] = c->latency[i];
  }
  deduce_table_curve_t seen = {.loads = c->kind.loads,
                               .lines = 32 / c->p.sharers,
                               .good = threads[n - 1],
                               .sharing = c->p.warps_on_line};
  (void)micro_spikes_find(&spikes, threads, latency, n, NULL, err);
  const micro_spike_t *first = micro_spikes_first(&spikes);
  if (first) {
    seen.good = first->before;
    seen.bad = first->after;
  }
  micro_spikes_free(&spikes);
  return seen;
}

static void find_spikes(curve_t *c, mrpb_err_t *err) {
  micro_variance(c->latency, c->n, c->variance);
  c->seen = find_spike(c, 1, err);
  c->seen_full = find_spike(c, 32 / STEP, err);
}

/* ---- MSHRs or PRT ---------------------------------------------------------- */

static void plot_curve(study_t *s, const curve_t *c) {
  char file[96];
  micro_plot_t plot =
      study_new_plot(s, "threads", "latency [cycles]", "Thread-Latency, %s", c->name);
  snprintf(plot.y2label, sizeof plot.y2label, "3-point variance [cycles^2]");
  size_t latency = micro_plot_series(&plot, "latency", MICRO_LINES, false);
  size_t variance = micro_plot_series(&plot, "variance", MICRO_IMPULSES, true);
  for (size_t i = 0; i < c->n; i++) {
    micro_series_add(&plot, latency, c->threads[i], c->latency[i]);
    micro_series_add(&plot, variance, c->threads[i], c->variance[i]);
  }
  study_of(s, "%s", c->name);
  if (c->seen.bad) micro_plot_mark(&plot, "deduced", c->seen.good, false, false);
  study_mark_published(s, ROW_SPIKE, &plot);
  snprintf(file, sizeof file, "thread-latency-%u-of-%u", c->p.sharers * c->p.warps_on_line,
           c->kind.loads);
  study_plot(s, file, &plot);
}

/* Published thread counts are right within a step; if warp loads count, within a warp. */
static void spike_row(study_t *s, const curve_t *c, double within) {
  study_of(s, "%s", c->name);
  micro_value_t published = study_published(s, ROW_SPIKE);
  if (c->seen.bad && published.kind != MICRO_WORDS)
    study_row_within(s, ROW_SPIKE, c->seen.good, (double)NAN, within, NULL);
  else if (c->seen.bad || published.kind == MICRO_WORDS)
    study_row_words(s, ROW_SPIKE, c->seen.bad ? "yes" : "none", NULL, NULL);
}

static void add_curve(run_t *r, uint32_t loads, uint32_t sharers, uint32_t warps) {
  if (loads > r->board.warp_loads) return;
  curve_t *c = &r->curve[r->n++];
  *c = (curve_t){.kind = {.loads = loads, .host = r->s->on.limits.host},
                 .p = {.sharers = sharers, .warps_on_line = warps}};
  name_curve(c);
  sweep(r->s, c, STEP, r->max_threads, STEP);
  find_spikes(c, r->s->on.err);
  plot_curve(r->s, c);
}

/* The paper's patterns, with data in the L2. If a GPU can reach pinned host memory, loads from
 * there, which are slow enough for many to be outstanding: one line for each warp, and one for two
 * warps, which distinguishes lines from loads. */
static void run_curves(run_t *r) {
  static const uint32_t sharers[] = {1, 2, 4, 8, 16, 32};
  static const struct { uint32_t loads, warps; } far[] = {{16, 1}, {20, 1}, {24, 1}, {20, 2}};
  bool host = r->s->on.limits.host;
  for (unsigned k = 0; !host && k < 6; k++)
    for (uint32_t loads = 1; loads <= 4; loads++) add_curve(r, loads, sharers[k], 1);
  for (unsigned k = 0; host && k < sizeof far / sizeof *far; k++)
    add_curve(r, far[k].loads, 32, far[k].warps);
}

/* Narrows the bounds that the curves leave: tries one warp load or one line more at a time. */
static void refine(run_t *r, bool prt, deduce_interval_t *i) {
  const bench_limits_t *has = &r->s->on.limits;
  uint32_t warps = r->max_threads / 32, from = i->lo > 4 ? i->lo - 4 : 1;
  uint32_t loads = prt ? (i->hi + warps) / warps : 1;
  const uint32_t to = prt || i->hi + 4 < r->max_threads ? i->hi + 4 : r->max_threads;
  if (i->hi == UINT32_MAX || i->lo == i->hi || loads > r->board.warp_loads) return;
  loads_bench_t b;
  const loads_kind_t k = {.loads = loads, .host = has->host, .counted = prt};
  loads_t p = {r->max_threads, prt ? 32 : 1, .warps_on_line = 1, .total = loads * warps};
  double before = 0, most = 0, second = 0;
  uint32_t found = 0;
  loads_open(&b, &r->s->on, &k);
  (void)loads_run(&b, &p);
  for (uint32_t x = from; x <= to; x++) {
    *(prt ? &p.total : &p.threads) = x;
    const uint32_t cycles = loads_run(&b, &p);
    if (x > from && cycles - before > most) {
      second = most;
      most = cycles - before;
      found = x - 1;
    } else if (x > from && cycles - before > second) {
      second = cycles - before;
    }
    before = cycles;
  }
  /* Noise may have moved a spike by a warp, and this step by one load. */
  const bool inside = found >= i->lo && found <= i->hi;
  const uint32_t slack = has->noisy;
  if ((inside || slack) && most > CLEAR * second)
    *i = (deduce_interval_t){found - slack, found + slack};
  bench_close(&b.bench);
}

/* The number of curves for an answer and against it. */
typedef struct {
  unsigned spikes, against;
} votes_t;

static votes_t votes(const deduce_table_t *d, const deduce_table_curve_t *seen, size_t n) {
  votes_t v = {0};
  for (size_t i = 0; i < n; i++) {
    bool against = d->contradicted >> i & 1;
    v.spikes += seen[i].bad && !against;
    v.against += against;
  }
  return v;
}

static micro_value_t interval(deduce_interval_t i) {
  if (i.hi < i.lo) return micro_undecided();
  return i.hi == UINT32_MAX ? micro_at_least(i.lo) : micro_range(i.lo, i.hi);
}

static void table_rows(run_t *r, const deduce_table_t *d, const char *why_not) {
  study_t *s = r->s;
  const config_t *c = study_known(s);
  const bool prt = c->table == DEVICE_TABLE_PRT;
  const char *configured = prt ? "PRT" : "MSHR";
  if (why_not) {
    study_row_open(s, ROW_TABLE, configured, why_not);
    return;
  }
  study_row_words(s, ROW_TABLE, deduce_table_name(d->kind), configured, NULL);
  if (d->kind == DEDUCE_TABLE_MSHR)
    study_row_value(s, ROW_MSHRS, interval(d->lines),
                    study_lines_awaited(s, c->l1d_sets * c->l1d_ways), NULL);
  if (d->kind != DEDUCE_TABLE_PRT) return;
  study_row_value(s, ROW_PRT_ENTRIES, interval(d->loads), study_if(prt, c->prt_loads), NULL);
  study_row_value(s, ROW_PRT_REQUESTS, micro_range(32.0 * d->loads.lo, 32.0 * d->loads.hi), NAN,
                  "32 for each entry");
}

/* Which curves are believed; tried one after the other until they agree. A load of few lanes may
 * leave a PRT early, so threads may count only in whole warps. If every load has many lines, those
 * of the loads in the table may keep the port busy until the next load enters, and no spike shows.
 * On a noisy GPU, noise may hide a spike, so a curve without one says nothing. */
typedef enum { ALL_POINTS, FULL_WARPS, FEW_LINES, TRIALS } trial_t;

static size_t choose(const run_t *r, trial_t trial, deduce_table_curve_t *seen, size_t *of) {
  size_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    const curve_t *c = &r->curve[i];
    const deduce_table_curve_t *x = trial == ALL_POINTS ? &c->seen : &c->seen_full;
    if (trial == FEW_LINES && c->p.sharers < FEW_SHARERS) continue;
    if (r->s->on.limits.noisy && !x->bad) continue;
    of[n] = i;
    seen[n++] = *x;
  }
  return n;
}

/* If the table is no larger than the limit found, the warp may have waited for the table. */
static void scoreboard_row(run_t *r, const deduce_table_t *d) {
  micro_value_t v = r->board.at_once;
  const char *note =
      v.kind == MICRO_UNDECIDED ? "a port, or the issue, is as slow as a load" : NULL;
  bool small = d && ((d->kind == DEDUCE_TABLE_MSHR && d->lines.lo <= r->board.warp_loads) ||
                     (d->kind == DEDUCE_TABLE_PRT && d->loads.lo <= r->board.warp_loads));
  if (small && v.kind == MICRO_NUMBER) {
    v = micro_at_least(v.number);
    note = "the table has no more";
  }
  r->s->from = "one warp, 1 to 64 loads";
  study_row_value(r->s, ROW_LOADS_AT_ONCE, v, study_known(r->s)->loads_per_warp, note);
}

/* NULL: the answer stands. */
static const char *doubt(const run_t *r, const deduce_table_t *d, const votes_t *v) {
  switch (d->kind) {
  case DEDUCE_TABLE_NO_SPIKE:
    return "nothing ran out";
  case DEDUCE_TABLE_EITHER:
    return "the curves do not tell MSHRs from a PRT";
  case DEDUCE_TABLE_BOTH:
    return "loads of few lines run out of one table, loads of many lines of another";
  case DEDUCE_TABLE_NEITHER:
    return "no size of either fits the spikes";
  case DEDUCE_TABLE_MSHR:
  case DEDUCE_TABLE_PRT:
    break;
  }
  if (v->spikes < AGREE) return "one curve alone has a spike";
  if (v->against >= v->spikes) return "as many curves contradict it as support it";
  if (d->kind == DEDUCE_TABLE_PRT && r->merges_seen && r->merges < d->loads.lo)
    return "spikes as of a PRT, but warps that share a line wait as for an MSHR";
  return NULL;
}

/* Adds a row for each curve that the answer does not explain. */
static void rows_against(run_t *r, const deduce_table_t *d, const deduce_table_curve_t *seen,
                         const size_t *of, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!(d->contradicted >> i & 1)) continue;
    char found[MICRO_TABLE_TEXT];
    uint32_t lines = deduce_table_lines(&seen[i], seen[i].good);
    study_of(r->s, "%s", r->curve[of[i]].name);
    snprintf(found, sizeof found, seen[i].bad ? "spike after %u lines" : "no spike up to %u lines",
             lines);
    study_row_words(r->s, ROW_TABLE_AGAINST, found, NULL,
                    seen[i].bad ? "contradicts the others" : "another resource limits it first");
  }
}

/* The lines in flight from the host may be limited by the link and not by the SM's table. Then two
 * SMs reach the limit when each has half of them. *why_not: why the table is hidden, or may be. */
static bool find_link(run_t *r, const char **why_not) {
  const curve_t *one = &r->curve[0];
  curve_t two = {.kind = one->kind, .p = one->p, .name = "two SMs"};
  if (!r->s->on.limits.host || !one->seen.bad || r->s->on.limits.sms < 2) return false;
  if (!study_part(r->s, "two SMs")) {
    *why_not = "it may be the link: two SMs were not measured";
    return false;
  }
  two.kind.two = true;
  sweep(r->s, &two, STEP, one->seen.good, STEP);
  find_spikes(&two, r->s->on.err);
  const bool link = two.seen.bad && two.seen.good < of_one_sm * one->seen.good;
  if (link) *why_not = "hidden by the link: two SMs have no more lines in flight than one";
  return link;
}

static void link_row(run_t *r, const deduce_table_t *d) {
  const config_t *c = study_known(r->s);
  r->s->from = "two SMs that load at once";
  study_row_value(r->s, ROW_HOST_LINES, interval(d->lines), study_if(c->host_reads, c->host_reads),
                  "of both; the link takes no more");
}

static void deduce(run_t *r) {
  static const char *const from[TRIALS] = {"spikes of all curves", "spikes at whole warps",
                                           "spikes at whole warps, loads of 1 and 2 lines"};
  deduce_table_curve_t seen[DEDUCE_TABLE_CURVES];
  deduce_table_t d = {.kind = DEDUCE_TABLE_NEITHER};
  size_t n = 0, of[DEDUCE_TABLE_CURVES];
  /* All curves of the host have loads of one line, so whole warps show the same as all points. */
  const unsigned trials = r->s->on.limits.host ? 1 : TRIALS;
  for (unsigned trial = 0; trial < trials && d.kind == DEDUCE_TABLE_NEITHER; trial++) {
    n = choose(r, (trial_t)trial, seen, of);
    r->s->from = from[trial];
    if (n > 0) (void)deduce_table(&d, seen, n, 0, r->s->on.err);
  }
  const votes_t v = votes(&d, seen, n);
  const char *why_not = doubt(r, &d, &v);
  const bool link = d.kind == DEDUCE_TABLE_MSHR && find_link(r, &why_not);
  if (!why_not && d.kind == DEDUCE_TABLE_MSHR) refine(r, false, &d.lines);
  if (!why_not && d.kind == DEDUCE_TABLE_PRT) refine(r, true, &d.loads);
  const char *kept = r->s->from;
  scoreboard_row(r, why_not ? NULL : &d);
  r->s->from = "the curve's first large jump";
  for (size_t i = 0; i < r->n; i++)
    spike_row(r->s, &r->curve[i], d.kind == DEDUCE_TABLE_PRT ? 32 : STEP);
  r->s->from = kept;
  table_rows(r, &d, why_not);
  if (link)
    link_row(r, &d);
  else
    rows_against(r, &d, seen, of, n);
  r->kind = why_not ? DEDUCE_TABLE_NEITHER : d.kind;
  r->entries = d.lines.lo;
}

/* ---- reads of one MSHR ------------------------------------------------------ */

/* All warps load one line; the first one whose read finds the entry full waits for the line. This
 * is measured before the table is identified, because a PRT lets all of them wait. */
static void find_merges(run_t *r) {
  curve_t c = {
      .kind = {.loads = 1}, .p = {.sharers = 32, .warps_on_line = 32}, .name = "shared line"};
  sweep(r->s, &c, 32, r->max_threads, 32);
  const deduce_table_curve_t seen = find_spike(&c, 1, r->s->on.err);
  r->merges_seen = seen.bad;
  r->merges = seen.good / 32;
}

static void merges_row(run_t *r) {
  const config_t *c = study_known(r->s);
  if (r->kind == DEDUCE_TABLE_PRT) return;
  r->s->from = "warps that share a line";
  study_row_unless(r->s, r->kind != DEDUCE_TABLE_MSHR ? "no MSHRs were found" : NULL,
                   ROW_MSHR_READS,
                   r->merges_seen ? micro_number(r->merges) : micro_at_least(r->merges),
                   study_if(c->table == DEVICE_TABLE_MSHR, c->mshr_merges), NULL);
}

/* ---- what runs out first where there is no spike ---------------------------- */

/* Without a spike the curve rises by the time that each warp load takes in the unit. If requesting
 * as many loads as would fill the MSHRs takes longer than the first data take to return, the unit
 * is the limit. */
static void explain_missing(const run_t *r) {
  study_t *s = r->s;
  for (size_t i = 0; i < r->n; i++) {
    const curve_t *c = &r->curve[i];
    if (r->kind != DEDUCE_TABLE_MSHR || c->seen.bad || c->p.sharers < FEW_SHARERS ||
        c->kind.loads != 4)
      continue;
    size_t half = c->n / 2, whole = c->n - c->n % (32 / STEP);
    double warp_loads = (double)(c->threads[whole - 1] - c->threads[half - 1]) / 32 * c->kind.loads;
    double each = (c->latency[whole - 1] - c->latency[half - 1]) / warp_loads;
    const bool unit = each * r->entries * c->p.sharers / 32 > c->latency[0]; /* to fill them */
    study_of(s, "%u", c->p.sharers);
    study_row_value(s, ROW_MERGER_CYCLES, unit ? micro_number(each) : micro_at_most(each),
                    study_known(s)->lsu_cycles, NULL);
    study_row_words(s, ROW_MERGER_FIRST, unit ? "load/store unit" : "not found", NULL, NULL);
  }
}

void study_thread_latency(study_t *s) {
  run_t r = {.s = s, .max_threads = bench_threads(&s->on.limits, LOADS_REGISTERS)};
  r.curve = calloc(DEDUCE_TABLE_CURVES, sizeof *r.curve);
  if (!r.curve) mrpb_fail(s->on.err, "micro: out of memory");
  if (!r.curve) return;
  r.board = scoreboard_find(s);
  run_curves(&r);
  find_merges(&r);
  deduce(&r);
  merges_row(&r);
  explain_missing(&r);
  free(r.curve);
}
