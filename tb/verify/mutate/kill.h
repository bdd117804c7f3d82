/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants against the normal stimulus: the C model runs once, its outputs are what every mutant
 * must show. */
#ifndef MUTATE_KILL_H
#define MUTATE_KILL_H

#include "err.h"
#include "module.h"

#include <stdbool.h>

/* What the C model did: inputs and outputs of `cycles` cycles, the resets at the beginning
 * included. */
typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t port[MODULE_MAX_PORTS]; /* outputs */
  uint64_t cycles;
  uint64_t *in, *out;
} kill_trace_t;

/* The stimulus of `mrpb cosim` with this seed. 0, or -1 and a message. */
int kill_record(kill_trace_t *t, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                uint64_t cycles, mrpb_err_t *err);
void kill_free(kill_trace_t *t);

/* What is judged, in Verilog or in C. */
typedef struct {
  void *self;
  void (*comb)(void *self, const uint64_t *in, uint64_t *out);
  void (*edge)(void *self, const uint64_t *in);
  /* After an edge: are its registers those of the C model? */
  bool (*same)(void *self, const module_reg_t *good);
  /* What its outputs `out` must be, where the C model's are `good`; NULL: the same. Called once a cycle. */
  void (*want)(void *self, const uint64_t *in, const uint64_t *good, const uint64_t *out,
               uint64_t *want);
} kill_subject_t;

/* Beside the C model itself: the first cycle in which an output of the subject differs from the C
 * model's, or a register after it; t->cycles if none does; -1 without memory. */
int64_t kill_run(const kill_trace_t *t, const kill_subject_t *s);

#endif
