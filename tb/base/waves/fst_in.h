/* SPDX-License-Identifier: Apache-2.0 */
/* Reads FST files through the VCD that fst2vcd (of GTKWave's package) makes of them. */
#ifndef FST_IN_H
#define FST_IN_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { FST_IN_NO_TOOL = -2 };

/* True if a file that begins like this is FST, whatever its name is. */
bool fst_in_begins(const char *head, size_t n);

/* Gives the VCD of the FST file `path`, which is open as `fst`, as an unnamed file. Returns 0; -1
 * and a message if it is damaged, cut off, or no regular file; FST_IN_NO_TOOL and a message if
 * fst2vcd is missing. */
int fst_in_open(FILE **vcd, const char *path, FILE *fst, mrpb_err_t *err);

#endif
