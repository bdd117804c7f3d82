/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 request coalescer: loads of one line, more than the L2 answers, show how many requests
 * become one; walks round more and more lines, how many it watches. docs/micro/lrc.md */
#include "studies/micro/study.h"

#include <math.h>

enum {
  LOADS = 36,
  WARPS = 8,
  TURNING = 2,
  THREADS = WARPS * WARP_LANES,
  REGS = 62,
  ROUNDS = 1,
  NOISY_ROUNDS = 8
};
enum { SECTOR = 32, SECTORS = BENCH_LINE / SECTOR, PAIR = 2, STEP = PAIR * WARPS };
enum { MANY_SMS = 32, MANY_CLUSTERS = 8, FAR_LINES = 1536 /* more than are watched */ };

/* Costs that differ by less are of one limit; by more, of two. */
static const double same = 1.05, slower = 1.15;
static const double exact = 0.02; /* of the quotient of two costs */
/* SMs come to a line of another within this part of a load's time, or else data may arrive in
 * between. They drift together: where all loads merge, this part of the lines is surely watched. */
static const double soon = 0.25, drift = 0.5;

/* A load reads all sectors of its line but one. */
typedef struct {
  uint32_t line, lacks;
} load_t;

typedef uint32_t place_t[PAIR]; /* bytes; BENCH_NEVER: the thread does not load */

typedef struct {
  study_t *s;
  bench_t bench;
  uint64_t in, place, out, bytes;
  uint32_t sms, walk;       /* lines; 0: the loads stand */
  uint32_t warps, of_block; /* that load: in all, and in each block with such warps */
} lrc_t;

static place_t *place_of(const lrc_t *l, uint32_t block, uint32_t warp) {
  place_t *all = bench_at(&l->bench, l->place, l->bytes);
  return all ? all + block * THREADS + warp * WARP_LANES : NULL;
}

static void begin(lrc_t *l, uint32_t of_block, uint32_t walk) {
  place_t *place = place_of(l, 0, 0);
  for (uint32_t t = 0; place && t < l->sms * THREADS; t++) place[t][0] = BENCH_NEVER;
  l->warps = 0, l->of_block = of_block, l->walk = walk;
}

static void add_warp(lrc_t *l, uint32_t block, uint32_t warp, load_t first, load_t second) {
  place_t *place = place_of(l, block, warp);
  const load_t load[PAIR] = {first, second};
  for (uint32_t i = 0; place && i < PAIR * WARP_LANES; i++) {
    const load_t *of = &load[i % PAIR];
    const uint32_t sector = (of->lacks + 1 + i / PAIR % (SECTORS - 1)) % SECTORS;
    place[i / PAIR][i % PAIR] = of->line * BENCH_LINE + sector * SECTOR;
  }
  l->warps++;
}

static void add_block(lrc_t *l, uint32_t block, load_t load) {
  for (uint32_t w = 0; w < WARPS; w++) add_warp(l, block, w, load, load);
}

/* Cycles until the last block ends. */
static double launch(lrc_t *l, uint32_t rounds) {
  const bench_launch_t launch =
      BENCH_LAUNCH(l->walk ? "walk" : "stand", l->sms, THREADS, REGS, l->in, l->place, l->out,
                   rounds, BENCH_NEVER, STEP * BENCH_LINE, l->walk * BENCH_LINE);
  double longest = 0;
  bench_must(&l->bench, &launch);
  const bool there = bench_get(&l->bench, l->out, l->bytes);
  for (uint32_t i = 0; there && i < l->sms; i++)
    if (place_of(l, i, 0)[0][0] != BENCH_NEVER)
      longest = fmax(longest, bench_span_of(&l->bench, l->out + i * (l->bytes / l->sms),
                                            l->of_block * WARP_LANES));
  return longest;
}

