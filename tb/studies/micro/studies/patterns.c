/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies of global memory by the caches and TLBs that an access hits or misses (paper 003,
 * Tables 3 and 5). One walk of non-uniform strides arranges its accesses so that each falls into a
 * known pattern. docs/micro/patterns.md */
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { LINE = 128, PAGES = 120, NEAR_PAGES = 24, NEAR_LINE = 700, TEXELS = 64, TEX_LINE = 32 };

/* The purpose of an access. */
enum {
  FIRST,  /* of a page: data in the DRAM, both TLBs miss (patterns 5, 6) */
  BESIDE, /* another line of that page, from the DRAM (4) */
  AGAIN,  /* a line that was just read (1) */
  COPIED, /* a line of that page that the host has copied: in the L2, not in the L1D */
  SECOND, /* a copied line of a page in the second pass: both TLBs miss (3) */
  NEAR,   /* a copied line of one of few pages: the first TLB misses (2) */
  OTHER,
  KINDS
};

static const char *const kind_name[KINDS] = {
    "first of a page", "another line", "line again", "line that was copied",
    "second pass",     "few pages",    "other"};

static const char all_pages_held[] = "the first TLB holds all pages read";

/* Accesses of one kind are alike if this share of them is. */
static const double alike = 0.9;

typedef struct {
  uint64_t *addr;
  uint32_t *latency, *sorted; /* sorted: room for the latencies of one kind */
  uint8_t *kind;
  size_t n, room;
  uint64_t pages, apart; /* of the first pass */
  pchase_gap_t of;
  bool waits;         /* see pchase_port */
  const char *hidden; /* why a window cannot be detected; NULL: it can */
} list_t;

/* Accesses for a walk, in one piece of memory. Returns whether there was room. */
static bool list_open(list_t *l, size_t room, const list_t *like, mrpb_err_t *err) {
  *l = (list_t){.room = room, .of = like->of, .hidden = like->hidden};
  l->addr = calloc(room, sizeof *l->addr);
  l->latency = calloc(room, 2 * sizeof *l->latency);
  l->kind = calloc(room, sizeof *l->kind);
  if (l->latency) l->sorted = l->latency + room;
  if (l->addr && l->latency && l->kind) return true;
  return mrpb_fail(err, "micro: out of memory"), false;
}

static void list_close(list_t *l) {
  free(l->addr);
  free(l->latency);
  free(l->kind);
}

static void add(list_t *l, uint64_t addr, unsigned kind) {
  if (l->n == l->room) return;
  l->kind[l->n] = (uint8_t)kind;
  l->addr[l->n++] = addr;
}

/* The latencies of the accesses of a kind. */
typedef struct {
  double usual; /* the least latency of the largest group within the gap */
  double most;
  double share; /* of the accesses with the usual latency; 0: there are no accesses */
  bool waits;   /* each waits for the reply before it: see pchase_port */
  double vary;  /* cycles by which the usual latency may be off */
} seen_t;

static seen_t latencies(const list_t *l, unsigned kind) {
  uint32_t *v = l->sorted;
  size_t n = 0, best = 0;
  seen_t s = {.waits = l->waits, .vary = l->of.jitter ? l->of.gap : 0};
  for (size_t i = 0; i < l->n; i++)
    if (l->kind[i] == kind) v[n++] = l->latency[i];
  numbers_sort32(v, n);
  for (size_t i = 0; i < n; i++) {
    size_t same = 1;
    while (i + same < n && v[i + same] - v[i] <= l->of.gap) same++;
    if (same > best) s.usual = v[i];
    if (same > best) best = same;
  }
  if (n) s.most = v[n - 1];
  if (n) s.share = (double)best / (double)n;
  return s;
}

/* ---- global memory --------------------------------------------------------- */

/* The lines of the first half of each page are for the walks, those of the second half for the few
 * pages. In pages that are too small for separate places, the places repeat. */
static uint64_t line_of(uint64_t page, uint64_t i) {
  uint64_t half = page / LINE / 2;
  return i * 5 % (half - 3) * LINE;
}

static uint64_t near_line(uint64_t page, uint64_t i) {
  uint64_t lines = page / LINE, at = NEAR_LINE + i;
  return (at < lines ? at : lines / 2 + i % (lines / 2)) * LINE;
}

/* The table entries of pages that lie `apart` do not share a line of the L2. Copies by the host
 * pass through the L2, so their lines are there and nowhere else. */
static void arrange(list_t *l, pchase_bench_t *b, uint64_t page) {
  uint64_t apart = 4 * page, pages = b->limit / apart, near = b->limit / page;
  if (pages > PAGES) pages = PAGES;
  if (near > NEAR_PAGES) near = NEAR_PAGES;
  l->pages = pages;
  l->apart = apart;
  for (uint64_t i = 0; i < pages; i++) {
    uint64_t at = b->base + i * apart + line_of(page, i);
    add(l, at, i ? FIRST : OTHER);
    add(l, at + LINE, BESIDE);
    add(l, at + b->word, AGAIN);
    add(l, at + UINT64_C(2) * LINE, COPIED);
    bench_copy_in(&b->bench, at + UINT64_C(2) * LINE, UINT64_C(2) * LINE);
  }
  for (uint64_t i = 0; i < pages; i++)
    add(l, b->base + i * apart + line_of(page, i) + UINT64_C(3) * LINE, i ? SECOND : OTHER);
  for (uint64_t i = 0; i < 2 * near; i++) {
    uint64_t p = i % near, at = b->base + p * page + near_line(page, i);
    bench_copy_in(&b->bench, at, LINE);
    add(l, at, i < near ? OTHER : NEAR);
  }
}

