/* SPDX-License-Identifier: Apache-2.0 */
/* Sums with a carry, dot products of bytes, bitwise functions, and tests for a kind of number or
 * address. The carry is a predicate: the last destination of the instruction that writes it, and
 * the last source of the instruction that reads it. */
#include "workload/simt/exec_real.h"

#include <math.h>

/* ---- carries --------------------------------------------------------------- */

static bool is_wide(const ptx_inst_t *i) {
  return ptx_type_bytes((ptx_type_t)i->type) == 8;
}

/* The half of a * b that the instruction selects. */
static uint64_t product(const ptx_inst_t *i, uint64_t a, uint64_t b) {
  const bool has_sign = ptx_is_signed((ptx_type_t)i->type);
  if (i->mul == PTX_MUL_LO) return a * b;
  if (is_wide(i))
    return has_sign ? (uint64_t)((__extension__(__int128)(int64_t) a * (int64_t)b) >> 64)
                    : (uint64_t)((__extension__(unsigned __int128) a * b) >> 64);
  return has_sign ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32 : a * b >> 32;
}

/* a + b + carry; sets *carry on overflow. A difference is the sum of a and ~b, as in the hardware's
 * adder, so its carry is set if there is no borrow. */
static uint64_t add(const ptx_inst_t *i, uint64_t a, uint64_t b, bool *carry) {
  const bool minus = i->op == PTX_OP_SUB || i->op == PTX_OP_SUBC;
  const uint64_t all = is_wide(i) ? UINT64_MAX : UINT32_MAX, in = *carry;
  a &= all, b = (minus ? ~b : b) & all;
  const uint64_t r = (a + b + in) & all;
  *carry = in ? r <= a : r < a;
  return r;
}

static uint64_t lane_of(const warp_stream_t *w, const simt_op_t *op, unsigned k, unsigned l) {
  const void *v = simt_vector(w, op->s[k]);
  return is_wide(op->inst) ? ((const lane64_t *)v)[l] : ((const lane32_t *)v)[l];
}

static void carry(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_inst_t *i = op->inst;
  const bool mad = i->op == PTX_OP_MAD || i->op == PTX_OP_MADC;
  const bool reads = i->op == PTX_OP_ADDC || i->op == PTX_OP_SUBC || i->op == PTX_OP_MADC;
  const uint32_t none = i->op == PTX_OP_SUB ? UINT32_MAX : 0;
  const uint32_t in = reads ? exec_pred(w, op, mad ? 3 : 2) : none;
  void *d = simt_vector(w, op->d[0]);
  uint32_t out = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    uint64_t a = lane_of(w, op, 0, l), b = lane_of(w, op, 1, l);
    bool c = in >> l & 1;
    if (mad) a = product(i, a, b), b = lane_of(w, op, 2, l);
    const uint64_t r = add(i, a, b, &c);
    out |= (uint32_t)c << l;
    if (is_wide(i))
      ((lane64_t *)d)[l] = r;
    else
      ((lane32_t *)d)[l] = (uint32_t)r;
  }
  if (i->carry_out) exec_set_pred(w, op->d[1], out, mask);
}

/* ---- words ----------------------------------------------------------------- */

#define WORDS_3(name, EXPR)                                                                        \
  EXEC_TERNARY(name, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t, lane32_t, uint32_t, EXPR)

/* Bit 4a + 2b + c of the table. */
EXEC_INLINE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 8; k++)
    if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return r;
}
EXEC_BOTH(lop3_32, {
  const uint32_t table = (uint32_t)op->inst->src[3].imm;
  EXEC_LOOP(lane32_t, EXEC_SRC(lane32_t, pa, 0); EXEC_SRC(lane32_t, pb, 1);
            EXEC_SRC(lane32_t, pc, 2), (void)0, lop3(pa[l], pb[l], pc[l], table))
})

/* Part k of a word that consists of parts of `bits` bits. */
EXEC_INLINE uint32_t part(uint32_t x, unsigned k, unsigned bits, bool is_signed) {
  const uint32_t up = x << (32 - bits * (k + 1));
  return is_signed ? (uint32_t)((int32_t)up >> (32 - bits)) : up >> (32 - bits);
}
EXEC_INLINE uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb) {
  for (unsigned k = 0; k < 4; k++) c += part(a, k, 8, sa) * part(b, k, 8, sb);
  return c;
}
EXEC_INLINE uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb, unsigned high) {
  for (unsigned k = 0; k < 2; k++) c += part(a, k, 16, sa) * part(b, k + 2 * high, 8, sb);
  return c;
}
WORDS_3(dp4a_32, dp4a(a, b, c, op->inst->type == PTX_S32, op->inst->type2 == PTX_S32))
WORDS_3(dp2a_32, dp2a(a, b, c, op->inst->type == PTX_S32, op->inst->type2 == PTX_S32,
                      op->inst->what == PTX_DP2A_HI))

