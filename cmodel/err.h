/* SPDX-License-Identifier: Apache-2.0 */
/* One-line errors, passed up to the caller: the library itself never prints and never exits. */
#ifndef MRPB_ERR_H
#define MRPB_ERR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  char text[512]; /* one line: where, what, what is legal; empty until an error occurs */
} mrpb_err_t;

/* not in libmrpb.h: begin */
/* Stores a formatted line, unless `err` already holds one (the first error wins), and returns -1,
 * so that `return mrpb_fail(...)` reads well. `err` may be NULL. */
__attribute__((format(printf, 2, 3))) static inline int mrpb_fail(mrpb_err_t *err, const char *fmt,
                                                                  ...) {
  if (err && err->text[0] == '\0') {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    /* Text quoted from a user's file may hold any byte; the message must stay one line. */
    for (char *c = err->text; *c; c++)
      if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  }
  return -1;
}

/* not in libmrpb.h: end */

#endif
