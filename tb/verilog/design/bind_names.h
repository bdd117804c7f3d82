/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a map; internal to tb/verilog/design. */
#ifndef DESIGN_BIND_NAMES_H
#define DESIGN_BIND_NAMES_H

#include "verilog/design/bind.h"

/* Whether the class has no C model and only describes an interface: the contract. */
bool bind_contract(const bind_t *b);
/* For a scope: the value of one of our parameters. */
bool bind_constant(void *ctx, const char *name, uint64_t *value);
/* Finds our input or output of that name; NULL if there is none. */
const module_port_t *bind_our_port(const bind_t *b, const char *name);
/* Finds the state of that name; NULL if there is none. */
const bind_state_t *bind_state(const bind_t *b, const char *name);
/* Checks that any of our outputs is compared; for the contract always true. Returns 0, or -1 and a
 * message in err. */
int bind_compared(const bind_t *b, mrpb_err_t *err);
/* Binds the map's `state` statements of the contract. Returns 0, or -1 and a message in err. */
int bind_states(bind_t *b, mrpb_err_t *err);

#endif
