/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point helpers shared by the exec_*.c files. */
#ifndef EXEC_REAL_H
#define EXEC_REAL_H

#include "workload/simt/exec.h"

/* NaN results as on an H100 (docs/silicon.md). 32-bit results: one NaN for all cases. */
EXEC_INLINE float canon_f32(float x) {
  return x == x ? x : __builtin_nanf("0x3FFFFF");
}
EXEC_INLINE double f64_of(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
EXEC_INLINE uint64_t exec_bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
/* 64-bit results: a NaN operand, made quiet: the second, the third or the first, in that order; if
 * no operand is NaN, a NaN with its sign set. */
EXEC_INLINE double quiet_f64(double x) {
  return f64_of(exec_bits_of(x) | UINT64_C(1) << 51);
}
EXEC_INLINE double canon1_f64(double r, double a) {
  r = r == r ? r : f64_of(UINT64_C(0xfff8) << 48);
  return a == a ? r : quiet_f64(a);
}
EXEC_INLINE double canon2_f64(double r, double a, double b) {
  return b == b ? canon1_f64(r, a) : quiet_f64(b);
}
EXEC_INLINE double canon3_f64(double r, double a, double b, double c) {
  r = c == c ? canon1_f64(r, a) : quiet_f64(c);
  return b == b ? r : quiet_f64(b);
}
/* Conversion of a NaN between widths keeps as many of its bits as fit. */
EXEC_INLINE float narrow_nan(double x) {
  const uint64_t bits = exec_bits_of(x);
  const uint32_t narrow =
      (uint32_t)(bits >> 32 & 0x80000000) | 0x7fc00000 | ((uint32_t)(bits >> 29) & 0x7fffff);
  float r;
  __builtin_memcpy(&r, &narrow, sizeof r);
  return r;
}
EXEC_INLINE double widen_nan(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return f64_of((uint64_t)(bits & 0x80000000) << 32 | UINT64_C(0x7ff8) << 48 |
                (uint64_t)(bits & 0x7fffff) << 29);
}
/* Rounds x to an integer for .rni and the like; with any other rounding x is unchanged. */
EXEC_INLINE double integral_f64(double x, unsigned round) {
  switch (round) {
  case PTX_ROUND_RNI:
    return __builtin_nearbyint(x);
  case PTX_ROUND_RZI:
    return __builtin_trunc(x);
  case PTX_ROUND_RMI:
    return __builtin_floor(x);
  case PTX_ROUND_RPI:
    return __builtin_ceil(x);
  default:
    return x;
  }
}

/* Flushes denormal numbers to zeros of their sign. */
EXEC_INLINE float flush_f32(float x) {
  return __builtin_fabsf(x) < 0x1p-126f ? x * 0.0f : x;
}
/* Clamps to [0, 1]; NaN becomes +0. */
EXEC_INLINE float saturate_f32(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
EXEC_INLINE double saturate_f64(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/* least_SUFFIX, most_SUFFIX: if one operand is NaN, the other one; -0 is less than +0. */
#define EXEC_LEAST_MOST(suffix, real, word)                                                        \
  EXEC_INLINE real bits_or_##suffix(real a, real b, bool both) {                                   \
    word x, y;                                                                                     \
    __builtin_memcpy(&x, &a, sizeof a);                                                            \
    __builtin_memcpy(&y, &b, sizeof b);                                                            \
    x = both ? x & y : x | y;                                                                      \
    __builtin_memcpy(&a, &x, sizeof a);                                                            \
    return a;                                                                                      \
  }                                                                                                \
  EXEC_INLINE real least_##suffix(real a, real b) {                                                \
    real r = a < b ? a : b < a ? b : bits_or_##suffix(a, b, false);                                \
    r = a == a ? r : b;                                                                            \
    return b == b ? r : a;                                                                         \
  }                                                                                                \
  EXEC_INLINE real most_##suffix(real a, real b) {                                                 \
    real r = a > b ? a : b > a ? b : bits_or_##suffix(a, b, true);                                 \
    r = a == a ? r : b;                                                                            \
    return b == b ? r : a;                                                                         \
  }
EXEC_LEAST_MOST(f32, float, uint32_t)
EXEC_LEAST_MOST(f64, double, uint64_t)

#endif
