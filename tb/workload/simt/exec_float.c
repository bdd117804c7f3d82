/* SPDX-License-Identifier: Apache-2.0 */
/* 32-bit floating point, rounded to nearest. Each function exists with and without .ftz. The
 * .approx and .full forms are computed in double precision or better and rounded once; see
 * docs/simt.md. */
#include "workload/simt/exec_real.h"

#include <math.h>

#define UNARY(name, F)                                                                             \
  EXEC_UNARY(name##_p, lanef_t, lanef_t, float, canon_f32(F(a)))                                   \
  EXEC_UNARY(name##_z, lanef_t, lanef_t, float, flush_f32(canon_f32(F(flush_f32(a)))))
#define BINARY(name, F)                                                                            \
  EXEC_BINARY(name##_p, lanef_t, lanef_t, float, lanef_t, float, canon_f32(F(a, b)))               \
  EXEC_BINARY(name##_z, lanef_t, lanef_t, float, lanef_t, float,                                   \
              flush_f32(canon_f32(F(flush_f32(a), flush_f32(b)))))
#define BOTH(name)                                                                                 \
  { PAIR(name##_p), PAIR(name##_z) }

#define ADD(x, y) ((x) + (y))
#define SUB(x, y) ((x) - (y))
#define MUL(x, y) ((x) * (y))
#define DIV(x, y) ((x) / (y))
#define RCP(x) (1.0f / (x))
#define SQRT(x) __builtin_sqrtf(x)
#define RSQRT(x) ((float)(1.0 / __builtin_sqrt((double)(x))))
#define SIN(x) ((float)sin((double)(x)))
#define COS(x) ((float)cos((double)(x)))
#define LG2(x) ((float)log2((double)(x)))
#define EX2(x) ((float)exp2((double)(x)))

BINARY(add, ADD)
BINARY(sub, SUB)
BINARY(mul, MUL)
BINARY(div, DIV)
UNARY(rcp, RCP)
UNARY(sqrt, SQRT)
UNARY(rsqrt, RSQRT)
UNARY(sin, SIN)
UNARY(cos, COS)
UNARY(lg2, LG2)
UNARY(ex2, EX2)
EXEC_TERNARY(fma_p, lanef_t, lanef_t, float, lanef_t, float, lanef_t, float,
             canon_f32(__builtin_fmaf(a, b, c)))
EXEC_TERNARY(fma_z, lanef_t, lanef_t, float, lanef_t, float, lanef_t, float,
             flush_f32(canon_f32(__builtin_fmaf(flush_f32(a), flush_f32(b), flush_f32(c)))))
/* Differences that ptx_contract has made an fma. */
#define MINUS(name, A, C)                                                                          \
  EXEC_TERNARY(name##_p, lanef_t, lanef_t, float, lanef_t, float, lanef_t, float,                  \
               canon_f32(__builtin_fmaf(A a, b, C c)))                                             \
  EXEC_TERNARY(name##_z, lanef_t, lanef_t, float, lanef_t, float, lanef_t, float,                  \
               flush_f32(canon_f32(__builtin_fmaf(A flush_f32(a), flush_f32(b), C flush_f32(c)))))
MINUS(fms, +, -)
MINUS(fnma, -, +)

BINARY(min, least_f32)
BINARY(max, most_f32)

/* Operations on the sign. */
EXEC_UNARY(abs_p, lanef_t, lanef_t, float, canon_f32(__builtin_fabsf(a)))
EXEC_UNARY(abs_z, lanef_t, lanef_t, float, flush_f32(canon_f32(__builtin_fabsf(a))))
EXEC_UNARY(neg_p, lanef_t, lanef_t, float, canon_f32(-a))
EXEC_UNARY(neg_z, lanef_t, lanef_t, float, flush_f32(canon_f32(-a)))
EXEC_BINARY(copysign_p, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t,
            (a & 0x80000000) | (b & 0x7FFFFFFF))

static bool is_nearest(const ptx_inst_t *i) {
  return i->round != PTX_ROUND_RZ && i->round != PTX_ROUND_RM && i->round != PTX_ROUND_RP;
}

simt_exec_t exec_float(const ptx_inst_t *i, bool fast) {
  static const struct {
    unsigned op;
    exec_pair_t fn[2];
  } table[] = {
      {PTX_OP_ADD, BOTH(add)},     {PTX_OP_SUB, BOTH(sub)},
      {PTX_OP_MUL, BOTH(mul)},     {PTX_OP_DIV, BOTH(div)},
      {PTX_OP_FMA, BOTH(fma)},     {PTX_OP_MAD, BOTH(fma)},
      {PTX_OP_MIN, BOTH(min)},     {PTX_OP_MAX, BOTH(max)},
      {PTX_OP_ABS, BOTH(abs)},     {PTX_OP_NEG, BOTH(neg)},
      {PTX_OP_RCP, BOTH(rcp)},     {PTX_OP_SQRT, BOTH(sqrt)},
      {PTX_OP_RSQRT, BOTH(rsqrt)}, {PTX_OP_SIN, BOTH(sin)},
      {PTX_OP_COS, BOTH(cos)},     {PTX_OP_LG2, BOTH(lg2)},
      {PTX_OP_EX2, BOTH(ex2)},     {PTX_OP_COPYSIGN, {PAIR(copysign_p), PAIR(copysign_p)}},
  };
  static const exec_pair_t minus[2][2] = {BOTH(fms), BOTH(fnma)};
  if (i->type != PTX_F32 || i->sat || !is_nearest(i)) return NULL;
  if (i->minus) return minus[i->minus - PTX_MINUS_ADDEND][i->ftz].fn[fast];
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++)
    if (table[k].op == i->op) return table[k].fn[i->ftz].fn[fast];
  return NULL;
}
