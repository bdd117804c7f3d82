/* SPDX-License-Identifier: Apache-2.0 */
/* A growing text: PTX kernels are put together from pieces. */
#ifndef MICRO_TEXT_H
#define MICRO_TEXT_H

#include "workload/silicon/card.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* ends with a zero byte; NULL: empty */
  size_t n, room;
  bool failed; /* out of memory */
  /* Compiled code must have this number of accesses of `form`; 0: as many loads as the text. */
  const char *kernel;
  card_access_t form;
  uint32_t accesses;
  bool optional; /* some GPUs or models cannot read it: one kernel with 8-byte parameters */
} text_t;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_add(text_t *t, const char *format, ...);
void text_free(text_t *t);

#endif
