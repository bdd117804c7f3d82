/* SPDX-License-Identifier: Apache-2.0 */
/* What `mrpb align` prints. */
#ifndef ALIGN_REPORT_H
#define ALIGN_REPORT_H

#include "verify/align/pairs.h"

#include <stdio.h>

/* Prints counts, the first difference with what was in flight, and the histogram. */
int align_report(FILE *out, const align_pairs_t *p, mrpb_err_t *err);

#endif
