/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/reading.h"

#include "base/files.h"
#include "verify/prove/llvm/reserved.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 256, TOKEN = 4096 };

/* A position in a preprocessed text. */
typedef struct {
  const char *at;
  char file[256];
  unsigned line, depth;
  bool system[DEPTH]; /* by depth of inclusion: in a system header */
  mrpb_err_t *err;    /* for errors in the files themselves; NULL: not checked */
} reader_t;

/* `# 12 "file.h" 1 3`: 1 enters a file, 2 returns from it, 3 marks a system file. A system macro
 * used elsewhere shows a 3 without a 1. */
static void read_marker(reader_t *r) {
  char flags[64] = "";
  const bool first = r->file[0] == '\0';
  if (sscanf(r->at, "# %u \"%255[^\"]\"%63[^\n]", &r->line, r->file, flags) < 2) return;
  if (r->err && (first || (strchr(flags, '1') && !strstr(flags, " 3"))))
    (void)reserved_check(r->file, r->err);
  if (strchr(flags, '1') && r->depth + 1 < DEPTH)
    r->system[++r->depth] = strstr(flags, " 3") != NULL;
  else if (strchr(flags, '2') && r->depth > 0)
    r->depth--;
  r->line--; /* the end of this line counts */
}

/* Skips to the next character that is read. */
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

/* Reads the next word, number, string or sign; false at the end. */
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

/* The context in the C text. */
typedef struct {
  unsigned open;       /* parentheses of an attribute, its keyword included; 0 outside */
  unsigned structure;  /* words that may still come before its { */
  unsigned depth;      /* of braces */
  bool members[DEPTH]; /* by depth: inside a structure */
  bool width;          /* the width of a bit-field comes next */
} place_t;

static bool is_word(const char *token) {
  return isalpha((unsigned char)token[0]) || token[0] == '_';
}

/* An attribute, or another promise that compilers trust and nothing checks. */
static bool believed(const char *token, place_t *p) {
  static const char *const anywhere[] = {"restrict", "__restrict", "__restrict__",
                                         "__builtin_assume_aligned", NULL};
  static const char *const legal[] = {"format", "unused",     "noinline", "always_inline",
                                      "cold",   "visibility", "hot",      NULL};
  if (strcmp(token, "__attribute__") == 0 || strcmp(token, "__attribute") == 0) {
    p->open = 1;
    return false;
  }
  if (p->open == 0) return among(token, anywhere);
  const bool name = p->open == 3 && is_word(token);
  if (token[0] == '(') ++p->open;
  if (token[0] == ')' && --p->open == 1) p->open = 0;
  return name && !among(token, legal);
}

/* A bit-field wider than int: gcc computes in the field's width, clang in that of its type. */
static bool too_wide(const char *token, place_t *p) {
  const bool width = p->width;
  p->width = token[0] == ':' && p->members[p->depth];
  if (width) return !isdigit((unsigned char)token[0]) || strtoul(token, NULL, 10) > 32;
  if (token[0] == '{' && p->depth + 1 < DEPTH) {
    p->members[++p->depth] = p->structure > 0;
    p->structure = 0;
  } else if (token[0] == '}' && p->depth > 0) {
    p->depth--;
  } else if (strcmp(token, "struct") == 0 || strcmp(token, "union") == 0) {
    p->structure = 2;
  } else {
    p->structure = is_word(token) && p->structure > 1 ? 1 : 0;
  }
  return false;
}

static void check_token(const reader_t *r, const char *token, place_t *p, mrpb_err_t *err) {
  if (believed(token, p))
    mrpb_fail(err,
              "%s:%u: '%s' is a promise that compilers believe and nothing checks; legal is C "
              "without it, and the attributes format, unused, noinline, always_inline, cold, hot, "
              "visibility",
              r->file, r->line, token);
  if (p->open == 0 && token[0] != ')' && too_wide(token, p))
    mrpb_fail(err,
              "%s:%u: a bit-field of '%s' bits, in which compilers compute with different widths; "
              "legal are numbers up to 32",
              r->file, r->line, token);
}

static int compare(reader_t *a, reader_t *b, mrpb_err_t *err) {
  place_t place = {0};
  char *p = malloc(TOKEN), *q = malloc(TOKEN);
  bool a_begins = true, b_begins = true, same = p && q, more = same;
  while (same && more) {
    more = next(a, &a_begins, p);
    same = next(b, &b_begins, q) == more && (!more || strcmp(p, q) == 0);
    if (more) check_token(a, p, &place, err);
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
    r[0].err = err;
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
