/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and plot of the launches: see chips.h. */
#include "studies/chips/chips.h"
#include "studies/micro/plots/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes ----------------------------------------------------------------- */

typedef enum { LONG_BOUND, LONG_ALL, ALL, CLASSES } class_t;
static const char *const class_name[CLASSES] = {"memory-bound, over 10 us", "all over 10 us",
                                                "all"};

static bool is_in(const chips_pair_t *p, class_t class, const char *set) {
  if (set && strcmp(p->set, set) != 0) return false;
  if (class != ALL && p->ns < CHIPS_LONG_NS) return false;
  return class != LONG_BOUND || p->memory_bound;
}

typedef struct {
  unsigned n, within;
  double mean, median, worst; /* worst: signed */
  double correlation;         /* of the logarithms of the cycles; not finite for fewer than 3 */
  double l2, dram;            /* mean errors of the traffic */
} errors_t;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double correlation(const chips_pair_t *pair, unsigned n, class_t class, const char *set) {
  double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0, m = 0;
  for (unsigned i = 0; i < n; i++) {
    if (!is_in(&pair[i], class, set)) continue;
    const double x = log(pair[i].chip[CHIPS_CYCLES]), y = log(pair[i].model[CHIPS_CYCLES]);
    sx += x, sy += y, xx += x * x, yy += y * y, xy += x * y, m++;
  }
  return m < 3 ? NAN : (m * xy - sx * sy) / sqrt((m * xx - sx * sx) * (m * yy - sy * sy));
}

/* `room` has room for n numbers. */
static errors_t errors(const chips_pair_t *pair, unsigned n, class_t class, const char *set,
                       double *room) {
  errors_t e = {0};
  for (unsigned i = 0; i < n; i++) {
    if (!is_in(&pair[i], class, set)) continue;
    const double off = chips_error(&pair[i], CHIPS_CYCLES);
    room[e.n++] = fabs(off);
    e.mean += fabs(off);
    e.within += fabs(off) <= 0.1;
    if (fabs(off) > fabs(e.worst)) e.worst = off;
    e.l2 += fabs(chips_error(&pair[i], CHIPS_L2_SECTORS));
    e.dram += fabs(chips_dram_error(&pair[i]));
  }
  if (e.n == 0) return e;
  qsort(room, e.n, sizeof *room, ascending);
  e.median = (room[(e.n - 1) / 2] + room[e.n / 2]) / 2;
  e.mean /= e.n, e.l2 /= e.n, e.dram /= e.n;
  e.correlation = correlation(pair, n, class, set);
  return e;
}

static void write_errors(FILE *out, const char *class, const char *set, const errors_t *e) {
  if (e->n == 0) return;
  fprintf(out, "| %s | %s | %u | %.1f | %.1f | %+.1f | %u | ", class, set, e->n, 100 * e->mean,
          100 * e->median, 100 * e->worst, e->within);
  if (isfinite(e->correlation))
    fprintf(out, "%.3f", e->correlation);
  else
    fprintf(out, "-");
  fprintf(out, " | %.1f | %.1f |\n", 100 * e->l2, 100 * e->dram);
}

static bool is_first(const chips_pair_t *pair, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (strcmp(pair[k].set, pair[i].set) == 0) return false;
  return true;
}

static void write_classes(FILE *out, const chips_pair_t *pair, unsigned n) {
  double *room = calloc(n + 1, sizeof *room);
  fprintf(out,
          "| launches | measured | how many | mean | median | worst | within 10 %% | correlation "
          "| L2 sectors | DRAM bytes |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (unsigned class = 0; room && class < CLASSES; class ++) {
    unsigned sets = 0;
    for (unsigned i = 0; i < n; i++) {
      if (!is_first(pair, i)) continue;
      const errors_t e = errors(pair, n, class, pair[i].set, room);
      write_errors(out, class_name[class], pair[i].set, &e);
      sets++;
    }
    if (sets < 2) continue;
    const errors_t e = errors(pair, n, class, NULL, room);
    write_errors(out, class_name[class], sets == 2 ? "both" : "all", &e);
  }
  free(room);
}

/* ---- every launch ------------------------------------------------------------- */

static void write_percent(FILE *out, double off) {
  if (isfinite(off))
    fprintf(out, " %+.0f |", 100 * off);
  else
    fprintf(out, " - |");
}

/* The three largest parts that have at least a twentieth. */
static void write_parts(FILE *out, const chips_pair_t *p) {
  enum { MOST = 3 };
  double below = INFINITY;
  for (unsigned k = 0; k < MOST; k++) {
    unsigned best = 0;
    double share = 0;
    for (unsigned i = 0; chips_part(i); i++)
      if (p->part[i] < below && p->part[i] > share) share = p->part[best = i];
    if (share < 0.05) break;
    fprintf(out, "%s %s %.0f", k ? "," : "", chips_part(best), 100 * share);
    below = share;
  }
}

