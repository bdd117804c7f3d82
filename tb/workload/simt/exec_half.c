/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic and comparisons of f16 and bf16, one or two numbers in a register. In double
 * precision, every sum and product of two such numbers is exact, or, for bf16 exponents that are
 * far apart, rounded to odd. So the only effective rounding is the one to 16 bits. */
#include "workload/simt/exec_half.h"

#include <math.h>

/* ---- one number ------------------------------------------------------------ */

/* .sat clamps to [0, 1]; .relu sets negative numbers to 0; without either, the number is
 * unchanged. */
static uint32_t limit(const ptx_inst_t *i, uint32_t h, bool brain) {
  const bool nan = half_is_nan(h, brain);
  if (i->sat) {
    if (nan || h & 0x8000) return 0;
    return h > 0x3C00 ? 0x3C00 : h;
  }
  return i->relu && !nan && h & 0x8000 ? 0 : h;
}

/* x + y, rounded to odd. */
static double sum(double x, double y) {
  return half_fma(x, 1, y);
}

static double value_of(const ptx_inst_t *i, const double *v) {
  switch (i->op) {
  case PTX_OP_ADD:
    return sum(v[0], v[1]);
  case PTX_OP_SUB:
    return sum(v[0], -v[1]);
  case PTX_OP_MUL:
    return v[0] * v[1];
  case PTX_OP_FMA:
    return half_fma(v[0], v[1], v[2]);
  case PTX_OP_EX2:
    return exp2(v[0]);
  default:
    return tanh(v[0]);
  }
}

/* min, max: -0 is less than +0. With .xorsign.abs, absolute values are compared, and the result has
 * the product's sign. */
static uint32_t choose(const ptx_inst_t *i, uint32_t a, uint32_t b, bool brain) {
  const bool nan = half_is_nan(a, brain), nan2 = half_is_nan(b, brain), least = i->op == PTX_OP_MIN;
  const uint32_t sign = i->xorsign ? (a ^ b) & 0x8000 : 0;
  if (i->xorsign) a &= 0x7FFF, b &= 0x7FFF;
  if ((nan && nan2) || (i->nan && (nan || nan2))) return HALF_NAN;
  if (nan) return b | sign;
  if (nan2) return a | sign;
  const int32_t x = a & 0x8000 ? ~(int32_t)(a & 0x7FFF) : (int32_t)a;
  const int32_t y = b & 0x8000 ? ~(int32_t)(b & 0x7FFF) : (int32_t)b;
  return ((x < y) == least ? a : b) | sign;
}

static uint32_t one(const ptx_inst_t *i, const uint32_t *a, bool brain) {
  double v[3], x;
  uint32_t r;
  switch (i->op) {
  case PTX_OP_NEG:
    r = half_is_nan(a[0], brain) ? HALF_NAN : a[0] ^ 0x8000;
    break;
  case PTX_OP_ABS:
    r = half_is_nan(a[0], brain) ? HALF_NAN : a[0] & 0x7FFF;
    break;
  case PTX_OP_MIN:
  case PTX_OP_MAX:
    r = choose(i, a[0], a[1], brain);
    break;
  default:
    for (unsigned k = 0; k < 3; k++) v[k] = half_value(a[k], brain);
    x = value_of(i, v);
    r = half_of(x, brain, PTX_ROUND_RN);
    if (i->ftz && half_is_tiny(x, brain)) r &= 0x8000;
    break;
  }
  return limit(i, r, brain);
}

