/* SPDX-License-Identifier: Apache-2.0 */
/* Shared and global memory and the TLBs of the GT200 (paper 004, sections IV-F to IV-H): Figures 10
 * to 13. docs/micro/gt200.md */
#include "studies/micro/deduce/steps.h"
#include "studies/micro/kernels/walk.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum { MEM_POINTS = 128, MEM_LEAST_STRIDE = 32 << 10, SKEW = 128 };

/* A walk that takes this much longer than the farthest lines misses a cache. */
static const double cache_misses = 1.02;
/* A level curve varies by so much, or by two cycles. */
static const double level_varies = 0.005;
/* Shares of what misses add: an element misses alone; a point lies off what sets predict. */
static const double misses_alone = 0.75, off_point = 0.1;

#define on_sm_0 "latency on SM 0, the nearest cluster [cycles]"

typedef struct {
  study_t *s;
  walk_t w;
  double plain;       /* cycles without a TLB miss */
  uint64_t page;      /* bytes; 0: no TLB was seen */
  bool cached;        /* data caches were seen */
  uint32_t one, two;  /* entries of each TLB; 0: not seen */
  uint32_t sets1;     /* of the first TLB */
  uint32_t sets;      /* of the second TLB */
  double hit2, miss2; /* cycles when the first TLB misses; when both miss */
} mem_t;

/* Walks n elements `stride` apart; their lines are spread over the sets of the data caches. */
static double elements(mem_t *m, size_t n, uint64_t stride) {
  uint64_t at[WALK_MOST];
  for (size_t i = 0; i < n; i++) at[i] = i * stride + (stride > SKEW ? i * SKEW % stride : 0);
  return walk_average(&m->w, &(walk_ring_t){.at = at, .n = n});
}

static bool within(const mem_t *m, size_t n, uint64_t stride) {
  return (n + 1) * stride <= m->w.bytes;
}

/* If accesses are occasionally late, an average is an upper bound for one access. */
static micro_value_t average(const mem_t *m, double cycles) {
  return m->s->on.limits.repeats > 1 ? micro_at_most(cycles) : micro_number(cycles);
}

/* ---- shared memory, global memory -------------------------------------------- */

static void find_shared(study_t *s) {
  walk_t w;
  const uint64_t at = 0;
  walk_open(&w, &s->on, WALK_SHARED, WALK_LONG, 0);
  study_row(s, ROW_SHARED_MEMORY, walk_average(&w, &(walk_ring_t){.at = &at, .n = 1}),
            study_known(s)->shared_latency, NULL);
  bench_close(&w.bench);
}

/* Lines lie at different distances: finds the cycles of the nearest and the farthest of some pairs
 * of lines. A cache holds both lines of any pair. */
static walk_mean_t find_pairs(mem_t *m) {
  enum { PAIRS = 16, LINE = 128, APART = 9 * 4096 };
  walk_mean_t of = {.least = INFINITY, .most = 0};
  for (uint64_t i = 0; i < PAIRS; i++) {
    const uint64_t at[] = {i * APART, i * APART + LINE};
    const double y = walk_average(&m->w, &(walk_ring_t){.at = at, .n = 2});
    of.least = fmin(of.least, y);
    of.most = fmax(of.most, y);
  }
  return of;
}

/* Walks footprints of 256 bytes to 256 KB. A cache would show as a lower level, wherever a pair
 * lies. */
