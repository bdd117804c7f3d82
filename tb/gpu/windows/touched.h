/* SPDX-License-Identifier: Apache-2.0 */
/* The words of global memory that SMs touch in a window, and whether the order of the SMs matters: a
 * word that one of them writes is touched by another one (docs/threads.md). */
#ifndef WINDOWS_TOUCHED_H
#define WINDOWS_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t line;  /* of 128 bytes */
  uint32_t words; /* bit i: word i of 4 bytes */
  bool write;
} touch_t;

/* What one SM has touched. `failed`: out of memory, so something is missing. */
typedef struct {
  touch_t *at;
  unsigned n, room;
  bool failed;
} touched_t;

void touched_add(touched_t *t, uint64_t line, uint32_t words, bool write);
void touched_free(touched_t *t);

typedef struct {
  uint64_t line;
  uint32_t words, round;
  unsigned sm;
} touched_line_t;

/* Memory for comparisons; all zero at first. */
typedef struct {
  touched_line_t *at;
  uint32_t mask, round;
} touched_lines_t;

/* True if the order of the `n` SMs matters, or is not known for lack of memory. */
bool touched_meet(touched_lines_t *w, const touched_t *const *sm, unsigned n);
void touched_forget(touched_lines_t *w);

#endif
