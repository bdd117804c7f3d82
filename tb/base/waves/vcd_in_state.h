/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the two halves of the VCD reader: words, signals and declarations. Internal to
 * tb/base/waves. */
#ifndef VCD_IN_STATE_H
#define VCD_IN_STATE_H

#include "base/compress.h"
#include "base/waves/vcd_in.h"

#include <stddef.h>

enum { VCD_IN_BUFFER = 1 << 16, VCD_IN_WORD = 1 << 20, VCD_IN_PATH = 4096, VCD_IN_DEPTH = 256 };
enum { VCD_IN_SCOPES = 1 << 12, VCD_IN_SHOWN = 44 };

typedef struct {
  char *code;
  unsigned width, next; /* next: of the same hash; 0: none, else number + 1 */
  bool valued;
  uint64_t *ones, *unknown; /* NULL if it is not watched */
} vcd_in_signal_t;

typedef struct {
  char *path;
  unsigned parent, next; /* next: of the same hash; 0: none */
} vcd_in_scope_t;

/* A time: units of the dump, and a fraction in 10^-18 of a unit. */
typedef struct {
  uint64_t units, fraction;
} vcd_in_time_t;

struct vcd_in {
  compress_in_t *packed; /* the file, compressed or not */
  FILE *file;            /* or the VCD of an FST */
  char *path;
  char buf[VCD_IN_BUFFER];
  size_t at, n;
  unsigned long line, word_line; /* the line being read; the line where the last word began */
  char *word;
  size_t word_len, word_room;
  bool held; /* the word is to be read again */
  mrpb_err_t broken;
  vcd_in_signal_t *signal;
  size_t signals_room, vars_room, scopes_room;
  unsigned n_signals;
  unsigned *bucket, n_buckets; /* hash of code -> number + 1 */
  vcd_in_var_t *var;
  unsigned n_vars;
  vcd_in_scope_t *scope;
  unsigned n_scopes, depth;
  unsigned around[VCD_IN_DEPTH];        /* the scope that each $upscope returns to */
  unsigned scope_bucket[VCD_IN_SCOPES]; /* hash of path -> number; 0: none (the top is not in it) */
  vcd_in_time_t time, next_time;
  char stamp[VCD_IN_SHOWN]; /* the latest time as the file spells it */
  bool have_time, have_next, ended;
};

/* Reads the next word into v->word (terminated, word_len characters). Returns 1, 0 at the end of
 * the file, or -1 and a message (a read error, too long a word). */
int vcd_in_word(vcd_in_t *v, mrpb_err_t *err);
/* Skips words up to and including $end of the command that began in `line`. Returns 0, or -1 and a
 * message. */
int vcd_in_skip(vcd_in_t *v, const char *command, unsigned long line, mrpb_err_t *err);

/* Writes "file:line: " and the message; returns -1. */
int vcd_in_fail(const vcd_in_t *v, unsigned long line, mrpb_err_t *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Makes a word printable for a message: at most 40 characters, with '?' for those that cannot be
 * printed. */
const char *vcd_in_shown(const char *word, char text[VCD_IN_SHOWN]);

/* The number of the signal that has this code, or -1. */
long vcd_in_find(const vcd_in_t *v, const char *code);

/* Refuses an extended VCD, which `what` reveals; returns -1. */
int vcd_in_extended(const vcd_in_t *v, const char *what, mrpb_err_t *err);

/* Reads the declarations, up to $enddefinitions or the first time. Returns 0, or -1 and a
 * message. */
int vcd_in_header(vcd_in_t *v, mrpb_err_t *err);

#endif
