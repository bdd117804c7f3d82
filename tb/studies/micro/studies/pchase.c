/* SPDX-License-Identifier: Apache-2.0 */
/* The fine-grained P-chase (paper 003, sections 3.2, 4.2, 4.3). It deduces a GPU's L1D, texture
 * L1, both TLBs and the window of the page table from the latency of every access.
 * docs/micro/pchase.md */
#include "studies/micro/deduce/cache.h"
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/studies/pchase_rows.h"
#include "studies/micro/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SKEW = 128,
  LEAST_PAGE = 4096 /* of any GPU */,
  UNSEEN_PAGE = 131072,
  RATE_ACCESSES = 250000,
  BUDGET = 8000000
};
/* If a GPU's sets are hashed, a walk word by word would take minutes. */
enum { SECTOR = 32, LIVE_BUDGET = 200000000 };
#define L1D_REACH (UINT64_C(1) << 20)
#define TEX_REACH (UINT64_C(1) << 18) /* less than any L2 */

typedef struct {
  study_t *s;
  uint64_t page; /* as far as known */
  bool page_seen;
  uint32_t spread; /* spread of the lines of the DRAM: see pchase_page */
  pchase_gap_t of;
  const char *front_doubt; /* why the first TLB's rows are not decided */
  uint64_t front_lines;    /* entries of the first TLB; 0: not known */
} run_t;

/* ---- plots ----------------------------------------------------------------- */

typedef struct {
  double most, each;  /* shares of misses: the largest; with one line too many in each set */
  uint64_t missed[2]; /* lines that missed with one and with two lines too many */
} rate_t;

/* The paper's array of Figure 11 begins where the first line too many is in the largest set, and
 * the next ones are in all other sets in turn. Returns the first such place. */
static uint64_t first_of_round(const deduce_cache_t *d) {
  for (uint64_t k = 0; d->sets && k + d->sets <= d->n_set_of; k++) {
    uint32_t i = 0, same = 0;
    for (; i < d->sets && d->set_of[k + i] < d->sets; i++)
      for (uint32_t j = 0; j < i; j++) same |= d->set_of[k + i] == d->set_of[k + j];
    if (i < d->sets || same) continue;
    for (i = 1; i < d->sets && d->ways[d->set_of[k + i]] < d->ways[d->set_of[k]];) i++;
    if (i == d->sets) return k;
  }
  return 0;
}

/* The file is named after the cache. */
static void plot_of(const study_t *s, const pchase_known_t *k, const char *what,
                    micro_plot_t *plot) {
  char file[64];
  snprintf(file, sizeof file, "pchase-%s-%s", k->name, what);
  for (char *p = file; *p; p++)
    if (*p == ' ') *p = '-';
  study_plot(s, file, plot);
}

/* Figures 9 and 11: the share of misses in a walk over more and more lines than fit. */
static rate_t plot_rate(const study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                        const chase_cfg_t *probe, uint64_t extra, double unit) {
  chase_cfg_t cfg = *probe;
  micro_plot_t plot =
      study_new_plot(s, unit > 1024 ? "size of the array [MB]" : "size of the array [KB]",
                     "misses [%]", "%s, misses of a walk over an array", k->name);
  size_t passes = d->policy == DEDUCE_CACHE_OTHER ? 16 : 2;
  uint64_t points = RATE_ACCESSES / (d->lines * (2 * passes + 2)), missed = 0;
  points = points < 8 ? 8 : points > 64 ? 64 : points;
  uint64_t step = extra > points ? (extra + points - 1) / points : 1;
  double rate = 0;
  rate_t seen = {0};
  cfg.base += first_of_round(d) * d->line;
  size_t series = micro_plot_series(&plot, "misses", MICRO_LINESPOINTS, false);
  for (uint64_t x = 0; study_ok(s) && x <= extra; x += step) {
    (void)deduce_cache_miss_rate(d, &cfg, x, passes, &rate, &missed, s->on.err);
    micro_series_add(&plot, series, (double)(d->capacity + x * d->line) / unit, 100 * rate);
    if (rate > seen.most) seen.most = rate;
    if (x == d->sets) seen.each = rate;
    if (x == 1 || x == 2) seen.missed[x - 1] = missed;
  }
  micro_plot_mark(&plot, "capacity", (double)d->capacity / unit, false, false);
  plot_of(s, k, "misses", &plot);
  return seen;
}

