/* SPDX-License-Identifier: Apache-2.0 */
/* Part `later`: an SM that runs apart from the others (docs/threads.md) may not know whether the head
 * of the L1D's miss queue finds room in the interconnect. It then leaves the miss queue alone. Once
 * the interconnect has come to the same cycles, what would have been sent in them is sent. */
#ifndef SM_LATER_H
#define SM_LATER_H

#include <stdbool.h>
#include <stdint.h>

/* At most 64 cycles. */
typedef struct {
  bool on;
  uint64_t from; /* the first of these cycles */
  uint64_t ran; /* bit i: the SM has run cycle from + i, or slept through it with nothing to send */
  uint64_t cycles; /* that it had counted before them */
} sm_later_t;

static inline bool sm_later_on(const sm_later_t *l) {
  return l->on;
}

/* Cycle `now` is run, and its part that sends a miss. */
static inline void sm_later_note(sm_later_t *l, uint64_t now) {
  l->ran |= UINT64_C(1) << (now - l->from);
}

/* The SM wakes in cycle `now`; it has slept since cycle `since`. */
static inline void sm_later_slept(sm_later_t *l, uint64_t since, uint64_t now) {
  for (uint64_t at = since; at < now; at++) sm_later_note(l, at);
}

#endif
