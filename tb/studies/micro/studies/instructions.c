/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction caches of the GT200 (paper 004, section IV-J): Figures 19 and 20.
 * docs/micro/gt200.md */
#include "studies/micro/studies/instructions.h"

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
static int measure(ins_t *t, uint32_t lines, bool rivals, double *clocks, mrpb_err_t *err) {
  uint32_t rounds = rivals ? INS_UNSTEADY : INS_ROUNDS;
  if (code_run(&t->b, t->role, cast(t, rivals), 1, rounds << 16 | lines, err) != 0) return -1;
  *clocks = *(const uint32_t *)bench_at(&t->b.bench, t->b.out, 4) / (double)rounds;
  return 0;
}

/* Measures clocks per operation. A round's cost besides its lines (the branch back, the loop head,
 * a line of its own that footprints count) is found from two footprints that all caches hold. */
static int curve(ins_t *t, uint32_t from, uint32_t most, bool rivals, double *x, double *y,
                 size_t *n, mrpb_err_t *err) {
  enum { OPS = CODE_LINE / WARP_PC_STEP, APART = 4 };
  double first, second;
  uint32_t lo = from / CODE_LINE + 2;
  if (measure(t, lo, rivals, &first, err) != 0 || measure(t, lo + APART, rivals, &second, err) != 0)
    return -1;
  double besides = first - lo * (second - first) / (double)APART;
  *n = 0;
  for (uint32_t lines = lo; (lines + 1) * CODE_LINE <= most; lines++, (*n)++) {
    x[*n] = (lines + 1) * CODE_LINE;
    if (measure(t, lines, rivals, &y[*n], err) != 0) return -1;
    y[*n] = (y[*n] - besides) / (lines * OPS);
  }
  return 0;
}

static void plot_curve(micro_plot_t *p, const char *name, const double *x, const double *y,
                       size_t n) {
  size_t series = micro_plot_series(p, name, MICRO_LINES, false);
  for (size_t i = 0; i < n; i++) micro_series_add(p, series, x[i], y[i]);
}

/* Whether level i of a curve has sets that overflow one line of CODE_LINE after the other. */
static bool is_sound(const deduce_steps_t *d, size_t i) {
  const deduce_level_t *l = &d->level[i];
  return deduce_level_sound(l, CODE_LINE) && (i + 1 == d->n || deduce_level_clear(l, l + 1));
}

/* Returns whether the rows are decided. */
static bool cache_row(ins_t *t, const char *name, const deduce_steps_t *d, size_t i,
                      const double cfg[3]) {
  static const study_row_t row[] = {ROW_INST_SIZE, ROW_INST_SETS, ROW_INST_WAYS};
  const deduce_level_t *l = &d->level[i];
  const double found[] = {l->last, (double)l->steps,
                          l->steps ? l->last / ((double)l->steps * (double)CODE_LINE) : 0};
  /* If the first cache was not identified, nobody knows which cache this is. */
  bool first = strcmp(name, "L1") == 0, named = first || t->found.l1_sets;
  bool sound = is_sound(d, i) && named;
  const char *why = !named   ? "the L1 was not found"
                    : !sound ? "the rises are not those of equal sets of 256-byte lines"
                             : NULL;
  t->s->from = "rises of loops of growing code";
  study_of(t->s, "%s", name);
  for (unsigned k = 0; k < 3; k++)
    study_row_unless(t->s, why, row[k], micro_number(found[k]), cfg[k],
                     k == 2 ? "lines of 256 bytes" : NULL);
  return sound;
}

static void level_configured(double l[3], uint32_t sets, uint32_t ways, uint32_t line) {
  l[0] = (double)sets * ways * (1u << line);
  l[1] = sets;
  l[2] = ways;
}

/* Bytes, sets and ways. An L2 no larger than the L1 cannot be seen, so the next one seen is the
 * L3. */
static void levels_configured(const config_t *c, double one[3], double two[3], double three[3]) {
  level_configured(one, c->inst1_sets, c->inst1_ways, c->inst1_line);
  level_configured(two, c->const2_sets, c->const2_ways, c->const2_line);
  level_configured(three, c->const3_sets, c->const3_ways, c->const2_line);
  if (two[0] <= one[0]) memcpy(two, three, 3 * sizeof *two);
}

