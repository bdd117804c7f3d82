/* SPDX-License-Identifier: Apache-2.0 */
/* Release: one load from pinned host memory, then loads that hit in the L2. If the table releases
 * entries in the order of the loads, the slow load at the head stops all others once the table is
 * full behind it. If it releases them in any order, nothing stops. Registers may be written out of
 * order in either case. docs/micro/h200.md */
#include "studies/micro/kernels/accept.h"
#include "studies/micro/studies/accepted.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum { STANDS_OUT = 4 /* times the longest pause without a slow load */ };

/* ---- does the slow load stop the others? ------------------------------------ */

/* What runs out behind the slow load. With loads of one line: entries of the table. With a small
 * L1D and loads of enough lines: lines of the L1D, before the entries do. */
typedef struct {
  uint32_t kb, lines; /* of the L1D, 0: the largest; of a load */
  study_row_t order, taken, pause;
  const char *plot;
} limit_t;

static const limit_t entries = {0, 1, ROW_RELEASE, ROW_RELEASE_TAKEN, ROW_RELEASE_PAUSE, "release"};
static const limit_t small = {
    28, 8, ROW_RELEASE_LINES, ROW_RELEASE_LINES_TAKEN, ROW_RELEASE_LINES_PAUSE, "release-lines"};

/* Loads behind a slow one, or none. */
static void take(const study_t *s, const limit_t *of, bool behind, accepted_t *seen) {
  const accept_t warm = {.schedulers = 4}, p = {.schedulers = 4, .first_from_host = behind};
  accept_take(&s->on, of->kb, of->lines, ACCEPT_OTHER_LINES, &warm, &p, seen);
}

/* Takes loads that are all slow: as many are accepted as there is room for. */
static accepted_t take_slow(const study_t *s, const limit_t *of) {
  const accept_t p = {.schedulers = 4, .from_host = true};
  accepted_t slow = {.n = 0};
  accept_take(&s->on, of->kb, of->lines, ACCEPT_OTHER_LINES, &p, &p, &slow);
  return slow;
}

/* If all loads behind a slow one were issued, this shows release in any order only if they were
 * more than there is room for: more than were accepted of loads that are all slow, before the slow
 * load's data arrived. */
static bool is_any_order(const study_t *s, const limit_t *of, const accepted_t *seen,
                         const accepted_t *slow) {
  /* The slow load was issued before the others, so at least half of its time is left. */
  uint32_t before = 0;
  while (slow->accepted < slow->n && before < seen->n &&
         seen->at[before] < slow->at[slow->accepted] / 2)
    before++;
  const uint32_t lines = s->on.limits.l1d_lines; /* they may be what runs out, not entries */
  return before > slow->accepted && (of == &small || !lines || slow->accepted < lines);
}

/* Loads of many lines stopped behind a slow one. If as many were taken as of one line, entries ran
 * out, which says nothing about lines. If more were taken than the lines have room for, lines had
 * been released behind the slow load. Returns the order; NULL: not decided. */
static const char *order_of_lines(uint32_t taken, uint32_t of_one_line, uint32_t room) {
  enum { OFF = 4 /* loads: one for each queue */ };
  if (of_one_line && taken + OFF >= of_one_line) return NULL;
  return taken > room + OFF ? "any order" : "in order";
}

/* `seen` NULL: not decided, because of `why`. */
static void order_row(study_t *s, const limit_t *of, const char *seen, const char *why) {
  const config_t *c = study_known(s);
  const bool in_order =
      of == &entries && c->table == DEVICE_TABLE_PRT && c->prt_order == MRPB_ORDER_IN_ORDER;
  const char *known = in_order ? "in order" : "any order";
  if (seen)
    study_row_words(s, of->order, seen, known, NULL);
  else
    study_row_open(s, of->order, known, why);
}

/* The order that the launch shows; NULL: not decided, and *why. `entries_taken` is the number of
 * loads of one line that stop the SM; 0: they do not, or this is their launch. */
