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
  uint32_t spread;         /* spread of the lines of the DRAM: see pchase_page */
  uint32_t gap, jitter;    /* see pchase_gap */
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

/* Figures 9 and 11: the share of misses in a walk over more and more lines than fit. */
static int plot_rate(const study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                     const chase_cfg_t *probe, uint64_t extra, double unit, rate_t *seen,
                     mrpb_err_t *err) {
  chase_cfg_t cfg = *probe;
  micro_plot_t plot = {.ylabel = "misses [%]"};
  char file[64];
  size_t passes = d->policy == DEDUCE_CACHE_OTHER ? 16 : 2;
  uint64_t points = RATE_ACCESSES / (d->lines * (2 * passes + 2)), missed;
  points = points < 8 ? 8 : points > 64 ? 64 : points;
  uint64_t step = extra > points ? (extra + points - 1) / points : 1;
  double rate;
  int rc = 0;
  *seen = (rate_t){0};
  cfg.base += first_of_round(d) * d->line;
  snprintf(plot.title, sizeof plot.title, "%s: %s, misses of a walk over an array", s->gpu,
           k->name);
  snprintf(plot.xlabel, sizeof plot.xlabel, "size of the array [%s]", unit > 1024 ? "MB" : "KB");
  size_t series = micro_plot_series(&plot, "misses", MICRO_LINESPOINTS, false);
  for (uint64_t x = 0; rc == 0 && x <= extra; x += step) {
    rc = deduce_cache_miss_rate(d, &cfg, x, passes, &rate, &missed, err);
    micro_series_add(&plot, series, (double)(d->capacity + x * d->line) / unit, 100 * rate);
    if (rate > seen->most) seen->most = rate;
    if (x == d->sets) seen->each = rate;
    if (x == 1 || x == 2) seen->missed[x - 1] = missed;
  }
  snprintf(file, sizeof file, "pchase-%s-misses", k->name);
  for (char *p = file; *p; p++)
    if (*p == ' ') *p = '-';
  micro_plot_mark(&plot, "capacity", (double)d->capacity / unit, false, false);
  if (rc != 0) {
    micro_plot_free(&plot);
    return -1;
  }
  return study_plot(s, file, &plot, err);
}

/* Plots the log of some passes over one line more than fits. */
static int plot_log(const study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                    pchase_bench_t *b, const chase_cfg_t *cfg, mrpb_err_t *err) {
  micro_plot_t plot = {.xlabel = "access", .ylabel = "latency [cycles]"};
  char file[64];
  enum { PASSES = 4, MOST = 1024 };
  size_t n = (size_t)(d->capacity / d->line) + 1, logged = PASSES * n < MOST ? PASSES * n : MOST;
  uint64_t *addr = calloc(n, sizeof *addr);
  uint32_t *latency = calloc(logged, sizeof *latency);
  int rc = addr && latency ? 0 : mrpb_fail(err, "micro: out of memory");
  for (size_t i = 0; rc == 0 && i < n; i++)
    addr[i] = cfg->base + i * d->line + i * cfg->skew % d->line;
  if (rc == 0) rc = pchase_walk(b, addr, n, 2 * n, logged, latency, err);
  snprintf(plot.title, sizeof plot.title, "%s: %s, log of %zu accesses to %zu lines, one too many",
           s->gpu, k->name, logged, n);
  size_t series = micro_plot_series(&plot, "latency", MICRO_POINTS, false);
  for (size_t i = 0; rc == 0 && i < logged; i++)
    micro_series_add(&plot, series, (double)i, latency[i]);
  free(addr);
  free(latency);
  snprintf(file, sizeof file, "pchase-%s-log", k->name);
  for (char *p = file; *p; p++)
    if (*p == ' ') *p = '-';
  if (rc == 0) return study_plot(s, file, &plot, err);
  micro_plot_free(&plot);
  return -1;
}

/* ---- one cache ------------------------------------------------------------- */

/* On a GPU with varying latencies the result must be found twice. Returns 1 if it was not found at
 * all; a row then says why. */
