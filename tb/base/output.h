/* SPDX-License-Identifier: Apache-2.0 */
/* Output files appear under their own names only when they are complete: they are written as
 * `path`.part, then renamed. An existing `path` that is not a regular file (a pipe, /dev/stdout) is
 * written directly. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { OUTPUT_NAME = 4096 };

/* Gives the name to write to. Returns 0, or -1 and a message. */
int output_temp(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err);
/* Opens the unfinished file of `path`; `temp` receives its name. Returns NULL and a message on
 * failure. */
FILE *output_open(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err);
/* Tests whether the file can be written. Leaves nothing behind. */
int output_try(const char *path, mrpb_err_t *err);
/* Gives the complete and closed file `temp` its own name. Returns -1 and a message on failure; the
 * file is then removed. */
int output_commit(const char *path, const char *temp, mrpb_err_t *err);
/* Gives two complete files that belong together their names, or neither; the first is the main
 * one. */
int output_commit_pair(const char *path, const char *temp, const char *beside,
                       const char *beside_temp, mrpb_err_t *err);
/* Closes `f`, which is open on `temp`, and leaves it for output_commit; `bad` as below. Returns -1
 * and a message if it is not complete; the file is then removed. */
int output_end(FILE *f, bool bad, const char *path, const char *temp, mrpb_err_t *err);
/* Closes `f`, which is open on `temp`, and commits it. `bad` means that something was not written,
 * for the reason in errno. In that case, or if the rest cannot be written, returns -1 and a
 * message, and the file is removed. */
int output_close(FILE *f, bool bad, const char *path, const char *temp, mrpb_err_t *err);
/* Opens a file for a tool, in a folder that nobody else reads: it is written under its own name.
 * Returns NULL and a message on failure. */
FILE *output_into(const char *folder, const char *name, mrpb_err_t *err);
/* Closes it; `bad` as above. Returns -1 and a message if the file is not complete. */
int output_into_end(FILE *f, bool bad, const char *folder, const char *name, mrpb_err_t *err);
/* Makes the folder `dir` and its parents if they are missing. Returns -1 and a message on failure,
 * also if a file is in the way. */
int output_folder(const char *dir, mrpb_err_t *err);
/* Removes the unfinished file. */
void output_discard(const char *path, const char *temp);

#endif
