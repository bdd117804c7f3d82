/* SPDX-License-Identifier: Apache-2.0 */
/* Writing compressed files, see compress.h. Each library runs at its fast level. */
#define ZLIB_CONST
#include "base/compress.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { CHUNK = 1 << 16, XZ_LEVEL = 1, GZ_LEVEL = 6, ZST_LEVEL = 3 };

struct compress {
  FILE *file;
  compression_t kind;
  lzma_stream xz;
  z_stream gz;
  bool gz_open;
  ZSTD_CStream *zst;
  uint8_t out[CHUNK];
};

compression_t compress_of(const char *path) {
  static const char *const ends[] = {
#define COMPRESSION(kind, end) [COMPRESSION_##kind] = end,
      COMPRESSION_LIST(COMPRESSION)
#undef COMPRESSION
  };
  const size_t n = strlen(path);
  for (compression_t k = COMPRESSION_PLAIN + 1; k < COMPRESSIONS; k++) {
    const size_t end = strlen(ends[k]);
    if (n > end && strcmp(path + n - end, ends[k]) == 0) return k;
  }
  return COMPRESSION_PLAIN;
}

static bool start(compress_t *p) {
  switch (p->kind) {
  case COMPRESSION_XZ:
    return lzma_easy_encoder(&p->xz, XZ_LEVEL, LZMA_CHECK_CRC64) == LZMA_OK;
  case COMPRESSION_GZ:
    return p->gz_open = deflateInit2(&p->gz, GZ_LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8,
                                     Z_DEFAULT_STRATEGY) == Z_OK;
  case COMPRESSION_ZST:
    p->zst = ZSTD_createCStream();
    return p->zst &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(p->zst, ZSTD_c_compressionLevel, ZST_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(p->zst, ZSTD_c_checksumFlag, 1));
  case COMPRESSION_PLAIN:
  case COMPRESSIONS:
    break;
  }
  return true;
}

compress_t *compress_open(FILE *f, compression_t kind) {
  compress_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->file = f;
  p->kind = kind;
  p->xz = (lzma_stream)LZMA_STREAM_INIT;
  if (start(p)) return p;
  compress_close(p);
  return NULL;
}

static int put(compress_t *p, const void *bytes, size_t n) {
  return fwrite(bytes, 1, n, p->file) == n ? 0 : -1;
}

static int no_memory(void) {
  errno = ENOMEM;
  return -1;
}

static int run_xz(compress_t *p, const void *bytes, size_t n, bool last) {
  p->xz.next_in = bytes;
  p->xz.avail_in = n;
  for (;;) {
    p->xz.next_out = p->out;
    p->xz.avail_out = CHUNK;
    const lzma_ret rc = lzma_code(&p->xz, last ? LZMA_FINISH : LZMA_RUN);
    if (rc != LZMA_OK && rc != LZMA_STREAM_END) return no_memory();
    if (put(p, p->out, CHUNK - p->xz.avail_out) != 0) return -1;
    if (rc == LZMA_STREAM_END || (!last && p->xz.avail_in == 0 && p->xz.avail_out > 0)) return 0;
  }
}

static int run_gz(compress_t *p, const void *bytes, size_t n, bool last) {
  p->gz.next_in = bytes;
  p->gz.avail_in = (uInt)n;
  do {
    p->gz.next_out = p->out;
    p->gz.avail_out = CHUNK;
    if (deflate(&p->gz, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) return no_memory();
    if (put(p, p->out, CHUNK - p->gz.avail_out) != 0) return -1;
  } while (p->gz.avail_out == 0);
  return 0;
}

static int run_zst(compress_t *p, const void *bytes, size_t n, bool last) {
  ZSTD_inBuffer in = {bytes, n, 0};
  for (;;) {
    ZSTD_outBuffer out = {p->out, CHUNK, 0};
    const size_t rc = ZSTD_compressStream2(p->zst, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(rc)) return no_memory();
    if (put(p, p->out, out.pos) != 0) return -1;
    if (last ? rc == 0 : in.pos == n) return 0;
  }
}

static int run(compress_t *p, const void *bytes, size_t n, bool last) {
  switch (p->kind) {
  case COMPRESSION_XZ:
    return run_xz(p, bytes, n, last);
  case COMPRESSION_GZ:
    return run_gz(p, bytes, n, last);
  case COMPRESSION_ZST:
    return run_zst(p, bytes, n, last);
  case COMPRESSION_PLAIN:
  case COMPRESSIONS:
    break;
  }
  return put(p, bytes, n);
}

int compress_write(compress_t *p, const void *bytes, size_t n) {
  while (n > 0) { /* zlib counts in 32 bits */
    const size_t part = n < 1 << 30 ? n : 1 << 30;
    if (run(p, bytes, part, false) != 0) return -1;
    bytes = (const uint8_t *)bytes + part;
    n -= part;
  }
  return 0;
}

int compress_end(compress_t *p) {
  return run(p, "", 0, true);
}

void compress_close(compress_t *p) {
  if (!p) return;
  lzma_end(&p->xz);
  if (p->gz_open) deflateEnd(&p->gz);
  ZSTD_freeCStream(p->zst);
  free(p);
}
