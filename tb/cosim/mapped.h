/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist of library cells in lockstep: its gates as Verilog, as a design with a map that has every
 * name unchanged. docs/verify/netlist.md */
#ifndef COSIM_MAPPED_H
#define COSIM_MAPPED_H

#include "verilog/cells.h"
#include "verilog/load/lib.h"

typedef struct {
  char folder[FILES_PATH], file[FILES_PATH], map[FILES_PATH], top[64];
} mapped_netlist_t;

/* Makes the design, and names it in `from`, which keeps pointers to `g`. Returns RTL_OK, or
 * RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int mapped_netlist_open(mapped_netlist_t *g, const cells_t *cells, const module_class_t *cls,
                        const uint32_t *cfg, rtl_from_t *from, mrpb_err_t *err);
/* Removes its files, also after a failure. */
void mapped_netlist_close(mapped_netlist_t *g);

#endif
