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
  SPACE = ' '
};

/* Whether two lines share a set, measured or as configured. Returns 1, 0, or -1 on an error. */
typedef int (*share_fn)(void *ctx, uint64_t a, uint64_t b, mrpb_err_t *err);

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
static int find_like(const sets_t *s, share_fn share, void *ctx, uint64_t line, unsigned *which,
                     mrpb_err_t *err) {
  for (*which = 0; *which < 1u << s->rank; ++*which) {
    const int shared = share(ctx, line, xor_of(s, *which), err);
    if (shared != 0) return shared < 0 ? -1 : 0;
  }
  return 0;
}

/* Checks lines far apart and near, each with many bits set. */
static int check(sets_t *s, share_fn share, void *ctx, mrpb_err_t *err) {
  s->linear = true;
  for (unsigned i = 1; s->linear && i <= CHECKS; i++) {
    const uint64_t line = i * UINT64_C(0x5d1f37) & ((UINT64_C(1) << BITS) - 1);
    unsigned says = 0;
    for (unsigned bit = 0; bit < BITS; bit++)
      if (line >> bit & 1) says ^= s->does[bit];
    const int shared = share(ctx, line, xor_of(s, says), err);
    if (shared < 0) return -1;
    s->linear = shared;
  }
  return 0;
}

static int find_sets(sets_t *s, share_fn share, void *ctx, mrpb_err_t *err) {
  *s = (sets_t){0};
  for (unsigned bit = 0; bit < BITS; bit++) {
    const uint64_t line = UINT64_C(1) << bit;
    if (find_like(s, share, ctx, line, &s->does[bit], err) != 0) return -1;
    if (s->does[bit] < 1u << s->rank) continue;
    if (s->rank == RANK) return 0;
    s->unlike[s->rank++] = line;
  }
  return check(s, share, ctx, err);
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
static int are_taken_as_one(void *ctx, uint64_t a, uint64_t b, mrpb_err_t *err) {
  pair_t *p = ctx;
  const accept_t two = {.schedulers = 4, .line = a, .other = b};
  if (accept_launch(&p->b, &two, err) != 0) return -1;
  if (accept_run(&p->b, &two, p->seen, err) != 0) return -1;
  return p->seen->accepted < p->one + p->one / 6;
}

static int share_as_configured(void *ctx, uint64_t a, uint64_t b, mrpb_err_t *err) {
  const tag_array_cfg_t *c = ctx;
  (void)err;
  return tag_array_set(c, a) == tag_array_set(c, b);
}

/* The loads of one line of the host that are accepted with an L1D of `kb` KB. */
static int take_one(const study_t *s, uint32_t kb, accepted_t *seen, uint32_t *taken,
                    mrpb_err_t *err) {
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, kb);
  const accept_t p = {.schedulers = 4, .from_host = true};
  const int rc = accept_take(&gpu, 1, ACCEPT_TWO_LINES, &p, &p, seen, err);
  *taken = seen->accepted;
  return rc;
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

static int measure_sets(const study_t *s, accepted_t *seen, sets_t *found, mrpb_err_t *err) {
  pair_t pair = {.seen = seen};
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, SMALL);
  const accept_t one = {.schedulers = 4};
  int rc = accept_open(&pair.b, &gpu, 1, ACCEPT_TWO_LINES, err);
  if (rc == 0) rc = accept_launch(&pair.b, &one, err);
  if (rc == 0) rc = accept_run(&pair.b, &one, seen, err);
  pair.one = seen->accepted;
  if (rc == 0) rc = find_sets(found, are_taken_as_one, &pair, err);
  bench_close(&pair.b.bench);
  return rc;
}

