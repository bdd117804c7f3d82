/* SPDX-License-Identifier: Apache-2.0 */
/* Toggles and cycles at 1 of every bit of a piece of memory that is sampled once a cycle: a port's
 * words, a register, a memory. A cycle costs a comparison and some additions for each changed bit,
 * so a large memory of which one word is written costs little more than that word. Here this is
 * cheaper than bit-sliced counters, which add every word in every cycle. Bit n is bit n % 8 of byte
 * n / 8. */
#ifndef ACTIVITY_TRACK_H
#define ACTIVITY_TRACK_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t bytes;      /* size of the sampled memory */
  uint64_t *last;    /* its value in the last cycle, as whole words */
  uint64_t *toggles; /* of each bit */
  uint64_t *ones;    /* of each bit: the sum of its falling minus its rising cycles */
  bool still;        /* track_cycle takes over values without counting */
  size_t word_bytes; /* 0, or the size of the words whose changes are counted */
  uint64_t *seen;    /* of each of these: 1 + the last cycle with a change */
  uint64_t changes;  /* cycles in which a word changes, summed over the words */
} track_t;

/* Opens a track of `bytes` bytes of memory, which may be 0. Returns 0, or -1 and a message in err.
 * Call track_close in either case. */
int track_open(track_t *t, size_t bytes, mrpb_err_t *err);
/* Also counts in how many cycles each word of `word_bytes` bytes changes, whatever the number of its
 * bits that toggle. Returns 0, or -1 and a message in err. */
int track_words(track_t *t, size_t word_bytes, mrpb_err_t *err);
void track_close(track_t *t);

/* Samples the value in cycle `now`: 0, 1, 2, ... Nothing toggles in cycle 0. */
void track_cycle(track_t *t, const void *value, uint64_t now);

uint64_t track_toggles(const track_t *t, size_t bit);
/* In how many of the `cycles` so far the bit was 1. */
uint64_t track_ones(const track_t *t, size_t bit, uint64_t cycles);

#endif
