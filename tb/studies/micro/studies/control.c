/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence and barriers of the GT200 (paper 004, sections IV-C and IV-D).
 * docs/micro/gt200.md */
#define _POSIX_C_SOURCE 200809L
#include "studies/micro/kernels/chain.h"
#include "studies/micro/study.h"
#include "base/memory_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, CONTROL_LIMIT = 200000, CONTROL_BARRIERS = 64 };

/* A kernel with p_out and p_c, 512 words of memory. */
typedef struct {
  bench_t bench;
  uint64_t mem;
} control_t;

/* `body` is a macro of control.ptx. */
static void open_kernel(control_t *k, const study_t *s, const char *body) {
  *k = (control_t){.mem = 0};
  bench_make(&k->bench, &s->on, "studies/control",
             TEXT_VALUES(TEXT_WORDS("body", body), TEXT_NUMBER("times", CONTROL_BARRIERS),
                         TEXT_NUMBER("shift", s->on.limits.clock_shift)),
             BENCH_ARRAYS({&k->mem, 4096, BENCH_DEVICE}));
  k->bench.limit = CONTROL_LIMIT;
}

static device_end_t launch(control_t *k, uint32_t threads) {
  const bench_launch_t l = BENCH_LAUNCH("k", 1, threads, 16, k->mem, k->mem + 2048);
  return bench_run(&k->bench, &l);
}

/* What a launch that must end well has left in memory; NULL after an error. */
static void *must_end(control_t *k, uint32_t threads) {
  const bench_launch_t l = BENCH_LAUNCH("k", 1, threads, 16, k->mem, k->mem + 2048);
  return bench_must(&k->bench, &l) ? bench_at(&k->bench, k->mem, threads * UINT64_C(8)) : NULL;
}

/* Reports how a launch ended, with every warp's place if it did not finish. No key sets the
 * expected result. */
static void report(study_t *s, const control_t *k, study_row_t id, device_end_t end) {
  static const char *const name[] = {"ends",    "deadlock", "deadlock (spins)",
                                     "refused", "none",     "failed"};
  char *text = NULL, what[MICRO_TABLE_TEXT];
  size_t n = 0;
  study_row_text(id, "", what);
  FILE *f = end == DEVICE_DEADLOCK || end == DEVICE_SPINS ? memory_file(&text, &n) : NULL;
  if (f) {
    device_dump(bench_device(&k->bench), f);
    if (fclose(f) == 0 && s->out)
      fprintf(s->out, "%s: %s after %u cycles\n%s", what, name[end], (unsigned)k->bench.limit,
              text);
  }
  study_row_words(s, id, end == DEVICE_SPINS ? "deadlock" : name[end], NULL,
                  end == DEVICE_SPINS ? "a warp spins" : NULL);
  free(text);
}

/* Runs a listing and reports whether it ends. */
static void listing(study_t *s, study_row_t id, const char *body, uint32_t threads) {
  control_t k;
  open_kernel(&k, s, body);
  report(s, &k, id, launch(&k, threads));
  bench_close(&k.bench);
}

static bool taken_first(const study_t *s) {
  return study_known(s)->divergence == DEVICE_DIVERGENCE_TAKEN;
}

/* ---- divergence ---------------------------------------------------------------- */

/* The lanes of warp 0 in the order in which they ran, as clauses; c[] says which lane has which
 * clause. */
static void order_of(const uint32_t (*at)[2], const uint32_t *c, uint32_t order[LANES]) {
  for (uint32_t clause = 0; clause < LANES; clause++) {
    uint32_t before = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
      before += (int32_t)(at[lane][0] - at[c[clause]][0]) < 0;
    order[before] = clause;
  }
}

typedef enum { ORDER_UP, ORDER_DOWN, ORDER_MIXED } order_t;

static order_t order_kind(const uint32_t order[LANES]) {
  bool up = true, down = true;
  for (uint32_t i = 0; i < LANES; i++) {
    up = up && order[i] == i;
    down = down && order[i] == LANES - 1 - i;
  }
  return up ? ORDER_UP : down ? ORDER_DOWN : ORDER_MIXED;
}

static const char *const order_name[] = {"the first clause first", "the last clause first",
                                         "mixed"};

/* What DIVERGENCE runs first. A clause is the side that is not taken. If the highest lane takes no
 * part, the same holds until the lanes above have run theirs. */
static order_t order_configured(const study_t *s, bool down) {
  return taken_first(s) || down ? ORDER_DOWN : ORDER_UP;
}

/* Whether the paths of a warp ran one after the other: no two overlap. */
static bool serial(const uint32_t (*at)[2]) {
  for (unsigned i = 0; i < LANES; i++)
    for (unsigned k = 0; k < LANES; k++)
      if (i != k && at[k][0] >= at[i][0] && at[k][0] < at[i][1]) return false;
  return true;
}

