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

static int take(const study_t *s, const limit_t *of, bool behind, accepted_t *seen,
                mrpb_err_t *err) {
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, of->kb);
  const accept_t warm = {.schedulers = 4}, p = {.schedulers = 4, .first_from_host = behind};
  return accept_take(&gpu, of->lines, ACCEPT_OTHER_LINES, &warm, &p, seen, err);
}

/* Takes loads that are all slow: as many are accepted as there is room for. */
static int take_slow(const study_t *s, const limit_t *of, accepted_t *slow, mrpb_err_t *err) {
  const bench_gpu_t gpu = bench_gpu_with_l1d(&s->on, of->kb);
  const accept_t p = {.schedulers = 4, .from_host = true};
  return accept_take(&gpu, of->lines, ACCEPT_OTHER_LINES, &p, &p, slow, err);
}

/* If all loads behind a slow one were issued, this shows release in any order only if they were
 * more than there is room for: more than were accepted of loads that are all slow, before the slow
 * load's data arrived. */
static int is_any_order(const study_t *s, const limit_t *of, const accepted_t *seen,
                        accepted_t *slow, bool *any, mrpb_err_t *err) {
  if (take_slow(s, of, slow, err) != 0) return -1;
  /* The slow load was issued before the others, so at least half of its time is left. */
  uint32_t before = 0;
  while (slow->accepted < slow->n && before < seen->n &&
         seen->at[before] < slow->at[slow->accepted] / 2)
    before++;
  const uint32_t lines = s->on.limits.l1d_lines; /* they may be what runs out, not entries */
  *any = before > slow->accepted && (of == &small || !lines || slow->accepted < lines);
  return 0;
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

/* The order that the launch shows; NULL: not decided, and why. `entries_taken` is the number of
 * loads of one line that stop the SM; 0: they do not, or this is their launch. */
static int find_order(const study_t *s, const limit_t *of, bool stopped, const accepted_t *seen,
                      uint32_t entries_taken, const char **order, const char **why,
                      mrpb_err_t *err) {
  *order = "in order";
  *why = "the slow load returned before all room can have been taken";
  if (stopped && of == &entries) return 0;
  accepted_t slow;
  bool any = false;
  const int rc =
      stopped ? take_slow(s, of, &slow, err) : is_any_order(s, of, seen, &slow, &any, err);
  if (!stopped) *order = any ? "any order" : NULL;
  if (stopped && rc == 0) {
    *order = order_of_lines(seen->accepted, entries_taken, slow.accepted);
    *why = "entries of the table ran out before lines";
  }
  return rc;
}

/* *taken: the loads that stopped the SM; 0: none did. On entry, those of one line. */
static int compare(study_t *s, const limit_t *of, uint32_t *taken, accepted_t *seen,
                   mrpb_err_t *err) {
  micro_plot_t plot = {.xlabel = "time [cycles]", .ylabel = "loads issued"};
  const char *order = NULL, *why = NULL;
  snprintf(plot.title, sizeof plot.title, "%s: loads of %u line%s behind one from the host", s->gpu,
           of->lines, of->lines > 1 ? "s" : "");
  if (take(s, of, false, seen, err) != 0) return -1;
  uint32_t alone = seen->pause;
  accepted_plot(&plot, "L2 hits only", seen);
  if (take(s, of, true, seen, err) != 0) {
    micro_plot_free(&plot);
    return -1;
  }
  accepted_plot(&plot, "behind a load from the host", seen);
  const bool stopped = seen->pause > ACCEPT_PAUSE && seen->pause > STANDS_OUT * alone;
  if (stopped) {
    micro_plot_mark(&plot, "taken", seen->accepted, true, false);
    study_row(s, of->taken, seen->accepted + 1, (double)NAN, NULL);
    study_row(s, of->pause, seen->pause, (double)NAN, NULL);
  }
  if (find_order(s, of, stopped, seen, *taken, &order, &why, err) != 0)
    return micro_plot_free(&plot), -1;
  *taken = stopped ? seen->accepted : 0;
  order_row(s, of, order, why);
  return study_plot(s, of->plot, &plot, err);
}

/* Whether the L1D can be cut to the small size. */
static bool has_small(const study_t *s) {
  const bench_limits_t *has = &s->on.limits;
  const uint32_t lines = small.kb * 1024 / BENCH_LINE;
  return has->l1d_lines >= lines && has->cut_lines && lines % has->cut_lines == 0;
}

/* ---- data that come while a slow load is awaited ---------------------------- */

/* The cycles of a load of `fast` behind a load of `slow`. */
static int behind(bench_t *b, uint64_t slow, uint64_t fast, uint64_t out, double *cycles,
                  mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH("behind", 1, 1, 10, slow, fast, out, BENCH_NEVER);
  if (bench_copy_in(b, fast, 256, err) != 0) return -1;
  uint32_t took;
  if (bench_must(b, &l, err) != 0 || bench_quickest(b, &l, out, 1, &took, err) != 0) return -1;
  *cycles = took;
  return 0;
}

static int find_data_order(study_t *s, mrpb_err_t *err) {
  enum { HOST = 4096 };
  bench_t b;
  uint64_t slow, fast;
  double alone = 0, after = 0;
  int rc = bench_make(&b, &s->on, "studies/release", TEXT_NONE,
                      BENCH_ARRAYS({&slow, HOST, BENCH_HOST}, {&fast, HOST, BENCH_DEVICE}), err);
  if (rc == 0) rc = behind(&b, fast + 2048, fast, fast + 1024, &alone, err);
  if (rc == 0) rc = behind(&b, slow, fast + 128, fast + 1024, &after, err);
  bench_close(&b);
  if (rc != 0) return rc;
  study_row(s, ROW_BEHIND_HIT, alone, (double)NAN, "clock reads included");
  study_row(s, ROW_BEHIND_SLOW, after, alone, "clock reads included");
  study_row_words(s, ROW_DATA_ORDER, after < 2 * alone ? "out of order" : "in order",
                  "out of order", NULL);
  return 0;
}

int study_release(study_t *s, mrpb_err_t *err) {
  s->from = "loads behind a slow one";
  if (!s->on.limits.host || bench_threads(&s->on.limits, ACCEPT_REGISTERS) < 32 * ACCEPT_WARPS) {
    study_not_measured(s, ROW_RELEASE,
                       "for a GPU with pinned host memory, and blocks of 1024 threads");
    return 0;
  }
  accepted_t seen;
  uint32_t taken = 0;
  int rc = compare(s, &entries, &taken, &seen, err);
  if (rc == 0 && has_small(s)) rc = compare(s, &small, &taken, &seen, err);
  return rc == 0 ? find_data_order(s, err) : rc;
}
