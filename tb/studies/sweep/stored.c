/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the points of a store for callers that have no list of them. */
#include "studies/sweep/store_state.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRAM, NAME, OPTIONS, CONFIGURATION, TEXT };

/* Splits the options, which the list has quoted, into words inside `text`. Returns how many there
 * are. */
static unsigned words_of(char *text, const char *word[SWEEP_MOST_WORDS]) {
  unsigned n = 0;
  for (char *at = text; *at && n < SWEEP_MOST_WORDS;) {
    const char end = *at == '\'' ? '\'' : ' ';
    if (end == '\'') at++;
    word[n++] = at;
    at += strcspn(at, end == '\'' ? "'" : " ");
    if (*at) *at++ = '\0';
    if (end == '\'' && *at == ' ') at++;
  }
  return n;
}

static int read_config(const sweep_store_t *s, const char *hash, const char *text, config_t *cfg,
                       mrpb_err_t *err) {
  char name[FILENAME_MAX];
  snprintf(name, sizeof name, "%s: configuration %s", s->path, hash);
  FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  if (!f) return mrpb_fail(err, "%s: out of memory", name);
  const int rc = config_read_kept(cfg, f, name, err);
  fclose(f);
  return rc;
}

static int add_row(const sweep_store_t *s, sweep_list_t *l, sqlite3_stmt *q, mrpb_err_t *err) {
  const char *column[TEXT + 1], *word[SWEEP_MOST_WORDS];
  config_t cfg;
  for (int i = PROGRAM; i <= TEXT; i++) {
    column[i] = (const char *)sqlite3_column_text(q, i);
    if (!column[i])
      return mrpb_fail(err, "%s: %s", s->path,
                       sqlite3_column_type(q, i) == SQLITE_NULL ? "a point without a name"
                                                                : "out of memory");
  }
  if (read_config(s, column[CONFIGURATION], column[TEXT], &cfg, err) != 0) return -1;
  char *options = strdup(column[OPTIONS]);
  if (!options) return mrpb_fail(err, "%s: out of memory", s->path);
  const unsigned n = words_of(options, word);
  const int program =
      sweep_list_program(l, column[NAME], word, n, false, strtoull(column[PROGRAM], NULL, 16), err);
  free(options);
  return program < 0 ? -1 : sweep_list_add(l, (unsigned)program, &cfg, err);
}

int sweep_store_list(sweep_store_t *s, sweep_list_t *l, mrpb_err_t *err) {
  if (!s) return 0;
  sqlite3_stmt *q = store_statement(s, STORE_LIST, err);
  if (!q) return -1;
  sqlite3_bind_int(q, 1, SWEEP_RESULTS_VERSION);
  int rc;
  while ((rc = sqlite3_step(q)) == SQLITE_ROW)
    if (add_row(s, l, q, err) != 0) break;
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) (void)store_fail(s, err);
  sqlite3_reset(q);
  return rc == SQLITE_DONE ? 0 : -1;
}
