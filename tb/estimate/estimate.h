/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates what hardware costs, for one configuration or for several side by side. Everything is
 * written below one folder: report.md and estimate.json (report.h), and the files behind them. The
 * order of calls is: fill in `opt`, estimate_open, estimate_report, estimate_close. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "config/config.h"
#include "err.h"
#include "estimate/cacti.h"
#include "estimate/logic_options.h"
#include "estimate/storage.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum {
  ESTIMATE_COLUMNS = 16,
  ESTIMATE_SETS = 64,
  ESTIMATE_VARIES = 4,
  ESTIMATE_RUN = 64,
  ESTIMATE_NAME = 96,
  ESTIMATE_PATH = 1024
};

/* The user's options; the strings are not copied. */
typedef struct {
  const char *config; /* a file, NULL: the defaults (Base-S) */
  const char *out;    /* the folder, NULL: build/estimate/<configuration> */
  const char *set[ESTIMATE_SETS];
  unsigned n_sets;
  const char *vary[ESTIMATE_VARIES]; /* KEY=v1,v2,...: a column per value; several: all pairs */
  unsigned n_varies;
  cacti_options_t cacti;
  const char *activity;          /* activity.json of a run, or its folder; NULL: none */
  const char *run[ESTIMATE_RUN]; /* options of `mrpb run`: the kernel whose activity is measured */
  unsigned n_run;
  logic_options_t logic;
  bool energy;        /* energy of each event: docs/estimate/energy.md */
  bool (*stop)(void); /* polled while programs run; true ends the estimate; NULL: never */
} estimate_options_t;

/* An array of a column in CACTI. */
typedef struct {
  bool written[CACTI_VERSIONS]; /* there is an input for this version */
  char note[CACTI_VERSIONS][CACTI_NOTE];
  cacti_input_t input; /* for the version that was run */
  bool good;           /* it was run and gave `result` */
  cacti_result_t result;
} estimate_cacti_t;

/* One alternative: a column of the report's tables. */
typedef struct {
  char name[ESTIMATE_NAME]; /* the varied key, "MRPB_DEPTH=16"; else the configuration's name */
  config_t cfg;
  storage_t storage;
  estimate_cacti_t cacti[STORAGE_ARRAYS]; /* parallel to storage.array */
} estimate_column_t;

typedef struct {
  estimate_options_t opt;
  char name[ESTIMATE_NAME]; /* of the configuration: its file name without folder and ".conf" */
  char out[ESTIMATE_PATH];  /* the final folder */
  char work[ESTIMATE_PATH]; /* the folder until then: out/.part */
  bool fresh;               /* `out` did not exist before */
  estimate_column_t column[ESTIMATE_COLUMNS];
  unsigned n_columns;
  cacti_t cacti;     /* the binary, once tried; `named` is "" before, or if there is none */
  mrpb_err_t failed; /* the first failed run that left a gap in the report: exit code 2 */
  bool stopped;      /* opt.stop() has ended it */
  json_t *brief;     /* texts: what the report begins with */
  json_t *missing;   /* lines: what could not be estimated, and what it would need */
  json_t *tools;     /* {"cacti": "6.5"}: programs that were run */
  json_t *files;     /* names of the files written, below `out` */
} estimate_t;

/* Sets the options of an estimate of the defaults. */
void estimate_defaults(estimate_options_t *o);
/* Reads the configuration and makes the columns; writes nothing yet. */
int estimate_open(estimate_t *e, mrpb_err_t *err);
void estimate_close(estimate_t *e);

/* The estimate is made in a folder inside `out`, which report.c begins and commits. The commit
 * moves all files to `out`, over those of an earlier estimate; report.md comes last. Without a
 * commit `out` stays as it was. */
int estimate_begin(estimate_t *e, mrpb_err_t *err);
int estimate_commit(estimate_t *e, mrpb_err_t *err);
void estimate_discard(estimate_t *e);

/* Makes the folder `name` of the estimate, with its parents. */
int estimate_folder(const estimate_t *e, const char *name, mrpb_err_t *err);
/* Writes one file of the estimate, such as "cacti/x.cfg", and lists it in estimate.json. A missing
 * newline at the end is added. The file's folder must exist. */
int estimate_write(estimate_t *e, const char *name, const char *text, mrpb_err_t *err);
/* The current path of a file of the estimate; "": its folder. */
int estimate_path(const estimate_t *e, const char *name, char path[ESTIMATE_PATH], mrpb_err_t *err);
/* The name of a file of column `column` below folder `kind`: "cacti/x.cfg" if there is one column,
 * otherwise "cacti/MRPB_DEPTH=4/x.cfg". `file` "" gives the folder. */
void estimate_name(const estimate_t *e, unsigned column, const char *kind, const char *file,
                   char name[ESTIMATE_PATH]);

/* The clock of a column in GHz: the one that was asked for, else CLOCK_SM. */
double estimate_clock(const estimate_t *e, unsigned column);

/* Closes a stream in memory. Returns false if something was not written. */
bool estimate_closed(FILE *f);

/* Adds a line to the report's list of what is missing. */
__attribute__((format(printf, 2, 3))) void estimate_missing(estimate_t *e, const char *format, ...);
/* Records a program that was run, with its version, for the report's head and for baselines. */
void estimate_tool(estimate_t *e, const char *name, const char *version);

#endif