static int figure19(ins_t *t, mrpb_err_t *err) {
  const config_t *c = study_known(t->s);
  double x[INS_POINTS], y[INS_POINTS];
  size_t n;
  deduce_steps_t d;
  micro_plot_t plot = {.title = "Instruction caches (004 Figure 19)",
                       .xlabel = "code [bytes]",
                       .ylabel = "time of an operation [cycles]",
                       .log_x = true};
  if (curve(t, 0, INS_BYTES, false, x, y, &n, err) != 0) return -1;
  plot_curve(&plot, "alone", x, y, n);
  if (study_plot(t->s, "instructions-figure19", &plot, err) != 0) return -1;
  study_row(t->s, ROW_INST_WARP, y[0], fmax(study_issue(t->s), c->sp_cycles / c->sp_units), NULL);
  if (curve(t, (uint32_t)(t->found.l1 + t->found.l1_sets * CODE_LINE), INS_BYTES, false, x, y, &n,
            err) != 0)
    return -1;
  if (deduce_steps(&d, x, y, n, &rule, err) != 0) return -1;
  double one[3], two[3], three[3];
  levels_configured(c, one, two, three);
  for (size_t i = 0, k = 0; i < d.n && k < 2; i++) {
    if (!d.level[i].steps) continue;
    bool sound = cache_row(t, k ? "L3" : "L2", &d, i, k ? three : two);
    uint64_t *size = k++ ? &t->found.l3 : &t->found.l2;
    *size = sound ? (uint64_t)d.level[i].last : 0;
  }
  deduce_steps_free(&d);
  return 0;
}

/* The other blocks make the L2's latency unsteady, so a small rise does not count. */
static int figure20(ins_t *t, mrpb_err_t *err) {
  const config_t *c = study_known(t->s);
  double x[INS_POINTS], y[INS_POINTS];
  size_t n;
  deduce_steps_t d;
  micro_plot_t plot = {
      .title = "Instruction L1 while other SMs of the cluster flood the L2 (004 Figure 20)",
      .xlabel = "code [bytes]",
      .ylabel = "time of an operation [cycles]"};
  if (curve(t, 0, INS_SMALL, true, x, y, &n, err) != 0) return -1;
  plot_curve(&plot, "beside four rivals", x, y, n);
  if (study_plot(t->s, "instructions-figure20", &plot, err) != 0) return -1;
  const deduce_steps_rule_t coarse = {(y[n - 1] - y[0]) / of_whole, rule.share, rule.reach};
  if (deduce_steps(&d, x, y, n, &coarse, err) != 0) return -1;
  double one[3], two[3], three[3];
  levels_configured(c, one, two, three);
  if (d.n) (void)cache_row(t, "L1", &d, 0, one);
  if (d.n && d.level[0].steps)
    t->found =
        (instructions_t){.l1 = (uint64_t)d.level[0].last,
                         .l1_sets = d.level[0].steps,
                         .l1_ways = (uint64_t)d.level[0].last / d.level[0].steps / CODE_LINE};
  deduce_steps_free(&d);
  return 0;
}

/* An operation takes longer once a cache overflows, so this compares the shortest loop with the
 * longest. */
static int find_caches(ins_t *t, bool *caches, double *each, mrpb_err_t *err) {
  enum { OPS = CODE_LINE / WARP_PC_STEP, FEW = 8, MOST = INS_POINTS - 1 };
  double few, most;
  if (measure(t, FEW, false, &few, err) != 0 || measure(t, MOST, false, &most, err) != 0) return -1;
  *each = few / (FEW * OPS);
  *caches = most / (MOST * OPS) > caches_cost * *each;
  return 0;
}

int study_instructions(study_t *s, mrpb_err_t *err) {
  ins_t t = {.s = s};
  s->from = "loops of growing code";
  double each = 0;
  bool caches = false;
  int rc =
      code_open(&t.b, &s->on, "studies/instructions",
                TEXT_VALUES(TEXT_NUMBER("flood_role", ROLE_FLOOD), TEXT_NUMBER("warm", INS_WARM),
                            TEXT_NUMBER("lines", INS_POINTS), TEXT_NUMBER("back", INS_BACK)),
                err);
  if (rc == 0) rc = find_caches(&t, &caches, &each, err);
  if (rc == 0 && !caches) {
    study_row(s, ROW_INST_WARP, each, NAN, NULL);
    study_row_words(s, ROW_INST_CACHES, "none seen", NULL, "code of any length runs equally fast");
  }
  if (rc == 0 && caches) rc = figure20(&t, err);
  if (rc == 0 && caches) rc = figure19(&t, err);
  if (rc == 0 && caches) rc = instructions_fetch(s, &t.found, err);
  if (rc == 0 && caches) rc = instructions_bandwidth(s, &t.found, err);
  bench_close(&t.b.bench);
  return rc;
}
