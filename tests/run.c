/* The one test runner: all suites, in the order of their file names. A case with the tag "long" runs
 * neither under the sanitizers nor under valgrind, one with the tag "heavy" not under valgrind
 * (tests/all.sh); a part of each module's cases has neither. */
#include <check.h>
#include <stdlib.h>

#define SUITE(stem) Suite *test_##stem##_suite(void);
#include "suites.h"
#undef SUITE

int main(void) {
  SRunner *runner = srunner_create(NULL);
#define SUITE(stem) srunner_add_suite(runner, test_##stem##_suite());
#include "suites.h"
#undef SUITE
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
