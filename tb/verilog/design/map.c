/* SPDX-License-Identifier: Apache-2.0 */
/* Reads maps, one statement per line. */
#include "verilog/design/map.h"

#include "base/input.h"
#include "base/names.h"
#include "verilog/design/map_stream.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *word;
  map_kind_t kind;
  bool once;
  const char *legal;
} words[] = {
    {"module", MAP_MODULE, true, "module OURS"},
    {"top", MAP_TOP, true, "top THEIRS"},
    {"param", MAP_PARAM, false, "param THEIRS = EXPR"},
    {"clock", MAP_CLOCK, false, "clock THEIRS"},
    {"reset", MAP_RESET, true, "reset THEIRS high|low sync|async"},
    {"in", MAP_IN, false, "in THEIRS = EXPR"},
    {"out", MAP_OUT, false, "out OURS = EXPR"},
    {"late", MAP_LATE, false, "late N OURS..., N from 1 to 16"},
    {"when", MAP_WHEN, false, "when EXPR : OURS..."},
    {"assume", MAP_ASSUME, false, "assume EXPR"},
    {"none", MAP_NONE, false, "none OURS..."},
    {"reg", MAP_REG, false, "reg OURS = [!]PATH"},
    {"show", MAP_SHOW, false, "show PATH"},
    {"after", MAP_AFTER, false, "after EXPR : OURS..."},
    {"stream", MAP_STREAM, false,
     "stream NAME valid=EXPR [ready=EXPR] [payload=EXPR] [tag=EXPR] [of=STREAM] "
     "[latency=free|N|measured], N at most 1000000"},
    {"kind", MAP_KIND, false, "kind NAME when EXPR"},
    {"serve", MAP_SERVE, false, "serve STREAM when EXPR [: PORT = EXPR, ...]"},
    {"size", MAP_SIZE, false, "size OURS = EXPR"},
    {"state", MAP_STATE, false, "state NAME = EXPR, or NAME[HIGH:0] = EXPR"},
    {"hold", MAP_HOLD, true, "hold read"},
    {"off", MAP_OFF, false, "off CLAUSE..."},
};
enum { WORDS = sizeof words / sizeof *words };

typedef struct {
  map_t *m;
  unsigned line;
} reader_t;

/* Reads a name; `more` lists further characters that it may contain. */
static bool word_of(const char **at, const char *more, char word[MAP_NAME]) {
  *at += strspn(*at, " \t");
  size_t n = 0;
  while (isalnum((unsigned char)(*at)[n]) || ((*at)[n] && strchr(more, (*at)[n]))) n++;
  if (n == 0 || n >= MAP_NAME) return false;
  memcpy(word, *at, n);
  word[n] = '\0';
  *at += n;
  *at += strspn(*at, " \t");
  return true;
}

static bool next_word(const char **at, char word[MAP_NAME]) {
  return word_of(at, "_$", word);
}

static map_statement_t *add(reader_t *r, const map_statement_t *like, mrpb_err_t *err) {
  map_t *m = r->m;
  if (m->n == MAP_MOST) return mrpb_fail(err, "more than %d statements", (int)MAP_MOST), NULL;
  m->statement[m->n] = *like;
  return &m->statement[m->n++];
}

/* Adds a statement for each name up to the end of the line. */
static int add_names(reader_t *r, map_statement_t *s, const char **at, mrpb_err_t *err) {
  unsigned n = 0;
  for (; word_of(at, s->kind == MAP_OFF ? "_-" : "_$", s->name); n++)
    if (!add(r, s, err)) return -1;
  return n > 0 ? 0 : mrpb_fail(err, "a name is missing");
}

static int take_equal(const char **at, mrpb_err_t *err) {
  if (**at != '=') return mrpb_fail(err, "= is missing");
  ++*at;
  return 0;
}

