/* The instruction caches of the GT200 (paper 004, section IV-J): Figures 19 to 21.
 * docs/micro/gt200.md */
#include "micro/deduce/steps.h"
#include "micro/kernels/chain.h"
#include "micro/deduce/numbers.h"
#include "micro/study.h"

#include <math.h>

enum {
  INS_LINE = 256,
  INS_BYTES = 40 << 10,
  INS_FLOOD = 10 << 10,
  INS_POINTS = INS_BYTES / INS_LINE,
  INS_SMALL = 6 << 10,
  INS_BACK = 4 /* instructions before the way back */,
  INS_REGS = 8,
  INS_STAMPS = 36,
  INS_SHIFTS = 8
};

typedef struct {
  study_t *s;
  bench_t bench;
  uint64_t out;
  double l1; /* bytes of the L1 */
} ins_t;

/* Instructions so far, so that loops can begin at the start of a line. */
typedef struct {
  text_t text;
  unsigned n;
} code_t;

static void nops(code_t *c, unsigned n) {
  for (unsigned i = 0; i < n; i++, c->n++)
    text_add(&c->text, "  add.u32 %%x%u, %%x%u, 1;\n", c->n % INS_REGS, c->n % INS_REGS);
}

static void align(code_t *c, unsigned bytes) {
  nops(c, (bytes - c->n * WARP_PC_STEP % bytes) % bytes / WARP_PC_STEP);
}

static void add(code_t *c, unsigned n, const char *text) {
  text_add(&c->text, "%s", text);
  c->n += n;
}

static void start(code_t *c, const char *name) {
  text_add(&c->text,
           "%s.visible .entry %s(.param .u32 p_out, .param .u32 p_lines, .param .u32 p_every)\n{\n"
           "  .reg .pred %%p, %%q, %%w;\n  .reg .u32 %%out, %%n, %%e, %%b, %%f, %%i, %%id, %%t0, "
           "%%t1, %%x<8>, %%v<64>;\n",
           chain_header(), name);
  add(c, 6,
      "  ld.param.u32 %out, [p_out];\n  ld.param.u32 %n, [p_lines];\n  ld.param.u32 %e, "
      "[p_every];\n"
      "  mov.u32 %b, %ctaid.x;\n  mov.u32 %id, %tid.x;\n  mov.u32 %i, 0;\n");
}

/* Loops over INS_FLOOD bytes until the flag is up. */
static void flood(code_t *c) {
  add(c, 0, "FLOOD:\n");
  add(c, 1, "  ld.global.u32 %f, [%out+4];\n");
  nops(c, INS_FLOOD / WARP_PC_STEP - 3);
  add(c, 2, "  setp.eq.u32 %p, %f, 0;\n  @%p bra FLOOD;\n");
  add(c, 0, "END:\n");
  add(c, 1, "  ret;\n}\n");
}

/* A loop over p_lines lines of 256 bytes: each begins with a way back, in its first block, so that
 * fetches ahead of it stay within the line. Four rounds, the latter two
 * count. Block 0 measures, every p_every-th floods the caches, the others end. */
static void write_loop(code_t *c, const device_cfg_t *cfg) {
  start(c, "loop");
  add(c, 7,
      "  setp.eq.u32 %p, %b, 0;\n  @%p bra MEASURE;\n  rem.u32 %b, %b, %e;\n  setp.eq.u32 %p, %b, "
      "0;\n  @%p bra FLOOD;\n  ret;\nMEASURE:\n  mov.u32 %v1, 0;\n");
  align(c, INS_LINE);
  add(c, 0, "AGAIN:\n");
  chain_clock(&c->text, cfg, "%t1");
  c->n += cfg->clock_shift ? 2 : 1;
  add(c, 3, "  setp.eq.u32 %w, %v1, 2;\n  @%w mov.u32 %t0, %t1;\n  add.u32 %v1, %v1, 1;\n");
  add(c, 2, "  setp.gt.u32 %q, %v1, 4;\n  @%q bra DONE;\n");
  align(c, INS_LINE);
  for (unsigned k = 1; k <= INS_POINTS; k++) {
    text_add(&c->text, "  setp.eq.u32 %%p, %%n, %u;\n", k);
    c->n++;
    nops(c, INS_BACK);
    add(c, 1, k < INS_POINTS ? "  @%p bra AGAIN;\n" : "  bra AGAIN;\n");
    align(c, INS_LINE);
  }
  add(c, 4,
      "DONE:\n  sub.u32 %t1, %t1, %t0;\n  st.global.u32 [%out], %t1;\n  mov.u32 %f, 1;\n  "
      "st.global.u32 [%out+4], %f;\n");
  add(c, 1, "  ret;\n");
  flood(c);
}

