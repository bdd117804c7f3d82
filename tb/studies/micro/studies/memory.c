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
static int elements(mem_t *m, size_t n, uint64_t stride, double *cycles, mrpb_err_t *err) {
  uint64_t at[WALK_MOST];
  for (size_t i = 0; i < n; i++) at[i] = i * stride + (stride > SKEW ? i * SKEW % stride : 0);
  return walk_average(&m->w, &(walk_ring_t){.at = at, .n = n}, cycles, err);
}

static bool within(const mem_t *m, size_t n, uint64_t stride) {
  return (n + 1) * stride <= m->w.bytes;
}

/* If accesses are occasionally late, an average is an upper bound for one access. */
static micro_value_t average(const mem_t *m, double cycles) {
  return m->s->on.limits.repeats > 1 ? micro_at_most(cycles) : micro_number(cycles);
}

/* ---- shared memory, global memory -------------------------------------------- */

static int find_shared(mem_t *m, mrpb_err_t *err) {
  walk_t w;
  double cycles = 0;
  const uint64_t at = 0;
  int rc = walk_open(&w, &m->s->on, WALK_SHARED, WALK_LONG, 0, err);
  if (rc == 0) rc = walk_average(&w, &(walk_ring_t){.at = &at, .n = 1}, &cycles, err);
  bench_close(&w.bench);
  if (rc == 0) study_row(m->s, ROW_SHARED_MEMORY, cycles, study_known(m->s)->shared_latency, NULL);
  return rc;
}

/* Lines lie at different distances: finds the cycles of the nearest and the farthest of some pairs
 * of lines. A cache holds both lines of any pair. */
static int find_pairs(mem_t *m, double *nearest, double *farthest, mrpb_err_t *err) {
  enum { PAIRS = 16, LINE = 128, APART = 9 * 4096 };
  *nearest = INFINITY;
  *farthest = 0;
  for (uint64_t i = 0; i < PAIRS; i++) {
    const uint64_t at[] = {i * APART, i * APART + LINE};
    double y;
    if (walk_average(&m->w, &(walk_ring_t){.at = at, .n = 2}, &y, err) != 0) return -1;
    *nearest = fmin(*nearest, y);
    *farthest = fmax(*farthest, y);
  }
  return 0;
}

/* Walks footprints of 256 bytes to 256 KB. A cache would show as a lower level, wherever a pair
 * lies. */
static int find_global(mem_t *m, mrpb_err_t *err) {
  const config_t *c = study_known(m->s);
  bool cached = c->l1d_sets > 0 || c->l2_total_sets > 0;
  double mean, least, most, one, nearest, farthest, high = 0;
  micro_plot_t plot = {.title = "Global memory (004 section IV-G)",
                       .xlabel = "array [bytes]",
                       .ylabel = "latency on SM 0, the nearest cluster [cycles]",
                       .log_x = true};
  size_t series = micro_plot_series(&plot, "stride 128 bytes", MICRO_LINESPOINTS, false);
  for (uint64_t bytes = 256; bytes <= 256 << 10; bytes *= 2) {
    if (walk_stride(&m->w, bytes, 128, &one, err) != 0) return micro_plot_free(&plot), -1;
    micro_series_add(&plot, series, (double)bytes, one);
    high = fmax(high, one);
  }
  if (study_plot(m->s, "memory-global", &plot, err) != 0) return -1;
  if (walk_placements(&m->w, 4096, 128, &mean, &least, &most, err) != 0) return -1;
  if (find_pairs(m, &nearest, &farthest, err) != 0) return -1;
  m->plain = mean;
  m->cached = high > cache_misses * farthest;
  const double apart = farthest - nearest;
  const bool alike = m->s->on.limits.repeats > 1 || apart <= micro_tolerance(nearest);
  study_row_value(m->s, ROW_GLOBAL_MEMORY,
                  alike ? average(m, mean) : micro_range(mean - apart, mean + apart),
                  cached ? (double)NAN : c->dram_load_latency,
                  m->cached ? "4 KB: of a cache"
                  : alike   ? "mean over the clusters"
                            : "lines lie at different distances");
  const char *why = m->cached                     ? "a cache is in front of it"
                    : m->s->on.limits.repeats > 1 ? "latencies vary"
                                                  : NULL;
  study_row_unless(m->s, why, ROW_CLUSTER_SPREAD, micro_number(most - least),
                   c->l1d_sets           ? (double)NAN
                   : c->sms > c->cluster ? c->cluster_spread
                                         : 0,
                   NULL);
  /* One level that holds everything looks like no cache. */
  study_row_words(m->s, ROW_MEMORY_CACHE, m->cached ? "yes" : "none",
                  !cached     ? "none"
                  : m->cached ? "yes"
                              : NULL,
                  "256 bytes to 256 KB");
  return 0;
}

/* ---- Figures 10 and 11 ------------------------------------------------------- */

static bool is_level(double a, double b) {
  return fabs(a - b) <= fmax(2, level_varies * b);
}