/* Cycles of a load, without start and end of a launch. */
static double cost(lrc_t *l) {
  const uint32_t rounds = l->s->on.limits.repeats > 1 ? NOISY_ROUNDS : ROUNDS;
  double few = INFINITY, many = INFINITY;
  bench_written(&l->bench, l->place, l->bytes);
  (void)launch(l, rounds); /* fills the caches */
  for (unsigned i = 0; i < l->s->on.limits.repeats; i++) {
    few = fmin(few, launch(l, rounds));
    many = fmin(many, launch(l, 2 * rounds));
  }
  return (many - few) / (rounds * LOADS * (double)l->warps);
}

/* Loads of the same sectors by so many SMs. */
static double cost_together(lrc_t *l, uint32_t sms) {
  begin(l, WARPS, 0);
  for (uint32_t i = 0; i < sms; i++) add_block(l, i, (load_t){.line = 0});
  return cost(l);
}

/* Loads that never merge, because each lacks a sector of the one before: by one SM of a cluster. */
static double cost_apart(lrc_t *l, uint32_t clusters) {
  begin(l, TURNING, 0);
  for (uint32_t i = 0; i < l->sms && clusters; i++) {
    if (bench_sm(&l->s->on.limits, i) % l->s->on.limits.cluster) continue;
    for (uint32_t w = 0; w < TURNING; w++)
      add_warp(l, i, w, (load_t){.lacks = 2 * w}, (load_t){.lacks = 2 * w + 1});
    clusters--;
  }
  return cost(l);
}

/* A load of a warp that is alone. */
static double cycles_of_load(lrc_t *l) {
  begin(l, 1, 0);
  add_warp(l, 0, 0, (load_t){.line = 0}, (load_t){.line = 0});
  return cost(l) * (double)LOADS;
}

