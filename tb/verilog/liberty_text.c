/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/liberty_text.h"

#include "base/compress.h"
#include "base/files.h"
#include "base/grow.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 28 };

void liberty_text_open(liberty_text_t *t, const char *path, const char *text, FILE *copy,
                       mrpb_err_t *err) {
  *t = (liberty_text_t){
      .path = path, .text = text, .at = text, .copied = text, .copy = copy, .err = err};
}

int liberty_text_broken(const liberty_text_t *t, const char *what) {
  unsigned line = 1;
  for (const char *p = t->text; p < t->at; p++) line += *p == '\n';
  return mrpb_fail(t->err, "%s:%u: %s; legal: a Liberty file", t->path, line, what);
}

static void skip(liberty_text_t *t) {
  for (;;) {
    if (isspace((unsigned char)*t->at) || *t->at == '\\') {
      t->at++;
    } else if (t->at[0] == '/' && t->at[1] == '*') {
      const char *end = strstr(t->at + 2, "*/");
      t->at = end ? end + 2 : t->at + strlen(t->at);
    } else if (t->at[0] == '/' && t->at[1] == '/') {
      t->at += strcspn(t->at, "\n");
    } else {
      return;
    }
  }
}

/* Reads a name or a value: a word, or a quoted text; cut to LIBERTY_WORD - 1 characters. Returns
 * whether it was quoted. */
static bool take_word(liberty_text_t *t, const char *ends, char word[LIBERTY_WORD]) {
  skip(t);
  bool quoted = *t->at == '"';
  if (quoted) t->at++;
  size_t n = quoted ? strcspn(t->at, "\"") : strcspn(t->at, ends);
  const char *from = t->at;
  t->at += n;
  if (quoted && *t->at) t->at++;
  while (n && isspace((unsigned char)from[n - 1])) n--;
  if (n >= LIBERTY_WORD) n = LIBERTY_WORD - 1;
  memcpy(word, from, n);
  word[n] = '\0';
  return quoted;
}

/* Reads the arguments of a group or of a complex attribute, and keeps the first two. */
static int take_arguments(liberty_text_t *t, char first[LIBERTY_WORD], char second[LIBERTY_WORD]) {
  first[0] = second[0] = '\0';
  t->at++;
  for (unsigned i = 0;; i++) {
    char word[LIBERTY_WORD];
    take_word(t, ",() \t\r\n", word);
    if (i == 0) memcpy(first, word, LIBERTY_WORD);
    if (i == 1) memcpy(second, word, LIBERTY_WORD);
    skip(t);
    if (*t->at == ',') {
      t->at++;
    } else if (*t->at == ')') {
      t->at++;
      return 0;
    } else if (*t->at == '\0' || *t->at == ';' || *t->at == '{' || *t->at == '(') {
      return liberty_text_broken(t, "arguments without an end");
    }
  }
}

/* ---- files ---- */

char *liberty_text_load(const char *path, size_t *size, mrpb_err_t *err) {
  compress_in_t *in = NULL;
  char *text = NULL;
  size_t room = 0;
  long got = 0;
  mrpb_err_t why = {""};
  *size = 0;
  if (files_is_folder(path)) {
    mrpb_fail(err, "%s: cannot read: %s; legal: a Liberty file", path, strerror(EISDIR));
    return NULL;
  }
  if (access(path, R_OK) != 0 || compress_in_open(&in, path, &why) != 0) {
    mrpb_fail(err, "%s: cannot read: %s; legal: a Liberty file", path,
              why.text[0] ? why.text : strerror(errno));
    return NULL;
  }
  do {
    char *more = *size < TEXT_MOST ? grow(text, *size + (1 << 16) + 1, &room, 1) : NULL;
    if (!more) {
      mrpb_fail(err, "%s: %s", path, *size < TEXT_MOST ? "out of memory" : "more than 256 MB");
      got = -2;
      break;
    }
    text = more;
    got = compress_in_read(in, text + *size, 1 << 16, &why);
    if (got > 0) *size += (size_t)got;
  } while (got > 0);
  if (got == -1) mrpb_fail(err, "%s: cannot read: %s; legal: a Liberty file", path, why.text);
  compress_in_close(in);
  if (got < 0) {
    free(text);
    return NULL;
  }
  text[*size] = '\0';
  return text;
}

static int absolute(const char *path, char full[FILES_PATH], mrpb_err_t *err) {
  char here[FILES_PATH] = "";
  if (path[0] != '/' && !getcwd(here, sizeof here))
    return mrpb_fail(err, "%s: cannot read: %s; legal: a Liberty file", path, strerror(errno));
  int length = snprintf(full, FILES_PATH, "%s%s%s", here, here[0] ? "/" : "", path);
  if (length < 0 || length >= FILES_PATH)
    return mrpb_fail(err, "%.80s...: the path is too long; legal: a Liberty file", path);
  return 0;
}

