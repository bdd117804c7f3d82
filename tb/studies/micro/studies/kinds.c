/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of accesses: how many of each an SM, a scheduler and a warp issue before the SM accepts no
 * more; how many entries of the load table one access takes; how far posted accesses run ahead of a
 * slow link; which accesses merge. docs/micro/kinds.md */
#include "studies/micro/kernels/kinds.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdarg.h>

enum { SHORT_PAUSE = 4 /* a pause is short beside a time so many times as long */ };

/* Nothing returns for such accesses, so only the link can hold them back. */
static bool is_posted(const kind_t *k) {
  return k->form == CARD_STORE || k->form == CARD_RED;
}

/* A kind that was not refused alone is not refused beside others. */
static void must(const study_t *s, mrpb_err_t refused) {
  if (refused.text[0]) mrpb_fail(s->on.err, "%s", refused.text);
}

static void take(const study_t *s, const bench_gpu_t *gpu, const kinds_t *p, kinds_seen_t *seen) {
  must(s, kinds_take(gpu, p, seen));
}

__attribute__((format(printf, 5, 6))) static void row(study_t *s, study_row_t id, const kind_t *k,
                                                      micro_value_t v, const char *format, ...) {
  char note[MICRO_TABLE_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(note, sizeof note, format, args);
  va_end(args);
  study_of(s, "%s", k->name);
  study_row_value(s, id, v, (double)NAN, note);
}

/* ---- taken ------------------------------------------------------------------------ */

/* The accesses accepted before the pause; at least all of them if there was no pause. If the pause
 * is short compared with the time before it, answers came before anything was full. */
static micro_value_t taken(const kinds_seen_t *seen) {
  if (seen->taken == seen->n) return micro_at_least(seen->n);
  return seen->pause > seen->at[seen->taken - 1] / SHORT_PAUSE ? micro_number(seen->taken)
                                                               : micro_undecided();
}

static void count(study_t *s, study_row_t id, const kind_t *k, const kinds_seen_t *seen) {
  if (seen->taken == seen->n)
    row(s, id, k, taken(seen), "%s", "");
  else
    row(s, id, k, taken(seen), "%u in %u cycles, then none for %u", seen->taken,
        seen->at[seen->taken - 1], seen->pause);
}

/* The bytes that a program can have in flight, and how many accesses each warp needs for that. */
static void bytes(study_t *s, const kind_t *k, const kinds_seen_t *seen) {
  micro_value_t v = taken(seen);
  v.number *= kinds_bytes(k);
  row(s, ROW_KIND_BYTES, k, v, "%.1f accesses of each of %d warps",
      (double)seen->taken / (double)ACCEPT_WARPS, ACCEPT_WARPS);
}

/* Once the queues are full, a posted access is accepted whenever one leaves through the link.
 * Accesses beyond that rate are ahead of the link. The link is uneven, so two stretches must agree;
 * otherwise they give bounds. */
static void ahead(study_t *s, const kind_t *k, const kinds_seen_t *seen) {
  double lo = HUGE_VAL, hi = 0, pace = 0;
  for (uint32_t from = seen->n / 8; from <= seen->n / 4; from *= 2) {
    pace = (double)(seen->at[2 * from] - seen->at[from]) / from;
    const double more = fmax(0, from - seen->at[from] / pace);
    lo = fmin(lo, floor(more));
    hi = fmax(hi, ceil(more));
  }
  row(s, ROW_KIND_AHEAD, k, micro_range(lo, hi), "one each %.1f cycles", pace);
}

/* ---- which table ------------------------------------------------------------------ */

/* After some accesses of a kind, fewer plain loads are accepted, by the number of entries that the
 * former hold. The counts are off by a few; if the bounds contain only one whole number, it is the
 * answer. Only a few such accesses are made, if their data come from nearby, so that they do not
 * return before everything is full; and so that the kind's own limit is not reached. */
static void entries(study_t *s, const kind_t *k, uint32_t own, uint32_t alone, kinds_seen_t *seen) {
  enum { OFF = 4 };
  const uint32_t most = k->place == BENCH_DEVICE ? 1 : k->words == 4 ? 4 : 8;
  kinds_t p = {.k = k, .warps = ACCEPT_WARPS, .accesses = ACCEPT_LOADS};
  p.lead = own / 2 / ACCEPT_WARPS;
  if (p.lead > most) p.lead = most;
  if (p.lead == 0) p.lead = 1;
  take(s, &s->on, &p, seen);
  const double plain = seen->taken - (double)seen->leading, led = seen->leading;
  const double lo = fmax(0, (alone - plain - (double)OFF) / led),
               hi = fmax(0, (alone - plain + (double)OFF) / led);
  const bool whole = floor(hi) == ceil(lo), early = k->place == BENCH_DEVICE && !whole;
  const micro_value_t v = seen->taken == seen->n || seen->leading == 0 || early ? micro_undecided()
                          : whole ? micro_number(floor(hi))
                                  : micro_range(lo, hi);
  row(s, ROW_KIND_ENTRIES, k, v, "%g, then %g loads; alone %u%s", led, plain, alone,
      early ? "; some returned before all was full" : "");
}

/* Loads one line, with an L1D of fewer lines than the table has entries: loads that do not merge
 * run out of lines. */
static void merging(study_t *s, const kind_t *k, kinds_seen_t *seen) {
  enum { KB = 28, LINES = KB * 1024 / BENCH_LINE };
  const bench_gpu_t small = bench_gpu_with_l1d(&s->on, KB);
  const kinds_t p = {k, ACCEPT_WARPS, .accesses = ACCEPT_LOADS, .lead = ACCEPT_LOADS, .same = true};
  if (k->form != CARD_LOAD || k->words != 1 || s->on.limits.l1d_lines < LINES ||
      LINES % s->on.limits.cut_lines)
    return;
  take(s, &small, &p, seen);
  count(s, ROW_KIND_MERGED, k, seen);
}

/* ---- all -------------------------------------------------------------------------- */

/* A launch of accesses of one kind alone, as many as there is room for. */
static mrpb_err_t take_most(const study_t *s, const kind_t *k, uint32_t warps, uint32_t idle,
                            kinds_seen_t *seen) {
  const uint32_t most = kinds_most(k, warps);
  const kinds_t p = {k, warps, .accesses = most, .lead = most, .idle = idle};
  return kinds_take(&s->on, &p, seen);
}

static void one(study_t *s, const kind_t *k, uint32_t *alone, kinds_seen_t *seen) {
  enum { OF_ONE_SCHEDULER = 3 };
  const mrpb_err_t refused = take_most(s, k, ACCEPT_WARPS, 0, seen);
  study_of(s, "%s", k->name);
  if (refused.text[0]) study_not_measured(s, ROW_KIND_TAKEN, refused.text);
  if (refused.text[0] || !study_ok(s)) return;
  if (is_posted(k)) {
    ahead(s, k, seen);
    entries(s, k, seen->n, *alone, seen);
    return;
  }
  count(s, ROW_KIND_TAKEN, k, seen);
  const uint32_t own = seen->taken;
  if (*alone == 0) *alone = own;
  bytes(s, k, seen);
  must(s, take_most(s, k, ACCEPT_WARPS, OF_ONE_SCHEDULER, seen));
  count(s, ROW_KIND_SCHEDULER, k, seen);
  must(s, take_most(s, k, 1, 0, seen));
  count(s, ROW_KIND_WARP, k, seen);
  entries(s, k, own, *alone, seen);
  merging(s, k, seen);
}

void study_kinds(study_t *s) {
  uint32_t alone = 0;
  kinds_seen_t seen = {.n = 0};
  if (!study_can(s, s->on.limits.host && accept_fits(&s->on.limits), ROW_KINDS,
                 "for a GPU with pinned host memory, and blocks of 1024 threads"))
    return;
  s->from = "clocks behind each access";
  for (unsigned i = 0; study_ok(s) && kinds_at(i); i++) one(s, kinds_at(i), &alone, &seen);
}