static void find_global(mem_t *m) {
  study_t *s = m->s;
  const config_t *c = study_known(s);
  const bool cached = c->l1d_sets > 0 || c->l2_total_sets > 0, noisy = s->on.limits.repeats > 1;
  double high = 0;
  micro_plot_t plot =
      MICRO_PLOT("Global memory (004 section IV-G)", "array [bytes]", on_sm_0, .log_x = true);
  size_t series = micro_plot_series(&plot, "stride 128 bytes", MICRO_LINESPOINTS, false);
  for (uint64_t bytes = 256; bytes <= 256 << 10; bytes *= 2) {
    const double one = walk_stride(&m->w, bytes, 128);
    micro_series_add(&plot, series, (double)bytes, one);
    high = fmax(high, one);
  }
  study_plot(s, "memory-global", &plot);
  const walk_mean_t all = walk_placements(&m->w, 4096, 128), pairs = find_pairs(m);
  m->plain = all.mean;
  m->cached = high > cache_misses * pairs.most;
  const double apart = pairs.most - pairs.least;
  const bool alike = noisy || apart <= micro_tolerance(pairs.least);
  study_row_value(s, ROW_GLOBAL_MEMORY,
                  alike ? average(m, all.mean) : micro_range(all.mean - apart, all.mean + apart),
                  study_if(!cached, c->dram_load_latency),
                  m->cached ? "4 KB: of a cache"
                  : alike   ? "mean over the clusters"
                            : "lines lie at different distances");
  const char *why = m->cached ? "a cache is in front of it" : noisy ? "latencies vary" : NULL;
  study_row_unless(s, why, ROW_CLUSTER_SPREAD, micro_number(all.most - all.least),
                   study_if(!c->l1d_sets, c->sms > c->cluster ? c->cluster_spread : 0), NULL);
  /* One level that holds everything looks like no cache. */
  study_row_words(s, ROW_MEMORY_CACHE, m->cached ? "yes" : "none",
                  !cached     ? "none"
                  : m->cached ? "yes"
                              : NULL,
                  "256 bytes to 256 KB");
}

/* ---- Figures 10 and 11 ------------------------------------------------------- */

static bool is_level(double a, double b) {
  return fabs(a - b) <= fmax(2, level_varies * b);
}

/* Figure 10: arrays of several sizes against the stride. */
static void figure10(mem_t *m) {
  static const uint64_t sizes[] = {4, 8, 10, 16, 32, 34, 36, 40};
  micro_plot_t plot = MICRO_PLOT("Global memory: two TLBs (004 Figure 10)", "stride [bytes]",
                                 on_sm_0, .log_x = true);
  char name[32];
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    uint64_t mb = sizes[k];
    snprintf(name, sizeof name, "%u MB", (unsigned)mb);
    size_t series = micro_plot_series(&plot, name, MICRO_LINESPOINTS, false);
    for (uint64_t stride = 128 << 10; stride <= mb << 19; stride *= 2)
      micro_series_add(&plot, series, (double)stride, walk_stride(&m->w, mb << 20, stride));
  }
  study_plot(m->s, "memory-figure10", &plot);
}

/* Figure 11, and the page from it: the stride from which the fewest elements miss. */
static void figure11(mem_t *m) {
  static const uint32_t series_of[] = {16, 17, 32, 33, 64, 65};
  micro_plot_t plot = MICRO_PLOT("Page size and TLB entries (004 Figure 11)", "stride [bytes]",
                                 on_sm_0, .log_x = true);
  char name[32];
  for (unsigned k = 0; k < sizeof series_of / sizeof *series_of; k++) {
    const uint32_t n = series_of[k];
    snprintf(name, sizeof name, "%u elements", n);
    size_t series = micro_plot_series(&plot, name, MICRO_LINESPOINTS, false);
    for (uint64_t stride = 64 << 10; stride <= 8 << 20 && within(m, n, stride); stride *= 2)
      micro_series_add(&plot, series, (double)stride, elements(m, n, stride));
  }
  study_plot(m->s, "memory-figure11", &plot);
}

/* The most elements of a stride that do not miss, by doubling and then halving. 0: they never
 * miss. */
static uint32_t held(mem_t *m, uint64_t stride) {
  uint32_t good = 1, bad = 2;
  const double base = elements(m, 1, stride);
  while (within(m, bad, stride) && bad < WALK_MOST && is_level(elements(m, bad, stride), base)) {
    good = bad;
    bad *= 2;
  }
  if (!within(m, bad, stride) || bad >= WALK_MOST) return 0;
  while (bad - good > 1) {
    uint32_t at = (good + bad) / 2;
    *(is_level(elements(m, at, stride), base) ? &good : &bad) = at;
  }
  return good;
}

/* Sets that are selected by the page's number look like larger pages: a stride of two pages leaves
 * every other set unused, and half as many elements fit. Twice as many elements as fit overflow all
 * sets. Then each element misses if it has a page of its own, and half of them if two share one. */
static void split_page(mem_t *m) {
  while (m->page / 2 >= MEM_LEAST_STRIDE && 2 * m->one < WALK_MOST) {
    const uint64_t half = m->page / 2;
    const double base = elements(m, 1, m->page), whole = elements(m, 2 * m->one, m->page);
    const uint32_t n = held(m, half);
    if (n == 0 || 2 * n >= WALK_MOST || !within(m, 2 * n, half)) return;
    if (elements(m, 2 * n, half) - base < misses_alone * (whole - base)) return;
    m->page = half;
    m->one = n;
  }
}

