/* SPDX-License-Identifier: Apache-2.0 */
/* Lines: which lines of memory share a set of the L1D, and when a line that a load has allocated
 * can be replaced. docs/micro/lines.md */
#include "gpu/inorder/inorder.h"
#include "parts/tag_array.h"
#include "studies/micro/kernels/accept.h"
#include "studies/micro/studies/accepted.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum { SMALL = 28, LARGER = 60 /* KB of the L1D */, KB_LINES = 1024 / BENCH_LINE };

/* ---- which lines share a set ------------------------------------------------- */

enum {
  BITS = 20,   /* bits of a line's number that are tried */
  RANK = 3,    /* up to 2^RANK sets are told apart */
  CHECKS = 12, /* lines that check whether the bits give their set */
  MORE = 6,    /* parts of what one line takes: two lines of one set take less than one more */
  SPACE = ' '
};

/* Whether two lines share a set, measured or as configured. */
typedef bool (*share_fn)(void *ctx, uint64_t a, uint64_t b);

/* The effect of each bit of a line's number on its set: an XOR of some of `unlike`, which are lines
 * that share no set with line 0 or with each other. */
typedef struct {
  unsigned rank;
  uint64_t unlike[RANK];
  unsigned does[BITS];
  bool linear;
} sets_t;

static uint64_t xor_of(const sets_t *s, unsigned which) {
  uint64_t line = 0;
  for (unsigned i = 0; i < s->rank; i++)
    if (which >> i & 1) line ^= s->unlike[i];
  return line;
}

/* Finds which of `unlike` combine to a line that shares the set of `line`; 2^rank: none do. */
static unsigned find_like(const sets_t *s, share_fn share, void *ctx, uint64_t line) {
  unsigned which = 0;
  while (which < 1u << s->rank && !share(ctx, line, xor_of(s, which))) which++;
  return which;
}

/* Checks lines far apart and near, each with many bits set. */
static bool is_linear(const sets_t *s, share_fn share, void *ctx) {
  for (unsigned i = 1; i <= CHECKS; i++) {
    const uint64_t line = i * UINT64_C(0x5d1f37) & ((UINT64_C(1) << BITS) - 1);
    unsigned says = 0;
    for (unsigned bit = 0; bit < BITS; bit++)
      if (line >> bit & 1) says ^= s->does[bit];
    if (!share(ctx, line, xor_of(s, says))) return false;
  }
  return true;
}

static sets_t find_sets(share_fn share, void *ctx) {
  sets_t s = {0};
  for (unsigned bit = 0; bit < BITS; bit++) {
    const uint64_t line = UINT64_C(1) << bit;
    s.does[bit] = find_like(&s, share, ctx, line);
    if (s.does[bit] < 1u << s.rank) continue;
    if (s.rank == RANK) return s;
    s.unlike[s.rank++] = line;
  }
  s.linear = is_linear(&s, share, ctx);
  return s;
}

static void spell(const sets_t *s, char text[2 * BITS]) {
  for (unsigned bit = 0; bit < BITS; bit++) {
    text[2 * bit] = (char)('0' + s->does[bit]);
    text[2 * bit + 1] = bit + 1 < BITS ? SPACE : '\0';
  }
}

typedef struct {
  accept_bench_t b;
  accepted_t *seen;
  uint32_t one; /* loads accepted of one line alone */
} pair_t;

/* Whether as few loads of two lines are accepted as of one line, which means that the two share a
 * set. */
static bool are_taken_as_one(void *ctx, uint64_t a, uint64_t b) {
  pair_t *p = ctx;
  const accept_t two = {.schedulers = 4, .line = a, .other = b};
  accept_launch(&p->b, &two);
  accept_run(&p->b, &two, p->seen);
  return p->seen->accepted < p->one + p->one / MORE;
}

static bool share_as_configured(void *ctx, uint64_t a, uint64_t b) {
  const tag_array_cfg_t *c = ctx;
  return tag_array_set(c, a) == tag_array_set(c, b);
}

/* The loads of one line of the host that are accepted with an L1D of `kb` KB. */
static uint32_t take_one(const study_t *s, uint32_t kb, accepted_t *seen) {
  const accept_t p = {.schedulers = 4, .from_host = true};
  accept_take(&s->on, kb, 1, ACCEPT_TWO_LINES, &p, &p, seen);
  return seen->accepted;
}

/* The number of additional loads is the number of additional ways per set, give or take one for
 * each count. Returns 0 if no number of sets allows that, or several do. */
static unsigned sets_of(uint32_t small, uint32_t larger) {
  enum { LINES = (LARGER - SMALL) * KB_LINES, OFF = 2 };
  unsigned sets = 0, allow = 0;
  for (unsigned n = 1; n <= LINES; n++)
    if (larger > small && fabs((double)LINES / n - (larger - small)) <= (double)OFF) {
      sets = n;
      allow++;
    }
  return allow == 1 ? sets : 0;
}