static void arithmetic(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_inst_t *i = op->inst;
  const bool brain = ptx_is_brain((ptx_type_t)i->type);
  const unsigned parts = ptx_is_pair((ptx_type_t)i->type) ? 2 : 1;
  const lane32_t *s[3];
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned k = 0; k < 3; k++) s[k] = simt_vector(w, op->s[op->inst->src[k].kind ? k : 0]);
  for (uint32_t left = mask; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    uint32_t r = 0;
    for (unsigned p = 0; p < parts; p++) {
      uint32_t a[3];
      for (unsigned k = 0; k < 3; k++) {
        a[k] = s[k][l] >> 16 * p & 0xFFFF;
        if (i->ftz) a[k] = half_flush(a[k], brain);
      }
      if (i->minus == PTX_MINUS_ADDEND) a[2] ^= 0x8000;
      if (i->minus == PTX_MINUS_PRODUCT) a[0] ^= 0x8000;
      r |= one(i, a, brain) << 16 * p;
    }
    d[l] = r;
  }
}

/* ---- comparisons ----------------------------------------------------------- */

static bool compare(unsigned cmp, double a, double b) {
  const bool unordered = a != a || b != b;
  switch ((ptx_cmp_t)cmp) {
  case PTX_CMP_EQ:
    return a == b;
  case PTX_CMP_NE:
    return !unordered && a != b;
  case PTX_CMP_LT:
    return a < b;
  case PTX_CMP_LE:
    return a <= b;
  case PTX_CMP_GT:
    return a > b;
  case PTX_CMP_GE:
    return a >= b;
  case PTX_CMP_EQU:
    return unordered || a == b;
  case PTX_CMP_NEU:
    return a != b;
  case PTX_CMP_LTU:
    return !(a >= b);
  case PTX_CMP_LEU:
    return !(a > b);
  case PTX_CMP_GTU:
    return !(a <= b);
  case PTX_CMP_GEU:
    return !(a < b);
  case PTX_CMP_NUM:
    return !unordered;
  case PTX_CMP_NAN:
    return unordered;
  }
  return false;
}

/* The lanes for which half `part` of the first two sources satisfies the comparison. */
static uint32_t holds(const warp_stream_t *w, const simt_op_t *op, ptx_type_t type, unsigned part) {
  const ptx_inst_t *i = op->inst;
  const bool brain = ptx_is_brain(type);
  const lane32_t *pa = simt_vector(w, op->s[0]), *pb = simt_vector(w, op->s[1]);
  uint32_t m = 0;
  for (unsigned l = 0; l < WARP_LANES; l++) {
    uint32_t a = pa[l] >> 16 * part & 0xFFFF, b = pb[l] >> 16 * part & 0xFFFF;
    if (i->ftz) a = half_flush(a, brain), b = half_flush(b, brain);
    m |= (uint32_t)compare(i->cmp, half_value(a, brain), half_value(b, brain)) << l;
  }
  return m;
}

/* For pairs, the first predicate is that of the low halves, the second that of the high halves. */
static void setp(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_type_t type = (ptx_type_t)op->inst->type;
  const uint32_t low = holds(w, op, type, 0);
  const uint32_t second = ptx_is_pair(type) ? holds(w, op, type, 1) : ~low;
  const uint32_t p = exec_combine(w, op, low), q = exec_combine(w, op, second);
  exec_set_pred(w, op->d[0], p, mask);
  if (op->n > 1) exec_set_pred(w, op->d[1], q, mask);
}

/* All ones, or 1.0; for pairs, in each half. */
static void set(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_type_t type = (ptx_type_t)op->inst->type, from = (ptx_type_t)op->inst->type2;
  uint32_t low = exec_combine(w, op, holds(w, op, from, 0)), high = low;
  const uint32_t ones = ptx_is_half(type) ? (ptx_is_brain(type) ? 0x3F80 : 0x3C00) : 0xFFFF;
  if (ptx_is_pair(from)) high = exec_combine(w, op, holds(w, op, from, 1));
  if (type == PTX_F16 || type == PTX_BF16) high = 0;
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = (low >> l & 1 ? ones : 0) | (high >> l & 1 ? ones << 16 : 0);
}

/* ---- conversions ----------------------------------------------------------- */