static const char *find_order(const study_t *s, const limit_t *of, bool stopped,
                              const accepted_t *seen, uint32_t entries_taken, const char **why) {
  *why = stopped ? "entries of the table ran out before lines"
                 : "the slow load returned before all room can have been taken";
  if (stopped && of == &entries) return "in order";
  const accepted_t slow = take_slow(s, of);
  if (stopped) return order_of_lines(seen->accepted, entries_taken, slow.accepted);
  return is_any_order(s, of, seen, &slow) ? "any order" : NULL;
}

/* *taken: the loads that stopped the SM; 0: none did. On entry, those of one line. */
static void compare(study_t *s, const limit_t *of, uint32_t *taken) {
  accepted_t seen = {.n = 0};
  const char *why;
  micro_plot_t plot = study_new_plot(s, "time [cycles]", "loads issued",
                                     "loads of %u line%s behind one from the host", of->lines,
                                     of->lines > 1 ? "s" : "");
  take(s, of, false, &seen);
  uint32_t alone = seen.pause;
  accepted_plot(&plot, "L2 hits only", &seen);
  take(s, of, true, &seen);
  accepted_plot(&plot, "behind a load from the host", &seen);
  const bool stopped = seen.pause > ACCEPT_PAUSE && seen.pause > STANDS_OUT * alone;
  if (stopped) {
    micro_plot_mark(&plot, "taken", seen.accepted, true, false);
    study_row(s, of->taken, seen.accepted + 1, (double)NAN, NULL);
    study_row(s, of->pause, seen.pause, (double)NAN, NULL);
  }
  const char *order = find_order(s, of, stopped, &seen, *taken, &why);
  *taken = stopped ? seen.accepted : 0;
  order_row(s, of, order, why);
  study_plot(s, of->plot, &plot);
}

/* Whether the L1D can be cut to the small size. */
static bool has_small(const study_t *s) {
  const bench_limits_t *has = &s->on.limits;
  const uint32_t lines = small.kb * 1024 / BENCH_LINE;
  return has->l1d_lines >= lines && has->cut_lines && lines % has->cut_lines == 0;
}

/* ---- data that come while a slow load is awaited ---------------------------- */

/* The cycles of a load of `fast` behind a load of `slow`. */
static double behind(bench_t *b, uint64_t slow, uint64_t fast, uint64_t out) {
  const bench_launch_t l = BENCH_LAUNCH("behind", 1, 1, 10, slow, fast, out, BENCH_NEVER);
  bench_copy_in(b, fast, 256);
  bench_must(b, &l);
  return bench_quickest(b, &l, out, 1);
}

static void find_data_order(study_t *s) {
  enum { HOST = 4096 };
  bench_t b;
  uint64_t slow, fast;
  bench_make(&b, &s->on, "studies/release", TEXT_NONE,
             BENCH_ARRAYS({&slow, HOST, BENCH_HOST}, {&fast, HOST, BENCH_DEVICE}));
  const double alone = behind(&b, fast + 2048, fast, fast + 1024),
               after = behind(&b, slow, fast + 128, fast + 1024);
  bench_close(&b);
  study_row(s, ROW_BEHIND_HIT, alone, (double)NAN, "clock reads included");
  study_row(s, ROW_BEHIND_SLOW, after, alone, "clock reads included");
  study_row_words(s, ROW_DATA_ORDER, after < 2 * alone ? "out of order" : "in order",
                  "out of order", NULL);
}

void study_release(study_t *s) {
  uint32_t taken = 0;
  s->from = "loads behind a slow one";
  if (!study_can(s, s->on.limits.host && accept_fits(&s->on.limits), ROW_RELEASE,
                 "for a GPU with pinned host memory, and blocks of 1024 threads"))
    return;
  compare(s, &entries, &taken);
  if (has_small(s)) compare(s, &small, &taken);
  find_data_order(s);
}
