/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration file of GPGPU-Sim as one of `mrpb run`: docs/import.md. Which option is which key:
 * gpgpusim.def. */
#ifndef GPGPUSIM_H
#define GPGPUSIM_H

#include "config/config.h"

enum {
  GPGPUSIM_VALUE = 400, /* characters of a value */
  GPGPUSIM_SOURCES = 4  /* options that a key is made of */
};

typedef struct {
  const char *name, *value; /* "-gpgpu_n_mem", "6"; a value in quotes without them */
  unsigned line;            /* of the name, from 1 */
  bool mapped;              /* it has a counterpart */
  unsigned again;           /* the line where it stands again and counts, 0: here */
  char *rest;               /* what of a mapped one has no counterpart; NULL: nothing */
} gpgpusim_option_t;

typedef struct {
  char *text;
  gpgpusim_option_t *option;
  unsigned n;
  size_t room;
} gpgpusim_file_t;

typedef struct {
  const gpgpusim_option_t *from[GPGPUSIM_SOURCES];
  unsigned n;
  bool by_hand; /* --set: what the file says does not count */
  bool rounded;
} gpgpusim_key_t;

typedef struct {
  const char *path;
  gpgpusim_file_t file;
  config_t cfg;
  gpgpusim_key_t key[KEYFILE_MAX_KEYS];
} gpgpusim_t;

/* Reads `path` into *f, as GPGPU-Sim does: words between blanks, comments from # to the end of the
 * line, quotes over several lines. 0; -1 and a message: a word that is no option, a value that is too
 * long, -config, or what input_text refuses. gpgpusim_free in both cases. */
int gpgpusim_read(gpgpusim_file_t *f, const char *path, mrpb_err_t *err);

/* Reads `path` and fills in *m. `set`: KEY=VALUE, n_set of them, which count instead of the file. 0;
 * -1 and a message: "FILE:LINE: -option value: what; legal: ...". gpgpusim_free(&m->file) in both
 * cases. */
int gpgpusim_import(gpgpusim_t *m, const char *path, const char *const *set, unsigned n_set,
                    mrpb_err_t *err);

/* The configuration as a file, with where each key comes from and what has no counterpart. */
void gpgpusim_write(FILE *out, const gpgpusim_t *m);

/* The table of options as Markdown. */
void gpgpusim_table(FILE *out);

void gpgpusim_free(gpgpusim_file_t *f);

#endif
