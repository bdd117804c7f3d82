/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for the tests of the PTX reader: texts of one kernel around a body, and instructions as
 * one line. */
#ifndef PTX_HELP_H
#define PTX_HELP_H

#include "workload/ptx/ptx.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Lines 1 to 5 come before the body, which begins on line 6. */
static inline char *wrap_body(const char *body) {
  static const char head[] =
      ".version 3.2\n.target sm_20\n.address_size 64 .global .texref image;\n"
      ".visible .entry k(.param .u64 a, .param .u32 n)\n"
      "{ .reg .pred %p<5>; .reg .b16 %rs<9>; .reg .b32 %r<9>; "
      ".reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;\n";
  size_t size = sizeof head + strlen(body) + 4;
  char *text = malloc(size);
  ck_assert_ptr_nonnull(text);
  snprintf(text, size, "%s%s\n}\n", head, body);
  return text;
}

static inline ptx_module_t *read_text(const char *text) {
  mrpb_err_t err = {{0}};
  ptx_module_t *m;
  ck_assert_msg(ptx_read(&m, text, strlen(text), "t.ptx", &err) == 0, "%s", err.text);
  return m;
}

static inline ptx_module_t *read_body(const char *body) {
  char *text = wrap_body(body);
  ptx_module_t *m = read_text(text);
  free(text);
  return m;
}

/* Reads a whole file and terminates it with NUL. */
static inline char *read_whole(const char *path, size_t *size) {
  char *text = NULL;
  FILE *from = fopen(path, "rb"), *to = open_memstream(&text, size);
  ck_assert_msg(from && to, "%s cannot be read", path);
  for (int c; (c = fgetc(from)) != EOF;) fputc(c, to);
  fclose(from);
  fclose(to);
  return text;
}

#endif
