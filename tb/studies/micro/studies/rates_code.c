/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of straight code of growing length, and what they say about the instruction caches.
 * docs/micro/rates.md */
#include "studies/micro/studies/rates_code.h"

#include <math.h>

/* The same pace; a pace that some lines more than a cache holds have changed; another pace. */
static const double same = 1.05, near = 1.25;

enum { ROUNDS = 4, BLOCK_WARPS = 16 };

typedef struct {
  double pace[RATE_CODES]; /* of a warp alone: cycles of an instruction of each loop */
  double full;             /* of code that is fetched in time; NAN: not known */
  int longer;              /* the first loop above that pace; RATE_CODES: none */
  int next;                /* the first at the pace of the next cache; -1: not seen */
} code_found_t;

/* Adds a row for each loop; *found gets the cycles of a round of a warp alone. */
static void rows(study_t *s, rate_bench_t *b, code_found_t *found) {
  for (uint32_t warps = 1; warps <= BLOCK_WARPS; warps *= 4)
    for (unsigned c = 0; c < RATE_CODES; c++) {
      const rate_t how = RATE(.blocks = 1, .warps = warps, .rounds = ROUNDS, .step = 3);
      if (warps * WARP_LANES > bench_threads(&s->on.limits, RATE_REGS)) continue;
      const double rate = rate_run_code(b, c, &how);
      study_of(s, "%u|%u", rate_code(c), warps);
      study_row(s, ROW_CODE_LOOP, rate, (double)NAN, NULL);
      if (warps == 1) found->pace[c] = rate_code(c) / rate;
    }
}

/* A round has a time of its own, which loops of two lengths at full pace give. A short loop of the
 * same instructions, with that time, is no faster: the study has measured one before. */
static void find_full(study_t *s, code_found_t *found) {
  study_of(s, "%s|1", rate_name(RATE_F32));
  const micro_row_t *fast = study_find_row(s, ROW_RATE_WARPS);
  double least = (double)INFINITY;
  for (unsigned c = 1; c < RATE_CODES; c++)
    least = fmin(least, (found->pace[c] - found->pace[c - 1]) / (rate_code(c) - rate_code(c - 1)));
  found->full = fast && least * fast->deduced.number <= 1 ? least : (double)NAN;
  const double besides = found->pace[0] - rate_code(0) * least;
  for (unsigned c = 0; c < RATE_CODES; c++)
    found->pace[c] = (found->pace[c] - besides) / rate_code(c);
}

/* The first longer loop may be one that a cache nearly holds. Then it is not at the pace of the next
 * one, which that cache does not hold at all, but which the next cache may nearly hold. */
static void find_levels(code_found_t *found) {
  const double *pace = found->pace;
  int at = 0;
  while (at < RATE_CODES && pace[at] <= same * found->full) at++;
  found->longer = at;
  found->next = -1;
  if (at + 1 < RATE_CODES && pace[at + 1] <= same * pace[at])
    found->next = at;
  else if (at + 2 < RATE_CODES && pace[at + 2] <= near * pace[at + 1])
    found->next = at + 1;
}

/* ---- what is configured ------------------------------------------------------------ */

/* A level behind the instruction cache: the instructions that it holds, and the cycles of one. A
 * line is requested PREFETCH lines ahead, when the one before the present one has been fetched. */
typedef struct {
  double holds, pace;
} code_level_t;

static code_level_t level(const config_t *c, double bytes, uint32_t latency, double full) {
  const double line = (double)(1u << c->inst1_line) / c->inst_bytes;
  const double beyond = (double)latency - c->const1_latency;
  return (code_level_t){bytes / c->inst_bytes,
                        fmax(full, (beyond / line + full) / (c->prefetch + 1.0))};
}

/* The levels at different paces, the nearest first; returns how many. */
static unsigned configured(const config_t *c, double full, code_level_t l[3]) {
  const double one = (double)c->inst1_sets * c->inst1_ways * (1u << c->inst1_line);
  const double two = (double)c->const2_sets * c->const2_ways * (1u << c->const2_line);
  const code_level_t all[] = {{one / c->inst_bytes, full},
                              level(c, two, c->const2_latency, full),
                              level(c, (double)INFINITY, c->const_latency, full)};
  unsigned n = 0;
  if (c->inst1_sets == 0 || c->const3_sets || c->fetch_block != c->inst1_line) return 0;
  for (unsigned i = 0; i < 3; i++) {
    if (n && all[i].holds <= l[n - 1].holds) continue;
    if (n && all[i].pace <= same * l[n - 1].pace) n--;
    l[n++] = all[i];
  }
  return n;
}

/* ---- rows --------------------------------------------------------------------------- */

static micro_value_t more_than(int c, const code_found_t *f, double pace) {
  int last = c;
  while (last + 1 < RATE_CODES && f->pace[last + 1] <= same * pace) last++;
  const double least = rate_code((unsigned)last);
  return last + 1 < RATE_CODES ? micro_range(least, rate_code((unsigned)last + 1))
                               : micro_at_least(least);
}

static void holds_row(study_t *s, study_row_t id, micro_value_t found, const code_level_t *l,
                      const char *why) {
  const double holds = l && isfinite(l->holds) ? l->holds : (double)NAN;
  study_row_value(s, id, found, holds, why);
}

static void pace_row(study_t *s, study_row_t id, double pace, const code_level_t *l) {
  study_row_within(s, id, pace, l ? l->pace : (double)NAN, pace / 20, NULL);
}

static void deduce(study_t *s, const code_found_t *f) {
  code_level_t l[3];
  const unsigned n = configured(study_known(s), f->full, l);
  const study_row_t first = ROW_CODE_IN_TIME, second = ROW_CODE_AT_PACE;
  s->from = "loops of growing code";
  if (isnan(f->full) || f->longer == 0 || f->longer == RATE_CODES) {
    holds_row(s, first, micro_undecided(), n ? &l[0] : NULL,
              f->longer == RATE_CODES ? "code of any length runs equally fast"
                                      : "the shortest loop is not at full pace");
    return;
  }
  holds_row(s, first, more_than(f->longer - 1, f, f->full), n ? &l[0] : NULL, NULL);
  if (f->next < 0) {
    holds_row(s, second, micro_undecided(), n > 1 ? &l[1] : NULL, "no two loops at one pace");
    return;
  }
  const double pace = f->pace[f->next], last = f->pace[RATE_CODES - 1];
  pace_row(s, ROW_CODE_PACE, pace, n > 1 ? &l[1] : NULL);
  holds_row(s, second, more_than(f->next, f, pace), n > 1 ? &l[1] : NULL, NULL);
  if (last > near * pace) pace_row(s, ROW_CODE_LAST_PACE, last, n > 2 ? &l[2] : NULL);
}

void rates_code(study_t *s, rate_bench_t *b) {
  const char *from = s->from;
  code_found_t found = {.full = (double)NAN};
  rows(s, b, &found);
  find_full(s, &found);
  find_levels(&found);
  deduce(s, &found);
  s->from = from;
}
