/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's figures as experiments: a list of programs, a list of design points, a metric, and
 * the published numbers beside the measured ones. An experiment is a text file
 * (configs/figures/<id>.fig; docs/experiments.md explains its lines). Every pair of program and
 * point is one point of a sweep (studies/sweep/sweep.h) and runs once, however many figures need
 * it. */
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

/* A program on one of the two base configurations, such as "atax-s". */
typedef struct {
  char name[FIGURES_NAME];  /* as `mrpb run --kernel` names it */
  char group[FIGURES_NAME]; /* the group that means are taken over: "polybench-s" */
  char type[8];             /* CI, IW, XW or - */
  char base;                /* 's' or 'l' */
  char quick[FIGURES_TEXT]; /* options of a quick run */
} figures_program_t;

/* KEY=VALUE. If `base` is not 0, the setting applies to that base only. */
typedef struct {
  char base;
  char text[FIGURES_NAME];
} figures_setting_t;

/* A design point: settings on top of the base configuration. If it has `best` values, one run sets
 * `best_key` to each of them, and the fastest run counts. */
typedef struct {
  char name[FIGURES_NAME];
  figures_setting_t setting[FIGURES_MAX_SETTINGS];
  unsigned n_settings;
  char best_key[FIGURES_NAME];
  char best[FIGURES_MAX_BEST][16];
  unsigned n_best;
  double area; /* mm2 that the point adds to an SM of the base configuration; 0: not given */
} figures_point_t;

typedef enum { FIGURES_GEOMEAN, FIGURES_MEAN, FIGURES_MAX, FIGURES_MIN } figures_aggregate_t;

/* A published number: the aggregate over `group` of the metric at `point` divided by the metric at
 * `over` (a point, "base", or "shared"). */
typedef struct {
  double value;
  figures_aggregate_t aggregate;
  char metric[FIGURES_NAME], point[FIGURES_NAME], over[FIGURES_NAME], group[FIGURES_NAME];
  char text[FIGURES_TEXT];
} figures_published_t;

typedef struct {
  char id[FIGURES_NAME], title[FIGURES_TEXT], reading[FIGURES_TEXT * 2], ylabel[FIGURES_TEXT];
  char metric[FIGURES_NAME];
  /* What a bar is relative to. "": the base run of its own program; a program such as "srad-s": the
   * base run of that program; "shared": for an unshared program "x-u", the base run of "x". */
  char normalise[FIGURES_NAME];
  bool stacked;     /* the metric is a list of parts of the base run; there are no points */
  bool groups_only; /* draw bars for the groups' means only */
  bool one_base;    /* programs and groups are named without -s and -l; the base is 's' */
  figures_program_t program[FIGURES_MAX_PROGRAMS];
  unsigned n_programs;
  figures_point_t point[FIGURES_MAX_POINTS];
  unsigned n_points;
  figures_published_t published[FIGURES_MAX_PUBLISHED];
  unsigned n_published;
  char note[FIGURES_MAX_NOTES][FIGURES_TEXT];
  unsigned n_notes;
} figures_experiment_t;

/* Reads the experiment in `path` and looks its programs up in `list`
 * (configs/figures/programs.list). Returns 0, or -1 and a message in err. */
int figures_read(figures_experiment_t *e, const char *path, const char *list, mrpb_err_t *err);

/* Lists the experiment files NAME.fig in `folder`, sorted by name. The caller frees each entry of
 * `names` and `names` itself, as after scandir. Returns how many there are, or -1 and a message in
 * err. */
int figures_files(const char *folder, struct dirent ***names, mrpb_err_t *err);

/* ---- runs ------------------------------------------------------------------ */

enum { FIGURES_MAX_WORDS = 32 };

/* One run: everything that its result depends on. */
typedef struct {
  char options[FIGURES_TEXT];          /* holds the words, each with its terminator */
  const char *word[FIGURES_MAX_WORDS]; /* arguments of `mrpb run` */
  unsigned n_words;
  bool cut;
  config_t cfg;
  uint64_t program, hash; /* hashes of the words and of the configuration */
} figures_run_t;

