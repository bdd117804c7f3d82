/* SPDX-License-Identifier: Apache-2.0 */
/* The one test runner: all suites, in the order of their file names. A case with the tag "long"
 * runs neither under the sanitizers nor under valgrind, and one with the tag "heavy" not under
 * valgrind (tests/all.sh). Some of each module's cases have neither tag. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(stem, folder) Suite *test_##stem##_suite(void);
#include "suites.def"
#undef SUITE

static const char *const suites[] = {
#define SUITE(stem, folder) #stem,
#include "suites.def"
#undef SUITE
};

/* RUN_BELOW: folders with a blank between them; without it all suites are chosen. */
static int is_chosen(const char *folder) {
  const char *below = getenv("RUN_BELOW");
  const size_t n = strlen(folder);
  if (!below || !*below) return 1;
  for (const char *at = below; (at = strstr(at, folder)) != NULL; at += n)
    if ((at == below || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ')) return 1;
  return 0;
}

/* What Check takes for "none of them", and so for passed. */
static int is_known(const char *name) {
  for (unsigned i = 0; i < sizeof suites / sizeof *suites; i++)
    if (strcmp(suites[i], name) == 0) return 1;
  fprintf(stderr, "CK_RUN_SUITE=%s: no such suite; legal: the X of a tests/.../test_X.c\n", name);
  return 0;
}

int main(void) {
  const char *suite = getenv("CK_RUN_SUITE");
  if (suite && !is_known(suite)) return 2;
  SRunner *runner = srunner_create(NULL);
#define SUITE(stem, folder)                                                                        \
  if (is_chosen(folder)) srunner_add_suite(runner, test_##stem##_suite());
#include "suites.def"
#undef SUITE
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner), ran = srunner_ntests_run(runner);
  srunner_free(runner);
  if (ran == 0) fprintf(stderr, "no test was run: CK_RUN_CASE or CK_EXCLUDE_TAGS leave none\n");
  return failed || ran == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
