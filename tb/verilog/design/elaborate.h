/* SPDX-License-Identifier: Apache-2.0 */
/* Has Verilator elaborate a design; internal to tb/verilog/design. */
#ifndef DESIGN_ELABORATE_H
#define DESIGN_ELABORATE_H

#include "verilog/design/bind.h"

/* Elaborates module `top` of the text `path` with these parameters of the map; temporary files go
 * to the folder `temp`. If Verilator reports a missing module or parameter, the message gives the
 * name and the nearest one that exists. Missing parameters that no line gives are removed from the
 * list. Returns RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int elaborate(describe_t **out, const map_t *map, const char *path, const char *top,
              bind_param_t *param, unsigned *n_params, const char *temp, mrpb_err_t *err);

#endif
