/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed files: xz, gz and zst, through their libraries. The format of an input is detected by
 * its first bytes; the format of an output follows from the suffix of its name. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include "err.h"

#include <stddef.h>
#include <stdio.h>

/* COMPRESSION(kind, suffix of the name) */
#define COMPRESSION_LIST(X) X(PLAIN, "") X(XZ, ".xz") X(GZ, ".gz") X(ZST, ".zst")

typedef enum {
#define COMPRESSION(kind, end) COMPRESSION_##kind,
  COMPRESSION_LIST(COMPRESSION)
#undef COMPRESSION
      COMPRESSIONS
} compression_t;

/* ---- reading --------------------------------------------------------------- */

typedef struct compress_in compress_in_t;

/* Opens `path` (see input_open) for reading from its first byte. Returns 0, or -1 and a message
 * with the file's name. */
int compress_in_open(compress_in_t **out, const char *path, mrpb_err_t *err);
/* Reads the next decompressed bytes. Returns their number, from 1 to `room`, 0 at the end, or -1
 * and a message without the file's name: a read error, or data that are damaged, cut off, or need
 * more than 128 MB to be decompressed. */
long compress_in_read(compress_in_t *u, void *to, size_t room, mrpb_err_t *why);
void compress_in_close(compress_in_t *u);

/* ---- writing --------------------------------------------------------------- */

typedef struct compress compress_t;

/* The kind that the suffix of `path` names. */
compression_t compress_of(const char *path);
/* Writes to `f`, which stays the caller's. Returns NULL if out of memory. */
compress_t *compress_open(FILE *f, compression_t kind);
/* Returns 0, or -1 and errno. */
int compress_write(compress_t *p, const void *bytes, size_t n);
/* Writes the last bytes; does not flush `f`. Returns 0, or -1 and errno. */
int compress_end(compress_t *p);
void compress_close(compress_t *p);

#endif
