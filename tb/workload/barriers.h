/* SPDX-License-Identifier: Apache-2.0 */
/* The barriers of a block: who has come, who waits, who goes on. The same for whoever runs warps: the
 * executor, the SM, the GPU of the micro-benchmarks, a run without timing. Bit i of a mask is warp i
 * of the block. */
#ifndef BARRIERS_H
#define BARRIERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BARRIERS = 16, BARRIER_WARPS = 32 };

/* What a warp does at one. */
typedef struct {
  bool comes;     /* false: no lane of it does, it goes past */
  bool waits;     /* until the barrier is complete; else it has only arrived */
  uint8_t number; /* below BARRIERS */
  uint8_t warps;  /* that complete it; 0: all that have not ended */
} warp_barrier_t;

/* waiting is a subset of those that have come; all is 0 while nobody has. */
typedef struct {
  struct {
    uint32_t waiting;
    uint8_t come, warps;
  } at[BARRIERS];
  uint16_t open; /* somebody has come to */
} barriers_t;

/* The barrier is complete if so many warps of the block have not ended: those that go on. */
static inline uint32_t barriers_complete(barriers_t *b, unsigned number, unsigned running) {
  const unsigned want = b->at[number].warps ? b->at[number].warps : running;
  if (b->at[number].come < want) return 0;
  const uint32_t waiting = b->at[number].waiting;
  memset(&b->at[number], 0, sizeof b->at[number]);
  b->open &= (uint16_t) ~(1u << number);
  return waiting;
}

/* Warp `warp` comes to `w`; those that go on, itself among them if it waits. The first to come says
 * how many complete it. */
static inline uint32_t barriers_come(barriers_t *b, const warp_barrier_t *w, unsigned warp,
                                     unsigned running) {
  if (b->at[w->number].come++ == 0) b->at[w->number].warps = w->warps;
  b->open |= (uint16_t)(1u << w->number);
  if (w->waits) b->at[w->number].waiting |= UINT32_C(1) << warp;
  return barriers_complete(b, w->number, running);
}

/* A warp has ended, `running` are left: those that go on. */
static inline uint32_t barriers_end(barriers_t *b, unsigned running) {
  uint32_t on = 0;
  for (uint32_t open = b->open; open; open &= open - 1)
    on |= barriers_complete(b, (unsigned)__builtin_ctz(open), running);
  return on;
}

/* All warps of a block of `warps` take part, not a part of them. */
static inline bool barrier_is_whole(const warp_barrier_t *w, unsigned warps) {
  return w->warps == 0 || w->warps == warps;
}

#endif
