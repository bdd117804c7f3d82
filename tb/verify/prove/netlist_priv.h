/* SPDX-License-Identifier: Apache-2.0 */
/* A netlist as it is kept. Internal to tb/verify/prove. */
#ifndef PROVE_NETLIST_PRIV_H
#define PROVE_NETLIST_PRIV_H

#include "verify/prove/netlist.h"

#include <jansson.h>

/* A wire of one bit. Yosys numbers them from 2. */
#define NO_CELL UINT32_MAX
#define UNSET UINT32_MAX
#define RUNNING (UINT32_MAX - 1)

typedef enum {
  G_NOT,
  G_BUF,
  G_AND,
  G_NAND,
  G_OR,
  G_NOR,
  G_XOR,
  G_XNOR,
  G_ANDNOT,
  G_ORNOT,
  G_MUX,
  G_DFF,
  G_DFF_RESET, /* asynchronously */
  G_OTHER
} gate_t;

typedef struct {
  gate_t type;
  int64_t a, b, s, q;    /* wires; a is D of a flip-flop, s its clock, b its reset, q its output */
  bool reset_low, value; /* of a flip-flop with a reset: when it is one, and to what */
  const char *name;
} cell_t;

struct netlist {
  json_t *json, *top;
  int64_t n_wires;
  uint32_t *driver; /* wire -> cell */
  lit_t *value;     /* wire -> literal, or UNSET */
  lit_t *state;     /* the same of what a flip-flop holds */
  cell_t *cell;
  uint32_t n_cells;
  int64_t clock;
  const netlist_t *other;  /* whose variables for an x are used here, too; NULL: none */
  netlist_t *before;       /* this is the cycle after that one; NULL: none */
  const bind_t *bind;      /* names registers; NULL: they have our names */
  bool loose;              /* flip-flops that are given nothing hold anything */
  uint32_t n_free;         /* flip-flops that no line names, each a variable */
  char free[NETLIST_NAME]; /* one of them */
  lit_t *x;                /* a variable for each x, in the order in which they are met */
  uint32_t n_x;
  size_t room_x;
  mrpb_err_t trouble;
};

/* Wire number of a bit, or -1 for 0, -2 for 1, -3 for anything else. */
int64_t netlist_wire(const json_t *bit);
bool netlist_is_flip_flop(const cell_t *c);

#endif
