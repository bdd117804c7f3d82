/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a user's design for a few cycles in a separate process before it runs in this one, so that
 * an initial block that never ends, or that ends the simulation, does no harm.
 * docs/verify/door.md */
#ifndef VERILOG_TRIAL_H
#define VERILOG_TRIAL_H

#include "err.h"
#include "module.h"

/* `object` is its shared object, `what` its name in the message. Returns RTL_OK, or RTL_BAD_INPUT
 * or RTL_BAD_TOOL (verilog/build.h) and a message in err. */
int trial_run(const char *object, const char *what, const module_class_t *cls, mrpb_err_t *err);

#endif
