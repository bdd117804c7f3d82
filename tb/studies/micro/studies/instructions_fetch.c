/* SPDX-License-Identifier: Apache-2.0 */
/* How much the SM fetches at once (paper 004, section IV-J4, Figure 21). Warp 0 times 36
 * consecutive instructions while the other warps of its SM repeatedly evict one line of them. Warp
 * 0 does not notice the eviction within what it has fetched. docs/micro/gt200.md */
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/code.h"
#include "studies/micro/studies/instructions.h"

#include <math.h>

enum {
  FETCH_STAMPS = 36,
  FETCH_STEP = 2 * WARP_PC_STEP, /* bytes of a timed instruction; clock() is two instructions */
  FETCH_BEFORE = 160,            /* bytes of them before the evicted line */
  FETCH_ROUNDS = 200,
  FETCH_THREADS = 512,
  FETCH_SPARE = 3 /* lines of the rivals beyond what a set holds */
};

/* Rival r jumps through `hops` lines, `stride` apart, in the set of the line at `line`, advancing r
 * + 1 lines at a time. Each rival has its own order, because rivals with the same order would soon
 * move together. */
static void write_rivals(code_t *c, unsigned line, unsigned stride, unsigned hops) {
  text_add(&c->text, "RIVAL:\n  shr.u32 %%id, %%id, 5;\n  mov.u32 %%t0, flag;\n");
  c->n += 2;
  for (unsigned r = 0; r + 1 < hops; r++) {
    text_add(&c->text, "  setp.eq.u32 %%p, %%id, %u;\n  @%%p bra R%uH0;\n", r + 1, r);
    c->n += 2;
  }
  code_add(c, 1, "  bra WAIT;\n");
  for (unsigned k = 0; k < hops; k++) {
    code_align(c, stride, line);
    for (unsigned r = 0; r + 1 < hops; r++) {
      text_add(&c->text, "R%uH%u:\n", r, k);
      if (k == 0) {
        text_add(&c->text, "  ld.shared.u32 %%f, [%%t0];\n  setp.ne.u32 %%p, %%f, 0;\n"
                           "  @%%p bra END;\n");
        c->n += 3;
      }
      text_add(&c->text, "  bra R%uH%u;\n", r, (k + r + 1) % hops);
      c->n++;
    }
  }
  code_add(c, 2, "WAIT:\n  bar.sync 0;\n  ret;\n");
}

/* Writes the sums of the cycles between stamps, over all rounds, to memory. */
static void write_stamps(code_t *c, const bench_gpu_t *on, const instructions_t *found) {
  unsigned stride = (unsigned)(found->l1_sets * CODE_LINE), line;
  code_start(c);
  code_add(c, 2, "  setp.ge.u32 %p, %id, 32;\n  @%p bra RIVAL;\n");
  for (unsigned i = 1; i < FETCH_STAMPS; i++) {
    text_add(&c->text, "  mov.u32 %%s%u, 0;\n", i);
    c->n++;
  }
  code_align(c, CODE_LINE, CODE_LINE - FETCH_BEFORE % CODE_LINE);
  line = c->n * WARP_PC_STEP + FETCH_BEFORE;
  code_add(c, 0, "AGAIN:\n");
  for (unsigned i = 0; i < FETCH_STAMPS; i++) {
    char reg[8];
    snprintf(reg, sizeof reg, "%%v%u", i);
    code_nops(c, FETCH_STEP / WARP_PC_STEP - code_clock(c, on, reg));
  }
  for (unsigned i = 1; i < FETCH_STAMPS; i++) {
    text_add(&c->text, "  sub.u32 %%t0, %%v%u, %%v%u;\n  add.u32 %%s%u, %%s%u, %%t0;\n", i, i - 1,
             i, i);
    c->n += 2;
  }
  text_add(&c->text, "  add.u32 %%i, %%i, 1;\n  setp.lt.u32 %%p, %%i, %d;\n  @%%p bra AGAIN;\n",
           FETCH_ROUNDS);
  c->n += 3;
  for (unsigned i = 1; i < FETCH_STAMPS; i++) {
    text_add(&c->text, "  st.global.u32 [%%out+%u], %%s%u;\n", 8 + 4 * i, i);
    c->n++;
  }
  code_add(c, 4, "  mov.u32 %f, 1;\n  mov.u32 %t0, flag;\n  st.shared.u32 [%t0], %f;\n  ret;\n");
  write_rivals(c, line, stride, (unsigned)found->l1_ways + FETCH_SPARE);
  code_end(c);
}

