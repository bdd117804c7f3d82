/* SPDX-License-Identifier: Apache-2.0 */
/* Splits PTX text into tokens, and writes messages with their place in the text. */
#include "workload/ptx/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int ptx_fail(parser_t *p, uint32_t line, const char *fmt, ...) {
  char text[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return mrpb_fail(p->err, "%.80s:%u: %s", p->name, (unsigned)line, text);
}

int ptx_no_memory(parser_t *p, uint32_t line) {
  p->exhausted = true;
  return ptx_fail(p, line, "out of memory");
}

const char *ptx_show(const token_t *t, char out[PTX_SHOWN]) {
  if (t->kind == TOKEN_END) return "the end of the text";
  size_t n = t->length < PTX_SHOWN - 6 ? t->length : PTX_SHOWN - 6, at = 0;
  out[at++] = '\'';
  if (t->kind == TOKEN_DOT) out[at++] = '.';
  for (size_t i = 0; i < n; i++)
    out[at++] = (char)(isprint((unsigned char)t->at[i]) ? t->at[i] : '?');
  if (n < t->length) out[at++] = '~';
  out[at++] = '\'';
  out[at] = '\0';
  return out;
}

bool lexer_spells(const token_t *t, const char *text) {
  return strlen(text) == t->length && memcmp(t->at, text, t->length) == 0;
}

int ptx_expect(parser_t *p, char punct, const char *where) {
  char shown[PTX_SHOWN];
  if (ptx_accept(p, punct)) return 0;
  return ptx_fail(p, p->tok.line, "'%c' is missing %s, before %s", punct, where,
                  ptx_show(&p->tok, shown));
}

bool ptx_accept(parser_t *p, char punct) {
  if (!ptx_token_is(&p->tok, punct)) return false;
  ptx_next(p);
  return true;
}

static int bad(parser_t *p, const char *what) {
  p->tok.kind = TOKEN_BAD;
  return ptx_fail(p, p->line, "%s", what);
}

/* Skips white space and comments. */
static int skip(parser_t *p) {
  while (p->at < p->end) {
    size_t left = (size_t)(p->end - p->at);
    if (*p->at == '\n') {
      p->line++;
      p->at++;
    } else if (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\f') {
      p->at++;
    } else if (left >= 2 && p->at[0] == '/' && p->at[1] == '/') {
      const char *eol = memchr(p->at, '\n', left);
      p->at = eol ? eol : p->end;
    } else if (left >= 2 && p->at[0] == '/' && p->at[1] == '*') {
      uint32_t from = p->line;
      for (p->at += 2; p->at + 1 < p->end && !(p->at[0] == '*' && p->at[1] == '/'); p->at++)
        if (*p->at == '\n') p->line++;
      if (p->at + 1 >= p->end) {
        p->tok.kind = TOKEN_BAD;
        return ptx_fail(p, from, "the comment that begins here does not end");
      }
      p->at += 2;
    } else {
      return 0;
    }
  }
  return 0;
}

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool starts_name(char c) {
  return is_name(c) || c == '%';
}

/* Reads 0f3F800000 or 0d3FF0000000000000. */
static bool hex_float(parser_t *p) {
  size_t left = (size_t)(p->end - p->at), digits;
  if (left < 2 || p->at[0] != '0') return false;
  char c = (char)tolower((unsigned char)p->at[1]);
  if (c != 'f' && c != 'd') return false;
  digits = c == 'f' ? 8 : 16;
  const char *from = p->at;
  uint64_t v = 0;
  size_t n = 0;
  for (p->at += 2; p->at < p->end && isxdigit((unsigned char)*p->at); p->at++, n++)
    v = v << 4 |
        (uint64_t)(isdigit((unsigned char)*p->at) ? *p->at - '0'
                                                  : tolower((unsigned char)*p->at) - 'a' + 10);
  p->tok = (token_t){TOKEN_FLOAT, from, (size_t)(p->at - from), p->line, (uint8_t)(digits / 2), v};
  if (n != digits || (p->at < p->end && is_name(*p->at)))
    bad(p, c == 'f' ? "0f needs 8 hexadecimal digits" : "0d needs 16 hexadecimal digits");
  return true;
}

