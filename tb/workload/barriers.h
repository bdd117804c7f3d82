/* SPDX-License-Identifier: Apache-2.0 */
/* The barriers of a block: which warps have arrived, which wait, and which are released. Shared by
 * everything that runs warps: the executor, the SM, the GPU of the micro-benchmarks, and a run
 * without timing. Bit i of a mask is warp i of the block. */
#ifndef BARRIERS_H
#define BARRIERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BARRIERS = 16, BARRIER_WARPS = 32 };

/* What a warp does at a barrier. */
typedef struct {
  bool comes;     /* false: no lane of the warp takes part, so it passes */
  bool waits;     /* until the barrier is complete; otherwise it only arrives */
  uint8_t number; /* below BARRIERS */
  uint8_t warps;  /* number of warps that complete it; 0: all that have not ended */
} warp_barrier_t;

/* `waiting` is a subset of the warps that have arrived; everything is 0 while none has. */
typedef struct {
  struct {
    uint32_t waiting;
    uint8_t come, warps;
  } at[BARRIERS];
  uint16_t open; /* bit n: a warp has arrived at barrier n */
} barriers_t;

/* Releases barrier `number` if it is complete, given that `running` warps of the block have not
 * ended. Returns the warps that continue. */
static inline uint32_t barriers_complete(barriers_t *b, unsigned number, unsigned running) {
  const unsigned want = b->at[number].warps ? b->at[number].warps : running;
  if (b->at[number].come < want) return 0;
  const uint32_t waiting = b->at[number].waiting;
  memset(&b->at[number], 0, sizeof b->at[number]);
  b->open &= (uint16_t) ~(1u << number);
  return waiting;
}

/* Warp `warp` arrives at `w`. Returns the warps that continue, including itself if it waits. The
 * first warp to arrive sets how many complete the barrier. */
static inline uint32_t barriers_come(barriers_t *b, const warp_barrier_t *w, unsigned warp,
                                     unsigned running) {
  if (b->at[w->number].come++ == 0) b->at[w->number].warps = w->warps;
  b->open |= (uint16_t)(1u << w->number);
  if (w->waits) b->at[w->number].waiting |= UINT32_C(1) << warp;
  return barriers_complete(b, w->number, running);
}

/* A warp has ended and `running` are left. Returns the warps that continue. */
static inline uint32_t barriers_end(barriers_t *b, unsigned running) {
  uint32_t on = 0;
  for (uint32_t open = b->open; open; open &= open - 1)
    on |= barriers_complete(b, (unsigned)__builtin_ctz(open), running);
  return on;
}

/* Whether all `warps` warps of the block take part, not only some of them. */
static inline bool barrier_is_whole(const warp_barrier_t *w, unsigned warps) {
  return w->warps == 0 || w->warps == warps;
}

#endif
