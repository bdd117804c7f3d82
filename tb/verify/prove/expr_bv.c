/* SPDX-License-Identifier: Apache-2.0 */
/* Performs each operation as expr_eval does, on 64 bits. */
#include "verify/prove/expr_bv.h"

#include <string.h>

enum { BITS = 64 };

static unsigned width_of(const expr_bv_t *v, const expr_t *e) {
  unsigned w = 1;
  mrpb_err_t unheard = {""};
  (void)expr_width(e, v->scope, &w, &unheard);
  return w < BITS ? w : BITS;
}

static bv_t low_bits(const expr_bv_t *v, bv_t a, unsigned width) {
  return bv_slice(v->x, bv_slice(v->x, a, 0, width), 0, BITS);
}

static bv_t truth(const expr_bv_t *v, lit_t bit) {
  bv_t r = bv_const(v->x, BITS, 0);
  r.b[0] = bit;
  return r;
}

static bv_t operand(const expr_bv_t *v, const expr_t *e) {
  signal_t at;
  mrpb_err_t unheard = {""};
  uint64_t value;
  if (e->kind != EXPR_PATH ||
      (!e->path->next && v->scope->constant(v->scope->ctx, e->path->name, &value)))
    return bv_const(v->x, BITS, expr_eval(e, v->scope));
  if (v->scope->signal(v->scope->ctx, e->path, &at, &unheard) != 0) return bv_const(v->x, BITS, 0);
  bv_t whole = v->signal(v->ctx, &at);
  return bv_slice(v->x, bv_slice(v->x, whole, at.lsb, at.width < BITS ? at.width : BITS), 0, BITS);
}

static bv_t unary(const expr_bv_t *v, const expr_t *e) {
  const bv_t a = expr_bv(v, e->a);
  const unsigned w = width_of(v, e->a);
  lit_t odd = AIG_FALSE;
  switch (e->op[0]) {
  case '~':
    return low_bits(v, bv_not(v->x, a), w);
  case '!':
    return truth(v, aig_not(bv_any(v->x, a)));
  case '&':
    return truth(v, aig_not(bv_any(v->x, low_bits(v, bv_not(v->x, a), w))));
  case '|':
    return truth(v, bv_any(v->x, a));
  case '-':
    return low_bits(v, bv_sub(v->x, bv_const(v->x, BITS, 0), a), w);
  default:
    for (unsigned i = 0; i < w; i++) odd = aig_xor(v->x->g, odd, a.b[i]);
    return truth(v, odd);
  }
}

/* An amount of 64 or more gives 0; bv_shift leaves that case undefined. */
static bv_t shifted(const expr_bv_t *v, bv_shift_t kind, bv_t a, bv_t by) {
  const lit_t far = bv_any(v->x, bv_slice(v->x, by, 6, BITS - 6));
  const bv_t amount = low_bits(v, by, 6);
  return bv_mux(v->x, far, bv_const(v->x, BITS, 0), bv_shift(v->x, kind, a, amount));
}

static bv_t divided(const expr_bv_t *v, bool quotient, bv_t a, bv_t b) {
  bv_t q, r;
  bv_divide(v->x, a, b, &q, &r);
  return bv_mux(v->x, bv_any(v->x, b), quotient ? q : r, bv_const(v->x, BITS, 0));
}

static bv_t compared(const expr_bv_t *v, const char *op, bv_t a, bv_t b) {
  switch (op[0]) {
  case '=':
    return truth(v, bv_eq(v->x, a, b));
  case '!':
    return truth(v, aig_not(bv_eq(v->x, a, b)));
  case '<':
    return truth(v, op[1] ? aig_not(bv_ult(v->x, b, a)) : bv_ult(v->x, a, b));
  default:
    return truth(v, op[1] ? aig_not(bv_ult(v->x, a, b)) : bv_ult(v->x, b, a));
  }
}

static bv_t binary(const expr_bv_t *v, const char *op, bv_t a, bv_t b) {
  bv_ctx_t *x = v->x;
  if (strcmp(op, "&&") == 0) return truth(v, aig_and(x->g, bv_any(x, a), bv_any(x, b)));
  if (strcmp(op, "||") == 0) return truth(v, aig_or(x->g, bv_any(x, a), bv_any(x, b)));
  if (strcmp(op, "<<") == 0) return shifted(v, BV_SHL, a, b);
  if (strcmp(op, ">>") == 0) return shifted(v, BV_LSHR, a, b);
  switch (op[0]) {
  case '&':
    return bv_and(x, a, b);
  case '|':
    return bv_or(x, a, b);
  case '^':
    return bv_xor(x, a, b);
  case '+':
    return bv_add(x, a, b);
  case '-':
    return bv_sub(x, a, b);
  case '*':
    return bv_mul(x, a, b);
  case '/':
  case '%':
    return divided(v, op[0] == '/', a, b);
  default:
    return compared(v, op, a, b);
  }
}

/* Appends `part` to the bits so far, as between { and }. */
static bv_t appended(const expr_bv_t *v, bv_t there, bv_t part, unsigned width) {
  bv_t r = bv_new(v->x, BITS);
  for (unsigned i = 0; i < BITS; i++) r.b[i] = i < width ? part.b[i] : there.b[i - width];
  return r;
}

static bv_t list(const expr_bv_t *v, const expr_t *e) {
  bv_t r = bv_const(v->x, BITS, 0);
  uint64_t times = 1;
  mrpb_err_t unheard = {""};
  const bool repeat = e->kind == EXPR_REPEAT;
  if (repeat) (void)expr_constant(e->a, v->scope, &times, &unheard);
  for (const expr_t *part = repeat ? e->b : e->a; part; part = part->next) {
    const bv_t value = expr_bv(v, part);
    const unsigned width = width_of(v, part);
    for (uint64_t i = 0; i < times; i++) r = appended(v, r, value, width);
    if (repeat) break;
  }
  return r;
}

bv_t expr_bv(const expr_bv_t *v, const expr_t *e) {
  if (e->kind == EXPR_CONCAT || e->kind == EXPR_REPEAT) return list(v, e);
  if (e->kind == EXPR_UNARY) return unary(v, e);
  if (e->kind == EXPR_CHOICE)
    return bv_mux(v->x, bv_any(v->x, expr_bv(v, e->a)), expr_bv(v, e->b), expr_bv(v, e->c));
  if (e->kind == EXPR_BINARY)
    return low_bits(v, binary(v, e->op, expr_bv(v, e->a), expr_bv(v, e->b)), width_of(v, e));
  return operand(v, e);
}
