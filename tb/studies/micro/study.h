/* SPDX-License-Identifier: Apache-2.0 */
/* The studies of `mrpb micro`. Each runs its kernels on the device, plots what its paper plots,
 * deduces the structure from the latencies alone, and adds rows to one table: deduced, configured,
 * published. */
#ifndef MICRO_STUDY_H
#define MICRO_STUDY_H

#include "studies/micro/kernels/bench.h"
#include "studies/micro/plots/plot.h"
#include "studies/micro/plots/table.h"

#include <math.h>
#include <stdio.h>

/* ROW_<id>: the rows of tb/studies/micro/rows.def, with their texts and units. */
typedef enum {
#define ROW(id, ...) ROW_##id,
#include "studies/micro/rows.def"
#undef ROW
  ROWS
} study_row_t;

typedef struct {
  bench_gpu_t on;            /* what the study runs on */
  const config_t *cfg;       /* the model to compare with; NULL: the GPU is not a model */
  const struct live *live;   /* the GPU, if it is one of this machine (live.h) */
  struct measured *measured; /* the record that is written or read (kernels/measured.h) */
  const char *gpu;           /* the configuration's name, under which published values are listed */
  const char *name;          /* of the study */
  const char *folder;        /* for plots and CSV */
  const char *from;          /* what the next rows are deduced from, in a few words */
  char of[MICRO_TABLE_TEXT]; /* what %s in the text of the next rows stands for; see study_of */
  bool of_table;             /* the next rows that no key sets come from the GT200's table */
  FILE *out;                 /* for the study's findings */
  micro_table_t table;
} study_t;

typedef struct {
  const char *name; /* as in `mrpb micro NAME` */
  const char *gpus; /* " m2070 k20 ": those of the paper; `mrpb micro all` runs it for these */
  unsigned regs;    /* registers of a thread of its kernels */
  const char *doc;
  void (*run)(study_t *s);
} study_class_t;

#define STUDY(id, name, gpus, regs, doc) void study_##id(study_t *s);
#include "studies/micro/studies.def"
#undef STUDY

/* The i-th study of tb/studies/micro/studies.def; NULL after the last. */
const study_class_t *study_at(unsigned i);
const study_class_t *study_find(const char *name);
/* Runs it; if s->on cannot launch its kernels, a row says so. An error stays (bench_ok): rows and
 * plots that follow are left out. Returns 0, or -1 and a message in err. */
int study_run(study_t *s, const study_class_t *c, mrpb_err_t *err);
static inline bool study_ok(const study_t *s) {
  return bench_ok(&s->on);
}
/* Whether the paper measured this on the GPU. */
bool study_is_of(const study_class_t *c, const char *gpu);
/* Whether blocks may have `bytes` of shared memory. If not, a row says that nothing was
 * measured. */
bool study_has_shared(study_t *s, uint32_t bytes);

/* ---- what is configured ------------------------------------------------------------ */

/* The values for the column `configured`, and for nothing else: deductions and choices use
 * s->on.limits, or measure. If the GPU is not a model, all rows leave that column empty, and these
 * values are arbitrary. */
const config_t *study_known(const study_t *s);

/* The value if it is configured; else none. */
static inline double study_if(bool configured, double value) {
  return configured ? value : (double)NAN;
}

/* The configured least number of cycles between two instructions of a warp. */
double study_issue(const study_t *s);

/* The configured cycles of dependent loads that hit in the L1D; at least the time until the next
 * can be issued. */
double study_l1d_hit(const study_t *s);

/* The configured cycles of texture loads that hit in the L1, and of those that hit in the L2. */
double study_texture_hit(const study_t *s);
double study_texture_miss(const study_t *s);

/* What limits the awaited lines with an L1D of that many: one MSHR each, or a line that is
 * allocated at the miss. */
double study_lines_awaited(const study_t *s, uint32_t lines);

/* The configured cycles by which the SM that is measured alone is farther away than the mean. */
double study_farther(const study_t *s);

/* ---- rows --------------------------------------------------------------------------- */

/* Says what %s in the texts of the next rows stands for; several are divided by |. */
__attribute__((format(printf, 2, 3))) void study_of(study_t *s, const char *format, ...);
/* The text of a row with that in place of %s. */
void study_row_text(study_row_t id, const char *of, char text[MICRO_TABLE_TEXT]);
/* The published value of a row on this GPU (tb/studies/micro/published.def). */
micro_value_t study_published(const study_t *s, study_row_t id);

/* Adds a row with its values, rule and tolerance; fills in text, unit, note, origin, the published
 * value and its source. */
void study_add(study_t *s, study_row_t id, const micro_row_t *row, const char *note);
/* Adds a row of numbers, NAN for none. */
void study_row(study_t *s, study_row_t id, double deduced, double configured, const char *note);
/* The same; values that differ by at most `within` count as equal. */
void study_row_within(study_t *s, study_row_t id, double deduced, double configured, double within,
                      const char *note);
/* The same for any deduced value, such as bounds or an undecided one. */
void study_row_value(study_t *s, study_row_t id, micro_value_t deduced, double configured,
                     const char *note);
/* The same, but not decided if there is a reason why it cannot be. */
void study_row_unless(study_t *s, const char *why, study_row_t id, micro_value_t deduced,
                      double configured, const char *note);
/* The time of one access; bounds if a tick of the clock is longer than the tolerance of rows. */
micro_value_t study_cycles(const study_t *s, double cycles);
/* The same as study_row in words, NULL for none. */
void study_row_words(study_t *s, study_row_t id, const char *deduced, const char *configured,
                     const char *note);
/* The same, but not decided if there is a reason why it cannot be. */
void study_row_words_unless(study_t *s, const char *why, study_row_t id, const char *deduced,
                            const char *configured, const char *note);
/* Adds a row of words that could not be decided, and why. */
void study_row_open(study_t *s, study_row_t id, const char *configured, const char *why);
/* Adds a row of something that was not measured, and why. */
void study_not_measured(study_t *s, study_row_t id, const char *why);
/* Returns `can`; if it is false, adds such a row. */
bool study_can(study_t *s, bool can, study_row_t id, const char *why);
/* This study's row; NULL: none. */
const micro_row_t *study_find_row(const study_t *s, study_row_t id);
/* Replaces the value in that row, and says why; for bounds and undecided values. */
void study_instead(study_t *s, study_row_t id, micro_value_t value, const char *why);
/* Withdraws the deduction of that row because `why` contradicts it. */
void study_doubt(study_t *s, study_row_t id, const char *why);
/* Begins a part that the study did not always have. If s->on is a record that lacks the part, a row
 * says so. Returns whether it is there. */
bool study_part(study_t *s, const char *name);
/* An empty plot with these labels; its title is "<gpu>: " and the rest. */
__attribute__((format(printf, 4, 5))) micro_plot_t
study_new_plot(const study_t *s, const char *xlabel, const char *ylabel, const char *format, ...);
/* Marks the published value of a row, if it is a number. */
void study_mark_published(const study_t *s, study_row_t id, micro_plot_t *plot);
/* Writes <folder>/<gpu>-<name>.svg and .csv, a timeline if the plot has bars, and frees the plot. */
void study_plot(const study_t *s, const char *name, micro_plot_t *plot);

#endif
