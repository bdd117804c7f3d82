/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the drivers of nets, in the text that Yosys writes for a design (RTLIL, before and after
 * `proc`). */
#ifndef LINT_DRIVERS_H
#define LINT_DRIVERS_H

#include "err.h"

/* Checks that every bit of every net has at most one driver, that no array is written in two blocks
 * (visible only before `proc`, as is an assignment beside a block), and that nothing is a latch, a
 * tristate buffer or a memory that is written without a clock. `dir` is the Verilog's folder in
 * messages. NULL: it is a user's design, in which registers may have an asynchronous reset, and
 * files have their own names. Returns 0, or -1 and a message in err. */
int drivers_check(const char *path, const char *dir, mrpb_err_t *err);

#endif
