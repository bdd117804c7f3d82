/* SPDX-License-Identifier: Apache-2.0 */
/* The third witness: what the C model answered to a run's stimulus, written as test vectors and as
 * a Verilog-2005 bench for Icarus, which shares no code with Verilator. */
#ifndef WITNESS_H
#define WITNESS_H

#include "err.h"
#include "module.h"

#include <stdint.h>

typedef struct witness witness_t;

/* Creates DIR/vectors.hex; DIR must exist. `who` says whose outputs these are, for the message:
 * "the C model". Returns 0, or -1 and a message in err. */
int witness_open(witness_t **out, const char *dir, const char *who, const module_class_t *cls,
                 const uint32_t *cfg, mrpb_err_t *err);

/* Call before the first cycle if not every output counts in every cycle. */
void witness_masked(witness_t *w);
/* Writes one cycle: the inputs, and the outputs before the edge. Bits that are 0 in `counts` are
 * not compared; `counts` is NULL unless witness_masked was called. */
void witness_cycle(witness_t *w, const uint64_t *in, const uint64_t *out, const uint64_t *counts);

/* Ends the vectors and writes DIR/bench.v. The bench reads the vectors (run it in DIR), drives the
 * module between the clock edges and compares every output before each edge. If the module has
 * registers, the first cycle must be a reset and is not compared. The bench prints "matched N
 * cycles", or each differing output of the first differing cycle. Frees `w`, also on an error.
 * Returns 0, or -1 and a message in err. */
int witness_close(witness_t *w, mrpb_err_t *err);

/* The value of a register that the Verilog has not set: 0, which its `initial` blocks assign for
 * simulation, or x, as at the power-up of hardware (SYNTHESIS is defined, which removes those
 * blocks). */
typedef enum { WITNESS_UNSET_0, WITNESS_UNSET_X } witness_unset_t;

/* Runs Icarus on DIR with the Verilog of `rtl_dir`. Returns 0 if it matched, 1 if not (err holds
 * its first line), 2 if Icarus could not compile or run. */
int witness_run(const char *dir, const char *rtl_dir, bool sv, witness_unset_t unset,
                mrpb_err_t *err);

#endif
