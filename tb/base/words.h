/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of arrays of 64-bit words, low word first: wide ports, values of waves. */
#ifndef WORDS_H
#define WORDS_H

#include "bits.h"

#include <stdint.h>

/* `width` bits, at most 64, from bit `lsb` on. */
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

#endif
