/* SPDX-License-Identifier: Apache-2.0 */
/* FST files, read as the VCD that fst2vcd (of GTKWave's package) makes of them. */
#ifndef FST_IN_H
#define FST_IN_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { FST_IN_NO_TOOL = -2 };

/* Whether a file that begins so is FST, whatever its name is. */
bool fst_in_begins(const char *head, size_t n);

/* The VCD of the FST file `path`, which is open as `fst`, as a file without a name. 0; -1 and a message: it is damaged,
 * cut off, or no regular file; FST_IN_NO_TOOL and a message: there is no fst2vcd. */
int fst_in_open(FILE **vcd, const char *path, FILE *fst, mrpb_err_t *err);

#endif
