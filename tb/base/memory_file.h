/* SPDX-License-Identifier: Apache-2.0 */
/* A text that is written as a file and stays in memory: open_memstream, but for one thing. glibc's own
 * may lose what it has no memory for and still be closed without an error. */
#ifndef BASE_MEMORY_FILE_H
#define BASE_MEMORY_FILE_H

#include <stddef.h>
#include <stdio.h>

/* For writing only; NULL if out of memory. After fclose, *text (NULL before) has *size bytes and a 0
 * behind them, and the caller frees it, whatever fclose returns; not 0 means that something is missing. */
FILE *memory_file(char **text, size_t *size);

#endif
