/* SPDX-License-Identifier: Apache-2.0 */
/* A design of the user's against the model: outputs that come later, or do not always count, and registers that no line
 * of the map names. Of the project's own Verilog each is what it always was. docs/verify/door.md */
#ifndef PROVE_MAPPED_H
#define PROVE_MAPPED_H

#include "verify/prove/llvm/prove.h"
#include "verilog/design/verdict.h"

/* After the netlist has been read, and before anything is evaluated. */
void mapped_open(sides_t *s);
void mapped_close(sides_t *s);

/* How many cycles output `i` comes later, and the netlist so many cycles on. Its inputs are new variables. */
unsigned mapped_late(const sides_t *s, unsigned i);
netlist_t *mapped_cycle(sides_t *s, unsigned late);

/* Where output `i` of a state is compared; out_c is set. */
lit_t mapped_counts(sides_t *s, unsigned i);
/* Its parts: whether it counts in a cycle of these inputs and outputs of the model, and whether that is one of a reset. */
lit_t mapped_when(const sides_t *s, unsigned i, const bv_t *in, const bv_t *out_c);
/* What the map assumes of the inputs of a cycle. */
lit_t mapped_assumed(const sides_t *s, const bv_t *in);
lit_t mapped_reset(const sides_t *s, const bv_t *in);
/* How many cycles of a reset, from that of the model's output on, take it away. */
unsigned mapped_resets(const sides_t *s, unsigned i);

/* Whether a line names a bit of element `i` of register `r`. */
bool mapped_names(const sides_t *s, unsigned r, unsigned i);
/* What element `i` of register `r` becomes in the Verilog, with the bits of `c` where no line names any. */
bv_t mapped_named(sides_t *s, unsigned r, unsigned i, bv_t c);
/* -1 and the message that a line names something that is no register. */
int mapped_no_register(const sides_t *s, const char *name, unsigned i, mrpb_err_t *err);

/* What the checks look at; of an output that counts only at times, whether there is such a time. 0, or an exit code and a
 * message: nothing is compared. */
int mapped_verdict(sides_t *s, const prove_job_t *job, const char *temp, verdict_t *v,
                   mrpb_err_t *err);

/* Why a difference may be none: registers of either side that the other one lacks. false: there are none. */
bool mapped_loose(const sides_t *s, char *text, size_t size);

#endif