/* Converts an integer to double, rounded to odd. */
static double from_integer(const ptx_inst_t *i, uint64_t wide) {
  const bool negative = ptx_is_signed((ptx_type_t)i->type2) && (int64_t)wide < 0;
  const uint64_t size = negative ? 0 - wide : wide;
  const uint64_t lost = size >> 53 ? size & 2047 : 0;
  const double x = half_odd((double)(size - lost), (double)lost);
  return negative ? -x : x;
}

uint32_t exec_to_half(const ptx_inst_t *i, uint64_t wide) {
  const bool brain = ptx_is_brain((ptx_type_t)i->type);
  const double x = ptx_is_float((ptx_type_t)i->type2) ? integral_f64(f64_of(wide), i->round)
                                                      : from_integer(i, wide);
  uint32_t h = half_of(x, brain, i->round >= PTX_ROUND_RNI ? PTX_ROUND_RN : i->round);
  if (x != x && i->type2 == PTX_F64) h = half_nan_of(x, brain);
  if (i->satfinite && (h & 0x7FFF) == half_infinity(brain)) h--;
  if (i->sat && brain) return half_is_nan(h, true) || h & 0x8000 ? 0 : h > 0x3F80 ? 0x3F80 : h;
  return limit(i, h, brain);
}

static uint64_t widened(float x) {
  return x == x ? exec_bits_of((double)x) : exec_bits_of(__builtin_nan(""));
}

/* The first source goes into the high half. */
static void cvt_pair(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lanef_t *high = simt_vector(w, op->s[0]), *low = simt_vector(w, op->s[1]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (uint32_t left = mask; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    d[l] = exec_to_half(op->inst, widened(high[l])) << 16 | exec_to_half(op->inst, widened(low[l]));
  }
}

/* 10 bits of fraction, in the upper bits of a word. As on an H100, .rna only truncates a NaN, and
 * .satfinite subtracts a unit from every result that is not finite. */
static uint32_t to_tf32(const ptx_inst_t *i, uint32_t x) {
  const uint32_t size = x & 0x7FFFFFFF, rest = x & 0x1FFF;
  const bool away = i->round == PTX_ROUND_RNA;
  if (size > 0x7F800000 && !away) return 0x7FFFE000;
  if (i->relu && x >> 31) return 0;
  const bool near = rest > 0x1000 || (rest == 0x1000 && (x & 0x2000) != 0);
  const bool grows =
      size < 0x7F800000 && (away ? rest >= 0x1000 : i->round == PTX_ROUND_RN && near);
  const uint32_t r = (x & ~UINT32_C(0x1FFF)) + (grows ? 0x2000 : 0);
  return i->satfinite && (r & 0x7FFFFFFF) >= 0x7F800000 ? r - 0x2000 : r;
}

static void cvt_tf32(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = to_tf32(op->inst, a[l]);
}

/* Widens bf16 to f32: the 16 bits become the upper half of the word, whatever they are. */
static void cvt_brain(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = a[l] << 16;
}

simt_exec_t exec_half(const ptx_inst_t *i) {
  const ptx_type_t type = (ptx_type_t)i->type;
  switch (i->op) {
  case PTX_OP_CVT:
    if (type == PTX_F32 && i->type2 == PTX_BF16 && !i->ftz) return cvt_brain;
    return ptx_is_pair(type) ? cvt_pair : type == PTX_TF32 ? cvt_tf32 : NULL;
  case PTX_OP_SETP:
    return ptx_is_half(type) ? setp : NULL;
  case PTX_OP_SET:
    return ptx_is_half((ptx_type_t)i->type2) ? set : NULL;
  case PTX_OP_ADD:
  case PTX_OP_SUB:
  case PTX_OP_MUL:
  case PTX_OP_FMA:
  case PTX_OP_NEG:
  case PTX_OP_ABS:
  case PTX_OP_MIN:
  case PTX_OP_MAX:
  case PTX_OP_EX2:
  case PTX_OP_TANH:
    return ptx_is_half(type) ? arithmetic : NULL;
  default:
    return NULL;
  }
}