static int look(const run_t *r, const chase_cfg_t *cfg, const pchase_known_t *k, deduce_cache_t *d,
                const char **doubt) {
  mrpb_err_t why = {""};
  deduce_cache_t again;
  if (deduce_cache(d, cfg, &why) != 0) {
    pchase_row_of_failure(r->s, k, why.text);
    return 1;
  }
  *doubt = d->found ? deduce_cache_doubt(d) : NULL;
  if (!d->found && d->miss) *doubt = "misses were seen, but nothing that always hits";
  bool odd = d->policy == DEDUCE_CACHE_OTHER || d->policy == DEDUCE_CACHE_UNKNOWN;
  if (d->found && !*doubt && odd && (cfg->skew || r->jitter))
    *doubt = "irregular misses: perhaps more than one cache";
  if (r->jitter == 0 || *doubt) return 0;
  if (deduce_cache(&again, cfg, &why) != 0 || !deduce_cache_same(d, &again))
    *doubt = "the second result differs: latencies vary";
  if (!why.text[0]) deduce_cache_free(&again);
  return 0;
}

/* ---- data caches ----------------------------------------------------------- */

static int deduce_l1d(run_t *r, pchase_bench_t *b, const pchase_known_t *k, mrpb_err_t *err) {
  study_t *s = r->s;
  deduce_cache_t d;
  const char *doubt;
  rate_t seen;
  chase_cfg_t cfg = {.chase = pchase_walk,
                     .ctx = b,
                     .base = b->base,
                     .limit = L1D_REACH,
                     .step = s->on.limits.noisy ? SECTOR : b->word,
                     .word = b->word,
                     .gap = r->gap,
                     .budget = s->on.limits.noisy ? LIVE_BUDGET : BUDGET};
  if (look(r, &cfg, k, &d, &doubt) != 0) return 0;
  if (!d.found && !doubt) return pchase_row_of_none(s, k, L1D_REACH), 0;
  study_of(s, "%s", k->name);
  study_row_unless(s, d.found ? NULL : doubt, ROW_CHASE_HIT, study_cycles(s, d.hit),
                   study_l1d_hit(s), NULL);
  int rc = pchase_rows_of_cache(s, k, &d, doubt, err);
  if (doubt) return deduce_cache_free(&d), rc;
  const uint64_t room = L1D_REACH / d.line - d.lines - first_of_round(&d), half = (d.lines + 1) / 2;
  if (rc == 0) rc = plot_rate(s, k, &d, &cfg, half < room ? half : room, 1024, &seen, err);
  if (rc == 0 && seen.each > 0) study_row(s, ROW_CHASE_EACH, 100 * seen.each, NAN, NULL);
  if (rc == 0) study_row(s, ROW_CHASE_MOST, 100 * seen.most, NAN, NULL);
  if (rc == 0) rc = plot_log(s, k, &d, b, &cfg, err);
  fprintf(s->out, "%s: %" PRIu64 " accesses\n", k->name, d.accesses);
  deduce_cache_free(&d);
  return rc;
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

static int find_l1d(run_t *r, mrpb_err_t *err) {
  const config_t *c = study_known(r->s);
  const uint32_t behind = c->l2_total_sets ? c->l2_latency : c->dram_load_latency;
  pchase_known_t k = known_l1d(c, "L1D");
  k.unseen = c->l1d_latency + r->gap >= behind;
  bool there;
  if (pchase_l1d(&r->s->on, &there, err) != 0) return -1;
  if (!there) return pchase_row_of_none(r->s, &k, L1D_REACH), 0;
  pchase_bench_t b;
  int rc = pchase_open(&b, &r->s->on, PCHASE_GLOBAL, err);
  if (rc == 0) rc = deduce_l1d(r, &b, &k, err);
  bench_close(&b.bench);
  return rc;
}

static int deduce_texture(run_t *r, pchase_bench_t *b, const pchase_known_t *k, mrpb_err_t *err) {
  study_t *s = r->s;
  deduce_cache_t d;
  const char *doubt;
  const chase_cfg_t cfg = {.chase = pchase_walk,
                           .ctx = b,
                           .base = b->base,
                           .limit = TEX_REACH,
                           .step = b->word,
                           .word = b->word,
                           .gap = r->gap};
  if (look(r, &cfg, k, &d, &doubt) != 0) return 0;
  if (!d.found && !doubt) return pchase_row_of_none(s, k, TEX_REACH), 0;
  if (d.found && !doubt && d.line >= LEAST_PAGE) {
    pchase_row_of_failure(s, k, "its lines are pages: a TLB's, with or without a cache");
    deduce_cache_free(&d);
    return 0;
  }
  bool waits;
  if (pchase_port(&s->on, PCHASE_TEXTURE, r->gap, &waits, err) != 0) return -1;
  study_of(s, "%s", k->name);
  study_row_unless(s, doubt, ROW_CHASE_HIT, study_cycles(s, d.hit), study_texture_hit(s), NULL);
  const char *why = doubt ? doubt : waits ? "each waits for the previous reply" : NULL;
  study_row_unless(s, why, ROW_CHASE_MISS, study_cycles(s, d.miss), study_texture_miss(s), NULL);
  int rc = pchase_rows_of_cache(s, k, &d, doubt, err);
  fprintf(s->out, "%s: %" PRIu64 " accesses\n", k->name, d.accesses);
  deduce_cache_free(&d);
  return rc;
}

static int find_texture(run_t *r, mrpb_err_t *err) {
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
  k.unseen = study_texture_miss(r->s) <= study_texture_hit(r->s) + r->gap;
  pchase_bench_t b;
  int rc = pchase_open(&b, &r->s->on, PCHASE_TEXTURE, err);
  if (rc == 0) rc = deduce_texture(r, &b, &k, err);
  bench_close(&b.bench);
  return rc;
}

/* ---- translation ----------------------------------------------------------- */

static int row_of_no_second(run_t *r, pchase_bench_t *b, const pchase_known_t *k, mrpb_err_t *err) {
  bool hidden;
  if (pchase_hidden(b, r->page, r->front_lines, r->gap, &hidden, err) != 0) return -1;
  if (hidden)
    pchase_row_of_failure(r->s, k, "misses of more pages take longer: one that holds hardly more");
  else
    pchase_row_of_none(r->s, k, b->limit);
  return 0;
}

static int deduce_tlb(run_t *r, pchase_bench_t *b, unsigned level, const pchase_known_t *k,
                      mrpb_err_t *err) {
  study_t *s = r->s;
  deduce_cache_t d;
  const char *doubt;
  rate_t seen;
  const chase_cfg_t cfg = {.chase = pchase_walk,
                           .ctx = b,
                           .base = b->base,
                           .limit = b->limit,
                           .step = r->page / 2,
                           .word = b->word,
                           .skew = SKEW,
                           .level = level,
                           .gap = r->gap};
  if (look(r, &cfg, k, &d, &doubt) != 0) return 0;
  if (d.found && !doubt && !r->page_seen && d.line <= cfg.step)
    doubt = "no read costs a walk: its pages may be smaller than the steps";
  if (level && d.found && !doubt) doubt = r->front_doubt;
  if (!level) r->front_doubt = doubt || !d.found ? "the TLB in front is not known" : NULL;
  if (!d.found && level && r->front_doubt) return pchase_row_of_failure(s, k, r->front_doubt), 0;
  if (!d.found && !doubt && r->jitter)
    return pchase_row_of_failure(s, k, "no miss stands out: latencies vary"), 0;
  if (!d.found && !doubt && level) return row_of_no_second(r, b, k, err);
  if (!d.found && !doubt) return pchase_row_of_none(s, k, b->limit), 0;
  if (!level) r->front_lines = doubt ? 0 : d.lines;
  int rc = pchase_rows_of_cache(s, k, &d, doubt, err);
  if (doubt) return deduce_cache_free(&d), rc;
  uint64_t room = b->limit / d.line - d.lines - first_of_round(&d), extra = d.lines / 4;
  if (extra < 10) extra = 10;
  if (extra > room) extra = room;
  if (rc == 0) rc = plot_rate(s, k, &d, &cfg, extra, 1024 * 1024, &seen, err);
  if (rc == 0 && level && seen.missed[0]) {
    study_row(s, ROW_CHASE_MISSED, (double)seen.missed[0],
              d.policy == DEDUCE_CACHE_LRU ? k->ways + k->extra + 1.0 : (double)NAN, NULL);
    study_row(s, ROW_CHASE_MISSED_MORE, (double)(seen.missed[1] - seen.missed[0]), NAN, NULL);
  }
  if (rc == 0 && level) rc = plot_log(s, k, &d, b, &cfg, err);
  fprintf(s->out, "%s: %" PRIu64 " accesses\n", k->name, d.accesses);
  deduce_cache_free(&d);
  return rc;
}

static int find_tlbs(run_t *r, mrpb_err_t *err) {
  const config_t *c = study_known(r->s);
  uint64_t page = UINT64_C(1) << c->page;
  const bool unseen = c->tlb1_miss <= r->gap; /* then the second TLB is the first one seen */
  const pchase_known_t one = {.name = "L1 TLB",
                              .sets = unseen ? c->tlb2_sets : c->tlb1_sets,
                              .ways = unseen ? c->tlb2_ways : c->tlb1_ways,
                              .extra = unseen ? c->tlb2_extra : 0,
                              .replacement = unseen ? c->tlb2_replacement : c->tlb1_replacement,
                              .line = page};
  const pchase_known_t two = {.name = "L2 TLB",
                              .sets = c->tlb2_sets,
                              .ways = c->tlb2_ways,
                              .extra = c->tlb2_extra,
                              .replacement = c->tlb2_replacement,
                              .line = page,
                              .front = one.sets * one.ways,
                              .unseen = unseen || c->walk_l2 <= r->gap};
  pchase_bench_t b;
  if (pchase_page(&r->s->on, &r->page, &r->spread, err) != 0) return -1;
  r->page_seen = r->page != 0;
  micro_value_t seen = r->page == 0            ? micro_undecided()
                       : r->page <= LEAST_PAGE ? micro_at_most((double)r->page / 1024)
                                               : micro_number((double)r->page / 1024);
  study_row_value(r->s, ROW_PAGE, seen, c->tlb1_sets ? (double)page / 1024 : (double)NAN,
                  r->page ? NULL : "no read costs a walk");
  if (r->page == 0) r->page = UNSEEN_PAGE;
  int rc = pchase_open(&b, &r->s->on, PCHASE_CG, err);
  if (rc == 0) rc = deduce_tlb(r, &b, 0, &one, err);
  if (rc == 0) rc = deduce_tlb(r, &b, 1, &two, err);
  pchase_rows_agree(r->s);
  bench_close(&b.bench);
  return rc;
}

/* First reads of pages whose entries do not share a line of the page table all cost the same,
 * except those that make another part of the table active. These lie at multiples of that part's
 * size. */
static int first_reads(pchase_bench_t *b, uint64_t apart, size_t n, uint64_t *addr,
                       uint32_t *latency, mrpb_err_t *err) {
  for (size_t i = 0; i < n; i++) addr[i] = b->base + i * apart + i * SKEW % apart;
  return pchase_walk(b, addr, n, 0, n, latency, err);
}

#define MB 1048576.0
#define READ_MB UINT64_C(960)

/* Reads `apart` cannot show windows smaller than that distance. */
static void row_of_no_window(const run_t *r, bool one, uint64_t apart) {
  char note[64];
  if (!r->page_seen) {
    study_row_open(r->s, ROW_WINDOW, one ? "one" : "none", "no read costs a walk");
    return;
  }
  snprintf(note, sizeof note, "none of %" PRIu64 " KB to %" PRIu64 " MB", 2 * apart >> 10, READ_MB);
  study_row_words(r->s, ROW_WINDOW, "none", one ? "one" : "none", note);
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
  if (r->spread <= r->gap) return micro_number(least + (windows->high - windows->low) / 2.0);
  return micro_range((double)windows->high - others->low - spread,
                     (double)windows->low - others->high + spread);
}

static void row_of_window(const run_t *r, const uint64_t *addr, const uint32_t *latency, size_t n,
                          uint64_t apart) {
  study_t *s = r->s;
  const config_t *c = study_known(s);
  const uint64_t size = c->window ? UINT64_C(1) << c->window : 0;
  const uint32_t spread = r->spread + r->gap;
  const bool one = size > apart && size <= READ_MB << 20 && c->tlb1_sets && c->window_miss > spread;
  uint64_t bits = 0, reads = 0;
  uint32_t least = UINT32_MAX;
  ends_t others = {UINT32_MAX, 0}, far = others;
  for (size_t i = 1; i < n; i++)
    if (latency[i] < least) least = latency[i];
  for (size_t i = 1; i < n; i++) {
    bool is_far = latency[i] > least + spread;
    widen(is_far ? &far : &others, latency[i]);
    if (is_far) bits |= addr[i] / apart * apart;
    reads += is_far;
  }
  const char *why = r->jitter ? "latencies vary" : !r->page_seen ? "the page is not known" : NULL;
  if (!r->jitter && !reads) {
    row_of_no_window(r, one, apart);
    return;
  }
  study_row_unless(s, why, ROW_WINDOW, windows(bits, reads, addr[0], addr[n - 1]),
                   one ? (double)size / MB : (double)NAN, NULL);
  if (!why)
    study_row_value(s, ROW_WINDOW_COST, window_cost(r, &others, &far), c->window_miss,
                    "added to a walk");
}

static int find_window(run_t *r, mrpb_err_t *err) {
  pchase_bench_t b;
  study_t *s = r->s;
  uint64_t apart = 4 * r->page;
  int rc = pchase_open(&b, &s->on, PCHASE_CG, err);
  size_t n = rc == 0 ? (size_t)(b.limit / apart) : 1;
  uint64_t *addr = calloc(n, sizeof *addr);
  uint32_t *latency = calloc(n, sizeof *latency);
  if (!addr || !latency) rc = mrpb_fail(err, "micro: out of memory");
  if (rc == 0) rc = first_reads(&b, apart, n, addr, latency, err);
  if (rc == 0) row_of_window(r, addr, latency, n, apart);
  free(addr);
  free(latency);
  bench_close(&b.bench);
  return rc;
}

/* ---- all ------------------------------------------------------------------- */

static int instrument(study_t *s, mrpb_err_t *err) {
  pchase_bench_t b;
  int rc = pchase_open(&b, &s->on, PCHASE_GLOBAL, err);
  if (rc == 0)
    fprintf(s->out,
            "instrument: a word read again takes %u cycles; two clock reads and a store take %u, "
            "subtracted\n",
            b.hit, b.overhead);
  bench_close(&b.bench);
  return rc;
}

int study_pchase(study_t *s, mrpb_err_t *err) {
  run_t r = {.s = s};
  s->from = "hits and misses of single reads";
  if (!study_has_shared(s, PCHASE_NEEDS)) return 0;
  if (pchase_gap(&s->on, &r.gap, &r.jitter, err) != 0 || instrument(s, err) != 0 ||
      find_l1d(&r, err) != 0)
    return -1;
  if (s->on.limits.noisy) {
    study_of(s, "texture L1, TLBs, page table");
    study_not_measured(s, ROW_NOT_MEASURED, "L2 latencies spread more than their misses add");
    return 0;
  }
  if (s->on.limits.texture && find_texture(&r, err) != 0) return -1;
  return find_tlbs(&r, err) != 0 || find_window(&r, err) != 0 ? -1 : 0;
}