static int take_reset(map_statement_t *s, const char **at, mrpb_err_t *err) {
  char level[MAP_NAME] = "", kind[MAP_NAME] = "";
  if (!next_word(at, s->name) || !next_word(at, level) || !next_word(at, kind))
    return mrpb_fail(err, "a word is missing");
  s->high = strcmp(level, "high") == 0;
  s->async = strcmp(kind, "async") == 0;
  if (!s->high && strcmp(level, "low") != 0) return mrpb_fail(err, "'%s'", level);
  if (!s->async && strcmp(kind, "sync") != 0) return mrpb_fail(err, "'%s'", kind);
  return 0;
}

/* Reads an expression, and keeps its text. */
static int take_from(reader_t *r, map_statement_t *s, const char **at, mrpb_err_t *err) {
  const char *begin = *at + strspn(*at, " \t");
  if (!(s->from = expr_parse(r->m->pool, at, err))) return -1;
  snprintf(s->said, sizeof s->said, "%.*s", (int)(*at - begin), begin);
  for (size_t k = strlen(s->said); k > 0 && strchr(" \t", s->said[k - 1]); k--)
    s->said[k - 1] = '\0';
  return 0;
}

/* Reads both sides of an =. */
static int take_pair(reader_t *r, map_statement_t *s, const char **at, mrpb_err_t *err) {
  expr_pool_t *pool = r->m->pool;
  if (s->kind == MAP_PARAM || s->kind == MAP_SIZE) {
    if (!next_word(at, s->name)) return mrpb_fail(err, "a name is missing");
  } else if (!(s->to = expr_parse_path(pool, at, err))) {
    return -1;
  }
  if (take_equal(at, err) != 0) return -1;
  if (s->kind != MAP_REG) return take_from(r, s, at, err);
  *at += strspn(*at, " \t");
  s->inverted = **at == '!' || **at == '~';
  *at += s->inverted;
  return (s->path = expr_parse_path(pool, at, err)) ? 0 : -1;
}

static int take_late(map_statement_t *s, const char **at, mrpb_err_t *err) {
  char *end;
  if (!isdigit((unsigned char)**at)) return mrpb_fail(err, "the cycles are missing");
  const unsigned long cycles = strtoul(*at, &end, 10);
  if (cycles < 1 || cycles > MAP_LATEST)
    return mrpb_fail(err, "%.*s cycles", (int)(end - *at < 20 ? end - *at : 20), *at);
  s->late = (unsigned)cycles;
  *at = end;
  return 0;
}

/* A statement for each port that is given; one without a port if there is none. */
static int take_serve(reader_t *r, map_statement_t *s, const char **at, mrpb_err_t *err) {
  if (map_serve(r->m->pool, s, at, err) != 0) return -1;
  int rc;
  while ((rc = map_serve_port(r->m->pool, s, at, err)) > 0)
    if (!add(r, s, err)) return -1;
  return rc == 0 && !s->to && !add(r, s, err) ? -1 : rc;
}

static int take_rest(reader_t *r, map_statement_t *s, const char **at, mrpb_err_t *err) {
  switch ((int)s->kind) {
  case MAP_LATE:
    return take_late(s, at, err) != 0 ? -1 : add_names(r, s, at, err);
  case MAP_STREAM:
    return map_stream(r->m->pool, s, at, err) != 0 || !add(r, s, err) ? -1 : 0;
  case MAP_SERVE:
    return take_serve(r, s, at, err);
  case MAP_KIND:
    return map_serve(r->m->pool, s, at, err) != 0 || !add(r, s, err) ? -1 : 0;
  case MAP_WHEN:
  case MAP_AFTER:
    if (take_from(r, s, at, err) != 0) return -1;
    if (**at != ':') return mrpb_fail(err, ": is missing");
    ++*at;
    return add_names(r, s, at, err);
  case MAP_SHOW:
    return !(s->path = expr_parse_path(r->m->pool, at, err)) || !add(r, s, err) ? -1 : 0;
  case MAP_ASSUME:
    return take_from(r, s, at, err) != 0 || !add(r, s, err) ? -1 : 0;
  case MAP_NONE:
  case MAP_OFF:
    return add_names(r, s, at, err);
  case MAP_RESET:
    return take_reset(s, at, err) != 0 || !add(r, s, err) ? -1 : 0;
  case MAP_MODULE:
  case MAP_TOP:
  case MAP_CLOCK:
  case MAP_HOLD:
    if (!next_word(at, s->name)) return mrpb_fail(err, "a name is missing");
    return add(r, s, err) ? 0 : -1;
  default:
    return take_pair(r, s, at, err) != 0 || !add(r, s, err) ? -1 : 0;
  }
}

