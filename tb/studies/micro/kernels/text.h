/* SPDX-License-Identifier: Apache-2.0 */
/* A growing PTX text, from the templates kernels/NAME.ptx and studies/NAME.ptx
 * (workload/ptx/template.h). */
#ifndef MICRO_TEXT_H
#define MICRO_TEXT_H

#include "workload/ptx/template.h"
#include "workload/silicon/card.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* ends with a zero byte; NULL: empty */
  size_t n, room;
  mrpb_err_t failed; /* out of memory, or a template that cannot be written */
  /* Compiled code must have this number of accesses of `form`; 0: as many loads as the text. */
  const char *kernel;
  card_access_t form;
  uint32_t accesses;
  bool optional; /* some GPUs or models cannot read it: one kernel with 8-byte parameters */
} text_t;

/* The values of a template: TEXT_VALUES({"loads", 4}, TEXT_WORDS("cache", ".cg")). */
#define TEXT_VALUES(...) ((const ptx_value_t[]){__VA_ARGS__, {.name = NULL}})
#define TEXT_NONE ((const ptx_value_t[]){{.name = NULL}})
#define TEXT_NUMBER(called, value)                                                                 \
  { .name = (called), .number = (int64_t)(value) }
#define TEXT_WORDS(called, text)                                                                   \
  { .name = (called), .words = (text) }

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_add(text_t *t, const char *format, ...);
/* Adds the template "kernels/loads" with these values. */
void text_write(text_t *t, const char *name, const ptx_value_t *values);
void text_free(text_t *t);

#endif