/* Reads decimal floating point; its text is `from` to p->at. */
static void decimal_float(parser_t *p, const char *from) {
  char text[64], *stop;
  while (p->at < p->end &&
         (is_name(*p->at) || *p->at == '.' ||
          ((*p->at == '-' || *p->at == '+') && tolower((unsigned char)p->at[-1]) == 'e')))
    p->at++;
  size_t n = (size_t)(p->at - from);
  p->tok = (token_t){TOKEN_FLOAT, from, n, p->line, 8, 0};
  if (n >= sizeof text) {
    bad(p, "number too long");
    return;
  }
  memcpy(text, from, n);
  text[n] = '\0';
  double v = strtod(text, &stop);
  if (*stop) bad(p, "malformed number");
  memcpy(&p->tok.bits, &v, sizeof v);
}

/* Value of a digit in any base. */
static unsigned digit(char c) {
  if (isdigit((unsigned char)c)) return (unsigned)(c - '0');
  return isalpha((unsigned char)c) ? (unsigned)(tolower((unsigned char)c) - 'a' + 10) : 99;
}

static void number(parser_t *p) {
  const char *from = p->at;
  unsigned base = 10;
  if (hex_float(p)) return;
  if (*p->at == '0' && p->at + 1 < p->end) {
    char c = (char)tolower((unsigned char)p->at[1]);
    base = c == 'x' ? 16 : c == 'b' ? 2 : isdigit((unsigned char)c) ? 8 : 10;
    if (base == 16 || base == 2) p->at += 2;
  }
  uint64_t v = 0;
  bool overflow = false;
  const char *first = p->at;
  for (; p->at < p->end && digit(*p->at) < base; p->at++) {
    overflow |= v > (UINT64_MAX - digit(*p->at)) / base;
    v = v * base + digit(*p->at);
  }
  if (p->at < p->end && base != 16 && base != 2 &&
      (*p->at == '.' || *p->at == 'e' || *p->at == 'E')) {
    decimal_float(p, from);
    return;
  }
  bool empty = p->at == first;
  if (p->at < p->end && *p->at == 'U') p->at++;
  p->tok = (token_t){TOKEN_INT, from, (size_t)(p->at - from), p->line, 0, v};
  if (empty || (p->at < p->end && is_name(*p->at))) bad(p, "malformed number");
  if (overflow) bad(p, "number of more than 64 bits");
}

static void string(parser_t *p) {
  const char *from = ++p->at;
  while (p->at < p->end && *p->at != '"' && *p->at != '\n' && *p->at != '\0') p->at++;
  p->tok = (token_t){TOKEN_STRING, from, (size_t)(p->at - from), p->line, 0, 0};
  if (p->at == p->end || *p->at != '"')
    bad(p, "the string does not end on this line");
  else
    p->at++;
}

/* Whether `.x` follows the name of a vector of registers that begins at `from`. */
static bool names_element(const parser_t *p, const char *from) {
  if (!p->body || !p->body->n_vectors || p->end - p->at < 2 || *p->at != '.') return false;
  if (ptx_element(p->at[1]) < 0 || (p->end - p->at > 2 && is_name(p->at[2]))) return false;
  return ptx_vector_register(p->body, from, (size_t)(p->at - from)) != NULL;
}

void ptx_next(parser_t *p) {
  if (p->tok.kind == TOKEN_BAD || skip(p)) return;
  const char *from = p->at;
  p->tok = (token_t){TOKEN_END, from, 0, p->line, 0, 0};
  if (p->at == p->end) return;
  if (isdigit((unsigned char)*p->at)) {
    number(p);
  } else if (starts_name(*p->at)) {
    for (p->at++; p->at < p->end && is_name(*p->at);) p->at++;
    p->tok.kind = TOKEN_NAME;
    if (names_element(p, from)) p->at += 2;
    p->tok.length = (size_t)(p->at - from);
  } else if (*p->at == '.' && p->at + 1 < p->end && is_name(p->at[1])) {
    for (p->at++; p->at < p->end && (is_name(*p->at) || *p->at == ':');) p->at++;
    p->tok.kind = TOKEN_DOT;
    p->tok.at = from + 1;
    p->tok.length = (size_t)(p->at - from) - 1;
    if (p->tok.length >= PTX_NAME) bad(p, "a word of more than 255 characters");
  } else if (*p->at == '"') {
    string(p);
  } else if (*p->at == '\0') {
    bad(p, "a NUL byte; PTX is text");
  } else if (!isprint((unsigned char)*p->at)) {
    bad(p, "a byte that is not printable ASCII");
  } else {
    p->at++;
    p->tok.kind = TOKEN_PUNCT;
    p->tok.length = 1;
  }
}

void ptx_skip_line(parser_t *p) {
  uint32_t line = p->tok.line;
  while (p->tok.line == line && p->tok.kind != TOKEN_END && p->tok.kind != TOKEN_BAD) ptx_next(p);
}
