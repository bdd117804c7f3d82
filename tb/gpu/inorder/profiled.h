/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by instruction and by array (parts/profile.h) of an in-order core. Called only if somebody
 * profiles. Each count is one that the cores count themselves, given to an instruction. */
#ifndef CORE_PROFILED_H
#define CORE_PROFILED_H

#include "gpu/inorder/inorder_state.h"
#include "parts/profile.h"

/* Kept out of the way of a run that nobody profiles. */
#define CORE_SELDOM __attribute__((cold))

/* What a warp waited for before it issued: stack.c. */
typedef enum { AWAITS_UNIT, AWAITS_OPERAND, AWAITS_LOAD, AWAITS_BARRIER } core_awaits_t;

/* Nothing if nobody profiles. Returns 0, or -1 and a message in err. */
int core_profiled_create(core_t *c, mrpb_err_t *err);
void core_profiled_destroy(core_t *c);

/* Warp `w` comes. It issues `i` for `lanes` threads. core_profiled_space: its data are
 * not the load/store unit's. */
CORE_SELDOM void core_profiled_start(core_t *c, unsigned w);
CORE_SELDOM void core_profiled_issue(core_t *c, unsigned w, const warp_inst_t *i, unsigned lanes);
CORE_SELDOM void core_profiled_space(core_t *c, const core_warp_t *w, const warp_inst_t *i);
/* A pass of `i` enters the load/store unit. */
CORE_SELDOM void core_profiled_pass(core_t *c, const core_inst_t *x, const warp_inst_t *i,
                                    const uint64_t *addr, uint32_t mask);

/* The load/store unit begins to look up line `k` of `x`; it has done so, or has been refused. */
CORE_SELDOM void core_profiled_looks(core_t *c);
CORE_SELDOM void core_profiled_looked(core_t *c, const core_inst_t *x, unsigned k);
CORE_SELDOM void core_profiled_bypasses(core_t *c, const core_inst_t *x, unsigned k);
/* The PRT has no entry for load `x`. */
CORE_SELDOM void core_profiled_no_entry(core_t *c, const core_inst_t *x);
/* The MRPB does not take the next line of `x`; not_taken_again: nor in `n` further cycles. */
CORE_SELDOM void core_profiled_not_taken(core_t *c, const core_inst_t *x);
CORE_SELDOM void core_profiled_not_taken_again(core_t *c, uint64_t n);

/* A load has all of its data; they end the wait of its warp. */
CORE_SELDOM void core_profiled_loaded(core_t *c, const core_load_t *l);
CORE_SELDOM void core_profiled_woken(core_t *c, const core_load_t *l);
/* Warp `w`, which is about to issue, has waited for `n` cycles. */
CORE_SELDOM void core_profiled_waited(core_t *c, unsigned w, core_awaits_t awaits,
                                      stack_part_t part, uint64_t n);

#endif
