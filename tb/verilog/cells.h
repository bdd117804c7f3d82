/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist of library cells as Yosys makes gates and flip-flops of it again: it reads each cell's
 * function from the Liberty files and flattens. The SRAM macros of `mrpb estimate` (estimate/sram.h)
 * become memories. docs/verify/netlist.md */
#ifndef CELLS_H
#define CELLS_H

#include "err.h"
#include "module.h"

#include <stdbool.h>

enum { CELLS_LIBERTIES = 8 };

/* As on the command line. */
typedef struct {
  const char *netlist; /* NULL: none */
  const char *liberty[CELLS_LIBERTIES];
  unsigned n_liberties;
  bool cut; /* the macros stay cells */
} cells_t;

/* "sram_384x64_sync" has 384 words of 64 bits, whose read has a register. "sram_44x32w8" has a write
 * enable for each 8 bits: we_0 to we_3. With one it is `we`. */
typedef struct {
  unsigned words, bits, part;
  bool sync;
} macro_t;
/* Whether a cell of this type is such a macro. */
bool cells_macro(const char *type, macro_t *m);
unsigned cells_macro_enables(const macro_t *m);

/* Runs Yosys on the netlist, whose top is `top`, in the folder `temp`: what it reads and writes is
 * there. `write` are the commands that write the result; a file of theirs is in `temp`. Returns
 * RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL (verilog/build.h) and a message in err. */
int cells_gates(const cells_t *c, const char *top, const char *temp, const char *write,
                mrpb_err_t *err);

#endif
