/* SPDX-License-Identifier: Apache-2.0 */
/* cvt between pairs of 8-bit numbers and f32 or f16x2. e4m3 has 4 bits of exponent, 3 bits of
 * fraction and no infinity; e5m2 is the upper half of an f16. As results, both have one NaN,
 * 0x7F. */
#include "workload/simt/exec_half.h"

#include <math.h>

enum { EIGHT_NAN = 0x7F };

typedef struct {
  int bias, fraction;
  uint32_t most; /* the largest number */
} eight_t;
static const eight_t e4m3 = {7, 3, 0x7E}, e5m2 = {15, 2, 0x7B};

static const eight_t *format_of(unsigned type) {
  return type == PTX_E4M3X2 ? &e4m3 : &e5m2;
}

/* Rounds to nearest even; too large numbers become the largest. */
static uint32_t to_eight(const ptx_inst_t *i, double x) {
  const eight_t *f = format_of(i->type);
  const uint32_t sign = signbit(x) ? 0x80 : 0;
  int exponent;
  if (x != x) return EIGHT_NAN;
  if (i->relu && sign) return 0;
  if (isinf(x)) return sign | f->most;
  (void)frexp(x, &exponent);
  exponent--; /* of the form 1.f * 2^exponent */
  if (x == 0 || exponent < 1 - f->bias) exponent = 1 - f->bias;
  const double units = ldexp(fabs(x), f->fraction - exponent), whole = floor(units);
  const double rest = units - whole;
  if (whole > 2 * (1 << f->fraction) || exponent > f->bias + 1) return sign | f->most;
  uint32_t bits = (uint32_t)whole;
  bits += rest > 0.5 || (rest == 0.5 && bits % 2);
  bits += (uint32_t)(exponent + f->bias - 1) << f->fraction;
  return sign | (bits < f->most ? bits : f->most);
}

static double of_e4m3(uint32_t v) {
  const int exponent = (int)(v >> 3 & 15), fraction = (int)(v & 7);
  const double size = exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
  return v & 0x80 ? -size : size;
}

/* Converts to f16, which can represent all numbers of both formats. */
static uint32_t of_eight(const ptx_inst_t *i, uint32_t v) {
  const bool brief = i->type2 == PTX_E4M3X2;
  if ((v & 0x7F) > (brief ? e4m3.most : 0x7Cu)) return HALF_NAN;
  if (i->relu && v & 0x80) return 0;
  return brief ? half_of(of_e4m3(v), false, PTX_ROUND_RN) : v << 8;
}

static void from_eight(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1)
      d[l] = of_eight(op->inst, a[l] >> 8 & 0xFF) << 16 | of_eight(op->inst, a[l] & 0xFF);
}

/* The first source goes into the high half. */
static void from_words(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lanef_t *high = simt_vector(w, op->s[0]), *low = simt_vector(w, op->s[1]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1)
      d[l] = to_eight(op->inst, (double)high[l]) << 8 | to_eight(op->inst, (double)low[l]);
}

static void from_halves(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1)
      d[l] = to_eight(op->inst, half_source(a[l] >> 16, false)) << 8 |
             to_eight(op->inst, half_source(a[l] & 0xFFFF, false));
}

simt_exec_t exec_eight(const ptx_inst_t *i) {
  if (i->op != PTX_OP_CVT) return NULL;
  if (ptx_is_eight((ptx_type_t)i->type2)) return from_eight;
  if (!ptx_is_eight((ptx_type_t)i->type)) return NULL;
  return i->type2 == PTX_F32 ? from_words : from_halves;
}
