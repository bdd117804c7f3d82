/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

#include <errno.h>
#include <stdlib.h>

bool number_decimal(const char *text, uint64_t max, uint64_t *value) {
  char *end = NULL;
  errno = 0;
  unsigned long long v = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
  *value = v;
  return end && *end == '\0' && errno == 0 && v <= max;
}
