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

/* Fields of an array of words, low word first, as in wide ports: `width` bits, at most 64, from bit
 * `lsb` on. */
static inline uint64_t words_get(const uint64_t *words, unsigned lsb, unsigned width) {
  const unsigned k = lsb / 64, at = lsb % 64;
  uint64_t v = words[k] >> at;
  if (at + width > 64) v |= words[k + 1] << (64 - at);
  return v & bits_mask(width);
}

static inline void words_put(uint64_t *words, unsigned lsb, unsigned width, uint64_t value) {
  const uint64_t mask = bits_mask(width);
  const unsigned k = lsb / 64, at = lsb % 64;
  words[k] = (words[k] & ~(mask << at)) | (value & mask) << at;
  if (at + width > 64)
    words[k + 1] = (words[k + 1] & ~(mask >> (64 - at))) | (value & mask) >> (64 - at);
}

/* Flag `e` of a vector of flags, 32 in a word. */
static inline bool flag_get(const uint32_t *flags, uint64_t e) {
  return flags[e / 32] >> e % 32 & 1;
}

static inline void flag_put(uint32_t *flags, uint64_t e, bool value) {
  const uint32_t bit = UINT32_C(1) << e % 32;
  flags[e / 32] = value ? flags[e / 32] | bit : flags[e / 32] & ~bit;
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
