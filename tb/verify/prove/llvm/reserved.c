/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/reserved.h"

#include "base/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 256 };

typedef struct {
  const char *path, *at;
  unsigned line;
  char word[WORD];
  mrpb_err_t *err;
} text_t;

#define NAMES                                                                                      \
  "_Static_assert _Bool _Alignas _Alignof _Atomic _Thread_local _Noreturn __func__ __VA_ARGS__ "   \
  "__cplusplus __attribute__ "
#define BUILTINS                                                                                   \
  "__builtin_ctz __builtin_ctzl __builtin_ctzll __builtin_clz __builtin_clzl __builtin_clzll "     \
  "__builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_expect "                  \
  "__builtin_unreachable __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 "
#define DIRECTIVES "include define undef if ifdef ifndef elif else endif error pragma "
#define PRAGMAS "once GCC"

/* True if `word` is in a list whose words are separated and ended by blanks. */
static bool listed(const char *word, const char *list) {
  const size_t n = strlen(word);
  for (const char *p = list; (p = strstr(p, word)) != NULL; p++)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) return true;
  return false;
}

static int refuse(const text_t *t, const char *what, const char *why) {
  return mrpb_fail(t->err, "%s:%u: '%s' %s", t->path, t->line, what, why);
}

/* Skips line ends that a backslash removes; they may lie within a word. */
static void splice(text_t *t) {
  while (t->at[0] == '\\' && (t->at[1] == '\n' || (t->at[1] == '\r' && t->at[2] == '\n'))) {
    t->at += t->at[1] == '\r' ? 3 : 2;
    t->line++;
  }
}

static char step(text_t *t) {
  const char c = *t->at;
  if (c == '\n') t->line++;
  if (c) t->at++;
  splice(t);
  return c;
}

/* Skips blanks of a line, and comments. */
static void skip_blanks(text_t *t) {
  for (;;) {
    if (*t->at == ' ' || *t->at == '\t' || *t->at == '\f' || *t->at == '\v' || *t->at == '\r') {
      step(t);
    } else if (t->at[0] == '/' && t->at[1] == '*') {
      t->at += 2;
      while (*t->at && !(t->at[0] == '*' && t->at[1] == '/')) step(t);
      if (*t->at) t->at += 2;
      splice(t);
    } else if (t->at[0] == '/' && t->at[1] == '/') {
      while (*t->at && *t->at != '\n') step(t);
    } else {
      return;
    }
  }
}

static void skip_string(text_t *t) {
  const char quote = step(t);
  while (*t->at && *t->at != quote && *t->at != '\n')
    if (step(t) == '\\') step(t);
  if (*t->at == quote) step(t);
}

static bool of_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static void read_word(text_t *t) {
  size_t n = 0;
  while (of_word(*t->at) && n + 1 < WORD) t->word[n++] = step(t);
  t->word[n] = '\0';
}

/* _ alone may be the beginning of a reserved name formed by ##, unless it is glued to the end of
 * another name. */
static bool is_reserved(const char *word, bool glued) {
  if (word[0] != '_') return false;
  if (word[1] == '\0') return !glued;
  return word[1] == '_' || isupper((unsigned char)word[1]);
}

static int check_word(text_t *t, const char *begin) {
  const char *before = t->at;
  while (before > begin && before[-1] == ' ') before--;
  const bool glued = before - begin >= 2 && before[-1] == '#' && before[-2] == '#';
  read_word(t);
  if (strlen(t->word) + 1 == WORD) return refuse(t, t->word, "is longer than 254 characters");
  if (!is_reserved(t->word, glued) || listed(t->word, NAMES) || listed(t->word, BUILTINS)) return 0;
  return refuse(t, t->word,
                "is reserved for compilers, which may differ in it; legal are " NAMES
                "and __builtin_ctz, clz, popcount, expect, unreachable, bswap");
}

/* Skips the rest of a line of text: of #include, where a name may be in <>, and of #error. */
static void skip_line(text_t *t) {
  while (*t->at && *t->at != '\n') step(t);
}

static int check_pragma(text_t *t) {
  skip_blanks(t);
  read_word(t);
  bool legal = t->word[0] && listed(t->word, PRAGMAS);
  if (legal && strcmp(t->word, "GCC") == 0) {
    skip_blanks(t);
    read_word(t);
    legal = strcmp(t->word, "diagnostic") == 0;
  }
  if (legal) return skip_line(t), 0;
  return refuse(t, "#pragma",
                "is for a compiler, and may be another for the next one; legal are "
                "#pragma once and #pragma GCC diagnostic");
}

/* Checks a directive, from the # at the beginning of its line. */
static int check_directive(text_t *t) {
  step(t);
  skip_blanks(t);
  read_word(t);
  if (t->word[0] == '\0' && (*t->at == '\n' || *t->at == '\0')) return 0;
  if (!t->word[0] || !listed(t->word, DIRECTIVES))
    return refuse(t, t->word[0] ? t->word : "#",
                  "is a directive that is not the same everywhere; "
                  "legal are " DIRECTIVES);
  if (strcmp(t->word, "pragma") == 0) return check_pragma(t);
  if (strcmp(t->word, "error") == 0) skip_line(t);
  skip_blanks(t);
  if (strcmp(t->word, "include") == 0 && *t->at == '<') skip_line(t);
  return 0;
}

static int check_text(text_t *t) {
  const char *const begin = t->at;
  bool line_begins = true;
  splice(t);
  while (*t->at) {
    skip_blanks(t);
    int rc = 0;
    const char c = *t->at;
    if (c == '?' && t->at[1] == '?' && t->at[2] && strchr("=/'()!<>-", t->at[2]))
      rc = refuse(t, "??", "begins a trigraph; legal is the sign itself");
    else if (line_begins && (c == '#' || (c == '%' && t->at[1] == ':')))
      rc = c == '#' ? check_directive(t) : refuse(t, "%:", "stands for #; legal is #");
    else if (c == '"' || c == '\'')
      skip_string(t);
    else if (of_word(c))
      rc = check_word(t, begin);
    else
      step(t);
    if (rc != 0) return rc;
    line_begins = c == '\n' || (line_begins && c == '\0');
  }
  return 0;
}

int reserved_check(const char *path, mrpb_err_t *err) {
  char *all = files_read(path, NULL);
  if (!all) return mrpb_fail(err, "%s: cannot be read", path);
  text_t t = {.path = path, .at = all, .line = 1, .err = err};
  const int rc = check_text(&t);
  free(all);
  return rc;
}