static void plot(const study_t *s, const list_t *l, const char *mode, const char *file) {
  micro_plot_t p = study_new_plot(s, "access", "latency [cycles]", "latencies of one walk%s", mode);
  for (unsigned k = 0; k < OTHER; k++) {
    size_t series = micro_plot_series(&p, kind_name[k], MICRO_POINTS, false);
    for (size_t i = 0; i < l->n; i++)
      if (l->kind[i] == k) micro_series_add(&p, series, (double)i, l->latency[i]);
  }
  study_plot(s, file, &p);
}

/* Sums of configured latencies. */
typedef struct {
  double hit, l2, near, second, dram, first, window;
} sums_t;

/* `apart` is the distance of first reads. */
static sums_t sums(const study_t *s, bool l1d, uint64_t apart) {
  const config_t *c = study_known(s);
  const double spread = study_farther(s);
  sums_t k = {.l2 = (c->l2_total_sets ? c->l2_latency : c->dram_load_latency) + spread,
              .dram = c->dram_load_latency + spread};
  if (l1d) {
    k.l2 += c->l1d_miss + (c->l2_total_sets ? 0 : c->l1d_dram);
    k.dram += c->l1d_miss + c->l1d_dram;
  }
  k.hit = l1d ? study_l1d_hit(s) : k.l2;
  k.near = k.l2 + c->tlb1_miss;
  k.second = k.near + (c->l2_total_sets ? c->walk_l2 : c->walk_dram);
  k.first = k.dram + c->tlb1_miss + c->walk_dram;
  if (c->window && UINT64_C(1) << c->window <= apart) { /* each walk is in another window */
    k.first += c->window_miss;
    k.second += c->window_miss;
  }
  k.window = k.first + c->window_miss;
  return k;
}

/* Whether the accesses of one kind all behaved alike; otherwise the arrangement does not suit this
 * GPU. */
static bool is_even(const seen_t *v) {
  return v->share >= alike;
}

static void latency_row(study_t *s, study_row_t id, const seen_t *v, double known,
                        const char *note) {
  const char *why = !is_even(v) ? "accesses that should be alike are not"
                    : v->waits  ? "each waits for the previous reply"
                                : NULL;
  micro_value_t cycles =
      v->vary > 0 ? micro_range(v->usual - v->vary, v->usual + v->vary) : study_cycles(s, v->usual);
  study_row_unless(s, why, id, cycles, known, note);
}

/* `above`: a latency that the pattern must exceed. */
static void pattern(study_t *s, unsigned n, const char *mode, const seen_t *v, double above,
                    double known, const char *why) {
  study_of(s, "%u|%s", n, mode);
  if (v->usual > above || !is_even(v))
    latency_row(s, ROW_PATTERN, v, known, NULL);
  else
    study_row_words(s, ROW_PATTERN, "none", NULL, why);
}

/* Table 5 gives one number for a miss in the L1D; Fermi's number includes a miss in the first
 * TLB. */
static void table5(study_t *s, bool l1d, const seen_t seen[KINDS], double gap, const sums_t *k) {
  if (!l1d) {
    latency_row(s, ROW_GLOBAL_MISS, &seen[COPIED], k->l2, NULL);
    return;
  }
  latency_row(s, ROW_GLOBAL_HIT, &seen[AGAIN], k->hit, NULL);
  if (seen[NEAR].usual > seen[COPIED].usual + gap)
    latency_row(s, ROW_GLOBAL_MISS, &seen[NEAR], k->near, "L1 TLB missed: pattern 2");
  else
    study_row_value(s, ROW_GLOBAL_MISS, micro_undecided(), k->near, all_pages_held);
  latency_row(s, ROW_GLOBAL_TLB_HIT, &seen[COPIED], k->l2, NULL);
}

/* A window as large as everything that is read is the only one. If each read has another window,
 * pattern 5 includes the switch. */
static void window_unseen(study_t *s, const list_t *l) {
  const config_t *c = study_known(s);
  const uint64_t size = c->window ? UINT64_C(1) << c->window : 0, all = l->pages * l->apart;
  const bool one = size > l->apart && size <= all / 2 && c->tlb1_sets && c->window_miss > l->of.gap;
  char note[64];
  snprintf(note, sizeof note, "no window of %" PRIu64 " KB to %" PRIu64 " MB", 2 * l->apart >> 10,
           all >> 20);
  study_row_words(s, ROW_PATTERN, "none", one ? "one" : NULL, note);
}

