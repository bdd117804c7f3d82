/* SPDX-License-Identifier: Apache-2.0 */
/* The third witness: what the C model answered to a run's stimulus, written as test vectors and a
 * Verilog-2005 bench for Icarus, which shares no code with Verilator. */
#ifndef WITNESS_H
#define WITNESS_H

#include "err.h"
#include "module.h"

#include <stdint.h>

typedef struct witness witness_t;

/* Starts DIR/vectors.hex; DIR must exist. `who` is whose outputs these are, for the message: "the C
 * model". 0, or -1 and a message. */
int witness_open(witness_t **out, const char *dir, const char *who, const module_class_t *cls,
                 const uint32_t *cfg, mrpb_err_t *err);

/* Before the first cycle: not every output counts in every cycle. */
void witness_masked(witness_t *w);
/* One cycle: the inputs, and the outputs before the edge. `counts`: bits that are 0 there are not compared; NULL unless
 * witness_masked was called. */
void witness_cycle(witness_t *w, const uint64_t *in, const uint64_t *out, const uint64_t *counts);

/* Ends the vectors and writes DIR/bench.v, which reads them (run it in DIR), drives the module
 * between the clock edges and compares every output before each edge; of a module with registers
 * the first cycle must be a reset and is not compared. It prints "matched N cycles" or each
 * differing output of the first differing cycle. Frees `w`, also on an error. 0, or -1 and a
 * message. */
int witness_close(witness_t *w, mrpb_err_t *err);

/* What a register holds that the Verilog has not set: 0, which its `initial` blocks put there for
 * simulation, or x, as at the power-up of hardware (SYNTHESIS is defined, which leaves those blocks
 * out). */
typedef enum { WITNESS_UNSET_0, WITNESS_UNSET_X } witness_unset_t;

/* Runs Icarus on DIR with the Verilog of `rtl_dir`: 0 matched, 1 not (its first line is in `err`), 2
 * Icarus could not compile or run. */
int witness_run(const char *dir, const char *rtl_dir, bool sv, witness_unset_t unset,
                mrpb_err_t *err);

#endif