/* A fully associative TLB of e entries holds e pages at any distance, so the number of elements
 * halves as the stride doubles, up to the page. */
static void find_page(mem_t *m) {
  uint32_t n, before = 0;
  for (uint64_t stride = MEM_LEAST_STRIDE; within(m, 4, stride); stride *= 2, before = n) {
    n = held(m, stride);
    if (!n || n != before) continue;
    m->page = stride / 2;
    m->one = n;
    split_page(m);
    return;
  }
}

/* ---- Figure 12 ---------------------------------------------------------------- */

/* A row on a TLB. `sound`: the curve is that of equal sets and LRU. */
static void tlb_row(mem_t *m, study_row_t id, micro_value_t seen, bool sound, double known) {
  study_row_unless(m->s, sound ? NULL : "the rises are not those of equal sets", id, seen, known,
                   NULL);
}

/* Pages walked, and the average latency. */
typedef struct {
  double x[MEM_POINTS], y[MEM_POINTS];
  size_t n;
} pages_t;

/* Whether the rises are those of the sets of one TLB. Then each page too many misses together with
 * the pages of its set. Otherwise a second TLB that is no larger overflows at the same time, and
 * the rises are its sets. */
static bool is_alone(const pages_t *p, const deduce_level_t *l) {
  const double more = l[1].latency - l->latency, ways = l->last / fmax((double)l->steps, 1);
  for (size_t i = 0; i < p->n; i++) {
    if (p->x[i] <= l->last || p->x[i] >= l[1].first) continue;
    const double missed = (p->x[i] - l->last) * (ways + 1) / p->x[i];
    if (fabs(p->y[i] - l->latency - more * missed) > off_point * more) return false;
  }
  return true;
}

/* What a miss of the first TLB costs. A second TLB that is no larger never hits. */
static double known_miss(const config_t *c) {
  const bool hidden = c->tlb2_sets * c->tlb2_ways <= c->tlb1_sets * c->tlb1_ways;
  return (double)c->dram_load_latency + c->tlb1_miss + (hidden ? c->walk_dram : 0);
}

static void tlb_rows(mem_t *m, const deduce_steps_t *d, const pages_t *p) {
  const config_t *c = study_known(m->s);
  const deduce_level_t *l = d->level;
  bool data = c->l1d_sets > 0 || c->l2_total_sets > 0,
       plain = c->tlb2_extra == 0 && c->tlb2_sets > 0 && !data;
  bool one = d->n >= 2 && deduce_level_sound(&l[0], 1) && m->one == (uint32_t)l[0].last;
  bool two = one && d->n >= 3 && deduce_level_sound(&l[1], 1);
  m->s->from = "rises of a walk over a growing number of pages";
  tlb_row(m, ROW_MEMORY_PAGE, micro_number((double)m->page), one,
          study_if(!data, (double)(UINT64_C(1) << c->page)));
  tlb_row(m, ROW_TLB1_ENTRIES, micro_number(m->one), one,
          study_if(!data, (double)c->tlb1_ways * c->tlb1_sets));
  if (d->n >= 2) {
    const bool alone = one && is_alone(p, l);
    tlb_row(m, ROW_TLB1_SETS, micro_number((double)l[0].steps), alone,
            study_if(!data, (double)c->tlb1_sets));
    m->sets1 = (uint32_t)l[0].steps;
    m->hit2 = l[1].latency;
    tlb_row(m, ROW_TLB1_MISS, average(m, m->hit2 - l[0].latency + m->plain), alone,
            study_if(plain, known_miss(c)));
  }
  if (d->n < 3) {
    study_row_words(m->s, ROW_TLB2, "not seen", NULL,
                    "by this method: the paper's, for a GPU without data caches");
    return;
  }
  m->two = two ? (uint32_t)l[1].last : 0;
  m->sets = two ? (uint32_t)l[1].steps : 0;
  m->miss2 = l[2].latency;
  tlb_row(m, ROW_TLB2_ENTRIES, micro_number(m->two), two,
          study_if(plain, (double)c->tlb2_sets * c->tlb2_ways));
  tlb_row(m, ROW_TLB2_SETS, micro_number(m->sets), two, study_if(plain, (double)c->tlb2_sets));
  tlb_row(m, ROW_TLB2_WAYS, micro_number(m->two / fmax(m->sets, 1)), two,
          study_if(plain, (double)c->tlb2_ways));
  tlb_row(m, ROW_TLB2_MISS, average(m, m->miss2 - l[0].latency + m->plain), two,
          study_if(plain, (double)c->dram_load_latency + c->tlb1_miss + c->walk_dram));
}