/* Plots the log of some passes over one line more than fits. */
static void plot_log(const study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                     pchase_bench_t *b, const chase_cfg_t *cfg) {
  enum { PASSES = 4, MOST = 1024 };
  size_t n = (size_t)(d->capacity / d->line) + 1, logged = PASSES * n < MOST ? PASSES * n : MOST;
  micro_plot_t plot =
      study_new_plot(s, "access", "latency [cycles]",
                     "%s, log of %zu accesses to %zu lines, one too many", k->name, logged, n);
  size_t series = micro_plot_series(&plot, "latency", MICRO_POINTS, false);
  uint32_t *latency = pchase_places(b, cfg->base, d->line, cfg->skew, n, 2 * n, logged);
  for (size_t i = 0; latency && i < logged; i++)
    micro_series_add(&plot, series, (double)i, latency[i]);
  free(latency);
  plot_of(s, k, "log", &plot);
}

/* ---- one cache ------------------------------------------------------------- */

/* On a GPU with varying latencies the result must be found twice. Returns whether the study may go
 * on with it; if it was not found at all, a row says why. */
static bool look(const run_t *r, const chase_cfg_t *cfg, const pchase_known_t *k, deduce_cache_t *d,
                 const char **doubt) {
  mrpb_err_t why = {""};
  deduce_cache_t again;
  if (!study_ok(r->s)) return false;
  if (deduce_cache(d, cfg, &why) != 0) {
    pchase_row_of_failure(r->s, k, why.text);
    return false;
  }
  *doubt = d->found ? deduce_cache_doubt(d) : NULL;
  if (!d->found && d->miss) *doubt = "misses were seen, but nothing that always hits";
  bool odd = d->policy == DEDUCE_CACHE_OTHER || d->policy == DEDUCE_CACHE_UNKNOWN;
  if (d->found && !*doubt && odd && (cfg->skew || r->of.jitter))
    *doubt = "irregular misses: perhaps more than one cache";
  if (r->of.jitter == 0 || *doubt) return true;
  if (deduce_cache(&again, cfg, &why) != 0 || !deduce_cache_same(d, &again))
    *doubt = "the second result differs: latencies vary";
  if (!why.text[0]) deduce_cache_free(&again);
  return true;
}

static void end(const study_t *s, const pchase_known_t *k, deduce_cache_t *d) {
  fprintf(s->out, "%s: %" PRIu64 " accesses\n", k->name, d->accesses);
  deduce_cache_free(d);
}

/* ---- data caches ----------------------------------------------------------- */

static void deduce_l1d(run_t *r, pchase_bench_t *b, const pchase_known_t *k) {
  study_t *s = r->s;
  deduce_cache_t d;
  const char *doubt;
  const bool noisy = s->on.limits.noisy;
  const chase_cfg_t cfg = {pchase_walk,
                           b,
                           b->base,
                           L1D_REACH,
                           noisy ? SECTOR : b->word,
                           .word = b->word,
                           .gap = r->of.gap,
                           .budget = noisy ? LIVE_BUDGET : BUDGET};
  if (!look(r, &cfg, k, &d, &doubt)) return;
  if (!d.found && !doubt) {
    pchase_row_of_none(s, k, L1D_REACH);
    return;
  }
  study_of(s, "%s", k->name);
  study_row_unless(s, d.found ? NULL : doubt, ROW_CHASE_HIT, study_cycles(s, d.hit),
                   study_l1d_hit(s), NULL);
  pchase_rows_of_cache(s, k, &d, doubt);
  if (doubt) {
    deduce_cache_free(&d);
    return;
  }
  const uint64_t room = L1D_REACH / d.line - d.lines - first_of_round(&d), half = (d.lines + 1) / 2;
  const rate_t seen = plot_rate(s, k, &d, &cfg, half < room ? half : room, 1024);
  if (seen.each > 0) study_row(s, ROW_CHASE_EACH, 100 * seen.each, NAN, NULL);
  study_row(s, ROW_CHASE_MOST, 100 * seen.most, NAN, NULL);
  plot_log(s, k, &d, b, &cfg);
  end(s, k, &d);
}

