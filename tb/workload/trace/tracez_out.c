/* SPDX-License-Identifier: Apache-2.0 */
/* Writes .tracez (tracez.h) for Accel-Sim's reader, with instructions as version 5 of its tracer
 * writes them. Instructions are issued in the order of time, so they are collected warp by warp in
 * a temporary file. Load number N writes register R(N modulo 64), and the instruction that waits
 * for it reads that register. */
#include "base/grow.h"
#include "base/output.h"
#include "workload/trace/tracez.h"
#include "workload/trace/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

enum { LINE = 1024, REGS = 64, SOURCES = 4, CODE = 1024, INST = 16, LEVEL = 3, COPY = 4096 };

typedef struct {
  trace_writer_t base;
  char *path;
  bool list;         /* `path` names a list */
  uint64_t launches; /* number begun */
  uint64_t files;    /* number written, still without their names */
  launch_t launch;
  char kernel[256];
  spill_t *spill; /* of the launch */
  uint64_t chains, warps_per_block;
  spill_cursor_t piece;
  /* while a kernel's file is being written */
  FILE *file;
  uint64_t index, index_bytes; /* in the spill file */
  uint32_t parts;
  char *part;
  size_t n, room; /* of part */
  uint32_t lines; /* in part */
  uint8_t *packed;
  size_t packed_room;
} tracez_t;

/* ---- instructions ---------------------------------------------------------- */

/* Writes PC, mask, registers and opcode, up to the width. Of the waits of r, at most `most` are
 * written, beginning at *done. */
static int head_of(char *line, const tracez_t *t, const trace_from_t *from, uint64_t inst,
                   const trace_record_t *r, const char *op, unsigned *done, unsigned most) {
  const uint32_t lanes = t->launch.threads - from->warp * WARP_LANES;
  const uint32_t full = lanes >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
  const bool memory = op && r->kind <= TRACE_STORE;
  const unsigned n = r->n_wait - *done < most ? r->n_wait - *done : most;
  int at = snprintf(line, LINE, "%04x %08" PRIx32 " ", (unsigned)(inst * INST % CODE),
                    memory ? r->mask : full);
  if (memory && r->kind == TRACE_LOAD)
    at += snprintf(line + at, LINE - (size_t)at, "1 R%u ", (unsigned)(from->loads % REGS));
  else
    at += snprintf(line + at, LINE - (size_t)at, "0 ");
  at += snprintf(line + at, LINE - (size_t)at, "%s %u ", op ? op : "NOP", n);
  for (unsigned i = 0; i < n; i++, (*done)++)
    at += snprintf(line + at, LINE - (size_t)at, "R%u ",
                   (unsigned)((from->loads - r->wait[*done]) % REGS));
  return at;
}

/* Writes a stride if the active lanes are adjacent; otherwise distances. */
static int put_addresses(char *line, int at, const trace_record_t *r) {
  uint64_t list[WARP_LANES] = {0};
  unsigned n = 0;
  const uint32_t low = r->mask >> __builtin_ctz(r->mask);
  bool regular = (low & (low + 1)) == 0;
  for (uint32_t m = r->mask; m; m &= m - 1) list[n++] = r->addr[__builtin_ctz(m)];
  for (unsigned i = 2; i < n; i++) regular &= list[i] - list[i - 1] == list[1] - list[0];
  const int64_t stride = n > 1 ? (int64_t)(list[1] - list[0]) : 0;
  if (regular && n > 1 && stride == (int32_t)stride)
    return at +
           snprintf(line + at, LINE - (size_t)at, "1 0x%" PRIx64 " %" PRId64 " ", list[0], stride);
  at += snprintf(line + at, LINE - (size_t)at, "2 0x%" PRIx64 " ", list[0]);
  for (unsigned i = 1; i < n; i++)
    at += snprintf(line + at, LINE - (size_t)at, "%" PRId64 " ", (int64_t)(list[i] - list[i - 1]));
  return at;
}

/* The opcode for kind, space and bytes per lane; NULL if there is none. */
static const char *opcode(const trace_record_t *r, char op[16]) {
  static const char *const names[2][WARP_TEX + 1] = {{"LDG.E", "LDS", "LDC", NULL},
                                                     {"STG.E", "STS", NULL, NULL}};
  const char *size = r->elem == 1 ? ".U8" : r->elem == 2 ? ".U16" : r->elem == 8 ? ".64" : "";
  if (r->kind == TRACE_BARRIER) return "BAR.SYNC";
  if (r->kind == TRACE_EXIT) return "EXIT";
  if (!names[r->kind][r->space]) return NULL;
  snprintf(op, 16, "%s%s", names[r->kind][r->space], r->elem == 16 ? ".128" : size);
  return op;
}

