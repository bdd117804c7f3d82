/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of each event of a module: its scenes (bench.h) are played, OpenSTA gives the power of each
 * on a netlist, and the equations are solved. docs/estimate/energy.md */
#ifndef ENERGY_H
#define ENERGY_H

#include "estimate/energy/bench.h"
#include "estimate/logic_options.h"

#include <stdio.h>

typedef struct {
  const energy_term_t *term;
  double pj;     /* one event, without toggling bits that are terms of their own */
  double random; /* one event of its scene, with the bits that random data toggle; < 0: none */
  double times;  /* in the scene */
} energy_value_t;

typedef struct {
  const energy_module_t *module;
  energy_value_t value[ENERGY_TERMS]; /* those that the module can do at its size */
  unsigned n;
  double leakage_mw, clock_pj; /* clock_pj: what the flip-flops take in an idle cycle */
  unsigned flops;
} energy_t;

/* `folder` has sta.tcl and its files, as logic.h leaves them. `scratch` is a folder for files that
 * are removed. Returns 0, or -1 and a message in err. */
int energy_measure(const module_class_t *cls, const uint32_t *cfg, const char *folder,
                   const char *scratch, energy_t *e, mrpb_err_t *err);

/* The energy in pJ of what a unit's object of activity.json counts. */
double energy_of(const energy_t *e, const json_t *unit);

/* What OpenSTA says of one activity: pJ a cycle, mW, and how many flip-flops were given theirs. */
typedef struct {
  double flops, gates, leakage_mw;
  unsigned n_flops;
} energy_power_t;

/* Runs OpenSTA on `module` in `folder` with the `n` activities "0.tcl", "1.tcl", ... of `scratch`. */
int energy_sta(const char *module, const char *folder, const char *scratch, unsigned n,
               energy_power_t *power, mrpb_err_t *err);

/* The events of one module with each library, on standard output: `mrpb estimate MODULE --energy`.
 * Returns 0, -1 and a message in err, or LOGIC_STOPPED. */
int energy_alone(const module_class_t *cls, const uint32_t *cfg, const logic_options_t *opt,
                 FILE *out, mrpb_err_t *err);

#endif
