/* SPDX-License-Identifier: Apache-2.0 */
/* Widths and masks, named as the Verilog names them. */
#ifndef MRPB_BITS_H
#define MRPB_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* The smallest n with 2^n >= v, like Verilog's $clog2; v >= 1. */
static inline unsigned bits_clog2(uint64_t v) {
  unsigned n = 0;
  while (n < 64 && (UINT64_C(1) << n) < v) n++;
  return n;
}

/* Width of an index into `n` elements: at least one bit. */
static inline unsigned bits_index_w(uint64_t n) {
  return n > 1 ? bits_clog2(n) : 1;
}

/* Width of a count 0..n. */
static inline unsigned bits_count_w(uint64_t n) {
  return bits_clog2(n + 1);
}

/* A mask of the low `w` bits; w is 0 to 64. */
static inline uint64_t bits_mask(unsigned w) {
  return w >= 64 ? UINT64_MAX : (UINT64_C(1) << w) - 1;
}

/* The low `w` bits of `v`. */
static inline uint64_t bits(uint64_t v, unsigned w) {
  return v & bits_mask(w);
}

/* The parity of a word: true if the number of its ones is odd. */
static inline bool bits_odd(uint64_t v) {
  return __builtin_popcountll(v) & 1;
}

/* The parity of `n` words together. */
static inline bool bits_odd_words(const uint32_t *words, uint32_t n) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < n; i++) all ^= words[i];
  return bits_odd(all);
}

#endif
