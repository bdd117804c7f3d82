/* SPDX-License-Identifier: Apache-2.0 */
/* The constant caches of the GT200 (paper 004, section IV-I): Figures 14 to 18.
 * docs/micro/gt200.md */
#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/deduce/steps.h"
#include "studies/micro/kernels/walk.h"

#include <math.h>
#include <string.h>

enum {
  CON_POINTS = 256,
  CON_LEVELS = 3,
  CON_STRIDE = 256,
  CON_MOST = 40 << 10,
  CON_FINE = 16 << 10, /* every other sample from here on */
  CON_BANK = 64 << 10
};

/* Shares: by how much a latency may miss what sets predict, at one point and where a set overflows;
 * what makes a walk longer: words between its words, another block. */
static const double off_point = 0.1, off_set = 0.3, words_miss = 1.01, disturbs = 1.05;
/* Of a rise, see deduce_steps_rule_t: over all sizes, and over the sizes of one cache. */
static const deduce_steps_rule_t of_levels = {1.0, 0.005, 1.25}, of_sets = {1.0, 0.004, 1.1};

typedef struct {
  study_t *s;
  walk_t w;
  unsigned levels;           /* caches found */
  unsigned sure;             /* the first ones that are surely identified */
  bool short_lines;          /* the stride skips lines of the L1 */
  bool climbs;               /* the largest array misses more than the one before */
  uint64_t size[CON_LEVELS]; /* bytes */
  uint32_t line[CON_LEVELS]; /* bytes; 0: not seen */
  double latency[CON_LEVELS + 1];
} con_t;

/* A configured cache; sets 0: no such cache. */
typedef struct {
  uint32_t sets, ways, line, latency;
} level_t;

static uint64_t bytes_of(const level_t *l) {
  return (uint64_t)l->sets * l->ways * l->line;
}

/* The i-th level that can be seen, which excludes a cache no larger than the one in front of it;
 * memory comes after the last cache. *number is the cache's number, 3 for memory; NULL: not
 * wanted. */
static level_t configured(const config_t *c, unsigned i, unsigned *number) {
  const level_t all[] = {{c->const1_sets, c->const1_ways, 1u << c->const1_line, c->const1_latency},
                         {c->const2_sets, c->const2_ways, 1u << c->const2_line, c->const2_latency},
                         {c->const3_sets, c->const3_ways, 1u << c->const2_line, c->const3_latency},
                         {0, 0, 0, c->const_latency}};
  unsigned n = 0;
  uint64_t before = 0;
  if (number) *number = 0;
  if (c->const1_sets == 0) return all[0]; /* memory serves all constants */
  for (unsigned seen = 0; n < CON_LEVELS; n++) {
    if (bytes_of(&all[n]) <= before) continue;
    if (seen++ == i) break;
    before = bytes_of(&all[n]);
  }
  if (number) *number = n;
  return all[n];
}

/* The number of caches whose end a walk of CON_MOST bytes reaches. */
static unsigned levels_configured(const config_t *c) {
  unsigned n = 0, number = 0;
  while (c->const1_sets && n < CON_LEVELS) {
    const level_t l = configured(c, n, &number);
    if (number == CON_LEVELS || bytes_of(&l) >= CON_MOST) break;
    n++;
  }
  return n;
}

static const char *const perhaps_another = "another cache may be hidden before it";

/* A row of level i, not decided if the cache may be another one. */
static void row(con_t *k, unsigned i, study_row_t id, double deduced, double configured) {
  study_of(k->s, "%u", i + 1);
  study_row_unless(k->s, i > k->sure ? perhaps_another : NULL, id, micro_number(deduced),
                   configured, NULL);
}

/* ---- Figure 14 ---------------------------------------------------------------- */

/* Footprints and latencies of Figure 14. */
typedef struct {
  double x[CON_POINTS], y[CON_POINTS];
  size_t n;
} footprints_t;

