/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates a part of a graph for 64 assignments at once: only what some literals need. */
#ifndef PROVE_PLAN_H
#define PROVE_PLAN_H

#include "verify/prove/aig.h"

#include <stddef.h>

typedef struct plan plan_t;

/* `wanted` are the `n` literals. */
plan_t *plan_net_open(const aig_t *g, const lit_t *wanted, size_t n);
void plan_net_close(plan_t *p);
/* `in` as for aig_simulate; the values stay until the next run. */
void plan_run(plan_t *p, const uint64_t *in);
/* The value of a wanted literal. */
uint64_t plan_value(const plan_t *p, lit_t a);

#endif
