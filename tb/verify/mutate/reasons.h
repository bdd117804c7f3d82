/* SPDX-License-Identifier: Apache-2.0 */
/* Why a mutant of a C model may survive: a file that gives each survivor's reason
 * (tests/verify/mutate/reasons.txt).
 *
 *   mshr.c: r->count_q++;
 *     '++' '--': what no test can see, and why
 *
 * First comes the line of the source, without its indentation; below it, indented, changes of that
 * line. */
#ifndef MUTATE_REASONS_H
#define MUTATE_REASONS_H

#include "verify/mutate/cmutants.h"

#include <stdio.h>

typedef struct reasons reasons_t;

/* Returns 0, or -1 and a message with file and line in err. */
int reasons_read(reasons_t **out, const char *path, mrpb_err_t *err);
void reasons_free(reasons_t *r);
/* The reason for mutant i of `m`, or NULL if there is none. */
const char *reasons_find(reasons_t *r, const cmutants_t *m, unsigned i);
/* Names the reasons of this model that reasons_find has not returned, because the mutants are
 * killed or the line no longer exists. Returns their number. */
unsigned reasons_stale(const reasons_t *r, const cmutants_t *m, FILE *out);

#endif
