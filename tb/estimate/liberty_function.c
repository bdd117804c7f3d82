/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of cells, as Liberty writes them: ! ' & * | + ^ and a space for AND. */
#include "estimate/liberty.h"

#include <ctype.h>
#include <string.h>

enum { MAX_PINS = 5, MAX_DEPTH = 64 };

typedef struct {
  const char *at;
  const char *const *name;
  unsigned n, depth;
  bool bad;
} parser_t;

static const uint32_t column[MAX_PINS] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00,
                                          0xffff0000};

static uint32_t parse_or(parser_t *p);

static void skip(parser_t *p) {
  while (isspace((unsigned char)*p->at)) p->at++;
}

static uint32_t parse_name(parser_t *p) {
  size_t n = 0;
  while (isalnum((unsigned char)p->at[n]) || (p->at[n] && strchr("_[]", p->at[n]))) n++;
  const char *word = p->at;
  p->at += n;
  if (n == 1 && word[0] == '0') return 0;
  if (n == 1 && word[0] == '1') return UINT32_MAX;
  for (unsigned i = 0; i < p->n; i++)
    if (strlen(p->name[i]) == n && strncmp(p->name[i], word, n) == 0) return column[i];
  p->bad = true;
  return 0;
}

static uint32_t parse_factor(parser_t *p) {
  uint32_t v;
  skip(p);
  if (++p->depth > MAX_DEPTH || *p->at == '\0') {
    p->bad = true;
    return 0;
  }
  if (*p->at == '!') {
    p->at++;
    v = ~parse_factor(p);
  } else if (*p->at == '(') {
    p->at++;
    v = parse_or(p);
    skip(p);
    if (*p->at == ')')
      p->at++;
    else
      p->bad = true;
  } else {
    v = parse_name(p);
  }
  for (skip(p); *p->at == '\''; skip(p)) {
    v = ~v;
    p->at++;
  }
  p->depth--;
  return v;
}

static uint32_t parse_xor(parser_t *p) {
  uint32_t v = parse_factor(p);
  for (skip(p); !p->bad && *p->at == '^'; skip(p)) {
    p->at++;
    v ^= parse_factor(p);
  }
  return v;
}

static uint32_t parse_and(parser_t *p) {
  uint32_t v = parse_xor(p);
  for (skip(p); !p->bad && *p->at && !strchr(")|+", *p->at); skip(p)) {
    if (*p->at == '&' || *p->at == '*') p->at++;
    v &= parse_xor(p);
  }
  return v;
}

static uint32_t parse_or(parser_t *p) {
  uint32_t v = parse_and(p);
  for (skip(p); !p->bad && (*p->at == '|' || *p->at == '+'); skip(p)) {
    p->at++;
    v |= parse_and(p);
  }
  return v;
}

int64_t liberty_function(const char *function, const char *const *name, unsigned n) {
  if (n > MAX_PINS) return -1;
  parser_t p = {.at = function, .name = name, .n = n};
  uint32_t v = parse_or(&p);
  if (p.bad || *p.at) return -1;
  return n == MAX_PINS ? v : v & ((UINT32_C(1) << (1u << n)) - 1);
}
