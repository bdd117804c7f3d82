/* SPDX-License-Identifier: Apache-2.0 */
/* cvt. Frequent conversions have their own loops; the others go through 32 wide values. */
#include "workload/simt/exec_half.h"

#include <math.h>

typedef union {
  uint64_t u[WARP_LANES];
  int64_t s[WARP_LANES];
  double f[WARP_LANES];
} wide_t;

static bool is_real(unsigned type) {
  return ptx_is_float((ptx_type_t)type);
}
static bool is_signed(unsigned type) {
  return ptx_is_signed((ptx_type_t)type);
}

/* ---- to the wide value and back -------------------------------------------- */

static uint64_t extend(uint64_t x, unsigned type) {
  unsigned drop = 64 - 8 * ptx_type_bytes((ptx_type_t)type);
  return is_signed(type) ? (uint64_t)((int64_t)(x << drop) >> drop) : x << drop >> drop;
}

/* A conversion to f16 keeps the denormal numbers of its source, as an H100 does. */
static bool flushes(const ptx_inst_t *i) {
  return i->ftz && i->type != PTX_F16;
}

static void load_wide(const warp_stream_t *w, const simt_op_t *op, wide_t *v) {
  const ptx_inst_t *i = op->inst;
  const void *a = simt_vector(w, op->s[0]);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (i->type2 == PTX_F32) {
      float x = ((const lanef_t *)a)[l];
      v->f[l] = (double)(flushes(i) ? flush_f32(x) : x);
    } else if (ptx_is_half((ptx_type_t)i->type2)) {
      v->f[l] = half_source(((const lane32_t *)a)[l] & 0xFFFF, ptx_is_brain((ptx_type_t)i->type2));
    } else {
      uint64_t x = op->wide & 16 ? ((const lane64_t *)a)[l] : ((const lane32_t *)a)[l];
      v->u[l] = i->type2 == PTX_F64 ? x : extend(x, i->type2);
    }
  }
}

static void store_wide(const warp_stream_t *w, const simt_op_t *op, const wide_t *v,
                       uint32_t mask) {
  void *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    if (op->wide & 1)
      ((lane64_t *)d)[l] = v->u[l];
    else
      ((lane32_t *)d)[l] = (uint32_t)v->u[l];
  }
}

/* ---- to integers ----------------------------------------------------------- */

static double integral(double x, unsigned round) {
  switch (round) {
  case PTX_ROUND_RNI:
  case PTX_ROUND_RN:
    return nearbyint(x);
  case PTX_ROUND_RMI:
  case PTX_ROUND_RM:
    return floor(x);
  case PTX_ROUND_RPI:
  case PTX_ROUND_RP:
    return ceil(x);
  default:
    return trunc(x);
  }
}

/* Clamped to the type. NaN becomes 0 between types of at most 32 bits, and otherwise the highest
 * bit (the PTX manual, under cvt). */
static uint64_t real_to_int(double x, unsigned from, unsigned type, unsigned round) {
  unsigned bits = 8 * ptx_type_bytes((ptx_type_t)type);
  x = integral(x, round);
  if (x != x) return from == PTX_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
  if (is_signed(type)) {
    double limit = ldexp(1.0, (int)bits - 1);
    if (x >= limit) return (UINT64_C(1) << (bits - 1)) - 1;
    return x <= -limit ? 0 - (UINT64_C(1) << (bits - 1)) : (uint64_t)(int64_t)x;
  }
  if (x <= 0) return 0;
  return x >= ldexp(1.0, (int)bits) ? UINT64_MAX >> (64 - bits) : (uint64_t)x;
}

/* An integer of type `from`, clamped to `type`. */
static uint64_t clamp(uint64_t x, unsigned from, unsigned type) {
  unsigned bits = 8 * ptx_type_bytes((ptx_type_t)type);
  bool negative = is_signed(from) && (int64_t)x < 0;
  uint64_t most = UINT64_MAX >> (64 - bits) >> is_signed(type);
  if (!negative) return x > most ? most : x;
  if (!is_signed(type)) return 0;
  int64_t least = -(int64_t)most - 1;
  return (int64_t)x < least ? (uint64_t)least : x;
}

static void cvt_to_int(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_inst_t *i = op->inst;
  wide_t v;
  load_wide(w, op, &v);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (is_real(i->type2))
      v.u[l] = real_to_int(v.f[l], i->type2, i->type, i->round);
    else if (i->sat)
      v.u[l] = clamp(v.u[l], i->type2, i->type);
    v.u[l] = extend(v.u[l], i->type);
  }
  store_wide(w, op, &v, mask);
}

static void cvt_to_real(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  wide_t v, r;
  load_wide(w, op, &v);
  exec_to_real(op->inst, &v, &r);
  store_wide(w, op, &r, mask);
}

/* ---- frequent conversions -------------------------------------------------- */

