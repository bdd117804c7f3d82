/* SPDX-License-Identifier: Apache-2.0 */
/* What a Verilated module looks like from C: one table of functions for each shared object. Inputs
 * and outputs are the arrays of module_class_t; registers are views of Verilator's own storage,
 * nothing is copied. */
#ifndef SHIM_H
#define SHIM_H

#include <stdint.h>

typedef struct {
  const char *name;    /* as module_reg_t.name */
  const void *data;    /* little-endian elements */
  unsigned elem_bytes; /* distance between elements */
  unsigned words;      /* elements */
} shim_view_t;

typedef enum { SHIM_ZEROS, SHIM_ONES, SHIM_RANDOM } shim_power_t; /* as Verilator numbers them */

typedef struct {
  const char *stem;
  unsigned in_words, out_words, n_regs;
  /* A model with checks off, whose registers power up with zeros, with ones, or at random from `seed`; NULL
   * without memory. */
  void *(*create)(uint64_t seed, shim_power_t power);
  /* Clock low: drives the inputs and evaluates; reads the outputs. */
  void (*comb)(void *self, const uint64_t *in, uint64_t *out);
  /* Clock high, with the inputs of the last comb. */
  void (*edge)(void *self);
  /* Fills n_regs views, valid as long as the model. Of a netlist of mutants: a view for each word of
   * each register, in the order of the module's table. */
  void (*regs)(void *self, shim_view_t *views);
  /* All that the model holds, registers and what follows from them, as state_bytes bytes that only
   * the same model can be given back. */
  unsigned state_bytes;
  void (*save)(const void *self, void *to);
  void (*load)(void *self, const void *from);
  /* Takes the Verilog's own checks ($stop, $fatal) into account from now on. */
  void (*watch)(void *self);
  /* What such a check said, NULL while none has fired. */
  const char *(*stopped)(void *self);
  void (*destroy)(void *self);
  /* Writes how often each line has run, for verilator_coverage; NULL in a build that does not
   * count. */
  void (*coverage)(void *self, const char *path);
  /* A netlist of mutants (tb/verify/mutate): makes mutant `number` active, 0 for none. NULL otherwise. */
  void (*select)(void *self, unsigned number);
  /* Of a design of the user's: fills n_theirs views of its ports, by their names. NULL otherwise. */
  unsigned n_theirs;
  void (*theirs)(void *self, shim_view_t *views);
} shim_table_t;

/* The one symbol that a shared object exports. */
#define SHIM_SYMBOL "mrpb_shim"

#endif
