/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows: PTX kernels are put together from pieces. */
#ifndef MICRO_TEXT_H
#define MICRO_TEXT_H

#include "workload/silicon/card.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* ends with a zero; NULL: empty */
  size_t n, room;
  bool failed; /* out of memory */
  /* Of compiled code: so many accesses of `form` it must have; 0: as many loads as the text has. */
  const char *kernel;
  card_access_t form;
  uint32_t accesses;
  bool optional; /* not everybody reads it: one kernel, whose parameters are words of 8 bytes */
} text_t;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_add(text_t *t, const char *format, ...);
void text_free(text_t *t);

#endif