/* Figure 10: arrays of several sizes against the stride. */
static int figure10(mem_t *m, mrpb_err_t *err) {
  micro_plot_t plot = {.title = "Global memory: two TLBs (004 Figure 10)",
                       .xlabel = "stride [bytes]",
                       .ylabel = "latency on SM 0, the nearest cluster [cycles]",
                       .log_x = true};
  char name[32];
  double y;
  static const uint64_t sizes[] = {4, 8, 10, 16, 32, 34, 36, 40};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    uint64_t mb = sizes[k];
    snprintf(name, sizeof name, "%u MB", (unsigned)mb);
    size_t series = micro_plot_series(&plot, name, MICRO_LINESPOINTS, false);
    for (uint64_t stride = 128 << 10; stride <= mb << 19; stride *= 2) {
      if (walk_stride(&m->w, mb << 20, stride, &y, err) != 0) return -1;
      micro_series_add(&plot, series, (double)stride, y);
    }
  }
  return study_plot(m->s, "memory-figure10", &plot, err);
}

/* Figure 11, and the page from it: the stride from which the fewest elements miss. */
static int figure11(mem_t *m, mrpb_err_t *err) {
  static const uint32_t series_of[] = {16, 17, 32, 33, 64, 65};
  micro_plot_t plot = {.title = "Page size and TLB entries (004 Figure 11)",
                       .xlabel = "stride [bytes]",
                       .ylabel = "latency on SM 0, the nearest cluster [cycles]",
                       .log_x = true};
  char name[32];
  double y;
  for (unsigned k = 0; k < sizeof series_of / sizeof *series_of; k++) {
    snprintf(name, sizeof name, "%u elements", series_of[k]);
    size_t series = micro_plot_series(&plot, name, MICRO_LINESPOINTS, false);
    for (uint64_t stride = 64 << 10; stride <= 8 << 20 && within(m, series_of[k], stride);
         stride *= 2) {
      if (elements(m, series_of[k], stride, &y, err) != 0) return -1;
      micro_series_add(&plot, series, (double)stride, y);
    }
  }
  return study_plot(m->s, "memory-figure11", &plot, err);
}

/* The most elements of a stride that do not miss, by doubling and then halving. 0: they never
 * miss. */
static int held(mem_t *m, uint64_t stride, uint32_t *n, mrpb_err_t *err) {
  uint32_t good = 1, bad = 2;
  double y, base;
  if (elements(m, 1, stride, &base, err) != 0) return -1;
  for (; within(m, bad, stride) && bad < WALK_MOST; good = bad, bad *= 2) {
    if (elements(m, bad, stride, &y, err) != 0) return -1;
    if (!is_level(y, base)) break;
  }
  *n = 0;
  if (!within(m, bad, stride) || bad >= WALK_MOST) return 0;
  while (bad - good > 1) {
    uint32_t at = (good + bad) / 2;
    if (elements(m, at, stride, &y, err) != 0) return -1;
    if (is_level(y, base))
      good = at;
    else
      bad = at;
  }
  *n = good;
  return 0;
}

/* Sets that are selected by the page's number look like larger pages: a stride of two pages leaves
 * every other set unused, and half as many elements fit. Twice as many elements as fit overflow all
 * sets. Then each element misses if it has a page of its own, and half of them if two share one. */
static int split_page(mem_t *m, mrpb_err_t *err) {
  for (;;) {
    const uint64_t half = m->page / 2;
    double base, whole, y;
    uint32_t n;
    if (half < MEM_LEAST_STRIDE || 2 * m->one >= WALK_MOST) return 0;
    if (elements(m, 1, m->page, &base, err) != 0) return -1;
    if (elements(m, 2 * m->one, m->page, &whole, err) != 0) return -1;
    if (held(m, half, &n, err) != 0) return -1;
    if (n == 0 || 2 * n >= WALK_MOST || !within(m, 2 * n, half)) return 0;
    if (elements(m, 2 * n, half, &y, err) != 0) return -1;
    if (y - base < misses_alone * (whole - base)) return 0;
    m->page = half;
    m->one = n;
  }
}

/* A fully associative TLB of e entries holds e pages at any distance, so the number of elements
 * halves as the stride doubles, up to the page. */
