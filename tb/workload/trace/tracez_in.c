/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a .tracez: see tracez.h. The index is read along with the data, and both must agree. The
 * data of each warp must lie behind those of the warp before, so that a file cannot represent more
 * data than it holds. */
#include "base/input.h"
#include "workload/trace/read.h"
#include "workload/trace/tracez.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { HEADER = 1 << 16, DICTIONARY = 1 << 20, CHUNK = 1 << 16, WINDOW_LOG = 27 };

typedef struct {
  accel_t a;
  const char *path;
  FILE *file; /* positioned in the index */
  int fd;
  uint64_t size, index;
  uint64_t data; /* end of the previous warp's data */
  ZSTD_DCtx *zst;
  uint64_t instruction; /* of the current warp, from 1; 0: none yet */
  size_t n;             /* length of `line` */
  char line[ACCEL_LINE];
  uint8_t in[CHUNK], text[CHUNK];
} tracez_t;

/* ---- bytes ----------------------------------------------------------------- */

static int cut_off(mrpb_err_t *err) {
  return mrpb_fail(err, "the file is cut off or damaged");
}

/* Reads numbers at the current position of the file. */
static int next_u32(tracez_t *t, uint32_t *v, unsigned n, mrpb_err_t *err) {
  uint8_t b[4];
  for (unsigned i = 0; i < n; i++) {
    if (fread(b, 1, sizeof b, t->file) != sizeof b) return cut_off(err);
    v[i] = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  }
  return 0;
}

static int next_u64(tracez_t *t, uint64_t *v, mrpb_err_t *err) {
  uint32_t half[2];
  if (next_u32(t, half, 2, err) != 0) return -1;
  *v = half[0] | (uint64_t)half[1] << 32;
  return 0;
}

/* Reads bytes of the data, which end where the index begins. */
static int data_bytes(tracez_t *t, void *to, size_t n, mrpb_err_t *err) {
  if (t->data > t->index || n > t->index - t->data ||
      pread(t->fd, to, n, (off_t)t->data) != (ssize_t)n)
    return mrpb_fail(err, "the data at byte %" PRIu64 " end after the index or the file", t->data);
  t->data += n;
  return 0;
}

static int data_u32(tracez_t *t, uint32_t *v, mrpb_err_t *err) {
  uint8_t b[4];
  if (data_bytes(t, b, sizeof b, err) != 0) return -1;
  *v = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  return 0;
}

/* ---- header, dictionary, place of the index -------------------------------- */

static int header_line(tracez_t *t, unsigned long number, mrpb_err_t *note, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  char *line = t->line;
  while (t->n > 0 && strchr(" \t\r", line[t->n - 1])) t->n--;
  line[t->n] = '\0';
  t->n = 0;
  if (line[0] == '\0' || line[0] == '#') return 0;
  if (line[0] != '-')
    (void)mrpb_fail(&why, "'%.40s'; legal: -KEY = VALUE", line);
  else if (accel_header(&t->a, line, &why) == 0)
    trace_note_unknown(&t->a, t->path, number, line, note);
  return why.text[0] ? mrpb_fail(err, "line %lu: %s", number, why.text) : 0;
}

/* Reads lines of text up to a 0 byte. */
static int read_header(tracez_t *t, mrpb_err_t *note, mrpb_err_t *err) {
  unsigned long number = 1;
  for (unsigned i = 0; i < HEADER; i++) {
    const int c = getc(t->file);
    if (c == EOF) return cut_off(err);
    if (c == 0 && t->n == 0) return 0;
    if (c == 0) return mrpb_fail(err, "line %lu: the header's last line has no end", number);
    if (c != '\n' && t->n == sizeof t->line - 1)
      return mrpb_fail(err, "line %lu: longer than %zu characters", number, sizeof t->line - 1);
    if (c != '\n')
      t->line[t->n++] = (char)c;
    else if (header_line(t, number++, note, err) != 0)
      return -1;
  }
  return mrpb_fail(err, "a header of more than %d bytes; legal: lines -KEY = VALUE and a byte 0",
                   HEADER);
}

