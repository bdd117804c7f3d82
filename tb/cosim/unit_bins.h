/* SPDX-License-Identifier: Apache-2.0 */
/* Which bins of its module (cosim/stim/<stem>.c) a program in an SM reaches, for one module and
 * size, summed over all instances. A planted error is not found if no bin of the run comes near
 * it. */
#ifndef UNIT_BINS_H
#define UNIT_BINS_H

#include "cosim/stim/stim.h"

#include <jansson.h>
#include <stdio.h>

typedef struct {
  const stim_class_t *stim; /* NULL: a module without bins */
  const uint32_t *cfg;
  uint64_t reached; /* one bit per bin */
} unit_bins_t;

/* `cfg` must outlive it. */
void unit_bins_open(unit_bins_t *b, const char *stem, const uint32_t *cfg);
/* Returns an instance's own state for the bins, which the caller frees; NULL if out of memory or if
 * there are no bins. */
void *unit_bins_start(const unit_bins_t *b);
/* Samples a cycle of that instance, before its edge. */
void unit_bins_sample(unit_bins_t *b, void *state, const void *model, const uint64_t *in,
                      const uint64_t *out);

/* Returns how many of the bins that are possible at these sizes were reached. */
unsigned unit_bins_reached(const unit_bins_t *b, unsigned *possible);
/* Writes "; 17 of 29 bins reached", or "" if there are no bins. */
void unit_bins_text(const unit_bins_t *b, char *text, size_t size);
/* Prints "not reached  full, all_ready, ..." in lines of at most 100 columns; nothing if every bin
 * was reached. */
void unit_bins_rest(const unit_bins_t *b, const char *indent, FILE *out);
/* Adds "bins", "bins_reached" and "bins_not_reached" to `o`. */
void unit_bins_json(const unit_bins_t *b, json_t **o);

#endif
