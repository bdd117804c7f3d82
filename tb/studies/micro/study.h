/* SPDX-License-Identifier: Apache-2.0 */
/* The studies of `mrpb micro`: each runs its kernels on the device, plots what its paper plots,
 * deduces the structure from the latencies alone, and adds rows to one table: deduced, configured,
 * published. */
#ifndef MICRO_STUDY_H
#define MICRO_STUDY_H

#include "studies/micro/kernels/bench.h"
#include "studies/micro/plots/plot.h"
#include "studies/micro/plots/table.h"

#include <stdio.h>

typedef struct {
  bench_gpu_t on;            /* what the study runs on */
  const device_cfg_t *cfg;   /* the model that it is compared with; NULL: the GPU is no model */
  const struct live *live;   /* the GPU, if it is one of this machine (live.h) */
  struct measured *measured; /* what it gives is written down, or read (kernels/measured.h) */
  const char *gpu;           /* the configuration's name: whose published values count */
  const char *name;          /* of the study */
  const char *folder;        /* for plots and CSV */
  const char *from;          /* what the rows to come are deduced from, in a few words */
  bool of_table;             /* rows to come that no key says come from the table of GT200 */
  FILE *out;                 /* for what it finds */
  micro_table_t table;
} study_t;

typedef struct {
  const char *name; /* as in `mrpb micro NAME` */
  const char *gpus; /* " m2070 k20 ": whom the paper measured; `mrpb micro all` runs it for these */
  unsigned regs;    /* of a thread of its kernels */
  const char *doc;
  int (*run)(study_t *s, mrpb_err_t *err); /* -1 and a message */
} study_class_t;

#define STUDY(id, name, gpus, regs, doc) int study_##id(study_t *s, mrpb_err_t *err);
#include "studies/micro/studies.def"
#undef STUDY

/* The i-th study; NULL after the last. Listed in tb/studies/micro/studies.def. */
const study_class_t *study_at(unsigned i);
const study_class_t *study_find(const char *name);
/* The paper measured this on the GPU. */
bool study_is_of(const study_class_t *c, const char *gpu);
/* Its kernels can be launched on s->on; else a row says that nothing was measured, and why. */
bool study_fits(study_t *s, const study_class_t *c);

/* Blocks may have so much shared memory; else a row says that nothing was measured. */
bool study_has_shared(study_t *s, uint32_t bytes);

/* What the column `configured` is made of, and nothing else: deductions and choices look at
 * s->on.limits, or measure. Of a GPU that is no model all rows leave that column empty; the values
 * are then any. */
const device_cfg_t *study_known(const study_t *s);

/* Cycles, configured, from an instruction of a warp to its next, at least. */
double study_issue(const study_t *s);

/* Cycles, configured, of a load that the L1D has, one after the other: not before the next is issued. */
double study_l1d_hit(const study_t *s);

/* Cycles, configured, by which the SM that is measured alone is farther than the mean. */
double study_farther(const study_t *s);

/* What was published about `what` of this study on this GPU (tb/studies/micro/published.def). */
micro_value_t study_published(const study_t *s, const char *what);

/* Adds a row: what was published and where are filled in. */
void study_add(study_t *s, const micro_row_t *row);
/* A row: numbers, NAN for none. `published` is looked up under `what`. */
void study_row(study_t *s, const char *what, const char *unit, double deduced, double configured,
               micro_rule_t rule, const char *note);
/* The same, and `within` so much of each other counts as right. */
void study_row_within(study_t *s, const char *what, const char *unit, double deduced,
                      double configured, double within, const char *note);
/* The same of any value: bounds, not decided. */
void study_row_value(study_t *s, const char *what, const char *unit, micro_value_t deduced,
                     double configured, micro_rule_t rule, const char *note);
/* The time of one access: bounds, where a tick of the clock is longer than rows may differ. */
micro_value_t study_cycles(const study_t *s, double cycles);
/* The same in words, NULL for none. */
void study_row_words(study_t *s, const char *what, const char *deduced, const char *configured,
                     const char *note);
/* Words that could not be decided, and why. */
void study_row_open(study_t *s, const char *what, const char *configured, const char *why);
/* This study's row of that name; NULL: none. */
const micro_row_t *study_find_row(const study_t *s, const char *what);
/* Another value in that row, and why: bounds, not decided. */
void study_instead(study_t *s, const char *what, micro_value_t value, const char *why);
/* A part of the study begins that has not always been in it. *there false: the record that the GPU is has
 * not got it, and a row says so. */
int study_part(study_t *s, const char *name, bool *there, mrpb_err_t *err);
/* Takes back what that row says: `why` contradicts it. */
void study_doubt(study_t *s, const char *what, const char *why);
/* Writes <folder>/<gpu>-<name>.svg and .csv and frees the plot. */
int study_plot(const study_t *s, const char *name, micro_plot_t *plot, mrpb_err_t *err);
int study_timeline(const study_t *s, const char *name, micro_plot_t *plot, mrpb_err_t *err);

#endif
