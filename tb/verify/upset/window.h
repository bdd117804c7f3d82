/* SPDX-License-Identifier: Apache-2.0 */
/* A window: some cycles of a run in lockstep, recorded so that a second instance of the Verilog can
 * repeat them with a flipped bit. */
#ifndef UPSET_WINDOW_H
#define UPSET_WINDOW_H

#include "cosim/lockstep/lockstep.h"
#include "cosim/stim/stim.h"
#include "verify/upset/judge.h"

typedef struct upset_window upset_window_t;

/* C model and Verilog differ without an upset; an exit code. */
enum { UPSET_DIFFERENT = 1 };

/* Starts the run: both sides are reset. `lib` must have been opened with rtl_env_write_registers
 * and must outlive the window. `cycles` is the window's length. Returns RTL_OK, or
 * RTL_BAD_TOOL or UPSET_DIFFERENT and a message in err. */
int upset_window_open(upset_window_t **out, const module_class_t *cls, const uint32_t *cfg,
                      const rtl_lib_t *lib, uint64_t seed, uint64_t cycles, mrpb_err_t *err);
void upset_window_close(upset_window_t *w);

/* Lets the run go on by `n` cycles. `in` are their inputs, in_words for each cycle, or NULL: those of
 * the module's stimulus. Returns 0, or -1 and a message if the two sides differ. */
int upset_window_skip(upset_window_t *w, uint64_t n, const uint64_t *in, mrpb_err_t *err);
/* Records the next window, which begins at the current cycle; `in` as above. *reset: it contains a
 * reset. Returns as upset_window_skip. */
int upset_window_record(upset_window_t *w, const uint64_t *in, bool *reset, mrpb_err_t *err);
/* Repeats the recorded window after `n` flips of a bit of element `elem` of register `reg`, and
 * returns the outcome. */
upset_outcome_t upset_window_flip(upset_window_t *w, unsigned n, unsigned reg, unsigned elem,
                                  unsigned bit);

/* The number of the window's first cycle: 0 is the first one after the reset, as in `mrpb cosim`. */
uint64_t upset_window_first(const upset_window_t *w);

/* The registers of the C model: the class's n_regs entries. */
const module_reg_t *upset_window_regs(const upset_window_t *w);

#endif