static int read_dictionary(tracez_t *t, mrpb_err_t *err) {
  uint32_t v[2];
  if (next_u32(t, v, 2, err) != 0) return -1;
  if (v[0] > DICTIONARY)
    return mrpb_fail(err, "a dictionary of %" PRIu32 " bytes; legal: at most %d", v[0], DICTIONARY);
  void *bytes = malloc(v[0] + 1);
  if (!bytes) return mrpb_fail(err, "out of memory");
  int rc = fread(bytes, 1, v[0], t->file) == v[0] ? 0 : cut_off(err);
  t->zst = ZSTD_createDCtx();
  if (rc == 0 &&
      (!t->zst || ZSTD_isError(ZSTD_DCtx_setParameter(t->zst, ZSTD_d_windowLogMax, WINDOW_LOG))))
    rc = mrpb_fail(err, "out of memory");
  if (rc == 0 && v[0] > 0 && ZSTD_isError(ZSTD_DCtx_loadDictionary(t->zst, bytes, v[0])))
    rc = mrpb_fail(err, "the dictionary is damaged");
  free(bytes);
  return rc;
}

/* The last eight bytes of the file hold the place of the index. */
static int find_index(tracez_t *t, mrpb_err_t *err) {
  t->data = (uint64_t)ftello(t->file);
  if (t->size < 8 + 4 || fseeko(t->file, (off_t)(t->size - 8), SEEK_SET) != 0) return cut_off(err);
  if (next_u64(t, &t->index, err) != 0) return -1;
  if (t->index < t->data || t->index > t->size - 8 - 4)
    return mrpb_fail(err, "the index at byte %" PRIu64 "; legal: %" PRIu64 " to %" PRIu64, t->index,
                     t->data, t->size - 8 - 4);
  return fseeko(t->file, (off_t)t->index, SEEK_SET) == 0 ? 0 : cut_off(err);
}

/* ---- a warp ---------------------------------------------------------------- */

static int take_line(tracez_t *t, mrpb_err_t *err) {
  t->line[t->n] = '\0';
  if (memchr(t->line, '\0', t->n)) return mrpb_fail(err, "a byte 0; legal: text");
  t->n = 0;
  return accel_instruction(&t->a, t->line, err);
}

/* Takes a chunk of a part's text. Each line ends with a newline, except the last one, which ends
 * with the part. */
static int take_text(tracez_t *t, const char *text, size_t n, uint64_t most, mrpb_err_t *err) {
  while (n > 0) {
    const char *end = memchr(text, '\n', n);
    const size_t k = end ? (size_t)(end - text) : n;
    if (t->n == 0 && ++t->instruction > most)
      return mrpb_fail(err, "more instructions than the index says");
    if (k >= sizeof t->line - t->n)
      return mrpb_fail(err, "a line longer than %zu characters", sizeof t->line - 1);
    memcpy(t->line + t->n, text, k);
    t->n += k;
    if (!end) return 0;
    if (take_line(t, err) != 0) return -1;
    text += k + 1;
    n -= k + 1;
  }
  return 0;
}

/* Reads a frame, which must be exactly `bytes` long. */
static int read_frame(tracez_t *t, uint32_t bytes, uint64_t most, mrpb_err_t *err) {
  size_t rc = 1;
  (void)ZSTD_DCtx_reset(t->zst, ZSTD_reset_session_only);
  while (bytes > 0) {
    ZSTD_inBuffer in = {t->in, bytes < CHUNK ? bytes : CHUNK, 0};
    if (data_bytes(t, t->in, in.size, err) != 0) return -1;
    bytes -= (uint32_t)in.size;
    for (bool full = false; rc != 0 && (in.pos < in.size || full);) {
      ZSTD_outBuffer out = {t->text, CHUNK, 0};
      rc = ZSTD_decompressStream(t->zst, &out, &in);
      if (ZSTD_isError(rc)) return mrpb_fail(err, "the zstd data is damaged");
      if (take_text(t, (const char *)t->text, out.pos, most, err) != 0) return -1;
      full = out.pos == CHUNK;
    }
    if (rc == 0 && in.pos < in.size) return mrpb_fail(err, "bytes after the zstd data of a part");
  }
  if (rc != 0) return mrpb_fail(err, "the zstd data is cut off");
  return t->n > 0 ? take_line(t, err) : 0;
}

static int read_part(tracez_t *t, uint32_t count, mrpb_err_t *err) {
  uint32_t bytes;
  const uint64_t most = t->instruction + count;
  if (data_u32(t, &bytes, err) != 0 || read_frame(t, bytes, most, err) != 0) return -1;
  if (t->instruction == most) return 0;
  return mrpb_fail(err, "%" PRIu64 " instructions of a part are missing", most - t->instruction);
}

