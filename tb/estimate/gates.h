/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist that Yosys wrote as JSON, and the queries on it: cells by type, source names of nets,
 * the longest path through gates from one register to another, and the same gates as BLIF. */
#ifndef ESTIMATE_GATES_H
#define ESTIMATE_GATES_H

#include "err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { GATES_NAME = 128 };

/* One name of one bit. `index` counts the bits of the net from 0; the Verilog calls it `said`. */
typedef struct {
  int bit;
  unsigned index, width;
  int said;
  const char *name;
} gates_alias_t;

typedef struct {
  json_t *root, *module, *cells, *nets, *ports;
  gates_alias_t *alias; /* by bit */
  unsigned n_aliases;
  int n_bits; /* bit numbers are below this */
  /* The names of registers and of modules' inputs, as keys; NULL: names in _q, and in _i or _ni.
   * Set by the caller, who keeps them. */
  const json_t *registers, *inputs;
} gates_t;

/* Reads the module `top` of the file `path`. */
int gates_open(gates_t *g, const char *path, const char *top, mrpb_err_t *err);
void gates_close(gates_t *g);

/* The net at a pin of a cell, or bit `index` of a net; -1 if there is none or it is a constant. */
int gates_pin(const gates_t *g, const char *cell, const char *pin);
int gates_net(const gates_t *g, const char *net, unsigned index);
/* The same for the number that the Verilog gives the bit: 4 is the last bit of `[7:4] net`. */
int gates_net_said(const gates_t *g, const char *net, int said);

/* The type of a cell; NULL if there is no cell of that name. */
const char *gates_type(const gates_t *g, const char *cell);

/* Whether a net is an input of the module whose scope its name has, such as "u_a.". */
bool gates_is_input(const gates_t *g, const char *name);

/* The source's name of a bit; a register's name has priority. NULL if it has none. */
const gates_alias_t *gates_name(const gates_t *g, int bit);
void gates_print(const gates_alias_t *a, char text[GATES_NAME]);

/* Writes the gates between flip-flops, macros and ports as BLIF. Returns -1 and a message in err
 * for a cell that is not a gate of Yosys, a D flip-flop or a macro (whose names begin with
 * "sram_"). */
int gates_blif(const gates_t *g, FILE *f, mrpb_err_t *err);

/* Finds the longest path, counted in gates, from bit `from` to bit `to`. *way gets all its bits in
 * order, `from` first; the caller frees it. Returns their number, 0 if there is no path, or -1 if
 * out of memory. */
int gates_way(const gates_t *g, int from, int to, int **way);

#endif
