/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a, 64 bits: names for cached results, made from everything that went into them. Start with
 * HASH_START. */
#ifndef HASH_H
#define HASH_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t hash, const void *data, size_t n);
/* Includes the text's final 0, so that "a", "b" is not "ab". */
uint64_t hash_text(uint64_t hash, const char *text);
/* Hashes the contents of a file of at most FILES_MOST bytes (base/files.h). Returns 0, or -1 and a
 * message; *hash is then unchanged. */
int hash_file(uint64_t *hash, const char *path, mrpb_err_t *err);

#endif