int liberty_text_files(const char *files, int (*each)(void *ctx, const char *path, mrpb_err_t *err),
                       void *ctx, mrpb_err_t *err) {
  for (const char *at = files;; at++) {
    char path[FILES_PATH], full[FILES_PATH];
    const size_t n = strcspn(at, ",");
    if (n == 0 || n >= sizeof path)
      return mrpb_fail(err, "%.80s: legal: Liberty files, separated by commas", files);
    snprintf(path, sizeof path, "%.*s", (int)n, at);
    if (absolute(path, full, err) != 0 || each(ctx, full, err) != 0) return -1;
    at += n;
    if (!*at) return 0;
  }
}

/* ---- the copy ---- */

static void copy_to(liberty_text_t *t, const char *to) {
  if (to > t->copied && t->copy) fwrite(t->copied, 1, (size_t)(to - t->copied), t->copy);
  t->copied = to;
}

void liberty_text_keep(liberty_text_t *t) {
  for (size_t i = 0; i < t->n_quotes; i++) {
    copy_to(t, t->quote[i]);
    if (t->copy) fputc('"', t->copy);
  }
  t->n_quotes = 0;
  copy_to(t, t->at);
}

void liberty_text_drop(liberty_text_t *t, const char *from) {
  t->n_quotes = 0;
  copy_to(t, from);
  t->copied = t->at;
}

void liberty_text_close(liberty_text_t *t) {
  free(t->quote);
  t->quote = NULL;
}

/* Yosys reads an expression without quotes only if it is one word. */
static int quote(liberty_text_t *t, const char *name, const char *from, const char *value) {
  static const char *const expressions[] = {
      "clear",           "preset",      "next_state", "clocked_on",
      "clocked_on_also", "data_in",     "enable",     "function",
      "three_state",     "enable_also", "when"};
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  unsigned i = 0;
  if (!t->copy) return 0;
  while (i < sizeof expressions / sizeof *expressions && strcmp(expressions[i], name) != 0) i++;
  if (i == sizeof expressions / sizeof *expressions || value[strspn(value, plain)] == '\0')
    return 0;
  const char **more = grow(t->quote, t->n_quotes + 2, &t->quote_room, sizeof *more);
  if (!more) return mrpb_fail(t->err, "out of memory");
  t->quote = more;
  from += strspn(from, " \t");
  const char *end = t->at;
  while (end > from && isspace((unsigned char)end[-1])) end--;
  t->quote[t->n_quotes++] = from;
  t->quote[t->n_quotes++] = end;
  return 0;
}

/* ---- statements ---- */

int liberty_text_library(liberty_text_t *t, char name[LIBERTY_WORD]) {
  char word[LIBERTY_WORD], more[LIBERTY_WORD];
  take_word(t, "( \t\r\n", word);
  skip(t);
  if (strcmp(word, "library") != 0 || *t->at != '(')
    return liberty_text_broken(t, "no `library (`");
  if (take_arguments(t, name, more) != 0) return -1;
  skip(t);
  if (*t->at != '{') return liberty_text_broken(t, "no `{` after `library (...)`");
  t->at++;
  return 0;
}

static int take_rest(liberty_text_t *t, liberty_statement_t *s) {
  s->kind = LIBERTY_ATTRIBUTE;
  s->first[0] = s->second[0] = '\0';
  if (*t->at == ':') {
    const char *from = ++t->at;
    if (!take_word(t, ";}\n", s->first) && quote(t, s->name, from, s->first) != 0) return -1;
  } else if (*t->at == '(') {
    s->kind = LIBERTY_COMPLEX;
    if (take_arguments(t, s->first, s->second) != 0) return -1;
    skip(t);
    if (*t->at == '{') {
      t->at++;
      s->kind = LIBERTY_GROUP;
      return 1;
    }
  } else {
    return liberty_text_broken(t, "neither an attribute nor a group");
  }
  skip(t);
  if (*t->at == ';') t->at++;
  return 1;
}

int liberty_text_next(liberty_text_t *t, liberty_statement_t *s) {
  for (;;) {
    skip(t);
    if (*t->at == '\0') return liberty_text_broken(t, "the file ends inside a group");
    if (*t->at == '}') {
      t->at++;
      return 0;
    }
    if (*t->at != ';') break;
    t->at++;
  }
  s->from = t->at;
  take_word(t, ":(){};, \t\r\n", s->name);
  skip(t);
  return take_rest(t, s);
}
