/* SPDX-License-Identifier: Apache-2.0 */
/* The internal form of a netlist. Internal to tb/verify/prove. */
#ifndef PROVE_NETLIST_PRIV_H
#define PROVE_NETLIST_PRIV_H

#include "verify/prove/netlist.h"

#include <jansson.h>

/* A one-bit wire. Yosys numbers wires from 2. */
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
  int64_t a, b, s, q;    /* wires; for a flip-flop a is D, s its clock, b its reset, q its output */
  bool reset_low, value; /* flip-flop with a reset: its polarity and the reset value */
  const char *name;
} cell_t;

struct netlist {
  json_t *json, *top;
  int64_t n_wires;
  uint32_t *driver; /* wire -> cell */
  lit_t *value;     /* wire -> literal, or UNSET */
  lit_t *state;     /* the same for the contents of flip-flops */
  cell_t *cell;
  uint32_t n_cells;
  int64_t clock;
  const netlist_t *other;  /* its variables for an x are used here, too; NULL: none */
  netlist_t *before;       /* the previous cycle; NULL: none */
  bool shared;             /* the cells belong to the netlist of which this is a copy */
  const bind_t *bind;      /* names of registers; NULL: our own names */
  bool loose;              /* flip-flops without a given value hold any value */
  uint32_t n_free;         /* flip-flops that no line names; each is a variable */
  char free[NETLIST_NAME]; /* one of them */
  lit_t *x;                /* a variable for each x, in order of appearance */
  uint32_t n_x;
  size_t room_x;
  mrpb_err_t trouble;
};

/* Wire number of a bit, -1 for 0, -2 for 1, -3 for anything else. */
int64_t netlist_wire(const json_t *bit);
bool netlist_is_flip_flop(const cell_t *c);

#endif