/* Sets of as many ways each overflow between the end of a cache and a point that is a whole
 * fraction of its size further, to within a sample. On the way, each additional line misses
 * together with its whole set. If this does not hold, another cache that is hardly larger may be
 * hidden there. */
static bool is_one(const footprints_t *f, const deduce_level_t *l) {
  const double size = l->last, way = l[1].first - size, more = l[1].latency - l->latency;
  const double step = l[1].first > (double)CON_FINE ? 2 * CON_STRIDE : CON_STRIDE;
  bool whole = false;
  for (double ways = 1; size >= ways * (double)CON_STRIDE; ways++)
    whole |= size / ways <= way && (size + step) / ways > way - step;
  for (size_t i = 0; i < f->n; i++) {
    if (f->x[i] <= size || f->x[i] >= l[1].first) continue;
    double missed = (f->x[i] - size) * (size / way + 1) / f->x[i];
    if (fabs(f->y[i] - l->latency - more * missed) > off_point * more) return false;
  }
  return whole;
}

static void figure14(con_t *k) {
  footprints_t f = {.n = 0};
  micro_plot_t plot =
      MICRO_PLOT("Constant memory (004 Figure 14)", "array [bytes], stride 256 bytes",
                 "latency, address included [cycles]", .log_x = true);
  size_t series[] = {micro_plot_series(&plot, "mean of the clusters", MICRO_LINES, false),
                     micro_plot_series(&plot, "nearest", MICRO_LINES, false),
                     micro_plot_series(&plot, "farthest", MICRO_LINES, false)};
  deduce_steps_t d;
  double spread = 0;
  for (uint64_t bytes = CON_STRIDE; bytes <= CON_MOST;
       bytes += bytes < CON_FINE ? CON_STRIDE : 2 * CON_STRIDE, f.n++) {
    const walk_mean_t y = walk_placements(&k->w, bytes, CON_STRIDE);
    f.x[f.n] = (double)bytes;
    f.y[f.n] = y.mean;
    micro_series_add(&plot, series[0], f.x[f.n], y.mean);
    micro_series_add(&plot, series[1], f.x[f.n], y.least);
    micro_series_add(&plot, series[2], f.x[f.n], y.most);
    spread = fmax(spread, y.most - y.least);
  }
  study_plot(k->s, "constants-figure14", &plot);
  (void)deduce_steps(&d, f.x, f.y, f.n, &of_levels, k->s->on.err);
  for (unsigned i = 0; i < d.n && i <= CON_LEVELS; i++) {
    k->latency[i] = d.level[i].latency;
    if (i + 1 == d.n || i == CON_LEVELS) continue;
    if (k->sure == k->levels && is_one(&f, &d.level[i])) k->sure++;
    k->size[k->levels++] = (uint64_t)d.level[i].last;
  }
  k->climbs = d.n && d.level[d.n - 1].steps;
  deduce_steps_free(&d);
  const config_t *c = study_known(k->s);
  study_row(k->s, ROW_CLUSTER_SPREAD, spread,
            k->levels > 1 && c->sms > c->cluster ? c->cluster_spread : 0, NULL);
}

/* Checks that every line in the size found for the L1 fits as well. If lines are short, a long
 * stride skips some of them: the L1 then seems larger than it is, or everything seems to fit. */
static void check_bytes(con_t *k) {
  enum { SHORTEST = 32 };
  const uint64_t held = k->levels ? k->size[0] - CON_STRIDE : CON_MOST;
  k->short_lines = held && walk_stride(&k->w, held, SHORTEST) > words_miss * k->latency[0];
  if (k->short_lines) k->sure = 0;
}

/* When a set overflows, all its lines and the additional one miss. `rise` is their average cost
 * over the walk if a miss costs `more`. */
static bool is_lru(const deduce_level_t *l, double rise, double more) {
  double lines = l->last / l->width + 1, missed = deduce_level_ways(l) + 1;
  return fabs(rise - more * missed / lines) <= off_set * rise;
}