/* b ones, from bit a up. Positions and widths of 32 and more wrap, or are clamped. */
EXEC_INLINE uint32_t bmsk(uint32_t a, uint32_t b, bool wrap) {
  const uint32_t from = a & 31, n = b & 31;
  const bool all = !wrap && b >= 32;
  if (!wrap && a >= 32) return 0;
  return UINT32_MAX << from & (all || from + n >= 32 ? UINT32_MAX : ~(UINT32_MAX << (from + n)));
}
/* An empty field has no sign. */
EXEC_INLINE uint32_t szext(uint32_t a, uint32_t b, bool wrap, bool is_signed) {
  const uint32_t n = b & 31;
  if (!wrap && b >= 32) return a;
  if (n == 0) return 0;
  const uint32_t upper = UINT32_MAX << n, sign = is_signed ? a >> (n - 1) & 1 : 0;
  return (a & ~upper) | (sign ? upper : 0);
}
EXEC_BINARY(bmsk_32, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t,
            bmsk(a, b, op->inst->wrap != 0))
EXEC_BINARY(szext_32, lane32_t, lane32_t, uint32_t, lane32_t, uint32_t,
            szext(a, b, op->inst->wrap != 0, op->inst->type == PTX_S32))

/* ---- tests ---------------------------------------------------------------- */

static bool test(unsigned what, uint64_t size, uint64_t normal, uint64_t infinity) {
  switch ((ptx_testp_t)what) {
  case PTX_TESTP_FINITE:
    return size < infinity;
  case PTX_TESTP_INFINITE:
    return size == infinity;
  case PTX_TESTP_NUMBER:
    return size <= infinity;
  case PTX_TESTP_NOTANUMBER:
    return size > infinity;
  case PTX_TESTP_NORMAL:
    return size == 0 || (size >= normal && size < infinity);
  case PTX_TESTP_SUBNORMAL:
    return size < normal && size != 0;
  }
  return false;
}

static void testp(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const bool wide = is_wide(op->inst);
  const uint64_t normal = wide ? UINT64_C(1) << 52 : UINT64_C(1) << 23;
  const uint64_t infinity = wide ? UINT64_C(0x7FF) << 52 : UINT64_C(0xFF) << 23;
  uint32_t m = 0;
  for (unsigned l = 0; l < WARP_LANES; l++) {
    const uint64_t size = lane_of(w, op, 0, l) & (wide ? INT64_MAX : INT32_MAX);
    m |= (uint32_t)test(op->inst->what, size, normal, infinity) << l;
  }
  exec_set_pred(w, op->d[0], m, mask);
}

static void isspacep(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint32_t m = 0;
  for (unsigned l = 0; l < WARP_LANES; l++)
    m |= (uint32_t)(simt_space_of(lane_of(w, op, 0, l)) == op->inst->space) << l;
  exec_set_pred(w, op->d[0], m, mask);
}

/* ---- min and max with .NaN or .xorsign.abs, tanh --------------------------- */

EXEC_INLINE float choose(const ptx_inst_t *i, float a, float b) {
  const float nan = canon_f32(__builtin_nanf(""));
  const bool minus = i->xorsign && !__builtin_signbit(a) != !__builtin_signbit(b);
  if (i->ftz) a = flush_f32(a), b = flush_f32(b);
  if (i->nan && (a != a || b != b)) return nan;
  if (i->xorsign) a = __builtin_fabsf(a), b = __builtin_fabsf(b);
  const float r = i->op == PTX_OP_MIN ? least_f32(a, b) : most_f32(a, b);
  if (r != r) return nan;
  return minus ? -r : r;
}
EXEC_BINARY(choose_32, lanef_t, lanef_t, float, lanef_t, float, choose(op->inst, a, b))
EXEC_UNARY(tanh_32, lanef_t, lanef_t, float, canon_f32((float)tanh((double)a)))

simt_exec_t exec_carry(const ptx_inst_t *i, bool fast) {
  static const struct {
    unsigned op;
    exec_pair_t fn;
  } table[] = {{PTX_OP_LOP3, PAIR(lop3_32)},
               {PTX_OP_DP4A, PAIR(dp4a_32)},
               {PTX_OP_DP2A, PAIR(dp2a_32)},
               {PTX_OP_BMSK, PAIR(bmsk_32)},
               {PTX_OP_SZEXT, PAIR(szext_32)}};
  static const exec_pair_t chosen = PAIR(choose_32), hyperbolic = PAIR(tanh_32);
  if (i->carry_out || i->op == PTX_OP_ADDC || i->op == PTX_OP_SUBC || i->op == PTX_OP_MADC)
    return carry;
  if (i->op == PTX_OP_TESTP) return testp;
  if (i->op == PTX_OP_ISSPACEP) return isspacep;
  if (i->type == PTX_F32 && (i->nan || i->xorsign)) return chosen.fn[fast];
  if (i->type == PTX_F32 && i->op == PTX_OP_TANH) return hyperbolic.fn[fast];
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++)
    if (table[k].op == i->op) return table[k].fn.fn[fast];
  return NULL;
}
