/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point with a rounding direction or saturation, and conversions to floating point. These
 * are rare, so they run lane by lane with the processor's own rounding mode. Compiled with
 * -frounding-math. */
#include "workload/simt/exec_half.h"

#include <fenv.h>
#include <math.h>

/* Sets the rounding mode; returns the previous one. */
static int set_mode(unsigned round) {
  int before = fegetround();
  switch (round) {
  case PTX_ROUND_RZ:
    fesetround(FE_TOWARDZERO);
    break;
  case PTX_ROUND_RM:
    fesetround(FE_DOWNWARD);
    break;
  case PTX_ROUND_RP:
    fesetround(FE_UPWARD);
    break;
  default:
    fesetround(FE_TONEAREST);
    break;
  }
  return before;
}

/* One lane; the operands are volatile so that nothing is computed before the mode is set. */
#define ONE(name, real, fma_real, sqrt_real)                                                       \
  static real name(const ptx_inst_t *i, real a, real b, real c) {                                  \
    volatile real x = a, y = b, z = c;                                                             \
    switch (i->op) {                                                                               \
    case PTX_OP_ADD:                                                                               \
      return x + y;                                                                                \
    case PTX_OP_SUB:                                                                               \
      return x - y;                                                                                \
    case PTX_OP_MUL:                                                                               \
      return x * y;                                                                                \
    case PTX_OP_DIV:                                                                               \
      return x / y;                                                                                \
    case PTX_OP_MAD:                                                                               \
    case PTX_OP_FMA:                                                                               \
      return fma_real(x, y, z);                                                                    \
    case PTX_OP_RCP:                                                                               \
      return 1 / x;                                                                                \
    default:                                                                                       \
      return sqrt_real(x);                                                                         \
    }                                                                                              \
  }
ONE(one_f32, float, fmaf, sqrtf)
ONE(one_f64, double, fma, sqrt)

/* Whether the quotient is below the smallest normal number before it is rounded; 53 bits are enough
 * to decide that. */
static bool is_tiny(float x, float y) {
  volatile double a = x, b = y;
  const double r = a / b;
  return fabs(r) < 0x1p-126;
}

static void round_f32(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_inst_t *i = op->inst;
  lanef_t *d = simt_vector(w, op->d[0]);
  const lanef_t *s[3];
  for (unsigned k = 0; k < 3; k++) s[k] = simt_vector(w, op->s[k]);
  int before = set_mode(i->round);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    float x[3] = {s[0][l], s[1][l], s[2][l]};
    for (unsigned k = 0; k < 3 && i->ftz; k++) x[k] = flush_f32(x[k]);
    if (i->minus == PTX_MINUS_ADDEND) x[2] = -x[2];
    if (i->minus == PTX_MINUS_PRODUCT) x[0] = -x[0];
    volatile float r = one_f32(i, x[0], x[1], x[2]);
    float y = canon_f32(r);
    if (i->ftz && i->op == PTX_OP_DIV && is_tiny(x[0], x[1])) y = copysignf(0, y);
    if (i->ftz) y = flush_f32(y);
    d[l] = i->sat ? saturate_f32(y) : y;
  }
  fesetround(before);
}

static unsigned operands(const ptx_inst_t *i) {
  if (i->op == PTX_OP_RCP || i->op == PTX_OP_SQRT) return 1;
  return i->op == PTX_OP_FMA || i->op == PTX_OP_MAD ? 3 : 2;
}

static void round_f64(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_inst_t *i = op->inst;
  laned_t *d = simt_vector(w, op->d[0]);
  const laned_t *s[3];
  for (unsigned k = 0; k < 3; k++) s[k] = simt_vector(w, op->s[k]);
  int before = set_mode(i->round);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    const double a = s[0][l], b = s[1][l], c = s[2][l];
    volatile double r = one_f64(i, a, b, c);
    d[l] = operands(i) == 3      ? canon3_f64(r, a, b, c)
           : i->op == PTX_OP_DIV ? canon2_f64(r, b, a)
           : operands(i) == 2    ? canon2_f64(r, a, b)
                                 : canon1_f64(r, a);
  }
  fesetround(before);
}

/* ---- cvt ------------------------------------------------------------------- */

static float narrow(const ptx_inst_t *i, uint64_t bits) {
  volatile int64_t s = (int64_t)bits;
  volatile uint64_t u = bits;
  volatile double x;
  if (ptx_is_signed((ptx_type_t)i->type2)) return (float)s;
  if (!ptx_is_float((ptx_type_t)i->type2)) return (float)u;
  double f;
  __builtin_memcpy(&f, &bits, 8);
  if (f != f && i->type2 == PTX_F64) return narrow_nan(f);
  x = integral_f64(f, i->round);
  return canon_f32((float)x);
}

static double widen(const ptx_inst_t *i, uint64_t bits) {
  volatile int64_t s = (int64_t)bits;
  volatile uint64_t u = bits;
  if (ptx_is_signed((ptx_type_t)i->type2)) return (double)s;
  if (!ptx_is_float((ptx_type_t)i->type2)) return (double)u;
  double f;
  __builtin_memcpy(&f, &bits, 8);
  if (f == f) return integral_f64(f, i->round);
  return i->type2 == PTX_F32 && i->ftz ? widen_nan(canon_f32(__builtin_nanf(""))) : quiet_f64(f);
}

void exec_to_real(const ptx_inst_t *i, const void *from, void *to) {
  const uint64_t *a = from;
  uint64_t *d = to;
  int before = set_mode(i->round);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    d[l] = 0;
    if (ptx_is_half((ptx_type_t)i->type)) {
      d[l] = exec_to_half(i, a[l]);
    } else if (i->type == PTX_F32) {
      float y = narrow(i, a[l]);
      if (i->ftz) y = flush_f32(y);
      if (i->sat) y = saturate_f32(y);
      __builtin_memcpy(&d[l], &y, 4);
    } else {
      double y = widen(i, a[l]);
      if (i->sat) y = saturate_f64(y);
      __builtin_memcpy(&d[l], &y, 8);
    }
  }
  fesetround(before);
}

simt_exec_t exec_round(const ptx_inst_t *i, bool fast) {
  (void)fast;
  switch (i->op) {
  case PTX_OP_ADD:
  case PTX_OP_SUB:
  case PTX_OP_MUL:
  case PTX_OP_DIV:
  case PTX_OP_MAD:
  case PTX_OP_FMA:
  case PTX_OP_RCP:
  case PTX_OP_SQRT:
    if (i->type == PTX_F32) return round_f32;
    return i->type == PTX_F64 && !i->sat ? round_f64 : NULL;
  default:
    return NULL;
  }
}
