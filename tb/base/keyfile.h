/* SPDX-License-Identifier: Apache-2.0 */
/* Files of keys: `KEY = value`; `#` starts a comment. A file either has every key once; or it
 * begins with files that it includes, has some keys, each once, and together they have every key.
 * This module reads files, makes single assignments, prints, gives help and hashes, for a given
 * table of keys. The values are an array of one uint32_t per key in the order of the table; it may
 * be a structure with such members.
 *
 * A thing can be made of parts, which the values of some keys choose. Then it has only the keys of
 * its parts; its other values are defaults. */
#ifndef KEYFILE_H
#define KEYFILE_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { KEYFILE_MAX_KEYS = 320, KEYFILE_DEPTH = 16 /* of nested includes */ };

typedef struct {
  const char *name;  /* as in the file */
  const char *words; /* "a|b|c" for a key whose value is a word, NULL for a number */
  uint32_t min, max, deflt;
  const char *unit;    /* "" if it has none */
  const char *verilog; /* "module.PARAMETER" that it sets, "" if none */
  const char *doc;
  unsigned has; /* the parts that it belongs to, one bit each; 0: to all */
} keyfile_key_t;

typedef struct {
  unsigned key, has;        /* with these parts, the key has: */
  uint32_t min, max, deflt; /* this range (of a number) and this default */
} keyfile_with_t;

typedef struct {
  const char *old, *now; /* a former name of a key, and its present name */
} keyfile_renamed_t;

typedef struct {
  const char *from; /* for the page: the table's file */
  const keyfile_key_t *keys;
  unsigned n; /* at most KEYFILE_MAX_KEYS */
  const keyfile_with_t *with;
  unsigned n_with;
  const keyfile_renamed_t *renamed;
  unsigned n_renamed;
  /* What the thing with these values is called; NULL: any. */
  const char *(*title)(const uint32_t *v);
  /* For a thing made of parts; all NULL if it is not. Names of the bits of `has`, in order; which
   * parts the thing with these values has; and a function that chooses the parts for a file that
   * does not say: it sets those values, and their `given`. */
  const char *const *part;
  unsigned n_parts;
  unsigned (*parts)(const uint32_t *v);
  void (*choose)(uint32_t *v, bool *given);
  /* Checks what a single key cannot express: combinations that cannot be built. `where` starts the
   * message. */
  int (*check)(const uint32_t *v, const char *where, mrpb_err_t *err);
  /* True if key `i` counts for the hash. NULL: every key does. */
  bool (*hashed)(const uint32_t *v, unsigned i);
} key_table_t;

void keyfile_defaults(const key_table_t *t, uint32_t *v);

/* True if the thing with these values has key `i`. */
bool keyfile_has(const key_table_t *t, const uint32_t *v, unsigned i);
/* The key `i` with the range and the default that it has with these values. */
keyfile_key_t keyfile_key(const key_table_t *t, const uint32_t *v, unsigned i);

/* Returns the index of the key `name`, or -1. */
int keyfile_find(const key_table_t *t, const char *name);
/* Reads the value of a key; `where` starts the message. Returns 0, or -1. */
int keyfile_value(const keyfile_key_t *k, uint32_t *to, const char *value, const char *where,
                  mrpb_err_t *err);
/* Stores `value` under key `i` if it is legal; `where` starts the message. Returns 0, or -1. */
int keyfile_store(const key_table_t *t, uint32_t *v, unsigned i, const char *value,
                  const char *where, mrpb_err_t *err);
/* Writes the message for a name that is no key of the thing: the present name of a renamed key, the
 * parts that the key belongs to, or the nearest name. Returns -1. */
int keyfile_unknown(const key_table_t *t, const uint32_t *v, const char *name, const char *where,
                    mrpb_err_t *err);

/* Reads a file and the files that it includes: lines `include NAME` before its first key. NAME is a
 * path relative to the including file's folder, or the name of one of the program's own
 * configurations (base/home.h). Later values override earlier ones. Keys that the thing does not
 * have may be in an included file, where they are left out, but not in the first one. Returns 0, or
 * -1 and one line (file:line: what; what is legal) on the first error; v is then unchanged. `path`
 * may also name one of the program's own configurations; `name` stands for the file in messages. */
int keyfile_load(const key_table_t *t, uint32_t *v, const char *path, mrpb_err_t *err);
int keyfile_read(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                 mrpb_err_t *err);
/* Like keyfile_read, for a text kept by a store: a missing key is accepted if at its default it
 * does not count for the hash, because such a key may be newer than the text. */
int keyfile_read_kept(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                      mrpb_err_t *err);

/* Applies one `KEY=VALUE` with the checks of a file, except the table's `check`. */
int keyfile_set(const key_table_t *t, uint32_t *v, const char *assignment, mrpb_err_t *err);

/* Checks the range of each value: an assignment may have chosen other parts. */
int keyfile_check(const key_table_t *t, const uint32_t *v, const char *where, mrpb_err_t *err);

/* FNV-1a hash of the sorted text `KEY=value\n` of all keys that the thing has and that count. */
uint64_t keyfile_hash(const key_table_t *t, const uint32_t *v);

/* Prints the value of key `i` as a file has it. */
void keyfile_print_value(const key_table_t *t, const uint32_t *v, unsigned i, char *text,
                         size_t size);

/* Prints the legal values of a key: "1 to 32", or "a|b|c". */
void keyfile_print_legal(const keyfile_key_t *k, char *text, size_t size);

/* Prints the parts that a key belongs to: "pipeline cores or flits"; the title, if all. */
void keyfile_print_parts(const key_table_t *t, unsigned has, char *text, size_t size);

/* Prints every key with range, default and meaning, for a terminal or as sections of a page. */
void keyfile_help(const key_table_t *t, FILE *out, int markdown);

/* Prints a complete file with the comments of the table. */
void keyfile_dump(const key_table_t *t, FILE *out, const uint32_t *v, const char *title);

#endif
