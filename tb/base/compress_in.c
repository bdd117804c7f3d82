/* SPDX-License-Identifier: Apache-2.0 */
/* Reading compressed files: see compress.h. */
#include "base/input.h"
#include "base/compress.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { CHUNK = 1 << 16, MAGIC = 6, WINDOW_LOG = 27, MOST_MEMORY = 1 << WINDOW_LOG };

struct compress_in {
  FILE *file;
  compression_t kind;
  bool file_end, end;
  bool whole; /* no member or frame is incomplete */
  lzma_stream xz;
  z_stream gz;
  bool gz_open;
  ZSTD_DStream *zst;
  size_t at, n; /* position and bytes in `in` */
  uint8_t in[CHUNK];
};

static compression_t tell(const uint8_t *b, size_t n) {
  static const uint8_t xz[MAGIC] = {0xfd, '7', 'z', 'X', 'Z', 0};
  static const uint8_t zst[4] = {0x28, 0xb5, 0x2f, 0xfd}, skipped[3] = {0x2a, 0x4d, 0x18};
  if (n >= sizeof xz && memcmp(b, xz, sizeof xz) == 0) return COMPRESSION_XZ;
  if (n >= 3 && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8) return COMPRESSION_GZ;
  if (n >= 4 && (memcmp(b, zst, 4) == 0 || (b[0] >> 4 == 5 && memcmp(b + 1, skipped, 3) == 0)))
    return COMPRESSION_ZST;
  return COMPRESSION_PLAIN;
}

