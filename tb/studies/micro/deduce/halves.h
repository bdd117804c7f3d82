/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in two halves, one of which is farther: told by the latencies of its lines. */
#ifndef MICRO_HALVES_H
#define MICRO_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  bool two;         /* latencies lie about two values with hardly any between; else all is `near` */
  double near, far; /* medians of the halves */
  double limit;     /* a line is of the far half if its latency is more */
  double spread;    /* from the nearest line to the farthest of a half, if as many are at each
                         distance: eight tenths of the lines are within 0.8 of it */
} halves_t;

/* Of `n` latencies, 1 or more. -1: out of memory. */
int halves_find(const uint32_t *latency, size_t n, halves_t *h);

/* Lines that follow each other in memory: by how many (a power of two) they change from half to half,
 * so that nine tenths of the changes are at multiples of it. 0: hardly any change. */
uint32_t halves_block(const halves_t *h, const uint32_t *latency, size_t n);

/* Of the lines' blocks of `block` lines each, a power of two of blocks: the bits of a block's number whose parity says in
 * which half it lies, or in the other one. 0: no such bits say so of nine in ten. */
uint32_t halves_bits(const halves_t *h, const uint32_t *latency, size_t n, uint32_t block);

#endif