static int unknown(const char *word, mrpb_err_t *err) {
  names_near_t near = names_near(word);
  for (unsigned i = 0; i < WORDS; i++) names_offer(&near, words[i].word);
  return mrpb_fail(
      err,
      "unknown statement '%.40s'%s; legal: module top param clock reset in "
      "out late when after assume none reg show stream serve kind; of the contract size state "
      "hold off",
      word, near.text);
}

/* Cuts the comment off a line, and stores it as the statement's words. */
static void take_comment(char *line, map_statement_t *s) {
  line[strcspn(line, "\r")] = '\0';
  char *comment = strchr(line, '#');
  if (!comment) return;
  *comment++ = '\0';
  comment += strspn(comment, " \t#");
  snprintf(s->words, sizeof s->words, "%s", comment);
}

static int take_line(void *ctx, char *line, mrpb_err_t *err) {
  reader_t *r = ctx;
  char word[MAP_NAME] = "";
  mrpb_err_t why = {""};
  map_statement_t s = {.line = ++r->line};
  take_comment(line, &s);
  const char *at = line + strspn(line, " \t");
  if (*at == '\0') return 0;
  if (!next_word(&at, word)) return unknown(at, err);
  unsigned k = 0;
  while (k < WORDS && strcmp(words[k].word, word) != 0) k++;
  if (k == WORDS) return unknown(word, err);
  s.kind = words[k].kind;
  const map_statement_t *before = words[k].once ? map_one(r->m, s.kind) : NULL;
  if (before) return mrpb_fail(err, "a second '%s', after line %u; legal: one", word, before->line);
  if (take_rest(r, &s, &at, &why) != 0)
    return mrpb_fail(err, "%s; legal: %s", why.text, words[k].legal);
  at += strspn(at, " \t");
  return *at == '\0'
             ? 0
             : mrpb_fail(err, "'%.40s' behind the statement; legal: %s", at, words[k].legal);
}

int map_read(map_t *m, const char *path, mrpb_err_t *err) {
  reader_t r = {.m = m};
  *m = (map_t){.pool = expr_pool_open()};
  m->statement = calloc(MAP_MOST, sizeof *m->statement);
  if (!m->pool || !m->statement) return mrpb_fail(err, "out of memory");
  if (!path) return 0;
  snprintf(m->file, sizeof m->file, "%s", path);
  return input_lines(path, take_line, &r, err);
}

void map_free(map_t *m) {
  expr_pool_close(m->pool);
  free(m->statement);
  *m = (map_t){.pool = NULL};
}

unsigned map_lines(const map_t *m) {
  unsigned n = 0;
  for (unsigned i = 0; i < m->n; i++)
    n += i == 0 || m->statement[i].line != m->statement[i - 1].line;
  return n;
}

const map_statement_t *map_one(const map_t *m, map_kind_t kind) {
  for (unsigned i = 0; i < m->n; i++)
    if (m->statement[i].kind == kind) return &m->statement[i];
  return NULL;
}

int map_fail(const map_t *m, const map_statement_t *s, mrpb_err_t *err, const char *format, ...) {
  char text[sizeof err->text];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  return mrpb_fail(err, "%s:%u: %s", m->file, s->line, text);
}
