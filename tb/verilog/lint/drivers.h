/* SPDX-License-Identifier: Apache-2.0 */
/* Who drives what, in the text that Yosys writes of a design (RTLIL, after `proc`). */
#ifndef LINT_DRIVERS_H
#define LINT_DRIVERS_H

#include "err.h"

/* Every bit of every net has one driver at most, and nothing is a latch, a tristate buffer or a
 * memory that is written without a clock. `dir` is the Verilog's folder in messages. 0, or -1 and a
 * message. */
int drivers_check(const char *path, const char *dir, mrpb_err_t *err);

#endif
