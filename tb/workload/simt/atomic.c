/* SPDX-License-Identifier: Apache-2.0 */
/* See atomic.h. */
#include "workload/simt/atomic.h"

#include "workload/simt/exec_half.h"

/* Defines an operation: `EXPR` of old, b and c as type T. */
#define ATOMIC(name, T, EXPR)                                                                      \
  static uint64_t name(uint64_t old64, uint64_t b64, uint64_t c64) {                               \
    const T old = (T)old64, b = (T)b64, c = (T)c64;                                                \
    (void)old, (void)c;                                                                            \
    return (uint64_t)(EXPR);                                                                       \
  }

ATOMIC(add_32, uint32_t, (uint32_t)(old + b))
ATOMIC(add_64, uint64_t, old + b)
ATOMIC(min_u32, uint32_t, b < old ? b : old)
ATOMIC(max_u32, uint32_t, b > old ? b : old)
ATOMIC(min_u64, uint64_t, b < old ? b : old)
ATOMIC(max_u64, uint64_t, b > old ? b : old)
ATOMIC(min_s32, int32_t, (uint32_t)(b < old ? b : old))
ATOMIC(max_s32, int32_t, (uint32_t)(b > old ? b : old))
ATOMIC(min_s64, int64_t, b < old ? b : old)
ATOMIC(max_s64, int64_t, b > old ? b : old)
ATOMIC(and_bits, uint64_t, old &b)
ATOMIC(or_bits, uint64_t, old | b)
ATOMIC(xor_bits, uint64_t, old ^ b)
ATOMIC(inc_u32, uint32_t, old >= b ? 0 : old + 1)
ATOMIC(dec_u32, uint32_t, old == 0 || old > b ? b : old - 1)
ATOMIC(exch_bits, uint64_t, b)
ATOMIC(cas_16, uint16_t, old == b ? c : old)
ATOMIC(cas_32, uint32_t, old == b ? c : old)
ATOMIC(cas_64, uint64_t, old == b ? c : old)

static float float_of(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float x;
  __builtin_memcpy(&x, &low, sizeof x);
  return x;
}

static uint64_t bits_of_float(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t add_f32(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  return bits_of_float(canon_f32(float_of(old) + float_of(b)));
}

static uint64_t add_f32_ftz(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  return bits_of_float(flush_f32(canon_f32(flush_f32(float_of(old)) + flush_f32(float_of(b)))));
}

/* NaNs as on an H100: shared memory takes the NaN in memory and makes it quiet; the L2 takes the
 * operand's NaN unchanged. */
static uint64_t add_f64_shared(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  const double x = f64_of(old), y = f64_of(b);
  return exec_bits_of(canon2_f64(x + y, y, x));
}

static uint64_t add_f64_l2(uint64_t old, uint64_t b, uint64_t c) {
  const double x = f64_of(old), y = f64_of(b);
  return y != y ? b : x != x ? old : add_f64_shared(old, b, c);
}

/* Rounded once; denormal numbers are kept. */
static uint64_t add_half(uint64_t old, uint64_t b, bool brain) {
  const double x = half_source(old & 0xFFFF, brain), y = half_source(b & 0xFFFF, brain);
  return half_of(half_fma(x, 1, y), brain, PTX_ROUND_RN);
}

static uint64_t add_f16(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  return add_half(old, b, false);
}

static uint64_t add_bf16(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  return add_half(old, b, true);
}

static uint64_t add_f16x2(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  return add_half(old, b, false) | add_half(old >> 16, b >> 16, false) << 16;
}

static uint64_t add_bf16x2(uint64_t old, uint64_t b, uint64_t c) {
  (void)c;
  return add_half(old, b, true) | add_half(old >> 16, b >> 16, true) << 16;
}

static atomic_t addition(ptx_type_t type, bool global) {
  switch ((int)type) {
  case PTX_F16:
    return add_f16;
  case PTX_F16X2:
    return add_f16x2;
  case PTX_BF16:
    return add_bf16;
  case PTX_BF16X2:
    return add_bf16x2;
  case PTX_F32:
    return global ? add_f32_ftz : add_f32;
  case PTX_F64:
    return global ? add_f64_l2 : add_f64_shared;
  default:
    return ptx_type_bytes(type) == 8 ? add_64 : add_32;
  }
}

static atomic_t least_or_most(ptx_type_t type, bool least) {
  switch ((int)type) {
  case PTX_U32:
    return least ? min_u32 : max_u32;
  case PTX_S32:
    return least ? min_s32 : max_s32;
  case PTX_U64:
    return least ? min_u64 : max_u64;
  case PTX_S64:
    return least ? min_s64 : max_s64;
  default:
    return NULL;
  }
}

atomic_t atomic_function(ptx_atomic_t what, ptx_type_t type, bool global) {
  const unsigned bytes = ptx_type_bytes(type);
  switch (what) {
  case PTX_ATOMIC_ADD:
    return addition(type, global);
  case PTX_ATOMIC_MIN:
  case PTX_ATOMIC_MAX:
    return least_or_most(type, what == PTX_ATOMIC_MIN);
  case PTX_ATOMIC_AND:
    return and_bits;
  case PTX_ATOMIC_OR:
    return or_bits;
  case PTX_ATOMIC_XOR:
    return xor_bits;
  case PTX_ATOMIC_INC:
    return inc_u32;
  case PTX_ATOMIC_DEC:
    return dec_u32;
  case PTX_ATOMIC_EXCH:
    return exch_bits;
  case PTX_ATOMIC_CAS:
    return bytes == 8 ? cas_64 : bytes == 4 ? cas_32 : cas_16;
  }
  return NULL;
}

bool atomic_commutes(ptx_atomic_t what, ptx_type_t type) {
  const bool whole = type != PTX_F32 && type != PTX_F64 && !(type >= PTX_F16 && type <= PTX_BF16X2);
  return what <= PTX_ATOMIC_XOR && whole;
}
