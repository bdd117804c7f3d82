/* SPDX-License-Identifier: Apache-2.0 */
/* Accel-Sim 2.0's file format: written here byte by byte, with and without a dictionary, in parts.
 * Every possible disagreement of header, index and data is refused, with the place. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "trace_help.h"

#include <stdlib.h>
#include <zdict.h>
#include <zstd.h>

Suite *test_tracez_suite(void);

enum { ROOM = 1 << 18, WARPS = 2, PARTS = 2 };

/* One block of two warps of three instructions in two parts; what a case changes. */
typedef struct {
  const char *header;
  const char *part[PARTS]; /* of both warps */
  uint32_t dictionary;     /* 0: none; its bytes as they are said */
  uint32_t warps, x;
  uint32_t index_insts, index_parts, index_count; /* added to what is right */
  uint32_t head_insts, part_bytes;
  int64_t offset, index_offset; /* added, too */
  size_t cut, more;             /* bytes less, or more, before the last eight */
} file_t;

#define HEADER                                                                                     \
  "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 16\n"        \
  "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = PC mask\n\n"
static const char *const good_part[PARTS] = {
    "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x80000000 4 0 \n0010 ffffffff 1 R3 FADD 2 R1 R1 0 0 ",
    "0020 ffffffff 0 EXIT 0 0 0 "};

typedef struct {
  uint8_t b[ROOM];
  size_t n;
} bytes_t;

static void put(bytes_t *to, const void *bytes, size_t n) {
  memcpy(to->b + to->n, bytes, n);
  to->n += n;
}

static void put_number(bytes_t *to, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) to->b[to->n++] = (uint8_t)(v >> 8 * i);
}

/* A dictionary of zstd's, of lines like these. */
static size_t dictionary(uint8_t *to, size_t room) {
  static char lines[1 << 16];
  static size_t sizes[1000];
  size_t n = 0;
  for (unsigned i = 0; i < 1000; i++) {
    sizes[i] = (size_t)sprintf(lines + n, "%04x ffffffff 1 R%u FADD 2 R%u R%u 0 0 ", 16 * i % 4096,
                               i % 61, i % 7, i % 13);
    n += sizes[i];
  }
  const size_t size = ZDICT_trainFromBuffer(to, room, lines, sizes, 1000);
  ck_assert(!ZDICT_isError(size));
  return size;
}

static void put_part(bytes_t *to, const file_t *f, const char *text, const uint8_t *dict,
                     size_t n) {
  uint8_t packed[4096];
  ZSTD_CCtx *c = ZSTD_createCCtx();
  const size_t size =
      ZSTD_compress_usingDict(c, packed, sizeof packed, text, strlen(text), dict, n, 3);
  ZSTD_freeCCtx(c);
  ck_assert(!ZSTD_isError(size));
  put_number(to, size + f->part_bytes, 4);
  put(to, packed, size);
}

static void make(bytes_t *to, const file_t *f) {
  uint8_t dict[4096];
  const size_t n = f->dictionary ? dictionary(dict, sizeof dict) : 0;
  uint64_t where[WARPS];
  to->n = 0;
  put(to, f->header ? f->header : HEADER, strlen(f->header ? f->header : HEADER) + 1);
  put_number(to, f->dictionary > 1 ? f->dictionary : n, 4);
  put_number(to, 2, 4);
  put(to, dict, n);
  for (unsigned w = 0; w < WARPS; w++) {
    where[w] = to->n + (uint64_t)f->offset;
    put_number(to, 3 + f->head_insts, 4);
    put_number(to, PARTS, 4);
    for (unsigned p = 0; p < PARTS; p++)
      put_part(to, f, f->part[p] ? f->part[p] : good_part[p], dict, n);
  }
  const uint64_t index = to->n + (uint64_t)f->index_offset;
  const uint32_t block[11] = {f->x, 0, 0, 0, 0, 0, 0, 0, 0, 0, WARPS + f->warps};
  put_number(to, 1, 4);
  for (unsigned i = 0; i < 11; i++) put_number(to, block[i], 4);
  for (unsigned w = 0; w < WARPS; w++) {
    put_number(to, 3 + f->index_insts, 4);
    put_number(to, PARTS + f->index_parts, 4);
    put_number(to, where[w], 8);
    put_number(to, 2 + f->index_count, 4);
    put_number(to, 1, 4);
  }
  to->n += f->more;
  to->n -= f->cut;
  put_number(to, index, 8);
}

