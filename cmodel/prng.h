/* SPDX-License-Identifier: Apache-2.0 */
/* xoshiro256** (Blackman, Vigna; public domain algorithm) with explicit state: one stream per
 * stimulus source, so that removing one source does not shift the others. */
#ifndef MRPB_PRNG_H
#define MRPB_PRNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t s[4];
} prng_t;

static inline uint64_t prng_splitmix(uint64_t *x) {
  uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Returns stream `stream` of seed `seed`; different streams are independent for every practical
 * purpose. */
static inline prng_t prng_seed(uint64_t seed, uint64_t stream) {
  uint64_t x = seed ^ (stream * UINT64_C(0xd1342543de82ef95));
  prng_t p;
  for (int i = 0; i < 4; i++) p.s[i] = prng_splitmix(&x);
  return p;
}

static inline uint64_t prng_rotl(uint64_t v, int k) {
  return (v << k) | (v >> (64 - k));
}

static inline uint64_t prng_next(prng_t *p) {
  uint64_t *s = p->s, r = prng_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = prng_rotl(s[3], 45);
  return r;
}

/* Uniform in 0..n-1 (n >= 1); the bias of 2^-32 does not matter for stimulus. */
static inline uint32_t prng_below(prng_t *p, uint32_t n) {
  return (uint32_t)(((prng_next(p) >> 32) * n) >> 32);
}

/* True in `permille` of 1000 draws, on average. */
static inline bool prng_chance(prng_t *p, unsigned permille) {
  return prng_below(p, 1000) < permille;
}

#endif
