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
  G_MEMORY,    /* cut at its pins */
  G_OTHER
} gate_t;

typedef struct {
  gate_t type;
  int64_t a, b, s, q;    /* wires; for a flip-flop a is D, s its clock, b its reset, q its output */
  bool reset_low, value; /* flip-flop with a reset: its polarity and the reset value */
  /* A flip-flop of a netlist of cells: its clock's edge, and pins that must be idle. */
  bool falling, has_reset, has_set, set_low;
  int64_t set;
  const char *name;
} cell_t;

/* A memory that is cut; its pins are wires. */
typedef struct {
  const char *name;
  uint32_t cell, words, bits, part, n_enable, n_waddr, n_raddr; /* part: bits of an enable */
  int64_t clock, re, *enable, *waddr, *raddr, *wdata, *rdata;
  int64_t *after; /* what flip-flops behind the read drive; NULL: there are none */
} memory_t;

struct netlist {
  json_t *json, *top;
  int64_t n_wires;
  uint32_t *driver; /* wire -> cell */
  lit_t *value;     /* wire -> literal, or UNSET */
  lit_t *state;     /* the same for the contents of flip-flops */
  cell_t *cell;
  uint32_t n_cells;
  int64_t clock;
  const netlist_t *other; /* its variables for an x are used here, too; NULL: none */
  netlist_t *before;      /* the previous cycle; NULL: none */
  bool shared;            /* the cells belong to the netlist of which this is a copy */
  const bind_t *bind;     /* names of registers; NULL: our own names */
  bool cells;             /* a netlist of library cells: netlist_cells.c */
  uint32_t *flop;         /* of such a netlist: its flip-flops, as cells */
  uint32_t n_flops;
  memory_t *memory;
  uint32_t n_memories;
  size_t room_memories;
  int64_t spare;           /* the next wire that the JSON does not have */
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
/* Reads the gates that Yosys wrote into `path`. Returns NETLIST_OK, or NETLIST_BAD_TOOL and a
 * message in err. */
int netlist_read(netlist_t **out, const char *path, bool cells, mrpb_err_t *err);
/* The same gates without any value; an x becomes a new variable. */
netlist_t *netlist_copy(const netlist_t *n);
/* The value of a wire, and the next value of a flip-flop at the edge. */
lit_t netlist_evaluate(netlist_t *n, bv_ctx_t *x, int64_t wire);
lit_t netlist_next_of(netlist_t *n, bv_ctx_t *x, const cell_t *c);
/* A public name of a wire, for messages. */
const char *netlist_name_of(const netlist_t *n, int64_t wire);

/* For a netlist of library cells. Reads a flip-flop of type $_DFF_..._ or $_DFFSR_..._. */
void netlist_cells_flop(cell_t *made, const char *type);
/* Reports a wire that a cell drives and that has another driver. */
void netlist_cells_driven(netlist_t *n, int64_t wire, const char *cell);
/* Lists the flip-flops, and reports inputs that a cell drives. */
void netlist_cells_read(netlist_t *n);
/* Reports a flip-flop with another clock, or whose set or reset is not idle. */
void netlist_cells_check(netlist_t *n, bv_ctx_t *x, const cell_t *c);

/* Reports a clock that is not the rising edge of clk_i. */
void netlist_cells_clock(netlist_t *n, int64_t clock, bool falling, const char *name);

/* Cell `c` as a memory, if it is one; the cells and wires that it needs beside it; and the value of
 * a wire that it drives. */
bool netlist_memory_read(netlist_t *n, uint32_t c, const char *name, const json_t *cell);
uint32_t netlist_memory_more(const json_t *cell);
lit_t netlist_memory_value(netlist_t *n, const cell_t *c, int64_t wire);
void netlist_memory_close(netlist_t *n);

#endif