static int open_bytes(workload_t **w, const bytes_t *b, size_t n, mrpb_err_t *err) {
  char name[64];
  temp_name(name, ".tracez");
  write_file(name, (const char *)b->b, n);
  const int rc = trace_open(w, name, NULL, err);
  remove(name);
  return rc;
}

/* With a dictionary and without. */
START_TEST(reads) {
  static bytes_t b;
  const file_t f = {.dictionary = (uint32_t)_i};
  mrpb_err_t err = {""};
  workload_t *w;
  make(&b, &f);
  ck_assert_msg(open_bytes(&w, &b, b.n, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(workload_next(w)->threads, 64);
  for (unsigned i = 0; i < WARPS; i++) {
    warp_stream_t *s = warp_stream_open(w, 0, i);
    ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_LOAD);
    warp_stream_step(w, s);
    ck_assert_int_eq(skip(w, s, 1)->cls, WARP_EXIT);
    warp_stream_close(w, s);
  }
  ck_assert_ptr_null(workload_next(w));
  workload_close(w);
}
END_TEST

static const struct {
  file_t f;
  const char *says;
} bad[] = {
    {{.header = "-kernel name = k\n-grid dim = (1,1,1)\n"}, ".tracez: no -grid dim or -block dim"},
    {{.header = "-kernel name = k\n-grid dim = (1,1)\n"}, ".tracez: line 2: '(1,1)'; legal"},
    {{.header = "-kernel name = k"}, ".tracez: line 1: the header's last line has no end"},
    {{.header = "hello\n"}, ".tracez: line 1: 'hello'; legal: -KEY = VALUE"},
    {{.header = HEADER "#BEGIN_TB\n-x\n"}, ".tracez: line 12: '-x'; legal: -KEY = VALUE"},
    {{.dictionary = 1 << 21}, "a dictionary of 2097152 bytes; legal: at most"},
    {{.dictionary = 1 << 19}, "the file is cut off or damaged"},
    {{.dictionary = 300}, "warp 0 instruction 0: the zstd data is damaged"},
    {{.x = 1}, "block 1,0,0; legal: inside the grid"},
    {{.warps = 1}, "a block of 3 warps; legal: at most 2"},
    {{.warps = UINT32_MAX}, "bytes between the index and the end"},
    {{.index_insts = 1},
     "block 0,0,0 warp 0 instruction 0: 3 instructions in 2 parts; the index says 4"},
    {{.index_parts = 1}, "3 instructions in 2 parts; the index says 3 in 3"},
    {{.index_count = 1}, "warp 0 instruction 2: 1 instructions of a part are missing"},
    {{.index_count = UINT32_MAX}, "warp 0 instruction 2: more instructions than the index says"},
    {{.head_insts = 1}, "4 instructions in 2 parts; the index says 3"},
    {{.head_insts = 1, .index_insts = 1}, "4 instructions, in parts with 3"},
    {{.part_bytes = 1}, "bytes after the zstd data of a part"},
    {{.part_bytes = UINT32_MAX}, "the zstd data is cut off"},
    {{.part_bytes = 1 << 20}, "end after the index or the file"},
    {{.offset = -4000}, "data at byte"},
    {{.offset = 1 << 20}, "data at byte"},
    {{.offset = 4}, "instructions in "},
    {{.index_offset = -1000}, "the index at byte"},
    {{.index_offset = 1 << 20}, "the index at byte"},
    {{.index_offset = 4}, "bytes between the index and the end"},
    {{.cut = 4}, "of a part are missing"},
    {{.more = 4}, "bytes between the index and the end"},
    {{.part = {"0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x80000000 4 0 \nzz", NULL}},
     ".tracez: block 0,0,0 warp 0 instruction 2: an instruction; legal"},
    {{.part = {NULL, "0020 ffffffff 0 EXIT 0 0 zero"}}, "warp 0 instruction 3: 'zero' at the end"},
    {{.part = {NULL, ""}}, "warp 0 instruction 2: 1 instructions of a part are missing"},
};

START_TEST(refuses) {
  static bytes_t b;
  mrpb_err_t err = {""};
  workload_t *w;
  make(&b, &bad[_i].f);
  ck_assert_int_eq(open_bytes(&w, &b, b.n, &err), -1);
  ck_assert_msg(strstr(err.text, bad[_i].says), "'%s' is not in '%s'", bad[_i].says, err.text);
}
END_TEST

/* No file that is cut, and none with a changed byte in its index, crashes; none that is cut is read. */
START_TEST(damaged) {
  static bytes_t b, copy;
  const file_t f = {.dictionary = 0};
  workload_t *w;
  make(&b, &f);
  for (size_t n = 0; n < b.n; n++) {
    mrpb_err_t err = {""};
    ck_assert_msg(open_bytes(&w, &b, n, &err) == -1, "%zu of %zu bytes", n, b.n);
  }
  for (size_t at = strlen(HEADER) + 1; at < b.n; at += 3) {
    mrpb_err_t err = {""};
    copy = b;
    copy.b[at] ^= 0x81;
    if (open_bytes(&w, &copy, b.n, &err) == 0) workload_close(w);
  }
}
END_TEST

/* From its end: no pipe. */
START_TEST(no_file) {
  mrpb_err_t err = {""};
  workload_t *w;
  char name[64], command[200];
  temp_name(name, "-p.tracez");
  snprintf(command, sizeof command, "mkfifo %s && (echo > %s &)", name, name);
  ck_assert_int_eq(system(command), 0);
  ck_assert_int_eq(trace_open(&w, name, NULL, &err), -1);
  remove(name);
  ck_assert_msg(strstr(err.text, "is read from its end; legal: a file"), "%s", err.text);
}
END_TEST

/* ---- written --------------------------------------------------------------- */

#define TWO                                                                                        \
  "mrpb-trace 1\nlaunch a 1 32 20 0\nx 0 0 2 -\nlaunch b 1 32 20 0\nm 0 0 0 - ld.g.8 5 10,30\n"    \
  "x 0 0 0 1\nend 3\n"

static int record_as(const char *text, const char *name, mrpb_err_t *err) {
  workload_t *inner = must_open(text), *w;
  ck_assert_int_eq(trace_record(&w, inner, name, err), 0);
  const int rc = workload_run_within(w, 0, err);
  workload_close(w);
  return rc;
}

/* A .tracez holds one launch; a list names several. */
START_TEST(launches) {
  char name[64], kernel[80];
  mrpb_err_t err = {""};
  workload_t *w;
  temp_name(name, ".tracez");
  ck_assert_int_ne(record_as(TWO, name, &err), 0);
  ck_assert_msg(strstr(err.text, "a .tracez holds one kernel launch"), "%s", err.text);
  ck_assert_int_ne(access(name, F_OK), 0);
  ck_assert_int_eq(mkdtemp(strcpy(name, "build/tmp/mrpb-traceXXXXXX")) == NULL, 0);
  snprintf(kernel, sizeof kernel, "%s/kernelslist.g", name);
  err.text[0] = '\0';
  ck_assert_msg(record_as(TWO, kernel, &err) == 0, "%s", err.text);
  ck_assert_msg(trace_open(&w, kernel, NULL, &err) == 0, "%s", err.text);
  ck_assert_str_eq(workload_next(w)->kernel, "a");
  ck_assert_str_eq(workload_next(w)->kernel, "b");
  ck_assert_ptr_null(workload_next(w));
  workload_close(w);
  remove(kernel);
  for (unsigned i = 1; i <= 2; i++) {
    snprintf(kernel, sizeof kernel, "%s/kernel-%u.tracez", name, i);
    ck_assert_int_eq(remove(kernel), 0);
  }
  ck_assert_int_eq(rmdir(name), 0);
}
END_TEST

START_TEST(texture) {
  char name[64];
  mrpb_err_t err = {""};
  temp_name(name, ".tracez");
  ck_assert_int_ne(record_as("mrpb-trace 1\nlaunch a 1 32 20 0\nm 0 0 0 - ld.t.4 1 100\n"
                             "x 0 0 0 -\nend 2\n",
                             name, &err),
                   0);
  ck_assert_msg(strstr(err.text, "a texture fetch, which a .tracez does not carry"), "%s",
                err.text);
  ck_assert_int_ne(access(name, F_OK), 0);
}
END_TEST

Suite *test_tracez_suite(void) {
  Suite *s = suite_create("tracez");
  TCase *t = tcase_create("tracez");
  tcase_add_loop_test(t, reads, 0, 2);
  tcase_add_loop_test(t, refuses, 0, sizeof bad / sizeof *bad);
  tcase_add_test(t, damaged);
  tcase_add_test(t, no_file);
  tcase_add_test(t, launches);
  tcase_add_test(t, texture);
  suite_add_tcase(s, t);
  return s;
}