static sets_t measure_sets(const study_t *s, accepted_t *seen) {
  pair_t pair = {.seen = seen};
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, SMALL);
  const accept_t one = {.schedulers = 4};
  accept_open(&pair.b, &gpu, 1, ACCEPT_TWO_LINES);
  accept_launch(&pair.b, &one);
  accept_run(&pair.b, &one, seen);
  pair.one = seen->accepted;
  const sets_t found = find_sets(are_taken_as_one, &pair);
  bench_close(&pair.b.bench);
  return found;
}

/* Whether lines of the L1D are what the study counts. */
static bool has_prt(const config_t *c) {
  return c->table == DEVICE_TABLE_PRT && c->l1d_sets;
}

static void set_rows(study_t *s, accepted_t *seen) {
  const config_t *c = study_known(s);
  char text[2 * BITS], configured[2 * BITS] = "";
  tag_array_cfg_t tags = inorder_l1d(c);
  s->from = "loads of one line that do not merge";
  const uint32_t small = take_one(s, SMALL, seen), larger = take_one(s, LARGER, seen);
  const unsigned sets = sets_of(small, larger);
  study_row_value(s, ROW_LINE_SETS, sets ? micro_number(sets) : micro_undecided(),
                  study_if(has_prt(c), c->l1d_sets),
                  "how many more an L1D of 60 KB takes than one of 28 KB");
  if (sets < 2 || sets > 1u << RANK || (sets & (sets - 1))) return;
  s->from = "loads of two lines that do not merge";
  const sets_t found = measure_sets(s, seen), known = find_sets(share_as_configured, &tags);
  const bool one = found.linear && 1u << found.rank == sets;
  spell(&found, text);
  if (known.linear) spell(&known, configured);
  study_row_words_unless(s, one ? NULL : "no XOR of a line's bits gives its set", ROW_LINE_BITS,
                         text, known.linear ? configured : NULL,
                         "an XOR; from bit 0 (128 bytes) up");
}

/* ---- when a line can be another's ------------------------------------------- */

enum { BEHIND_LINES = 8, SLOW = 16 };
/* Of the loads beside warps that do nothing else: fewer show lines in order, more any order. */
static const double in_order_at = 0.5, as_many = 0.75;

static void take_behind(accept_bench_t *b, const accept_t *how, accepted_t *seen) {
  accept_t p = *how;
  p.schedulers = 4;
  accept_launch(b, &p);
  accept_run(b, &p, seen);
}

/* The loads issued from a quarter to three quarters of the time of a slow load. */
static uint32_t issued(const accepted_t *seen, uint32_t slow) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < seen->n; i++) n += seen->at[i] >= slow / 4 && seen->at[i] < slow / 4 * 3;
  return n;
}

/* The time at which the first data arrive if all loads read the host. */
static uint32_t time_slow(const study_t *s, accepted_t *seen) {
  const accept_t p = {.schedulers = 4, .from_host = true};
  accept_take(&s->on, SMALL, BEHIND_LINES, ACCEPT_OTHER_LINES, &p, &p, seen);
  return seen->at[seen->accepted < seen->n ? seen->accepted : seen->n - 1];
}

/* Loads issued while the slow ones wait, and the longest time without one. */
typedef struct {
  uint32_t loads, pause;
} behind_t;

/* Warps that continue after a slow load hold the lines of all their later loads, if lines are
 * released in the order of a warp's loads. Warps that do nothing else hold only the slow lines. If
 * the slow loads had ended before most loads were counted, only the pause shows that lines were held. */
static void order_row(study_t *s, const behind_t *went_on, const behind_t *stopped, bool held) {
  enum { FEW = 16 /* loads */, LONGER = 2 /* times: pauses differ */ };
  const uint32_t going = went_on->loads, idle = stopped->loads;
  const bool paused = went_on->pause > LONGER * stopped->pause, fewer = going < in_order_at * idle;
  const config_t *c = study_known(s);
  const bool in_order = c->table == DEVICE_TABLE_PRT && c->l1d_order == MRPB_ORDER_IN_ORDER;
  char note[96];
  snprintf(note, sizeof note, "%u loads of 8 lines, %u if those warps do nothing else", going,
           idle);
  const char *why = !held ? "held lines delay nothing"
                    : idle < FEW || (!fewer && (paused || going <= as_many * idle)) ? note
                                                                                    : NULL;
  study_row_words_unless(s, why, ROW_LINE_ORDER, fewer ? "in order" : "any order",
                         in_order ? "in order" : "any order", note);
}

/* y = at + slope x, by least squares; `off` is the largest distance of a point from it. */
typedef struct {
  double at, slope, off;
} fit_t;

static fit_t fit(const double *x, const double *y, unsigned n) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (unsigned i = 0; i < n; i++) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  fit_t f = {.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)};
  f.at = (sy - f.slope * sx) / n;
  for (unsigned i = 0; i < n; i++) f.off = fmax(f.off, fabs(f.at + f.slope * x[i] - y[i]));
  return f;
}

