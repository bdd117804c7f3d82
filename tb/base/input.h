/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files that a user names as input, so that reading always ends: a folder is not taken for an
 * empty file, a pipe that nobody writes is not waited for, and lists of lines are limited in
 * size. */
#ifndef INPUT_H
#define INPUT_H

#include "err.h"

#include <stddef.h>
#include <stdio.h>

enum {
  INPUT_WAIT = 10,     /* seconds to wait for the first byte of a pipe */
  INPUT_LINE = 1022,   /* characters per line of a list */
  INPUT_MOST = 1 << 24 /* bytes of a list */
};

/* Opens `path` for reading. Returns NULL and a message with its name if it cannot be read, is a
 * folder, or is a pipe that stays empty. */
FILE *input_open(const char *path, mrpb_err_t *err);

/* Reads the whole of `path`, at most `most` bytes, and adds a final 0; *size may be NULL. Returns
 * NULL and a message on failure. The caller frees the text. */
char *input_text(const char *path, size_t most, size_t *size, mrpb_err_t *err);

/* Receives a line without its newline; it may change the line. Returns 0, or -1 and a message,
 * which becomes "FILE:LINE: message". */
typedef int (*input_line_fn)(void *ctx, char *line, mrpb_err_t *why);

/* Passes every line of a text file to `take`, including comments and empty lines. Returns 0, or -1
 * and the first message: from `take`, for a byte 0, a line of more than INPUT_LINE characters, more
 * than INPUT_MOST bytes, or a file that cannot be read. */
int input_lines(const char *path, input_line_fn take, void *ctx, mrpb_err_t *err);

#endif
