/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a map; internal to tb/verilog/design. */
#ifndef DESIGN_BIND_REGS_H
#define DESIGN_BIND_REGS_H

#include "verilog/design/bind.h"

/* The statement `reg`. 0, or -1 and a message without its line. */
int bind_reg(bind_t *b, const map_statement_t *s, mrpb_err_t *err);
/* Registers of the top module that have name, size and shape of ours, and of which no line speaks. */
int bind_same_regs(bind_t *b, mrpb_err_t *err);
/* `none NAME` of a register: 0 if there is one of ours, else -1 and a message. */
int bind_no_register(bind_t *b, const char *name, mrpb_err_t *err);

#endif
