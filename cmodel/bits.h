/* SPDX-License-Identifier: Apache-2.0 */
/* Widths and masks, spelt as the Verilog spells them. */
#ifndef MRPB_BITS_H
#define MRPB_BITS_H

#include <stdint.h>

/* Smallest n with 2^n >= v, as Verilog's $clog2; v >= 1. */
static inline unsigned bits_clog2(uint64_t v) {
  unsigned n = 0;
  while (n < 64 && (UINT64_C(1) << n) < v) n++;
  return n;
}

/* Width of an index into `n` things: at least one bit. */
static inline unsigned bits_index_w(uint64_t n) {
  return n > 1 ? bits_clog2(n) : 1;
}

/* Width of a count 0..n. */
static inline unsigned bits_count_w(uint64_t n) {
  return bits_clog2(n + 1);
}

/* All ones in the low `w` bits, w 0..64. */
static inline uint64_t bits_mask(unsigned w) {
  return w >= 64 ? UINT64_MAX : (UINT64_C(1) << w) - 1;
}

/* The low `w` bits of `v`. */
static inline uint64_t bits(uint64_t v, unsigned w) {
  return v & bits_mask(w);
}

#endif
