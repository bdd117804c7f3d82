/* SPDX-License-Identifier: Apache-2.0 */
/* A table with what a study deduced, what the model was configured with and what was published,
 * side by side. A deduction that misses the configuration has failed; a difference from the
 * publication is only reported. Written as text, Markdown and JSON. */
#ifndef MICRO_TABLE_H
#define MICRO_TABLE_H

#include "err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MICRO_TABLE_TEXT = 120 };

/* Nothing, a number, or words. A deduced value may also be bounds that contain the number (`hi`
 * INFINITY: at least `number`; `number` -INFINITY: at most `hi`), or undecided. */
typedef struct {
  enum { MICRO_NONE, MICRO_NUMBER, MICRO_WORDS, MICRO_RANGE, MICRO_UNDECIDED } kind;
  double number, hi;
  char words[MICRO_TABLE_TEXT];
} micro_value_t;

micro_value_t micro_none(void);
micro_value_t micro_number(double v);
/* A number if both bounds are equal; undecided if they contradict each other. */
micro_value_t micro_range(double lo, double hi);
micro_value_t micro_at_least(double lo);
micro_value_t micro_at_most(double hi);
micro_value_t micro_undecided(void);
__attribute__((format(printf, 1, 2))) micro_value_t micro_words(const char *fmt, ...);

/* How far apart two numbers may lie; words must be equal. */
typedef enum {
  MICRO_EXACT,
  MICRO_LATENCY, /* 2 % of the second number or 2, whichever is more */
  MICRO_WITHIN,  /* at most `within` */
} micro_rule_t;

/* By how much latencies that count as equal may differ from this one. */
double micro_tolerance(double cycles);

typedef enum {
  MICRO_EQUAL,
  MICRO_IS_WITHIN, /* within the tolerance or the deduced bounds */
  MICRO_DIFFERS,
  MICRO_NOT_KNOWN,
  MICRO_OPEN, /* undecided; the row's note says why */
} micro_verdict_t;

/* Where the row's value comes from in the model. */
typedef enum {
  MICRO_EMERGES, /* no key sets it: it results from how the parts work together */
  MICRO_OF_KEYS, /* set by one key, or a few by a formula: the study reads it back */
  MICRO_OF_TABLE, /* set by tb/gpu/inorder/ops.def, which was fitted to published values of the GT200 */
} micro_origin_t;

typedef struct {
  char what[MICRO_TABLE_TEXT], unit[24], note[MICRO_TABLE_TEXT];
  char from[MICRO_TABLE_TEXT]; /* what the value was deduced from */
  micro_origin_t origin;
  micro_value_t deduced, configured, published; /* MICRO_NONE for the latter two: unknown */
  micro_rule_t rule;
  double within;
} micro_row_t;

typedef struct {
  micro_row_t *row;
  size_t n, room;
  bool failed; /* out of memory for a row */
} micro_table_t;

/* Appends a copy of `row`. If out of memory, writing the table reports it. */
void micro_table_add(micro_table_t *t, const micro_row_t *row);
void micro_table_free(micro_table_t *t);

/* Compares deduced with configured, and deduced with published. MICRO_NOT_KNOWN if the latter is
 * none; if only the deduced value is none, they differ. Bounds that contain a number are right. An
 * undecided value is never wrong. */
micro_verdict_t micro_deduction(const micro_row_t *row);
micro_verdict_t micro_publication(const micro_row_t *row);
/* How sure the deduction is: "exact", "measured" (a number with a tolerance), "interval", "at
 * least", "at most", "not decided", "none". */
const char *micro_sure_word(const micro_row_t *row);
/* "equal", "within", "differs", "not decided", and "not configured" or "not published". */
const char *micro_deduction_word(const micro_row_t *row);
const char *micro_publication_word(const micro_row_t *row);
/* The number of rows whose deduction differs from the configuration; if not 0, the exit code is
 * 1. */
size_t micro_table_failures(const micro_table_t *t);

/* A value as the column `deduced` shows it: "128", "at least 64", "not decided". */
void micro_value_text(const micro_value_t *v, char text[MICRO_TABLE_TEXT]);
/* Writes the table aligned for a terminal. Returns 0, or -1 and a message in err if out of memory
 * for the rows. */
int micro_table_text(const micro_table_t *t, FILE *f, mrpb_err_t *err);
int micro_table_markdown(const micro_table_t *t, FILE *f, mrpb_err_t *err);
/* An array of objects; NULL if out of memory. */
json_t *micro_table_json(const micro_table_t *t);

#endif
