/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind a verdict: which outputs and registers of the ports table were compared, in how many cycles, and under
 * which assumptions of a map. Every command's verdict is written here. docs/verify/door.md */
#ifndef DESIGN_VERDICT_H
#define DESIGN_VERDICT_H

#include "verilog/design/bind.h"

#include <stdio.h>

enum { VERDICT_TEXT = 160 };
/* Of an output: in each cycle that there is, as in a proof. */
#define VERDICT_EVERY UINT64_MAX

typedef struct {
  const module_class_t *cls;
  const bind_t *bind; /* NULL: Verilog with all that the ports table has */
  module_port_t out[MODULE_MAX_PORTS];
  module_reg_t reg[MODULE_MAX_REGS];
  uint64_t cycles[MODULE_MAX_PORTS]; /* in which an output was compared; 0: it was not */
  uint64_t bits[MODULE_MAX_REGS];    /* of a register, that were compared */
} verdict_t;

/* All that the map has, in every cycle; the caller then takes away. `bind` must outlive it. 0, or -1 and a message. */
int verdict_open(verdict_t *v, const module_class_t *cls, const uint32_t *cfg, const bind_t *bind,
                 mrpb_err_t *err);
/* Outputs alone were compared. */
void verdict_outputs_only(verdict_t *v);

/* What another run has compared of the same design, too; `sum` may be zeros. */
void verdict_add(verdict_t *sum, const verdict_t *more);

/* How many of each were compared, and all bits that there are. */
typedef struct {
  unsigned outputs, registers;
  uint64_t bits, of_bits;
} verdict_counts_t;
verdict_counts_t verdict_counts(const verdict_t *v);

/* "1 of 4 outputs and 0 of 4 registers, 1 of 52 bits". */
void verdict_compared(const verdict_t *v, char text[VERDICT_TEXT]);
/* -1 and a message if no output was compared: that is exit 2 in every command. */
int verdict_check(const verdict_t *v, mrpb_err_t *err);
/* A line of `format`'s text, what was compared, and `tail`. */
void verdict_line(const verdict_t *v, FILE *out, const char *tail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same, and lines with what was left out and what is assumed. */
void verdict_write(const verdict_t *v, FILE *out, const char *tail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Those lines alone: outputs and, of a map, registers that were left out, and the map's assumptions in words. */
void verdict_rest(const verdict_t *v, FILE *out);
/* The assumptions alone, of a map of a module or of the contract: "  assuming    ...", a line each. */
void verdict_assumptions(const map_t *map, FILE *out);

#endif
