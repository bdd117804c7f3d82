/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of keys with libinih, and the files that they include: see keyfile.h. */
#include "base/keyfile.h"

#include "base/files.h"
#include "base/home.h"
#include "base/input.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <string.h>
#include <sys/stat.h>

enum { KEYFILE_MOST = 1 << 26, KEYFILE_WHERE = 300 };

typedef struct reader reader_t;
struct reader {
  const key_table_t *table;
  uint32_t *v;
  bool *given;        /* the keys that any of the files has */
  bool kept;          /* the text was kept by a store */
  const reader_t *by; /* the file that includes this one; NULL for the first */
  unsigned depth;
  FILE *stream;
  const char *name;
  unsigned line, includes, keys;
  size_t size;                     /* bytes read */
  unsigned seen[KEYFILE_MAX_KEYS]; /* line of the key in this file; 0 until seen */
  mrpb_err_t err;
  bool failed; /* an error occurred: the keys that follow are only counted */
  bool ended;  /* reading has stopped */
  int rc;      /* result of a failed include */
};

static int read_file(reader_t *r, mrpb_err_t *err);

/* ---- includes -------------------------------------------------------------- */

/* True if this file or one that includes it is open on the same file. A text in memory is not a
 * file. */
static bool is_open(const reader_t *r, FILE *stream) {
  struct stat a, b;
  if (fileno(stream) < 0 || fstat(fileno(stream), &a) != 0) return false;
  for (; r; r = r->by)
    if (fileno(r->stream) >= 0 && fstat(fileno(r->stream), &b) == 0 && a.st_dev == b.st_dev &&
        a.st_ino == b.st_ino)
      return true;
  return false;
}

/* Finds an include beside the file that includes it, or among the program's own configurations. */
static bool find_include(const reader_t *r, const char *name, char path[FILES_PATH]) {
  const char *slash = strrchr(r->name, '/');
  const int folder = slash && name[0] != '/' ? (int)(slash - r->name) + 1 : 0;
  if (files_path(path, "%.*s%s", folder, r->name, name) && files_exists(path)) return true;
  return home_own_config(path, name);
}

static int include(reader_t *r, const char *name) {
  char path[FILES_PATH];
  mrpb_err_t why = {""};
  if (r->keys)
    return mrpb_fail(&r->err, "%s:%u: include %s after a key; legal: before the first key", r->name,
                     r->line, name);
  if (!find_include(r, name, path))
    return mrpb_fail(&r->err,
                     "%s:%u: include %s: no such file; legal: a path from this file's folder, or a "
                     "name of configs/",
                     r->name, r->line, name);
  FILE *f = input_open(path, &why);
  if (!f) return mrpb_fail(&r->err, "%s:%u: include %s", r->name, r->line, why.text);
  reader_t inner = {.table = r->table,
                    .v = r->v,
                    .given = r->given,
                    .by = r,
                    .depth = r->depth + 1,
                    .stream = f,
                    .name = path};
  int rc;
  if (is_open(r, f))
    rc = mrpb_fail(&r->err, "%s:%u: include %s: a loop; legal: no file includes itself", r->name,
                   r->line, name);
  else if (inner.depth > KEYFILE_DEPTH)
    rc = mrpb_fail(&r->err, "%s:%u: include %s: too deep; legal: %d includes in each other",
                   r->name, r->line, name, KEYFILE_DEPTH);
  else
    rc = read_file(&inner, &r->err);
  fclose(f);
  return rc;
}

/* The name in "include NAME"; NULL for any other line. */
static const char *included(const char *text) {
  const size_t n = strlen("include");
  if (strncmp(text, "include", n) != 0 || (text[n] && !isblank((unsigned char)text[n])))
    return NULL;
  text += n + strspn(text + n, " \t");
  return *text == '=' ? NULL : text;
}

/* ---- a line ---------------------------------------------------------------- */

/* Like fgets, but a line that does not fit or contains a byte 0 is an error. */
static bool get_line(reader_t *r, char *text, int size) {
  int n = 0, c = 0;
  while (!r->ended && c != '\n' && (c = getc(r->stream)) != EOF) {
    r->ended = c == '\0' || (n == size - 2 && c != '\n') || ++r->size > KEYFILE_MOST;
    text[n++] = (char)c;
  }
  text[n] = '\0';
  r->line += n > 0;
  if (!r->ended) return n > 0;
  if (c == '\0')
    mrpb_fail(&r->err, "%s:%u: a byte 0; legal: text", r->name, r->line);
  else if (r->size > KEYFILE_MOST)
    mrpb_fail(&r->err, "%s:%u: too long; legal: %d bytes", r->name, r->line, KEYFILE_MOST);
  else
    mrpb_fail(&r->err, "%s:%u: line too long; legal: %d characters", r->name, r->line, size - 2);
  return false;
}

/* Gives libinih one line, without its comment and outer blanks; a line that libinih would cut is an
 * error. An include is processed here, and libinih sees an empty line. */