static int set_rows(study_t *s, accepted_t *seen, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  uint32_t small, larger;
  sets_t found = {0}, known = {0};
  char text[2 * BITS], configured[2 * BITS] = "";
  tag_array_cfg_t tags = inorder_l1d(c);
  s->from = "loads of one line that do not merge";
  if (take_one(s, SMALL, seen, &small, err) != 0 || take_one(s, LARGER, seen, &larger, err) != 0)
    return -1;
  const unsigned sets = sets_of(small, larger);
  study_row_value(s, ROW_LINE_SETS, sets ? micro_number(sets) : micro_undecided(),
                  c->table == DEVICE_TABLE_PRT && c->l1d_sets ? c->l1d_sets : (double)NAN,
                  "how many more an L1D of 60 KB takes than one of 28 KB");
  if (sets < 2 || sets > 1u << RANK || (sets & (sets - 1))) return 0;
  s->from = "loads of two lines that do not merge";
  if (measure_sets(s, seen, &found, err) != 0) return -1;
  (void)find_sets(&known, share_as_configured, &tags, err);
  spell(&found, text);
  if (known.linear) spell(&known, configured);
  if (found.linear && 1u << found.rank == sets)
    study_row_words(s, ROW_LINE_BITS, text, known.linear ? configured : NULL,
                    "an XOR; from bit 0 (128 bytes) up");
  else
    study_row_open(s, ROW_LINE_BITS, known.linear ? configured : NULL,
                   "no XOR of a line's bits gives its set");
  return 0;
}

/* ---- when a line can be another's ------------------------------------------- */

enum { BEHIND_LINES = 8, SLOW = 16 };

static int take_behind(accept_bench_t *b, const accept_t *how, accepted_t *seen, mrpb_err_t *err) {
  accept_t p = *how;
  p.schedulers = 4;
  if (accept_launch(b, &p, err) != 0) return -1;
  return accept_run(b, &p, seen, err);
}

/* The loads issued from a quarter to three quarters of the time of a slow load. */
static uint32_t issued(const accepted_t *seen, uint32_t slow) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < seen->n; i++) n += seen->at[i] >= slow / 4 && seen->at[i] < slow / 4 * 3;
  return n;
}

/* The time at which the first data arrive if all loads read the host. */
static int time_slow(const study_t *s, accepted_t *seen, uint32_t *cycles, mrpb_err_t *err) {
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, SMALL);
  const accept_t p = {.schedulers = 4, .from_host = true};
  const int rc = accept_take(&gpu, BEHIND_LINES, ACCEPT_OTHER_LINES, &p, &p, seen, err);
  *cycles = seen->at[seen->accepted < seen->n ? seen->accepted : seen->n - 1];
  return rc;
}

/* Loads issued while the slow ones wait, and the longest time without one. */
typedef struct {
  uint32_t loads, pause;
} behind_t;

/* Warps that continue after a slow load hold the lines of all their later loads, if lines are
 * released in the order of a warp's loads. Warps that do nothing else hold only the slow lines. If
 * the slow loads had ended before most loads were counted, only the pause shows that lines were held. */
static void order_row(study_t *s, const behind_t *went_on, const behind_t *stopped, bool held) {
  enum { FEW = 16 /* loads */ };
  const uint32_t going = went_on->loads, idle = stopped->loads;
  const bool paused = went_on->pause > 2 * stopped->pause;
  const config_t *c = study_known(s);
  const char *known = c->table == DEVICE_TABLE_PRT && c->l1d_order == MRPB_ORDER_IN_ORDER
                          ? "in order"
                          : "any order";
  char note[96];
  snprintf(note, sizeof note, "%u loads of 8 lines, %u if those warps do nothing else", going,
           idle);
  if (!held)
    study_row_open(s, ROW_LINE_ORDER, known, "held lines delay nothing");
  else if (idle < FEW || (2 * going >= idle && (paused || 4 * going <= 3 * idle)))
    study_row_open(s, ROW_LINE_ORDER, known, note);
  else
    study_row_words(s, ROW_LINE_ORDER, 2 * going < idle ? "in order" : "any order", known, note);
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
  study_row_unless(
      s, why, ROW_LINES_LEFT, micro_range(fmax(0, round(left) - OFF), fmax(0, round(left)) + OFF),
      c->table == DEVICE_TABLE_PRT && c->l1d_sets ? c->l1d_sets * c->l1d_kept : (double)NAN,
      "where the others' rate would be 0; counts of 60 to 100 loads");
}

static bool never_rises(const double *rate, unsigned n) {
  enum { NOISE = 50 /* parts of a rate */ };
  for (unsigned i = 1; i < n; i++)
    if (rate[i] > rate[i - 1] * (1 + 1.0 / NOISE)) return false;
  return true;
}

