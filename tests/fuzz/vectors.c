/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/vectors/vectors.h"
#include "fuzz.h"

int fuzz_vectors(const char *path, mrpb_err_t *err) {
  vectors_t v;
  if (vectors_read(&v, path, err) != 0) return -1;
  (void)vectors_hash(&v);
  vectors_free(&v);
  return 0;
}
