/* SPDX-License-Identifier: Apache-2.0 */
/* Which outputs of a module are answers, and under which condition (answers.def,
 * docs/verify/upset.md). A module without lines in the table has one answer, which is always
 * present and has every output as its payload. */
#ifndef UPSET_ANSWERS_H
#define UPSET_ANSWERS_H

#include "module.h"

#include <stdbool.h>
#include <stdio.h>

enum { UPSET_ANSWERS = 16, UPSET_SIGNALS = 4 };

/* The output that says that an upset was detected. */
#define UPSET_ERROR "error_o"

/* Some outputs, as ranges of words. */
typedef struct {
  unsigned n;
  struct {
    unsigned word, words;
  } range[MODULE_MAX_PORTS];
} upset_outputs_t;

typedef struct {
  const char *name;
  unsigned n_conditions;
  struct {
    unsigned word;
    bool input, inverted;
  } condition[UPSET_SIGNALS];
  upset_outputs_t payload;
} upset_answer_t;

typedef struct {
  unsigned n;
  int error;           /* the word of UPSET_ERROR; -1: the module has none */
  upset_outputs_t all; /* every output */
  upset_answer_t answer[UPSET_ANSWERS];
} upset_answers_t;

/* Returns 0, or -1 and a message if the table names a port that the module does not have. */
int upset_answers(upset_answers_t *to, const module_class_t *cls, const uint32_t *cfg,
                  mrpb_err_t *err);

/* Whether the answer is present in a cycle with these inputs and outputs. */
bool upset_present(const upset_answer_t *a, const uint64_t *in, const uint64_t *out);
/* Whether both sides show the same in these outputs. */
bool upset_same(const upset_outputs_t *some, const uint64_t *out, const uint64_t *other);

/* Prints the table as Markdown. */
void upset_answers_page(FILE *out);

#endif
