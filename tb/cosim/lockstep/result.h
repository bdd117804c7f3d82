/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a run for programs: the objects that `mrpb cosim --json` writes (docs/cosim.md). The
 * functions do nothing if *o is NULL, and set *o to NULL if memory runs out. */
#ifndef COSIM_RESULT_H
#define COSIM_RESULT_H

#include "cosim/lockstep/report.h"

#include <jansson.h>

/* Adds "module" and "parameters". */
void result_open(json_t **o, const module_class_t *cls, const uint32_t *cfg);
void result_count(json_t **o, const char *name, uint64_t n);
/* Adds a list of two names. */
void result_witnesses(json_t **o, const char *a, const char *b);
/* Adds "outputs", "of_outputs", "registers", "of_registers", "bits", "of_bits" and
 * "assumptions". */
void result_compared(json_t **o, const verdict_t *v);
/* Adds "difference": where the C model and the other side first differ. */
void result_difference(json_t **o, const lockstep_t *ls, const report_t *report);

#endif
