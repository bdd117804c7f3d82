/* SPDX-License-Identifier: Apache-2.0 */
/* A violation on one screen, and its wave. */
#ifndef CONFORM_REPORT_H
#define CONFORM_REPORT_H

#include "verify/conform/shrink.h"

#include <stdio.h>

/* Plays the case, which breaks a clause, and prints clause, table and the designer's signals. -1 without memory. */
int conform_report(FILE *out, const conform_setup_t *setup, const conform_case_t *c);

/* Plays the case and writes its wave (VCD) and the save file beside it (NAME.gtkw). 0, or -1 and a message. */
int conform_report_wave(const char *path, const conform_setup_t *setup, const conform_case_t *c,
                        mrpb_err_t *err);

/* "ENTRIES=8 MERGES=4 ..." */
void conform_report_sizes(const conform_cfg_t *cfg, char *text, size_t size);

#endif
