/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the VCD reader share: words, signals and declarations. Internal to
 * tb/base/waves. */
#ifndef VCD_IN_STATE_H
#define VCD_IN_STATE_H

#include "base/waves/vcd_in.h"

#include <stddef.h>

enum { VCD_IN_BUFFER = 1 << 16, VCD_IN_WORD = 1 << 20, VCD_IN_PATH = 4096, VCD_IN_DEPTH = 256 };
enum { VCD_IN_SCOPES = 1 << 12 };

typedef struct {
  char *code;
  unsigned width, next; /* of the same hash; 0: none, else number + 1 */
  bool valued;
  uint64_t *ones, *unknown; /* NULL while it is not watched */
} vcd_in_signal_t;

typedef struct {
  char *path;
  unsigned parent, next; /* of the same hash; 0: none */
} vcd_in_scope_t;

struct vcd_in {
  FILE *file;
  char *path;
  char buf[VCD_IN_BUFFER];
  size_t at, n;
  unsigned long line, word_line; /* being read; where the last word began */
  char *word;
  size_t word_len, word_room;
  int last; /* the last character of the file so far */
  vcd_in_signal_t *signal;
  unsigned n_signals, signals_room;
  unsigned *bucket, n_buckets; /* hash of code -> number + 1 */
  vcd_in_var_t *var;
  unsigned n_vars, vars_room;
  vcd_in_scope_t *scope;
  unsigned n_scopes, scopes_room, depth;
  unsigned scope_bucket[VCD_IN_SCOPES]; /* hash of path -> number; 0: none (the top is not in it) */
  uint64_t time, next_time;
  bool have_time, have_next, begun, ended;
};

/* Reads the next word into v->word (terminated, word_len characters). 1, 0 at the end of the file,
 * -1 and a message (reading, a last line without its end, too long a word). */
int vcd_in_word(vcd_in_t *v, mrpb_err_t *err);
/* Words up to and including $end, of the command that began in `line`; 0, or -1 and a message. */
int vcd_in_skip(vcd_in_t *v, const char *command, unsigned long line, mrpb_err_t *err);

/* "file:line: " and the message; -1. */
int vcd_in_fail(const vcd_in_t *v, unsigned long line, mrpb_err_t *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A word for a message: at most 40 characters, what cannot be printed as '?'. */
enum { VCD_IN_SHOWN = 44 };
const char *vcd_in_shown(const char *word, char text[VCD_IN_SHOWN]);

/* The signal of a code, or -1. */
long vcd_in_find(const vcd_in_t *v, const char *code);

/* The declarations, up to $enddefinitions. 0, or -1 and a message. */
int vcd_in_header(vcd_in_t *v, mrpb_err_t *err);

/* Room for one more element of an array that doubles; NULL without memory (the old one stays). */
void *vcd_in_grow(void *array, unsigned n, unsigned *room, size_t size);

#endif
