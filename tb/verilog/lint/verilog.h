/* SPDX-License-Identifier: Apache-2.0 */
/* Turns Verilog source into tokens, for two readings: with SYNTHESIS defined and without.
 * Conditionals, macros and includes are resolved here, by rules under which every tool reads the
 * same text (docs/verify/lint.md). */
#ifndef LINT_VERILOG_H
#define LINT_VERILOG_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

enum { READ_SIMULATION = 1, READ_SYNTHESIS = 2, READ_BOTH = 3 };

typedef enum { T_WORD, T_SYSTEM, T_NUMBER, T_MACRO, T_STRING, T_SIGN } token_kind_t;

typedef struct {
  token_kind_t kind;
  unsigned readings;   /* in which it occurs */
  unsigned line, file; /* file: index into verilog_t.file */
  const char *text;    /* not terminated */
  unsigned n;
} token_t;

enum { VERILOG_FILES = 32, VERILOG_MACROS = 256, VERILOG_PATH = 1024 };

typedef struct {
  const char *dir;
  token_t *token;
  size_t n, room;
  struct {
    char path[VERILOG_PATH];
    char *text;
  } file[VERILOG_FILES];
  unsigned n_files;
  struct {
    const char *name, *body;
    unsigned n, n_body;
  } macro[VERILOG_MACROS];
  unsigned n_macros;
} verilog_t;

/* Reads `dir`/`name` and its includes. Returns 0, or -1 and a message in err: "file:line: what;
 * legal: ...". */
int verilog_read(verilog_t *v, const char *dir, const char *name, mrpb_err_t *err);
void verilog_free(verilog_t *v);

bool verilog_token_is(const token_t *t, const char *text);
bool verilog_token_same(const token_t *a, const token_t *b);

/* The depth in brackets and blocks of the tokens up to one, and whether an item, or a statement,
 * outside everything that was open at the start may end with that token. */
typedef struct {
  unsigned parens, nest;
} verilog_depth_t;
void verilog_step(verilog_depth_t *d, const token_t *t);
bool verilog_ends_item(const verilog_depth_t *d, const token_t *t);

/* Writes "path:line: " and the message to err. Returns -1. */
int verilog_fail(const verilog_t *v, const token_t *t, mrpb_err_t *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
