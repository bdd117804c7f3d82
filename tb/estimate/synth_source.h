/* SPDX-License-Identifier: Apache-2.0 */
/* What is synthesised: a module of ours at a size, from a folder of Verilog, or a design of a
 * user's, from one text (docs/estimate/own.md). Everything before the library's cells depends on
 * this alone. */
#ifndef ESTIMATE_SYNTH_SOURCE_H
#define ESTIMATE_SYNTH_SOURCE_H

#include "module.h"

#include <jansson.h>
#include <stdbool.h>

enum { SYNTH_CLOCKS = 4 };

/* All texts live longer than the job. */
typedef struct {
  const char *name;   /* in messages, folders and keys: "mshr" */
  const char *top;    /* the module in the Verilog */
  const char *text;   /* one SystemVerilog file; NULL: the folder of a module of ours */
  const char *params; /* of a text: " -set DEPTH 16" */
  const char *clock[SYNTH_CLOCKS]; /* inputs that are the clock; none: no registers */
  unsigned n_clocks;
  bool falling;      /* all registers change at its falling edge */
  bool async_resets; /* some have an asynchronous reset or set */
  bool unclocked;    /* of a text: no macro takes in the register behind its read */
  bool large;        /* of a text: more than SYNTH_LARGE flip-flops */
  /* The names of a text's registers, and of its modules' inputs, as keys; NULL: names in _q and
   * in _i or _ni. */
  json_t *registers, *inputs;
} synth_source_t;

/* A module of ours: registers in _q, and the clock clk_i if it has any. */
synth_source_t synth_source_module(const module_class_t *cls);

/* The clock's name as Tcl writes a list of ports: "clk_i", "{clk[0]}", "{clk_a clk_b}". */
void synth_source_clock(const synth_source_t *s, char *text, size_t size);

#endif
