/* SPDX-License-Identifier: Apache-2.0 */
/* Operands, and how results differ. See opcodes.h. */
#include "silicon/opcodes.h"

#include <math.h>
#include <string.h>

enum { SPECIAL = 32 };

static uint64_t random_bits(uint64_t seed) {
  uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x632be59bd9b4e019);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* ---- special values -------------------------------------------------------------------- */

/* Around 0, the ends of each width, the widths as shifts; alternating bits. */
static uint64_t special_int(unsigned i, unsigned bits) {
  static const uint64_t value[SPECIAL] = {0,
                                          1,
                                          2,
                                          3,
                                          4,
                                          7,
                                          8,
                                          15,
                                          16,
                                          17,
                                          31,
                                          32,
                                          33,
                                          63,
                                          64,
                                          65,
                                          0x7f,
                                          0x80,
                                          0xff,
                                          0x100,
                                          0x7fff,
                                          0x8000,
                                          0xffff,
                                          0x10000,
                                          0x7fffffff,
                                          0x80000000,
                                          0xffffffff,
                                          UINT64_C(0x100000000),
                                          UINT64_MAX - 1,
                                          UINT64_MAX,
                                          UINT64_C(0x5555555555555555),
                                          UINT64_C(0xaaaaaaaaaaaaaaaa)};
  if (bits == 64 && i == 10) return UINT64_C(1) << 63;
  if (bits == 64 && i == 16) return INT64_MAX;
  return value[i];
}

static uint64_t special_f32(unsigned i) {
  static const uint32_t value[SPECIAL] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff,
      0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
      0xff812345, 0x7fffffff, 0x3f800001, 0x3f000000, 0x3effffff, 0xbf000000, 0x3fc00000,
      0x40200000, 0xc0200000, 0x40490fdb, 0x4b800001, 0x4f000000, 0xcf000001, 0x4f800000,
      0x5f000000, 0x5f800000, 0x3eaaaaab, 0x42fe0000};
  return value[i];
}

static uint64_t special_f64(unsigned i) {
  static const uint64_t value[SPECIAL] = {
      0,
      UINT64_C(0x8000000000000000),
      UINT64_C(0x3ff0000000000000),
      UINT64_C(0xbff0000000000000),
      1,
      UINT64_C(0x8000000000000001),
      UINT64_C(0x000fffffffffffff),
      UINT64_C(0x0010000000000000),
      UINT64_C(0x8010000000000000),
      UINT64_C(0x7fefffffffffffff),
      UINT64_C(0xffefffffffffffff),
      UINT64_C(0x7ff0000000000000),
      UINT64_C(0xfff0000000000000),
      UINT64_C(0x7ff8000000000000),
      UINT64_C(0xfff0123456789abc),
      UINT64_C(0x7fffffffffffffff),
      UINT64_C(0x3ff0000000000001),
      UINT64_C(0x3fe0000000000000),
      UINT64_C(0x3fdfffffffffffff),
      UINT64_C(0xbfe0000000000000),
      UINT64_C(0x3ff8000000000000),
      UINT64_C(0x4004000000000000),
      UINT64_C(0xc004000000000000),
      UINT64_C(0x400921fb54442d18),
      UINT64_C(0x41e0000000000000),
      UINT64_C(0xc1e0000000200000),
      UINT64_C(0x41f0000000000000),
      UINT64_C(0x43e0000000000000),
      UINT64_C(0x43f0000000000000),
      UINT64_C(0x47efffffe0000000), /* the largest of 32 bits, and what rounds beyond it */
      UINT64_C(0x47efffffffffffff),
      UINT64_C(0x36a0000000000000)}; /* the smallest of 32 bits */
  return value[i];
}

/* Of 10 bits of fraction, or of 7. */
static uint64_t special_half(unsigned i, bool brain) {
  static const uint16_t value[2][SPECIAL] = {
      {0x0000, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400, 0x8400, 0x7BFF,
       0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFE34, 0x7FFF, 0x3C01, 0x3800, 0x37FF, 0xB800,
       0x3E00, 0x4100, 0xC100, 0x4248, 0x5800, 0x7800, 0xF801, 0x1400, 0x4BFF, 0x6400},
      {0x0000, 0x8000, 0x3F80, 0xBF80, 0x0001, 0x8001, 0x007F, 0x807F, 0x0080, 0x8080, 0x7F7F,
       0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0x7F81, 0xFFD2, 0x7FFF, 0x3F81, 0x3F00, 0x3EFF, 0xBF00,
       0x3FC0, 0x4020, 0xC020, 0x4049, 0x4300, 0x7F00, 0xFF01, 0x0180, 0x437F, 0x4B80}};
  return value[brain][i];
}

/* ---- random ones ------------------------------------------------------------------------- */

/* Any bits; of a usual size; of the size of operand 0, so that sums cancel. */
static uint64_t random_float(unsigned k, uint32_t i, unsigned mantissa, unsigned bits) {
  const uint64_t any = random_bits(4 * (uint64_t)i + k), first = random_bits(4 * (uint64_t)i);
  const uint64_t fraction = any & ((UINT64_C(1) << mantissa) - 1);
  const uint64_t one = (UINT64_C(1) << (bits - 2 - mantissa)) - 1;
  const uint64_t usual = (one - 8 + (any >> 52) % 16) << mantissa | (any >> 63) << (bits - 1);
  const uint64_t all = UINT64_MAX >> (64 - bits);
  if (i % 4 < 2) return any & all;
  if (i % 4 == 2 || k == 0) return usual | fraction;
  return (first ^ (any & 0xff) ^ (any >> 8 & 1) << (bits - 1)) & all;
}