static order_t ladder(study_t *s, control_t *k, bool down, uint32_t warps, const char *figure) {
  uint32_t c[LANES], order[LANES], first;
  micro_plot_t plot = MICRO_PLOT("", "time [cycles]", "thread");
  char file[40];
  for (uint32_t i = 0; i < LANES; i++) c[i] = down ? LANES - 1 - i : i;
  uint32_t *clauses = bench_at(&k->bench, k->mem + 2048, sizeof c);
  if (clauses) memcpy(clauses, c, sizeof c);
  const uint32_t(*at)[2] = must_end(k, LANES * warps);
  if (!at) return ORDER_MIXED;
  first = at[0][0];
  for (uint32_t i = 0; i < LANES * warps; i++)
    first = (int32_t)(at[i][0] - first) < 0 ? at[i][0] : first;
  for (uint32_t i = 0; i < LANES * warps; i++)
    micro_plot_bar(&plot, i, at[i][0] - first, at[i][1] - first, i / LANES);
  snprintf(plot.title, sizeof plot.title, "%s, 32 paths, c[] %s (004 Figure %s)",
           warps == 1 ? "One warp" : "Two warps", down ? "falls" : "rises", figure);
  snprintf(file, sizeof file, "divergence-figure%s", figure);
  order_of(at, c, order);
  const order_t kind = order_kind(order);
  study_of(s, "%s", figure);
  study_row_words(s, ROW_LANE_ORDER, order_name[kind], order_name[order_configured(s, down)], NULL);
  if (warps == 2) {
    bool overlap = at[LANES][0] < at[0][1] || at[0][0] < at[LANES][1];
    study_row_words(s, ROW_WARP_PATHS, serial(at) ? "one after the other" : "overlap", NULL, NULL);
    study_row_words(s, ROW_WARPS_PATHS, overlap ? "overlap" : "one after the other", NULL, NULL);
  }
  study_plot(s, file, &plot);
  return kind;
}

/* Nests branches, each for one lane fewer, and reports how many levels return correctly. */
static void depth(study_t *s) {
  control_t k;
  unsigned good = 0;
  open_kernel(&k, s, "nested");
  const uint32_t *x = must_end(&k, LANES);
  while (x && good < LANES - 1 && x[good + 1] / 256 >= x[good] / 256) good++;
  study_row(s, ROW_BRANCH_DEPTH, good, NAN, "32 lanes can diverge 31 times");
  bench_close(&k.bench);
}

/* Which side of a branch runs first, from both orders. */
static void side_row(study_t *s, order_t rising, order_t falling) {
  const char *side = falling != ORDER_DOWN  ? "other"
                     : rising == ORDER_DOWN ? "taken"
                     : rising == ORDER_UP   ? "without the highest lane"
                                            : "other";
  study_row_words(s, ROW_BRANCH_SIDE, side, taken_first(s) ? "taken" : "without the highest lane",
                  "Figures 7 and 8");
}

void study_divergence(study_t *s) {
  control_t k;
  s->from = "clocks of each lane's path";
  open_kernel(&k, s, "ladder");
  ladder(s, &k, false, 2, "6");
  const order_t rising = ladder(s, &k, false, 1, "7"), falling = ladder(s, &k, true, 1, "8");
  bench_close(&k.bench);
  side_row(s, rising, falling);
  depth(s);
  listing(s, ROW_LISTING3, "listing3", LANES);
}

/* ---- barriers -------------------------------------------------------------------- */

static void barrier_latency(study_t *s) {
  control_t k;
  open_kernel(&k, s, "barriers");
  const uint32_t *cycles = must_end(&k, LANES);
  if (cycles)
    study_row(s, ROW_BARRIER, *cycles / (double)CONTROL_BARRIERS, study_known(s)->barrier_latency,
              NULL);
  bench_close(&k.bench);
}

/* Listing 4: the upper half reads either what the lower half has not yet written, or what it
 * has. */
static void listing4(study_t *s) {
  control_t k;
  open_kernel(&k, s, "listing4");
  report(s, &k, ROW_LISTING4, launch(&k, LANES));
  const uint32_t *x = bench_at(&k.bench, k.mem, LANES * 4);
  study_row_words(s, ROW_LISTING4_DATA, x && x[16] == 99 ? "seen" : "not seen",
                  taken_first(s) ? "not seen" : "seen", "the barrier joins warps, not lanes");
  bench_close(&k.bench);
}

/* Listing 6: which barriers end together, judged by their times. */
static void listing6(study_t *s) {
  static const char *const pairs[] = {"1 with 3, 2 with 4", "2 with 3, 1 with 4"};
  control_t k;
  open_kernel(&k, s, "listing6");
  const uint32_t(*at)[2] = must_end(&k, 2 * LANES);
  if (at) {
    /* [1] is the barrier of the lower half, [2] that of the upper half, [3] and [4] are those of
     * warp 1. */
    uint32_t one = at[0][0], two = at[16][0], three = at[32][0], four = at[32][1];
    bool two_first = labs((long)two - (long)three) < labs((long)two - (long)four);
    bool one_last = labs((long)one - (long)four) < labs((long)one - (long)three);
    study_row_words(s, ROW_LISTING6, two_first == one_last ? pairs[two_first] : "others",
                    pairs[taken_first(s)], NULL);
  }
  bench_close(&k.bench);
}

void study_barriers(study_t *s) {
  s->from = "how launches end, and clocks";
  barrier_latency(s);
  listing4(s);
  listing(s, ROW_LISTING5, "listing5", 2 * LANES);
  listing6(s);

  listing(s, ROW_EARLY_END, "early_end", 2 * LANES);
}
