/* SPDX-License-Identifier: Apache-2.0 */
/* The signals that a map shows in a wave; internal to tb/verilog/design. */
#ifndef DESIGN_BIND_SHOWS_H
#define DESIGN_BIND_SHOWS_H

#include "verilog/design/bind.h"

/* Binds the statement `show`: a signal, a part of it, or each element of an array. Returns 0, or -1
 * and a message without its line number. */
int bind_show(bind_t *b, const map_statement_t *s, mrpb_err_t *err);

#endif
