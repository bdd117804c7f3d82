/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a design, as lists name them, and the one text that they are for all tools.
 * docs/verify/door.md */
#ifndef DESIGN_SOURCE_H
#define DESIGN_SOURCE_H

#include "base/files.h"
#include "err.h"

#include <stdint.h>

enum { SOURCE_WORDS = 4096 };

/* What Verilator's preprocessor is told, in order: files, "+incdir+DIR", "-DNAME=VALUE". */
typedef struct {
  char *word[SOURCE_WORDS];
  unsigned n, files;
} source_t;

/* Adds what the list `path` holds; lists in it relative to it (`-F`) or not. 0, or -1 and a message
 * "FILE:LINE: ...". source_free frees it, also after a failure. */
int source_list(source_t *s, const char *path, mrpb_err_t *err);
/* Adds one word of a list, as on a command line. */
int source_word(source_t *s, const char *word, mrpb_err_t *err);
void source_free(source_t *s);

/* Has them preprocessed into one text, `to`. 0, RTL_BAD_INPUT or RTL_BAD_TOOL (verilog/build.h) and a
 * message. */
int source_text(const source_t *s, const char *to, mrpb_err_t *err);

#endif
