/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist as Yosys writes it in JSON, with what it is asked here: cells by type, source names of
 * nets, the way from one register to another through gates, and the same gates as BLIF. */
#ifndef ESTIMATE_GATES_H
#define ESTIMATE_GATES_H

#include "err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { GATES_NAME = 128 };

/* One name of one bit. */
typedef struct {
  int bit;
  unsigned index, width;
  const char *name;
} gates_alias_t;

typedef struct {
  json_t *root, *module, *cells, *nets, *ports;
  gates_alias_t *alias; /* by bit */
  unsigned n_aliases;
  int n_bits; /* bits are numbered below this */
} gates_t;

/* The module `top` of the file `path`. */
int gates_open(gates_t *g, const char *path, const char *top, mrpb_err_t *err);
void gates_close(gates_t *g);

/* The net on a pin of a cell, or bit `index` of a net; -1 if there is none or it is a constant. */
int gates_pin(const gates_t *g, const char *cell, const char *pin);
int gates_net(const gates_t *g, const char *net, unsigned index);

/* Type of a cell, NULL if there is none of that name. */
const char *gates_type(const gates_t *g, const char *cell);
unsigned gates_count(const gates_t *g, const char *type);

/* The source's name of a bit: a register before anything else. NULL if it has none. */
const gates_alias_t *gates_name(const gates_t *g, int bit);
void gates_print(const gates_alias_t *a, char text[GATES_NAME]);

/* Writes the gates between flip-flops, macros and ports as BLIF; -1 and a message for a cell that
 * is no gate of Yosys, no D flip-flop and none of the macros, whose names begin with "sram_". */
int gates_blif(const gates_t *g, FILE *f, mrpb_err_t *err);

/* Of the longest way, counted in gates, from bit `from` to bit `to`, all bits in order, `from`
 * first; returns how many, 0 if there is no way, -1 when out of memory. The caller frees *way. */
int gates_way(const gates_t *g, int from, int to, int **way);

#endif
