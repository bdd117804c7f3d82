/* SPDX-License-Identifier: Apache-2.0 */
/* Traces that the tests write, open and walk. */
#ifndef TRACE_HELP_H
#define TRACE_HELP_H

#include "workload/trace/trace.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline void write_file(const char *path, const char *text, size_t n) {
  FILE *f = fopen(path, "wb");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(text, 1, n, f), n);
  ck_assert_int_eq(fclose(f), 0);
}

static inline void temp_name(char name[64], const char *suffix) {
  snprintf(name, 64, "build/tmp/mrpb_trace_%ld%s", (long)getpid(), suffix);
}

static inline int open_text(workload_t **w, const char *text, mrpb_err_t *err) {
  char name[64];
  temp_name(name, ".trace");
  write_file(name, text, strlen(text));
  int rc = trace_open(w, name, NULL, err);
  remove(name);
  return rc;
}

static inline workload_t *must_open(const char *text) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  ck_assert_msg(open_text(&w, text, &err) == 0, "%s", err.text);
  return w;
}

/* Skips exactly `n` other instructions, up to the next of another class. */
static inline const warp_inst_t *skip(workload_t *w, warp_stream_t *s, unsigned n) {
  const warp_inst_t *i = warp_stream_peek(w, s);
  for (; n > 0; n--) {
    ck_assert_int_eq(i->cls, WARP_ALU);
    uint32_t pc = i->pc;
    warp_stream_step(w, s);
    i = warp_stream_peek(w, s);
    ck_assert_uint_eq(i->pc, pc + WARP_PC_STEP);
  }
  ck_assert_int_ne(i->cls, WARP_ALU);
  return i;
}

#endif
