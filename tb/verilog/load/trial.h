/* SPDX-License-Identifier: Apache-2.0 */
/* A design of the user's runs for a few cycles in a process of its own before it runs in this one: an initial block that
 * never ends, or that ends the simulation, harms nobody. docs/verify/door.md */
#ifndef VERILOG_TRIAL_H
#define VERILOG_TRIAL_H

#include "err.h"
#include "module.h"

/* `object` is its shared object, `what` its name for the message. RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL
 * (verilog/build.h) and a message. */
int trial_run(const char *object, const char *what, const module_class_t *cls, mrpb_err_t *err);

#endif
