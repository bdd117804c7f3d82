/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's figures as experiments: a list of programs, a list of design points, a metric, and
 * the published numbers beside the measured ones. An experiment is a text file
 * (configs/figures/<id>.fig, docs/experiments.md explains its lines); every pair of program and point
 * is a point of a sweep (studies/sweep/sweep.h), made once whatever number of figures needs it. */
#ifndef FIGURES_H
#define FIGURES_H

#include "config/config.h"
#include "err.h"
#include "studies/sweep/sweep.h"

#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum {
  FIGURES_NAME = 64,
  FIGURES_TEXT = 256,
  FIGURES_MAX_PROGRAMS = 64,
  FIGURES_MAX_POINTS = 16,
  FIGURES_MAX_SETTINGS = 24,
  FIGURES_MAX_PUBLISHED = 24,
  FIGURES_MAX_NOTES = 16,
  FIGURES_MAX_BEST = 12,
  FIGURES_METRICS = 13
};

/* A program on one of the two base configurations: "atax-s". */
typedef struct {
  char name[FIGURES_NAME];  /* as `mrpb run --kernel` has it */
  char group[FIGURES_NAME]; /* "polybench-s": what means are taken over */
  char type[8];             /* CI, IW, XW or - */
  char base;                /* 's' or 'l' */
  char quick[FIGURES_TEXT]; /* options of a quick run */
} figures_program_t;

/* KEY=VALUE, for one base only if `base` is not 0. */
typedef struct {
  char base;
  char text[FIGURES_NAME];
} figures_setting_t;

/* A design point: settings on top of the base configuration; with `best` values the best of the
 * runs that set `best_key` to each of them. */
typedef struct {
  char name[FIGURES_NAME];
  figures_setting_t setting[FIGURES_MAX_SETTINGS];
  unsigned n_settings;
  char best_key[FIGURES_NAME];
  char best[FIGURES_MAX_BEST][16];
  unsigned n_best;
  double area; /* mm2 that it adds to an SM of the base configuration; 0: not said */
} figures_point_t;

typedef enum { FIGURES_GEOMEAN, FIGURES_MEAN, FIGURES_MAX, FIGURES_MIN } figures_aggregate_t;

/* A published number: aggregate over `group` of the metric at `point`, over the metric at `over` (a
 * point, "base", or "shared"). */
typedef struct {
  double value;
  figures_aggregate_t aggregate;
  char metric[FIGURES_NAME], point[FIGURES_NAME], over[FIGURES_NAME], group[FIGURES_NAME];
  char text[FIGURES_TEXT];
} figures_published_t;

typedef struct {
  char id[FIGURES_NAME], title[FIGURES_TEXT], reading[FIGURES_TEXT * 2], ylabel[FIGURES_TEXT];
  char metric[FIGURES_NAME];
  /* What a bar is relative to: "" its program's base run; a program, "srad-s": that one's;
   * "shared": of an unshared program "x-u" the base run of "x". */
  char normalise[FIGURES_NAME];
  bool stacked;     /* the metric is a list of parts of the base run: no points */
  bool groups_only; /* bars for the groups' means only */
  figures_program_t program[FIGURES_MAX_PROGRAMS];
  unsigned n_programs;
  figures_point_t point[FIGURES_MAX_POINTS];
  unsigned n_points;
  figures_published_t published[FIGURES_MAX_PUBLISHED];
  unsigned n_published;
  char note[FIGURES_MAX_NOTES][FIGURES_TEXT];
  unsigned n_notes;
} figures_experiment_t;

/* Reads `path`; programs are looked up in `list` (configs/figures/programs.list). */
int figures_read(figures_experiment_t *e, const char *path, const char *list, mrpb_err_t *err);

/* The experiments' files in `folder`, NAME.fig, by name: `names` is the caller's to free, each entry and the whole, as after
 * scandir. How many; -1 and a message. */
int figures_files(const char *folder, struct dirent ***names, mrpb_err_t *err);

/* ---- runs ------------------------------------------------------------------ */

enum { FIGURES_MAX_WORDS = 32 };

