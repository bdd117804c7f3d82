/* SPDX-License-Identifier: Apache-2.0 */
/* One module in C and in Verilog, clocked together: every output is compared before each edge and
 * every named register after it. A cycle is lockstep_comb (as often as the inputs change; the last
 * one counts), then lockstep_edge. The first edge must be a reset: what the Verilog powers up with
 * is random until then, and compared from then on.
 *
 * What simulations call instead of comb and edge (module_fast_t) is compared with the Verilog as
 * well: views after comb, and the step in place of edge, in one cycle of four, picked by the seed.
 * With lockstep_open_twin a second C model goes by steps alone, in every cycle. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "verilog/load/lib.h"
#include "cosim/lockstep/foreign.h"

#include <stdbool.h>

typedef struct lockstep lockstep_t;

enum { LOCKSTEP_RESET_CYCLES = 4, LOCKSTEP_HISTORY = 16, LOCKSTEP_MAX_DIFFS = 64 };
/* How often a stimulus draws a cycle that would break what a map assumes. */
enum { LOCKSTEP_DRAWS = 1000 };

/* One word or element that differs; wider ones are cut at 64 bits and come in several pieces. */
typedef struct {
  bool reg;         /* a register, after the edge; else an output, before it */
  const char *name; /* of the port or register */
  unsigned width;   /* of the port or element */
  unsigned words;   /* elements of the register */
  unsigned elem;    /* index of the element */
  unsigned lsb;     /* lowest bit of the piece */
  uint64_t c, rtl;
} lockstep_diff_t;

typedef struct {
  uint64_t cycle;
  const uint64_t *in, *out; /* out: the C model's */
} lockstep_record_t;

/* `seed` gives the power-up state of the Verilog. The library must outlive the instance. `lib`
 * NULL: the other side is not simulated but a recording of outputs. */
int lockstep_open(lockstep_t **out, const module_class_t *cls, const uint32_t *cfg,
                  const rtl_lib_t *lib, uint64_t seed, mrpb_err_t *err);
/* The same for a short stimulus: every function in every cycle, the step on a C model of its own.
 * What differs then does not depend on the number of the cycle. */
int lockstep_open_twin(lockstep_t **out, const module_class_t *cls, const uint32_t *cfg,
                       const rtl_lib_t *lib, uint64_t seed, mrpb_err_t *err);
void lockstep_close(lockstep_t *ls);

/* Outputs of both for `in`; true while they agree. */
bool lockstep_comb(lockstep_t *ls, const uint64_t *in);
/* The same where the other side is recorded: its outputs, compared in the bits that are 1 in
 * `known`. */
bool lockstep_comb_recorded(lockstep_t *ls, const uint64_t *in, const uint64_t *out,
                            const uint64_t *known);
/* The clock edge on both, with the inputs of the last lockstep_comb; true while the registers agree
 * and no check of the Verilog has fired. */
bool lockstep_edge(lockstep_t *ls);

/* Inverts a bit of a register's element, between two cycles, on both sides: what depends on it in
 * the Verilog without a clock is not evaluated anew, so only a memory that is read at the edge will
 * do. */
void lockstep_flip(lockstep_t *ls, unsigned reg, unsigned elem, unsigned bit);

/* Whether a map assumes something of the surroundings (`assume`), and whether `in` keeps it. */
bool lockstep_assumes(const lockstep_t *ls);
bool lockstep_assumed(const lockstep_t *ls, const uint64_t *in);
/* Inputs without a reset in which nothing happens. */
void lockstep_idle(const lockstep_t *ls, uint64_t *in);

/* Both functions in one, LOCKSTEP_RESET_CYCLES times with rst_ni = 0 and every other input 0. */
bool lockstep_reset(lockstep_t *ls);

/* Both sides as they are between two cycles, to go back to (not the history of the report). The
 * instance must outlive what was saved of it. NULL without memory. */
typedef struct lockstep_save lockstep_save_t;
lockstep_save_t *lockstep_save_new(const lockstep_t *ls);
void lockstep_save(const lockstep_t *ls, lockstep_save_t *save);
void lockstep_load(lockstep_t *ls, const lockstep_save_t *save);
void lockstep_save_free(lockstep_save_t *save);

/* The C model and both sides' outputs of the last comb; edges so far. */
const void *lockstep_model(const lockstep_t *ls);
const uint64_t *lockstep_in(const lockstep_t *ls);
const uint64_t *lockstep_out_c(const lockstep_t *ls);
const uint64_t *lockstep_out_rtl(const lockstep_t *ls);
/* What the Verilog must show: the C model's outputs, but for a design of the user's (foreign.h). */
const uint64_t *lockstep_out_want(const lockstep_t *ls);
/* NULL if it is no such design. */
const foreign_t *lockstep_foreign(const lockstep_t *ls);
/* An output that differs depends on what such a design powered up with. */
bool lockstep_powered(const lockstep_t *ls);
uint64_t lockstep_cycle(const lockstep_t *ls);

/* Tables behind it; n_in, n_out and n_regs entries. */
const module_class_t *lockstep_class(const lockstep_t *ls);
const uint32_t *lockstep_cfg(const lockstep_t *ls);
const module_port_t *lockstep_inputs(const lockstep_t *ls);
const module_port_t *lockstep_outputs(const lockstep_t *ls);
const module_reg_t *lockstep_regs_c(const lockstep_t *ls);
/* NULL where the other side is recorded. */
const shim_view_t *lockstep_regs_rtl(const lockstep_t *ls);

/* Views of the ports of a design of the user's, as the wrapper shows them (verilog/design/wrapper.h). */
void lockstep_theirs(const lockstep_t *ls, shim_view_t *views);

/* Writes the Verilog's line coverage so far; only if its build counts (rtl_env_count_lines). */
void lockstep_coverage(const lockstep_t *ls, const char *path);

/* All that differs now: outputs if `regs` is false, registers if it is true. Returns how many there
 * are; the first `max` are stored. */
unsigned lockstep_diffs(const lockstep_t *ls, bool regs, lockstep_diff_t *diffs, unsigned max);
/* "mrpb_step" if it is that which differs from the Verilog, and comb and edge do not; else NULL. */
const char *lockstep_function(const lockstep_t *ls);
/* It is a view, and writes an output that is not on its list. */
bool lockstep_scribbles(const lockstep_t *ls);
/* What a check of the Verilog said, or NULL. */
const char *lockstep_stopped(const lockstep_t *ls);

/* Keeps inputs and outputs of the current cycle (between comb and edge) in a ring of
 * LOCKSTEP_HISTORY records; a cycle with a difference is kept in any case. */
void lockstep_remember(lockstep_t *ls);
/* The i-th record, 0 the oldest; false if there are fewer. */
bool lockstep_record(const lockstep_t *ls, unsigned i, lockstep_record_t *record);

#endif
