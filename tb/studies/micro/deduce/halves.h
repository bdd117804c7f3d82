/* SPDX-License-Identifier: Apache-2.0 */
/* Detects memory in two halves, one of which is farther, from the latencies of its lines. */
#ifndef MICRO_HALVES_H
#define MICRO_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  bool two;         /* latencies lie about two values with few between; else all are `near` */
  double near, far; /* medians of the halves */
  double limit;     /* a line with a higher latency is in the far half */
  double spread;    /* from the nearest line of a half to the farthest, if distances are spread
                     * evenly: eight tenths of the lines are within 0.8 of it */
} halves_t;

/* Takes `n` latencies; n is at least 1. Returns 0, or -1 if out of memory. */
int halves_find(const uint32_t *latency, size_t n, halves_t *h);

/* Takes lines that follow each other in memory. Returns the block of lines (a power of two) at
 * which they change from half to half: nine tenths of the changes are at multiples of it. Returns 0
 * if there are hardly any changes. */
uint32_t halves_block(const halves_t *h, const uint32_t *latency, size_t n);

/* Takes a power of two of blocks, each of `block` lines. Returns the bits of a block's number whose
 * parity says in which of the two halves it lies. Returns 0 if no bits are right for nine blocks in
 * ten. */
uint32_t halves_bits(const halves_t *h, const uint32_t *latency, size_t n, uint32_t block);

/* The same halves by the largest block: the lowest bit of its number then counts. */
void halves_canonical(uint32_t *block, uint32_t *bits);

#endif
