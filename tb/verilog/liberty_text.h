/* SPDX-License-Identifier: Apache-2.0 */
/* The text of Liberty files: groups `name (arguments) { ... }`, attributes `name : value;`, and
 * complex attributes `name (arguments);`. The reader walks through one file and can write a copy of
 * it, with parts left out or replaced. */
#ifndef LIBERTY_TEXT_H
#define LIBERTY_TEXT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LIBERTY_WORD = 256 };

typedef struct {
  const char *path, *text, *at;
  const char *copied; /* the copy holds everything before this, or has left it out */
  FILE *copy;
  const char **quote; /* in what is not copied yet: values that get quotes, first and end of each */
  size_t n_quotes, quote_room;
  mrpb_err_t *err;
} liberty_text_t;

/* What a statement is; `first` and `second` are its value, or its first two arguments. */
typedef enum { LIBERTY_ATTRIBUTE, LIBERTY_COMPLEX, LIBERTY_GROUP } liberty_kind_t;

typedef struct {
  liberty_kind_t kind;
  const char *from; /* where it begins */
  char name[LIBERTY_WORD], first[LIBERTY_WORD], second[LIBERTY_WORD];
} liberty_statement_t;

/* Reads a file, which may be compressed, and adds a final 0. Returns NULL and a message if it cannot
 * be read. The caller frees the text. */
char *liberty_text_load(const char *path, size_t *size, mrpb_err_t *err);
/* Calls each() with the absolute path of each of `files`, which are separated by commas, until one
 * call does not return 0. Returns -1 and a message on failure. */
int liberty_text_files(const char *files, int (*each)(void *ctx, const char *path, mrpb_err_t *err),
                       void *ctx, mrpb_err_t *err);

/* Starts to read `text`, which has a final 0, of the file `path`; copies to `copy`,
 * which may be NULL. */
void liberty_text_open(liberty_text_t *t, const char *path, const char *text, FILE *copy,
                       mrpb_err_t *err);

/* Reads `library (name) {`. */
int liberty_text_library(liberty_text_t *t, char name[LIBERTY_WORD]);

/* Reads the next statement inside a group. Returns 1, 0 if the group ends here (its `}` has been
 * read), or -1 and a message with file and line. After a LIBERTY_GROUP its contents come next.
 * Boolean expressions without quotes get them in the copy, because Yosys reads no others. */
int liberty_text_next(liberty_text_t *t, liberty_statement_t *s);

/* Copies everything up to here. */
void liberty_text_keep(liberty_text_t *t);
/* Copies everything before `from`, and leaves out what follows up to here. */
void liberty_text_drop(liberty_text_t *t, const char *from);
void liberty_text_close(liberty_text_t *t);

int liberty_text_broken(const liberty_text_t *t, const char *what);

#endif