/* `shown`: a walk of a shorter stride has shown the line; otherwise the line may be shorter. It
 * may also be shorter if it is no longer than a line of the level before, which is what is
 * requested. */
static void level_rows(con_t *k, unsigned i, const deduce_level_t *l, bool shown, bool sound) {
  const bool fine = shown && (i == 0 || l->width > k->line[i - 1]);
  const level_t c = configured(study_known(k->s), i, NULL);
  const char *why = i > k->sure ? perhaps_another
                    : sound && deduce_level_whole(l, l->width)
                        ? NULL
                        : "the rises are not those of equal sets";
  const micro_value_t line = fine ? micro_number(l->width) : micro_at_most(l->width);
  const double steps = (double)l->steps;
  k->line[i] = why ? 0 : (uint32_t)l->width;
  k->s->from = "rises of a walk over growing arrays";
  study_of(k->s, "%u", i + 1);
  study_row_unless(k->s, why, ROW_CONST_SIZE, micro_number(l->last),
                   (double)c.sets * c.ways * c.line, NULL);
  study_row_unless(k->s, why, ROW_CONST_LINE, line, c.line, NULL);
  study_row_unless(k->s, why, ROW_CONST_SETS, fine ? micro_number(steps) : micro_at_least(steps),
                   c.sets, NULL);
  study_row_unless(k->s, why, ROW_CONST_WAYS, micro_number(deduce_level_ways(l)), c.ways, NULL);
}

/* ---- Figure 15, and the same for the other levels -------------------------------- */

/* The first walk has a fine stride, to find the line; the second has the line as its stride. When
 * every set has overflowed, the curve is level. */
static void geometry(con_t *k, unsigned i, uint64_t stride, bool again) {
  double x[CON_POINTS], y[CON_POINTS];
  uint64_t size = k->size[i], from = size * 3 / 4 / stride * stride, to = size + size * 5 / 8;
  micro_plot_t plot = MICRO_PLOT("", "array [bytes]", "latency, address included [cycles]");
  char file[40];
  deduce_steps_t d;
  size_t n = 0;
  if (to > CON_BANK) to = CON_BANK;
  snprintf(plot.title, sizeof plot.title, "Constant memory: sets of the L%u (004 Figure %s)", i + 1,
           i ? "14" : "15");
  size_t series = micro_plot_series(&plot, "SM 0, the nearest cluster", MICRO_LINESPOINTS, false);
  for (uint64_t bytes = from; bytes <= to && n < CON_POINTS; bytes += stride, n++) {
    x[n] = (double)bytes;
    y[n] = walk_stride(&k->w, bytes, stride);
    micro_series_add(&plot, series, x[n], y[n]);
  }
  snprintf(file, sizeof file, "constants-l%u", i + 1);
  study_plot(k->s, file, &plot);
  (void)deduce_steps(&d, x, y, n, &of_sets, k->s->on.err);
  const double line = d.n ? d.level[0].width : 0;
  const bool finer = !again && line > (double)stride;
  for (size_t p = 0; !finer && d.n && p + 1 < n; p++) {
    if (x[p] < d.level[0].last || x[p] > d.level[0].last) continue;
    double more = (d.n > 1 ? d.level[1].latency : y[n - 1]) - d.level[0].latency;
    level_rows(k, i, &d.level[0], again, is_lru(&d.level[0], y[p + 1] - y[p], more));
  }
  deduce_steps_free(&d);
  if (finer) geometry(k, i, (uint64_t)line, true);
}

/* ---- Figures 17 and 18 ------------------------------------------------------------ */

typedef struct {
  const char *name;
  uint32_t where; /* block number of the rival; 0: no rival */
} place_t;

