/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/files.h"
#include "base/input.h"

#include <stdlib.h>
#include <string.h>

uint64_t hash_bytes(uint64_t hash, const void *data, size_t n) {
  const unsigned char *p = data;
  for (size_t i = 0; i < n; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t hash_text(uint64_t hash, const char *text) {
  return hash_bytes(hash, text, strlen(text) + 1);
}

int hash_file(uint64_t *hash, const char *path, mrpb_err_t *err) {
  size_t n = 0;
  char *text = input_text(path, FILES_MOST, &n, err);
  if (!text) return -1;
  *hash = hash_bytes(*hash, text, n);
  free(text);
  return 0;
}
