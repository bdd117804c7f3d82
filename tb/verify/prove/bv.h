/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of graph literals, low bit first, that model the integers of C and LLVM. Every result is
 * a new vector of the arena; nothing is freed before the arena is. The two operands of an operation
 * have equal widths. */
#ifndef PROVE_BV_H
#define PROVE_BV_H

#include "verify/prove/aig.h"

#include <stddef.h>

typedef struct {
  lit_t *b;
  uint32_t n;
} bv_t;

typedef struct bv_chunk bv_chunk_t;

/* A graph and the memory for vectors over it. */
typedef struct {
  aig_t *g;
  bv_chunk_t *chunk;
} bv_ctx_t;

void bv_free(bv_ctx_t *x);
bv_t bv_new(bv_ctx_t *x, uint32_t n);
bv_t bv_const(bv_ctx_t *x, uint32_t n, uint64_t value);
/* New variables, for an unknown value. */
bv_t bv_fresh(bv_ctx_t *x, uint32_t n);
/* Bits lsb .. lsb + n - 1; zeros beyond the end. */
bv_t bv_slice(bv_ctx_t *x, bv_t a, uint32_t lsb, uint32_t n);
bv_t bv_sext(bv_ctx_t *x, bv_t a, uint32_t n);

bool bv_is_const(bv_t a);
/* The low 64 bits of a constant. */
uint64_t bv_value(bv_t a);

bv_t bv_not(bv_ctx_t *x, bv_t a);
bv_t bv_and(bv_ctx_t *x, bv_t a, bv_t b);
bv_t bv_or(bv_ctx_t *x, bv_t a, bv_t b);
bv_t bv_xor(bv_ctx_t *x, bv_t a, bv_t b);
bv_t bv_mux(bv_ctx_t *x, lit_t c, bv_t t, bv_t e);
bv_t bv_add(bv_ctx_t *x, bv_t a, bv_t b);
bv_t bv_sub(bv_ctx_t *x, bv_t a, bv_t b);
bv_t bv_mul(bv_ctx_t *x, bv_t a, bv_t b);
/* Unsigned; the results for b = 0 are meaningless. */
void bv_divide(bv_ctx_t *x, bv_t a, bv_t b, bv_t *quotient, bv_t *remainder);
/* Shifts; an amount of n or more gives new variables, because LLVM's poison may be anything. */
typedef enum { BV_SHL, BV_LSHR, BV_ASHR } bv_shift_t;
bv_t bv_shift(bv_ctx_t *x, bv_shift_t kind, bv_t a, bv_t amount);
/* bv_cttz: number of zeros below the lowest 1; bv_ctlz: above the highest 1; n for 0. */
bv_t bv_cttz(bv_ctx_t *x, bv_t a);
bv_t bv_ctlz(bv_ctx_t *x, bv_t a);
bv_t bv_ctpop(bv_ctx_t *x, bv_t a);

lit_t bv_eq(bv_ctx_t *x, bv_t a, bv_t b);
lit_t bv_ult(bv_ctx_t *x, bv_t a, bv_t b);
lit_t bv_slt(bv_ctx_t *x, bv_t a, bv_t b);
lit_t bv_any(bv_ctx_t *x, bv_t a);

#endif
