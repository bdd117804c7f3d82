/* SPDX-License-Identifier: Apache-2.0 */
/* Parser of files of keys on libinih, driven by a table: see keyfile.h. */
#include "base/keyfile.h"

#include "base/home.h"
#include "base/input.h"
#include "base/names.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KEYFILE_MOST = 1 << 26 };

typedef struct {
  const key_table_t *table;
  uint32_t *v;
  FILE *stream;
  const char *name;
  unsigned line;
  size_t size;                     /* bytes read */
  unsigned seen[KEYFILE_MAX_KEYS]; /* line of the key, 0 while not seen */
  mrpb_err_t *err;
  bool failed;
} reader_t;

void keyfile_defaults(const key_table_t *t, uint32_t *v) {
  for (unsigned i = 0; i < t->n; i++) v[i] = t->keys[i].deflt;
}

static int find_key(const key_table_t *t, const char *name) {
  for (unsigned i = 0; i < t->n; i++)
    if (strcmp(t->keys[i].name, name) == 0) return (int)i;
  return -1;
}

static const char *nearest(const key_table_t *t, const char *name) {
  unsigned best = 0, best_d = UINT32_MAX;
  for (unsigned i = 0; i < t->n; i++) {
    unsigned d = names_distance(name, t->keys[i].name);
    if (d < best_d) best_d = d, best = i;
  }
  return t->keys[best].name;
}

/* No key has this name: the key that had it, or the one with the nearest name. */
static int fail_unknown(const key_table_t *t, const char *name, const char *where,
                        mrpb_err_t *err) {
  for (unsigned i = 0; i < t->n_renamed; i++) {
    int now = strcmp(t->renamed[i].old, name) == 0 ? find_key(t, t->renamed[i].now) : -1;
    char legal[128];
    if (now < 0) continue;
    keyfile_print_legal(&t->keys[now], legal, sizeof legal);
    return mrpb_fail(err, "%s: %s is called %s here; legal: %s", where, name, t->keys[now].name,
                     legal);
  }
  return mrpb_fail(err, "%s: unknown key '%s'; nearest: %s", where, name, nearest(t, name));
}

/* Index of `value` among the words "a|b|c", -1 if it is none of them. */
static int find_word(const char *words, const char *value) {
  size_t n = strlen(value);
  int index = 0;
  for (const char *w = words; n > 0; index++) {
    size_t len = strcspn(w, "|");
    if (len == n && strncmp(w, value, n) == 0) return index;
    if (w[len] == '\0') return -1;
    w += len + 1;
  }
  return -1;
}

