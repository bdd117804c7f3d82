/* SPDX-License-Identifier: Apache-2.0 */
/* How the functions of exec_*.c are written: one expression per lane, in a loop that the compiler
 * vectorises. Each is compiled twice: for any x86-64, and for AVX2 with FMA. Under a partial mask
 * the results go to a scratch vector, whose active lanes are then copied. A destination may also be
 * a source, lane by lane. */
#ifndef EXEC_H
#define EXEC_H

#include "workload/simt/simt_state.h"

#define MAY_ALIAS __attribute__((may_alias))
typedef uint32_t MAY_ALIAS lane32_t;
typedef uint64_t MAY_ALIAS lane64_t;
typedef float MAY_ALIAS lanef_t;
typedef double MAY_ALIAS laned_t;

#ifdef __x86_64__
#define EXEC_WIDE __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#else
#define EXEC_WIDE
#endif
#define EXEC_INLINE __attribute__((always_inline)) static inline

/* Tells GCC that no lane of a vector overlaps a different lane of another one; clang checks this
 * itself, at run time. */
#ifdef __clang__
#define EXEC_APART
#else
#define EXEC_APART _Pragma("GCC ivdep")
#endif

typedef struct {
  simt_exec_t fn[2]; /* for any x86-64; for AVX2 and FMA */
} exec_pair_t;

#define PAIR(name)                                                                                 \
  {                                                                                                \
    { name##_0, name##_1 }                                                                         \
  }

EXEC_INLINE void exec_blend32(lane32_t *d, const lane32_t *t, uint32_t mask) {
  EXEC_APART
  for (unsigned l = 0; l < WARP_LANES; l++) d[l] = mask >> l & 1 ? t[l] : d[l];
}

EXEC_INLINE void exec_blend64(lane64_t *d, const lane64_t *t, uint64_t mask) {
  EXEC_APART
  for (unsigned l = 0; l < WARP_LANES; l++) d[l] = mask >> l & 1 ? t[l] : d[l];
}

/* Copies the lanes of `mask`, each of `bytes` bytes. */
EXEC_INLINE void exec_blend(void *d, const void *t, uint32_t mask, size_t bytes) {
  if (bytes == 8)
    exec_blend64(d, t, mask);
  else
    exec_blend32(d, t, mask);
}

/* Evaluates `EXPR` per lane from a, b, c of types VA, VB, VC, which are stored in lanes of types
 * SA, SB, SC; the result is stored in lanes of type SD. */
#define EXEC_LOOP(SD, SETUP, EACH, EXPR)                                                           \
  {                                                                                                \
    SD scratch[WARP_LANES] __attribute__((aligned(64)));                                           \
    SD *const to = __builtin_assume_aligned(simt_vector(w, op->d[0]), 64);                         \
    SD *const d = mask == UINT32_MAX ? to : scratch;                                               \
    SETUP;                                                                                         \
    EXEC_APART for (unsigned l = 0; l < WARP_LANES; l++) {                                         \
      EACH;                                                                                        \
      d[l] = (SD)(EXPR);                                                                           \
    }                                                                                              \
    if (mask != UINT32_MAX) exec_blend(to, scratch, mask, sizeof(SD));                             \
  }

#define EXEC_ARGS (warp_stream_t * w, const simt_op_t *op, uint32_t mask)
#define EXEC_BOTH(name, BODY)                                                                      \
  static void name##_0 EXEC_ARGS BODY EXEC_WIDE static void name##_1 EXEC_ARGS BODY

#define EXEC_SRC(S, p, i) const S *const p = __builtin_assume_aligned(simt_vector(w, op->s[i]), 64)

#define EXEC_UNARY(name, SD, SA, VA, EXPR)                                                         \
  EXEC_BOTH(name, EXEC_LOOP(SD, EXEC_SRC(SA, pa, 0), const VA a = (VA)pa[l], EXPR))
#define EXEC_BINARY(name, SD, SA, VA, SB, VB, EXPR)                                                \
  EXEC_BOTH(name, EXEC_LOOP(SD, EXEC_SRC(SA, pa, 0); EXEC_SRC(SB, pb, 1), const VA a = (VA)pa[l];  \
                            const VB b = (VB)pb[l], EXPR))
#define EXEC_TERNARY(name, SD, SA, VA, SB, VB, SC, VC, EXPR)                                       \
  EXEC_BOTH(name, EXEC_LOOP(SD, EXEC_SRC(SA, pa, 0); EXEC_SRC(SB, pb, 1);                          \
                            EXEC_SRC(SC, pc, 2), const VA a = (VA)pa[l]; const VB b = (VB)pb[l];   \
                            const VC c = (VC)pc[l], EXPR))

/* The mask of a source predicate, complemented if it is negated. */
EXEC_INLINE uint32_t exec_pred(const warp_stream_t *w, const simt_op_t *op, unsigned i) {
  uint32_t p = *(const lane32_t *)simt_vector(w, op->s[i]);
  return op->negated >> i & 1 ? ~p : p;
}

EXEC_INLINE void exec_set_pred(const warp_stream_t *w, simt_place_t place, uint32_t value,
                               uint32_t mask) {
  lane32_t *d = simt_vector(w, place);
  *d = (*d & ~mask) | (value & mask);
}

/* Combines the comparison `m` with the predicate in the third operand, as the instruction says. */
EXEC_INLINE uint32_t exec_combine(const warp_stream_t *w, const simt_op_t *op, uint32_t m) {
  switch ((ptx_bool_t)op->inst->boolean) {
  case PTX_BOOL_NONE:
    return m;
  case PTX_BOOL_AND:
    return m & exec_pred(w, op, 2);
  case PTX_BOOL_OR:
    return m | exec_pred(w, op, 2);
  case PTX_BOOL_XOR:
    return m ^ exec_pred(w, op, 2);
  }
  return m;
}

/* Rows of tables by type; B types use the rows of U types. */
enum { ROW_U16, ROW_S16, ROW_U32, ROW_S32, ROW_U64, ROW_S64, ROW_F32, ROW_F64, ROWS };
EXEC_INLINE unsigned exec_row(unsigned type) {
  switch ((ptx_type_t)type) {
  case PTX_B16:
  case PTX_U16:
    return ROW_U16;
  case PTX_S16:
    return ROW_S16;
  case PTX_B32:
  case PTX_U32:
    return ROW_U32;
  case PTX_S32:
    return ROW_S32;
  case PTX_B64:
  case PTX_U64:
    return ROW_U64;
  case PTX_S64:
    return ROW_S64;
  case PTX_F32:
    return ROW_F32;
  case PTX_F64:
    return ROW_F64;
  case PTX_NONE:
  case PTX_PRED:
  case PTX_B8:
  case PTX_U8:
  case PTX_S8:
  case PTX_F16:
  case PTX_F16X2:
  case PTX_BF16:
  case PTX_BF16X2:
  case PTX_TF32:
  case PTX_B128:
  case PTX_E4M3X2:
  case PTX_E5M2X2:
  case PTX_TYPES:
    break;
  }
  return ROWS;
}

#endif
