/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a map (verilog/design/expr.h) over literals. */
#ifndef PROVE_EXPR_BV_H
#define PROVE_EXPR_BV_H

#include "verilog/design/expr.h"
#include "verify/prove/bv.h"

/* What signals are: the bits of all of `s->name`. */
typedef struct {
  bv_ctx_t *x;
  const scope_t *scope; /* expr_width has accepted the expression in it */
  void *ctx;
  bv_t (*signal)(void *ctx, const signal_t *s);
} expr_bv_t;

/* Its value as expr_eval gives it: 64 bits, those above its width 0. */
bv_t expr_bv(const expr_bv_t *v, const expr_t *e);

#endif
