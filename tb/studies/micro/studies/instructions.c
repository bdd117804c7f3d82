/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction caches of the GT200 (paper 004, section IV-J): Figures 19 and 20.
 * docs/micro/gt200.md */

#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/deduce/steps.h"
#include "studies/micro/kernels/code.h"

#include <math.h>
#include <string.h>

enum {
  INS_BYTES = 40 << 10,
  INS_POINTS = INS_BYTES / CODE_LINE,
  INS_SMALL = 10 << 10 /* more than the L1 holds */,
  INS_WARM = 2, /* rounds that fill the caches */
  INS_ROUNDS = 2 /* rounds that count */,
  INS_UNSTEADY = 16 /* rounds that count beside rivals */,
  INS_BACK = 4 /* instructions before the branch back */,
  INS_RIVALS = 2 /* blocks that flood the L2, per other SM of the cluster */
};

enum { ROLE_NONE, ROLE_MEASURE, ROLE_FLOOD /* the first of several flooding roles */ };

/* Of a rise, see deduce_steps_rule_t; beside rivals it is at least a tenth of the whole instead. */
static const deduce_steps_rule_t rule = {0.08, 0.004, 1.1};
static const double of_whole = 10;
/* The longest code takes so much longer an operation than the shortest if there are caches. */
static const double caches_cost = 1.05;

typedef struct {
  study_t *s;
  code_bench_t b;
  uint32_t role[CODE_BLOCKS];
  instructions_t found;
} ins_t;

/* Bytes of code, and the cycles of an operation. */
typedef struct {
  double x[INS_POINTS], y[INS_POINTS];
  size_t n;
} curve_t;

/* A configured cache: bytes, sets, ways. */
typedef struct {
  double size, sets, ways;
} level_t;

/* Block 0 measures. If asked for, other blocks flood the L2 from the other SMs of its cluster,
 * each at another place of their code. The blocks in between end at once. Returns the number of
 * blocks. */
static uint32_t cast(ins_t *t, bool rivals) {
  const bench_gpu_t *on = &t->s->on;
  uint32_t n = 1, floods = 0;
  t->role[0] = ROLE_MEASURE;
  for (uint32_t i = 1; rivals && i < INS_RIVALS * on->limits.sms && i < CODE_BLOCKS; i++) {
    uint32_t sm = bench_sm(&on->limits, i);
    t->role[i] = ROLE_NONE;
    if (sm == 0 || sm >= on->limits.cluster) continue;
    t->role[i] = ROLE_FLOOD + floods++ % CODE_FLOODS;
    n = i + 1;
  }
  return n;
}

/* The clocks of one round of a loop of `lines` lines. */
static double measure(ins_t *t, uint32_t lines, bool rivals) {
  uint32_t rounds = rivals ? INS_UNSTEADY : INS_ROUNDS;
  const uint32_t *out = code_run(&t->b, t->role, cast(t, rivals), 1, rounds << 16 | lines);
  return out ? *out / (double)rounds : 0;
}

/* Measures clocks per operation. A round's cost besides its lines (the branch back, the loop head,
 * a line of its own that footprints count) is found from two footprints that all caches hold. */
static curve_t curve(ins_t *t, uint32_t from, uint32_t most, bool rivals) {
  enum { OPS = CODE_LINE / WARP_PC_STEP, APART = 4 };
  const uint32_t lo = from / CODE_LINE + 2;
  const double first = measure(t, lo, rivals), second = measure(t, lo + APART, rivals);
  const double besides = first - lo * (second - first) / (double)APART;
  curve_t c = {.n = 0};
  for (uint32_t lines = lo; (lines + 1) * CODE_LINE <= most; lines++) {
    c.x[c.n] = (lines + 1) * CODE_LINE;
    c.y[c.n++] = (measure(t, lines, rivals) - besides) / (lines * OPS);
  }
  return c;
}

static void plot_curve(const study_t *s, const char *file, micro_plot_t *p, const char *name,
                       const curve_t *c) {
  size_t series = micro_plot_series(p, name, MICRO_LINES, false);
  for (size_t i = 0; i < c->n; i++) micro_series_add(p, series, c->x[i], c->y[i]);
  study_plot(s, file, p);
}

/* Whether level i of a curve has sets that overflow one line of CODE_LINE after the other. */
static bool is_sound(const deduce_steps_t *d, size_t i) {
  const deduce_level_t *l = &d->level[i];
  return deduce_level_sound(l, CODE_LINE) && (i + 1 == d->n || deduce_level_clear(l, l + 1));
}

/* Returns whether the rows are decided. */
static bool cache_row(ins_t *t, const char *name, const deduce_steps_t *d, size_t i,
                      const level_t *cfg) {
  const deduce_level_t *l = &d->level[i];
  const double ways = l->steps ? l->last / ((double)l->steps * (double)CODE_LINE) : 0;
  /* If the first cache was not identified, nobody knows which cache this is. */
  bool first = strcmp(name, "L1") == 0, named = first || t->found.l1_sets;
  bool sound = is_sound(d, i) && named;
  const char *why = !named   ? "the L1 was not found"
                    : !sound ? "the rises are not those of equal sets of 256-byte lines"
                             : NULL;
  study_t *s = t->s;
  s->from = "rises of loops of growing code";
  study_of(s, "%s", name);
  study_row_unless(s, why, ROW_INST_SIZE, micro_number(l->last), cfg->size, NULL);
  study_row_unless(s, why, ROW_INST_SETS, micro_number((double)l->steps), cfg->sets, NULL);
  study_row_unless(s, why, ROW_INST_WAYS, micro_number(ways), cfg->ways, "lines of 256 bytes");
  return sound;
}

