/* SPDX-License-Identifier: Apache-2.0 */
/* The one test runner: all suites, in the order of their file names. A case with the tag "long"
 * runs neither under the sanitizers nor under valgrind, one with the tag "heavy" not under valgrind
 * (tests/all.sh); a part of each module's cases has neither. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(stem) Suite *test_##stem##_suite(void);
#include "suites.h"
#undef SUITE

static const char *const suites[] = {
#define SUITE(stem) #stem,
#include "suites.h"
#undef SUITE
};

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
#define SUITE(stem) srunner_add_suite(runner, test_##stem##_suite());
#include "suites.h"
#undef SUITE
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner), ran = srunner_ntests_run(runner);
  srunner_free(runner);
  if (ran == 0) fprintf(stderr, "no test was run: CK_RUN_CASE or CK_EXCLUDE_TAGS leave none\n");
  return failed || ran == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
