/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that simulations call besides comb and edge, in lockstep: which cycles are picked
 * for them, and views against the Verilog. docs/verify/one_model.md */
#ifndef COSIM_FAST_H
#define COSIM_FAST_H

#include "module.h"

typedef struct {
  const module_class_t *cls;
  const module_fast_t *step; /* NULL: there is none */
  uint64_t pick;             /* of the seed */
  uint64_t *words;           /* the outputs of each view, `room` words a function */
  size_t room;
  uint64_t *out; /* of the view or step that was called last; cls->out_words */
} fast_t;

/* fast_close frees it, also after a failure and if it is all zeros. 0, or -1 and a message. */
int fast_open(fast_t *f, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
              mrpb_err_t *err);
void fast_close(fast_t *f);

/* One cycle in four, without a pattern; the same for a seed and a cycle. */
bool fast_picked(const fast_t *f, uint64_t cycle);

/* Calls all views: NULL if each gives the Verilog's values to its outputs and leaves the others as
 * they are. Otherwise that which does not; f->out then has what it gave, and the Verilog's values
 * for the others, of which it has written one if *scribbles. */
const module_fast_t *fast_views(fast_t *f, const void *model, const uint64_t *in,
                                const uint64_t *rtl, bool *scribbles);

#endif