static void figure12(mem_t *m) {
  pages_t p = {.n = 0};
  deduce_steps_t d;
  micro_plot_t plot = MICRO_PLOT("TLB associativity (004 Figure 12)", "pages walked", on_sm_0);
  size_t series = micro_plot_series(&plot, "a page apart", MICRO_LINESPOINTS, false);
  for (; p.n < MEM_POINTS && within(m, p.n + 1, m->page); p.n++) {
    p.x[p.n] = (double)p.n + 1;
    p.y[p.n] = elements(m, p.n + 1, m->page);
    micro_series_add(&plot, series, p.x[p.n], p.y[p.n]);
  }
  (void)deduce_steps(&d, p.x, p.y, p.n, NULL, m->s->on.err);
  tlb_rows(m, &d, &p);
  deduce_steps_free(&d);
  study_plot(m->s, "memory-figure12", &plot);
}

/* ---- Figure 13 ---------------------------------------------------------------- */

/* The first elements, a page apart, fill the first TLB; the others lie in one set of the second.
 * All elements of that set miss; this finds how much more each of them costs than a hit there. */
static void figure13(mem_t *m) {
  micro_plot_t plot =
      MICRO_PLOT("Another structure behind TLB2 (004 Figure 13)", "elements", on_sm_0);
  size_t series = micro_plot_series(&plot, "one set of TLB2", MICRO_LINESPOINTS, false);
  const config_t *c = study_known(m->s);
  uint64_t at[MEM_POINTS];
  uint32_t in_set = (m->one + m->sets - 1) / m->sets, ways = m->two / m->sets, entries = 0;
  double extra = 0;
  bool ended = false; /* one more element did not fit */
  for (uint32_t n = 1; n <= m->one + ways + 16 && n < MEM_POINTS; n++) {
    uint64_t page = n <= m->one ? n - 1 : (uint64_t)(m->one / m->sets + n - m->one) * m->sets;
    if (n > m->one && m->one % m->sets) page += m->sets;
    at[n - 1] = page * m->page;
    if (at[n - 1] + m->page > m->w.bytes) break;
    const double y = walk_average(&m->w, &(walk_ring_t){.at = at, .n = n});
    micro_series_add(&plot, series, n, y);
    uint32_t set = n > m->one ? in_set + n - m->one : 0;
    double each = set > ways ? (y - m->hit2) * n / set : 0;
    ended = set > ways && each >= (m->miss2 - m->hit2) / 2;
    if (set > ways && !ended) {
      entries = set - ways;
      extra = each;
    }
  }
  study_row_value(m->s, ROW_TLB3_ENTRIES, ended ? micro_number(entries) : micro_at_least(entries),
                  c->tlb2_sets ? c->tlb3_ways : 0, "of one set, behind TLB2");
  if (entries) study_row(m->s, ROW_TLB3_HIT, extra, c->tlb3_hit, NULL);
  study_plot(m->s, "memory-figure13", &plot);
}

static void study(mem_t *m) {
  find_shared(m->s);
  find_global(m);
  figure10(m);
  figure11(m);
  if (!m->cached) find_page(m);
  if (m->page == 0) {
    study_row_words(m->s, ROW_MEMORY_PAGE, m->cached ? "not by this method" : "not seen", NULL,
                    m->cached ? "data caches are in front of the TLBs"
                              : "no TLB misses that this method can see");
    return;
  }
  figure12(m);
  if (m->sets1 == 1 && m->sets && m->one && m->two % m->sets == 0)
    figure13(m);
  else
    study_row_words(m->s, ROW_TLB3, "not tried", NULL,
                    "Figure 13 needs a first TLB of one set, and the sets of TLB2, all alike");
}

void study_memory(study_t *s) {
  enum { BYTES = 160 << 20 };
  mem_t m = {.s = s};
  s->from = "walks of one thread";
  walk_open(&m.w, &s->on, WALK_GLOBAL, WALK_LONG, BYTES);
  study(&m);
  bench_close(&m.w.bench);
}
