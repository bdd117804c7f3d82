/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/drive.h"

#include "bits.h"
#include "prng.h"

#include <string.h>

enum { PHASE = 7, POOL = 4, POOL_PHASE = 8, TAGS = 16 /* bits in which tags are counted */ };

uint64_t drive_hash(uint64_t seed, drive_use_t use, uint64_t stream, uint64_t n) {
  uint64_t x = seed ^ (8 * stream + use + 1) * UINT64_C(0xd1342543de82ef95);
  x = prng_splitmix(&x) ^ n * UINT64_C(0x9e3779b97f4a7c15);
  return prng_splitmix(&x);
}

bool drive_now(uint64_t seed, drive_use_t use, unsigned stream, uint64_t cycle) {
  static const unsigned permille[] = {1000, 1000, 900, 700, 500, 300, 100, 10};
  const uint64_t phase = drive_hash(seed, use, stream, ~(cycle >> PHASE));
  return drive_hash(seed, use, stream, cycle) % 1000 < permille[phase % 8];
}

void drive_fill(const streams_spec_t *spec, uint64_t key, uint64_t w[STREAMS_WORDS]) {
  memset(w, 0, STREAMS_WORDS * sizeof *w);
  w[0] = prng_splitmix(&key) & (spec->tag.width ? bits_mask(spec->tag.width) : 0);
  for (unsigned at = 0; at < spec->payload.width; at += 64) {
    const unsigned left = spec->payload.width - at;
    w[1 + at / 64] = prng_splitmix(&key) & bits_mask(left < 64 ? left : 64);
  }
}

/* A payload is random, or one of a few that change from time to time: so that lines and tags meet
 * again. */
void drive_item(uint64_t seed, unsigned stream, const streams_spec_t *spec, uint64_t n, bool unique,
                uint64_t w[STREAMS_WORDS]) {
  const uint64_t draw = drive_hash(seed, DRIVE_ITEM, stream, n);
  const bool again = draw % 8 < 5;
  const uint64_t key =
      again ? drive_hash(seed, DRIVE_IDLE, stream, (n >> POOL_PHASE) * POOL + (draw >> 8) % POOL)
            : draw;
  drive_fill(spec, key, w);
  if (!unique) return;
  const unsigned width = spec->tag.width < TAGS ? spec->tag.width : TAGS;
  w[0] = draw & bits_mask(spec->tag.width) & ~bits_mask(width);
  w[0] |= (n * UINT64_C(0x5851) + seed) & bits_mask(width);
}

uint64_t drive_delay(uint64_t seed, unsigned stream, uint64_t n) {
  static const unsigned most[] = {1, 4, 20, 100};
  const uint64_t draw = drive_hash(seed, DRIVE_DELAY, stream, n);
  return 1 + (draw >> 8) % most[drive_hash(seed, DRIVE_DELAY, stream, ~(n >> 5)) % 4];
}