EXEC_UNARY(u32_u64, lane64_t, lane32_t, uint32_t, a)
EXEC_UNARY(s32_s64, lane64_t, lane32_t, int32_t, (int64_t)a)
EXEC_UNARY(low_32, lane32_t, lane64_t, uint64_t, a)
EXEC_UNARY(copy_32, lane32_t, lane32_t, uint32_t, a)
EXEC_UNARY(u16_32, lane32_t, lane32_t, uint16_t, a)
EXEC_UNARY(s16_32, lane32_t, lane32_t, int16_t, a)
EXEC_UNARY(u8_32, lane32_t, lane32_t, uint8_t, a)
EXEC_UNARY(s8_32, lane32_t, lane32_t, int8_t, a)
EXEC_UNARY(s32_f32, lanef_t, lane32_t, int32_t, (float)a)
EXEC_UNARY(u32_f32, lanef_t, lane32_t, uint32_t, (float)a)
EXEC_UNARY(s32_f64, laned_t, lane32_t, int32_t, (double)a)
EXEC_UNARY(f32_f64, laned_t, lanef_t, float, a == a ? (double)a : widen_nan(a))
EXEC_UNARY(f64_f32, lanef_t, laned_t, double, a == a ? (float)a : narrow_nan(a))
EXEC_UNARY(copy_64, lane64_t, lane64_t, uint64_t, a)

/* Truncates. */
EXEC_INLINE int32_t f32_to_s32(float x) {
  float y = x >= -0x1p31f ? x : -0x1p31f;
  y = y < 0x1p31f ? y : 0.0f;
  int32_t r = (int32_t)y;
  r = x >= 0x1p31f ? INT32_MAX : r;
  return x == x ? r : 0;
}
EXEC_UNARY(f32_s32, lane32_t, lanef_t, float, f32_to_s32(a))

static bool rounds(const ptx_inst_t *i) {
  return i->round == PTX_ROUND_RZ || i->round == PTX_ROUND_RM || i->round == PTX_ROUND_RP;
}

/* The registers are as wide as the types, or have 32 bits. */
static simt_exec_t frequent(const ptx_inst_t *i, bool fast) {
  static const struct {
    uint8_t from, to;
    exec_pair_t fn;
  } table[] = {
      {PTX_U32, PTX_U64, PAIR(u32_u64)}, {PTX_U32, PTX_S64, PAIR(u32_u64)},
      {PTX_S32, PTX_S64, PAIR(s32_s64)}, {PTX_S32, PTX_U64, PAIR(s32_s64)},
      {PTX_U64, PTX_U32, PAIR(low_32)},  {PTX_S64, PTX_U32, PAIR(low_32)},
      {PTX_U64, PTX_S32, PAIR(low_32)},  {PTX_S64, PTX_S32, PAIR(low_32)},
      {PTX_U32, PTX_U32, PAIR(copy_32)}, {PTX_S32, PTX_S32, PAIR(copy_32)},
      {PTX_U32, PTX_S32, PAIR(copy_32)}, {PTX_S32, PTX_U32, PAIR(copy_32)},
      {PTX_U16, PTX_U32, PAIR(u16_32)},  {PTX_U16, PTX_S32, PAIR(u16_32)},
      {PTX_S16, PTX_S32, PAIR(s16_32)},  {PTX_S16, PTX_U32, PAIR(s16_32)},
      {PTX_U32, PTX_U16, PAIR(u16_32)},  {PTX_S32, PTX_U16, PAIR(u16_32)},
      {PTX_U32, PTX_S16, PAIR(s16_32)},  {PTX_S32, PTX_S16, PAIR(s16_32)},
      {PTX_U8, PTX_U32, PAIR(u8_32)},    {PTX_S8, PTX_S32, PAIR(s8_32)},
      {PTX_S32, PTX_F32, PAIR(s32_f32)}, {PTX_U32, PTX_F32, PAIR(u32_f32)},
      {PTX_S32, PTX_F64, PAIR(s32_f64)}, {PTX_F32, PTX_F64, PAIR(f32_f64)},
      {PTX_F64, PTX_F32, PAIR(f64_f32)}, {PTX_F32, PTX_S32, PAIR(f32_s32)},
      {PTX_F32, PTX_F32, PAIR(copy_32)}, {PTX_F64, PTX_F64, PAIR(copy_64)},
  };
  if (i->sat || i->ftz) return NULL;
  if (i->type == i->type2 && is_real(i->type) && i->round != PTX_ROUND_NONE) return NULL;
  bool truncates = i->round == PTX_ROUND_RZI || i->round == PTX_ROUND_RZ;
  if (is_real(i->type) ? rounds(i) : is_real(i->type2) && !truncates) return NULL;
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++)
    if (table[k].from == i->type2 && table[k].to == i->type) return table[k].fn.fn[fast];
  return NULL;
}

simt_exec_t exec_convert(const ptx_inst_t *i, const simt_op_t *op, bool fast) {
  if (i->op != PTX_OP_CVT || i->type == PTX_PRED || i->type2 == PTX_PRED) return NULL;
  bool plain = (op->wide & 1) == (ptx_type_bytes((ptx_type_t)i->type) == 8) &&
               (op->wide >> 4 & 1) == (ptx_type_bytes((ptx_type_t)i->type2) == 8);
  simt_exec_t fn = plain ? frequent(i, fast) : NULL;
  if (fn) return fn;
  return is_real(i->type) ? cvt_to_real : cvt_to_int;
}