static bool start(compress_in_t *u) {
  switch (u->kind) {
  case COMPRESSION_XZ:
    return lzma_stream_decoder(&u->xz, MOST_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
  case COMPRESSION_GZ:
    return u->gz_open = inflateInit2(&u->gz, 16 + MAX_WBITS) == Z_OK;
  case COMPRESSION_ZST:
    u->zst = ZSTD_createDStream();
    return u->zst && !ZSTD_isError(ZSTD_DCtx_setParameter(u->zst, ZSTD_d_windowLogMax, WINDOW_LOG));
  case COMPRESSION_PLAIN:
  case COMPRESSIONS:
    break;
  }
  return true;
}

int compress_in_open(compress_in_t **out, const char *path, mrpb_err_t *err) {
  compress_in_t *u = calloc(1, sizeof *u);
  *out = NULL;
  if (!u) return mrpb_fail(err, "%s: out of memory", path);
  u->xz = (lzma_stream)LZMA_STREAM_INIT;
  u->file = input_open(path, err);
  if (!u->file) {
    compress_in_close(u);
    return -1;
  }
  u->n = fread(u->in, 1, MAGIC, u->file); /* kept, because a pipe cannot be read twice */
  u->kind = tell(u->in, u->n);
  if (!start(u)) {
    compress_in_close(u);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  *out = u;
  return 0;
}

/* Reads input for the next step, if there is any. */
static int fill(compress_in_t *u, mrpb_err_t *why) {
  if (u->at < u->n || u->file_end) return 0;
  u->at = 0;
  u->n = fread(u->in, 1, CHUNK, u->file);
  if (ferror(u->file)) return mrpb_fail(why, "%s", strerror(errno));
  u->file_end = u->n < CHUNK;
  return 0;
}

static int damaged(const compress_in_t *u, mrpb_err_t *why) {
  static const char *const name[] = {
#define COMPRESSION(kind, end) [COMPRESSION_##kind] = end,
      COMPRESSION_LIST(COMPRESSION)
#undef COMPRESSION
  };
  return mrpb_fail(why, "the %s data is damaged or cut off", name[u->kind] + 1);
}

static int too_large(mrpb_err_t *why) {
  return mrpb_fail(why, "more than %d MB are needed to decompress it", MOST_MEMORY >> 20);
}

/* Each step consumes what it can of the input, writes at most *room bytes, and reduces *room by
 * them. */

static int step_xz(compress_in_t *u, uint8_t *to, size_t *room, mrpb_err_t *why) {
  u->xz.next_in = u->in + u->at;
  u->xz.avail_in = u->n - u->at;
  u->xz.next_out = to;
  u->xz.avail_out = *room;
  const lzma_ret rc = lzma_code(&u->xz, u->file_end ? LZMA_FINISH : LZMA_RUN);
  u->at = u->n - u->xz.avail_in;
  *room = u->xz.avail_out;
  u->end = rc == LZMA_STREAM_END;
  if (rc == LZMA_MEMLIMIT_ERROR) return too_large(why);
  if (rc == LZMA_MEM_ERROR) return mrpb_fail(why, "out of memory");
  return rc == LZMA_OK || u->end ? 0 : damaged(u, why);
}

/* A file consists of one or more members. */
static int step_gz(compress_in_t *u, uint8_t *to, size_t *room, mrpb_err_t *why) {
  if (u->whole && u->at == u->n) {
    u->end = true;
    return 0;
  }
  if (u->whole && inflateReset(&u->gz) != Z_OK) return damaged(u, why);
  u->gz.next_in = u->in + u->at;
  u->gz.avail_in = (uInt)(u->n - u->at);
  u->gz.next_out = to;
  u->gz.avail_out = (uInt)(*room < CHUNK ? *room : CHUNK);
  const size_t asked = u->gz.avail_out;
  const int rc = inflate(&u->gz, Z_NO_FLUSH);
  u->at = u->n - u->gz.avail_in;
  *room -= asked - u->gz.avail_out;
  u->whole = rc == Z_STREAM_END;
  if (rc == Z_MEM_ERROR) return mrpb_fail(why, "out of memory");
  return rc == Z_OK || u->whole ? 0 : damaged(u, why);
}

/* A file consists of one or more frames. */
static int step_zst(compress_in_t *u, uint8_t *to, size_t *room, mrpb_err_t *why) {
  if (u->whole && u->at == u->n) {
    u->end = true;
    return 0;
  }
  ZSTD_inBuffer in = {u->in, u->n, u->at};
  ZSTD_outBuffer out = {to, *room, 0};
  const size_t rc = ZSTD_decompressStream(u->zst, &out, &in);
  const bool stuck = in.pos == u->at && out.pos == 0;
  u->at = in.pos;
  *room -= out.pos;
  u->whole = rc == 0;
  if (ZSTD_getErrorCode(rc) == ZSTD_error_frameParameter_windowTooLarge) return too_large(why);
  if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation) return mrpb_fail(why, "out of memory");
  return ZSTD_isError(rc) || (stuck && !u->whole) ? damaged(u, why) : 0;
}

static void step_plain(compress_in_t *u, uint8_t *to, size_t *room) {
  size_t n = u->n - u->at;
  if (n > *room) n = *room;
  memcpy(to, u->in + u->at, n);
  u->at += n;
  *room -= n;
  u->end = n == 0;
}

long compress_in_read(compress_in_t *u, void *to, size_t room, mrpb_err_t *why) {
  size_t left = room;
  while (left == room && !u->end) {
    int rc = fill(u, why);
    if (rc != 0) return -1;
    switch (u->kind) {
    case COMPRESSION_XZ:
      rc = step_xz(u, to, &left, why);
      break;
    case COMPRESSION_GZ:
      rc = step_gz(u, to, &left, why);
      break;
    case COMPRESSION_ZST:
      rc = step_zst(u, to, &left, why);
      break;
    case COMPRESSION_PLAIN:
    case COMPRESSIONS:
      step_plain(u, to, &left);
      break;
    }
    if (rc != 0) return -1;
  }
  return (long)(room - left);
}

void compress_in_close(compress_in_t *u) {
  if (!u) return;
  if (u->file) fclose(u->file);
  lzma_end(&u->xz);
  if (u->gz_open) inflateEnd(&u->gz);
  ZSTD_freeDStream(u->zst);
  free(u);
}
