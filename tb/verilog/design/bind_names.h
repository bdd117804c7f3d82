/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a map; internal to tb/verilog/design. */
#ifndef DESIGN_BIND_NAMES_H
#define DESIGN_BIND_NAMES_H

#include "verilog/design/bind.h"

/* Whether it is a class without a model of ours, that only says what an interface is: the contract. */
bool bind_contract(const bind_t *b);
/* For a scope: the value of a parameter of ours. */
bool bind_constant(void *ctx, const char *name, uint64_t *value);
/* Our input or output; NULL if there is none. */
const module_port_t *bind_our_port(const bind_t *b, const char *name);
/* The state of that name; NULL if there is none. */
const bind_state_t *bind_state(const bind_t *b, const char *name);
/* Whether any output of ours is compared; of the contract always. 0, or -1 and a message. */
int bind_compared(const bind_t *b, mrpb_err_t *err);
/* The map's `state` statements of the contract. 0, or -1 and a message. */
int bind_states(bind_t *b, mrpb_err_t *err);

#endif
