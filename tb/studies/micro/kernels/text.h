/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows: PTX kernels are put together from pieces. */
#ifndef MICRO_TEXT_H
#define MICRO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* ends with a zero; NULL: empty */
  size_t n, room;
  bool failed; /* out of memory */
} text_t;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_add(text_t *t, const char *format, ...);
void text_free(text_t *t);

#endif