static void rows(study_t *s, const list_t *l, bool l1d, const char *mode) {
  const config_t *c = study_known(s);
  const sums_t k = sums(s, l1d, l->apart);
  const double gap = l->of.gap;
  seen_t v[KINDS];
  for (unsigned i = 0; i < KINDS; i++) v[i] = latencies(l, i);
  if (l1d) v[AGAIN].waits = false;
  const seen_t window = {.usual = v[FIRST].most, .share = 1, .waits = l->waits};
  s->from = "a walk, by what each access meets";
  pattern(s, 1, mode, &v[AGAIN], 0, k.hit, NULL);
  pattern(s, 2, mode, &v[NEAR], v[COPIED].usual + gap, k.near, all_pages_held);
  pattern(s, 3, mode, &v[SECOND], v[NEAR].most + gap, k.second, "the TLBs hold all pages read");
  pattern(s, 4, mode, &v[BESIDE], 0, k.dram, NULL);
  pattern(s, 5, mode, &v[FIRST], v[BESIDE].usual + gap, k.first, "no walk was seen");
  /* Only one or two accesses show the window, and they may be late for any reason. */
  const char *hidden = l->of.jitter ? "latencies vary" : l->hidden;
  const double known = study_if(c->window, k.window);
  study_of(s, "6|%s", mode);
  if (hidden)
    study_row_value(s, ROW_PATTERN, micro_undecided(), known, hidden);
  else if (window.usual > v[FIRST].usual + gap)
    pattern(s, 6, mode, &window, 0, known, NULL);
  else
    window_unseen(s, l);
  if (l1d || !*mode) table5(s, l1d, v, gap, &k);
}

static void walk(study_t *s, bool l1d, const list_t *like, uint64_t page, const char *mode,
                 const char *file) {
  const pchase_space_t space = *mode && !l1d ? PCHASE_CG : PCHASE_GLOBAL;
  pchase_bench_t b;
  list_t l;
  const bool waits = pchase_port(&s->on, space, like->of.gap);
  if (list_open(&l, 5 * PAGES + 2 * NEAR_PAGES, like, s->on.err)) {
    l.waits = waits;
    pchase_open(&b, &s->on, space);
    arrange(&l, &b, page);
    pchase_log(&b, l.addr, l.n, 0, l.n, l.latency);
    bench_close(&b.bench);
    rows(s, &l, l1d, mode);
    plot(s, &l, mode, file);
  }
  list_close(&l);
}

/* ---- textures -------------------------------------------------------------- */

/* Reads lines of one page that the host has copied, each twice. */
static void textures(study_t *s, const list_t *like) {
  enum { MISS = FIRST, HIT = AGAIN };
  const config_t *c = study_known(s);
  pchase_bench_t b;
  list_t l;
  const bool waits = pchase_port(&s->on, PCHASE_TEXTURE, like->of.gap);
  if (list_open(&l, 2 * TEXELS, like, s->on.err)) {
    pchase_open(&b, &s->on, PCHASE_TEXTURE);
    bench_copy_in(&b.bench, b.base, (uint64_t)TEXELS * TEX_LINE);
    for (uint64_t i = 0; i < 2 * TEXELS; i++)
      add(&l, b.base + i % TEXELS * TEX_LINE + i / TEXELS * b.word, i < TEXELS ? MISS : HIT);
    pchase_log(&b, l.addr, l.n, 0, l.n, l.latency);
    bench_close(&b.bench);
  }
  seen_t miss = latencies(&l, MISS), hit = latencies(&l, HIT);
  miss.waits = waits;
  list_close(&l);
  if (hit.usual + like->of.gap >= miss.usual) {
    const uint32_t sets = c->tex_l1d ? c->l1d_sets : c->tex_sets;
    const bool unseen = study_texture_miss(s) <= study_texture_hit(s) + like->of.gap;
    study_row_words(s, ROW_TEXTURE_HIT, "none",
                    sets == 0 ? "none"
                    : unseen  ? NULL
                              : "one",
                    "a repeated read is no faster");
    return;
  }
  latency_row(s, ROW_TEXTURE_HIT, &hit, study_texture_hit(s), NULL);
  latency_row(s, ROW_TEXTURE_MISS, &miss, study_texture_miss(s), NULL);
}

void study_patterns(study_t *s) {
  list_t like = {.n = 0};
  if (!study_has_shared(s, PCHASE_NEEDS)) return;
  like.of = pchase_gap(&s->on);
  const bool l1d = pchase_l1d(&s->on);
  const pchase_page_t found = pchase_page(&s->on);
  const uint64_t page = found.page ? found.page : UINT64_C(2) << 20;
  if (!found.page || found.spread > like.of.gap)
    like.hidden = found.page ? "latencies of lines differ" : "the page is not known";
  walk(s, l1d, &like, page, l1d ? ", L1D on" : "", l1d ? "patterns-on" : "patterns");
  if (l1d) walk(s, false, &like, page, ", L1D off", "patterns-off");
  if (s->on.limits.texture) textures(s, &like);
}