/* Reads the warp's words of the index, and its data. */
static int read_warp(tracez_t *t, mrpb_err_t *err) {
  uint32_t said[2], found[2], count = 0;
  uint64_t where, sum = 0;
  t->instruction = 0;
  t->n = 0;
  if (next_u32(t, said, 2, err) != 0 || next_u64(t, &where, err) != 0) return -1;
  if (where < t->data || where >= t->index)
    return mrpb_fail(err,
                     "data at byte %" PRIu64 "; legal: from the end of those before, %" PRIu64
                     ", to the index",
                     where, t->data);
  t->data = where;
  if (data_u32(t, &found[0], err) != 0 || data_u32(t, &found[1], err) != 0) return -1;
  if (said[0] != found[0] || said[1] != found[1])
    return mrpb_fail(err,
                     "%" PRIu32 " instructions in %" PRIu32 " parts; the index says %" PRIu32
                     " in %" PRIu32,
                     found[0], found[1], said[0], said[1]);
  for (uint32_t i = 0; i < said[1]; i++) {
    if (next_u32(t, &count, 1, err) != 0 || read_part(t, count, err) != 0) return -1;
    sum += count;
  }
  if (sum != said[0])
    return mrpb_fail(err, "%" PRIu32 " instructions, in parts with %" PRIu64, said[0], sum);
  return accel_end_warp(&t->a, err);
}

/* ---- the file -------------------------------------------------------------- */

static int read_block(tracez_t *t, mrpb_err_t *why, mrpb_err_t *err) {
  uint32_t v[TRACEZ_BLOCK_WORDS];
  if (next_u32(t, v, TRACEZ_BLOCK_WORDS, why) != 0 ||
      accel_block(&t->a, v[0], v[1], v[2], why) != 0)
    return -1;
  if (v[TRACEZ_BLOCK_WORDS - 1] > t->a.s->warps_per_block)
    return mrpb_fail(why, "a block of %" PRIu32 " warps; legal: at most %" PRIu32,
                     v[TRACEZ_BLOCK_WORDS - 1], t->a.s->warps_per_block);
  for (uint32_t w = 0; w < v[TRACEZ_BLOCK_WORDS - 1]; w++) {
    accel_begin_warp(&t->a, w);
    if (read_warp(t, why) == 0) continue;
    return mrpb_fail(err,
                     "%s: block %" PRIu32 ",%" PRIu32 ",%" PRIu32 " warp %" PRIu32
                     " instruction %" PRIu64 ": %s",
                     t->path, v[0], v[1], v[2], w, t->instruction, why->text);
  }
  return 0;
}

/* A message with the place goes into `err`, any other into `why`. */
static int read_blocks(tracez_t *t, mrpb_err_t *why, mrpb_err_t *err) {
  uint32_t blocks = 0;
  if (next_u32(t, &blocks, 1, why) != 0) return -1;
  for (uint32_t i = 0; i < blocks; i++)
    if (read_block(t, why, err) != 0) return -1;
  if ((uint64_t)ftello(t->file) != t->size - 8)
    return mrpb_fail(why, "bytes between the index and the end");
  return trace_store_check(t->a.s, why);
}

static int read_file(tracez_t *t, mrpb_err_t *note, mrpb_err_t *err) {
  struct stat st;
  mrpb_err_t why = {{0}}, placed = {{0}};
  if (fstat(t->fd, &st) != 0 || !S_ISREG(st.st_mode))
    return mrpb_fail(err, "%s: a .tracez is read from its end; legal: a file", t->path);
  t->size = (uint64_t)st.st_size;
  if (read_header(t, note, &why) == 0 && read_dictionary(t, &why) == 0 &&
      find_index(t, &why) == 0 && accel_launch(&t->a, &why) == 0 &&
      read_blocks(t, &why, &placed) == 0)
    return 0;
  return placed.text[0] ? mrpb_fail(err, "%s", placed.text)
                        : mrpb_fail(err, "%s: %s", t->path, why.text);
}

int trace_read_tracez(trace_store_t *s, const char *path, mrpb_err_t *note, mrpb_err_t *err) {
  tracez_t *t = calloc(1, sizeof *t);
  if (!t) return mrpb_fail(err, "%s: out of memory", path);
  t->a.s = s;
  t->path = path;
  t->file = input_open(path, err);
  if (!t->file) {
    free(t);
    return -1;
  }
  t->fd = fileno(t->file);
  const int rc = read_file(t, note, err);
  fclose(t->file);
  ZSTD_freeDCtx(t->zst);
  free(t);
  return rc;
}