/* The L1D under the name of what reads it. */
static pchase_known_t known_l1d(const config_t *c, const char *name) {
  return (pchase_known_t){.name = name,
                          .sets = c->l1d_sets,
                          .ways = c->l1d_ways,
                          .replacement = c->l1d_replacement,
                          .line = 128,
                          .sector = c->sectors ? 32 : 128,
                          .numbers = true,
                          .bits = (uint64_t)(c->l1d_sets - 1) * 128};
}

static void find_l1d(run_t *r) {
  const config_t *c = study_known(r->s);
  const uint32_t behind = c->l2_total_sets ? c->l2_latency : c->dram_load_latency;
  pchase_known_t k = known_l1d(c, "L1D");
  k.unseen = c->l1d_latency + r->of.gap >= behind;
  if (!pchase_l1d(&r->s->on)) {
    pchase_row_of_none(r->s, &k, L1D_REACH);
    return;
  }
  pchase_bench_t b;
  pchase_open(&b, &r->s->on, PCHASE_GLOBAL);
  deduce_l1d(r, &b, &k);
  bench_close(&b.bench);
}

static void deduce_texture(run_t *r, pchase_bench_t *b, const pchase_known_t *k) {
  study_t *s = r->s;
  deduce_cache_t d;
  const char *doubt;
  const chase_cfg_t cfg = {pchase_walk,     b, b->base, TEX_REACH, b->word, .word = b->word,
                           .gap = r->of.gap};
  if (!look(r, &cfg, k, &d, &doubt)) return;
  if (!d.found && !doubt) {
    pchase_row_of_none(s, k, TEX_REACH);
    return;
  }
  if (d.found && !doubt && d.line >= LEAST_PAGE) {
    pchase_row_of_failure(s, k, "its lines are pages: a TLB's, with or without a cache");
    deduce_cache_free(&d);
    return;
  }
  const bool waits = pchase_port(&s->on, PCHASE_TEXTURE, r->of.gap);
  study_of(s, "%s", k->name);
  study_row_unless(s, doubt, ROW_CHASE_HIT, study_cycles(s, d.hit), study_texture_hit(s), NULL);
  const char *why = doubt ? doubt : waits ? "each waits for the previous reply" : NULL;
  study_row_unless(s, why, ROW_CHASE_MISS, study_cycles(s, d.miss), study_texture_miss(s), NULL);
  pchase_rows_of_cache(s, k, &d, doubt);
  end(s, k, &d);
}

static void find_texture(run_t *r) {
  const config_t *c = study_known(r->s);
  pchase_known_t k = {.name = "texture L1",
                      .sets = c->tex_sets,
                      .ways = c->tex_ways,
                      .replacement = c->tex_replacement,
                      .line = 32,
                      .sector = 32,
                      .numbers = true,
                      .bits = ((uint64_t)(c->tex_sets - 1) * 32) << c->tex_shift};
  if (c->tex_l1d) k = known_l1d(c, k.name);
  k.unseen = study_texture_miss(r->s) <= study_texture_hit(r->s) + r->of.gap;
  pchase_bench_t b;
  pchase_open(&b, &r->s->on, PCHASE_TEXTURE);
  deduce_texture(r, &b, &k);
  bench_close(&b.bench);
}

/* ---- translation ----------------------------------------------------------- */

/* A row for a TLB of which nothing was found. A second one may be hidden behind the first. */
static void row_of_no_tlb(run_t *r, pchase_bench_t *b, unsigned level, const pchase_known_t *k,
                          const char *why) {
  if (!why && level && pchase_hidden(b, r->page, r->front_lines, r->of.gap))
    why = "misses of more pages take longer: one that holds hardly more";
  if (why)
    pchase_row_of_failure(r->s, k, why);
  else
    pchase_row_of_none(r->s, k, b->limit);
}

