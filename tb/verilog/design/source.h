/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a design, as lists name them, and the single text that all tools get.
 * docs/verify/door.md */
#ifndef DESIGN_SOURCE_H
#define DESIGN_SOURCE_H

#include "base/files.h"
#include "err.h"

#include <stdint.h>

enum { SOURCE_WORDS = 4096 };

/* The arguments of Verilator's preprocessor, in order: files, "+incdir+DIR", "-DNAME=VALUE". */
typedef struct {
  char *word[SOURCE_WORDS];
  unsigned n, files;
} source_t;

/* Adds the contents of the list `path`; nested lists are relative to it (`-F`) or not. Call
 * source_free afterwards, also after a failure. Returns 0, or -1 and a message in err: "FILE:LINE:
 * ...". */
int source_list(source_t *s, const char *path, mrpb_err_t *err);
/* Adds one word of a list, as on a command line. */
int source_word(source_t *s, const char *word, mrpb_err_t *err);
void source_free(source_t *s);

/* Preprocesses the files into one text, `to`. Returns 0, or RTL_BAD_INPUT or RTL_BAD_TOOL
 * (verilog/build.h) and a message in err. */
int source_text(const source_t *s, const char *to, mrpb_err_t *err);

#endif