static int open_code(ins_t *t, code_t *c, mrpb_err_t *err) {
  if (bench_open(&t->bench, t->s->cfg, t->s->choice, &c->text, err) != 0) return -1;
  return (t->out = bench_alloc(&t->bench, 4096, err)) ? 0 : -1;
}

/* Clocks of a round of a loop of `lines` lines, with `rivals` blocks each `every` further. */
static int measure(ins_t *t, uint32_t lines, uint32_t every, uint32_t rivals, double *clocks,
                   mrpb_err_t *err) {
  uint32_t *at = bench_at(&t->bench, t->out, 8);
  const bench_launch_t l = {.kernel = "loop",
                            .blocks = every * rivals + 1,
                            .threads = 1,
                            .regs = 16,
                            .n_args = 3,
                            .arg = {t->out, lines, every ? every : 1}};
  at[1] = 0;
  if (bench_must(&t->bench, &l, err) != 0) return -1;
  *clocks = at[0] / 2.0;
  return 0;
}

/* Clocks an operation. What a round costs besides its lines (the way back, the head, a line of its
 * own that footprints count) is found from two footprints that all caches hold. */
static int curve(ins_t *t, uint32_t from, uint32_t most, uint32_t every, uint32_t rivals, double *x,
                 double *y, size_t *n, mrpb_err_t *err) {
  enum { OPS = INS_LINE / WARP_PC_STEP, APART = 4 };
  double first, second;
  uint32_t lo = from / INS_LINE + 2;
  if (measure(t, lo, every, rivals, &first, err) != 0 ||
      measure(t, lo + APART, every, rivals, &second, err) != 0)
    return -1;
  double besides = first - lo * (second - first) / APART;
  *n = 0;
  for (uint32_t lines = lo; (lines + 1) * INS_LINE <= most; lines++, (*n)++) {
    x[*n] = (lines + 1) * INS_LINE;
    if (measure(t, lines, every, rivals, &y[*n], err) != 0) return -1;
    y[*n] = (y[*n] - besides) / (lines * OPS);
  }
  return 0;
}

static void plot_curve(micro_plot_t *p, const char *name, const double *x, const double *y,
                       size_t n) {
  size_t series = micro_plot_series(p, name, MICRO_LINES, false);
  for (size_t i = 0; i < n; i++) micro_series_add(p, series, x[i], y[i]);
}

static void cache_row(ins_t *t, const char *name, const deduce_level_t *l, const double cfg[3]) {
  static const char *const word[] = {"size", "sets", "ways"};
  const double found[] = {l->last, (double)l->steps,
                          l->steps ? l->last / ((double)l->steps * INS_LINE) : 0};
  char what[40];
  for (unsigned k = 0; k < 3; k++) {
    snprintf(what, sizeof what, "%s %s", name, word[k]);
    study_row(t->s, what, k ? word[k] : "bytes", found[k], cfg[k], MICRO_EXACT,
              k == 2 ? "lines of 256 bytes" : NULL);
  }
}

static const deduce_steps_rule_t rule = {0.08, 0.004, 1.1};

