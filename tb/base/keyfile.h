/* SPDX-License-Identifier: Apache-2.0 */
/* Files of keys: `KEY = value`, `#` starts a comment. A file has every key, each once; or it begins
 * with files that it includes, has some keys, each once, and all of them together have every key.
 * Reading, one assignment, printing, help and the hash, over a table of keys. The values are an
 * array of one uint32_t a key in the order of the table, which may be a structure with such
 * members. */
#ifndef KEYFILE_H
#define KEYFILE_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { KEYFILE_MAX_KEYS = 256, KEYFILE_DEPTH = 16 /* of files that include each other */ };

typedef struct {
  const char *name;  /* as in the file */
  const char *words; /* "a|b|c" for a key written as a word, NULL for a number */
  uint32_t min, max, deflt;
  const char *unit;    /* "" if none */
  const char *verilog; /* "module.PARAMETER" that it drives, "" if none */
  const char *doc;
} keyfile_key_t;

typedef struct {
  const char *old, *now; /* a name that a key had, and the key's */
} keyfile_renamed_t;

typedef struct key_table {
  const char *title;         /* of the help, and what messages call it: "the GPU of mrpb run" */
  const char *from, *values; /* for the page: the table's file; what the defaults are */
  const keyfile_key_t *keys;
  unsigned n;                       /* at most KEYFILE_MAX_KEYS */
  const keyfile_renamed_t *renamed; /* n_renamed of them, NULL if there is none */
  unsigned n_renamed;
  const struct key_table *other; /* the one that a file may have been written for; NULL: none */
  /* What no single key can say: combinations that cannot be built. `where` starts the message. */
  int (*check)(const uint32_t *v, const char *where, mrpb_err_t *err);
  /* Does key `i` count for the hash? NULL: every one does. */
  bool (*hashed)(const uint32_t *v, unsigned i);
} key_table_t;

void keyfile_defaults(const key_table_t *t, uint32_t *v);

/* Key `name`, or -1. */
int keyfile_find(const key_table_t *t, const char *name);
/* Stores `value` under key `i` if it is legal; `where` starts the message. 0, or -1. */
int keyfile_store(const key_table_t *t, uint32_t *v, unsigned i, const char *value,
                  const char *where, mrpb_err_t *err);
/* The message for a name that no key has: which key had it, whose it is, or the nearest. -1. */
int keyfile_unknown(const key_table_t *t, const char *name, const char *where, mrpb_err_t *err);

/* Reads a file, and what it includes: `include NAME` in lines before its first key. NAME is a path
 * from the folder of the file that has the line, or the name of a configuration of the program's own
 * (base/home.h). What stands later counts. -1 and one line (file:line: what; what is legal) on the
 * first error, KEYFILE_OTHER if the file was written for the other table; v is untouched then.
 * `path` may name a configuration of the program's own, too; `name` stands for the file in
 * messages. */
enum { KEYFILE_OTHER = -2 };
int keyfile_load(const key_table_t *t, uint32_t *v, const char *path, mrpb_err_t *err);
int keyfile_read(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                 mrpb_err_t *err);
/* As keyfile_read, of a text that a store has kept: a key that does not count for the hash at its
 * default may be younger than the text. */
int keyfile_read_kept(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                      mrpb_err_t *err);

/* Applies one `KEY=VALUE`, with the checks of a file but the table's `check`. */
int keyfile_set(const key_table_t *t, uint32_t *v, const char *assignment, mrpb_err_t *err);

/* FNV-1a over the sorted text `KEY=value\n` of all keys that count. */
uint64_t keyfile_hash(const key_table_t *t, const uint32_t *v);

/* The value of key `i` as a file has it. */
void keyfile_print_value(const key_table_t *t, const uint32_t *v, unsigned i, char *text,
                         size_t size);

/* What may stand for a key: "1 to 32", or "a|b|c". */
void keyfile_print_legal(const keyfile_key_t *k, char *text, size_t size);

/* Every key with range, default and meaning under the table's title: for a terminal, or as a
 * section of a page. */
void keyfile_help(const key_table_t *t, FILE *out, int markdown);

/* A complete file with the comments of the table. */
void keyfile_dump(const key_table_t *t, FILE *out, const uint32_t *v, const char *title);

#endif
