/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/reading.h"

#include "base/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 256, TOKEN = 4096 };

/* A place in a preprocessed text. */
typedef struct {
  const char *at;
  char file[256];
  unsigned line, depth;
  bool system[DEPTH]; /* by depth of inclusion: a header of the system */
} reader_t;

/* `# 12 "file.h" 1 3`: 1 goes into a file, 2 back out of it, 3 says that it is the system's. A
 * macro of the system's, used elsewhere, shows a 3 without a 1. */
static void read_marker(reader_t *r) {
  char flags[64] = "";
  if (sscanf(r->at, "# %u \"%255[^\"]\"%63[^\n]", &r->line, r->file, flags) < 2) return;
  if (strchr(flags, '1') && r->depth + 1 < DEPTH)
    r->system[++r->depth] = strstr(flags, " 3") != NULL;
  else if (strchr(flags, '2') && r->depth > 0)
    r->depth--;
  r->line--; /* the end of this line counts */
}

/* To the next character that is read. */
static void skip(reader_t *r, bool *line_begins) {
  while (*r->at) {
    if (*line_begins && *r->at == '#') read_marker(r);
    if (r->system[r->depth] || (*line_begins && *r->at == '#')) {
      while (*r->at && *r->at != '\n') r->at++;
    } else if (!isspace((unsigned char)*r->at)) {
      return;
    }
    *line_begins = *r->at == '\n';
    if (*r->at == '\n') r->line++;
    if (*r->at) r->at++;
  }
}

static size_t length_of(const char *p) {
  size_t n = 1;
  if (*p == '"' || *p == '\'') {
    while (p[n] && p[n] != *p && p[n] != '\n') n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return p[n] == *p ? n + 1 : n;
  }
  if (isalnum((unsigned char)*p) || *p == '_')
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
  return n;
}

/* The next word, number, string or sign; false at the end. */
static bool next(reader_t *r, bool *line_begins, char *token) {
  char *end;
  skip(r, line_begins);
  size_t n = *r->at ? length_of(r->at) : 0;
  if (n == 0) return false;
  *line_begins = false;
  if (isdigit((unsigned char)*r->at)) { /* 0x7fffffff is 2147483647 */
    unsigned long long value = strtoull(r->at, &end, 0);
    snprintf(token, TOKEN, "%llu%.*s", value, (int)(r->at + n - end), end);
  } else {
    snprintf(token, TOKEN, "%.*s", (int)n, r->at);
  }
  r->at += n;
  return true;
}

static bool among(const char *token, const char *const *words) {
  while (*words && strcmp(token, *words) != 0) words++;
  return *words != NULL;
}

/* Whether a compiler takes the token for a promise and draws conclusions from it, which nothing
 * checks. `open` counts the parentheses of an attribute, 0 outside. */
static bool believed(const char *token, unsigned *open) {
  static const char *const anywhere[] = {"restrict", "__restrict", "__restrict__",
                                         "__builtin_assume_aligned", NULL};
  static const char *const inside[] = {
      "pure",     "__pure__",        "const",          "__const__",   "malloc", "alias",
      "optimize", "returns_nonnull", "assume_aligned", "alloc_align", "weak",   NULL};
  if (strcmp(token, "__attribute__") == 0 || strcmp(token, "__attribute") == 0) *open = 1;
  if (*open == 0) return among(token, anywhere);
  if (token[0] == '(') ++*open;
  if (token[0] == ')' && --*open == 1) *open = 0;
  return among(token, inside);
}

static int compare(reader_t *a, reader_t *b, mrpb_err_t *err) {
  unsigned open = 0;
  char *p = malloc(TOKEN), *q = malloc(TOKEN);
  bool a_begins = true, b_begins = true, same = p && q, more = same;
  while (same && more) {
    more = next(a, &a_begins, p);
    same = next(b, &b_begins, q) == more && (!more || strcmp(p, q) == 0);
    if (more && believed(p, &open))
      mrpb_fail(err,
                "%s:%u: '%s' is a promise that compilers believe and nothing checks; legal is "
                "C without it",
                a->file, a->line, p);
  }
  free(p);
  free(q);
  if (same) return err->text[0] ? -1 : 0;
  return mrpb_fail(err,
                   "%s:%u: gcc, which compiles simulations, and clang, which compiles for the "
                   "proof, do not read the same; legal is text without conditions on a "
                   "compiler",
                   a->file, a->line);
}

int reading_compare(const char *gcc, const char *clang, mrpb_err_t *err) {
  char *g = files_read(gcc, NULL), *c = files_read(clang, NULL);
  reader_t *r = calloc(2, sizeof *r);
  int rc = -1;
  if (g && c && r) {
    r[0].at = g;
    r[1].at = c;
    rc = compare(&r[0], &r[1], err);
  } else {
    mrpb_fail(err, "%s: no preprocessed text there", gcc);
  }
  free(g);
  free(c);
  free(r);
  return rc;
}
