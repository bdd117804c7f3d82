/* SPDX-License-Identifier: Apache-2.0 */
/* The mutation score of one module (docs/verify/mutation.md). */
#ifndef MUTATE_MUTATE_H
#define MUTATE_MUTATE_H

#include "verify/mutate/cmutants.h"
#include "verify/mutate/equal.h"
#include "verify/mutate/kill.h"
#include "verify/mutate/reasons.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  unsigned mutants;
  uint64_t seed, cycles;
  unsigned seconds; /* for the proof of one survivor; 0: none is tried */
  FILE *out;
  bool c;             /* mutants of the C model, not of the Verilog */
  reasons_t *reasons; /* for those of the C model that live; NULL: none */
  bool (*stop)(void);
} mutate_options_t;

typedef struct {
  unsigned mutants, killed, survived, undecided;
  unsigned equivalent; /* by proof; in C, by a reason */
  unsigned stale;      /* reasons that are none */
} mutate_score_t;

/* Per cent of the mutants not equivalent that are killed. */
double mutate_percent(const mutate_score_t *s);

enum { MUTATE_MAX_SIZES = 8 };

/* Makes, runs and judges the mutants of a module at `n` sizes (1 for Verilog, of which each size is
 * other logic; mutants in C have to live at all of them); prints a line for each that is neither
 * killed nor equivalent and one for the module. RTL_OK, RTL_BAD_INPUT or RTL_BAD_TOOL and a
 * message: the Verilog without a mutant must match the C model, or nothing is judged. */
int mutate_module(mutate_score_t *score, rtl_env_t *env, const module_class_t *cls,
                  const uint32_t (*cfg)[MODULE_MAX_PARAMS], unsigned n, const mutate_options_t *o,
                  mrpb_err_t *err);

#endif
