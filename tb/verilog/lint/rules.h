/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the rules of docs/verify/lint.md on the tokens of one module in one reading. */
#ifndef LINT_RULES_H
#define LINT_RULES_H

#include "verilog/lint/verilog.h"

enum { RULES_NAMES = 1024 };

/* Where a name may be read: from token `from` to token `to`. */
typedef struct {
  const token_t *name;
  size_t from, to;
  bool counts; /* counts a loop's iterations; otherwise any variable of this block */
} extent_t;

typedef struct {
  const verilog_t *v;
  const token_t **t; /* the tokens of this reading, followed by an empty one */
  size_t n;
  mrpb_err_t *err;
  const token_t *label[RULES_NAMES], *constant[RULES_NAMES];
  unsigned n_labels, n_constants;
  extent_t loop[RULES_NAMES]; /* of loop variables, and of the variables of a block */
  unsigned n_loops;
} rules_t;

/* Checks all rules on the tokens of `reading`. Returns 0, or -1 and a message in err. */
int rules_check(const verilog_t *v, unsigned reading, const char *stem, mrpb_err_t *err);

/* Check the statement at `i` of an always, initial or function. Return the token after it, or 0 and
 * a message. */
size_t rules_always(rules_t *r, size_t i);
size_t rules_initial(rules_t *r, size_t i);
size_t rules_function(rules_t *r, size_t i);

bool rules_has(const token_t *const *names, unsigned n, const token_t *t);
int rules_add(rules_t *r, const token_t **names, unsigned *n, const token_t *t);

#endif