/* How much the other warps get when sixteen warps that do nothing else hold 16, 32, 64 and 128
 * lines. *matter: the most held lines leave less than none held, and no more lines leave more. */
static int held_rows(study_t *s, accept_bench_t *b, uint32_t slow, accepted_t *seen, behind_t *idle,
                     bool *matter, mrpb_err_t *err) {
  enum { MOST = 8, POINTS = 5, FITTED = 4 };
  double held[POINTS], share[POINTS];
  unsigned n = 0;
  micro_plot_t plot = {.xlabel = "lines held", .ylabel = "lines a cycle of the other warps"};
  snprintf(plot.title, sizeof plot.title, "%s: loads of 8 lines, L1D of 28 KB", s->gpu);
  const size_t series = micro_plot_series(&plot, "L2 hits", MICRO_LINESPOINTS, false);
  for (uint32_t lines = 0; lines <= MOST; lines = lines ? 2 * lines : 1) {
    const accept_t p = {.slow = lines ? SLOW : 0, .idle = SLOW, .slow_lines = lines};
    if (take_behind(b, &p, seen, err) != 0) return micro_plot_free(&plot), -1;
    const double rate = 2.0 * (double)BEHIND_LINES * issued(seen, slow) / slow;
    study_of(s, "%u", SLOW * lines);
    study_row(s, ROW_LINES_HELD, rate, (double)NAN, NULL);
    micro_series_add(&plot, series, SLOW * lines, rate);
    held[n] = SLOW * lines;
    share[n++] = rate;
    if (lines == 1) *idle = (behind_t){issued(seen, slow), seen->pause};
  }
  *matter = share[POINTS - 1] < share[0] && never_rises(share, POINTS);
  left_row(s, held, share, FITTED);
  return study_plot(s, "lines-held", &plot, err);
}

static int order_rows(study_t *s, accepted_t *seen, mrpb_err_t *err) {
  micro_plot_t plot = {.xlabel = "time [cycles]", .ylabel = "loads issued"};
  const accept_t stop = {.slow = SLOW, .idle = SLOW}, go_on = {.slow = SLOW};
  accept_bench_t b;
  uint32_t slow;
  behind_t idle = {0, 0};
  bool held = false;
  s->from = "loads behind slow loads of their own and of other warps";
  if (time_slow(s, seen, &slow, err) != 0) return -1;
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, SMALL);
  int rc = accept_open(&b, &gpu, BEHIND_LINES, ACCEPT_BEHIND, err);
  if (rc == 0) rc = accept_launch(&b, &(accept_t){.schedulers = 4}, err);
  if (rc == 0) rc = held_rows(s, &b, slow, seen, &idle, &held, err);
  if (rc == 0) rc = take_behind(&b, &stop, seen, err);
  if (rc == 0) accepted_plot(&plot, "they do nothing else", seen);
  if (rc == 0) rc = take_behind(&b, &go_on, seen, err);
  bench_close(&b.bench);
  if (rc != 0) return micro_plot_free(&plot), -1;
  accepted_plot(&plot, "they continue", seen);
  snprintf(plot.title, sizeof plot.title,
           "%s: loads of 8 lines, L1D of 28 KB; 16 warps have a slow one", s->gpu);
  order_row(s, &(behind_t){issued(seen, slow), seen->pause}, &idle, held);
  return study_plot(s, "lines", &plot, err);
}

static bool can_cut(const study_t *s) {
  const bench_limits_t *has = &s->on.limits;
  return has->l1d_lines >= LARGER * KB_LINES && has->cut_lines &&
         SMALL * KB_LINES % has->cut_lines == 0 && LARGER * KB_LINES % has->cut_lines == 0;
}

int study_lines(study_t *s, mrpb_err_t *err) {
  if (!s->on.limits.host || !can_cut(s) ||
      bench_threads(&s->on.limits, ACCEPT_REGISTERS) < 32 * ACCEPT_WARPS) {
    study_not_measured(
        s, ROW_LINES, "for an L1D that can be cut, pinned host memory, and blocks of 1024 threads");
    return 0;
  }
  accepted_t seen;
  return set_rows(s, &seen, err) != 0 ? -1 : order_rows(s, &seen, err);
}