static void write_launch(FILE *out, const chips_pair_t *p) {
  fprintf(out, "| %s | %s | %u | `%s` | %.1f | %.0f | %.0f |", p->set, p->run, p->launch, p->kernel,
          1e-3 * p->ns, p->chip[CHIPS_CYCLES], p->model[CHIPS_CYCLES]);
  write_percent(out, chips_error(p, CHIPS_CYCLES));
  fprintf(out, " %s | %.2f | %.0f, %.0f |", p->memory_bound ? "memory" : "",
          p->model[CHIPS_INSTRUCTIONS] / p->chip[CHIPS_INSTRUCTIONS], p->chip[CHIPS_L1_HITS],
          p->model[CHIPS_L1_HITS]);
  write_percent(out, chips_error(p, CHIPS_L1_SECTORS));
  fprintf(out, " %.0f, %.0f |", p->chip[CHIPS_L2_HITS], p->model[CHIPS_L2_HITS]);
  write_percent(out, chips_error(p, CHIPS_L2_SECTORS));
  for (unsigned f = CHIPS_DRAM_READ; f <= CHIPS_DRAM_WRITTEN; f++)
    fprintf(out, " %.2f, %.2f |", 1e-6 * p->chip[f], 1e-6 * p->model[f]);
  write_parts(out, p);
  fprintf(out, " |\n");
}

/* ---- the worst ------------------------------------------------------------------ */

enum { WORST = 10 };

/* Writes what differs by more than a tenth, beyond the cycles. */
static void write_signs(FILE *out, const chips_pair_t *p) {
  const struct {
    const char *what;
    double off;
  } sign[] = {{"instructions", chips_error(p, CHIPS_INSTRUCTIONS)},
              {"L1 sectors", chips_error(p, CHIPS_L1_SECTORS)},
              {"L2 sectors", chips_error(p, CHIPS_L2_SECTORS)},
              {"DRAM bytes", chips_dram_error(p)}};
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof sign / sizeof *sign; i++)
    if (fabs(sign[i].off) > 0.1)
      fprintf(out, "%s%s %+.0f %%", n++ ? ", " : "", sign[i].what, 100 * sign[i].off);
  if (n == 0) fprintf(out, "nothing: the time of the same work");
}

/* The longest of a kernel's launches speaks for it. */
static bool speaks(const chips_pair_t *pair, unsigned n, unsigned i) {
  for (unsigned k = 0; k < n; k++)
    if (strcmp(pair[k].run, pair[i].run) == 0 && strcmp(pair[k].kernel, pair[i].kernel) == 0 &&
        (pair[k].ns > pair[i].ns || (pair[k].ns == pair[i].ns && k < i)))
      return false;
  return pair[i].ns >= CHIPS_LONG_NS;
}

static void write_worst(FILE *out, const chips_pair_t *pair, unsigned n) {
  double below = INFINITY;
  fprintf(out, "\n| run | kernel | error, %% | what else differs by more than 10 %% "
               "| the model's scheduler cycles, %% |\n| --- | --- | ---: | --- | --- |\n");
  for (unsigned k = 0; k < WORST; k++) {
    const chips_pair_t *worst = NULL;
    for (unsigned i = 0; i < n; i++) {
      const double off = fabs(chips_error(&pair[i], CHIPS_CYCLES));
      if (off < below && speaks(pair, n, i) &&
          (!worst || off > fabs(chips_error(worst, CHIPS_CYCLES))))
        worst = &pair[i];
    }
    if (!worst) break;
    below = fabs(chips_error(worst, CHIPS_CYCLES));
    fprintf(out, "| %s | `%s` | %+.0f | ", worst->run, worst->kernel,
            100 * chips_error(worst, CHIPS_CYCLES));
    write_signs(out, worst);
    fprintf(out, " |");
    write_parts(out, worst);
    fprintf(out, " |\n");
  }
}

void chips_page(FILE *out, const chips_pair_t *pair, unsigned n) {
  write_classes(out, pair, n);
  write_worst(out, pair, n);
  fprintf(out,
          "\n| set | run | launch | kernel | us | cycles, chip | model | error, %% | bound by "
          "| PTX / SASS | L1 hits, %% | L1 sectors, %% | L2 hits, %% | L2 sectors, %% "
          "| DRAM read, MB | written, MB | the model's scheduler cycles, %% |\n"
          "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: "
          "| ---: | ---: | ---: | --- |\n");
  for (unsigned i = 0; i < n; i++) write_launch(out, &pair[i]);
}

/* ---- the plot ----------------------------------------------------------------- */

static void add_points(micro_plot_t *p, const chips_pair_t *pair, unsigned n, bool bound) {
  const size_t s = micro_plot_series(p, bound ? "memory-bound" : "others", MICRO_POINTS, false);
  for (unsigned i = 0; i < n; i++)
    if (pair[i].memory_bound == bound)
      micro_series_add(p, s, pair[i].chip[CHIPS_CYCLES], pair[i].model[CHIPS_CYCLES]);
}

/* Where model and chip agree, from the shortest launch to the longest. */
static void add_diagonal(micro_plot_t *p, const chips_pair_t *pair, unsigned n) {
  const size_t s = micro_plot_series(p, "equal", MICRO_LINES, false);
  double least = INFINITY, most = 0;
  for (unsigned i = 0; i < n; i++) {
    least = fmin(least, pair[i].chip[CHIPS_CYCLES]);
    most = fmax(most, pair[i].chip[CHIPS_CYCLES]);
  }
  micro_series_add(p, s, least, least);
  micro_series_add(p, s, most, most);
}

int chips_plot(const chips_pair_t *pair, unsigned n, const char *dir, const char *name,
               mrpb_err_t *err) {
  micro_plot_t p = {.xlabel = "on the chip [cycles]",
                    .ylabel = "on the model [cycles]",
                    .log_x = true,
                    .log_y = true};
  snprintf(p.title, sizeof p.title, "%s: launches on model and chip", name);
  add_points(&p, pair, n, true);
  add_points(&p, pair, n, false);
  add_diagonal(&p, pair, n);
  const int rc = micro_plot_write(&p, dir, name, err);
  micro_plot_free(&p);
  return rc;
}
