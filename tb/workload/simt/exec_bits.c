/* SPDX-License-Identifier: Apache-2.0 */
/* Logic, shifts and bit fields; predicates are masks. */
#include "workload/simt/exec.h"

#define BITS_2(name, F)                                                                            \
  EXEC_BINARY(name##_32, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, F(a, b))                \
  EXEC_BINARY(name##_64, lane64_t, lane64_t, uint64_t, lane64_t, uint64_t, F(a, b))
#define AND(x, y) ((x) & (y))
#define OR(x, y) ((x) | (y))
#define XOR(x, y) ((x) ^ (y))
BITS_2(and, AND)
BITS_2(or, OR)
BITS_2(xor, XOR)
EXEC_UNARY(not_32, lane32_t, lane32_t, uint32_t, ~a)
EXEC_UNARY(not_64, lane64_t, lane64_t, uint64_t, ~a)
EXEC_UNARY(cnot_16, lane32_t, lane32_t, uint16_t, a == 0)
EXEC_UNARY(cnot_32, lane32_t, lane32_t, uint32_t, a == 0)
EXEC_UNARY(cnot_64, lane64_t, lane64_t, uint64_t, a == 0)

/* A shift by the width or more gives zeros, or copies of the sign. */
#define SHL(width, x, n) ((n) < (width) ? (x) << ((n) & ((width)-1)) : 0)
#define SHR(width, x, n) ((n) < (width) ? (x) >> ((n) & ((width)-1)) : 0)
#define SAR(width, x, n) ((x) >> ((n) < (width) ? (n) : (width)-1))
EXEC_BINARY(shl_16, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, SHL(32, a, b))
EXEC_BINARY(shl_32, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, SHL(32, a, b))
EXEC_BINARY(shl_64, lane64_t, lane64_t, uint64_t, lane32_t, uint32_t, SHL(64, a, b))
EXEC_BINARY(shr_u16, lane32_t, lane32_t, uint16_t, lane32_t, uint32_t, SHR(32, (uint32_t)a, b))
EXEC_BINARY(shr_s16, lane32_t, lane32_t, int16_t, lane32_t, uint32_t, SAR(32, (int32_t)a, b))
EXEC_BINARY(shr_u32, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, SHR(32, a, b))
EXEC_BINARY(shr_s32, lane32_t, lane32_t, int32_t, lane32_t, uint32_t, SAR(32, a, b))
EXEC_BINARY(shr_u64, lane64_t, lane64_t, uint64_t, lane32_t, uint32_t, SHR(64, a, b))
EXEC_BINARY(shr_s64, lane64_t, lane64_t, int64_t, lane32_t, uint32_t, SAR(64, a, b))

/* The upper (l) or lower (r) half of b:a shifted by c. */
EXEC_INLINE uint64_t pair(uint32_t low, uint32_t high) {
  return (uint64_t)high << 32 | low;
}
EXEC_INLINE uint32_t at_most_32(uint32_t n) {
  return n < 32 ? n : 32;
}
#define SHF(name, EXPR)                                                                            \
  EXEC_TERNARY(name, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, lane32_t, uint32_t, EXPR)
SHF(shf_l_wrap, pair(a, b) << (c & 31) >> 32)
SHF(shf_l_clamp, pair(a, b) << at_most_32(c) >> 32)
SHF(shf_r_wrap, pair(a, b) >> (c & 31))
SHF(shf_r_clamp, pair(a, b) >> at_most_32(c))

/* Bit fields: bits outside the word are zero, or the sign. For 32-bit words, position and length
 * are 8 bits each; for 64-bit words, all of their bits count (as on an H100). */
EXEC_INLINE uint64_t field_mask(unsigned length) {
  return length >= 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1;
}
EXEC_INLINE uint64_t bfe(uint64_t a, unsigned position, unsigned length, bool is_signed,
                         unsigned width) {
  uint64_t x = position < width ? a >> position : 0;
  x &= field_mask(length);
  if (!is_signed || length == 0) return x;
  uint64_t top = (uint64_t)position + length - 1;
  if (top > width - 1) top = width - 1;
  bool sign = a >> top & 1;
  unsigned have = position < width ? width - position : 0; /* number of bits inside the word */
  if (have > length) have = length;
  return sign ? x | ~field_mask(have) : x;
}
EXEC_INLINE uint64_t bfi(uint64_t a, uint64_t b, unsigned position, unsigned length,
                         unsigned width) {
  if (position >= width) return b;
  uint64_t m = field_mask(length) << position;
  return (b & ~m) | (a << position & m);
}
#define FIELD(x, width) ((x) & ((width) == 32 ? 255 : UINT32_MAX))
#define BFE(name, S, V, is_signed, width)                                                          \
  EXEC_TERNARY(name, S, S, V, lane32_t, uint32_t, lane32_t, uint32_t,                              \
               bfe(a, FIELD(b, width), FIELD(c, width), is_signed, width))
BFE(bfe_u32, lane32_t, uint32_t, false, 32)
BFE(bfe_s32, lane32_t, uint32_t, true, 32)
BFE(bfe_u64, lane64_t, uint64_t, false, 64)
BFE(bfe_s64, lane64_t, uint64_t, true, 64)
#define BFI(name, S, V, width)                                                                     \
  EXEC_BOTH(name, EXEC_LOOP(S, EXEC_SRC(S, pa, 0); EXEC_SRC(S, pb, 1); EXEC_SRC(lane32_t, pc, 2);  \
                            EXEC_SRC(lane32_t, pd, 3), (void)0,                                    \
                            bfi(pa[l], pb[l], FIELD(pc[l], width), FIELD(pd[l], width), width)))
BFI(bfi_32, lane32_t, uint32_t, 32)
BFI(bfi_64, lane64_t, uint64_t, 64)

EXEC_INLINE uint32_t brev32(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0F0F0F0F) | (a & 0x0F0F0F0F) << 4;
  return __builtin_bswap32(a);
}
EXEC_INLINE uint64_t brev64(uint64_t a) {
  return (uint64_t)brev32((uint32_t)a) << 32 | brev32((uint32_t)(a >> 32));
}
EXEC_INLINE uint32_t clz64(uint64_t a) {
  return a ? (uint32_t)__builtin_clzll(a) : 64;
}
/* The position of the highest set bit; for a negative number the caller passes the complement. */
EXEC_INLINE uint32_t bfind(uint64_t a) {
  return a ? 63 - (uint32_t)__builtin_clzll(a) : UINT32_MAX;
}
EXEC_UNARY(brev_32, lane32_t, lane32_t, uint32_t, brev32(a))
EXEC_UNARY(brev_64, lane64_t, lane64_t, uint64_t, brev64(a))
EXEC_UNARY(clz_32, lane32_t, lane32_t, uint32_t, clz64(a) - 32)
EXEC_UNARY(clz_64, lane32_t, lane64_t, uint64_t, clz64(a))
EXEC_UNARY(popc_32, lane32_t, lane32_t, uint32_t, __builtin_popcount(a))
EXEC_UNARY(popc_64, lane32_t, lane64_t, uint64_t, __builtin_popcountll(a))
/* The distance of the highest set bit from the top of `width` bits. */
EXEC_INLINE uint32_t to_top(uint64_t a, unsigned width) {
  return a ? (uint32_t)__builtin_clzll(a) - (64 - width) : UINT32_MAX;
}
EXEC_UNARY(top_u32, lane32_t, lane32_t, uint32_t, to_top(a, 32))
EXEC_UNARY(top_s32, lane32_t, lane32_t, int32_t, to_top((uint32_t)(a < 0 ? ~a : a), 32))
EXEC_UNARY(top_u64, lane32_t, lane64_t, uint64_t, to_top(a, 64))
EXEC_UNARY(top_s64, lane32_t, lane64_t, int64_t, to_top((uint64_t)(a < 0 ? ~a : a), 64))
EXEC_UNARY(bfind_u32, lane32_t, lane32_t, uint32_t, bfind(a))
EXEC_UNARY(bfind_s32, lane32_t, lane32_t, int32_t, bfind((uint32_t)(a < 0 ? ~a : a)))
EXEC_UNARY(bfind_u64, lane32_t, lane64_t, uint64_t, bfind(a))
EXEC_UNARY(bfind_s64, lane32_t, lane64_t, int64_t, bfind((uint64_t)(a < 0 ? ~a : a)))
/* The shift that moves the bit there; "none" stays "none". */
EXEC_INLINE uint32_t shift_to(uint32_t position, uint32_t top) {
  return position == UINT32_MAX ? position : top - position;
}
EXEC_UNARY(shift_u32, lane32_t, lane32_t, uint32_t, shift_to(bfind(a), 31))
EXEC_UNARY(shift_s32, lane32_t, lane32_t, int32_t, shift_to(bfind((uint32_t)(a < 0 ? ~a : a)), 31))
EXEC_UNARY(shift_u64, lane32_t, lane64_t, uint64_t, shift_to(bfind(a), 63))
EXEC_UNARY(shift_s64, lane32_t, lane64_t, int64_t, shift_to(bfind((uint64_t)(a < 0 ? ~a : a)), 63))

/* Selects four bytes from the eight of b:a, each unchanged or as eight copies of its sign. */
EXEC_INLINE uint32_t prmt(uint32_t a, uint32_t b, uint32_t how) {
  uint64_t from = pair(a, b);
  uint32_t r = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t s = how >> (4 * i) & 15;
    uint32_t byte = (uint32_t)(from >> (8 * (s & 7))) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * i);
  }
  return r;
}
SHF(prmt_32, prmt(a, b, c))

