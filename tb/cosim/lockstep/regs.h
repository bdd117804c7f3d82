/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of one C model beside those of the Verilog, both read in place. */
#ifndef COSIM_REGS_H
#define COSIM_REGS_H

#include "cosim/lockstep/foreign.h"
#include "cosim/lockstep/lockstep.h"

typedef bool (*regs_same_fn)(const void *c, const void *rtl, size_t n);

/* One call of every cycle: what it takes lies together. */
typedef struct {
  const void *c, *rtl;
  size_t n; /* bytes for a memcmp, elements otherwise */
  regs_same_fn same;
} regs_plan_t;

typedef struct {
  unsigned n;
  module_reg_t of_c[MODULE_MAX_REGS];
  const shim_view_t *views; /* the Verilog's; NULL: there is none */
  const foreign_t *foreign; /* which bits count; NULL: all */
  regs_plan_t plan[MODULE_MAX_REGS];
} regs_t;

/* How `model` is to be compared with `views` (n_regs of them, or NULL), which must outlive `regs` as do `model` and `foreign`
 * (may be NULL). Fails where the two have other names or shapes. */
int regs_plan(regs_t *regs, const module_class_t *cls, const void *model, const shim_view_t *views,
              const foreign_t *foreign, mrpb_err_t *err);
/* Of a plan that has views: every bit that counts is the same now. */
bool regs_agree(const regs_t *regs);
/* All that differs now, in pieces of 64 bits. Returns how many; the first `max` are stored. */
unsigned regs_diffs(const regs_t *regs, lockstep_diff_t *diffs, unsigned max);

#endif
