/* SPDX-License-Identifier: Apache-2.0 */
/* What a design's text may not hold, because it leaves the simulation: commands and functions of the machine that runs it. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "err.h"

/* Looks through a preprocessed text, past its strings; its `line directives say where. 0, or -1 and a message "FILE:LINE: ...". */
int outside_check(const char *text, mrpb_err_t *err);

/* Behind the string that begins with the quote at `at`; an open one ends with its line. */
const char *outside_string_end(const char *at);

#endif
