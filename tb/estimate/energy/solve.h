/* SPDX-License-Identifier: Apache-2.0 */
/* Linear equations: how often each term happened in each scene, and the energy of the scene. */
#ifndef ENERGY_SOLVE_H
#define ENERGY_SOLVE_H

#include "estimate/energy/bench.h"

/* Solves times * value = sum for `n` terms by elimination. Returns -1 and a message in err, with the
 * name of the term, if the scenes do not tell one term from the others. */
int energy_solve(unsigned n, double times[ENERGY_TERMS][ENERGY_TERMS],
                 const double sum[ENERGY_TERMS], const char *const name[ENERGY_TERMS],
                 double value[ENERGY_TERMS], mrpb_err_t *err);

#endif
