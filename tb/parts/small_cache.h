/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a read-only cache: sets x ways of lines that are there or not, LRU. */
#ifndef LINES_H
#define LINES_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t line; /* its number, UINT64_MAX for none */
  uint64_t used; /* cycle of the last use */
} line_t;

typedef struct {
  line_t *line; /* sets side by side */
  uint32_t sets, ways;
  bool two; /* sets is a power of two */
  uint8_t log2;
} lines_t;

/* Lines of 1 << `log2` bytes; sets and ways at least 1. Set = line number mod sets. */
int lines_create(lines_t *l, uint32_t sets, uint32_t ways, unsigned log2, mrpb_err_t *err);
void lines_destroy(lines_t *l);

/* Is the line of `addr` there? If so it counts as used at `now`. */
bool lines_find(lines_t *l, uint64_t addr, uint64_t now);

/* Puts the line of `addr` into an empty way (the highest) or in place of the one unused longest. */
void lines_put(lines_t *l, uint64_t addr, uint64_t now);

#endif
