/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in lockstep the functions that simulations call besides comb and edge: it picks the cycles
 * for them and compares the views with the Verilog. docs/verify/one_model.md */
#ifndef COSIM_FAST_H
#define COSIM_FAST_H

#include "module.h"

typedef struct {
  const module_class_t *cls;
  const module_fast_t *step; /* NULL: the module has none */
  uint64_t pick;             /* drawn from the seed */
  uint64_t *words;           /* the outputs of each view, `room` words for each function */
  size_t room;
  uint64_t *out; /* outputs of the view or step called last; cls->out_words words */
} fast_t;

/* Returns 0, or -1 and a message in err. fast_close frees `f`; call it also after a failure. It
 * accepts an `f` of zeros. */
int fast_open(fast_t *f, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
              mrpb_err_t *err);
void fast_close(fast_t *f);

/* True for one cycle in four, without a pattern. Depends on the seed and the cycle only. */
bool fast_picked(const fast_t *f, uint64_t cycle);

/* Calls all views. Returns NULL if each view gives its outputs the Verilog's values and leaves the
 * other outputs alone; otherwise returns the view that does not. f->out then holds what that view
 * gave, and the Verilog's values for the other outputs. *scribbles says that the view has
 * overwritten one of these others. */
const module_fast_t *fast_views(fast_t *f, const void *model, const uint64_t *in,
                                const uint64_t *rtl, bool *scribbles);

#endif
