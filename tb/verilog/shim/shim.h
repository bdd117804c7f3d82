/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of a verilated module: one table of functions for each shared object. Inputs and
 * outputs are the arrays of module_class_t. Registers are views of Verilator's own storage; nothing
 * is copied. */
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
  /* Creates a model with checks off, whose registers power up with zeros, with ones, or at random
   * from `seed`. Returns NULL if out of memory. */
  void *(*create)(uint64_t seed, shim_power_t power);
  /* Clock low: drives the inputs, evaluates, and reads the outputs. */
  void (*comb)(void *self, const uint64_t *in, uint64_t *out);
  /* Clock high, with the inputs of the last comb. */
  void (*edge)(void *self);
  /* Fills n_regs views, which are valid as long as the model. For a netlist of mutants there is a
   * view for each word of each register, in the order of the module's table. */
  void (*regs)(void *self, shim_view_t *views);
  /* Saves everything that the model holds, registers and what is derived from them, as state_bytes
   * bytes. Only the same model can restore them. */
  unsigned state_bytes;
  void (*save)(const void *self, void *to);
  void (*load)(void *self, const void *from);
  /* From now on the Verilog's own checks ($stop, $fatal) count. */
  void (*watch)(void *self);
  /* The message of such a check, or NULL while none has fired. */
  const char *(*stopped)(void *self);
  void (*destroy)(void *self);
  /* Writes how often each line has run, for verilator_coverage. NULL in a build that does not count
   * lines. */
  void (*coverage)(void *self, const char *path);
  /* For a netlist of mutants (tb/verify/mutate): activates mutant `number`; 0 is none. NULL
   * otherwise. */
  void (*select)(void *self, unsigned number);
  /* For a user's design: fills n_theirs views of its ports, by their names. NULL otherwise. */
  unsigned n_theirs;
  void (*theirs)(void *self, shim_view_t *views);
} shim_table_t;

/* The one symbol that a shared object exports. */
#define SHIM_SYMBOL "mrpb_shim"

#endif
