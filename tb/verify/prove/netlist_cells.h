/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist of library cells: its flip-flops are numbered, because their names decide nothing.
 * docs/verify/netlist.md */
#ifndef PROVE_NETLIST_CELLS_H
#define PROVE_NETLIST_CELLS_H

#include "verify/prove/netlist.h"
#include "verilog/cells.h"

/* Makes the gates of a netlist in the folder `temp`. Returns 0, or an exit code and a message in
 * err. */
int netlist_cells_open(netlist_t **out, const cells_t *cells, const char *top, const char *temp,
                       mrpb_err_t *err);
/* The same gates without any value. `n` must outlive it. */
netlist_t *netlist_cells_again(const netlist_t *n);

uint32_t netlist_flops(const netlist_t *n);
/* Sets the value that a flip-flop holds, and gives the next one. */
void netlist_flop_set(netlist_t *n, uint32_t flop, lit_t value);
lit_t netlist_flop_next(netlist_t *n, bv_ctx_t *x, uint32_t flop);
/* A name of the net that it drives, for messages. */
const char *netlist_flop_name(const netlist_t *n, uint32_t flop);

/* Calls `found` for each name of a bit ("count_q[3][1]") that is a flip-flop's output, through
 * inverters and buffers or not. */
typedef void netlist_found_t(void *ctx, const char *name, uint32_t flop, bool inverted);
void netlist_flop_names(const netlist_t *n, netlist_found_t *found, void *ctx);

#endif
