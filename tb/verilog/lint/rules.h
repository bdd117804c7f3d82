/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of docs/verify/lint.md on the tokens of one module in one reading. */
#ifndef LINT_RULES_H
#define LINT_RULES_H

#include "verilog/lint/verilog.h"

enum { RULES_NAMES = 1024 };

/* Where a name may be read: from token `from` to token `to`. */
typedef struct {
  const token_t *name;
  size_t from, to;
  bool counts; /* the rounds of a loop; else a variable of this block, of whatever name */
} extent_t;

typedef struct {
  const verilog_t *v;
  const token_t **t; /* those of this reading, and an empty one at the end */
  size_t n;
  mrpb_err_t *err;
  const token_t *label[RULES_NAMES], *constant[RULES_NAMES];
  unsigned n_labels, n_constants;
  extent_t loop[RULES_NAMES]; /* of variables that count rounds, and of the variables of a block */
  unsigned n_loops;
} rules_t;

/* All rules for the tokens of `reading`. 0, or -1 and a message. */
int rules_check(const verilog_t *v, unsigned reading, const char *stem, mrpb_err_t *err);

/* The statement at `i` of an always, initial or function; the token behind it, or 0 and a message.
 */
size_t rules_always(rules_t *r, size_t i);
size_t rules_initial(rules_t *r, size_t i);
size_t rules_function(rules_t *r, size_t i);

bool rules_has(const token_t *const *names, unsigned n, const token_t *t);
int rules_add(rules_t *r, const token_t **names, unsigned *n, const token_t *t);

#endif