/* All SMs walk round the same lines; those of a cluster are evenly apart. */
static double cost_walking(lrc_t *l, uint32_t lines) {
  const bench_limits_t *has = &l->s->on.limits;
  begin(l, WARPS, lines);
  for (uint32_t i = 0; i < l->sms; i++)
    for (uint32_t w = 0; w < WARPS; w++) {
      const uint32_t at = bench_sm(has, i) % has->cluster * lines / has->cluster + PAIR * w;
      add_warp(l, i, w, (load_t){.line = at % lines}, (load_t){.line = (at + 1) % lines});
    }
  return cost(l);
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Loads of block 0, which lack another sector than those of `other`; half of them, if it is 0. */
static double cost_between(lrc_t *l, uint32_t other) {
  begin(l, WARPS, 0);
  for (uint32_t w = 0; w < WARPS; w++) {
    const load_t load = {.lacks = other == 0 && w % 2};
    add_warp(l, 0, w, load, load);
  }
  if (other) add_block(l, other, (load_t){.lacks = 1});
  return cost(l);
}

/* The first SM and those whose loads keep its own from merging, as its own do; 0: it does not
 * show. */
static uint32_t count_sharing(lrc_t *l) {
  const double merged = cost_together(l, PAIR), kept = cost_between(l, 0);
  uint32_t n = 1;
  if (kept < slower * merged) return 0;
  for (uint32_t i = 1; i < l->sms; i++) n += cost_between(l, i) > (merged + kept) / 2;
  return n;
}

/* Once the lines are more than those watched, an SM finds those of the next one forgotten. A few
 * lines may take longer because two of them are in one slice. */
static micro_value_t find_lines(lrc_t *l) {
  static const uint32_t walks[] = {STEP, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  const double load = cycles_of_load(l), forgotten = cost_walking(l, FAR_LINES);
  double least = INFINITY, watched = 0, beyond = INFINITY;
  for (unsigned i = 0; i < sizeof walks / sizeof *walks; i++) {
    const double now = cost_walking(l, walks[i]);
    least = fmin(least, now);
    if (forgotten > slower * least && now < same * least) watched = walks[i];
    if (now < (least + forgotten) / 2)
      beyond = INFINITY;
    else if (isinf(beyond))
      beyond = walks[i] - 1;
    if (now * l->sms * walks[i] / l->s->on.limits.cluster > soon * load) break;
  }
  return watched > 0 ? micro_range(ceil(drift * watched), beyond) : micro_undecided();
}

/* `apart` and `all`: cycles of a load that cannot merge and of one that can; `limited`: whether the
 * L2 is their limit. */
static micro_value_t find_merges(double apart, bool apart_limited, double all, bool all_limited) {
  const double least = ceil(apart / all * (1 - exact)), most = floor(apart / all * (1 + exact));
  if (apart_limited && all_limited) return micro_range(least, most);
  if (apart_limited) return micro_at_least(least);
  return all_limited ? micro_at_most(most) : micro_undecided();
}

static void add_rows(lrc_t *l, micro_value_t merges, uint32_t sharing) {
  study_t *s = l->s;
  const config_t *c = study_known(s);
  const bool noisy = s->on.limits.repeats > 1; /* launches in which late SMs missed each other */
  const micro_value_t sms = noisy ? micro_at_least(sharing) : micro_number(sharing);
  study_row_words(s, ROW_LRC, "merges", c->lrc > 1 ? "merges" : "not visible", NULL);
  study_row_value(s, ROW_LRC_MERGES, merges, c->lrc,
                  merges.kind == MICRO_NUMBER ? NULL : "the SMs, or the clusters, ask for no more");
  s->from = "two SMs, sectors that the other lacks";
  study_row_unless(s, sharing ? NULL : "sectors that the other lacks make no difference",
                   ROW_LRC_SMS, sms, fmin(c->cluster, l->sms), NULL);
  s->from = "all SMs walk round more and more lines";
  study_row_value(s, ROW_LRC_LINES, find_lines(l), (double)NAN, NULL);
}

/* Only where the L2 is the limit does the cost of a load show whether loads merge. */
static void deduce(lrc_t *l) {
  const uint32_t n = bench_clusters(&l->s->on.limits), sms = l->sms < MANY_SMS ? l->sms : MANY_SMS;
  const uint32_t clusters = n < MANY_CLUSTERS ? n : MANY_CLUSTERS;
  const double apart = cost_apart(l, clusters), fewer = cost_apart(l, (clusters + 1) / 2);
  const double all = cost_together(l, sms), half = cost_together(l, (sms + 1) / 2);
  const bool apart_limited = clusters > 1 && fewer < same * apart;
  const bool all_limited = sms > 1 && half < same * all;
  const bool slow = apart_limited && apart < slower * all;
  const uint32_t sharing = slow || !(apart_limited || all_limited) ? 1 : count_sharing(l);
  l->s->from = "loads of one line by many SMs";
  if (sharing > 1 || (apart_limited && apart > slower * all))
    add_rows(l, find_merges(apart, apart_limited, all, all_limited), sharing);
  else if (apart_limited)
    study_row_words(l->s, ROW_LRC, "not visible",
                    study_known(l->s)->lrc > 1 ? "merges" : "not visible",
                    "as slow as loads that cannot merge");
  else
    study_row_words(l->s, ROW_LRC, "not visible", NULL, "the SMs do not fill a slice of the L2");
}

void study_lrc(study_t *s) {
  lrc_t l = {.s = s, .sms = s->on.limits.sms};
  l.bytes = l.sms * (uint64_t)THREADS * sizeof(place_t);
  if (!study_can(s, bench_threads(&s->on.limits, REGS) >= THREADS, ROW_LRC,
                 "for a GPU with blocks of 256 threads"))
    return;
  bench_make(&l.bench, &s->on, "studies/lrc",
             TEXT_VALUES(TEXT_NUMBER("threads", THREADS), TEXT_NUMBER("loads", LOADS)),
             BENCH_ARRAYS({&l.in, FAR_LINES * BENCH_LINE, BENCH_DEVICE},
                          {&l.place, l.bytes, BENCH_DEVICE}, {&l.out, l.bytes, BENCH_DEVICE}));
  deduce(&l);
  bench_close(&l.bench);
}
