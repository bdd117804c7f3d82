/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a configuration file of GPGPU-Sim to one of `mrpb run`: docs/import.md. gpgpusim.def
 * says which option becomes which key. */
#ifndef GPGPUSIM_H
#define GPGPUSIM_H

#include "config/config.h"

enum {
  GPGPUSIM_VALUE = 400, /* most characters of a value */
  GPGPUSIM_SOURCES = 4  /* most options that one key is made of */
};

typedef struct {
  const char *name, *value; /* "-gpgpu_n_mem", "6"; a quoted value without its quotes */
  unsigned line;            /* line of the name, from 1 */
  bool mapped;              /* it has a counterpart */
  unsigned again;           /* line of a later occurrence that counts instead; 0: this one counts */
  char *rest;               /* the unmapped part of a mapped option; NULL: none */
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
  bool by_hand; /* given by --set, so the file's value does not count */
  bool rounded;
} gpgpusim_key_t;

typedef struct {
  const char *path;
  gpgpusim_file_t file;
  config_t cfg;
  gpgpusim_key_t key[KEYFILE_MAX_KEYS];
} gpgpusim_t;

/* Reads `path` into *f as GPGPU-Sim does: words between blanks, comments from # to the end of the
 * line, quotes over several lines. Returns 0, or -1 and a message: a word that is no option, a
 * value that is too long, -config, or whatever input_text refuses. Call gpgpusim_free in both
 * cases. */
int gpgpusim_read(gpgpusim_file_t *f, const char *path, mrpb_err_t *err);

/* Reads `path` and fills in *m. `set` has n_set assignments KEY=VALUE, which override the file.
 * Returns 0, or -1 and a message: "FILE:LINE: -option value: what; legal: ...". Call
 * gpgpusim_free(&m->file) in both cases. */
int gpgpusim_import(gpgpusim_t *m, const char *path, const char *const *set, unsigned n_set,
                    mrpb_err_t *err);

/* Writes the configuration as a file that says where each key comes from and which options have no
 * counterpart. */
void gpgpusim_write(FILE *out, const gpgpusim_t *m);

/* Writes the table of options as Markdown. */
void gpgpusim_table(FILE *out);

void gpgpusim_free(gpgpusim_file_t *f);

#endif