static int find_page(mem_t *m, mrpb_err_t *err) {
  uint32_t n, before = 0;
  for (uint64_t stride = MEM_LEAST_STRIDE; within(m, 4, stride); stride *= 2) {
    if (held(m, stride, &n, err) != 0) return -1;
    if (n && n == before) {
      m->page = stride / 2;
      m->one = n;
      return split_page(m, err);
    }
    before = n;
  }
  return 0;
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
  const double none = (double)NAN;
  m->s->from = "rises of a walk over a growing number of pages";
  tlb_row(m, ROW_MEMORY_PAGE, micro_number((double)m->page), one,
          data ? none : (double)(UINT64_C(1) << c->page));
  tlb_row(m, ROW_TLB1_ENTRIES, micro_number(m->one), one,
          data ? none : (double)c->tlb1_ways * c->tlb1_sets);
  if (d->n >= 2) {
    const bool alone = one && is_alone(p, l);
    tlb_row(m, ROW_TLB1_SETS, micro_number((double)l[0].steps), alone,
            data ? none : (double)c->tlb1_sets);
    m->sets1 = (uint32_t)l[0].steps;
    m->hit2 = l[1].latency;
    tlb_row(m, ROW_TLB1_MISS, average(m, m->hit2 - l[0].latency + m->plain), alone,
            plain ? known_miss(c) : none);
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
          plain ? (double)c->tlb2_sets * c->tlb2_ways : none);
  tlb_row(m, ROW_TLB2_SETS, micro_number(m->sets), two, plain ? (double)c->tlb2_sets : none);
  tlb_row(m, ROW_TLB2_WAYS, micro_number(m->two / fmax(m->sets, 1)), two,
          plain ? (double)c->tlb2_ways : none);
  tlb_row(m, ROW_TLB2_MISS, average(m, m->miss2 - l[0].latency + m->plain), two,
          plain ? (double)c->dram_load_latency + c->tlb1_miss + c->walk_dram : none);
}

static int figure12(mem_t *m, mrpb_err_t *err) {
  pages_t p = {.n = 0};
  deduce_steps_t d;
  micro_plot_t plot = {.title = "TLB associativity (004 Figure 12)",
                       .xlabel = "pages walked",
                       .ylabel = "latency on SM 0, the nearest cluster [cycles]"};
  size_t series = micro_plot_series(&plot, "a page apart", MICRO_LINESPOINTS, false);
  for (; p.n < MEM_POINTS && within(m, p.n + 1, m->page); p.n++) {
    p.x[p.n] = (double)p.n + 1;
    if (elements(m, p.n + 1, m->page, &p.y[p.n], err) != 0) return -1;
    micro_series_add(&plot, series, p.x[p.n], p.y[p.n]);
  }
  if (deduce_steps(&d, p.x, p.y, p.n, NULL, err) != 0) return -1;
  tlb_rows(m, &d, &p);
  deduce_steps_free(&d);
  return study_plot(m->s, "memory-figure12", &plot, err);
}

/* ---- Figure 13 ---------------------------------------------------------------- */

/* The first elements, a page apart, fill the first TLB; the others lie in one set of the second.
 * All elements of that set miss; this finds how much more each of them costs than a hit there. */
static int figure13(mem_t *m, mrpb_err_t *err) {
  micro_plot_t plot = {.title = "Another structure behind TLB2 (004 Figure 13)",
                       .xlabel = "elements",
                       .ylabel = "latency on SM 0, the nearest cluster [cycles]"};
  size_t series = micro_plot_series(&plot, "one set of TLB2", MICRO_LINESPOINTS, false);
  const config_t *c = study_known(m->s);
  uint64_t at[MEM_POINTS];
  uint32_t in_set = (m->one + m->sets - 1) / m->sets, ways = m->two / m->sets, entries = 0;
  double y, extra = 0;
  bool ended = false; /* one more element did not fit */
  for (uint32_t n = 1; n <= m->one + ways + 16 && n < MEM_POINTS; n++) {
    uint64_t page = n <= m->one ? n - 1 : (uint64_t)(m->one / m->sets + n - m->one) * m->sets;
    if (n > m->one && m->one % m->sets) page += m->sets;
    at[n - 1] = page * m->page;
    if (at[n - 1] + m->page > m->w.bytes) break;
    if (walk_average(&m->w, &(walk_ring_t){.at = at, .n = n}, &y, err) != 0) return -1;
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
  return study_plot(m->s, "memory-figure13", &plot, err);
}

static int study(mem_t *m, mrpb_err_t *err) {
  if (find_shared(m, err) != 0 || find_global(m, err) != 0 || figure10(m, err) != 0 ||
      figure11(m, err) != 0)
    return -1;
  if (m->cached) {
    study_row_words(m->s, ROW_MEMORY_PAGE, "not by this method", NULL,
                    "data caches are in front of the TLBs");
    return 0;
  }
  if (find_page(m, err) != 0) return -1;
  if (m->page == 0) {
    study_row_words(m->s, ROW_MEMORY_PAGE, "not seen", NULL,
                    "no TLB misses that this method can see");
    return 0;
  }
  if (figure12(m, err) != 0) return -1;
  if (m->sets1 == 1 && m->sets && m->one && m->two % m->sets == 0) return figure13(m, err);
  study_row_words(m->s, ROW_TLB3, "not tried", NULL,
                  "Figure 13 needs a first TLB of one set, and the sets of TLB2, all alike");
  return 0;
}

int study_memory(study_t *s, mrpb_err_t *err) {
  enum { BYTES = 160 << 20 };
  mem_t m = {.s = s};
  s->from = "walks of one thread";
  int rc = walk_open(&m.w, &s->on, WALK_GLOBAL, WALK_LONG, BYTES, err);
  if (rc == 0) rc = study(&m, err);
  bench_close(&m.w.bench);
  return rc;
}
