/* SPDX-License-Identifier: Apache-2.0 */
/* gpgpusim.def as a table: see gpgpusim_rows.h. */
#include "config/gpgpusim_rows.h"
#include "config/words.h"

#include <stddef.h>
#include <string.h>

/* Every key of mrpb run has a number here, so a row that names an unknown key does not compile. */
enum {
#define KEY(has, name, ...) KEY_##name,
#define WORD(has, name, ...) KEY_##name,
#include "config/each_key.h"
};
enum { KIND = GPGPUSIM_KIND };

const gpgpusim_row_t gpgpusim_rows[] = {
#define NUMBER(option, group, place, prefix, key, per, doc)                                        \
  {GPGPUSIM_NUMBER, option, group, place, prefix, KEY_##key, per, NULL, doc},
#define CLOCK(option, group, place, prefix, key, per, doc)                                         \
  {GPGPUSIM_CLOCK, option, group, place, prefix, KEY_##key, per, NULL, doc},
#define WORD(option, group, place, prefix, key, words, doc)                                        \
  {GPGPUSIM_WORD, option, group, place, prefix, KEY_##key, 1, words, doc},
#define MUST(option, group, place, key, value, doc)                                                \
  {GPGPUSIM_MUST, option, group, place, "", KEY_##key, 1, value, doc},
#define SAME(option, group, place, value, doc)                                                     \
  {GPGPUSIM_SAME, option, group, place, "", 0, 1, value, doc},
#define OLD(old, now)
#include "config/gpgpusim.def"
};
const unsigned gpgpusim_n_rows = sizeof gpgpusim_rows / sizeof *gpgpusim_rows;

const char *gpgpusim_now(const char *name) {
  static const char *const names[][2] = {
#define NUMBER(...)
#define CLOCK(...)
#define WORD(...)
#define MUST(...)
#define SAME(...)
#define OLD(old, now) {old, now},
#include "config/gpgpusim.def"
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], name) == 0) return names[i][1];
  return name;
}
