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
  unsigned seconds; /* for the proof of one survivor; 0: no proof is tried */
  FILE *out;
  bool c;             /* mutants of the C model, not of the Verilog */
  reasons_t *reasons; /* for surviving mutants of the C model; NULL: none */
  bool (*stop)(void);
} mutate_options_t;

typedef struct {
  unsigned mutants, killed, survived, undecided;
  unsigned equivalent; /* by proof; in C, by a reason */
  unsigned stale;      /* reasons that no longer apply */
} mutate_score_t;

/* The percentage of the mutants not equivalent that are killed. */
double mutate_percent(const mutate_score_t *s);

enum { MUTATE_MAX_SIZES = 8 };

/* Makes, runs and judges the mutants of a module at `n` sizes. For Verilog, n is 1, since each size
 * is other logic; a mutant in C must survive at all sizes. Prints a line for each mutant that is
 * neither killed nor equivalent, and one for the module. Returns RTL_OK, or RTL_BAD_INPUT or
 * RTL_BAD_TOOL and a message in err. The Verilog without a mutant must match the C model, or
 * nothing is judged. */
int mutate_module(mutate_score_t *score, rtl_env_t *env, const module_class_t *cls,
                  const uint32_t (*cfg)[MODULE_MAX_PARAMS], unsigned n, const mutate_options_t *o,
                  mrpb_err_t *err);

#endif
