/* SPDX-License-Identifier: Apache-2.0 */
/* Operands, and how results differ. See opcodes.h. */
#include "silicon/opcodes.h"

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

/* ---- random ones ------------------------------------------------------------------------- */

/* Any bits; of a usual size; of the size of operand 0, so that sums cancel. */
static uint64_t random_float(unsigned k, uint32_t i, unsigned mantissa, unsigned bits) {
  const uint64_t any = random_bits(4 * (uint64_t)i + k), first = random_bits(4 * (uint64_t)i);
  const uint64_t fraction = any & ((UINT64_C(1) << mantissa) - 1);
  const uint64_t one = (UINT64_C(1) << (bits - 2 - mantissa)) - 1;
  const uint64_t usual = (one - 8 + (any >> 52) % 16) << mantissa | (any >> 63) << (bits - 1);
  const uint64_t all = bits == 64 ? UINT64_MAX : UINT32_MAX;
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

static bool is_nan(uint64_t bits, unsigned width) {
  const uint64_t infinite = width == 32 ? 0x7f800000 : UINT64_C(0x7ff0000000000000);
  return (bits & ~(UINT64_C(1) << (width - 1))) > infinite;
}

static double number(uint64_t bits, unsigned width) {
  const uint32_t low = (uint32_t)bits;
  float f;
  double g;
  memcpy(&f, &low, sizeof f);
  memcpy(&g, &bits, sizeof g);
  return width == 32 ? (double)f : g;
}

static void compare_floats(opcode_difference_t *d, uint64_t has, uint64_t wants, unsigned width) {
  const bool nan = is_nan(has, width), wants_nan = is_nan(wants, width);
  d->nan_bits += nan && wants_nan;
  d->nan += nan != wants_nan;
  if (nan || wants_nan) return;
  const int64_t a = place(has, width), b = place(wants, width);
  const uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
  const double apart = number(has, width) - number(wants, width);
  if (distance > d->ulp) d->ulp = distance;
  if ((apart < 0 ? -apart : apart) > d->apart) d->apart = apart < 0 ? -apart : apart;
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
      if (ptx_is_float(o->result)) compare_floats(d, a, b, 8 * bytes);
    }
}