static level_t level_of(uint32_t sets, uint32_t ways, uint32_t line) {
  return (level_t){(double)sets * ways * (1u << line), sets, ways};
}

/* An L2 no larger than the L1 cannot be seen, so the next one seen is the L3. */
static void levels_configured(const config_t *c, level_t l[3]) {
  l[0] = level_of(c->inst1_sets, c->inst1_ways, c->inst1_line);
  l[1] = level_of(c->const2_sets, c->const2_ways, c->const2_line);
  l[2] = level_of(c->const3_sets, c->const3_ways, c->const2_line);
  if (l[1].size <= l[0].size) l[1] = l[2];
}

static void figure19(ins_t *t) {
  const config_t *c = study_known(t->s);
  deduce_steps_t d;
  level_t levels[3];
  micro_plot_t plot = MICRO_PLOT("Instruction caches (004 Figure 19)", "code [bytes]",
                                 "time of an operation [cycles]", .log_x = true);
  const curve_t all = curve(t, 0, INS_BYTES, false);
  plot_curve(t->s, "instructions-figure19", &plot, "alone", &all);
  study_row(t->s, ROW_INST_WARP, all.y[0], fmax(study_issue(t->s), c->sp_cycles / c->sp_units),
            NULL);
  const uint32_t from = (uint32_t)(t->found.l1 + t->found.l1_sets * CODE_LINE);
  const curve_t beyond = curve(t, from, INS_BYTES, false);
  (void)deduce_steps(&d, beyond.x, beyond.y, beyond.n, &rule, t->s->on.err);
  levels_configured(c, levels);
  for (size_t i = 0, k = 0; i < d.n && k < 2; i++) {
    if (!d.level[i].steps) continue;
    bool sound = cache_row(t, k ? "L3" : "L2", &d, i, &levels[k + 1]);
    uint64_t *size = k++ ? &t->found.l3 : &t->found.l2;
    *size = sound ? (uint64_t)d.level[i].last : 0;
  }
  deduce_steps_free(&d);
}

/* The other blocks make the L2's latency unsteady, so a small rise does not count. */
static void figure20(ins_t *t) {
  deduce_steps_t d;
  level_t levels[3];
  micro_plot_t plot =
      MICRO_PLOT("Instruction L1 while other SMs of the cluster flood the L2 (004 Figure 20)",
                 "code [bytes]", "time of an operation [cycles]");
  const curve_t c = curve(t, 0, INS_SMALL, true);
  plot_curve(t->s, "instructions-figure20", &plot, "beside four rivals", &c);
  const deduce_steps_rule_t coarse = {(c.y[c.n - 1] - c.y[0]) / of_whole, rule.share, rule.reach};
  (void)deduce_steps(&d, c.x, c.y, c.n, &coarse, t->s->on.err);
  levels_configured(study_known(t->s), levels);
  if (d.n) (void)cache_row(t, "L1", &d, 0, &levels[0]);
  if (d.n && d.level[0].steps)
    t->found =
        (instructions_t){.l1 = (uint64_t)d.level[0].last,
                         .l1_sets = d.level[0].steps,
                         .l1_ways = (uint64_t)d.level[0].last / d.level[0].steps / CODE_LINE};
  deduce_steps_free(&d);
}

/* An operation takes longer once a cache overflows, so this compares the shortest loop with the
 * longest. *each: the cycles of an operation of the shortest. */
static bool has_caches(ins_t *t, double *each) {
  enum { OPS = CODE_LINE / WARP_PC_STEP, FEW = 8, MOST = INS_POINTS - 1 };
  *each = measure(t, FEW, false) / (FEW * OPS);
  return measure(t, MOST, false) / (MOST * OPS) > caches_cost * *each;
}

void study_instructions(study_t *s) {
  ins_t t = {.s = s};
  double each;
  s->from = "loops of growing code";
  code_open(&t.b, &s->on, "studies/instructions",
            TEXT_VALUES(TEXT_NUMBER("flood_role", ROLE_FLOOD), TEXT_NUMBER("warm", INS_WARM),
                        TEXT_NUMBER("lines", INS_POINTS), TEXT_NUMBER("back", INS_BACK)));
  if (has_caches(&t, &each)) {
    figure20(&t);
    figure19(&t);
    instructions_fetch(s, &t.found);
    instructions_bandwidth(s, &t.found);
  } else {
    study_row(s, ROW_INST_WARP, each, NAN, NULL);
    study_row_words(s, ROW_INST_CACHES, "none seen", NULL, "code of any length runs equally fast");
  }
  bench_close(&t.b.bench);
}
