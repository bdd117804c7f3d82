/* SPDX-License-Identifier: Apache-2.0 */
/* What a verdict rests on: which outputs and registers of the ports table were compared, in how
 * many cycles, and under which assumptions of a map. Every command prints its verdict through this
 * file. docs/verify/door.md */
#ifndef DESIGN_VERDICT_H
#define DESIGN_VERDICT_H

#include "verilog/design/bind.h"

#include <stdio.h>

enum { VERDICT_TEXT = 160 };
/* For an output: every possible cycle, as in a proof. */
#define VERDICT_EVERY UINT64_MAX

typedef struct {
  const module_class_t *cls;
  const bind_t *bind; /* NULL: Verilog with everything in the ports table */
  module_port_t out[MODULE_MAX_PORTS];
  module_reg_t reg[MODULE_MAX_REGS];
  uint64_t cycles[MODULE_MAX_PORTS]; /* in which an output was compared; 0: in none */
  uint64_t bits[MODULE_MAX_REGS];    /* compared bits of a register */
} verdict_t;

/* Fills in everything that the map has, in every cycle; the caller then subtracts. `bind` must
 * outlive it. Returns 0, or -1 and a message in err. */
int verdict_open(verdict_t *v, const module_class_t *cls, const uint32_t *cfg, const bind_t *bind,
                 mrpb_err_t *err);
/* Records that only outputs were compared. */
void verdict_outputs_only(verdict_t *v);

/* Adds what another run has compared of the same design. `sum` may be zeros. */
void verdict_add(verdict_t *sum, const verdict_t *more);

/* How many outputs and registers were compared, and how many bits of all bits. */
typedef struct {
  unsigned outputs, registers;
  uint64_t bits, of_bits;
} verdict_counts_t;
verdict_counts_t verdict_counts(const verdict_t *v);

/* Returns 0, or -1 and a message in err if no output was compared; in every command that is exit
 * code 2. */
int verdict_check(const verdict_t *v, mrpb_err_t *err);
/* Prints a line: the text of `format`, what was compared, and `tail`. */
void verdict_line(const verdict_t *v, FILE *out, const char *tail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Prints the same, and lines that say what was left out and what is assumed. */
void verdict_write(const verdict_t *v, FILE *out, const char *tail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Prints only those lines: outputs and, with a map, registers that were left out, and the map's
 * assumptions in words. */
void verdict_rest(const verdict_t *v, FILE *out);
/* Prints only the assumptions of a map of a module or of the contract: "  assuming    ...", one per
 * line. */
void verdict_assumptions(const map_t *map, FILE *out);

#endif