static char *read_line(char *text, int size, void *user) {
  reader_t *r = user;
  if (r->ended || !get_line(r, text, size)) return NULL;
  text[strcspn(text, "#\r\n")] = '\0';
  char *from = text + strspn(text, " \t");
  size_t n = strlen(from);
  while (n > 0 && isspace((unsigned char)from[n - 1])) n--;
  memmove(text, from, n);
  text[n] = '\0';
  const char *name = included(text);
  if (name && name[0]) {
    r->includes++;
    r->rc = include(r, name);
    r->ended = r->rc != 0;
    text[0] = '\0';
  } else if (name || (n > 0 && (strchr("[;", text[0]) || !strchr(text, '=')))) {
    r->ended = true;
    mrpb_fail(&r->err, "%s:%u: '%.60s' is not an assignment; legal: KEY = value, include NAME",
              r->name, r->line, text);
  }
  r->failed |= r->ended;
  return r->ended ? NULL : text;
}

static int take_pair(void *user, const char *section, const char *name, const char *value) {
  reader_t *r = user;
  char where[KEYFILE_WHERE];
  const int i = keyfile_find(r->table, name);
  (void)section;
  r->keys++;
  if (r->failed) return 1;
  snprintf(where, sizeof where, "%.280s:%u", r->name, r->line);
  r->failed = true;
  if (i < 0) {
    keyfile_unknown(r->table, r->v, name, where, &r->err);
  } else if (r->seen[i]) {
    mrpb_fail(&r->err, "%s: %s again, first on line %u; legal: each key once", where, name,
              r->seen[i]);
  } else {
    r->seen[i] = r->line;
    r->given[i] = true;
    r->failed = keyfile_value(&r->table->keys[i], &r->v[i], value, where, &r->err) != 0;
  }
  return 1;
}

/* ---- a file ---------------------------------------------------------------- */

static int read_file(reader_t *r, mrpb_err_t *err) {
  const int line = ini_parse_stream(read_line, r, take_pair, r);
  if (r->failed || r->err.text[0]) {
    mrpb_fail(err, "%s", r->err.text);
    return r->rc ? r->rc : -1;
  }
  if (ferror(r->stream))
    return mrpb_fail(err, "%s: %s; legal: a readable file", r->name, strerror(errno));
  if (line != 0)
    return mrpb_fail(err, "%s:%d: not an assignment; legal: KEY = value", r->name, line);
  return 0;
}

/* The parts are known now. Checks the keys of the first file, and resets keys of others that the
 * thing does not have. */
static int check_parts(reader_t *r, mrpb_err_t *err) {
  const key_table_t *t = r->table;
  if (t->choose) t->choose(r->v, r->given);
  for (unsigned i = 0; i < t->n; i++) {
    const keyfile_key_t k = keyfile_key(t, r->v, i);
    const bool has = keyfile_has(t, r->v, i);
    char where[KEYFILE_WHERE], value[16];
    snprintf(where, sizeof where, "%.280s:%u", r->name, r->seen[i]);
    snprintf(value, sizeof value, "%u", r->v[i]);
    if (!has && r->seen[i]) return keyfile_unknown(t, r->v, k.name, where, err);
    if (!has || !r->given[i])
      r->v[i] = k.deflt;
    else if (r->seen[i] && !k.words && keyfile_value(&k, &r->v[i], value, where, err) != 0)
      return -1;
  }
  return 0;
}

static int check_complete(const reader_t *r, mrpb_err_t *err) {
  const key_table_t *t = r->table;
  unsigned missing = 0, first = 0;
  for (unsigned i = t->n; i-- > 0;)
    if (!r->given[i] && keyfile_has(t, r->v, i) && !(r->kept && t->hashed && !t->hashed(r->v, i)))
      missing++, first = i;
  if (!missing) return 0;
  return mrpb_fail(err, "%s:%u: %s is missing%s; legal: every key of `mrpb help-config`", r->name,
                   r->line, t->keys[first].name, missing > 1 ? " (and others)" : "");
}

static int read_all(const key_table_t *t, uint32_t *v, FILE *stream, const char *name, bool kept,
                    mrpb_err_t *err) {
  uint32_t fresh[KEYFILE_MAX_KEYS];
  bool given[KEYFILE_MAX_KEYS] = {false};
  reader_t r = {
      .table = t, .v = fresh, .given = given, .kept = kept, .stream = stream, .name = name};
  keyfile_defaults(t, fresh);
  if (read_file(&r, err) != 0 || check_parts(&r, err) != 0 || check_complete(&r, err) != 0 ||
      keyfile_check(t, fresh, name, err) != 0 || t->check(fresh, name, err) != 0)
    return -1;
  memcpy(v, fresh, t->n * sizeof *v);
  return 0;
}

int keyfile_read(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                 mrpb_err_t *err) {
  return read_all(t, v, stream, name, false, err);
}

int keyfile_read_kept(const key_table_t *t, uint32_t *v, FILE *stream, const char *name,
                      mrpb_err_t *err) {
  return read_all(t, v, stream, name, true, err);
}

int keyfile_load(const key_table_t *t, uint32_t *v, const char *path, mrpb_err_t *err) {
  char own[FILES_PATH];
  const char *found = home_config(own, path);
  FILE *f = input_open(found, err);
  if (!f) return -1;
  int rc = keyfile_read(t, v, f, found, err);
  fclose(f);
  return rc;
}
