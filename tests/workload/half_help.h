/* SPDX-License-Identifier: Apache-2.0 */
/* A reference for 16-bit numbers that shares nothing with the executor: a table of all their
 * values, in which results are looked up. The processor computes sums and products in 24 bits,
 * rounded to odd. */
#ifndef HALF_HELP_H
#define HALF_HELP_H

#include "simt_help.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>

typedef struct {
  double value[32768]; /* of the positive numbers; after the largest comes the next value */
  uint32_t infinity;
  unsigned fraction; /* number of bits */
} half_table_t;

static inline const half_table_t *half_table(bool brain) {
  static half_table_t table[2];
  half_table_t *t = &table[brain];
  if (t->fraction) return t;
  t->fraction = brain ? 7 : 10;
  t->infinity = brain ? 0x7F80 : 0x7C00;
  for (uint32_t h = 0; h <= t->infinity; h++) {
    const int exponent = (int)(h >> t->fraction), bias = brain ? 127 : 15;
    const double whole = h & ((1u << t->fraction) - 1);
    t->value[h] = ldexp(exponent ? whole + (1u << t->fraction) : whole,
                        (exponent ? exponent : 1) - bias - (int)t->fraction);
  }
  return t;
}

static inline bool ref_is_nan(uint32_t h, bool brain) {
  return (h & 0x7FFF) > half_table(brain)->infinity;
}

static inline double ref_value(uint32_t h, bool brain) {
  const half_table_t *t = half_table(brain);
  if (ref_is_nan(h, brain)) return (double)NAN;
  const double x = (h & 0x7FFF) == t->infinity ? (double)INFINITY : t->value[h & 0x7FFF];
  return h & 0x8000 ? -x : x;
}

/* The number that x rounds to; `mode` is FE_TONEAREST or the like. */
static inline uint32_t ref_round(double x, bool brain, int mode) {
  const half_table_t *t = half_table(brain);
  const double size = fabs(x);
  const uint32_t sign = signbit(x) ? 0x8000 : 0;
  uint32_t low = 0, high = t->infinity;
  if (isnan(x)) return 0x7FFF;
  if (isinf(x)) return sign | t->infinity;
  while (high - low > 1) { /* value[low] <= size < value[high], or size is beyond the table */
    const uint32_t middle = (low + high) / 2;
    *(t->value[middle] <= size ? &low : &high) = middle;
  }
  if (size >= t->value[t->infinity]) low = t->infinity - 1; /* too large */
  if (t->value[low] == size) return sign | low;
  if (mode == FE_TOWARDZERO) return sign | low;
  if (mode == FE_UPWARD || mode == FE_DOWNWARD)
    return sign | (low + ((mode == FE_DOWNWARD) == (sign != 0)));
  const double between = (t->value[low] + t->value[low + 1]) / 2;
  return sign | (low + (size > between || (size == between && low % 2)));
}

/* a * b + c, rounded toward zero to 24 bits; the last bit is set if the result is inexact. */
static inline double ref_fma(double a, double b, double c) {
  volatile float x = (float)a, y = (float)b, z = (float)c;
  const int before = fegetround();
  fesetround(FE_TOWARDZERO);
  feclearexcept(FE_ALL_EXCEPT);
  volatile float r = fmaf(x, y, z);
  const bool inexact = fetestexcept(FE_INEXACT);
  fesetround(before);
  float f = r;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  if (inexact && isfinite(f)) bits |= 1;
  memcpy(&f, &bits, 4);
  return (double)f;
}

/* ---- a kernel of one instruction -------------------------------------------------------------- */

typedef struct {
  uint64_t a, b, c;
} triple_t;

enum { HALF_BLOCK = 256 };

/* Runs `inst` for n triples; n is a multiple of HALF_BLOCK. Operands are in %h1 to %h3, %r1 to %r3,
 * %d1 to %d3, %f1 to %f3 or %g1 to %g3 by size; the result is in the register 0 of the class
 * `letter`. The caller frees the array. */
static inline uint64_t *run_half(const char *inst, char letter, const triple_t *in, unsigned n) {
  char text[4096];
  const bool pred = letter == 'p';
  rig_t r = {0};
  snprintf(
      text, sizeof text,
      ".version 8.6\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".reg .b16 %%h<4>; .reg .b32 %%r<4>; .reg .b64 %%d<4>; .reg .f32 %%f<4>; .reg .f64 %%g<4>;\n"
      ".reg .pred %%p<4>; .reg .b64 %%x<9>; .reg .b32 %%y<9>;\n"
      "ld.param.u64 %%x1, [in]; ld.param.u64 %%x2, [out];\n"
      "mov.u32 %%y1, %%ctaid.x; mov.u32 %%y2, %%tid.x; mad.lo.u32 %%y1, %%y1, %d, %%y2;\n"
      "mul.wide.u32 %%x3, %%y1, 24; add.u64 %%x1, %%x1, %%x3;\n"
      "mul.wide.u32 %%x3, %%y1, 8; add.u64 %%x2, %%x2, %%x3;\n"
      "ld.global.b64 %%d1, [%%x1]; ld.global.b64 %%d2, [%%x1+8]; ld.global.b64 %%d3, [%%x1+16];\n"
      "cvt.u16.u64 %%h1, %%d1; cvt.u16.u64 %%h2, %%d2; cvt.u16.u64 %%h3, %%d3;\n"
      "cvt.u32.u64 %%r1, %%d1; cvt.u32.u64 %%r2, %%d2; cvt.u32.u64 %%r3, %%d3;\n"
      "mov.b32 %%f1, %%r1; mov.b32 %%f2, %%r2; mov.b32 %%f3, %%r3;\n"
      "mov.b64 %%g1, %%d1; mov.b64 %%g2, %%d2; mov.b64 %%g3, %%d3;\n"
      "and.b32 %%y3, %%r3, 1; setp.ne.u32 %%p3, %%y3, 0; setp.eq.u32 %%p0, %%y1, %%y1;\n"
      "setp.eq.u32 %%p1, %%y1, %%y1;\n"
      "%s;\n%sst.global.%s [%%x2], %%%c%s;\nret;\n}\n",
      HALF_BLOCK, inst, pred ? "selp.u32 %r0, 1, 0, %p0; @%p1 or.b32 %r0, %r0, 2;\n" : "",
      letter == 'h'   ? "b16"
      : letter == 'd' ? "b64"
      : letter == 'f' ? "f32"
      : letter == 'g' ? "f64"
                      : "b32",
      pred ? 'r' : letter, "0");
  ck_assert_msg(rig_open(&r, text, n / HALF_BLOCK, HALF_BLOCK) == 0, "%s: %s", inst, r.err.text);
  memcpy(rig_buffer(&r, 0, (uint64_t)n * sizeof *in), in, n * sizeof *in);
  const uint64_t *out = rig_buffer(&r, 1, (uint64_t)n * 8);
  ck_assert_msg(rig_run(&r) == 0, "%s: %s", inst, r.err.text);
  uint64_t *copy = malloc(n * sizeof *copy);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, out, n * sizeof *copy);
  rig_close(&r);
  return copy;
}

#endif
