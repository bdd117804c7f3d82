/* SPDX-License-Identifier: Apache-2.0 */
/* Which flip-flop of a netlist is which register bit of the C model. Names propose, a simulation
 * from a reset decides between the proposals and makes its own, and only the proof that follows
 * says that they hold: docs/verify/netlist.md */
#ifndef PROVE_MATCH_H
#define PROVE_MATCH_H

#include "module.h"
#include "verify/prove/netlist_cells.h"

#include <stdio.h>

#define MATCH_NO_FLOP UINT32_MAX

/* What a flip-flop, or a register bit without one, is claimed to be at all times. */
typedef enum { MATCH_NONE, MATCH_CONSTANT, MATCH_BIT } match_kind_t;
typedef struct {
  match_kind_t kind;
  uint32_t bit;  /* MATCH_BIT: this register bit */
  bool inverted; /* MATCH_BIT: inverted; MATCH_CONSTANT: the value */
} match_to_t;

enum { MATCH_PROPOSALS = 8 };

/* How a bit behaved in the simulation. */
typedef struct {
  uint64_t hash[2]; /* of its values and of the inverted values */
  bool zero, one;   /* which values it had */
} match_seen_t;

typedef struct {
  match_to_t to;
  bool by_name, resets; /* `resets`: a reset alone decides its next value */
  match_seen_t seen;
  unsigned n, tries;                    /* proposals by name; candidates that the proof refused */
  match_to_t proposal[MATCH_PROPOSALS]; /* by names */
} match_flop_t;

typedef struct {
  uint32_t flop;    /* the first that is this bit, or MATCH_NO_FLOP */
  match_to_t equal; /* without a flip-flop: what it always is, or MATCH_NONE: nothing is claimed */
  bool refused;     /* the proof refused that */
  match_seen_t seen;
} match_bit_t;

typedef struct {
  const module_class_t *cls;
  const uint32_t *cfg;
  netlist_t *netlist;
  module_reg_t reg[MODULE_MAX_REGS];
  bool cut[MODULE_MAX_REGS];           /* a memory that is cut: nothing is said of its bits */
  uint32_t first[MODULE_MAX_REGS + 1]; /* a register's first bit */
  uint32_t n_bits, n_flops;
  match_flop_t *flop;
  match_bit_t *bit;
  uint32_t *order; /* bits by their behaviour */
  uint64_t cycles; /* simulated, in 64 runs */
} match_t;

/* Opens the correspondence that the names propose. `netlist` must outlive it. Returns 0, or -1 and a
 * message in err. */
int match_open(match_t *m, const module_class_t *cls, const uint32_t *cfg, netlist_t *netlist,
               mrpb_err_t *err);
void match_close(match_t *m);

/* Simulates netlist and C model from a reset, with the module's own stimulus. `trace` gets the first
 * difference of the outputs. */
typedef enum { MATCH_EQUAL, MATCH_DIFFERENT, MATCH_TROUBLE } match_end_t;
match_end_t match_simulate(match_t *m, FILE *trace, mrpb_err_t *err);
/* Chooses for each flip-flop, after match_simulate and after each refusal. */
void match_decide(match_t *m);

/* The proof refused what was chosen for this flip-flop or bit. True if there is another choice. */
bool match_refuse_flop(match_t *m, uint32_t flop);
bool match_refuse_bit(match_t *m, uint32_t bit);

/* Index of a register by its name, or -1. Bit `k` of element `word`. */
int match_register(const match_t *m, const char *name);
static inline uint32_t match_bit_at(const match_t *m, unsigned reg, unsigned word, unsigned k) {
  return m->first[reg] + word * m->reg[reg].width + k;
}
/* "count_q[3][1]". */
void match_bit_name(const match_t *m, uint32_t bit, char *text, size_t size);

typedef struct {
  uint32_t flops, inverted, repeated, constant, unknown, by_name, removed;
} match_counts_t;
match_counts_t match_counts(const match_t *m);

#endif
