/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/sweep/sweep.h"
#include "fuzz.h"

/* Any words are a program here: what `mrpb run` makes of them opens files of its own. */
static int take_program(sweep_list_t *l, int n, char **word, mrpb_err_t *err) {
  const char *words[SWEEP_MOST_WORDS];
  for (int i = 0; i < n; i++) words[i] = word[i];
  const uint64_t hash = sweep_words_hash(words, (unsigned)n);
  return sweep_list_program(l, word[0], words, (unsigned)n, false, hash, err) < 0 ? -1 : 0;
}

int fuzz_sweep(const char *path, mrpb_err_t *err) {
  sweep_list_t l = {0};
  const int rc = sweep_read(&l, path, take_program, err);
  sweep_list_free(&l);
  return rc;
}
