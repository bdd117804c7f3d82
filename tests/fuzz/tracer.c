/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

int fuzz_tracer(const char *path, mrpb_err_t *err) {
  return fuzz_walk(path, err);
}
