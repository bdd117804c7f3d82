/* SPDX-License-Identifier: Apache-2.0 */
/* Which bins of its module (cosim/stim/<stem>.c) a program in an SM reaches: those of one module and size,
 * over all instances. A planted error that no bin of the run comes near is not found by it. */
#ifndef UNIT_BINS_H
#define UNIT_BINS_H

#include "cosim/stim/stim.h"

#include <jansson.h>
#include <stdio.h>

typedef struct {
  const stim_class_t *stim; /* NULL: a module without bins */
  const uint32_t *cfg;
  uint64_t counts[STIM_MAX_BINS];
} unit_bins_t;

/* `cfg` must outlive it. */
void unit_bins_open(unit_bins_t *b, const char *stem, const uint32_t *cfg);
/* An instance's own state for the bins; the caller frees it. NULL: no memory, or no bins. */
void *unit_bins_start(const unit_bins_t *b);
/* A cycle of that instance, before its edge. */
void unit_bins_sample(unit_bins_t *b, void *state, const void *model, const uint64_t *in,
                      const uint64_t *out);

/* How many of those that can happen with these sizes have. */
unsigned unit_bins_reached(const unit_bins_t *b, unsigned *possible);
/* "; 17 of 29 bins reached"; "" without bins. */
void unit_bins_text(const unit_bins_t *b, char *text, size_t size);
/* "not reached  full, all_ready, ..." in lines of at most 100 columns; nothing if there is none. */
void unit_bins_rest(const unit_bins_t *b, const char *indent, FILE *out);
/* "bins", "bins_reached", "bins_not_reached" into `o`. */
void unit_bins_json(const unit_bins_t *b, json_t **o);

#endif
