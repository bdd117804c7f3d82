/* SPDX-License-Identifier: Apache-2.0 */
/* Clock and arithmetic pipelines of the GT200 (paper 004, sections IV-A and IV-B): Figure 4, Tables
 * II to IV, Figure 5. docs/micro/gt200.md */
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/chain.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIPE_WARPS = 64, PIPE_MOST_SMS = 256, UNITS = 3 };

static const chain_op_t operations[] = {
#define OPERATION(name, latency, throughput, unit, where, type, natives, body)                     \
  {name, body, CHAIN_##type, natives},
#include "studies/micro/operations.def"
#undef OPERATION
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* The operation that shows each unit. */
static const char *const unit_op[UNITS] = {"add, float", "__log2f", "add, double"};
static const char *const unit_name[UNITS] = {"SP", "SFU", "DPU"};

/* Latency times throughput is this share of the threads if the latency bounds the throughput. */
static const double bound_share = 0.9;
/* A chain of n instructions takes n latencies to within so many cycles, and an nth of the
 * throughput to within this share; two units at once have so much more. */
static const double chain_off = 2, chain_share = 0.1, two_units = 1.1;
/* Figure 5: warps are alike, and late beyond what contention explains; the share of the highest
 * throughput that fills the SPs. */
static const double warps_alike = 0.005, late_share = 1.05, late_cycle = 1, least_late = 0.1,
                    filled = 0.97;

typedef struct {
  study_t *s;
  uint32_t threads; /* of a throughput test */
  chain_result_t found[OPERATIONS];
} pipe_t;

/* ---- clock ------------------------------------------------------------------ */

typedef struct {
  bench_t bench;
  uint64_t out;
} stamps_t;

static void *stamp(stamps_t *t, uint32_t blocks, uint32_t n) {
  const bench_launch_t l = BENCH_LAUNCH("stamp", blocks, 32, 8, t->out, n);
  return bench_must(&t->bench, &l) ? bench_at(&t->bench, t->out, blocks * UINT64_C(8)) : NULL;
}

/* Compares the host's time, converted to cycles of the shader clock, with ticks. */
static void find_tick(pipe_t *p, stamps_t *t) {
  double cycles[2], ticks[2];
  for (unsigned k = 0; k < 2; k++) {
    const uint32_t *at = stamp(t, 1, k ? 4000 : 1000);
    if (!at) return;
    cycles[k] = (double)device_stats(bench_device(&t->bench))->cycles;
    ticks[k] = at[1] - at[0];
  }
  study_row(p->s, ROW_CLOCK_TICK, round((cycles[1] - cycles[0]) / (ticks[1] - ticks[0])),
            1u << study_known(p->s)->clock_shift, "elapsed time against %clock");
}

/* Blocks of one launch begin together, so blocks whose stamps differ read different counters. */
static double sharers(const uint32_t (*at)[2], uint32_t n) {
  enum { APART = 500 };
  uint32_t t[PIPE_MOST_SMS], groups = 1;
  for (uint32_t i = 0; i < n; i++) t[i] = at[i][0];
  numbers_sort32(t, n);
  for (uint32_t i = 1; i < n; i++) groups += t[i] - t[i - 1] > APART;
  return (double)n / groups;
}

/* Clusters that are not all full have no common number of SMs. */
static void sharers_row(pipe_t *p, double seen) {
  const config_t *c = study_known(p->s);
  bool whole = fabs(seen - round(seen)) < 1e-9;
  study_row_value(p->s, ROW_CLOCK_SHARERS, whole ? micro_number(seen) : micro_undecided(),
                  c->clock_skew > 1000 ? c->cluster : c->sms,
                  whole ? NULL : "groups of different sizes");
}

static void figure4(pipe_t *p, stamps_t *t) {
  const bench_limits_t *has = &p->s->on.limits;
  micro_plot_t plot =
      MICRO_PLOT("Two launches: a block on each cluster, then on each SM (004 Figure 4)",
                 "time stamp [ticks of the SM's counter]", "block");
  for (uint32_t k = 0, row = 0; k < 2; k++) {
    uint32_t blocks = k ? has->sms : bench_clusters(has);
    const uint32_t(*at)[2] = stamp(t, blocks, k ? 60 : 20);
    for (uint32_t i = 0; at && i < blocks; i++) micro_plot_bar(&plot, row++, at[i][0], at[i][1], k);
    if (at && k) sharers_row(p, sharers(at, blocks));
  }
  study_plot(p->s, "pipelines-figure4", &plot);
}

static void find_clock(pipe_t *p) {
  stamps_t t = {.out = 0};
  bench_make(&t.bench, &p->s->on, "studies/clocks",
             TEXT_VALUES(TEXT_NUMBER("shift", p->s->on.limits.clock_shift)),
             BENCH_ARRAYS({&t.out, PIPE_MOST_SMS * 8, BENCH_DEVICE}));
  const bench_launch_t l = BENCH_LAUNCH("twice", 1, 1, 8, t.out);
  if (bench_must(&t.bench, &l) && bench_must(&t.bench, &l))
    study_row(p->s, ROW_CLOCK_TWICE, *(const uint32_t *)bench_at(&t.bench, t.out, 4), NAN,
              "from one to the next");
  find_tick(p, &t);
  figure4(p, &t);
  bench_close(&t.bench);
}

/* ---- Tables II to IV -------------------------------------------------------- */

static void measure(pipe_t *p, unsigned i) {
  chain_t c;
  chain_open(&c, &p->s->on, &operations[i]);
  p->found[i] = chain_run(&c, 1);
  p->found[i].throughput = chain_run(&c, p->threads).throughput;
  bench_close(&c.bench);
}

static const chain_result_t *result(const pipe_t *p, const char *name) {
  unsigned i = 0;
  while (i + 1 < OPERATIONS && strcmp(operations[i].name, name) != 0) i++;
  return &p->found[i];
}

/* Whether the warps of a chain cannot request more than this in a cycle. */
static bool bound_by_latency(const pipe_t *p, const chain_result_t *r) {
  return r->throughput * r->latency > bound_share * p->threads;
}

static void unit_rows(pipe_t *p, unsigned u) {
  const config_t *c = study_known(p->s);
  const chain_result_t *r = result(p, unit_op[u]);
  const uint32_t latency[] = {c->sp_latency, c->sfu_latency, c->dpu_latency};
  uint32_t issue = c->issue_cycles / c->schedulers;
  const uint32_t cycles[] = {c->sp_cycles / c->sp_units, c->sfu_cycles, c->dpu_cycles};
  bool bound = bound_by_latency(p, r), whole = u > 0 || c->sp_cycles % c->sp_units == 0;
  double known = cycles[u] < issue ? issue : cycles[u]; /* the schedulers allow no more */
  study_of(p->s, "%s", unit_name[u]);
  /* If a unit is busy for longer than an operation's latency, the chain waits for the unit. */
  const double busy[] = {c->sp_cycles, c->sfu_cycles, c->dpu_cycles};
  study_row(p->s, ROW_OP_LATENCY, r->latency, fmax(latency[u], busy[u]), unit_op[u]);
  study_row(p->s, ROW_OP_THROUGHPUT, r->throughput, NAN, "within 5 %");
  study_row(p->s, ROW_OP_ISSUE, bound ? 32 / r->throughput : round(32 / r->throughput),
            bound || !whole || c->issue_cycles % c->schedulers ? (double)NAN : known,
            bound ? "as much as the warps of one block request" : NULL);
}

/* The unit on which the operation takes a chain of n instructions: n times the latency, one nth of
 * the throughput. If the throughput exceeds the SPs', the SFUs help. */
static const char *unit_of(const pipe_t *p, const chain_result_t *r, unsigned *n) {
  for (unsigned u = 0; u < UNITS; u++) {
    const chain_result_t *k = result(p, unit_op[u]);
    *n = (unsigned)fmax(1, round(r->latency / k->latency));
    if (fabs(*n * k->latency - r->latency) > chain_off) continue;
    if (fabs(k->throughput / *n / r->throughput - 1) < chain_share) return unit_name[u];
    if (u == 0 && *n == 1 && r->throughput > two_units * k->throughput) return "SP, SFU";
  }
  *n = 0;
  return "several";
}

static void operation_rows(pipe_t *p) {
  char note[32];
  unsigned n;
  p->s->of_table = true;
  for (unsigned i = 0; i < OPERATIONS; i++) {
    const chain_result_t *r = &p->found[i];
    study_of(p->s, "%s", operations[i].name);
    study_row(p->s, ROW_OP_LATENCY, r->latency, NAN, NULL);
    study_row(p->s, ROW_OP_THROUGHPUT, r->throughput, NAN, "within 5 %");
    const char *unit = unit_of(p, r, &n);
    snprintf(note, sizeof note, "a chain of %u", n);
    study_row_words(p->s, ROW_OP_UNIT, unit, NULL, n > 1 ? note : NULL);
  }
  p->s->of_table = false;
}

/* ---- Figure 5 --------------------------------------------------------------- */

/* How long each of `w` warps waits between operations if only units and schedulers limit it: each
 * scheduler's own share, or all of it. */
static double contended(const pipe_t *p, const chain_result_t *r, uint32_t w, double most) {
  uint32_t own = p->s->on.limits.schedulers;
  double sum = 0, each = 32 / most;
  for (uint32_t s = 0; s < own; s++) {
    double mine = w / own + (s < w % own);
    sum += mine * fmax(r[1].latency, mine * own * each);
  }
  return fmax(sum / w, fmax(r[1].latency, w * each));
}

/* Finds warps that are later than units and schedulers explain, and the warps beside them that take
 * exactly as long. Returns NULL, or why these cannot be identified. */
static const char *late_warps(const pipe_t *p, const chain_result_t *r, uint32_t n, bool *late) {
  double most = 0, turn = 0;
  uint32_t last = 0;
  for (uint32_t w = 1; w <= n; w++) most = fmax(most, r[w].throughput);
  for (uint32_t w = 1; w <= n; w++) {
    bool alike = w > 1 && late[w - 1] && fabs(r[w].latency - turn) < warps_alike * turn;
    late[w] = r[w].latency > late_share * contended(p, r, w, most) + late_cycle ||
              (alike && contended(p, r, w, most) < turn - least_late);
    if (late[w]) last = w, turn = r[w].latency;
  }
  if (last == 0) return "none was seen: none, or the latency hides them";
  if (last == n) return "the most warps of a block are late, too: perhaps more would be";
  return r[last + 1].latency > turn + late_cycle ? "one more warp waits longer in any case" : NULL;
}

/* The fewest warps that fill the SPs: those with 97 % of the highest throughput. */
static void figure5_rows(pipe_t *p, const chain_result_t *r, uint32_t n) {
  char text[MICRO_TABLE_TEXT] = "", want[MICRO_TABLE_TEXT] = "";
  const config_t *c = study_known(p->s);
  bool late[PIPE_WARPS + 1] = {false};
  const char *why = late_warps(p, r, n, late);
  uint32_t full = n;
  for (uint32_t w = n; w >= 1; w--)
    if (r[w].throughput >= filled * r[n].throughput) full = w;
  size_t at = 0, to = 0;
  for (uint32_t w = 1; w <= n && at < sizeof text; w++)
    if (late[w]) at += (size_t)snprintf(text + at, sizeof text - at, at ? " %u" : "%u", w);
  for (uint32_t w = c->sched_slots > 2 ? c->sched_slots - 2 : 0; w && w < c->sched_slots; w++)
    to += (size_t)snprintf(want + to, sizeof want - to, to ? " %u" : "%u", w);
  study_row(p->s, ROW_SPS_FULL, full, NAN, NULL);
  study_row_words_unless(p->s, why, ROW_LATE_WARPS, text, to ? want : "none", NULL);
}

static void figure5(pipe_t *p) {
  chain_t c;
  chain_result_t r[PIPE_WARPS + 1];
  uint32_t n = p->threads / 32;
  micro_plot_t plot = MICRO_PLOT("SP throughput and latency (004 Figure 5)", "warps",
                                 "latency [cycles]", "throughput [operations/cycle]");
  size_t latency = micro_plot_series(&plot, "latency", MICRO_LINESPOINTS, false);
  size_t throughput = micro_plot_series(&plot, "throughput", MICRO_LINESPOINTS, true);
  chain_open(&c, &p->s->on, &operations[0]);
  for (uint32_t w = 1; w <= n; w++) {
    r[w] = chain_run(&c, 32 * w);
    micro_series_add(&plot, latency, w, r[w].latency);
    micro_series_add(&plot, throughput, w, r[w].throughput);
  }
  bench_close(&c.bench);
  figure5_rows(p, r, n);
  study_plot(p->s, "pipelines-figure5", &plot);
}

void study_pipelines(study_t *s) {
  pipe_t p = {.s = s, .threads = bench_threads(&s->on.limits, CHAIN_REGISTERS)};
  s->from = "chains of each operation";
  find_clock(&p);
  for (unsigned i = 0; i < OPERATIONS; i++) measure(&p, i);
  for (unsigned u = 0; u < UNITS; u++) unit_rows(&p, u);
  operation_rows(&p);
  figure5(&p);
}
