/* SPDX-License-Identifier: Apache-2.0 */
/* Cycle stacks over time: what each SM did with its cycles in each interval. docs/intervals.md */
#ifndef GPU_STACKS_H
#define GPU_STACKS_H

#include "err.h"
#include "gpu/cores/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIPELINE(part, ...) part,
#define IN_ORDER(...)
/* The parts of the SMs of the paper; those of in-order cores are stack_part_t. */
typedef enum {
#include "gpu/cores/stacks.def"
  STACKS_PIPELINE_PARTS
} stacks_part_t;

enum { STACKS_PARTS = STACK_PARTS };

typedef struct {
  const char *name, *total, *unit, *meaning; /* stacks.def */
} stacks_about_t;

unsigned stacks_parts(bool in_order);
const stacks_about_t *stacks_about(bool in_order, unsigned part);

typedef struct stacks stacks_t;

/* For intervals of `every` cycles. Returns 0, or -1 and a message in err; *out is NULL then. */
int stacks_create(stacks_t **out, uint64_t every, unsigned cores, mrpb_err_t *err);
void stacks_destroy(stacks_t *s);

/* Kept out of the way of a run that nobody asks for stacks. */
#define STACKS_SELDOM __attribute__((cold))
/* A scheduler of `core` spent cycles `from` to `to` - 1 on `part`. */
STACKS_SELDOM void stacks_add(stacks_t *s, unsigned core, unsigned part, uint64_t from,
                              uint64_t to);
/* The core has spent `total` on its parts so far; what is new belongs to the interval of cycle `at`. */
void stacks_total(stacks_t *s, unsigned core, const uint64_t total[STACKS_PARTS], uint64_t at);

/* The run has ended, with so many intervals; cycles behind the last one are counted for it. Returns 0,
 * or -1 and a message in err if memory ran out, now or before. */
int stacks_end(stacks_t *s, size_t intervals, mrpb_err_t *err);
/* The parts of a core in an interval, after stacks_end. */
const uint64_t *stacks_at(const stacks_t *s, size_t interval, unsigned core);
unsigned stacks_cores(const stacks_t *s);

#endif
