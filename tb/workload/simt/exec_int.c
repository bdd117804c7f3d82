/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic. 16-bit values are in 32-bit lanes whose upper half has no meaning. Division
 * by zero gives all ones, as in hardware. */
#include "workload/simt/exec.h"

#define U16 uint16_t
#define S16 int16_t
#define U32 uint32_t
#define S32 int32_t
#define U64 uint64_t
#define S64 int64_t
#define L16 lane32_t
#define L32 lane32_t
#define L64 lane64_t

/* One function for each width, as signs do not matter. */
#define UNARY_3(name, EXPR)                                                                        \
  EXEC_UNARY(name##_16, lane32_t, lane32_t, uint32_t, EXPR)                                        \
  EXEC_UNARY(name##_32, lane32_t, lane32_t, uint32_t, EXPR)                                        \
  EXEC_UNARY(name##_64, lane64_t, lane64_t, uint64_t, EXPR)
#define BINARY_3(name, EXPR)                                                                       \
  EXEC_BINARY(name##_16, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, EXPR)                   \
  EXEC_BINARY(name##_32, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, EXPR)                   \
  EXEC_BINARY(name##_64, lane64_t, lane64_t, uint64_t, lane64_t, uint64_t, EXPR)
#define TABLE_3(name)                                                                              \
  {                                                                                                \
    PAIR(name##_16), PAIR(name##_16), PAIR(name##_32), PAIR(name##_32), PAIR(name##_64),           \
        PAIR(name##_64)                                                                            \
  }

/* One function for each type: `F` of the operands, with the type W to compute in. */
#define UNARY_6(name, F)                                                                           \
  EXEC_UNARY(name##_u16, L16, L16, U16, F(uint32_t, a))                                            \
  EXEC_UNARY(name##_s16, L16, L16, S16, F(int32_t, a))                                             \
  EXEC_UNARY(name##_u32, L32, L32, U32, F(uint32_t, a))                                            \
  EXEC_UNARY(name##_s32, L32, L32, S32, F(int32_t, a))                                             \
  EXEC_UNARY(name##_u64, L64, L64, U64, F(uint64_t, a))                                            \
  EXEC_UNARY(name##_s64, L64, L64, S64, F(int64_t, a))
#define BINARY_6(name, F)                                                                          \
  EXEC_BINARY(name##_u16, L16, L16, U16, L16, U16, F(uint32_t, U16, a, b))                         \
  EXEC_BINARY(name##_s16, L16, L16, S16, L16, S16, F(int32_t, S16, a, b))                          \
  EXEC_BINARY(name##_u32, L32, L32, U32, L32, U32, F(uint32_t, U32, a, b))                         \
  EXEC_BINARY(name##_s32, L32, L32, S32, L32, S32, F(int32_t, S32, a, b))                          \
  EXEC_BINARY(name##_u64, L64, L64, U64, L64, U64, F(uint64_t, U64, a, b))                         \
  EXEC_BINARY(name##_s64, L64, L64, S64, L64, S64, F(int64_t, S64, a, b))
#define TABLE_6(name)                                                                              \
  {                                                                                                \
    PAIR(name##_u16), PAIR(name##_s16), PAIR(name##_u32), PAIR(name##_s32), PAIR(name##_u64),      \
        PAIR(name##_s64)                                                                           \
  }

BINARY_3(add, a + b)
BINARY_3(sub, a - b)
BINARY_3(mul_lo, a *b)
UNARY_3(neg, 0 - a)
EXEC_TERNARY(mad_lo_16, L32, L32, U32, L32, U32, L32, U32, a *b + c)
EXEC_TERNARY(mad_lo_32, L32, L32, U32, L32, U32, L32, U32, a *b + c)
EXEC_TERNARY(mad_lo_64, L64, L64, U64, L64, U64, L64, U64, a *b + c)

#define MIN(W, V, x, y) ((x) < (y) ? (x) : (y))
#define MAX(W, V, x, y) ((x) > (y) ? (x) : (y))
BINARY_6(min, MIN)
BINARY_6(max, MAX)

EXEC_INLINE uint32_t abs32(int32_t a) {
  return a < 0 ? 0 - (uint32_t)a : (uint32_t)a;
}
EXEC_INLINE uint64_t abs64(int64_t a) {
  return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}
EXEC_UNARY(abs_16, L32, L32, S16, abs32(a))
EXEC_UNARY(abs_32, L32, L32, S32, abs32(a))
EXEC_UNARY(abs_64, L64, L64, S64, abs64(a))

/* |a - b| + c */
#define SAD(W, x, y, z) (((x) > (y) ? (W)(x) - (W)(y) : (W)(y) - (W)(x)) + (W)(z))
EXEC_TERNARY(sad_u16, L32, L32, U16, L32, U16, L32, U16, SAD(U32, a, b, c))
EXEC_TERNARY(sad_s16, L32, L32, S16, L32, S16, L32, S16, SAD(U32, a, b, c))
EXEC_TERNARY(sad_u32, L32, L32, U32, L32, U32, L32, U32, SAD(U32, a, b, c))
EXEC_TERNARY(sad_s32, L32, L32, S32, L32, S32, L32, S32, SAD(U32, a, b, c))
EXEC_TERNARY(sad_u64, L64, L64, U64, L64, U64, L64, U64, SAD(U64, a, b, c))
EXEC_TERNARY(sad_s64, L64, L64, S64, L64, S64, L64, S64, SAD(U64, a, b, c))

/* Upper halves of products. */
EXEC_INLINE uint64_t hi_u64(uint64_t a, uint64_t b) {
  return (uint64_t)((__extension__(unsigned __int128) a * b) >> 64);
}
EXEC_INLINE uint64_t hi_s64(int64_t a, int64_t b) {
  return (uint64_t)((__extension__(__int128) a * b) >> 64);
}
EXEC_INLINE uint32_t hi_u32(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)a * b >> 32);
}
EXEC_INLINE uint32_t hi_s32(int32_t a, int32_t b) {
  return (uint32_t)((uint64_t)((int64_t)a * b) >> 32);
}
EXEC_INLINE uint32_t hi_u16(uint16_t a, uint16_t b) {
  return (uint32_t)a * b >> 16;
}
EXEC_INLINE uint32_t hi_s16(int16_t a, int16_t b) {
  return (uint32_t)(a * b) >> 16;
}
EXEC_BINARY(mul_hi_u16, L16, L16, U16, L16, U16, hi_u16(a, b))
EXEC_BINARY(mul_hi_s16, L16, L16, S16, L16, S16, hi_s16(a, b))
EXEC_BINARY(mul_hi_u32, L32, L32, U32, L32, U32, hi_u32(a, b))
EXEC_BINARY(mul_hi_s32, L32, L32, S32, L32, S32, hi_s32(a, b))
EXEC_BINARY(mul_hi_u64, L64, L64, U64, L64, U64, hi_u64(a, b))
EXEC_BINARY(mul_hi_s64, L64, L64, S64, L64, S64, hi_s64(a, b))
EXEC_TERNARY(mad_hi_u16, L16, L16, U16, L16, U16, L16, U16, hi_u16(a, b) + c)
EXEC_TERNARY(mad_hi_s16, L16, L16, S16, L16, S16, L16, U16, hi_s16(a, b) + c)
EXEC_TERNARY(mad_hi_u32, L32, L32, U32, L32, U32, L32, U32, hi_u32(a, b) + c)
EXEC_TERNARY(mad_hi_s32, L32, L32, S32, L32, S32, L32, U32, hi_s32(a, b) + c)
EXEC_TERNARY(mad_hi_u64, L64, L64, U64, L64, U64, L64, U64, hi_u64(a, b) + c)
EXEC_TERNARY(mad_hi_s64, L64, L64, S64, L64, S64, L64, U64, hi_s64(a, b) + c)

/* Products of twice the width. */
EXEC_BINARY(mul_wide_u16, L32, L16, U16, L16, U16, (U32)a *b)
EXEC_BINARY(mul_wide_s16, L32, L16, S16, L16, S16, (S32)a *b)
EXEC_BINARY(mul_wide_u32, L64, L32, U32, L32, U32, (U64)a *b)
EXEC_BINARY(mul_wide_s32, L64, L32, S32, L32, S32, (S64)a *b)
EXEC_TERNARY(mad_wide_u16, L32, L16, U16, L16, U16, L32, U32, (U32)a *b + c)
EXEC_TERNARY(mad_wide_s16, L32, L16, S16, L16, S16, L32, U32, (U32)((S32)a *b) + c)
EXEC_TERNARY(mad_wide_u32, L64, L32, U32, L32, U32, L64, U64, (U64)a *b + c)
EXEC_TERNARY(mad_wide_s32, L64, L32, S32, L32, S32, L64, U64, (U64)((S64)a *b) + c)

/* 24-bit operands, sign- or zero-extended; the low 32 or the upper 32 of 48 bits. */
EXEC_INLINE uint64_t mul24_u(uint32_t a, uint32_t b) {
  return (uint64_t)(a & 0xFFFFFF) * (b & 0xFFFFFF);
}
EXEC_INLINE uint64_t mul24_s(uint32_t a, uint32_t b) {
  return (uint64_t)((int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8));
}
EXEC_BINARY(mul24_lo_u, L32, L32, U32, L32, U32, mul24_u(a, b))
EXEC_BINARY(mul24_lo_s, L32, L32, U32, L32, U32, mul24_s(a, b))
EXEC_BINARY(mul24_hi_u, L32, L32, U32, L32, U32, mul24_u(a, b) >> 16)
EXEC_BINARY(mul24_hi_s, L32, L32, U32, L32, U32, mul24_s(a, b) >> 16)
EXEC_TERNARY(mad24_lo_u, L32, L32, U32, L32, U32, L32, U32, mul24_u(a, b) + c)
EXEC_TERNARY(mad24_lo_s, L32, L32, U32, L32, U32, L32, U32, mul24_s(a, b) + c)
EXEC_TERNARY(mad24_hi_u, L32, L32, U32, L32, U32, L32, U32, (mul24_u(a, b) >> 16) + c)
EXEC_TERNARY(mad24_hi_s, L32, L32, U32, L32, U32, L32, U32, (mul24_s(a, b) >> 16) + c)

/* The most negative number divided by -1 is itself, with remainder 0. */
#define DIV_U(W, V, x, y) ((y) == 0 ? ~(W)0 : (W)((x) / ((y) == 0 ? (V)1 : (y))))
#define REM_U(W, V, x, y) ((y) == 0 ? ~(W)0 : (W)((x) % ((y) == 0 ? (V)1 : (y))))
EXEC_INLINE uint64_t div_signed(int64_t a, int64_t b) {
  if (b == 0) return UINT64_MAX;
  return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}
EXEC_INLINE uint64_t rem_signed(int64_t a, int64_t b) {
  if (b == 0) return UINT64_MAX;
  return b == -1 ? 0 : (uint64_t)(a % b);
}
EXEC_BINARY(div_u16, L16, L16, U16, L16, U16, DIV_U(uint32_t, U16, a, b))
EXEC_BINARY(div_s16, L16, L16, S16, L16, S16, div_signed(a, b))
EXEC_BINARY(div_u32, L32, L32, U32, L32, U32, DIV_U(uint32_t, U32, a, b))
EXEC_BINARY(div_s32, L32, L32, S32, L32, S32, div_signed(a, b))
EXEC_BINARY(div_u64, L64, L64, U64, L64, U64, DIV_U(uint64_t, U64, a, b))
EXEC_BINARY(div_s64, L64, L64, S64, L64, S64, div_signed(a, b))
EXEC_BINARY(rem_u16, L16, L16, U16, L16, U16, REM_U(uint32_t, U16, a, b))
EXEC_BINARY(rem_s16, L16, L16, S16, L16, S16, rem_signed(a, b))
EXEC_BINARY(rem_u32, L32, L32, U32, L32, U32, REM_U(uint32_t, U32, a, b))
EXEC_BINARY(rem_s32, L32, L32, S32, L32, S32, rem_signed(a, b))
EXEC_BINARY(rem_u64, L64, L64, U64, L64, U64, REM_U(uint64_t, U64, a, b))
EXEC_BINARY(rem_s64, L64, L64, S64, L64, S64, rem_signed(a, b))

/* A signed sum or difference, clamped to 32 bits. */
EXEC_INLINE int32_t clamp32(int64_t a) {
  return a > INT32_MAX ? INT32_MAX : a < INT32_MIN ? INT32_MIN : (int32_t)a;
}
EXEC_TERNARY(mad_sat, L32, L32, S32, L32, S32, L32, S32,
             clamp32((int64_t)(int32_t)hi_s32(a, b) + c))
EXEC_TERNARY(mad24_sat, L32, L32, U32, L32, U32, L32, S32,
             clamp32((int64_t)(int32_t)(mul24_s(a, b) >> 16) + c))

static simt_exec_t multiply(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t mul_lo[] = TABLE_3(mul_lo), mad_lo[] = TABLE_3(mad_lo);
  static const exec_pair_t mul_hi[] = TABLE_6(mul_hi), mad_hi[] = TABLE_6(mad_hi);
  static const exec_pair_t mul_wide[] = {PAIR(mul_wide_u16), PAIR(mul_wide_s16), PAIR(mul_wide_u32),
                                         PAIR(mul_wide_s32)};
  static const exec_pair_t mad_wide[] = {PAIR(mad_wide_u16), PAIR(mad_wide_s16), PAIR(mad_wide_u32),
                                         PAIR(mad_wide_s32)};
  unsigned row = exec_row(i->type);
  static const exec_pair_t sat = PAIR(mad_sat); /* mad.hi.s32 only */
  bool mad = i->op == PTX_OP_MAD;
  if (i->sat) return sat.fn[fast];
  switch ((ptx_mul_t)i->mul) {
  case PTX_MUL_LO:
    return (mad ? mad_lo : mul_lo)[row].fn[fast];
  case PTX_MUL_HI:
    return (mad ? mad_hi : mul_hi)[row].fn[fast];
  case PTX_MUL_WIDE:
    return row < ROW_U64 ? (mad ? mad_wide : mul_wide)[row].fn[fast] : NULL;
  }
  return NULL;
}

static simt_exec_t multiply24(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t table[2][2][2] = {
      {{PAIR(mul24_lo_u), PAIR(mul24_lo_s)}, {PAIR(mul24_hi_u), PAIR(mul24_hi_s)}},
      {{PAIR(mad24_lo_u), PAIR(mad24_lo_s)}, {PAIR(mad24_hi_u), PAIR(mad24_hi_s)}}};
  static const exec_pair_t sat = PAIR(mad24_sat); /* mad24.hi.s32 only */
  unsigned row = exec_row(i->type);
  if ((row != ROW_U32 && row != ROW_S32) || i->mul == PTX_MUL_WIDE) return NULL;
  if (i->sat) return sat.fn[fast];
  return table[i->op == PTX_OP_MAD24][i->mul == PTX_MUL_HI][row == ROW_S32].fn[fast];
}

EXEC_BINARY(add_sat, L32, L32, S32, L32, S32, clamp32((int64_t)a + b))
EXEC_BINARY(sub_sat, L32, L32, S32, L32, S32, clamp32((int64_t)a - b))

static simt_exec_t add_or_sub(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t table[2][6] = {TABLE_3(add), TABLE_3(sub)};
  static const exec_pair_t sat[2] = {PAIR(add_sat), PAIR(sub_sat)};
  unsigned row = exec_row(i->type);
  if (!i->sat) return table[i->op == PTX_OP_SUB][row].fn[fast];
  return row == ROW_S32 ? sat[i->op == PTX_OP_SUB].fn[fast] : NULL;
}

simt_exec_t exec_int(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t min[] = TABLE_6(min), max[] = TABLE_6(max), sad[] = TABLE_6(sad),
                           divide[] = TABLE_6(div), rem[] = TABLE_6(rem), neg[] = TABLE_3(neg),
                           absolute[] = TABLE_3(abs);
  unsigned row = exec_row(i->type);
  if (row > ROW_S64) return NULL;
  switch (i->op) {
  case PTX_OP_ADD:
  case PTX_OP_SUB:
    return add_or_sub(i, fast);
  case PTX_OP_MUL:
  case PTX_OP_MAD:
    return multiply(i, fast);
  case PTX_OP_MUL24:
  case PTX_OP_MAD24:
    return multiply24(i, fast);
  case PTX_OP_SAD:
    return sad[row].fn[fast];
  case PTX_OP_DIV:
    return divide[row].fn[fast];
  case PTX_OP_REM:
    return rem[row].fn[fast];
  case PTX_OP_ABS:
    return absolute[row].fn[fast];
  case PTX_OP_NEG:
    return neg[row].fn[fast];
  case PTX_OP_MIN:
    return min[row].fn[fast];
  case PTX_OP_MAX:
    return max[row].fn[fast];
  default:
    return NULL;
  }
}
