/* SPDX-License-Identifier: Apache-2.0 */
/* Has Verilator elaborate a design; internal to tb/verilog/design. */
#ifndef DESIGN_ELABORATE_H
#define DESIGN_ELABORATE_H

#include "verilog/design/bind.h"

/* Module `top` of the text `path` with these of the map's parameters; files of its own go to the folder `temp`. What Verilator says
 * of a module or a parameter that is not there becomes the name and the nearest; parameters that no line says leave the
 * list if they are not there. RTL_OK, RTL_BAD_INPUT or RTL_BAD_TOOL and a message. */
int elaborate(describe_t **out, const map_t *map, const char *path, const char *top,
              bind_param_t *param, unsigned *n_params, const char *temp, mrpb_err_t *err);

#endif
