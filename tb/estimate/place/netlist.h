/* SPDX-License-Identifier: Apache-2.0 */
/* The netlist that is placed: cells and nets with names that every tool takes (net 12 is n12, the
 * third INVX1 is INVX1_3), as BLIF for the placement and as Verilog for OpenSTA. SRAM macros are in
 * the Verilog; in the BLIF their nets are pins at the outline. */
#ifndef ESTIMATE_PLACE_NETLIST_H
#define ESTIMATE_PLACE_NETLIST_H

#include "estimate/gates.h"

enum { PLACE_NAME = 96 };

/* What a net touches. Net 0 and net 1 are the constants. */
typedef struct {
  bool used;              /* something touches it */
  bool in, out;           /* an input or an output of the module */
  bool from, to;          /* a macro's output drives it; a macro's input reads it */
  bool driven;            /* by a placed cell */
  unsigned sinks;         /* pins of placed cells that read it */
  char macro[PLACE_NAME]; /* a pin of a macro on it, "sram_1:rdata_3"; "": none */
} place_netlist_net_t;

typedef struct {
  gates_t gates;
  char top[PLACE_NAME];
  place_netlist_net_t *net; /* by number */
  int n_nets, clock;        /* clock: the net of clk_i; -1: none */
  unsigned cells, pins, macros, macro_pins;
} place_netlist_t;

/* Reads what Yosys wrote about module `top`. Returns 0, or -1 and a message in err. */
int place_netlist_open(place_netlist_t *n, const char *path, const char *top, mrpb_err_t *err);
void place_netlist_close(place_netlist_t *n);

/* Whether a net reaches the outline: a placed cell and something outside touch it. */
bool place_netlist_is_pin(const place_netlist_net_t *net);

int place_netlist_blif(const place_netlist_t *n, FILE *f, mrpb_err_t *err);
int place_netlist_verilog(const place_netlist_t *n, FILE *f, mrpb_err_t *err);

#endif
