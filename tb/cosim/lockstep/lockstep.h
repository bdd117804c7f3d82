/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks the C model and the Verilog of one module together. Every output is compared before each
 * edge, and every named register after it. A cycle is lockstep_comb (called as often as the inputs
 * change; the last call counts), then lockstep_edge. The first edge must be a reset: the Verilog's
 * power-up state is random until then, and registers are compared from then on.
 *
 * The functions that simulations call instead of comb and edge (module_fast_t) are compared with
 * the Verilog as well: views after comb, and the step in place of edge, in one cycle of four,
 * picked by the seed. With lockstep_open_twin a second C model runs by steps only, in every
 * cycle. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "verilog/load/lib.h"
#include "cosim/lockstep/foreign.h"

#include <stdbool.h>

typedef struct lockstep lockstep_t;

enum { LOCKSTEP_RESET_CYCLES = 4, LOCKSTEP_HISTORY = 16, LOCKSTEP_MAX_DIFFS = 64 };
/* How often a stimulus redraws a cycle that would violate what a map assumes. */
enum { LOCKSTEP_DRAWS = 1000 };

/* A word or element that differs. Differences wider than 64 bits are reported in several pieces. */
typedef struct {
  bool reg;       /* a register, after the edge; otherwise an output, before it */
  unsigned width; /* of the port or element */
  unsigned words; /* elements of the register */
  unsigned elem;  /* index of the element */
  unsigned lsb;   /* lowest bit of the piece */
  uint64_t c, rtl;
  char name[MODULE_MAX_NAME]; /* of the port or register; outlives the lockstep */
} lockstep_diff_t;

typedef struct {
  uint64_t cycle;
  const uint64_t *in, *out; /* out: the C model's outputs */
} lockstep_record_t;

/* `seed` sets the power-up state of the Verilog. The library must outlive the instance. With `lib`
 * NULL the other side is a recording of outputs, not a simulation. Returns 0, or -1 and a message
 * in err. */
int lockstep_open(lockstep_t **out, const module_class_t *cls, const uint32_t *cfg,
                  const rtl_lib_t *lib, uint64_t seed, mrpb_err_t *err);
/* The same for a short stimulus: every function runs in every cycle, and the step runs on a second
 * C model. A difference then does not depend on the cycle's number. */
int lockstep_open_twin(lockstep_t **out, const module_class_t *cls, const uint32_t *cfg,
                       const rtl_lib_t *lib, uint64_t seed, mrpb_err_t *err);
void lockstep_close(lockstep_t *ls);

/* Computes the outputs of both sides for `in`. Returns true while they agree. */
bool lockstep_comb(lockstep_t *ls, const uint64_t *in);
/* The same for a recorded other side. `out` holds its outputs, of which the bits set in `known` are
 * compared. */
bool lockstep_comb_recorded(lockstep_t *ls, const uint64_t *in, const uint64_t *out,
                            const uint64_t *known);
/* The clock edge on both sides, with the inputs of the last lockstep_comb. Returns true while the
 * registers agree and no check of the Verilog has fired. */
bool lockstep_edge(lockstep_t *ls);

/* Inverts a bit of a register's element on both sides, between two cycles. Combinational logic of
 * the Verilog that depends on the bit is not re-evaluated, so this is valid only for a memory that
 * is read at the edge. */
void lockstep_flip(lockstep_t *ls, unsigned reg, unsigned elem, unsigned bit);

/* lockstep_assumes: whether a map assumes something about the environment (`assume`).
 * lockstep_assumed: whether `in` satisfies it. */
bool lockstep_assumes(const lockstep_t *ls);
bool lockstep_assumed(const lockstep_t *ls, const uint64_t *in);
/* Fills in inputs without a reset in which nothing happens. */
void lockstep_idle(const lockstep_t *ls, uint64_t *in);

/* Runs lockstep_comb and lockstep_edge LOCKSTEP_RESET_CYCLES times, with srst_ni = 0 and every other
 * input 0. */
bool lockstep_reset(lockstep_t *ls);

/* Saves the state of both sides between two cycles, to return to it later. The report's history is
 * not saved. The instance must outlive what was saved of it. lockstep_save_new returns NULL if out
 * of memory. */
typedef struct lockstep_save lockstep_save_t;
lockstep_save_t *lockstep_save_new(const lockstep_t *ls);
void lockstep_save(const lockstep_t *ls, lockstep_save_t *save);
void lockstep_load(lockstep_t *ls, const lockstep_save_t *save);
void lockstep_save_free(lockstep_save_t *save);

/* The C model, both sides' inputs and outputs of the last comb, and the number of edges so far. */
const void *lockstep_model(const lockstep_t *ls);
const uint64_t *lockstep_in(const lockstep_t *ls);
const uint64_t *lockstep_out_c(const lockstep_t *ls);
const uint64_t *lockstep_out_rtl(const lockstep_t *ls);
/* What the Verilog must show: the C model's outputs, except for a user's design (foreign.h). */
const uint64_t *lockstep_out_want(const lockstep_t *ls);
/* NULL if the other side is not a user's design. */
const foreign_t *lockstep_foreign(const lockstep_t *ls);
/* Whether a differing output depends on the power-up state of a user's design. */
bool lockstep_powered(const lockstep_t *ls);
uint64_t lockstep_cycle(const lockstep_t *ls);

/* The tables of ports and registers behind the instance: n_in, n_out and n_regs entries. */
const module_class_t *lockstep_class(const lockstep_t *ls);
const uint32_t *lockstep_cfg(const lockstep_t *ls);
const module_port_t *lockstep_inputs(const lockstep_t *ls);
const module_port_t *lockstep_outputs(const lockstep_t *ls);
const module_reg_t *lockstep_regs_c(const lockstep_t *ls);
/* NULL if the other side is recorded. */
const shim_view_t *lockstep_regs_rtl(const lockstep_t *ls);

/* Views of the ports of a user's design, as the wrapper shows them (verilog/design/wrapper.h). */
void lockstep_theirs(const lockstep_t *ls, shim_view_t *views);

/* Writes the Verilog's line coverage so far. Works only if the build counts lines
 * (rtl_env_count_lines). */
void lockstep_coverage(const lockstep_t *ls, const char *path);

/* Finds all current differences: of outputs if `regs` is false, of registers if it is true. Returns
 * their number and stores the first `max` of them. */
unsigned lockstep_diffs(const lockstep_t *ls, bool regs, lockstep_diff_t *diffs, unsigned max);
/* Returns "mrpb_step" if only that function differs from the Verilog while comb and edge agree with
 * it; otherwise NULL. */
const char *lockstep_function(const lockstep_t *ls);
/* Whether that function is a view that writes an output that is not on its list. */
bool lockstep_scribbles(const lockstep_t *ls);
/* The message of a check of the Verilog, or NULL. */
const char *lockstep_stopped(const lockstep_t *ls);

/* Keeps the inputs and outputs of the current cycle (between comb and edge) in a ring of
 * LOCKSTEP_HISTORY records. A cycle with a difference is always kept. */
void lockstep_remember(lockstep_t *ls);
/* Returns the i-th record; 0 is the oldest. Returns false if there are fewer. */
bool lockstep_record(const lockstep_t *ls, unsigned i, lockstep_record_t *record);

#endif
