/* SPDX-License-Identifier: Apache-2.0 */
/* 16-bit floating point, f16 (10 bits of fraction) and bf16 (7): conversion to double and back,
 * rounded once. */
#ifndef EXEC_HALF_H
#define EXEC_HALF_H

#include "workload/simt/exec_real.h"

#define HALF_NAN 0x7FFFu /* the NaN that operations return, for both formats */

/* Number of fraction bits. The smallest exponent of a normal number is 1 - bias. */
EXEC_INLINE unsigned half_fraction(bool brain) {
  return brain ? 7 : 10;
}
EXEC_INLINE uint32_t half_infinity(bool brain) {
  return brain ? 0x7F80 : 0x7C00;
}
EXEC_INLINE bool half_is_nan(uint32_t h, bool brain) {
  return (h & 0x7FFF) > half_infinity(brain);
}
/* Flushes denormal numbers to zeros of their sign. */
EXEC_INLINE uint32_t half_flush(uint32_t h, bool brain) {
  return h & half_infinity(brain) ? h : h & 0x8000;
}

/* Whether an exact result, rounded to the fraction's bits with an unlimited exponent, is below the
 * smallest normal number. A result that becomes normal only because it is rounded as a denormal
 * number is tiny, too. */
EXEC_INLINE bool half_is_tiny(double x, bool brain) {
  const double least = brain ? 0x1p-126 : 0x1p-14, apart = brain ? 0x1p-135 : 0x1p-26;
  return __builtin_fabs(x) < least - apart;
}

/* The exact value of the low 16 bits; a NaN becomes a NaN of double. */
EXEC_INLINE double half_value(uint32_t h, bool brain) {
  uint32_t bits = brain ? h << 16 : (h & 0x7FFF) << 13;
  float f;
  __builtin_memcpy(&f, &bits, sizeof f);
  if (brain) return (double)f;
  double x = (double)f * 0x1p112;
  x = (h & 0x7FFF) < 0x7C00 ? x : (h & 0x7FFF) == 0x7C00 ? __builtin_inf() : __builtin_nan("");
  return h & 0x8000 ? -x : x;
}

/* Convert a 16-bit NaN to a quiet NaN of double and back; sign and fraction are kept. */
EXEC_INLINE double half_nan_to(uint32_t h, bool brain) {
  const uint64_t fraction = h & ((UINT64_C(1) << half_fraction(brain)) - 1);
  const uint64_t quiet = UINT64_C(0x7FF8) << 48, sign = (uint64_t)(h >> 15 & 1) << 63;
  return f64_of(sign | quiet | fraction << (52 - half_fraction(brain)));
}
EXEC_INLINE uint32_t half_nan_of(double x, bool brain) {
  const unsigned fraction = half_fraction(brain);
  const uint64_t bits = exec_bits_of(x),
                 top = bits >> (52 - fraction) & ((UINT64_C(1) << fraction) - 1);
  return (uint32_t)(bits >> 63) << 15 | half_infinity(brain) | 1U << (fraction - 1) | (uint32_t)top;
}

/* The value as conversions read it. */
EXEC_INLINE double half_source(uint32_t h, bool brain) {
  return half_is_nan(h, brain) ? half_nan_to(h, brain) : half_value(h, brain);
}

/* The part `rest` of a unit `one` is rounded off. Returns whether the number's size grows. */
EXEC_INLINE bool half_grows(uint64_t rest, uint64_t one, bool odd, bool negative, unsigned round) {
  switch (round) {
  case PTX_ROUND_RZ:
    return false;
  case PTX_ROUND_RM:
    return negative && rest;
  case PTX_ROUND_RP:
    return !negative && rest;
  default:
    return rest > one / 2 || (rest == one / 2 && odd);
  }
}

/* Rounds to the nearest 16-bit number in the direction of `round`. A number that is too large
 * becomes infinity or the largest number, depending on the direction. */
EXEC_INLINE uint32_t half_of(double x, bool brain, unsigned round) {
  const unsigned fraction = half_fraction(brain);
  const uint64_t bits = exec_bits_of(x), size = bits & INT64_MAX;
  const int bias = brain ? 127 : 15, exponent = (int)(size >> 52) - 1023;
  const bool negative = bits >> 63;
  const uint32_t sign = negative ? 0x8000 : 0;
  if (x != x) return HALF_NAN;
  if (size == 0) return sign;
  unsigned drop = 52 - fraction; /* bits that do not fit */
  uint64_t whole = (size & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  if (exponent < 1 - bias) drop += (unsigned)(1 - bias - exponent);
  if (drop > 62) drop = 62; /* far below the smallest: all is rest, less than half */
  const uint64_t one = UINT64_C(1) << drop, rest = whole & (one - 1);
  uint64_t kept = whole >> drop;
  kept += half_grows(rest, one, kept & 1, negative, round);
  if (exponent >= 1 - bias) kept += (uint64_t)(exponent + bias - 1) << fraction;
  if (exponent <= bias && kept < half_infinity(brain)) return sign | (uint32_t)kept;
  const bool endless = size >> 52 == 0x7FF || round == PTX_ROUND_NONE || round == PTX_ROUND_RN ||
                       round == (negative ? PTX_ROUND_RM : PTX_ROUND_RP);
  return sign | (half_infinity(brain) - !endless);
}

/* Rounds x + err to odd, where err is less than half a unit in the last place of x. If the sum is
 * not exact, returns the neighbour whose last bit is 1. Rounding that to a format with at least two
 * bits fewer gives the same result as rounding the sum. */
EXEC_INLINE double half_odd(double x, double err) {
  uint64_t bits = exec_bits_of(x);
  if (err == err && err != 0 && !(bits & 1)) bits += (err < 0) == (x < 0) ? 1 : UINT64_MAX;
  return f64_of(bits);
}

/* x * y is exact, and so is the rounding error of the sum. */
EXEC_INLINE double half_fma(double x, double y, double z) {
  const double p = x * y, s = p + z, q = s - p;
  return half_odd(s, (p - (s - q)) + (z - q));
}

/* exec_half.c: conversion to 16 bits of the value that load_wide (exec_convert.c) made of the
 * source. */
uint32_t exec_to_half(const ptx_inst_t *i, uint64_t wide);

#endif