static int add(tracez_t *t, const trace_from_t *from, const char *line, int n, mrpb_err_t *err) {
  const uint64_t warp = from->block * t->warps_per_block + from->warp;
  return spill_add(t->spill, t->chains + warp * SPILL_STEP, line, (size_t)n, 1, err);
}

/* Writes the gap. Its last instructions take the waits; the record takes those that are left. */
static int put_gap(tracez_t *t, const trace_from_t *from, const trace_record_t *r, unsigned *done,
                   mrpb_err_t *err) {
  char line[LINE];
  for (uint32_t i = 0; i < r->gap; i++) {
    const bool wait = r->gap - i <= (r->n_wait - *done + SOURCES - 1) / SOURCES;
    int at = head_of(line, t, from, from->insts + i, r, NULL, done, wait ? SOURCES : 0);
    at += snprintf(line + at, LINE - (size_t)at, "0 0 \n");
    if (add(t, from, line, at, err) != 0) return -1;
  }
  return 0;
}

static int tracez_record(trace_writer_t *w, const trace_from_t *from, const trace_record_t *r,
                         mrpb_err_t *err) {
  tracez_t *t = (tracez_t *)w;
  char op[16], line[LINE];
  unsigned done = 0;
  const char *name = opcode(r, op);
  if (!name)
    return mrpb_fail(err,
                     "%.200s: a texture fetch, which a .tracez does not carry; legal: --record "
                     "NAME.trace",
                     t->path);
  if (put_gap(t, from, r, &done, err) != 0) return -1;
  int at = head_of(line, t, from, from->insts + r->gap, r, name, &done, TRACE_MAX_WAITS);
  at += snprintf(line + at, LINE - (size_t)at, "%u ", r->kind <= TRACE_STORE ? r->elem : 0u);
  if (r->kind <= TRACE_STORE && r->mask) at = put_addresses(line, at, r);
  if (r->kind <= TRACE_STORE && !r->mask) at += snprintf(line + at, LINE - (size_t)at, "2 0x0 ");
  at += snprintf(line + at, LINE - (size_t)at, "0 \n");
  return add(t, from, line, at, err);
}

/* ---- a kernel's file ------------------------------------------------------- */

static void put_u32(uint8_t b[4], uint32_t v) {
  for (unsigned i = 0; i < 4; i++) b[i] = (uint8_t)(v >> 8 * i);
}

static bool write_u32(FILE *f, uint32_t v) {
  uint8_t b[4];
  put_u32(b, v);
  return fwrite(b, 1, sizeof b, f) == sizeof b;
}

static int index_u32(tracez_t *t, uint32_t v, mrpb_err_t *err) {
  uint8_t b[4];
  uint64_t where;
  put_u32(b, v);
  if (spill_write(t->spill, b, sizeof b, &where, err) != 0) return -1;
  if (t->index_bytes == 0) t->index = where;
  t->index_bytes += sizeof b;
  return 0;
}

static int file_error(const tracez_t *t, mrpb_err_t *err) {
  return mrpb_fail(err, "%.200s: %s; nothing was written", t->path, strerror(errno ? errno : EIO));
}

/* `write`: write the part to the file; otherwise count its instructions for the index. */
static int end_part(tracez_t *t, bool write, mrpb_err_t *err) {
  if (t->lines == 0) return 0;
  t->parts++;
  const size_t n = t->n - 1; /* without the last newline */
  const uint32_t lines = t->lines;
  t->n = t->lines = 0;
  if (!write) return index_u32(t, lines, err);
  uint8_t *more = grow(t->packed, ZSTD_compressBound(n), &t->packed_room, 1);
  if (!more) return mrpb_fail(err, "out of memory");
  t->packed = more;
  const size_t packed = ZSTD_compress(t->packed, t->packed_room, t->part, n, LEVEL);
  if (ZSTD_isError(packed)) return mrpb_fail(err, "out of memory");
  if (!write_u32(t->file, (uint32_t)packed) || fwrite(t->packed, 1, packed, t->file) != packed)
    return file_error(t, err);
  return 0;
}