/* Blocks other than 0 and the rival end at once; they only fill the SMs in between. */
static void places(const bench_limits_t *has, place_t at[4]) {
  uint32_t clusters = bench_clusters(has);
  bool by_cluster = has->by_cluster;
  at[0] = (place_t){"alone", 0};
  at[1] = (place_t){"same SM", has->sms};
  at[2] = (place_t){"same cluster",
                    has->cluster > 1 && clusters < has->sms ? by_cluster ? clusters : 1 : 0};
  at[3] = (place_t){"other cluster", clusters == 1 ? 0 : by_cluster ? 1 : has->cluster};
}

static double shared_walk(con_t *k, uint64_t bytes, const place_t *p, rival_t rival) {
  uint64_t at[WALK_MOST];
  walk_ring_t r = {
      .at = at, .rival = p->where ? rival : RIVAL_NONE, .where = p->where, .beyond = CON_BANK / 2};
  for (uint64_t a = 0; a < bytes; a += CON_STRIDE) at[r.n++] = a;
  return walk_average(&k->w, &r);
}

/* The configured answer: CLUSTER says it for the L2, INST1_SETS whether instructions are fetched at
 * all. */
static const char *sharers(const config_t *c, unsigned seen, rival_t rival) {
  unsigned level;
  (void)configured(c, seen, &level);
  if (rival == RIVAL_CODE && c->inst1_sets == 0) return "none";
  if (level != 1) return NULL;
  return c->cluster > 1 ? "cluster" : "SM";
}

/* A cache is shared with those blocks that disturb it when it is just full. */
static void shared_rows(con_t *k, const place_t at[4], rival_t rival) {
  static const char *const by[] = {"none", "SM", "cluster", "GPU"};
  const study_row_t id = rival == RIVAL_DATA ? ROW_CONST_DATA_WITHIN : ROW_CONST_CODE_WITHIN;
  bool disturbed = false;
  for (unsigned i = 0; i < k->levels; i++) {
    unsigned widest = 0;
    if (k->size[i] > CON_BANK / 2) continue;
    const double alone = shared_walk(k, k->size[i], &at[0], rival);
    for (unsigned p = 1; p < 4; p++)
      if (at[p].where && shared_walk(k, k->size[i], &at[p], rival) > disturbs * alone) widest = p;
    disturbed |= widest > 0;
    study_of(k->s, "%u", i + 1);
    study_row_words_unless(k->s, i > k->sure ? perhaps_another : NULL, id, by[widest],
                           sharers(study_known(k->s), i, rival), NULL);
  }
  for (unsigned i = 0; rival == RIVAL_CODE && !disturbed && i < k->levels; i++) {
    study_of(k->s, "%u", i + 1);
    study_doubt(k->s, id, "the rival's code may fit in its own cache");
  }
}

static void sharing(con_t *k, rival_t rival) {
  const bool data = rival == RIVAL_DATA;
  micro_plot_t plot = MICRO_PLOT("", "array [bytes], stride 256 bytes",
                                 "latency, address included [cycles]", .log_x = true);
  place_t at[4];
  places(&k->s->on.limits, at);
  snprintf(plot.title, sizeof plot.title, "%s",
           data ? "Two blocks that read constants (004 Figure 17)"
                : "Constants beside 10 KB of code of another block (004 Figure 18)");
  for (unsigned p = 0; p < 4; p++) {
    if (p && at[p].where == 0) continue;
    size_t series = micro_plot_series(&plot, at[p].name, MICRO_LINES, false);
    for (uint64_t bytes = 512; bytes <= CON_BANK / 2; bytes += bytes < 12 << 10 ? 512 : 2048)
      micro_series_add(&plot, series, (double)bytes, shared_walk(k, bytes, &at[p], rival));
  }
  study_plot(k->s, data ? "constants-figure17" : "constants-figure18", &plot);
  shared_rows(k, at, rival);
}

static void doubt(con_t *k, unsigned i, double more, double less, const char *why) {
  if (more - less <= micro_tolerance(less)) return;
  study_of(k->s, "%u", i + 1);
  study_doubt(k->s, i < k->levels ? ROW_CONST_LATENCY : ROW_CONST_MISSED, why);
  study_doubt(k->s, ROW_CLUSTER_SPREAD, why);
}

