/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a user's design before it is mapped: its registers and arrays by the names of its
 * Verilog, its clock, and what the flow cannot time (docs/estimate/own.md). */
#ifndef ESTIMATE_LOOK_H
#define ESTIMATE_LOOK_H

#include "err.h"
#include "estimate/synth_source.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LOOK_NAME = 128, LOOK_WHY = 192, LOOK_REGS = 4096 };

/* A register, or an array that may become a memory. */
typedef struct {
  char name[LOOK_NAME], at[LOOK_NAME]; /* "u_tags.state", "tags.sv:40" */
  uint32_t words, width;
  uint64_t bits;
  bool array;         /* one that the netlist still has as an array */
  bool shape;         /* with the ports of a memory */
  bool clocked;       /* a register follows its read, which a macro can take in */
  bool kept;          /* a register follows, but with a reset or a bypass: it stays a register */
  bool memory;        /* it becomes a macro; decided by the caller */
  char why[LOOK_WHY]; /* the ports, if they are not a memory's; then, by the caller, the reason */
} look_reg_t;

typedef struct {
  look_reg_t *reg;
  unsigned n_regs;
  char clock[LOOK_NAME]; /* "": no registers */
  bool falling, async_resets, initial;
  json_t *registers, *inputs; /* names, as keys */
} look_t;

/* Has Yosys elaborate and optimise the text in a folder of `cache`, which keeps the result; `yosys`
 * is the hash of the program. `folder` names the user's files in messages. The source's clocks are
 * those that the user names. Call look_close afterwards, also after a failure. Returns 0, or -1 and
 * one line in err. */
int look_open(look_t *l, const synth_source_t *s, const char *cache, uint64_t yosys,
              mrpb_err_t *err);
void look_close(look_t *l);

/* The bits that flip-flops hold. */
uint64_t look_flops(const look_t *l);

#endif