/* Splits a warp's lines into parts; *insts is the number of lines. */
static int each_part(tracez_t *t, uint64_t chain, bool write, uint64_t *insts, mrpb_err_t *err) {
  int more;
  *insts = 0;
  t->parts = 0;
  if (spill_seek(t->spill, chain, &t->piece, err) != 0) return -1;
  while ((more = spill_next(t->spill, &t->piece, err)) > 0) {
    const uint8_t *at = t->piece.bytes, *end = at + t->piece.n;
    while (at < end) {
      const uint8_t *stop = (const uint8_t *)memchr(at, '\n', (size_t)(end - at)) + 1;
      char *room = grow(t->part, t->n + (size_t)(stop - at), &t->room, 1);
      if (!room) return mrpb_fail(err, "out of memory");
      t->part = room;
      memcpy(t->part + t->n, at, (size_t)(stop - at));
      t->n += (size_t)(stop - at);
      at = stop;
      ++*insts;
      if (++t->lines == TRACEZ_PART && end_part(t, write, err) != 0) return -1;
    }
  }
  return more < 0 ? -1 : end_part(t, write, err);
}

/* The index needs the warp's counts at once, so its lines are counted before they are written. */
static int write_warp(tracez_t *t, uint64_t chain, mrpb_err_t *err) {
  uint64_t insts, where = (uint64_t)ftello(t->file);
  const uint64_t head = t->index + t->index_bytes;
  uint8_t b[8];
  for (unsigned i = 0; i < 4; i++)
    if (index_u32(t, 0, err) != 0) return -1;
  if (each_part(t, chain, false, &insts, err) != 0) return -1;
  if (insts > UINT32_MAX)
    return mrpb_fail(err, "%.200s: a warp of more than 2^32 instructions", t->path);
  put_u32(b, (uint32_t)insts);
  put_u32(b + 4, t->parts);
  if (spill_patch(t->spill, head, b, sizeof b, err) != 0) return -1;
  if (!write_u32(t->file, (uint32_t)insts) || !write_u32(t->file, t->parts))
    return file_error(t, err);
  put_u32(b, (uint32_t)where);
  put_u32(b + 4, (uint32_t)(where >> 32));
  if (spill_patch(t->spill, head + 8, b, sizeof b, err) != 0) return -1;
  return each_part(t, chain, true, &insts, err);
}

static bool write_header(const tracez_t *t) {
  return fprintf(
             t->file,
             "-kernel name = %s\n-kernel id = %" PRIu64 "\n-grid dim = (%" PRIu32 ",1,1)\n"
             "-block dim = (%" PRIu32 ",1,1)\n-shmem = %" PRIu32 "\n-nregs = %" PRIu32 "\n"
             "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x%016x\n"
             "-local mem base_addr = 0x%016x\n-nvbit version = -\n"
             "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
             "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
             "[adrrescompress?] [mem_addresses] immediate\n\n",
             t->kernel, t->launches, t->launch.blocks, t->launch.threads, t->launch.shared,
             t->launch.regs, 0, 0) > 0 &&
         putc('\0', t->file) != EOF && write_u32(t->file, 0) && write_u32(t->file, TRACEZ_PART);
}

static int copy_index(tracez_t *t, mrpb_err_t *err) {
  uint8_t bytes[COPY];
  const uint64_t where = (uint64_t)ftello(t->file);
  for (uint64_t at = 0; at < t->index_bytes; at += COPY) {
    const size_t n = t->index_bytes - at < COPY ? (size_t)(t->index_bytes - at) : COPY;
    if (spill_read(t->spill, t->index + at, bytes, n, err) != 0) return -1;
    if (fwrite(bytes, 1, n, t->file) != n) return file_error(t, err);
  }
  if (!write_u32(t->file, (uint32_t)where) || !write_u32(t->file, (uint32_t)(where >> 32)))
    return file_error(t, err);
  return 0;
}

static int write_kernel(tracez_t *t, mrpb_err_t *err) {
  t->index_bytes = 0;
  if (spill_flush(t->spill, err) != 0) return -1;
  if (!write_header(t)) return file_error(t, err);
  if (index_u32(t, t->launch.blocks, err) != 0) return -1;
  for (uint32_t b = 0; b < t->launch.blocks; b++) {
    /* each cluster is one block, at the block's position */
    const uint32_t v[TRACEZ_BLOCK_WORDS] = {
        b, 0, 0, b, 0, 0, 0, 0, 0, 0, (uint32_t)t->warps_per_block};
    for (unsigned i = 0; i < TRACEZ_BLOCK_WORDS; i++)
      if (index_u32(t, v[i], err) != 0) return -1;
    for (uint64_t w = 0; w < t->warps_per_block; w++)
      if (write_warp(t, t->chains + (b * t->warps_per_block + w) * SPILL_STEP, err) != 0) return -1;
  }
  return copy_index(t, err);
}

/* ---- output files ---------------------------------------------------------- */