typedef struct {
  sweep_t sweep; /* the campaign owns its list and its store */
  const char *db;
  sweep_store_t *store; /* open for reading when results are loaded; NULL: no results yet */
  config_t base_s, base_l;
  bool quick;
  bool every; /* every point is run, and whole */
  /* If n_only > 0, only the runs of these programs are made. */
  const char *const *only;
  unsigned n_only;
} figures_campaign_t;

/* Reads the base configurations, base-s.conf and base-l.conf, from the folder `configs`. Returns 0,
 * or -1 and a message in err. */
int figures_read_bases(figures_campaign_t *c, const char *configs, mrpb_err_t *err);

/* Makes the run of `program` at `point` (NULL: the base) with value number `best` of the point's
 * best key. Returns 0, or -1 and a message in err. */
int figures_make_run(const figures_campaign_t *c, const figures_program_t *program,
                     const figures_point_t *point, unsigned best, figures_run_t *run,
                     mrpb_err_t *err);

/* Makes the runs that the experiments lack, and repeats those that failed before. Returns 0; 1 if
 * some run failed (its line is in the log); 130 if it was stopped; or -1 and a message in err. */
int figures_run_all(const figures_campaign_t *c, const figures_experiment_t *e, unsigned n,
                    mrpb_err_t *err);

/* ---- results --------------------------------------------------------------- */

bool figures_metric_known(const char *metric);

/* The result of a program's run at a point. If the point has several best values, it is the result
 * of the fastest run. */
typedef struct {
  uint64_t hash; /* of the configuration; with several best values, of the first */
  double metric[FIGURES_METRICS];
} figures_bar_t;

/* An experiment's results, read once. bar[p * (n_points + 1) + q] is program p at point q; q =
 * n_points is the base. Metrics are NAN where the run is missing. */
typedef struct {
  const figures_experiment_t *e;
  bool quick;
  figures_bar_t *bar;
} figures_results_t;

/* Returns 0, or -1 and a message in err if a point has no legal configuration or if out of
 * memory. */
int figures_load(figures_results_t *r, const figures_campaign_t *c, const figures_experiment_t *e,
                 mrpb_err_t *err);
void figures_unload(figures_results_t *r);

/* Program p at point q; q = n_points is the base. */
const figures_bar_t *figures_bar(const figures_results_t *r, unsigned p, unsigned q);
double figures_value(const figures_results_t *r, unsigned p, unsigned q, const char *metric);

/* The program whose base run is the denominator for program p; `over` is read as in
 * figures_experiment_t.normalise. */
unsigned figures_reference(const figures_experiment_t *e, unsigned p, const char *over);

/* The aggregate over the programs of `group` (NULL: all) of metric(point) / metric(over). */
double figures_aggregate(const figures_results_t *r, const figures_published_t *what);

/* Returns how many bars can be drawn, and stores in *all how many there are and in *missing how
 * many lack their run. A missing run leaves a gap, and so does a bar whose denominator is 0. */
unsigned figures_drawn(const figures_results_t *r, unsigned *all, unsigned *missing);

/* Whether there is a picture. A figure of group means has none until a whole group has been run. */
bool figures_pictured(const figures_results_t *r);

/* Writes <out>/<id>.csv and draws <out>/<id>.svg from it (no SVG if there is no bar to draw).
 * Returns 0 after both, or -1 and a message in err; after an error the earlier files are
 * unchanged. */
int figures_plot(const figures_results_t *r, const char *out, mrpb_err_t *err);
/* The second half of figures_plot: draws <out>/<id>.<kind> from the existing CSV file; `kind` is
 * "svg" or "png". Returns 0, or -1 and a message in err. */
int figures_redraw(const figures_experiment_t *e, const char *out, const char *kind, bool quick,
                   mrpb_err_t *err);

/* Writes the page of all `n` experiments; n is at least 1. Returns 0, or -1 and a message in
 * err. */
int figures_page(const figures_results_t *r, unsigned n, const char *path, const char *images,
                 mrpb_err_t *err);

#endif
