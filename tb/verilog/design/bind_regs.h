/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a map; internal to tb/verilog/design. */
#ifndef DESIGN_BIND_REGS_H
#define DESIGN_BIND_REGS_H

#include "verilog/design/bind.h"

/* Binds the statement `reg`. Returns 0, or -1 and a message without its line number. */
int bind_reg(bind_t *b, const map_statement_t *s, mrpb_err_t *err);
/* Binds registers of the top module that have the name, size and shape of ours and that no line
 * mentions. */
int bind_same_regs(bind_t *b, mrpb_err_t *err);
/* Checks `none NAME` for a register. Returns 0 if we have such a register, or -1 and a message in
 * err. */
int bind_no_register(bind_t *b, const char *name, mrpb_err_t *err);

#endif
