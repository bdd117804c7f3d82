/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of programs on the model and on a GPU side by side: counts of Nsight Compute (a table
 * that tests/silicon/counters.sh makes), counts of the model, and how far they are apart.
 * docs/silicon.md. */
#ifndef CHIPS_H
#define CHIPS_H

#include "config/config.h"
#include "err.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdio.h>

/* A table of comma-separated values: a line of names, then rows. Fields may be quoted. */
typedef struct {
  char *path, *text;
  const char **field;     /* row after row; the first row has the names */
  unsigned columns, rows; /* without the names */
} chips_table_t;

/* Returns 0, or -1 and a message "file:line: what; what is legal". */
int chips_table_read(chips_table_t *t, const char *path, mrpb_err_t *err);
void chips_table_free(chips_table_t *t);
/* The number of column `name`; -1 and a message if there is none. */
int chips_column(const chips_table_t *t, const char *name, mrpb_err_t *err);
const char *chips_field(const chips_table_t *t, unsigned row, int column);
/* A number at least 0. Returns 0, or -1 and a message. */
int chips_number(const chips_table_t *t, unsigned row, int column, double *value, mrpb_err_t *err);

/* ---- the model --------------------------------------------------------------------------------- */

/* Writes the names of the columns of a table of the model's counts. */
void chips_model_head(FILE *out);
/* Runs the next `launches` launches of `w`, or fewer if it ends, each as Nsight Compute runs them:
 * with an empty L2. Writes a row for each. Returns 0, or -1 and a message. */
int chips_model_run(FILE *out, const char *run, unsigned launches, const config_t *cfg,
                    workload_t *w, mrpb_err_t *err);

/* ---- both -------------------------------------------------------------------------------------- */

typedef enum {
  CHIPS_CYCLES,
  CHIPS_INSTRUCTIONS, /* warp instructions: PTX on the model, SASS on the chip */
  CHIPS_L1_HITS,      /* percent of the sectors of loads */
  CHIPS_L1_SECTORS,   /* that the L1s got from the L2 */
  CHIPS_L2_HITS,      /* percent of the next */
  CHIPS_L2_SECTORS,   /* that the SMs read and wrote */
  CHIPS_DRAM_READ,    /* bytes */
  CHIPS_DRAM_WRITTEN, /* bytes */
  CHIPS_FIGURES
} chips_figure_t;

enum { CHIPS_PARTS = 16, CHIPS_LONG_NS = 10000 };

/* A launch. Texts belong to the tables. */
typedef struct {
  const char *set, *run, *kernel;
  unsigned launch; /* of the run */
  double ns;       /* on the chip */
  double chip[CHIPS_FIGURES], model[CHIPS_FIGURES];
  double part[CHIPS_PARTS]; /* shares of the scheduler cycles that have a warp: chips_part */
  bool memory_bound;        /* more than half of these wait for the memory */
} chips_pair_t;

/* The name of a part of a scheduler's cycles; NULL after the last. */
const char *chips_part(unsigned i);
/* The pairs of all launches with cold caches in `chip`, in its order. The caller frees *out. */
int chips_pairs(chips_pair_t **out, unsigned *n, const chips_table_t *chip,
                const chips_table_t *model, mrpb_err_t *err);
/* (model - chip) / chip; not finite if the chip has 0 and the model has not. */
double chips_error(const chips_pair_t *p, chips_figure_t f);
/* Of both kinds of traffic: sectors of the L2; bytes of the DRAM, read and written. */
double chips_dram_error(const chips_pair_t *p);

/* ---- the page ---------------------------------------------------------------------------------- */

/* Writes the tables as Markdown: errors by class, then every launch. */
void chips_page(FILE *out, const chips_pair_t *pair, unsigned n);
/* Draws cycles of the model over those of the chip: DIR/NAME.svg and .csv. */
int chips_plot(const chips_pair_t *pair, unsigned n, const char *dir, const char *name,
               mrpb_err_t *err);

#endif