/* One run: all that its result depends on. */
typedef struct {
  char options[FIGURES_TEXT];          /* where the words lie, each with its end */
  const char *word[FIGURES_MAX_WORDS]; /* arguments of `mrpb run` */
  unsigned n_words;
  bool cut;
  config_t cfg;
  uint64_t program, hash; /* of the words, of the configuration */
} figures_run_t;

typedef struct {
  sweep_t sweep; /* its list and store are the campaign's */
  const char *db;
  sweep_store_t *store; /* open for reading, when results are loaded; NULL: nothing is there */
  config_t base_s, base_l;
  bool quick;
  /* The runs of these programs alone; none: of all. */
  const char *const *only;
  unsigned n_only;
} figures_campaign_t;

/* Reads the base configurations, base-s.conf and base-l.conf in folder `configs`. */
int figures_read_bases(figures_campaign_t *c, const char *configs, mrpb_err_t *err);

/* The run of `program` at `point` (NULL: the base), with value `best` of its best key. */
int figures_make_run(const figures_campaign_t *c, const figures_program_t *program,
                     const figures_point_t *point, unsigned best, figures_run_t *run,
                     mrpb_err_t *err);

/* Runs what is missing for the experiments, and what has failed before. 0; 1: some run failed (its
 * line is in the log); -1: a message; 130: stopped. */
int figures_run_all(const figures_campaign_t *c, const figures_experiment_t *e, unsigned n,
                    mrpb_err_t *err);

/* ---- results --------------------------------------------------------------- */

/* A number out of a result: "cycles", "speed" (1 / cycles), "ipc", "misses", "packets", ...; the
 * names are those of figures_metric_doc. NAN if the result lacks it. */
double figures_metric(const json_t *result, const char *metric);
const char *figures_metric_name(unsigned i); /* NULL after the last */
const char *figures_metric_doc(unsigned i);
bool figures_metric_known(const char *metric);

/* What a program's run at a point came to; of several values to choose from the fastest run. */
typedef struct {
  uint64_t hash; /* of the configuration; of the first value's */
  double metric[FIGURES_METRICS];
} figures_bar_t;

/* An experiment's results, read once: bar[p * (n_points + 1) + q] is that of program p at point q,
 * the base at q = n_points. Metrics are NAN where the run is not there. */
typedef struct {
  const figures_experiment_t *e;
  bool quick;
  figures_bar_t *bar;
} figures_results_t;

/* -1 and a message if a point has no legal configuration, or when out of memory. */
int figures_load(figures_results_t *r, const figures_campaign_t *c, const figures_experiment_t *e,
                 mrpb_err_t *err);
void figures_unload(figures_results_t *r);

/* Program p at point q (n_points: the base). */
const figures_bar_t *figures_bar(const figures_results_t *r, unsigned p, unsigned q);
double figures_value(const figures_results_t *r, unsigned p, unsigned q, const char *metric);

/* The program whose base run `over` (a figures_experiment_t.normalise) means for program p. */
unsigned figures_reference(const figures_experiment_t *e, unsigned p, const char *over);

/* Aggregate over the programs of `group` (NULL: all) of metric(point) / metric(over). */
double figures_aggregate(const figures_results_t *r, const figures_published_t *what);

/* Bars that can be drawn, of `all`; a run that is `missing` leaves a gap, and so does a bar that
 * would be over 0. */
unsigned figures_drawn(const figures_results_t *r, unsigned *all, unsigned *missing);

/* Is there a picture? Of means alone there is none until a whole group has been run. */
bool figures_pictured(const figures_results_t *r);

/* Writes <out>/<id>.csv, and <out>/<id>.svg from it (none if there is no bar to draw): both, or after
 * an error none, and what was there before stays. */
int figures_plot(const figures_results_t *r, const char *out, mrpb_err_t *err);
/* The second half of that: the picture from a CSV file that is there, <out>/<id>.<kind>, "svg" or "png".
 */
int figures_redraw(const figures_experiment_t *e, const char *out, const char *kind, bool quick,
                   mrpb_err_t *err);

/* Writes the page of all `n` experiments, at least 1. */
int figures_page(const figures_results_t *r, unsigned n, const char *path, const char *images,
                 mrpb_err_t *err);

#endif
