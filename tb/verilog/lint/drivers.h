/* SPDX-License-Identifier: Apache-2.0 */
/* Who drives what, in the text that Yosys writes of a design (RTLIL, before and after `proc`). */
#ifndef LINT_DRIVERS_H
#define LINT_DRIVERS_H

#include "err.h"

/* Every bit of every net has one driver at most, no array is written in two blocks (which is seen before `proc` alone; an
 * assignment beside a block, too), and nothing is a latch, a tristate buffer or a
 * memory that is written without a clock. `dir` is the Verilog's folder in messages; NULL: it is a
 * design of the user's, in which registers may have an asynchronous reset, and files their own names. 0, or -1 and a
 * message. */
int drivers_check(const char *path, const char *dir, mrpb_err_t *err);

#endif
