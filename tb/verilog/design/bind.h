/* SPDX-License-Identifier: Apache-2.0 */
/* Binds a map's statements to both sides: the ports table at a size, and the design at that size.
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

/* A parameter of the design and its value. */
typedef struct {
  char name[MAP_NAME];
  uint64_t value;
  const map_statement_t *said; /* NULL: no line gives it; it has the name of one of ours */
} bind_param_t;

/* A port of the design. */
typedef struct {
  const decl_t *port;
  unsigned width;
  enum { BIND_UNUSED, BIND_CLOCK, BIND_RESET, BIND_INPUT, BIND_OUTPUT } role;
} bind_port_t;

/* Bits of one of the design's inputs, driven by an expression of our signals. */
typedef struct {
  unsigned port, lsb, width;
  const expr_t *from; /* NULL: our input `same` */
  unsigned bits;      /* width of `from`; zeros above */
  unsigned same, line;
} bind_part_t;

/* Bits that the wrapper keeps from cycle to cycle; 0 after a reset. */
typedef struct {
  const map_statement_t *said;
  unsigned lsb, width; /* in the register of the class that holds all of them */
} bind_state_t;

/* One of our outputs. */
typedef struct {
  bool there;         /* false: not compared */
  const expr_t *from; /* in the design; NULL: its output `same` (index into bind_t.port) */
  unsigned bits;      /* width of `from`; zeros above */
  unsigned same, line, late;
  const expr_t *when;  /* NULL: always */
  const expr_t *after; /* counts after a cycle in which it was not 0; NULL: from the start */
  const char *said;    /* as written in the map, for reports */
} bind_output_t;

/* Bits of a word of one of our registers. */
typedef struct {
  unsigned reg, word, lsb, width;
  bool inverted;
  char path[BIND_TEXT]; /* "u_table.ent_q[3].busy", as Verilog writes it */
  char net[BIND_TEXT];  /* "u_table.ent_q[3]"; the path is bits net_lsb and up of it */
  unsigned net_lsb, line;
} bind_reg_t;

/* A signal of the design that a wave shows. */
typedef struct {
  char path[BIND_TEXT]; /* "u_table.lru_q[3]", as Verilog writes it */
  unsigned width, line;
} bind_show_t;

typedef struct {
  const map_t *map;
  const describe_t *design;
  const module_class_t *cls;
  const uint32_t *cfg;
  char top[MAP_NAME];
  char called[MAP_NAME]; /* the user's name of `top`, since a design may have our module's name */
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  bind_port_t port[BIND_PORTS];
  unsigned n_ports;
  bind_part_t part[BIND_PARTS];
  unsigned n_parts;
  bind_output_t output[MODULE_MAX_PORTS];
  bool in_unused[MODULE_MAX_PORTS]; /* the map says `none` for our input */
  bind_state_t state[BIND_STATES];
  unsigned n_states;
  bool reset_high, reset_async;
  bind_reg_t *reg;
  size_t n_regs, room_regs;
  bind_show_t *show;
  size_t n_shows, room_shows;
  bind_param_t *param; /* what the design was made with, set by design_make */
  unsigned n_params;
} bind_t;

enum { BIND_PARAMS = MAP_MOST + MODULE_MAX_PARAMS };

/* Computes the values of the map's `param` statements at a size, followed by our parameters without
 * a line whose names occur as words in the design's `text`; elaborate() finds out which of these
 * the design has. BIND_PARAMS entries suffice for all of them. Returns 0, or -1 and a message in
 * err. */
int bind_params(const map_t *map, const module_class_t *cls, const uint32_t *cfg, const char *text,
                bind_param_t *param, unsigned *n, mrpb_err_t *err);

/* Computes the sizes that the map's `size` statements give, in their order, into `cfg`. Sizes whose
 * bit i is set in `kept` stay unchanged. Returns 0, or -1 and a message in err. */
int bind_sizes(const map_t *map, const module_class_t *cls, uint32_t *cfg, uint32_t kept,
               mrpb_err_t *err);

/* True for a port of an option that `cfg` has not switched on (PARITY, STORES): a map need not name
 * it. */
bool bind_off(const module_class_t *cls, const uint32_t *cfg, const char *port);

/* Binds each port of the design's module `top`, and with `regs` the registers too. All arguments
 * except `b` must outlive it. Call bind_close afterwards, also after a failure. Returns 0, or -1
 * and a message in err. */
int bind_open(bind_t *b, const map_t *map, const describe_t *design, const char *top,
              const module_class_t *cls, const uint32_t *cfg, bool regs, mrpb_err_t *err);
void bind_close(bind_t *b);

/* Returns 0, or -1 and a message in err if the map says from when an output is compared (`after`):
 * nobody but a run that begins with a reset can know. */
int bind_no_after(const bind_t *b, mrpb_err_t *err);

/* Whether anything in the design, or a state, depends on our input `name`. */
bool bind_uses(const bind_t *b, const char *name);

/* What a difference is in the design: for an output the map's expression, for a register the
 * variable that holds bit `bit` of element `elem`. Returns NULL if no line names it. */
const char *bind_said_output(const bind_t *b, const char *name);
const bind_reg_t *bind_said_reg(const bind_t *b, const char *name, unsigned elem, unsigned bit);

/* The names in expressions. bind_ours: our parameters, inputs and outputs. bind_theirs: the
 * design's outputs, then our inputs. `ctx` is the bind_t. Signals have the names that the wrapper
 * gives them. */
scope_t bind_ours(const bind_t *b);
scope_t bind_theirs(const bind_t *b);
/* The names on the right side of `in`: ours; for the contract, all names. */
scope_t bind_in(const bind_t *b);

#endif