/* Stores `value` under key `i` after its checks; `where` starts the message. */
static int store(const key_table_t *t, uint32_t *v, unsigned i, const char *value,
                 const char *where, mrpb_err_t *err) {
  const keyfile_key_t *k = &t->keys[i];
  if (k->words) {
    int w = find_word(k->words, value);
    if (w < 0)
      return mrpb_fail(err, "%s: %s = '%s' is no such word; legal: %s", where, k->name, value,
                       k->words);
    v[i] = (uint32_t)w;
    return 0;
  }
  char *end = NULL;
  errno = 0;
  unsigned long long n = isdigit((unsigned char)value[0]) ? strtoull(value, &end, 10) : 0;
  if (!end || *end != '\0')
    return mrpb_fail(err, "%s: %s = '%s' is not a number; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  if (errno == ERANGE || n < k->min || n > k->max)
    return mrpb_fail(err, "%s: %s = %s is out of range; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  v[i] = (uint32_t)n;
  return 0;
}

/* As fgets; a line that does not fit or that has a byte 0 is an error. */
static bool get_line(reader_t *r, char *text, int size) {
  int n = 0, c = 0;
  while (!r->failed && c != '\n' && (c = getc(r->stream)) != EOF) {
    r->failed = c == '\0' || (n == size - 2 && c != '\n') || ++r->size > KEYFILE_MOST;
    text[n++] = (char)c;
  }
  text[n] = '\0';
  r->line += n > 0;
  if (!r->failed) return n > 0;
  if (c == '\0')
    mrpb_fail(r->err, "%s:%u: a byte 0; legal: text", r->name, r->line);
  else if (r->size > KEYFILE_MOST)
    mrpb_fail(r->err, "%s:%u: too long; legal: %d bytes", r->name, r->line, KEYFILE_MOST);
  else
    mrpb_fail(r->err, "%s:%u: line too long; legal: %d characters", r->name, r->line, size - 2);
  return false;
}

/* One line for libinih, without its comment and outer blanks; a line that libinih would cut is an
 * error. */
static char *read_line(char *text, int size, void *user) {
  reader_t *r = user;
  if (r->failed || !get_line(r, text, size)) return NULL;
  text[strcspn(text, "#\r\n")] = '\0';
  char *from = text + strspn(text, " \t");
  size_t n = strlen(from);
  while (n > 0 && isspace((unsigned char)from[n - 1])) n--;
  memmove(text, from, n);
  text[n] = '\0';
  if (n > 0 && (strchr("[;", text[0]) || !strchr(text, '='))) {
    r->failed = true;
    mrpb_fail(r->err, "%s:%u: '%.60s' is not an assignment; legal: KEY = value", r->name, r->line,
              text);
    return NULL;
  }
  return text;
}

static int take_pair(void *user, const char *section, const char *name, const char *value) {
  reader_t *r = user;
  char where[300];
  (void)section;
  if (r->failed) return 1;
  snprintf(where, sizeof where, "%.280s:%u", r->name, r->line);
  r->failed = true;
  int i = find_key(r->table, name);
  if (i < 0) {
    fail_unknown(r->table, name, where, r->err);
  } else if (r->seen[i]) {
    mrpb_fail(r->err, "%s: %s again, first on line %u; legal: each key once", where, name,
              r->seen[i]);
  } else {
    r->seen[i] = r->line;
    r->failed = store(r->table, r->v, (unsigned)i, value, where, r->err) != 0;
  }
  return 1;
}

static int check_complete(const reader_t *r) {
  unsigned missing = 0, first = 0;
  for (unsigned i = r->table->n; i-- > 0;)
    if (!r->seen[i]) missing++, first = i;
  if (missing)
    return mrpb_fail(r->err, "%s:%u: %s is missing%s; legal: every key of `mrpb help-config`",
                     r->name, r->line, r->table->keys[first].name,
                     missing > 1 ? " (and others)" : "");
  return 0;
}

int keyfile_read(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                 mrpb_err_t *err) {
  uint32_t fresh[KEYFILE_MAX_KEYS];
  reader_t r = {.table = t, .v = fresh, .stream = stream, .name = name, .err = err};
  keyfile_defaults(t, fresh);
  int rc = ini_parse_stream(read_line, &r, take_pair, &r);
  if (r.failed) return -1;
  if (ferror(stream))
    return mrpb_fail(err, "%s: %s; legal: a readable file", name, strerror(errno));
  if (rc != 0) return mrpb_fail(err, "%s:%d: not an assignment; legal: KEY = value", name, rc);
  if (check_complete(&r) != 0 || t->check(fresh, name, err) != 0) return -1;
  memcpy(v, fresh, t->n * sizeof *v);
  return 0;
}

int keyfile_load(const key_table_t *t, uint32_t *v, const char *path, mrpb_err_t *err) {
  char own[FILES_PATH];
  FILE *f = input_open(home_config(own, path), err);
  if (!f) return -1;
  int rc = keyfile_read(t, v, f, path, err);
  fclose(f);
  return rc;
}

int keyfile_set(const key_table_t *t, uint32_t *v, const char *assignment, mrpb_err_t *err) {
  char name[64];
  const char *eq = strchr(assignment, '=');
  size_t n = eq ? (size_t)(eq - assignment) : 0;
  if (n == 0 || n >= sizeof name)
    return mrpb_fail(err, "--set %s: not an assignment; legal: KEY=VALUE", assignment);
  memcpy(name, assignment, n);
  name[n] = '\0';
  int i = find_key(t, name);
  if (i < 0) return fail_unknown(t, name, "--set", err);
  return store(t, v, (unsigned)i, eq + 1, "--set", err);
}
