/* SPDX-License-Identifier: Apache-2.0 */
/* A map's statements against both sides: the ports table at a size, and the design at that size.
 * docs/verify/door.md */
#ifndef DESIGN_BIND_H
#define DESIGN_BIND_H

#include "verilog/design/describe.h"
#include "verilog/design/map.h"
#include "module.h"

enum {
  BIND_PORTS = 512,
  BIND_PARTS = 1024,
  BIND_TEXT = 512,
  BIND_STATES = 16,
  BIND_STATE_BITS = 64
};

/* A parameter of theirs and its value. */
typedef struct {
  char name[MAP_NAME];
  uint64_t value;
  const map_statement_t *said; /* NULL: no line, it has the name of one of ours */
} bind_param_t;

/* A port of theirs. */
typedef struct {
  const decl_t *port;
  unsigned width;
  enum { BIND_UNUSED, BIND_CLOCK, BIND_RESET, BIND_INPUT, BIND_OUTPUT } role;
} bind_port_t;

/* Bits of one of their inputs, from an expression of ours. */
typedef struct {
  unsigned port, lsb, width;
  const expr_t *from; /* NULL: our input `same` */
  unsigned bits;      /* of `from`; zeros above */
  unsigned same, line;
} bind_part_t;

/* Bits that the wrapper keeps from cycle to cycle, 0 after a reset. */
typedef struct {
  const map_statement_t *said;
  unsigned lsb, width; /* in the register of the class that holds them all */
} bind_state_t;

/* One of our outputs. */
typedef struct {
  bool there;         /* false: not compared */
  const expr_t *from; /* of theirs; NULL: their output `same` (a place in bind_t.port) */
  unsigned bits;      /* of `from`; zeros above */
  unsigned same, line, late;
  const expr_t *when; /* NULL: always */
  const char *said;   /* as the map gives it, for reports */
} bind_output_t;

/* Bits of a word of one of our registers. */
typedef struct {
  unsigned reg, word, lsb, width;
  bool inverted;
  char path[BIND_TEXT]; /* "u_table.ent_q[3].busy", for Verilog */
  char net[BIND_TEXT];  /* "u_table.ent_q[3]", of which it is bits net_lsb and up */
  unsigned net_lsb, line;
} bind_reg_t;

typedef struct {
  const map_t *map;
  const describe_t *design;
  const module_class_t *cls;
  const uint32_t *cfg;
  char top[MAP_NAME];
  char called[MAP_NAME]; /* `top` as the user has it: a design may have the name of our module */
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  bind_port_t port[BIND_PORTS];
  unsigned n_ports;
  bind_part_t part[BIND_PARTS];
  unsigned n_parts;
  bind_output_t output[MODULE_MAX_PORTS];
  bool in_unused[MODULE_MAX_PORTS]; /* `none` of an input of ours */
  bind_state_t state[BIND_STATES];
  unsigned n_states;
  bool reset_high, reset_async;
  bind_reg_t *reg;
  size_t n_regs, room_regs;
  bind_param_t *param; /* what the design was made with; design_make sets it */
  unsigned n_params;
} bind_t;

enum { BIND_PARAMS = MAP_MOST + MODULE_MAX_PARAMS };

/* Values of the map's `param` statements at a size, then those of ours without a line whose names are words of the
 * design's `text`: elaborate() says which of these it has. BIND_PARAMS has room for all. 0, or -1 and a message. */
int bind_params(const map_t *map, const module_class_t *cls, const uint32_t *cfg, const char *text,
                bind_param_t *param, unsigned *n, mrpb_err_t *err);

/* Sizes that the map's `size` statements give, in their order, into `cfg`; those of which bit i is set in `kept` stay.
 * 0, or -1 and a message. */
int bind_sizes(const map_t *map, const module_class_t *cls, uint32_t *cfg, uint32_t kept,
               mrpb_err_t *err);

/* Says what each port of the design's module `top` is. `regs`: registers too. All but `b` must outlive it;
 * bind_close, also after a failure. 0, or -1 and a message. */
int bind_open(bind_t *b, const map_t *map, const describe_t *design, const char *top,
              const module_class_t *cls, const uint32_t *cfg, bool regs, mrpb_err_t *err);
void bind_close(bind_t *b);

/* Whether anything of theirs, or a state, comes from our input `name`. */
bool bind_uses(const bind_t *b, const char *name);

/* What a difference is in the design: of an output the map's expression, of a register the variable with bit `bit` of
 * element `elem`. NULL: no line names it. */
const char *bind_said_output(const bind_t *b, const char *name);
const bind_reg_t *bind_said_reg(const bind_t *b, const char *name, unsigned elem, unsigned bit);

/* Names in expressions: ours (parameters, inputs, outputs), and theirs (outputs, then our inputs). `ctx` is the
 * bind_t; signals have the names that the wrapper gives them. */
scope_t bind_ours(const bind_t *b);
scope_t bind_theirs(const bind_t *b);
/* Those of the right side of `in`: ours; of the contract all. */
scope_t bind_in(const bind_t *b);

#endif
