/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed files: what is written is read back, from one member or several; files that are cut
 * off or damaged are reported. */
#include "base/compress.h"
#include "base/lines.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_compress_suite(void);

enum { SIZE = 300000, MOST = 2 * SIZE + 4096 };

static const char *const ends[COMPRESSIONS] = {
#define COMPRESSION(kind, end) [COMPRESSION_##kind] = end,
    COMPRESSION_LIST(COMPRESSION)
#undef COMPRESSION
};

static void path_of(char path[64], compression_t kind) {
  snprintf(path, 64, "build/tmp/mrpb-compress-%ld%s", (long)getpid(), ends[kind]);
}

/* Text that does not compress to nothing. */
static char *some_text(void) {
  char *text = malloc(SIZE + 1);
  uint32_t x = 1;
  ck_assert_ptr_nonnull(text);
  for (unsigned i = 0; i < SIZE; i++) {
    x = x * 1664525 + 1013904223;
    text[i] = i % 60 == 59 ? '\n' : (char)('a' + (x >> 28));
  }
  text[SIZE - 1] = '\n';
  text[SIZE] = '\0';
  return text;
}

static void write_compressed(const char *path, const char *mode, const char *text, size_t n) {
  FILE *f = fopen(path, mode);
  ck_assert_ptr_nonnull(f);
  compress_t *p = compress_open(f, compress_of(path));
  ck_assert_ptr_nonnull(p);
  for (size_t at = 0; at < n; at += 7777)
    ck_assert_int_eq(compress_write(p, text + at, n - at < 7777 ? n - at : 7777), 0);
  ck_assert_int_eq(compress_end(p), 0);
  compress_close(p);
  ck_assert_int_eq(fclose(f), 0);
}

/* Everything, or -1 and why. */
static long read_compressed(const char *path, char *to, mrpb_err_t *why) {
  compress_in_t *u;
  long n, sum = 0;
  ck_assert_msg(compress_in_open(&u, path, why) == 0, "%s", why->text);
  while ((n = compress_in_read(u, to + sum, (size_t)(MOST - sum), why)) > 0) sum += n;
  compress_in_close(u);
  return n < 0 ? -1 : sum;
}

START_TEST(what_is_written_is_read) {
  char path[64], *text = some_text(), *back = malloc(MOST);
  mrpb_err_t why = {""};
  path_of(path, (compression_t)_i);
  ck_assert_int_eq(compress_of(path), _i);
  write_compressed(path, "wb", text, SIZE);
  ck_assert_int_eq(read_compressed(path, back, &why), SIZE);
  ck_assert(memcmp(text, back, SIZE) == 0);
  write_compressed(path, "ab", text, SIZE); /* a second member */
  ck_assert_int_eq(read_compressed(path, back, &why), 2 * SIZE);
  ck_assert(memcmp(text, back + SIZE, SIZE) == 0);
  remove(path);
  free(text);
  free(back);
}
END_TEST

static size_t file_of(const char *path, uint8_t *to) {
  FILE *f = fopen(path, "rb");
  const size_t n = fread(to, 1, MOST, f);
  fclose(f);
  return n;
}

static void file_to(const char *path, const uint8_t *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  ck_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

/* Cut anywhere, or with one bit changed in the middle of the data. */
START_TEST(damage_is_found) {
  char path[64], *text = some_text(), *back = malloc(MOST);
  uint8_t *bytes = malloc(MOST);
  path_of(path, (compression_t)_i);
  write_compressed(path, "wb", text, 3000);
  const size_t n = file_of(path, bytes);
  for (size_t cut = 6; cut < n; cut += 13) {
    mrpb_err_t why = {""};
    file_to(path, bytes, cut);
    ck_assert_msg(read_compressed(path, back, &why) == -1, "%zu of %zu bytes", cut, n);
    ck_assert_ptr_nonnull(strstr(why.text, "damaged or cut off"));
  }
  for (size_t at = n / 3; at < n / 3 * 2; at += 17) {
    mrpb_err_t why = {""};
    bytes[at] ^= 16;
    file_to(path, bytes, n);
    bytes[at] ^= 16;
    ck_assert_msg(read_compressed(path, back, &why) == -1, "bit of byte %zu", at);
  }
  remove(path);
  free(text);
  free(back);
  free(bytes);
}
END_TEST

/* What stands behind the last member is no member. */
START_TEST(more_behind) {
  char path[64], *back = malloc(MOST);
  mrpb_err_t why = {""};
  path_of(path, (compression_t)_i);
  write_compressed(path, "wb", "text\n", 5);
  FILE *f = fopen(path, "ab");
  ck_assert(f && fputs("more than there was", f) != EOF && fclose(f) == 0);
  ck_assert_int_eq(read_compressed(path, back, &why), -1);
  remove(path);
  free(back);
}
END_TEST

/* Lines across the pieces in which they are read. */
START_TEST(lines_of_it) {
  char path[64], *text = some_text();
  const char *line, *at = text;
  mrpb_err_t err = {""};
  lines_t *l;
  path_of(path, (compression_t)_i);
  write_compressed(path, "wb", text, SIZE);
  ck_assert_int_eq(lines_open(&l, path, &err), 0);
  while (lines_next(l, &line, &err) == 1) {
    const size_t n = strlen(line);
    ck_assert(memcmp(line, at, n) == 0 && at[n] == '\n');
    at += n + 1;
  }
  ck_assert_str_eq(err.text, "");
  ck_assert_uint_eq((size_t)(at - text), SIZE);
  ck_assert_uint_eq(lines_number(l), (SIZE + 59) / 60);
  lines_close(l);
  remove(path);
  free(text);
}
END_TEST

static const struct {
  char fill;
  unsigned n, end; /* that often, and then a newline, or none */
  const char *says;
} bad_lines[] = {{'a', 8191, 1, ""},
                 {'a', 8192, 1, ":1: line longer than 8191 characters"},
                 {'a', 200000, 0, ":1: line longer than 8191 characters"},
                 {'a', 10, 0, ":1: the last line is cut off"},
                 {'\0', 10, 1, ":1: a byte 0"},
                 {'\0', 100000, 0, ":1: a byte 0"}};

START_TEST(lines_that_are_none) {
  char path[64];
  const char *line;
  mrpb_err_t err = {""};
  lines_t *l;
  path_of(path, COMPRESSION_PLAIN);
  FILE *f = fopen(path, "wb");
  for (unsigned i = 0; i < bad_lines[_i].n; i++) putc(bad_lines[_i].fill, f);
  if (bad_lines[_i].end) putc('\n', f);
  fclose(f);
  ck_assert_int_eq(lines_open(&l, path, &err), 0);
  ck_assert_int_eq(lines_next(l, &line, &err), bad_lines[_i].says[0] ? -1 : 1);
  ck_assert_msg(strstr(err.text, bad_lines[_i].says), "%s", err.text);
  lines_close(l);
  remove(path);
}
END_TEST

Suite *test_compress_suite(void) {
  Suite *s = suite_create("compress");
  TCase *t = tcase_create("compress");
  tcase_add_loop_test(t, what_is_written_is_read, 0, COMPRESSIONS);
  tcase_add_loop_test(t, damage_is_found, COMPRESSION_PLAIN + 1, COMPRESSIONS);
  tcase_add_loop_test(t, more_behind, COMPRESSION_PLAIN + 1, COMPRESSIONS);
  tcase_add_loop_test(t, lines_of_it, 0, COMPRESSIONS);
  tcase_add_loop_test(t, lines_that_are_none, 0, sizeof bad_lines / sizeof *bad_lines);
  suite_add_tcase(s, t);
  return s;
}