/* Of every number of digits. */
static uint64_t random_int(unsigned k, uint32_t i) {
  const uint64_t any = random_bits(4 * (uint64_t)i + k);
  if (i % 2) return any;
  const uint64_t small = random_bits(any) >> any % 64;
  return any >> 32 & 1 ? (uint64_t) - (int64_t)small : small;
}

static unsigned choices(ptx_type_t t) {
  return t == PTX_PRED ? 2 : SPECIAL;
}

static uint64_t special(ptx_type_t t, unsigned i) {
  if (t == PTX_F32) return special_f32(i);
  if (t == PTX_F64) return special_f64(i);
  if (t == PTX_TF32) return special_f32(i);
  if (ptx_is_pair(t))
    return special_half(i, ptx_is_brain(t)) | special_half((i * 7 + 3) % SPECIAL, ptx_is_brain(t))
                                                  << 16;
  if (ptx_is_half(t)) return special_half(i, ptx_is_brain(t));
  return t == PTX_PRED ? i : special_int(i, 8 * ptx_type_bytes(t));
}

uint64_t opcode_value(const opcode_t *o, unsigned k, uint32_t i, uint32_t threads) {
  const ptx_type_t t = o->operand[k];
  uint64_t product = 1, at = i;
  for (unsigned q = 0; q < o->n_operands; q++) product *= choices(o->operand[q]);
  if (i < threads / 2 && (product <= threads / 2 ? i < product : true)) {
    if (product > threads / 2) at = i * UINT64_C(2654435761) % product; /* some of them */
    for (unsigned q = 0; q < k; q++) at /= choices(o->operand[q]);
    return special(t, (unsigned)(at % choices(t)));
  }
  if (ptx_is_half(t)) {
    const unsigned mantissa = ptx_is_brain(t) ? 7 : 10;
    const uint64_t low = random_float(k, i, mantissa, 16);
    return ptx_is_pair(t) ? low | random_float(k, i + threads, mantissa, 16) << 16 : low;
  }
  if (t == PTX_F32) return random_float(k, i, 23, 32);
  if (t == PTX_F64) return random_float(k, i, 52, 64);
  return random_int(k, i);
}

/* ---- results -------------------------------------------------------------------------------- */

/* Numbers of the line of all numbers: neighbours differ by 1. */
static int64_t place(uint64_t bits, unsigned width) {
  const uint64_t sign = UINT64_C(1) << (width - 1);
  return bits & sign ? -(int64_t)(bits ^ sign) : (int64_t)bits;
}

/* How a floating-point number lies in its bits. */
typedef struct {
  unsigned width, fraction;
} format_t;

static format_t format_of(ptx_type_t t) {
  if (t == PTX_F64) return (format_t){64, 52};
  if (ptx_is_half(t)) return (format_t){16, ptx_is_brain(t) ? 7 : 10};
  return (format_t){32, 23};
}

static bool is_nan(uint64_t bits, format_t f) {
  const uint64_t sign = UINT64_C(1) << (f.width - 1);
  return (bits & (sign - 1)) > sign - (UINT64_C(1) << f.fraction);
}

static double number(uint64_t bits, format_t f) {
  const uint64_t sign = UINT64_C(1) << (f.width - 1), one = UINT64_C(1) << f.fraction;
  const int exponent = (int)((bits & (sign - 1)) >> f.fraction);
  const int bias = (int)((sign - one) >> f.fraction) / 2;
  const uint64_t whole = (bits & (one - 1)) | (exponent ? one : 0);
  const double size = ldexp((double)whole, (exponent ? exponent : 1) - bias - (int)f.fraction);
  return bits & sign ? -size : size;
}

static void compare_floats(opcode_difference_t *d, uint64_t has, uint64_t wants, format_t f) {
  const bool nan = is_nan(has, f), wants_nan = is_nan(wants, f);
  d->nan_bits += nan && wants_nan && has != wants;
  d->nan += nan != wants_nan;
  if (nan || wants_nan) return;
  const int64_t a = place(has, f.width), b = place(wants, f.width);
  const uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
  const double apart = number(has, f) - number(wants, f);
  if (distance > d->ulp) d->ulp = distance;
  if ((apart < 0 ? -apart : apart) > d->apart) d->apart = apart < 0 ? -apart : apart;
}

/* Of a pair the low one. */
static uint64_t low_of(uint64_t bits, ptx_type_t t) {
  return ptx_is_pair(t) ? bits & 0xFFFF : bits;
}

void opcode_compare(const opcode_t *o, const uint8_t *has, const uint8_t *wants, uint32_t threads,
                    opcode_difference_t *d) {
  const unsigned bytes = ptx_type_bytes(o->result);
  *d = (opcode_difference_t){.n = (uint64_t)threads * o->n_results};
  for (uint32_t i = 0; i < threads; i++)
    for (unsigned e = 0; e < o->n_results; e++) {
      uint64_t a = 0, b = 0;
      memcpy(&a, has + (size_t)i * OPCODE_OUT + e * bytes, bytes);
      memcpy(&b, wants + (size_t)i * OPCODE_OUT + e * bytes, bytes);
      if (a == b) continue;
      if (d->differ++ == 0) d->thread = i, d->element = e, d->has = a, d->wants = b;
      if (ptx_is_float(o->result))
        compare_floats(d, low_of(a, o->result), low_of(b, o->result), format_of(o->result));
      if (ptx_is_pair(o->result)) compare_floats(d, a >> 16, b >> 16, format_of(o->result));
    }
}