static void left_row(study_t *s, const double *held, const double *rate, unsigned n) {
  enum { OFF = 34 /* lines */, STRAIGHT = 20 /* parts of the first rate */ };
  const config_t *c = study_known(s);
  const fit_t f = fit(held, rate, n);
  const bool falls = f.slope < 0 && f.off * (double)STRAIGHT < f.at;
  const double left = SMALL * KB_LINES + (falls ? f.at / f.slope : 0);
  const bool ends =
      falls && left >= 0; /* the rate is 0 before more lines are held than there are */
  const char *why = ends    ? NULL
                    : falls ? "the others' rate would be 0 only beyond all lines"
                            : "the rates are not on a straight line";
  study_row_unless(s, why, ROW_LINES_LEFT,
                   micro_range(fmax(0, round(left) - OFF), fmax(0, round(left)) + OFF),
                   study_if(has_prt(c), c->l1d_sets * c->l1d_kept),
                   "where the others' rate would be 0; counts of 60 to 100 loads");
}

static bool never_rises(const double *rate, unsigned n) {
  enum { NOISE = 50 /* parts of a rate */ };
  for (unsigned i = 1; i < n; i++)
    if (rate[i] > rate[i - 1] * (1 + 1.0 / NOISE)) return false;
  return true;
}

/* How much the other warps get when sixteen warps that do nothing else hold 16, 32, 64 and 128
 * lines. Returns whether held lines matter: the most leave less than none held, and no more lines
 * leave more. */
static bool held_rows(study_t *s, accept_bench_t *b, uint32_t slow, accepted_t *seen,
                      behind_t *idle) {
  enum { MOST = 8, POINTS = 5, FITTED = 4 };
  double held[POINTS], share[POINTS];
  unsigned n = 0;
  micro_plot_t plot = study_new_plot(s, "lines held", "lines a cycle of the other warps",
                                     "loads of 8 lines, L1D of 28 KB");
  const size_t series = micro_plot_series(&plot, "L2 hits", MICRO_LINESPOINTS, false);
  for (uint32_t lines = 0; lines <= MOST; lines = lines ? 2 * lines : 1) {
    const accept_t p = {.slow = lines ? SLOW : 0, .idle = SLOW, .slow_lines = lines};
    take_behind(b, &p, seen);
    const double rate = 2.0 * (double)BEHIND_LINES * issued(seen, slow) / slow;
    study_of(s, "%u", SLOW * lines);
    study_row(s, ROW_LINES_HELD, rate, (double)NAN, NULL);
    micro_series_add(&plot, series, SLOW * lines, rate);
    held[n] = SLOW * lines;
    share[n++] = rate;
    if (lines == 1) *idle = (behind_t){issued(seen, slow), seen->pause};
  }
  left_row(s, held, share, FITTED);
  study_plot(s, "lines-held", &plot);
  return share[POINTS - 1] < share[0] && never_rises(share, POINTS);
}

static void order_rows(study_t *s, accepted_t *seen) {
  micro_plot_t plot = study_new_plot(s, "time [cycles]", "loads issued",
                                     "loads of 8 lines, L1D of 28 KB; 16 warps have a slow one");
  const accept_t stop = {.slow = SLOW, .idle = SLOW}, go_on = {.slow = SLOW};
  accept_bench_t b;
  behind_t idle = {0, 0};
  s->from = "loads behind slow loads of their own and of other warps";
  const uint32_t slow = time_slow(s, seen);
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, SMALL);
  accept_open(&b, &gpu, BEHIND_LINES, ACCEPT_BEHIND);
  accept_launch(&b, &(accept_t){.schedulers = 4});
  const bool held = held_rows(s, &b, slow, seen, &idle);
  take_behind(&b, &stop, seen);
  accepted_plot(&plot, "they do nothing else", seen);
  take_behind(&b, &go_on, seen);
  bench_close(&b.bench);
  accepted_plot(&plot, "they continue", seen);
  order_row(s, &(behind_t){issued(seen, slow), seen->pause}, &idle, held);
  study_plot(s, "lines", &plot);
}

static bool can_cut(const study_t *s) {
  const bench_limits_t *has = &s->on.limits;
  return has->l1d_lines >= LARGER * KB_LINES && has->cut_lines &&
         SMALL * KB_LINES % has->cut_lines == 0 && LARGER * KB_LINES % has->cut_lines == 0;
}

void study_lines(study_t *s) {
  accepted_t seen = {.n = 1};
  if (!study_can(s, s->on.limits.host && can_cut(s) && accept_fits(&s->on.limits), ROW_LINES,
                 "for an L1D that can be cut, pinned host memory, and blocks of 1024 threads"))
    return;
  set_rows(s, &seen);
  order_rows(s, &seen);
}
