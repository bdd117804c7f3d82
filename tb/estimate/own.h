/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates a user's own design, alone or beside a module of ours: docs/estimate/own.md. */
#ifndef ESTIMATE_OWN_H
#define ESTIMATE_OWN_H

#include "estimate/logic_options.h"
#include "estimate/look.h"
#include "estimate/sram.h"
#include "verilog/design/design.h"

#include <stdio.h>

enum { OWN_MEMORIES = SRAM_MAX };

/* The arguments of the command line. */
typedef struct {
  design_args_t design;
  const char *clock[SYNTH_CLOCKS]; /* inputs that are the clock; none: found */
  unsigned n_clocks;
  const char *memory[OWN_MEMORIES]; /* arrays that become macros, or "none" */
  unsigned n_memories;
  const char *const *set; /* "P=V" */
  unsigned n_sets;
} own_args_t;

/* A design that has been read and looked at. */
typedef struct own own_t;

/* `cls` is the module of ours beside which it stands; NULL: the map's, or none. Folders of `cache`
 * keep what was made; `yosys` is the hash of that program. `args` must outlive the result. Returns
 * 0, or -1 and one line in err. */
int own_open(own_t **out, const own_args_t *args, const module_class_t *cls, const char *cache,
             uint64_t yosys, mrpb_err_t *err);
void own_close(own_t *o);

/* What the flow synthesises, and its macros. They live as long as the design. */
const synth_source_t *own_source(const own_t *o);
const sram_t *own_srams(const own_t *o, unsigned *n);
const look_t *own_look(const own_t *o);
/* The module of ours and its size; NULL: none. */
const module_class_t *own_module(const own_t *o, const uint32_t **cfg);
/* "DEPTH=16 WIDTH=8": the parameters that are not left to their defaults. */
const char *own_params(const own_t *o);

/* Writes the report of a design. Returns 0, -1 and a message in err, or LOGIC_STOPPED. */
int own_estimate(const own_args_t *args, const module_class_t *cls, const logic_options_t *opt,
                 FILE *out, mrpb_err_t *err);

#endif
