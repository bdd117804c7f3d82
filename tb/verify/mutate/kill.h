/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mutants against the normal stimulus. The C model runs once; its outputs are what every
 * mutant must show. */
#ifndef MUTATE_KILL_H
#define MUTATE_KILL_H

#include "err.h"
#include "module.h"

#include <stdbool.h>

/* The recorded run of the C model: inputs and outputs of `cycles` cycles, including the resets at
 * the beginning. */
typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t port[MODULE_MAX_PORTS]; /* outputs */
  uint64_t cycles;
  uint64_t *in, *out;
} kill_trace_t;

/* Records the stimulus of `mrpb cosim` with this seed. Returns 0, or -1 and a message in err. */
int kill_record(kill_trace_t *t, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                uint64_t cycles, mrpb_err_t *err);
void kill_free(kill_trace_t *t);

/* What is judged, in Verilog or in C. */
typedef struct {
  void *self;
  void (*comb)(void *self, const uint64_t *in, uint64_t *out);
  void (*edge)(void *self, const uint64_t *in);
  /* After an edge: whether its registers equal those of the C model. */
  bool (*same)(void *self, const module_reg_t *good);
  /* What its outputs `out` must be when the C model's are `good`; NULL: the same. Called once per
   * cycle. */
  void (*want)(void *self, const uint64_t *in, const uint64_t *good, const uint64_t *out,
               uint64_t *want);
} kill_subject_t;

/* Runs the subject beside the C model. Returns the first cycle in which an output differs from the
 * C model's, or a register differs after it; t->cycles if none does; -1 if out of memory. */
int64_t kill_run(const kill_trace_t *t, const kill_subject_t *s);

#endif
