/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU of the library with three SMs, and checks that its tests share. */
#ifndef GPU_LIBRARY_HELP_H
#define GPU_LIBRARY_HELP_H

#include "gpu/library/mrpb_gpu.h"

#include <check.h>
#include <string.h>

static inline mrpb_gpu_t *create(void) {
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g;
  ck_assert_msg(mrpb_gpu_create(&g, NULL, &err) == 0, "%s", err.text);
  ck_assert_int_eq(mrpb_gpu_set(g, "SMS=3", &err), 0);
  return g;
}

static inline void run(mrpb_gpu_t *g) {
  mrpb_err_t err = {{0}};
  const mrpb_gpu_state_t state = mrpb_gpu_run(g, &err);
  ck_assert_msg(state == MRPB_GPU_DONE, "state %d: %s", (int)state, err.text);
}

static inline uint64_t count(mrpb_gpu_t *g, const char *name) {
  mrpb_err_t err = {{0}};
  double v = -1;
  ck_assert_msg(mrpb_gpu_value(g, name, &v, &err) == 0, "%s", err.text);
  return (uint64_t)v;
}

static inline void expect_error(const mrpb_err_t *err, const char *part) {
  ck_assert_msg(strstr(err->text, part), "'%s' has no '%s'", err->text, part);
}

/* The call must be refused with these words. */
#define EXPECT(call, part)                                                                         \
  ck_assert_int_eq(call, -1);                                                                      \
  expect_error(&err, part);                                                                        \
  err.text[0] = 0

#endif
