/* SPDX-License-Identifier: Apache-2.0 */
/* Writes sizes as constants into a PTX text: see fold.h. */
#include "workload/programs/fold.h"

#include "bits.h"
#include "base/memory_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 11 };

typedef struct {
  const char *name;
  int64_t value;
} constant_t;

int fold_check(const char *program, uint32_t size, uint32_t cut, mrpb_err_t *err) {
  if (size < FOLD_LEAST_SIZE || (size & (size - 1)))
    return mrpb_fail(err,
                     "--model C with %s of size %" PRIu32
                     ": clang's text is known for powers of two from %d",
                     program, size, FOLD_LEAST_SIZE);
  if (cut < FOLD_LEAST_CUT)
    return mrpb_fail(err,
                     "--model C with --cut %" PRIu32 ": clang has no loop there; legal: from %d",
                     cut, FOLD_LEAST_CUT);
  return 0;
}

/* The constant whose name in braces starts at `at`; NULL if there is none. */
static const constant_t *constant_at(const constant_t c[NAMES], const char *at, const char *end) {
  for (unsigned i = 0; i < NAMES; i++) {
    size_t n = strlen(c[i].name);
    if ((size_t)(end - at) >= n && memcmp(at, c[i].name, n) == 0) return &c[i];
  }
  return NULL;
}

char *fold_text(const char *text, size_t n, uint32_t size, uint32_t cut, size_t *length,
                mrpb_err_t *err) {
  const int64_t N = size, log = bits_clog2(size);
  const constant_t c[NAMES] = {{"{N}", N},           {"{N-1}", N - 1},          {"{N+1}", N + 1},
                               {"{-N}", -N},         {"{4N}", 4 * N},           {"{NN}", N * N},
                               {"{-NN}", -N * N},    {"{4NN}", 4 * N * N},      {"{logN}", log},
                               {"{2logN}", 2 * log}, {"{4K}", INT64_C(4) * cut}};
  char *folded = NULL;
  FILE *f = memory_file(&folded, length);
  if (f) {
    for (const char *at = text, *end = text + n; at < end;) {
      const constant_t *k = *at == '{' ? constant_at(c, at, end) : NULL;
      if (k)
        fprintf(f, "%" PRId64, k->value);
      else
        fputc(*at, f);
      at += k ? strlen(k->name) : 1;
    }
    if (ferror(f) | fclose(f)) {
      free(folded);
      folded = NULL;
    }
  }
  if (!folded) mrpb_fail(err, "out of memory");
  return folded;
}
