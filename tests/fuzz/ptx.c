/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/ptx/ptx.h"
#include "base/input.h"
#include "fuzz.h"

#include <stdlib.h>

int fuzz_ptx(const char *path, mrpb_err_t *err) {
  ptx_module_t *m;
  size_t size;
  char *text = input_text(path, 1 << 24, &size, err);
  if (!text) return -1;
  int rc = ptx_read(&m, text, size, path, err);
  free(text);
  if (rc != 0) return -1;
  for (unsigned i = 0; i < ptx_variables(m); i++) ptx_bind(m, i, UINT64_C(0x80000000) + 256 * i);
  ptx_free(m);
  return 0;
}
