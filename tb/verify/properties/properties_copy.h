/* SPDX-License-Identifier: Apache-2.0 */
/* A module of ours with its properties in it: a copy of the Verilog. */
#ifndef PROPERTIES_COPY_H
#define PROPERTIES_COPY_H

#include "verify/properties/properties.h"

/* Copies the Verilog of setup->rtl into `dir`, and writes Yosys' commands that read it, flat, to `script`. 0, or -1 and a message. */
int properties_copy(const properties_setup_t *setup, const properties_line_t *line, const char *dir,
                    FILE *script, mrpb_err_t *err);

#endif