/* ---- predicates ------------------------------------------------------------ */

static void pred_and(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  exec_set_pred(w, op->d[0], exec_pred(w, op, 0) & exec_pred(w, op, 1), mask);
}
static void pred_or(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  exec_set_pred(w, op->d[0], exec_pred(w, op, 0) | exec_pred(w, op, 1), mask);
}
static void pred_xor(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  exec_set_pred(w, op->d[0], exec_pred(w, op, 0) ^ exec_pred(w, op, 1), mask);
}
static void pred_not(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  exec_set_pred(w, op->d[0], ~exec_pred(w, op, 0), mask);
}

static simt_exec_t predicates(unsigned op) {
  switch (op) {
  case PTX_OP_AND:
    return pred_and;
  case PTX_OP_OR:
    return pred_or;
  case PTX_OP_XOR:
    return pred_xor;
  case PTX_OP_NOT:
    return pred_not;
  default:
    return NULL;
  }
}

/* ---- tables ---------------------------------------------------------------- */

#define LOGIC(name)                                                                                \
  {                                                                                                \
    PAIR(name##_32), PAIR(name##_32), PAIR(name##_32), PAIR(name##_32), PAIR(name##_64),           \
        PAIR(name##_64)                                                                            \
  }
#define NO_16(u32, s32, u64, s64)                                                                  \
  { {{NULL, NULL}}, {{NULL, NULL}}, PAIR(u32), PAIR(s32), PAIR(u64), PAIR(s64) }

static simt_exec_t shf(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t table[2][2] = {{PAIR(shf_r_clamp), PAIR(shf_r_wrap)},
                                          {PAIR(shf_l_clamp), PAIR(shf_l_wrap)}};
  return table[i->left_shift][i->wrap != 0].fn[fast];
}

static simt_exec_t shift_amount(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t table[6] = NO_16(shift_u32, shift_s32, shift_u64, shift_s64);
  return table[exec_row(i->type)].fn[fast];
}

simt_exec_t exec_bits(const ptx_inst_t *i, bool fast) {
  static const struct {
    unsigned op;
    exec_pair_t rows[6];
  } table[] = {
      {PTX_OP_AND, LOGIC(and)},
      {PTX_OP_OR, LOGIC(or)},
      {PTX_OP_XOR, LOGIC(xor)},
      {PTX_OP_NOT, LOGIC(not )},
      {PTX_OP_CNOT,
       {PAIR(cnot_16), PAIR(cnot_16), PAIR(cnot_32), PAIR(cnot_32), PAIR(cnot_64), PAIR(cnot_64)}},
      {PTX_OP_SHL,
       {PAIR(shl_16), PAIR(shl_16), PAIR(shl_32), PAIR(shl_32), PAIR(shl_64), PAIR(shl_64)}},
      {PTX_OP_SHR,
       {PAIR(shr_u16), PAIR(shr_s16), PAIR(shr_u32), PAIR(shr_s32), PAIR(shr_u64), PAIR(shr_s64)}},
      {PTX_OP_BFE, NO_16(bfe_u32, bfe_s32, bfe_u64, bfe_s64)},
      {PTX_OP_BFI, NO_16(bfi_32, bfi_32, bfi_64, bfi_64)},
      {PTX_OP_BREV, NO_16(brev_32, brev_32, brev_64, brev_64)},
      {PTX_OP_CLZ, NO_16(clz_32, clz_32, clz_64, clz_64)},
      {PTX_OP_POPC, NO_16(popc_32, popc_32, popc_64, popc_64)},
      {PTX_OP_BFIND, NO_16(bfind_u32, bfind_s32, bfind_u64, bfind_s64)},
  };
  static const exec_pair_t permute = PAIR(prmt_32);
  static const exec_pair_t top[] = NO_16(top_u32, top_s32, top_u64, top_s64);
  if (i->type == PTX_PRED) return predicates(i->op);
  if (i->op == PTX_OP_SHF) return shf(i, fast);
  if (i->op == PTX_OP_BFIND && i->what) return shift_amount(i, fast);
  if (i->op == PTX_OP_PRMT) return permute.fn[fast];
  unsigned row = exec_row(i->type);
  if (row > ROW_S64) return NULL;
  if (i->op == PTX_OP_BFIND && i->what) return top[row].fn[fast];
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++)
    if (table[k].op == i->op) return table[k].rows[row].fn[fast];
  return NULL;
}
