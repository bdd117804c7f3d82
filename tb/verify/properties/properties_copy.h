/* SPDX-License-Identifier: Apache-2.0 */
/* One of our modules with its properties inserted: a copy of the Verilog. */
#ifndef PROPERTIES_COPY_H
#define PROPERTIES_COPY_H

#include "verify/properties/properties.h"

/* Copies the Verilog of setup->rtl into `dir`, and writes Yosys' commands that read it, flattened,
 * to `script`. Returns 0, or -1 and a message in err. */
int properties_copy(const properties_setup_t *setup, const properties_line_t *line, const char *dir,
                    FILE *script, mrpb_err_t *err);

#endif
