/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a design flow reads about one module at one size: Verilog and its lists, netlist,
 * timing models, outline, constraints, a run with its activity, and properties.
 * docs/integration.md */
#ifndef EXPORT_H
#define EXPORT_H

#include "base/files.h"
#include "estimate/flow.h"
#include "module.h"

#include <stdbool.h>
#include <stdio.h>

enum { EXPORT_CORNERS = 8 };

typedef struct {
  const char *out;                    /* the folder to write */
  const char *corner[EXPORT_CORNERS]; /* Liberty files of the same cells at other corners */
  unsigned n_corners;
  logic_options_t logic; /* logic.on false: nothing that needs a Liberty file */
  bool run;              /* a simulation and its SAIF */
  uint64_t cycles;       /* of that simulation */
  uint64_t seed;         /* of its stimulus */
  double utilisation;    /* of the outline: area of cells and memories / its area */
  const char *layer;     /* of its pins */
} export_options_t;

/* Fills in the defaults. */
void export_defaults(export_options_t *o);

/* Writes the folder opt->out, at once and whole. Replaces a folder that an earlier export wrote and
 * to which nothing was added; refuses any other that is not empty. Returns 0, LOGIC_STOPPED, or -1
 * and one line in err; the folder is then as it was. */
int export_run(const module_class_t *cls, const uint32_t *cfg, const export_options_t *opt,
               mrpb_err_t *err);

#endif
