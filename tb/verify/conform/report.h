/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a violation on one screen, and its wave. */
#ifndef CONFORM_REPORT_H
#define CONFORM_REPORT_H

#include "verify/conform/shrink.h"

#include <stdio.h>

/* Plays the case, which breaks a clause, and prints the clause, the table and the designer's
 * signals. Returns 0, or -1 if out of memory. */
int conform_report(FILE *out, const conform_setup_t *setup, const conform_case_t *c);

/* Plays the case and writes its wave (VCD) and a save file for GTKWave beside it (NAME.gtkw).
 * Returns 0, or -1 and a message in err. */
int conform_report_wave(const char *path, const conform_setup_t *setup, const conform_case_t *c,
                        mrpb_err_t *err);

/* Writes the sizes as text: "ENTRIES=8 MERGES=4 ...". */
void conform_report_sizes(const conform_cfg_t *cfg, char *text, size_t size);

#endif
