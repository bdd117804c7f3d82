/* SPDX-License-Identifier: Apache-2.0 */
/* A user's design against the model. Its outputs may come later or may count only in some cycles,
 * and some registers may not be named by the map. For the project's own Verilog all of this changes
 * nothing. docs/verify/door.md */
#ifndef PROVE_MAPPED_H
#define PROVE_MAPPED_H

#include "verify/prove/llvm/prove.h"
#include "verilog/design/verdict.h"

/* Call it after the netlist has been read and before anything is evaluated. */
void mapped_open(sides_t *s);
void mapped_close(sides_t *s);

/* mapped_late: the number of cycles by which output `i` comes later. mapped_cycle: the netlist that
 * many cycles later; its inputs are new variables. */
unsigned mapped_late(const sides_t *s, unsigned i);
netlist_t *mapped_cycle(sides_t *s, unsigned late);

/* The condition under which output `i` of a state is compared; out_c must be set. */
lit_t mapped_counts(sides_t *s, unsigned i);
/* The parts of that condition. mapped_when: output `i` counts in a cycle with these inputs and
 * outputs of the model. mapped_reset (below): the cycle is one of a reset. */
lit_t mapped_when(const sides_t *s, unsigned i, const bv_t *in, const bv_t *out_c);
/* What the map assumes of the inputs of a cycle. */
lit_t mapped_assumed(const sides_t *s, const bv_t *in);
lit_t mapped_reset(const sides_t *s, const bv_t *in);
/* Number of cycles, from that of the model's output on, in which a reset suppresses the output. */
unsigned mapped_resets(const sides_t *s, unsigned i);

/* True if a line names a bit of element `i` of register `r`. */
bool mapped_names(const sides_t *s, unsigned r, unsigned i);
/* The next value of element `i` of register `r` in the Verilog, with the bits of `c` where no line
 * names any. */
bv_t mapped_named(sides_t *s, unsigned r, unsigned i, bv_t c);
/* Returns -1 and the message that a line names something that is not a register. */
int mapped_no_register(const sides_t *s, const char *name, unsigned i, mrpb_err_t *err);

/* Fills in what the checks look at. For an output that counts only in some cycles, checks that
 * there is such a cycle. Returns 0, or an exit code and a message in err: nothing is compared. */
int mapped_verdict(sides_t *s, const prove_job_t *job, const char *temp, verdict_t *v,
                   mrpb_err_t *err);

/* Writes why a difference may be spurious: registers of either side that the other one lacks. False
 * if there are none. */
bool mapped_loose(const sides_t *s, char *text, size_t size);

#endif
