/* SPDX-License-Identifier: Apache-2.0 */
/* Passes every file of the fuzzing corpus to its reader, in an ordinary build: 0 and no message, or
 * -1 and one line. What `make fuzz` has found stays in the corpus for ever. */
#include "fuzz.h"

#include <check.h>
#include <dirent.h>
#include <string.h>

Suite *test_fuzz_suite(void);

typedef struct {
  const char *name;
  int (*read)(const char *path, mrpb_err_t *err);
} reader_t;

static const reader_t readers[] = {
#define READER(name, file) {#name, fuzz_##name},
#include "readers.def"
#undef READER
};
enum { N_READERS = sizeof readers / sizeof *readers };

START_TEST(the_corpus_is_read_or_refused) {
  const reader_t *r = &readers[_i];
  char folder[128], path[512];
  unsigned read = 0, refused = 0;
  snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", r->name);
  DIR *d = opendir(folder);
  ck_assert_msg(d != NULL, "no %s", folder);
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    mrpb_err_t err = {""};
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    int rc = r->read(path, &err);
    ck_assert_msg(rc == (err.text[0] ? -1 : 0), "%s: %d and \"%s\"", path, rc, err.text);
    ck_assert_msg(!strchr(err.text, '\n'), "%s: two lines: %s", path, err.text);
    *(rc == 0 ? &read : &refused) += 1;
  }
  closedir(d);
  ck_assert_msg(read > 0 && refused > 0, "%s: %u read, %u refused", folder, read, refused);
}
END_TEST

Suite *test_fuzz_suite(void) {
  Suite *suite = suite_create("fuzz");
  TCase *tcase = tcase_create("corpus");
  tcase_add_loop_test(tcase, the_corpus_is_read_or_refused, 0, N_READERS);
  suite_add_tcase(suite, tcase);
  return suite;
}
