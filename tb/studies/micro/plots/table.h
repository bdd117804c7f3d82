/* SPDX-License-Identifier: Apache-2.0 */
/* What a study found, what the model was configured with and what was published, side by side. A
 * deduction that misses the configuration has failed; a difference from the publication is
 * reported. As text, Markdown and JSON. */
#ifndef MICRO_TABLE_H
#define MICRO_TABLE_H

#include "err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MICRO_TABLE_TEXT = 120 };

/* Nothing, a number, words; or, of what was deduced, bounds that hold the number (`hi` INFINITY: at
 * least `number`; `number` -INFINITY: at most `hi`), or that it could not be decided. */
typedef struct {
  enum { MICRO_NONE, MICRO_NUMBER, MICRO_WORDS, MICRO_RANGE, MICRO_UNDECIDED } kind;
  double number, hi;
  char words[MICRO_TABLE_TEXT];
} micro_value_t;

micro_value_t micro_none(void);
micro_value_t micro_number(double v);
/* A number if both bounds are the same; not decided if they contradict each other. */
micro_value_t micro_range(double lo, double hi);
micro_value_t micro_at_least(double lo);
micro_value_t micro_at_most(double hi);
micro_value_t micro_undecided(void);
__attribute__((format(printf, 1, 2))) micro_value_t micro_words(const char *fmt, ...);

/* How far apart two numbers may lie; words must be the same. */
typedef enum {
  MICRO_EXACT,
  MICRO_LATENCY, /* 2 % of the second or 2, whichever is more */
  MICRO_WITHIN,  /* `within` */
} micro_rule_t;

typedef enum {
  MICRO_EQUAL,
  MICRO_IS_WITHIN, /* the tolerance, or the bounds that were deduced */
  MICRO_DIFFERS,
  MICRO_NOT_KNOWN,
  MICRO_OPEN, /* the deduction did not decide; its note says why */
} micro_verdict_t;

/* Where the model has the row's value from. */
typedef enum {
  MICRO_EMERGES,  /* no key says it: it comes out of how the parts work together */
  MICRO_OF_KEYS,  /* one key, or a few by a formula: the instrument reads them back */
  MICRO_OF_TABLE, /* tb/device/ops.def, which was fitted to what was published of the GT200 */
} micro_origin_t;

typedef struct {
  char what[MICRO_TABLE_TEXT], unit[24], note[MICRO_TABLE_TEXT];
  char from[MICRO_TABLE_TEXT]; /* what it was deduced from */
  micro_origin_t origin;
  micro_value_t deduced, configured, published; /* none of the latter two: unknown */
  micro_rule_t rule;
  double within;
} micro_row_t;

typedef struct {
  micro_row_t *row;
  size_t n, room;
  bool failed; /* there was no memory for a row */
} micro_table_t;

/* A copy of `row` at the end. Without memory the table says so when it is written. */
void micro_table_add(micro_table_t *t, const micro_row_t *row);
void micro_table_free(micro_table_t *t);

/* `a` against `b`: MICRO_NOT_KNOWN if b is none; none against anything else differs; bounds are
 * right that hold b; what was not decided is never wrong. */
micro_verdict_t micro_compare(const micro_row_t *row, const micro_value_t *a,
                              const micro_value_t *b);
/* Deduced against configured, deduced against published. */
micro_verdict_t micro_deduction(const micro_row_t *row);
micro_verdict_t micro_publication(const micro_row_t *row);
/* "exact", "measured" (a number with a tolerance), "interval", "at least", "at most", "not decided",
 * "none". */
const char *micro_sure_word(const micro_row_t *row);
/* "key", "table", "emerges". */
const char *micro_origin_word(const micro_row_t *row);
/* "equal", "within", "differs", "not decided", and "not configured" or "not published". */
const char *micro_deduction_word(const micro_row_t *row);
const char *micro_publication_word(const micro_row_t *row);
/* Rows whose deduction differs from the configuration: not 0 is exit code 1. */
size_t micro_table_failures(const micro_table_t *t);

/* A value of the column `deduced`: "128", "at least 64", "not decided". */
void micro_value_text(const micro_value_t *v, char text[MICRO_TABLE_TEXT]);
/* Aligned for a terminal; -1 and a message without memory for the rows. */
int micro_table_text(const micro_table_t *t, FILE *f, mrpb_err_t *err);
int micro_table_markdown(const micro_table_t *t, FILE *f, mrpb_err_t *err);
/* An array of objects; NULL without memory. */
json_t *micro_table_json(const micro_table_t *t);

#endif
