/* SPDX-License-Identifier: Apache-2.0 */
/* The table of outcomes: for people, as Markdown and as JSON. */
#ifndef UPSET_REPORT_H
#define UPSET_REPORT_H

#include "verify/upset/upset.h"

#include <jansson.h>
#include <stdio.h>

/* Prints a line for each register that was flipped, with counts and per cent, and two more: the sum
 * of all injections, and the per cent for any bit of the module, each bit with the same weight. */
void upset_print(const upset_table_t *table, const upset_job_t *job, FILE *out);
/* The same as a Markdown table of per cent. */
void upset_markdown(const upset_table_t *table, const upset_job_t *job, FILE *out);
/* NULL if out of memory. */
json_t *upset_json(const upset_table_t *table, const upset_job_t *job);

#endif
