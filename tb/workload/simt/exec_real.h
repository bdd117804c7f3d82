/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of floating point, shared by the exec_*.c files. */
#ifndef EXEC_REAL_H
#define EXEC_REAL_H

#include "workload/simt/exec.h"

/* Results that are not a number are the one that the hardware gives. */
EXEC_INLINE float canon_f32(float x) {
  return x == x ? x : __builtin_nanf("0x3FFFFF");
}
EXEC_INLINE double canon_f64(double x) {
  return x == x ? x : __builtin_nan("");
}
/* Denormal numbers become zeros of their sign. */
EXEC_INLINE float flush_f32(float x) {
  return __builtin_fabsf(x) < 0x1p-126f ? x * 0.0f : x;
}
/* To [0, 1]; what is not a number to +0. */
EXEC_INLINE float saturate_f32(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
EXEC_INLINE double saturate_f64(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/* least_SUFFIX, most_SUFFIX: the operand that is a number; -0 is less than +0. */
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
