/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of lines and JSON as a user supplies them (tests/cli/hostile.sh tests files that are not
 * regular). */
#include "base/input.h"

#include "base/json_in.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_input_suite(void);

typedef struct {
  char text[64];
  unsigned n;
} seen_t;

static int take(void *ctx, char *line, mrpb_err_t *why) {
  seen_t *s = ctx;
  if (strcmp(line, "bad") == 0) return mrpb_fail(why, "this one");
  s->n++;
  strncat(s->text, line, 8);
  strcat(s->text, "|");
  return 0;
}

static int skip(void *ctx, char *line, mrpb_err_t *why) {
  (void)ctx;
  (void)line;
  (void)why;
  return 0;
}

static void file_of(char path[32], const char *text, size_t n) {
  strcpy(path, "build/tmp/mrpb-input-XXXXXX");
  int fd = mkstemp(path);
  ck_assert(fd >= 0 && write(fd, text, n) == (ssize_t)n && close(fd) == 0);
}

/* The lines joined by |, or the message without the file's name. */
static void is(const char *text, size_t n, const char *want) {
  char path[32];
  seen_t s = {"", 0};
  mrpb_err_t err = {""};
  file_of(path, text, n);
  int rc = input_lines(path, take, &s, &err);
  unlink(path);
  ck_assert_int_eq(rc, err.text[0] ? -1 : 0);
  ck_assert_str_eq(err.text[0] ? err.text + strlen(path) : s.text, want);
}

START_TEST(lines) {
  char line[INPUT_LINE + 2];
  is("", 0, "");
  is("a\nb\n", 4, "a|b|");
  is("a\n\n b", 5, "a|| b|");
  is("a\nbad\nc\n", 8, ":2: this one");
  is("a\nb\0c\n", 6, ":2: a byte 0; legal: text");
  memset(line, '#', sizeof line);
  line[INPUT_LINE] = '\n';
  is(line, INPUT_LINE + 1, "########|");
  line[INPUT_LINE] = '#';
  is(line, INPUT_LINE + 1, ":1: line too long; legal: 1022 characters");
}
END_TEST

/* Short lines without end, as a pipe may give them. */
START_TEST(too_many_lines) {
  enum { SIZE = INPUT_MOST + 2 };
  char *text = malloc(SIZE);
  ck_assert_ptr_nonnull(text);
  for (size_t i = 0; i < SIZE; i++) text[i] = i % 2 ? '\n' : '#';
  char path[32];
  mrpb_err_t err = {""};
  file_of(path, text, SIZE);
  free(text);
  ck_assert_ptr_null(input_text(path, INPUT_MOST, NULL, &err));
  ck_assert_ptr_nonnull(strstr(err.text, ": too long; legal: 16777216 bytes"));
  err.text[0] = '\0';
  ck_assert_int_eq(input_lines(path, skip, NULL, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, ": too long; legal: 16777216 bytes"));
  unlink(path);
}
END_TEST

START_TEST(json) {
  char path[32];
  mrpb_err_t err = {""};
  file_of(path, "{\"a\": 1,\n}", 10);
  ck_assert_ptr_null(json_in_load(path, 0, "a good file", &err));
  ck_assert_ptr_nonnull(
      strstr(err.text, ":2: string or '}' expected near '}'; legal: a good file"));
  unlink(path);
  err.text[0] = '\0';
  ck_assert_ptr_null(json_in_load("/", 0, "a good file", &err));
  ck_assert_str_eq(err.text, "/: Is a directory; legal: a readable file");
}
END_TEST

Suite *test_input_suite(void) {
  Suite *s = suite_create("input");
  TCase *t = tcase_create("input");
  tcase_add_test(t, lines);
  tcase_add_test(t, too_many_lines);
  tcase_add_test(t, json);
  suite_add_tcase(s, t);
  return s;
}
