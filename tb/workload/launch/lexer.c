/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a line of a launch file into tokens: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool starts_name(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$';
}

static bool in_name(char c) {
  return starts_name(c) || isdigit((unsigned char)c);
}

/* The next n characters are the token. */
static void take(launch_reader_t *r, launch_token_kind_t kind, size_t n) {
  r->token.kind = kind;
  if (n >= sizeof r->token.text) n = sizeof r->token.text - 1; /* lines are not longer */
  memcpy(r->token.text, r->at, n);
  r->token.text[n] = '\0';
  r->at += n;
}

static void string(launch_reader_t *r) {
  const size_t n = strcspn(r->at + 1, "\"");
  if (r->at[n + 1] != '"' || n == 0) {
    mrpb_fail(r->err, n ? "a quote is not closed" : "an empty name");
    r->token.kind = LAUNCH_BAD;
    return;
  }
  r->at++;
  take(r, LAUNCH_STRING, n);
  r->at++;
}

/* 12, 0x1f, 1.5, 1e-3, .5; "1.." is not a number. */
static void number(launch_reader_t *r) {
  const char *const at = r->at;
  const bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  char *end = NULL;
  size_t n = hex ? 2 + strspn(at + 2, "0123456789abcdefABCDEF") : strspn(at, "0123456789");
  errno = 0;
  if (!hex && (at[n] == '.' || at[n] == 'e' || at[n] == 'E')) {
    r->token.value = launch_real(strtod(at, &end));
    n = (size_t)(end - at);
  } else {
    const unsigned long long v = strtoull(at, &end, hex ? 16 : 10);
    r->token.value = launch_integer((int64_t)v);
    if (errno == ERANGE || (!hex && v > INT64_MAX)) {
      mrpb_fail(r->err, "%.40s: legal: integers of 64 bits", at);
      end = NULL;
    }
  }
  if (end != at + n || in_name(at[n]) || at[n] == '.') {
    mrpb_fail(r->err, "%.40s: not a number; legal: 12, 0x1f, 1.5, 1e-3", at);
    r->token.kind = LAUNCH_BAD;
    return;
  }
  take(r, LAUNCH_NUMBER, n);
}

static void sign(launch_reader_t *r) {
  static const struct {
    char text[3];
    unsigned sign;
  } pairs[] = {{"<=", LAUNCH_LE},  {">=", LAUNCH_GE},  {"==", LAUNCH_EQ},  {"!=", LAUNCH_NE},
               {"<<", LAUNCH_SHL}, {">>", LAUNCH_SHR}, {"&&", LAUNCH_AND}, {"||", LAUNCH_OR}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (strncmp(r->at, pairs[i].text, 2) != 0) continue;
    r->token.sign = pairs[i].sign;
    take(r, LAUNCH_SIGN, 2);
    return;
  }
  if (!strchr("()[]{},=+-*/%&|^~!<>?:", *r->at)) {
    if ((unsigned char)*r->at < 127)
      mrpb_fail(r->err, "'%.1s': not a character of a launch file", r->at);
    else
      mrpb_fail(r->err, "a byte 0x%02x: not a character of a launch file", (unsigned char)*r->at);
    r->token.kind = LAUNCH_BAD;
    return;
  }
  r->token.sign = (unsigned char)*r->at;
  take(r, LAUNCH_SIGN, 1);
}

void launch_next(launch_reader_t *r) {
  if (r->token.kind == LAUNCH_BAD) return;
  r->at += strspn(r->at, " \t\r");
  const char c = *r->at;
  size_t n = 0;
  if (c == '\0' || c == '#') {
    take(r, LAUNCH_LINE_END, 0);
  } else if (c == '"') {
    string(r);
  } else if (starts_name(c)) {
    while (in_name(r->at[n])) n++;
    take(r, LAUNCH_IDENTIFIER, n);
  } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r->at[1]))) {
    number(r);
  } else {
    sign(r);
  }
}

bool launch_is_sign(const launch_reader_t *r, unsigned s) {
  return r->token.kind == LAUNCH_SIGN && r->token.sign == s;
}

bool launch_is_word(const launch_reader_t *r, const char *word) {
  return r->token.kind == LAUNCH_IDENTIFIER && strcmp(r->token.text, word) == 0;
}

bool launch_take_sign(launch_reader_t *r, unsigned s) {
  if (!launch_is_sign(r, s)) return false;
  launch_next(r);
  return true;
}

bool launch_take_word(launch_reader_t *r, const char *word) {
  if (!launch_is_word(r, word)) return false;
  launch_next(r);
  return true;
}

int launch_expected(launch_reader_t *r, const char *wanted) {
  if (r->token.kind == LAUNCH_BAD) return -1;
  if (r->token.kind == LAUNCH_LINE_END)
    return mrpb_fail(r->err, "the line ends where %s is expected", wanted);
  return mrpb_fail(r->err, "'%.60s' found where %s is expected", r->token.text, wanted);
}

int launch_need_sign(launch_reader_t *r, unsigned s, const char *wanted) {
  return launch_take_sign(r, s) ? 0 : launch_expected(r, wanted);
}
