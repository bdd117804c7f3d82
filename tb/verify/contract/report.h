/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a violation on one screen, and its wave. */
#ifndef CONTRACT_REPORT_H
#define CONTRACT_REPORT_H

#include "verify/contract/shrink.h"

#include <stdio.h>

/* Plays the case, which breaks a clause, and prints the clause, the table and the designer's
 * signals. Returns 0, or -1 if out of memory. */
int contract_report(FILE *out, const contract_setup_t *setup, const contract_case_t *c);

/* Plays the case and writes its wave (VCD) and a save file for GTKWave beside it (NAME.gtkw).
 * Returns 0, or -1 and a message in err. */
int contract_report_wave(const char *path, const contract_setup_t *setup, const contract_case_t *c,
                         mrpb_err_t *err);

/* Writes the sizes as text: "ENTRIES=8 MERGES=4 ...". */
void contract_report_sizes(const contract_setup_t *setup, char *text, size_t size);

/* Appends to the line of a contract's `say`. */
void contract_report_say(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
