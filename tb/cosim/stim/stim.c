/* SPDX-License-Identifier: Apache-2.0 */
/* What the stimuli share. */
#include "cosim/stim/stim.h"

#include "bits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void stim_say(char *text, const char *format, ...) {
  size_t n = strlen(text);
  va_list ap;
  va_start(ap, format);
  if (n < STIM_TEXT) vsnprintf(text + n, STIM_TEXT - n, format, ap);
  va_end(ap);
}

bool stim_phase(stim_phase_t *phase, uint32_t kinds, uint32_t longest) {
  if (phase->left > 0) {
    phase->left--;
    return false;
  }
  phase->left = 16 + prng_below(&phase->rng, longest > 16 ? longest - 16 : 1);
  if (!phase->rush) phase->kind = prng_below(&phase->rng, kinds);
  return true;
}

void stim_rush(stim_phase_t *phase, uint32_t kind, bool on) {
  phase->rush = on;
  phase->kind = kind;
  phase->left = 0;
}

enum { QUIET = 4000, QUIET_VARIES = 8000, TRAIN = 8, APART_LOG2 = 5 };
static const uint32_t apart = 16;

/* The number of cycles to the next reset. */
static uint32_t reset_in(stim_phase_t *reset) {
  if (reset->more == 0) {
    reset->more = TRAIN + prng_below(&reset->rng, TRAIN);
    reset->early = 0;
    return QUIET + prng_below(&reset->rng, QUIET_VARIES);
  }
  const uint32_t about = apart << prng_below(&reset->rng, APART_LOG2);
  reset->more--;
  reset->early = prng_below(&reset->rng, about) + 1;
  return about + reset->early - 1;
}

uint64_t stim_rst_n(stim_phase_t *reset) {
  if (reset->left > 0) {
    reset->left--;
    return reset->left >= reset->kind;
  }
  reset->kind = 1 + prng_below(&reset->rng, 3);
  reset->left = reset_in(reset);
  return 1;
}

void stim_hits_reduce(stim_hits_t *hits) {
  for (unsigned b = 0; b < STIM_MAX_BINS; b++) hits->before[b] = stim_hits(hits, b);
  memset(hits->lately, 0, sizeof hits->lately);
  hits->cycles = 0;
}

uint64_t stim_index(prng_t *rng, uint32_t n, unsigned width) {
  uint64_t r = prng_next(rng);
  if ((r & 63) == 0) return bits(r >> 6, width);
  return ((r >> 32) * n) >> 32;
}

/* The bits of `set` from `at` on, around n of them, at most 64. */
static uint64_t around(uint64_t set, uint32_t at, uint32_t n) {
  set &= bits_mask(n);
  return (set >> at | set << 1 << (n - at - 1)) & bits_mask(n);
}

uint32_t stim_pick(prng_t *rng, const uint64_t *set, uint32_t n, uint32_t tries) {
  const uint32_t first = prng_below(rng, n);
  uint32_t tried = 0;
  if (n <= 64) {
    const uint64_t ahead = around(set[0], first, n);
    tried = ahead ? (uint32_t)__builtin_ctzll(ahead) : tries;
  }
  for (uint32_t at = first; n > 64 && tried < tries;) {
    const uint64_t ahead = set[at / 64] >> at % 64;
    const uint32_t found = ahead ? (uint32_t)__builtin_ctzll(ahead) : 64;
    const uint32_t left = 64 - at % 64 < n - at ? 64 - at % 64 : n - at; /* in this word */
    tried += found < left ? found : left;
    if (found < left) break;
    at = at + left < n ? at + left : 0;
  }
  uint32_t at = first + (tried < tries ? tried : tries);
  at = (uint32_t)stim_choose(at >= n, at - n, at);
  return at < n ? at : at % n; /* more tries than things */
}

uint64_t stim_at_edge(uint64_t value, unsigned width) {
  const uint64_t all = bits_mask(width);
  const uint64_t one = UINT64_C(1) << (value >> 8) % width;
  switch (value >> 16 & 7) {
  case 0:
    return 0;
  case 1:
  case 2:
    return all;
  case 3:
    return all & UINT64_C(0x5555555555555555);
  case 4:
    return all & ~UINT64_C(1);
  case 5:
    return all ^ all >> 1; /* the highest bit alone */
  case 6:
    return all & ~one;
  default:
    return one;
  }
}

/* The value is multiplied, so that the choice does not depend on single bits of it. */
uint64_t stim_edge(uint64_t value, unsigned width) {
  return value * UINT64_C(0x9e3779b97f4a7c15) >> 59 == 0 ? stim_at_edge(value, width) : value;
}

bool stim_never(const uint32_t *cfg) {
  (void)cfg;
  return false;
}