/* Footprints were counted in lines of CODE_LINE. */
static void doubt_caches(study_t *s) {
  static const char *const word[] = {"size", "sets", "ways"};
  for (unsigned i = 0; i < 9; i++) {
    char what[16];
    snprintf(what, sizeof what, "L%u %s", i / 3 + 1, word[i % 3]);
    study_doubt(s, what, "lines are not of 256 bytes, or fetched ahead");
  }
}

/* An instruction is late if its time is at least a quarter of the way from the usual time to the
 * latest, and later by a miss than any before the evicted line, which wait for the rivals' issue
 * alone. The distance between late instructions is the block; from the first to the last of them is
 * the line. */
static void deduce(study_t *s, const double *cycles) {
  enum { MISS = 8 /* cycles, at least */ };
  double usual[FETCH_STAMPS], most = 0, before = 0;
  uint64_t block = 0, first = 0, last = 0;
  unsigned between = 0; /* neither late nor usual: requested by a fetch ahead */
  for (unsigned i = 1; i < FETCH_STAMPS; i++) {
    usual[i - 1] = cycles[i];
    most = fmax(most, cycles[i]);
    if (i * FETCH_STEP < FETCH_BEFORE) before = fmax(before, cycles[i]);
  }
  const double median = numbers_median(usual, FETCH_STAMPS - 1),
               limit = median + (most - median) / 4;
  for (unsigned i = 1; i < FETCH_STAMPS && limit > before + (double)MISS; i++) {
    between += cycles[i] < limit && cycles[i] > 2 * median;
    if (cycles[i] < limit) continue;
    if (first == 0) first = (uint64_t)i * FETCH_STEP;
    last = (uint64_t)i * FETCH_STEP;
    block = numbers_gcd(block, last - first);
  }
  const config_t *c = study_known(s);
  study_row_value(s, "fetch", "bytes", block ? micro_number((double)block) : micro_undecided(),
                  1u << c->fetch_block, MICRO_EXACT,
                  block ? "the distance between late instructions" : "no instruction is late");
  /* Outside one line, late instructions are those that a fetch ahead has requested, so the line
   * cannot be seen. */
  const uint64_t line = block ? last + block - first : 0;
  const micro_row_t *size = study_find_row(s, "L1 size");
  const bool fits = line != CODE_LINE || (size && size->deduced.kind == MICRO_NUMBER);
  const bool one = line && (line & (line - 1)) == 0 && !between && fits;
  study_row_value(s, "L1 line", "bytes", one ? micro_number((double)line) : micro_undecided(),
                  1u << c->inst1_line, MICRO_EXACT,
                  one     ? "from the first to the last late instruction"
                  : block ? "the late instructions are not one line"
                          : "no instruction is late");
  /* The rivals evict a line of the L1 as it was deduced. */
  for (unsigned i = 0; !block && i < 3; i++)
    study_doubt(s, i ? i == 1 ? "L1 sets" : "L1 ways" : "L1 size",
                "warps that would evict a line of such an L1 do not");
  if (block && (!one || line != CODE_LINE)) doubt_caches(s);
}

int instructions_fetch(study_t *s, const instructions_t *found, mrpb_err_t *err) {
  code_bench_t b;
  code_t c = {.n = 0};
  uint32_t role = 0, threads = FETCH_THREADS, most = bench_threads(&s->on.limits, CODE_REGISTERS);
  double cycles[FETCH_STAMPS];
  micro_plot_t plot = {.title = "Fetch of blocks beside warps that evict a line (004 Figure 21)",
                       .xlabel = "instruction at [bytes]",
                       .ylabel = "time since the previous one [cycles]"};
  if (found->l1_sets == 0) return 0;
  if (threads > most) threads = most;
  write_stamps(&c, &s->on, found);
  int rc = code_open(&b, &s->on, &c, err);
  if (rc == 0) rc = code_run(&b, &role, 1, threads, 0, err);
  if (rc == 0) {
    const uint32_t *at = (const uint32_t *)bench_at(&b.bench, b.out, 8 + 4 * FETCH_STAMPS) + 2;
    size_t series = micro_plot_series(&plot, "mean of 200 rounds", MICRO_LINES, false);
    size_t points = micro_plot_series(&plot, "in the evicted line", MICRO_POINTS, false);
    for (unsigned i = 1; i < FETCH_STAMPS; i++) {
      cycles[i] = (double)at[i] / (double)FETCH_ROUNDS;
      micro_series_add(&plot, series, i * FETCH_STEP, cycles[i]);
      if (i * FETCH_STEP >= FETCH_BEFORE && i * FETCH_STEP < FETCH_BEFORE + CODE_LINE)
        micro_series_add(&plot, points, i * FETCH_STEP, cycles[i]);
    }
    deduce(s, cycles);
  }
  bench_close(&b.bench);
  if (rc != 0) return micro_plot_free(&plot), -1;
  return study_plot(s, "instructions-figure21", &plot, err);
}
