/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the Verilog of a module, alone or in lockstep with the C model, behind the interface through
 * which an SM reaches its MSHR table, MRPB and PRT (parts/unit.h). A mismatch is reported in the
 * same form as by `cosim`. */
#ifndef UNIT_RTL_H
#define UNIT_RTL_H

#include "verilog/load/lib.h"
#include "parts/unit.h"

#include <jansson.h>

typedef struct unit_rtl_set unit_rtl_set_t;

/* Everything that the instances of one run share: tools, loaded libraries (one for each module and
 * size), and the destination of a mismatch report. `from` and `progress` are as for rtl_env_open.
 * `seed` sets the power-up state. `repeat` is the command that repeats the run, for the report; it
 * must outlive the set. Returns 0 or the exit code, RTL_BAD_INPUT or RTL_BAD_TOOL. */
int unit_rtl_set_open(unit_rtl_set_t **out, const rtl_from_t *from, uint64_t seed, FILE *report,
                      const char *repeat, FILE *progress, mrpb_err_t *err);
/* Asks for the unit's stimulus of a mismatch (in lockstep) to be shrunk and kept. `dir` is the
 * folder (NULL: build/cases of the project), `program` is how to call the program again, and `stop`
 * may be NULL (cosim/regress.h). All must outlive the set. Call it before the first instance is
 * opened. */
void unit_rtl_set_keep(unit_rtl_set_t *set, const char *dir, const char *program,
                       bool (*stop)(void));
/* Sets the seconds that one call may take (rtl_env_set_patience). Call it before the first instance
 * is opened. */
void unit_rtl_set_patience(unit_rtl_set_t *set, unsigned seconds);
/* Call this after the last instance was destroyed. */
/* Checks that a user's design is in one of the units that this choice does not run in C. Returns
 * RTL_OK, or RTL_BAD_INPUT and a message in err. */
int unit_rtl_set_check(const unit_rtl_set_t *set, const unit_choice_t *choice, mrpb_err_t *err);
void unit_rtl_set_close(unit_rtl_set_t *set);

/* A unit_open_fn; `ctx` is the set. With UNIT_RTL the outputs come from the Verilog alone. With
 * UNIT_BOTH they also come from the Verilog (for a user's design, from the C model); at every edge,
 * all outputs of the last comb and all registers after the edge are compared with the C model. A
 * difference is written to the report, and edge returns -1 with one line in `err`. */
int unit_rtl_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg, unit_impl_t impl,
                  const char *name, void *ctx, mrpb_err_t *err);

/* The exit code of the last failed unit_rtl_open, and whether an instance has reported a mismatch
 * (exit code 1). */
int unit_rtl_exit_code(const unit_rtl_set_t *set);

/* Cycles compared so far by all instances of the set. */
uint64_t unit_rtl_compared(const unit_rtl_set_t *set);
/* Prints what the instances in lockstep have compared, a line for each module and size after
 * `indent`. Returns RTL_OK; RTL_BAD_INPUT and a message if one of them compared nothing; 1 and a
 * message if an output of a user's design is x (rtl_lib_say). */
int unit_rtl_verdict(const unit_rtl_set_t *set, const char *indent, FILE *out, mrpb_err_t *err);

/* The same for programs: cycles and, for each module and size, its bins. Returns NULL if out of
 * memory. */
json_t *unit_rtl_json(const unit_rtl_set_t *set);

#endif