/* Doubts a level's latency if reading other words of each line in between makes it shorter: then a
 * line waits in a port for the line before. */
static void doubt_ports(con_t *k) {
  enum { WORDS = 8, WORD = 4 };
  uint64_t at[WALK_MOST];
  for (unsigned i = 1; i <= k->levels; i++) {
    const uint64_t bytes = i < k->levels ? k->size[i] : CON_MOST;
    size_t n = 0;
    for (uint64_t a = 0; a < bytes && n + WORDS <= WALK_MOST; a += CON_STRIDE)
      for (uint64_t j = 0; j < WORDS; j++) at[n++] = a + j * WORD;
    const double lines = walk_stride(&k->w, bytes, CON_STRIDE),
                 words = walk_average(&k->w, &(walk_ring_t){.at = at, .n = n});
    doubt(k, i, lines, words * (double)WORDS - k->latency[0] * (WORDS - 1),
          "each waits for the previous line");
  }
}

/* Doubts it also if a walk of longer strides takes longer: then lines are longer than the stride,
 * and each is read several times in a row. */
static void doubt_lines(con_t *k) {
  for (unsigned i = 0; i <= k->levels; i++)
    for (uint64_t stride = 2 * CON_STRIDE; stride <= 4 * CON_STRIDE; stride *= 2)
      doubt(k, i, walk_placements(&k->w, i < k->levels ? k->size[i] : CON_MOST, stride).mean,
            k->latency[i], "lines are longer than the stride");
}

/* Doubts a level's latency if a shorter loop takes less time, although more of that time is loop
 * overhead: then the walk's own code competes with the data and misses. */
static void doubt_latencies(con_t *k) {
  walk_t w;
  walk_open(&w, &k->s->on, WALK_CONST, WALK_SHORT, 0);
  for (unsigned i = 0; i <= k->levels; i++)
    doubt(k, i, k->latency[i],
          walk_placements(&w, i < k->levels ? k->size[i] : CON_MOST, CON_STRIDE).mean,
          "a shorter loop takes less time");
  bench_close(&w.bench);
}

/* ---- all ---------------------------------------------------------------------------- */

static void study(con_t *k) {
  const config_t *c = study_known(k->s);
  figure14(k);
  check_bytes(k);
  const bool more = k->sure < k->levels || k->short_lines || k->climbs;
  study_row_value(k->s, ROW_CONST_LEVELS,
                  more ? micro_at_least(k->levels) : micro_number(k->levels), levels_configured(c),
                  k->short_lines        ? "words between those of the walk miss"
                  : k->sure < k->levels ? "another may be hidden by one that is hardly smaller"
                  : k->climbs           ? "one more ends where the walk ends"
                  : k->levels           ? NULL
                                        : "every constant takes the same time");
  for (unsigned i = 0; i <= k->levels; i++)
    row(k, i, i < k->levels ? ROW_CONST_LATENCY : ROW_CONST_MISSED, k->latency[i],
        configured(c, i, NULL).latency + c->sp_latency);
  doubt_latencies(k);
  doubt_ports(k);
  doubt_lines(k);
  for (unsigned i = 0; i < k->levels; i++) geometry(k, i, i == 0 ? 32 : 128, false);
  if (k->levels == 0) return;
  sharing(k, RIVAL_DATA);
  sharing(k, RIVAL_CODE);
  if (k->levels < CON_LEVELS || k->sure < k->levels || k->line[1] == 0) return;
  constants_bandwidth(k->s, k->line[1], k->size[1], k->size[2]);
}

void study_constants(study_t *s) {
  con_t k = {.s = s};
  s->from = "walks of one thread";
  walk_open(&k.w, &s->on, WALK_CONST, WALK_LONG, 0);
  study(&k);
  bench_close(&k.w.bench);
}
