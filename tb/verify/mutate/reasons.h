/* SPDX-License-Identifier: Apache-2.0 */
/* Why a mutant of a C model may live: a file in which each has its reason
 * (tests/verify/mutate/reasons.txt).
 *
 *   mshr.c: r->count_q++;
 *     '++' '--': what no test can see, and why
 *
 * The line of the source as it stands there, without its indentation; then, indented, changes of
 * it. */
#ifndef MUTATE_REASONS_H
#define MUTATE_REASONS_H

#include "verify/mutate/cmutants.h"

#include <stdio.h>

typedef struct reasons reasons_t;

/* 0, or -1 and a message with file and line. */
int reasons_read(reasons_t **out, const char *path, mrpb_err_t *err);
void reasons_free(reasons_t *r);
/* The reason for mutant i of `m`, NULL if there is none. */
const char *reasons_find(reasons_t *r, const cmutants_t *m, unsigned i);
/* Names the reasons of this model that reasons_find has not given out, for its mutants die or its
 * line is not there any more; their number. */
unsigned reasons_stale(const reasons_t *r, const cmutants_t *m, FILE *out);

#endif
