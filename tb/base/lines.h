/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a text file, plain or compressed by xz, gzip or zstd (detected by its magic number, not
 * by its name). */
#ifndef LINES_H
#define LINES_H

#include "err.h"

typedef struct lines lines_t;

int lines_open(lines_t **out, const char *path, mrpb_err_t *err);
/* Returns 1 and the next line without its newline (valid until the next call), 0 at the end, or -1
 * and a message for a read or decompression error, a last line without newline, or a line longer
 * than 8191 characters. */
int lines_next(lines_t *l, const char **line, mrpb_err_t *err);
/* Number of the line that lines_next returned last, counted from 1. */
unsigned long lines_number(const lines_t *l);
void lines_close(lines_t *l);

#endif
