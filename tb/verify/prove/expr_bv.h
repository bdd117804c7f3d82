/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a map (verilog/design/expr.h) as vectors of literals. */
#ifndef PROVE_EXPR_BV_H
#define PROVE_EXPR_BV_H

#include "verilog/design/expr.h"
#include "verify/prove/bv.h"

/* Supplies the values of signals: all bits of `s->name`. */
typedef struct {
  bv_ctx_t *x;
  const scope_t *scope; /* expr_width has accepted the expression in this scope */
  void *ctx;
  bv_t (*signal)(void *ctx, const signal_t *s);
} expr_bv_t;

/* The value of the expression as expr_eval computes it: 64 bits, zeros above the expression's
 * width. */
bv_t expr_bv(const expr_bv_t *v, const expr_t *e);

#endif