static void deduce_tlb(run_t *r, pchase_bench_t *b, unsigned level, const pchase_known_t *k) {
  study_t *s = r->s;
  deduce_cache_t d;
  const char *doubt;
  const chase_cfg_t cfg = {pchase_walk, b,       b->base, b->limit,        r->page / 2,
                           SKEW,        b->word, level,   .gap = r->of.gap};
  if (!look(r, &cfg, k, &d, &doubt)) return;
  if (d.found && !doubt && !r->page_seen && d.line <= cfg.step)
    doubt = "no read costs a walk: its pages may be smaller than the steps";
  if (level && d.found && !doubt) doubt = r->front_doubt;
  if (!level) r->front_doubt = doubt || !d.found ? "the TLB in front is not known" : NULL;
  const char *why = level && r->front_doubt ? r->front_doubt
                    : r->of.jitter          ? "no miss stands out: latencies vary"
                                            : NULL;
  if (!d.found && (!doubt || (level && r->front_doubt))) {
    row_of_no_tlb(r, b, level, k, why);
    return;
  }
  if (!level) r->front_lines = doubt ? 0 : d.lines;
  pchase_rows_of_cache(s, k, &d, doubt);
  if (doubt) {
    deduce_cache_free(&d);
    return;
  }
  uint64_t room = b->limit / d.line - d.lines - first_of_round(&d), extra = d.lines / 4;
  if (extra < 10) extra = 10;
  if (extra > room) extra = room;
  const rate_t seen = plot_rate(s, k, &d, &cfg, extra, 1024 * 1024);
  if (level && seen.missed[0]) {
    study_row(s, ROW_CHASE_MISSED, (double)seen.missed[0],
              study_if(d.policy == DEDUCE_CACHE_LRU, k->ways + k->extra + 1.0), NULL);
    study_row(s, ROW_CHASE_MISSED_MORE, (double)(seen.missed[1] - seen.missed[0]), NAN, NULL);
  }
  if (level) plot_log(s, k, &d, b, &cfg);
  end(s, k, &d);
}

static void find_tlbs(run_t *r) {
  const config_t *c = study_known(r->s);
  uint64_t page = UINT64_C(1) << c->page;
  const bool unseen = c->tlb1_miss <= r->of.gap; /* then the second TLB is the first one seen */
  const pchase_known_t second = {.name = "L2 TLB",
                                 .sets = c->tlb2_sets,
                                 .ways = c->tlb2_ways,
                                 .extra = c->tlb2_extra,
                                 .replacement = c->tlb2_replacement,
                                 .line = page};
  pchase_known_t one = second, two = second;
  if (!unseen) one.sets = c->tlb1_sets, one.ways = c->tlb1_ways, one.extra = 0;
  if (!unseen) one.replacement = c->tlb1_replacement;
  one.name = "L1 TLB";
  two.front = one.sets * one.ways;
  two.unseen = unseen || c->walk_l2 <= r->of.gap;
  pchase_bench_t b;
  const pchase_page_t found = pchase_page(&r->s->on);
  const double kb = (double)found.page / 1024;
  r->spread = found.spread;
  r->page_seen = found.page != 0;
  r->page = found.page ? found.page : UNSEEN_PAGE;
  study_row_unless(r->s, found.page ? NULL : "no read costs a walk", ROW_PAGE,
                   found.page <= LEAST_PAGE ? micro_at_most(kb) : micro_number(kb),
                   study_if(c->tlb1_sets, (double)page / 1024), NULL);
  pchase_open(&b, &r->s->on, PCHASE_CG);
  deduce_tlb(r, &b, 0, &one);
  deduce_tlb(r, &b, 1, &two);
  pchase_rows_agree(r->s);
  bench_close(&b.bench);
}

#define MB 1048576.0
#define READ_MB UINT64_C(960)

/* Reads `apart` cannot show windows smaller than that distance. */
static void row_of_no_window(const run_t *r, bool one, uint64_t apart) {
  char note[64];
  snprintf(note, sizeof note, "none of %" PRIu64 " KB to %" PRIu64 " MB", 2 * apart >> 10, READ_MB);
  study_row_words_unless(r->s, r->page_seen ? NULL : "no read costs a walk", ROW_WINDOW, "none",
                         one ? "one" : "none", note);
}

/* The possible window sizes, powers of two: windows begin at addresses with these `bits`, and
 * `times` times from the first read to the last. */
