/* SPDX-License-Identifier: Apache-2.0 */
#include "base/abc.h"

#include "base/files.h"
#include "base/process.h"

#include <string.h>

const char *abc_program(void) {
  static const char first[] = "berkeley-abc", second[] = "yosys-abc";
  char path[FILES_PATH];
  return !process_find(first, path, sizeof path) && process_find(second, path, sizeof path) ? second
                                                                                            : first;
}

bool abc_proved(const char *text) {
  if (strstr(text, "failed")) return false;
  if (strstr(text, "\nUNSATISFIABLE")) return true;
  return !strstr(text, "UNDECIDED") &&
         (strstr(text, "Property proved") || strstr(text, "are equivalent"));
}