static int figure19(ins_t *t, mrpb_err_t *err) {
  const device_cfg_t *c = t->s->cfg;
  double x[INS_POINTS], y[INS_POINTS];
  size_t n;
  deduce_steps_t d;
  micro_plot_t plot = {.title = "Instruction caches (004 Figure 19)",
                       .xlabel = "code [bytes]",
                       .ylabel = "clocks an operation",
                       .log_x = true};
  if (curve(t, 0, INS_BYTES, 0, 0, x, y, &n, err) != 0) return -1;
  plot_curve(&plot, "alone", x, y, n);
  if (study_plot(t->s, "instructions-figure19", &plot, err) != 0) return -1;
  study_row(t->s, "one warp", "cycles/operation", y[0],
            fmax(fmax(c->fetch_cycles, c->sp_cycles / c->sp_units), c->issue_cycles), MICRO_LATENCY,
            NULL);
  if (curve(t, (uint32_t)(1.5 * t->l1), INS_BYTES, 0, 0, x, y, &n, err) != 0) return -1;
  if (deduce_steps(&d, x, y, n, &rule, err) != 0) return -1;
  const double two[] = {(double)c->const2_sets * c->const2_ways * (1 << c->const2_line),
                        c->const2_sets, c->const2_ways};
  const double three[] = {(double)c->const3_sets * c->const3_ways * (1 << c->const2_line),
                          c->const3_sets, c->const3_ways};
  const deduce_level_t *seen[2] = {NULL, NULL};
  for (size_t i = 0, k = 0; i < d.n && k < 2; i++)
    if (d.level[i].steps) seen[k++] = &d.level[i];
  if (seen[0]) cache_row(t, "L2", seen[0], two);
  if (seen[1]) cache_row(t, "L3", seen[1], three);
  deduce_steps_free(&d);
  return 0;
}

/* The others make the L2's latency unsteady: a rise of less than a tenth of the whole is none. */
static int figure20(ins_t *t, mrpb_err_t *err) {
  const device_cfg_t *c = t->s->cfg;
  double x[INS_POINTS], y[INS_POINTS];
  uint32_t every = c->placement == DEVICE_PLACE_CLUSTER ? c->sms / c->cluster : 1;
  size_t n;
  deduce_steps_t d;
  micro_plot_t plot = {
      .title = "Instruction L1 while other SMs of the cluster flood the L2 (004 Figure 20)",
      .xlabel = "code [bytes]",
      .ylabel = "clocks an operation"};
  if (curve(t, 0, INS_SMALL, every, c->cluster - 1, x, y, &n, err) != 0) return -1;
  plot_curve(&plot, "beside others", x, y, n);
  if (study_plot(t->s, "instructions-figure20", &plot, err) != 0) return -1;
  const deduce_steps_rule_t coarse = {(y[n - 1] - y[0]) / 10, 0.004, 1.1};
  if (deduce_steps(&d, x, y, n, &coarse, err) != 0) return -1;
  const double one[] = {(double)c->inst1_sets * c->inst1_ways * (1 << c->inst1_line), c->inst1_sets,
                        c->inst1_ways};
  if (d.n) cache_row(t, "L1", &d.level[0], one);
  if (d.n) t->l1 = d.level[0].last;
  deduce_steps_free(&d);
  return 0;
}

/* ---- Figure 21 ------------------------------------------------------------------- */

/* One instruction of a line after the other. */
static void hop(code_t *c) {
  align(c, INS_LINE);
  add(c, 0, "FLOOD:\n");
  for (unsigned k = 0; k < INS_FLOOD / INS_LINE; k++) {
    text_add(&c->text, "  bra H%u;\n", k);
    c->n++;
    align(c, INS_LINE);
    text_add(&c->text, "H%u:\n", k);
  }
  add(c, 3, "  ld.global.u32 %f, [%out+4];\n  setp.eq.u32 %p, %f, 0;\n  @%p bra FLOOD;\n");
  add(c, 1, "END:\n  ret;\n}\n");
}

/* Warp 0 reads its clock after each of 36 instructions while others evict the code all the time;
 * `shift` instructions come before. */
