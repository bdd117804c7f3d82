/* SPDX-License-Identifier: Apache-2.0 */
/* Timed requests of one side: from a file of requests, or from a wave. docs/align.md */
#ifndef ALIGN_ROWS_H
#define ALIGN_ROWS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ALIGN_LEVELS = 16, ALIGN_WORD = 64 };
#define ALIGN_OPEN UINT64_MAX /* no end is known */

/* Words as numbers, the same on both sides. */
typedef struct align_words align_words_t;
align_words_t *align_words_open(void);
void align_words_close(align_words_t *w);
/* The number of a word of `n` characters; UINT32_MAX if out of memory. */
uint32_t align_word(align_words_t *w, const char *text, size_t n);
const char *align_word_text(const align_words_t *w, uint32_t number);

typedef struct {
  uint32_t who, address, kind;
  uint64_t begin, end, waited;
} align_row_t;

typedef struct {
  const char *path;
  align_words_t *words;
  align_row_t *row;
  size_t n, room, room_levels;
  char level[ALIGN_LEVELS][ALIGN_WORD];
  unsigned n_levels;
  uint32_t *levels; /* n_levels for each row */
  bool anonymous;   /* no row says who asks */
} align_rows_t;

/* Adds a row and its levels. Returns its number, or SIZE_MAX if out of memory. */
size_t align_rows_add(align_rows_t *r, const align_row_t *row, const uint32_t *levels);
void align_rows_close(align_rows_t *r);

/* Whether the file is one of requests: its first line says so. Returns 1, 0, or -1 and a message in
 * err. */
int align_rows_known(const char *path, mrpb_err_t *err);
/* Reads a file of requests. Returns 0, or -1 and a message in err: "FILE:LINE: ...". */
int align_rows_read(align_rows_t *r, const char *path, align_words_t *words, mrpb_err_t *err);

#endif
