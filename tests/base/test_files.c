/* SPDX-License-Identifier: Apache-2.0 */
/* Paths, folders that appear only when complete, growing arrays, and names made from contents. */
#define _DEFAULT_SOURCE /* symlink, mkdtemp */
#include "base/files.h"

#include "base/grow.h"
#include "base/hash.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *test_files_suite(void);

static char root[FILES_PATH]; /* of a test, which has a process of its own */

static void begin(void) {
  snprintf(root, sizeof root, "build/tmp/mrpb-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
}

static void finish(void) {
  files_remove_tree(root, NULL);
  ck_assert(!files_exists(root));
}

static const char *in(char path[FILES_PATH], const char *name) {
  ck_assert(files_path(path, "%s/%s", root, name));
  return path;
}

static void put(const char *name, const char *text) {
  char path[FILES_PATH];
  FILE *f = fopen(in(path, name), "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  ck_assert_int_eq(fclose(f), 0);
}

static bool there(const char *name) {
  char path[FILES_PATH];
  return files_exists(in(path, name));
}

START_TEST(paths) {
  char path[FILES_PATH], text[FILES_PATH + 1];
  memset(text, 'x', sizeof text);
  text[FILES_PATH - 1] = '\0';
  ck_assert(files_path(path, "%s", text));
  ck_assert_str_eq(path, text);
  ck_assert(!files_path(path, "%s/", text));
  begin();
  put("a file", "text");
  ck_assert(there("a file") && !there("another"));
  ck_assert(files_is_folder(root) && !files_is_folder(in(path, "a file")));
  finish();
}
END_TEST

START_TEST(texts) {
  char path[FILES_PATH];
  size_t n = 9;
  begin();
  put("text", "one\ntwo");
  char *text = files_read(in(path, "text"), &n);
  ck_assert_str_eq(text, "one\ntwo");
  ck_assert_uint_eq(n, 7);
  free(text);
  ck_assert_ptr_null(files_read(in(path, "none"), &n));
  ck_assert_ptr_null(files_read(root, NULL));
  finish();
}
END_TEST

/* No link is followed, and what is to be kept is kept. */
START_TEST(removes) {
  char path[FILES_PATH], target[FILES_PATH];
  begin();
  ck_assert_int_eq(mkdir(in(path, "tree"), 0777), 0);
  ck_assert_int_eq(mkdir(in(path, "tree/inner"), 0777), 0);
  ck_assert_int_eq(mkdir(in(path, "other"), 0777), 0);
  put("tree/kept", "");
  put("tree/inner/kept", "");
  put("tree/inner/x", "");
  put("other/mine", "");
  ck_assert_int_eq(symlink(in(target, "other"), in(path, "tree/link")), 0);
  files_remove_tree(in(path, "tree"), "kept");
  ck_assert(there("tree/kept") && !there("tree/inner") && there("other/mine"));
  ck_assert_int_ne(access(in(path, "tree/link"), F_OK), 0);
  put("tmp.1.a", "");
  put("tmp.12.a", "");
  files_remove_named(root, "tmp.1.");
  ck_assert(!there("tmp.1.a") && there("tmp.12.a"));
  files_remove_tree(in(path, "none"), NULL); /* nothing happens */
  files_remove_named(in(path, "none"), "");
  finish();
}
END_TEST

/* A folder for work: a new one each time; those of the dead are removed, those of the living not. */
START_TEST(temporary) {
  char path[FILES_PATH], first[FILES_PATH], second[FILES_PATH], name[64];
  mrpb_err_t err = {""};
  begin();
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  ck_assert_int_eq(waitpid(gone, NULL, 0), gone);
  snprintf(name, sizeof name, "tmp.%ld.0", (long)gone);
  ck_assert_int_eq(mkdir(in(path, name), 0777), 0);
  snprintf(name, sizeof name, "tmp.%ld.0", (long)getppid());
  ck_assert_int_eq(mkdir(in(path, name), 0777), 0);
  ck_assert_int_eq(files_temp_folder(first, root, &err), 0);
  ck_assert_int_eq(files_temp_folder(second, root, &err), 0);
  ck_assert_str_ne(first, second);
  ck_assert(files_is_folder(first) && files_is_folder(second) && there(name));
  snprintf(name, sizeof name, "tmp.%ld.0", (long)gone);
  ck_assert(!there(name));
  ck_assert_int_eq(files_temp_folder(first, "/no/such/folder", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "/no/such/folder: cannot write"));
  finish();
}
END_TEST

/* The first one counts; nothing of the second is left. */
START_TEST(published) {
  char temp[FILES_PATH], final[FILES_PATH], name[FILES_PATH];
  mrpb_err_t err = {""};
  begin();
  in(final, "final");
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_int_eq(files_temp_folder(temp, root, &err), 0);
    ck_assert(files_path(name, "%s/%s", strrchr(temp, '/') + 1, i ? "second" : "first"));
    put(name, "");
    ck_assert_int_eq(files_publish(temp, final, &err), 0);
    ck_assert(!files_exists(temp));
  }
  ck_assert(there("final/first") && !there("final/second"));
  ck_assert_int_eq(files_temp_folder(temp, root, &err), 0);
  ck_assert_int_eq(files_publish(temp, "/no/such/folder/final", &err), -1);
  ck_assert(err.text[0] && !files_exists(temp));
  finish();
}
END_TEST

/* FNV-1a as it is published, and texts that are told apart. */
START_TEST(hashes) {
  char path[FILES_PATH];
  uint64_t h = HASH_START, was = h;
  mrpb_err_t err = {""};
  ck_assert_uint_eq(hash_bytes(HASH_START, "foobar", 6), UINT64_C(0x85944171f73967e8));
  ck_assert_uint_ne(hash_text(hash_text(h, "a"), "b"), hash_text(h, "ab"));
  begin();
  put("text", "foobar");
  ck_assert_int_eq(hash_file(&h, in(path, "text"), &err), 0);
  ck_assert_uint_eq(h, UINT64_C(0x85944171f73967e8));
  ck_assert_int_eq(hash_file(&was, in(path, "none"), &err), -1);
  ck_assert_uint_eq(was, HASH_START);
  finish();
}
END_TEST

START_TEST(arrays) {
  size_t room = 0;
  uint32_t *array = NULL;
  for (uint32_t n = 0; n < 1000; n++) {
    uint32_t *more = grow(array, n + 1, &room, sizeof *more);
    ck_assert_ptr_nonnull(more);
    ck_assert_uint_gt(room, n);
    array = more;
    array[n] = n;
  }
  for (uint32_t n = 0; n < 1000; n++) ck_assert_uint_eq(array[n], n);
  const size_t had = room;
  ck_assert_ptr_null(grow(array, SIZE_MAX / 4, &room, sizeof *array)); /* more than there is */
  ck_assert_uint_eq(room, had);
  ck_assert_ptr_eq(grow(array, 10, &room, sizeof *array), array);
  free(array);
}
END_TEST

Suite *test_files_suite(void) {
  Suite *s = suite_create("files");
  TCase *t = tcase_create("files");
  tcase_add_test(t, paths);
  tcase_add_test(t, texts);
  tcase_add_test(t, removes);
  tcase_add_test(t, temporary);
  tcase_add_test(t, published);
  tcase_add_test(t, hashes);
  tcase_add_test(t, arrays);
  suite_add_tcase(s, t);
  return s;
}
