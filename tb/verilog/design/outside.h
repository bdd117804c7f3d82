/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what a design's text may not contain because it leaves the simulation: commands and
 * functions of the machine that runs it. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "err.h"

/* Scans a preprocessed text, except its strings. Its `line directives give the locations. Returns
 * 0, or -1 and a message in err: "FILE:LINE: ...". */
int outside_check(const char *text, mrpb_err_t *err);

/* Returns the position after the string that begins with the quote at `at`. An unterminated string
 * ends with its line. */
const char *outside_string_end(const char *at);

#endif
