/* SPDX-License-Identifier: Apache-2.0 */
/* The common interface of every module of this library: a table of parameters, ports and registers,
 * and four functions. The lockstep engine, the wave writer and the system testbench know modules
 * only by this table, which `ports/define.h` makes from `ports/<stem>.ports.h`.
 *
 * A configuration is an array of uint32_t in the order of the parameters. Inputs and outputs are
 * arrays of uint64_t; a port wider than 64 bits takes several, low word first. The typed structs of
 * each module (`<stem>_cfg_t`, `<stem>_in_t`, `<stem>_out_t`) have exactly these layouts. */
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
  unsigned width;   /* in bits, for the given configuration */
  unsigned word;    /* index of the port's first uint64_t */
  const char *doc;
  const char *formula; /* the width for every configuration: "IDX_W(P(ENTRIES))" */
} module_port_t;

enum { MODULE_MAX_NAME = 64 };

typedef struct {
  char name[MODULE_MAX_NAME]; /* as in the Verilog; "instance.register" for one of a sub-module */
  unsigned width;             /* bits of one element */
  unsigned words;             /* number of elements, 1 for a plain register */
  unsigned elem_bytes;        /* distance in bytes between elements in memory; little endian */
  const void *data;           /* NULL if no instance was given */
  const char *doc;
  bool array;         /* an array in the Verilog, even if it has one element */
  const char *module; /* the Verilog module that declares it: the innermost instance's */
} module_reg_t;

/* A function besides comb and edge that simulations call for speed. It is a step or a view, and is
 * checked as such against comb, edge and the Verilog (docs/verify/one_model.md). A step is a whole
 * cycle: it gives the outputs of comb and leaves the state that edge leaves. A view gives the named
 * outputs as comb does; it leaves the other outputs as they are and changes no state. */
typedef struct {
  const char *name; /* the exported name: "mrpb_step" */
  void (*step)(void *self, const uint64_t *in, uint64_t *out);
  void (*view)(const void *self, const uint64_t *in, uint64_t *out);
  const char *outputs; /* of a view: names, separated by spaces */
} module_fast_t;

typedef struct {
  const char *stem;
  const char *doc;
  unsigned n_params, n_in, n_out, n_regs, in_words, out_words;
  const module_param_t *params;
  /* Checks `cfg` against the legal ranges. Returns 0, or -1 and a message with the token that the
   * Verilog uses as well. */
  int (*check)(const uint32_t *cfg, mrpb_err_t *err);
  /* Fills n_in and n_out entries for a legal configuration. */
  void (*ports)(const uint32_t *cfg, module_port_t *in, module_port_t *out);
  int (*create)(void **self, const uint32_t *cfg, mrpb_err_t *err);
  void (*comb)(const void *self, const uint64_t *in, uint64_t *out);
  void (*edge)(void *self, const uint64_t *in);
  /* Fills n_regs entries; the pointers stay valid as long as the instance lives. */
  void (*regs)(const void *self, module_reg_t *regs);
  /* Copies the whole state of `from` to `to`; both must have been created with the same
   * configuration. */
  void (*copy)(void *to, const void *from);
  void (*destroy)(void *self);
  const module_fast_t *fast; /* n_fast of them; NULL if there are none */
  unsigned n_fast;
  /* Returns 0 if each input fits its port; otherwise -1 and a message that names the first that
   * does not. comb and edge do not check: an input wider than its port is undefined behaviour
   * there. */
  int (*legal)(const void *self, const uint64_t *in, mrpb_err_t *err);
} module_class_t;

/* module_class returns the class of a stem ("mshr"), or NULL if there is none. module_class_at
 * lists all classes, with NULL at the end. */
const module_class_t *module_class(const char *stem);
const module_class_t *module_class_at(unsigned i);

/* Fills cfg with the defaults. */
void module_defaults(const module_class_t *cls, uint32_t *cfg);

/* Returns the index of the parameter `name`, or -1. */
int module_param_index(const module_class_t *cls, const char *name);
/* not in libmrpb.h: begin */
/* The value of a parameter in `cfg`; 0 if the module has none of that name. */
static inline uint32_t module_option(const module_class_t *cls, const uint32_t *cfg,
                                     const char *name) {
  const int i = module_param_index(cls, name);
  return i < 0 ? 0 : cfg[i];
}
/* not in libmrpb.h: end */

/* Sets bit w % 64 of word[w / 64] for each output word w of a view. `word` has (cls->out_words +
 * 63) / 64 words. Returns 0, or -1 and a message for a name that is no output. */
int module_view_words(const module_class_t *cls, const uint32_t *cfg, const module_fast_t *view,
                      uint64_t *word, mrpb_err_t *err);

/* Returns the step function of a class, or NULL if it has none. */
const module_fast_t *module_step(const module_class_t *cls);

/* Returns the low 64 bits of element `i` of a register. */
uint64_t module_reg_value(const module_reg_t *reg, unsigned i);

/* not in libmrpb.h: begin */
/* Returns zeroed memory for an instance, aligned to a cache line, or NULL if out of memory. free()
 * releases it. */
void *module_alloc(size_t bytes);

/* The range check shared by every <stem>_check. */
int module_check_ranges(const char *stem, const module_param_t *params, unsigned n,
                        const uint32_t *cfg, mrpb_err_t *err);

/* Puts the instance's name before those of its registers: "inst.register". */
void module_inside(const char *inst, module_reg_t *regs, unsigned n);

/* For <stem>_legal: returns -1 and a message if the input is too wide for its port, otherwise 0.
 * `words` is the input: ceil(room / 64) words for a port of at most `room` bits. */
int module_refuse(const char *stem, const module_port_t *port, const uint64_t *words, unsigned room,
                  mrpb_err_t *err);
/* not in libmrpb.h: end */

/* Of one module; words: of all inputs together, and of all outputs. */
enum {
  MODULE_MAX_PARAMS = 48,
  MODULE_MAX_PORTS = 96,
  MODULE_MAX_REGS = 256,
  MODULE_MAX_WORDS = 256
};

#endif
