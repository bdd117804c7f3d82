/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilog side of a proof, when it is a netlist of library cells: what its flip-flops hold
 * follows from the model's registers. docs/verify/netlist.md */
#ifndef PROVE_CELLS_H
#define PROVE_CELLS_H

#include "verify/prove/llvm/prove.h"
#include "verilog/design/verdict.h"

/* Makes the variables of the registers, and sets registers and flip-flops. */
void prove_cells_state(sides_t *s, mem_t **state);
/* Evaluates the next values of the flip-flops. */
void prove_cells_next(sides_t *s);
/* The same in a reset that leaves the model with `after`. A flip-flop holds any value before it if
 * the model's bit is a constant after it. Returns 0, or -1 and a message in err. */
int prove_cells_reset(sides_t *s, const mem_t *after, const bv_t *in, mrpb_err_t *err);

/* What output `i` of the model is compared with is this: an output that is a check is 0. */
bv_t prove_cells_output(const sides_t *s, unsigned i, bv_t out_c);

/* Whether anything is claimed of element `i` of the model's register `r`; and its next value by the
 * netlist, with the bits of `c` where nothing is. */
bool prove_cells_names(const sides_t *s, unsigned r, unsigned i);
bv_t prove_cells_named(const sides_t *s, unsigned r, unsigned i, bv_t c, bool reset);
/* Claims of flip-flops that are constant or repeat another one. */
void prove_cells_claims(sides_t *s, lit_t when, bool reset);
/* Claims of the model's registers alone, after a reset from what create makes. */
int prove_cells_made(sides_t *s, mrpb_err_t *err);

/* For a proof from a reset: what the flip-flops hold at power-up. */
void prove_cells_power_up(sides_t *s);

/* Refuses the choices that the case `cex` shows to be wrong. True if there are others. */
bool prove_cells_refuse(sides_t *s, match_t *match, const uint8_t *cex);

/* Takes out of the verdict what is not compared; writes what the netlist is. */
void prove_cells_verdict(const sides_t *s, verdict_t *v);
void prove_cells_text(const sides_t *s, char *text, size_t size);

void prove_cells_close(sides_t *s);

#endif
