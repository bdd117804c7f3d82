/* SPDX-License-Identifier: Apache-2.0 */
/* Opening what a user names as input. Whatever it is, reading it ends: no folder is taken for an
 * empty file, no pipe is waited for that nobody writes, and a list of lines has a largest size. */
#ifndef INPUT_H
#define INPUT_H

#include "err.h"

#include <stddef.h>
#include <stdio.h>

enum {
  INPUT_WAIT = 10,     /* seconds for the first byte of a pipe */
  INPUT_LINE = 1022,   /* characters of a list's line */
  INPUT_MOST = 1 << 24 /* bytes of a list */
};

/* `path` open for reading; NULL and a message with its name: it cannot be read, it is a folder, or
 * nothing came out of the pipe. */
FILE *input_open(const char *path, mrpb_err_t *err);

/* The whole of `path`, at most `most` bytes, with a 0 behind; *size may be NULL. NULL and a
 * message. The caller frees it. */
char *input_text(const char *path, size_t most, size_t *size, mrpb_err_t *err);

/* Gets a line without its end, which it may change. 0; -1 and a message: "FILE:LINE: message". */
typedef int (*input_line_fn)(void *ctx, char *line, mrpb_err_t *why);

/* Every line of a text file to `take`, comments and empty ones included. 0, or -1 and the first
 * message: take's, a byte 0, a line of more than INPUT_LINE characters, more than INPUT_MOST bytes,
 * or that the file cannot be read. */
int input_lines(const char *path, input_line_fn take, void *ctx, mrpb_err_t *err);

#endif