static micro_value_t windows(uint64_t bits, uint64_t times, uint64_t first, uint64_t last) {
  uint64_t from = 0, to = 0;
  for (uint64_t size = bits & -bits; size; size /= 2) {
    if (last / size - first / size != times) continue;
    if (!to) to = size;
    from = size;
  }
  return to ? micro_range((double)from / MB, (double)to / MB) : micro_undecided();
}

/* The least and the most latency of some reads. */
typedef struct {
  uint32_t low, high;
} ends_t;

static void widen(ends_t *e, uint32_t latency) {
  if (latency < e->low) e->low = latency;
  if (latency > e->high) e->high = latency;
}

/* How much longer a read in another window takes than the others. If lines are at different
 * distances, both kinds of reads spread over that range. */
static micro_value_t window_cost(const run_t *r, const ends_t *others, const ends_t *windows) {
  const double least = (double)windows->low - others->low, spread = r->spread;
  if (r->spread <= r->of.gap) return micro_number(least + (windows->high - windows->low) / 2.0);
  return micro_range((double)windows->high - others->low - spread,
                     (double)windows->low - others->high + spread);
}

static void row_of_window(const run_t *r, uint64_t base, const uint32_t *latency, size_t n,
                          uint64_t apart) {
  study_t *s = r->s;
  const config_t *c = study_known(s);
  const uint64_t size = c->window ? UINT64_C(1) << c->window : 0;
  const uint32_t spread = r->spread + r->of.gap;
  const bool one = size > apart && size <= READ_MB << 20 && c->tlb1_sets && c->window_miss > spread;
  uint64_t bits = 0, reads = 0;
  uint32_t least = UINT32_MAX;
  ends_t others = {UINT32_MAX, 0}, far = others;
  for (size_t i = 1; i < n; i++)
    if (latency[i] < least) least = latency[i];
  for (size_t i = 1; i < n; i++) {
    bool is_far = latency[i] > least + spread;
    widen(is_far ? &far : &others, latency[i]);
    if (is_far) bits |= pchase_place(base, apart, SKEW, i) / apart * apart;
    reads += is_far;
  }
  const char *why = r->of.jitter    ? "latencies vary"
                    : !r->page_seen ? "the page is not known"
                                    : NULL;
  if (!r->of.jitter && !reads) {
    row_of_no_window(r, one, apart);
    return;
  }
  const uint64_t last = pchase_place(base, apart, SKEW, n - 1);
  study_row_unless(s, why, ROW_WINDOW, windows(bits, reads, base, last),
                   study_if(one, (double)size / MB), NULL);
  if (!why)
    study_row_value(s, ROW_WINDOW_COST, window_cost(r, &others, &far), c->window_miss,
                    "added to a walk");
}

/* First reads of pages whose entries do not share a line of the page table all cost the same,
 * except those that make another part of the table active. These lie at multiples of that part's
 * size. */
static void find_window(run_t *r) {
  pchase_bench_t b;
  uint64_t apart = 4 * r->page;
  pchase_open(&b, &r->s->on, PCHASE_CG);
  const size_t n = (size_t)(b.limit / apart);
  uint32_t *latency = pchase_places(&b, b.base, apart, SKEW, n, 0, n);
  if (latency) row_of_window(r, b.base, latency, n, apart);
  free(latency);
  bench_close(&b.bench);
}

/* ---- all ------------------------------------------------------------------- */

static void instrument(study_t *s) {
  pchase_bench_t b;
  pchase_open(&b, &s->on, PCHASE_GLOBAL);
  if (study_ok(s))
    fprintf(s->out,
            "instrument: a word read again takes %u cycles; two clock reads and a store take %u, "
            "subtracted\n",
            b.hit, b.overhead);
  bench_close(&b.bench);
}

void study_pchase(study_t *s) {
  run_t r = {.s = s};
  s->from = "hits and misses of single reads";
  if (!study_has_shared(s, PCHASE_NEEDS)) return;
  r.of = pchase_gap(&s->on);
  instrument(s);
  find_l1d(&r);
  if (s->on.limits.noisy) {
    study_of(s, "texture L1, TLBs, page table");
    study_not_measured(s, ROW_NOT_MEASURED, "L2 latencies spread more than their misses add");
    return;
  }
  if (s->on.limits.texture) find_texture(&r);
  find_tlbs(&r);
  find_window(&r);
}
