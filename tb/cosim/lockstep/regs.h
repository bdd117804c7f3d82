/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the registers of one C model with those of the Verilog. Both are read in place. */
#ifndef COSIM_REGS_H
#define COSIM_REGS_H

#include "cosim/lockstep/foreign.h"
#include "cosim/lockstep/lockstep.h"

/* What one comparison needs in every cycle lies together in memory. */
typedef struct {
  const void *c, *rtl;
  size_t n;       /* bytes if both sides are equally wide, otherwise elements */
  unsigned shape; /* how wide they are on either side; behind the last, none of these */
} regs_plan_t;

typedef bool (*regs_same_fn)(const regs_plan_t *plan);

typedef struct {
  unsigned n;
  module_reg_t of_c[MODULE_MAX_REGS];
  const shim_view_t *views;              /* the Verilog's registers; NULL: there are none */
  const foreign_t *foreign;              /* which bits count; NULL: all */
  regs_same_fn same;                     /* the version for this processor */
  regs_plan_t plan[MODULE_MAX_REGS + 1]; /* in the order of their shapes */
} regs_t;

/* Plans how to compare `model` with `views` (n_regs of them, or NULL). `views`, `model` and
 * `foreign` (may be NULL) must outlive `regs`. Returns 0, or -1 and a message in err if names or
 * shapes differ. */
int regs_plan(regs_t *regs, const module_class_t *cls, const void *model, const shim_view_t *views,
              const foreign_t *foreign, mrpb_err_t *err);
/* Requires a plan with views. Returns true if every bit that counts is the same now. */
bool regs_agree(const regs_t *regs);
/* Finds all current differences, in pieces of 64 bits. Returns their number and stores the first
 * `max` of them. */
unsigned regs_diffs(const regs_t *regs, lockstep_diff_t *diffs, unsigned max);

#endif
