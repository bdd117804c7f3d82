/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict and the mismatch report of `mrpb streams`. */
#ifndef STREAMS_REPORT_H
#define STREAMS_REPORT_H

#include "verify/streams/pair.h"

#include <stdio.h>

typedef struct {
  FILE *out;
  const char *repeat; /* the command, without --cycles */
} streams_report_t;

void streams_report_matched(const streams_report_t *r, const pair_t *b, const char *word);
void streams_report_mismatch(const streams_report_t *r, const pair_t *b);

#endif
