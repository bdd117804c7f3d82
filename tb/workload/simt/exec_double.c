/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit floating point, rounded to nearest. */
#include "workload/simt/exec_real.h"

#define UNARY(name, EXPR) EXEC_UNARY(name, laned_t, laned_t, double, canon1_f64(EXPR, a))
#define BINARY(name, EXPR)                                                                         \
  EXEC_BINARY(name, laned_t, laned_t, double, laned_t, double, canon2_f64(EXPR, a, b))

BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a *b)
/* If both operands of a quotient are NaN, the result is the first one. */
EXEC_BINARY(div, laned_t, laned_t, double, laned_t, double, canon2_f64(a / b, b, a))
UNARY(rcp, 1.0 / a)
UNARY(sqrt, __builtin_sqrt(a))
UNARY(rsqrt, 1.0 / __builtin_sqrt(a))
EXEC_TERNARY(fma, laned_t, laned_t, double, laned_t, double, laned_t, double,
             canon3_f64(__builtin_fma(a, b, c), a, b, c))
/* Differences that ptx_contract has made an fma. */
EXEC_TERNARY(fms, laned_t, laned_t, double, laned_t, double, laned_t, double,
             canon3_f64(__builtin_fma(a, b, -c), a, b, c))
EXEC_TERNARY(fnma, laned_t, laned_t, double, laned_t, double, laned_t, double,
             canon3_f64(__builtin_fma(-a, b, c), a, b, c))

/* If both operands are NaN, the result is the second one; abs and neg keep the sign of a NaN. */
#define EITHER(name, EXPR)                                                                         \
  EXEC_BINARY(name, laned_t, laned_t, double, laned_t, double,                                     \
              a == a || b == b ? EXPR : quiet_f64(b))
EITHER(min, least_f64(a, b))
EITHER(max, most_f64(a, b))
UNARY(abs, __builtin_fabs(a))
UNARY(neg, -a)
EXEC_BINARY(copysign, lane64_t, lane64_t, uint64_t, lane64_t, uint64_t,
            (a & UINT64_C(1) << 63) | (b & (UINT64_MAX >> 1)))

simt_exec_t exec_double(const ptx_inst_t *i, bool fast) {
  static const struct {
    unsigned op;
    exec_pair_t fn;
  } table[] = {
      {PTX_OP_ADD, PAIR(add)},     {PTX_OP_SUB, PAIR(sub)},           {PTX_OP_MUL, PAIR(mul)},
      {PTX_OP_DIV, PAIR(div)},     {PTX_OP_FMA, PAIR(fma)},           {PTX_OP_MAD, PAIR(fma)},
      {PTX_OP_MIN, PAIR(min)},     {PTX_OP_MAX, PAIR(max)},           {PTX_OP_ABS, PAIR(abs)},
      {PTX_OP_NEG, PAIR(neg)},     {PTX_OP_RCP, PAIR(rcp)},           {PTX_OP_SQRT, PAIR(sqrt)},
      {PTX_OP_RSQRT, PAIR(rsqrt)}, {PTX_OP_COPYSIGN, PAIR(copysign)},
  };
  static const exec_pair_t minus[2] = {PAIR(fms), PAIR(fnma)};
  if (i->type != PTX_F64 || i->sat) return NULL;
  if (i->minus) return minus[i->minus - PTX_MINUS_ADDEND].fn[fast];
  if (i->round == PTX_ROUND_RZ || i->round == PTX_ROUND_RM || i->round == PTX_ROUND_RP) return NULL;
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++)
    if (table[k].op == i->op) return table[k].fn.fn[fast];
  return NULL;
}