static void write_stamps(code_t *c, unsigned shift) {
  start(c, "loop");
  add(c, 2, "  setp.ge.u32 %p, %id, 32;\n  @%p bra FLOOD;\n");
  align(c, INS_LINE);
  nops(c, shift);
  add(c, 0, "AGAIN:\n");
  for (unsigned i = 0; i < INS_STAMPS; i++) {
    text_add(&c->text, "  mov.u32 %%v%u, %%clock;\n", i);
    c->n++;
  }
  add(c, 3, "  add.u32 %i, %i, 1;\n  setp.lt.u32 %p, %i, 40;\n  @%p bra AGAIN;\n");
  for (unsigned i = 0; i < INS_STAMPS; i++) {
    text_add(&c->text, "  st.global.u32 [%%out+%u], %%v%u;\n", 8 + 4 * i, i);
    c->n++;
  }
  add(c, 3, "  mov.u32 %f, 1;\n  st.global.u32 [%out+4], %f;\n  ret;\n");
  hop(c);
}

/* Late instructions begin blocks: what all their addresses are a multiple of. */
static int figure21(study_t *s, mrpb_err_t *err) {
  enum { LATE = 80 /* more than 16 warps that all wait for their turn */ };
  unsigned block = 0;
  char found[32];
  micro_plot_t plot = {.title = "Fetch of blocks (004 Figure 21)",
                       .xlabel = "address [bytes after a line's start]",
                       .ylabel = "time since the instruction before [cycles]"};
  for (unsigned shift = 0; shift < INS_SHIFTS; shift++) {
    ins_t t = {.s = s};
    code_t c = {.n = 0};
    char name[32];
    write_stamps(&c, 5 * shift);
    int rc = open_code(&t, &c, err);
    const bench_launch_t l = {.kernel = "loop",
                              .blocks = 1,
                              .threads = 512,
                              .regs = 16,
                              .n_args = 3,
                              .arg = {t.out, 0, 1}};
    if (rc == 0) rc = bench_must(&t.bench, &l, err);
    snprintf(name, sizeof name, "from byte %u", 5 * shift * WARP_PC_STEP);
    size_t series = micro_plot_series(&plot, name, MICRO_POINTS, false);
    const uint32_t *at =
        rc == 0 ? (const uint32_t *)bench_at(&t.bench, t.out, 8 + 4 * INS_STAMPS) + 2 : NULL;
    for (unsigned i = 1; at && i < INS_STAMPS; i++) {
      uint32_t cycles = bench_cycles(&t.bench, at[i] - at[i - 1]),
               address = (5 * shift + i) * WARP_PC_STEP;
      micro_series_add(&plot, series, address, cycles);
      if (cycles > LATE) block = (unsigned)numbers_gcd(block, address);
    }
    bench_close(&t.bench);
    if (rc != 0) return micro_plot_free(&plot), -1;
  }
  if (block)
    snprintf(found, sizeof found, "%u bytes", block);
  else
    snprintf(found, sizeof found, "not seen");
  study_row_words(s, "fetch", found, NULL, "late instructions are so far apart");
  return study_plot(s, "instructions-figure21", &plot, err);
}

int study_instructions(study_t *s, mrpb_err_t *err) {
  ins_t t = {.s = s};
  code_t c = {.n = 0};
  write_loop(&c, s->cfg);
  int rc = open_code(&t, &c, err);
  if (rc == 0 && s->cfg->inst1_sets == 0) {
    double y;
    rc = measure(&t, 8, 0, 0, &y, err);
    if (rc == 0)
      study_row(s, "one warp", "cycles/operation", y / (8 * INS_LINE / WARP_PC_STEP), NAN,
                MICRO_LATENCY, NULL);
    study_row_words(s, "instruction caches", "none modelled", NULL, "every fetch hits");
  } else {
    if (rc == 0) rc = figure20(&t, err);
    if (rc == 0) rc = figure19(&t, err);
    if (rc == 0) rc = figure21(s, err);
  }
  bench_close(&t.bench);
  return rc;
}