/* The file name of a launch, which are numbered from 1. */
static int name_of(const tracez_t *t, uint64_t launch, char name[OUTPUT_NAME], mrpb_err_t *err) {
  const char *slash = strrchr(t->path, '/');
  const int folder = slash ? (int)(slash + 1 - t->path) : 0;
  const int n = t->list ? snprintf(name, OUTPUT_NAME, "%.*skernel-%" PRIu64 ".tracez", folder,
                                   t->path, launch)
                        : snprintf(name, OUTPUT_NAME, "%s", t->path);
  return n < OUTPUT_NAME ? 0 : mrpb_fail(err, "%.60s...: name too long", t->path);
}

/* The output must be a regular file: a pipe cannot be read from its end, and has no positions. */
static int check_regular(const char *path, mrpb_err_t *err) {
  struct stat st;
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) return 0;
  return mrpb_fail(err, "%.200s: no regular file; legal for Accel-Sim's files: one, or a new name",
                   path);
}

/* Writes the launch that has run into a file that does not have its final name yet. */
static int end_launch(tracez_t *t, mrpb_err_t *err) {
  char name[OUTPUT_NAME], temp[OUTPUT_NAME];
  if (t->launches == 0) return 0;
  if (name_of(t, t->launches, name, err) != 0 || check_regular(name, err) != 0 ||
      !(t->file = output_open(name, temp, err)))
    return -1;
  t->files++;
  int rc = write_kernel(t, err);
  if (rc == 0)
    rc = output_end(t->file, false, name, temp, err);
  else
    fclose(t->file);
  t->file = NULL;
  spill_close(t->spill);
  t->spill = NULL;
  return rc;
}

static int tracez_launch(trace_writer_t *w, const launch_t *l, mrpb_err_t *err) {
  tracez_t *t = (tracez_t *)w;
  if (t->launches > 0 && !t->list)
    return mrpb_fail(err,
                     "%.200s: a .tracez holds one kernel launch; legal for more: "
                     "--record FOLDER/kernelslist.g",
                     t->path);
  if (end_launch(t, err) != 0) return -1;
  t->launches++;
  t->launch = *l;
  t->launch.kernel = NULL;
  snprintf(t->kernel, sizeof t->kernel, "%.200s", l->kernel);
  t->warps_per_block = (l->threads + WARP_LANES - 1) / WARP_LANES;
  t->spill = spill_open(err);
  return t->spill ? spill_chains(t->spill, l->blocks * t->warps_per_block, &t->chains, err) : -1;
}

static int write_list(const tracez_t *t, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  bool bad = false;
  FILE *f = output_open(t->path, temp, err);
  if (!f) return -1;
  for (uint64_t i = 1; i <= t->launches; i++)
    bad |= fprintf(f, "kernel-%" PRIu64 ".tracez\n", i) < 0;
  return output_close(f, bad, t->path, temp, err);
}

/* The list is written last, when all files that it names exist. */
static int tracez_end(trace_writer_t *w, mrpb_err_t *err) {
  tracez_t *t = (tracez_t *)w;
  char name[OUTPUT_NAME], temp[OUTPUT_NAME];
  if (end_launch(t, err) != 0) return -1;
  const uint64_t files = t->files;
  for (uint64_t i = 1; i <= files; i++)
    if (name_of(t, i, name, err) != 0 || output_temp(name, temp, err) != 0 ||
        output_commit(name, temp, err) != 0)
      return -1;
  t->files = 0;
  return t->list ? write_list(t, err) : 0;
}

static void tracez_close(trace_writer_t *w) {
  tracez_t *t = (tracez_t *)w;
  char name[OUTPUT_NAME], temp[OUTPUT_NAME];
  for (uint64_t i = 1; i <= t->files; i++)
    if (name_of(t, i, name, NULL) == 0 && output_temp(name, temp, NULL) == 0)
      output_discard(name, temp);
  spill_close(t->spill);
  free(t->piece.bytes);
  free(t->part);
  free(t->packed);
  free(t->path);
  free(t);
}

int trace_write_tracez(trace_writer_t **out, const char *path, mrpb_err_t *err) {
  const size_t n = strlen(path) + 1;
  tracez_t *t = calloc(1, sizeof *t);
  *out = NULL;
  if (!t || !(t->path = malloc(n))) {
    free(t);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  memcpy(t->path, path, n);
  t->list = strcmp(path + n - 3, ".g") == 0;
  t->base = (trace_writer_t){
      .launch = tracez_launch, .record = tracez_record, .end = tracez_end, .close = tracez_close};
  if (check_regular(path, err) != 0 || output_try(path, err) != 0) {
    tracez_close(&t->base);
    return -1;
  }
  *out = &t->base;
  return 0;
}
