/* SPDX-License-Identifier: Apache-2.0 */
/* What every module of this library looks like from outside, whatever it is: a table of parameters,
 * ports and registers, and four functions. The lockstep engine, the wave writer and the system
 * testbench know modules only by this table, which `ports/define.h` makes from
 * `ports/<stem>.ports.h`.
 *
 * A configuration is an array of uint32_t in the order of the parameters; inputs and outputs are
 * arrays of uint64_t (a port wider than 64 bits takes several, low word first). The typed structs
 * of each module
 * (`<stem>_cfg_t`, `<stem>_in_t`, `<stem>_out_t`) have exactly these layouts. */
#ifndef MRPB_MODULE_H
#define MRPB_MODULE_H

#include "err.h"

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *name; /* as the Verilog parameter */
  uint32_t deflt, min, max;
  const char *doc;
} module_param_t;

typedef struct {
  const char *name; /* as the Verilog port */
  unsigned width;   /* bits, for the given configuration */
  unsigned word;    /* index of its first uint64_t */
  const char *doc;
  const char *formula; /* the width for all configurations: "IDX_W(P(ENTRIES))" */
} module_port_t;

typedef struct {
  const char *name;    /* as in the Verilog; "instance.register" for one inside a sub-module */
  unsigned width;      /* bits of one element */
  unsigned words;      /* elements, 1 for a plain register */
  unsigned elem_bytes; /* distance between elements in memory; little endian */
  const void *data;    /* NULL where no instance was given */
  const char *doc;
  bool array; /* an array in the Verilog, even of one element */
} module_reg_t;

/* A function besides comb and edge that simulations call for speed. It is one of two kinds, and as
 * such held to comb, edge and the Verilog (docs/verify/one_model.md). A step is a whole cycle: it
 * gives the outputs of comb and leaves the state of after edge. A view gives what comb gives on the
 * outputs named; it leaves the others as they are and changes nothing. */
typedef struct {
  const char *name; /* as exported: "mrpb_step" */
  void (*step)(void *self, const uint64_t *in, uint64_t *out);
  void (*view)(const void *self, const uint64_t *in, uint64_t *out);
  const char *outputs; /* of a view: names, a space between two */
} module_fast_t;

typedef struct {
  const char *stem;
  const char *doc;
  unsigned n_params, n_in, n_out, n_regs, in_words, out_words;
  const module_param_t *params;
  /* Checks `cfg` against the legal ranges; -1 and a message with the token that the Verilog uses
   * too. */
  int (*check)(const uint32_t *cfg, mrpb_err_t *err);
  /* Fills n_in and n_out entries for a legal configuration. */
  void (*ports)(const uint32_t *cfg, module_port_t *in, module_port_t *out);
  int (*create)(void **self, const uint32_t *cfg, mrpb_err_t *err);
  void (*comb)(const void *self, const uint64_t *in, uint64_t *out);
  void (*edge)(void *self, const uint64_t *in);
  /* Fills n_regs entries; the pointers stay valid as long as the instance. */
  void (*regs)(const void *self, module_reg_t *regs);
  /* `to` becomes the instance that `from` is, in everything that it holds; both were created with
   * the same configuration. */
  void (*copy)(void *to, const void *from);
  void (*destroy)(void *self);
  const module_fast_t *fast; /* n_fast of them, NULL if there is none */
  unsigned n_fast;
  /* 0 if each input fits its port; -1 and a message that names the first one that does not. comb
   * and edge do not look: what they do with an input wider than its port is undefined. */
  int (*legal)(const void *self, const uint64_t *in, mrpb_err_t *err);
} module_class_t;

/* The class of a stem ("mshr"), NULL if there is none; module_class_at lists them all, NULL at the
 * end. */
const module_class_t *module_class(const char *stem);
const module_class_t *module_class_at(unsigned i);

/* Fills cfg with the defaults. */
void module_defaults(const module_class_t *cls, uint32_t *cfg);

/* Index of the parameter named `name`, or -1. */
int module_param_index(const module_class_t *cls, const char *name);

/* Sets bit w % 64 of word[w / 64] for each output word w of a view; -1 and a message for a name
 * that is no output. `word` has (cls->out_words + 63) / 64 words. */
int module_view_words(const module_class_t *cls, const uint32_t *cfg, const module_fast_t *view,
                      uint64_t *word, mrpb_err_t *err);

/* The function of a class that is a step, NULL if it has none. */
const module_fast_t *module_step(const module_class_t *cls);

/* Element `i` of a register, its low 64 bits. */
uint64_t module_reg_value(const module_reg_t *reg, unsigned i);

/* not in libmrpb.h: begin */
/* Zeroed memory for an instance, at the beginning of a cache line; NULL without memory. free()
 * releases it. */
void *module_alloc(size_t bytes);

/* Range check shared by every <stem>_check. */
int module_check_ranges(const char *stem, const module_param_t *params, unsigned n,
                        const uint32_t *cfg, mrpb_err_t *err);

/* For <stem>_legal: -1 and a message. `words` is the input, ceil(room / 64) of them for one of at
 * most `room` bits. */
int module_refuse(const char *stem, const module_port_t *port, const uint64_t *words, unsigned room,
                  mrpb_err_t *err);
/* not in libmrpb.h: end */

enum { MODULE_MAX_PARAMS = 16, MODULE_MAX_PORTS = 32, MODULE_MAX_REGS = 24 };

#endif
