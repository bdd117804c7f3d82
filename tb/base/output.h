/* SPDX-License-Identifier: Apache-2.0 */
/* Output files appear under their own name only when they are complete: written as `path`.part,
 * then renamed. A `path` that exists and is no regular file (a pipe, /dev/stdout) is written
 * directly. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { OUTPUT_NAME = 4096 };

/* The name to write to. */
int output_temp(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err);
/* Opens the unfinished file of `path`; `temp` is its name. NULL and a message. */
FILE *output_open(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err);
/* Can it be written there? Leaves nothing behind. */
int output_try(const char *path, mrpb_err_t *err);
/* The file `temp` is complete and closed: gives it its own name; -1 and a message, and no file, if
 * it fails. */
int output_commit(const char *path, const char *temp, mrpb_err_t *err);
/* Two complete files that belong together: both get their names, or none; the first is the one that
 * counts. */
int output_commit_pair(const char *path, const char *temp, const char *beside,
                       const char *beside_temp, mrpb_err_t *err);
/* Closes `f`, which is open on `temp`, and leaves it for output_commit; `bad` as below. -1 and a
 * message, and no file, if it is not complete. */
int output_end(FILE *f, bool bad, const char *path, const char *temp, mrpb_err_t *err);
/* Ends the writing of `f`, which is open on `temp`: closes it and commits. `bad`: something was not
 * written, for the reason in errno. -1 and a message, and no file, if so, or if the rest of it
 * cannot be written. */
int output_close(FILE *f, bool bad, const char *path, const char *temp, mrpb_err_t *err);
/* A file for a tool, in a folder that nobody else looks into: written under its own name. NULL and a
 * message. */
FILE *output_into(const char *folder, const char *name, mrpb_err_t *err);
/* Closes it. `bad` as above. -1 and a message if it is not complete. */
int output_into_end(FILE *f, bool bad, const char *folder, const char *name, mrpb_err_t *err);
/* Makes the folder `dir` and those above it, where they are missing; -1 and a message if it cannot,
 * or if a file is in the way. */
int output_folder(const char *dir, mrpb_err_t *err);
/* Removes the unfinished file. */
void output_discard(const char *path, const char *temp);

#endif
