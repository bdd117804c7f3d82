/* SPDX-License-Identifier: Apache-2.0 */
/* See template.h. Lines are copied one by one; the lines of a block are run from their place in the
 * template, as often as its head says. */
#include "workload/ptx/template.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, WORD = 32, NAMES = 48, MACROS = 24, ARGUMENTS = 4, BLOCKS = 12 };

typedef struct {
  const char *at, *end;
} span_t;

typedef struct {
  char name[WORD];
  int64_t number;
  const char *words; /* NULL: the number counts */
} name_t;

typedef struct {
  char name[WORD], parameters[LINE];
  span_t body;
} macro_t;

typedef struct {
  ptx_template_fn find;
  FILE *to;
  name_t name[NAMES]; /* those in sight, the innermost last */
  size_t n;
  macro_t macro[MACROS];
  size_t n_macros;
  int64_t count;
  unsigned depth;
  const char *template, *line; /* for messages */
  mrpb_err_t *err;
} run_t;

static int fail(const run_t *r, const char *what) {
  return mrpb_fail(r->err, "template %s: '%.60s': %s", r->template, r->line, what);
}

/* ---- expressions -------------------------------------------------------------------- */

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const name_t *find_name(const run_t *r, const char *name, size_t n) {
  for (size_t i = r->n; i > 0; i--)
    if (strncmp(r->name[i - 1].name, name, n) == 0 && !r->name[i - 1].name[n])
      return &r->name[i - 1];
  return NULL;
}

typedef struct {
  const char *sign;
  int level; /* how strongly it binds */
} operator_t;

/* Of two that begin alike, the longer one is first. */
static const operator_t operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4},
                                       {">=", 4}, {"<<", 5}, {">>", 5}, {"<", 4},  {">", 4},
                                       {"+", 6},  {"-", 6},  {"*", 7},  {"/", 7},  {"%", 7}};
enum { OPERATORS = sizeof operators / sizeof *operators, STRONGEST = 8 };

static int64_t apply(const char *sign, int64_t a, int64_t b) {
  switch (sign[0]) {
  case '|':
    return a || b;
  case '&':
    return a && b;
  case '=':
    return a == b;
  case '!':
    return a != b;
  case '<':
    return sign[1] == '<' ? a << b : sign[1] ? a <= b : a < b;
  case '>':
    return sign[1] == '>' ? a >> b : sign[1] ? a >= b : a > b;
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return b ? a / b : 0;
  default:
    return b ? a % b : 0;
  }
}

static bool expression(const run_t *r, const char **at, int level, int64_t *v);

/* A number, a name, or an expression in parentheses. False if it is none. */
static bool operand(const run_t *r, const char **at, int64_t *v) {
  const char *c = *at;
  size_t n = 0;
  if (*c == '!' || *c == '(') {
    ++*at;
    if (!expression(r, at, *c == '!' ? STRONGEST : 1, v)) return false;
    if (*c == '!') *v = !*v;
    return *c == '!' || *(*at)++ == ')';
  }
  while (is_name(c[n])) n++;
  *at = c + n;
  if (isdigit((unsigned char)*c)) return *v = strtoll(c, NULL, 10), true;
  if (n == strlen("count") && strncmp(c, "count", n) == 0) return *v = r->count, true;
  const name_t *value = n ? find_name(r, c, n) : NULL;
  if (!value || value->words) return false;
  *v = value->number;
  return true;
}

static const operator_t *find_operator(const char *at, int level) {
  for (unsigned i = 0; i < OPERATORS; i++)
    if (strncmp(at, operators[i].sign, strlen(operators[i].sign)) == 0)
      return operators[i].level >= level ? &operators[i] : NULL;
  return NULL;
}

static bool expression(const run_t *r, const char **at, int level, int64_t *v) {
  const operator_t *o;
  if (!operand(r, at, v)) return false;
  while ((o = find_operator(*at, level))) {
    int64_t right;
    *at += strlen(o->sign);
    if (!expression(r, at, o->level + 1, &right)) return false;
    *v = apply(o->sign, *v, right);
  }
  return true;
}

/* The whole of `text` as a number. */
static bool number_of(const run_t *r, const char *text, int64_t *v) {
  return expression(r, &text, 1, v) && !*text;
}

/* ---- lines -------------------------------------------------------------------------- */

/* Writes the value behind a $, and passes it: of a name, or of an expression in parentheses. */
static int value(const run_t *r, const char **at, char *to, size_t size) {
  const bool apart = **at == '(';
  const char *c = *at + apart;
  size_t n = 0;
  int64_t number;
  while (is_name(c[n])) n++;
  const name_t *v = !apart || c[n] == ')' ? find_name(r, c, n) : NULL;
  if (v && v->words) {
    *at = c + n + apart;
    snprintf(to, size, "%s", v->words);
    return 0;
  }
  if (!operand(r, at, &number)) return fail(r, "no name or expression that has a value");
  snprintf(to, size, "%" PRId64, number);
  return 0;
}

/* Puts the values in. If it is a line of statements, each then has its own line. */
static int fill_in(run_t *r, const char *line, bool statements, char to[LINE]) {
  size_t n = 0;
  bool counts = statements && line[strspn(line, " ")] != '.';
  for (const char *c = line; *c && n + WORD < LINE; to[n] = '\0') {
    to[n] = '\0';
    if (*c == '$') {
      c++;
      if (value(r, &c, to + n, LINE - n) != 0) return -1;
      n += strlen(to + n);
    } else if (statements && c[0] == ';' && c[1] == ' ') {
      n += (size_t)snprintf(to + n, LINE - n, ";\n  ");
      for (c++; *c == ' ';) c++;
      r->count += counts;
      counts = *c != '.';
    } else {
      to[n++] = *c++;
    }
  }
  r->count += counts;
  return n + WORD < LINE ? 0 : fail(r, "too long");
}

/* The length of a label or of an opening brace that statements follow on the same line; 0: none. */
static size_t in_front(const char *line) {
  const size_t n = line[0] == '{' ? 1 : strcspn(line, " :") + 1;
  return line[0] != ' ' && strncmp(line + n - 1, line[0] == '{' ? "{  " : ":  ", 3) == 0 ? n : 0;
}

static int write_line(run_t *r, const char *line) {
  char text[LINE];
  const size_t front = in_front(line);
  if (front) {
    snprintf(text, sizeof text, "%.*s", (int)front, line);
    if (write_line(r, text) != 0) return -1;
    line += front;
  }
  const bool statements = line[0] == ' ';
  if (fill_in(r, line, statements, text) != 0) return -1;
  return fprintf(r->to, "%s\n", text) < 0 ? fail(r, "cannot be written") : 0;
}

static bool next_line(span_t *from, char line[LINE]) {
  if (from->at >= from->end) return false;
  const char *end = memchr(from->at, '\n', (size_t)(from->end - from->at));
  if (!end) end = from->end;
  snprintf(line, LINE, "%.*s", (int)(end - from->at), from->at);
  from->at = end < from->end ? end + 1 : end;
  return true;
}

/* ---- blocks ------------------------------------------------------------------------- */

static int run(run_t *r, span_t body);

static bool begins(const char *line, const char *word) {
  const size_t n = strlen(word);
  return strncmp(line, word, n) == 0 && !is_name(line[n]);
}

/* The lines from *from to the #end of this block, which is passed; *other has those after #else. */
static int block(const run_t *r, span_t *from, span_t *inner, span_t *other) {
  char line[LINE];
  unsigned open = 1;
  bool divided = false;
  *inner = *other = (span_t){from->at, from->at};
  for (const char *at = from->at; next_line(from, line); at = from->at) {
    const bool head = begins(line, "#if") || begins(line, "#repeat");
    open += begins(line, "#macro") || (head && !strchr(line, ':'));
    open -= begins(line, "#end");
    if (open == 0 || (open == 1 && begins(line, "#else"))) {
      *(divided ? &other->end : &inner->end) = at;
      if (open == 0) return 0;
      divided = true;
      other->at = other->end = from->at;
    }
  }
  return fail(r, "has no #end");
}

/* Splits at blanks; returns how many words there are, at most `most`. */
static unsigned split(char *text, char **word, unsigned most) {
  unsigned n = 0;
  for (char *w = strtok_r(text, " ", &text); w && n < most; w = strtok_r(NULL, " ", &text))
    word[n++] = w;
  return n;
}

static int define(run_t *r, const char *head, span_t *from) {
  macro_t *m = &r->macro[r->n_macros];
  span_t none;
  if (r->n_macros == MACROS) return fail(r, "too many macros");
  const size_t n = strcspn(head, " ");
  snprintf(m->name, sizeof m->name, "%.*s", (int)n, head);
  snprintf(m->parameters, sizeof m->parameters, "%s", head + n);
  r->n_macros++;
  return block(r, from, &m->body, &none);
}

static int add_name(run_t *r, const char *name, int64_t number, const char *words) {
  if (r->n == NAMES) return fail(r, "too many names");
  name_t *n = &r->name[r->n++];
  *n = (name_t){.number = number, .words = words};
  snprintf(n->name, sizeof n->name, "%s", name);
  return 0;
}

static int let(run_t *r, char *head) {
  char *word[2];
  int64_t v;
  if (split(head, word, 2) != 2 || !number_of(r, word[1], &v))
    return fail(r, "legal: #let NAME EXPRESSION");
  return add_name(r, word[0], v, NULL);
}

static int call(run_t *r, char *head) {
  char parameters[LINE], *argument[ARGUMENTS + 1], *parameter[ARGUMENTS];
  const unsigned given = split(head, argument, ARGUMENTS + 1);
  const macro_t *m = NULL;
  for (size_t i = 0; given && i < r->n_macros && !m; i++)
    if (strcmp(r->macro[i].name, argument[0]) == 0) m = &r->macro[i];
  if (!m) return fail(r, "no such macro");
  snprintf(parameters, sizeof parameters, "%s", m->parameters);
  const unsigned wanted = split(parameters, parameter, ARGUMENTS);
  if (wanted != given - 1) return fail(r, "another number of arguments");
  ptx_value_t v[ARGUMENTS] = {{0}};
  for (unsigned i = 0; i < wanted; i++)
    if (!number_of(r, argument[i + 1], &v[i].number)) v[i].words = argument[i + 1];
  for (unsigned i = 0; i < wanted; i++)
    if (add_name(r, parameter[i], v[i].number, v[i].words) != 0) return -1;
  const int rc = run(r, m->body);
  r->n -= wanted;
  return rc;
}

static int repeat(run_t *r, char *head, span_t body) {
  char *word[3];
  const unsigned n = split(head, word, 3);
  int64_t from = 0, to = 0;
  int rc = 0;
  if (n < 2 || !number_of(r, word[n - 1], &to) || (n == 3 && !number_of(r, word[1], &from)))
    return fail(r, "legal: #repeat NAME [FROM] TO");
  for (int64_t i = from; rc == 0 && i < to; i++) {
    if (add_name(r, word[0], i, NULL) != 0) return -1;
    rc = run(r, body);
    r->n--;
  }
  return rc;
}

/* A block with a condition or a repetition, whose lines are the rest of its head or follow it. */
static int block_of(run_t *r, char *head, span_t *from) {
  const bool condition = begins(head, "if");
  char *line = strchr(head, ':');
  span_t inner, other = {head, head};
  int64_t v;
  if (line) {
    *line++ = '\0';
    line += line[0] == ' ' && line[1] == '#';
    inner = (span_t){line, line + strlen(line)};
  } else if (block(r, from, &inner, &other) != 0) {
    return -1;
  }
  head += strcspn(head, " ");
  if (!condition) return repeat(r, head, inner);
  if (!number_of(r, head + strspn(head, " "), &v)) return fail(r, "no expression of known names");
  return run(r, v ? inner : other);
}

static int include(run_t *r, const char *name) {
  size_t n;
  const char *text = r->find(name, &n);
  return text ? run(r, (span_t){text, text + n}) : fail(r, "no such template");
}

static int directive(run_t *r, char *line, span_t *from) {
  char head[LINE];
  if (begins(line, "if") || begins(line, "repeat")) return block_of(r, line, from);
  if (begins(line, "let")) return let(r, line + strlen("let "));
  if (begins(line, "macro")) return define(r, line + strlen("macro "), from);
  if (fill_in(r, line, false, head) != 0) return -1;
  if (begins(head, "include")) return include(r, head + strlen("include "));
  return call(r, head);
}

static int run(run_t *r, span_t body) {
  char line[LINE];
  const size_t before = r->n;
  int rc = ++r->depth > BLOCKS ? fail(r, "blocks too deep") : 0;
  while (rc == 0 && next_line(&body, line)) {
    r->line = line;
    if (!line[0] || strncmp(line, "//", 2) == 0) continue;
    rc = line[0] == '#' ? directive(r, line + 1, &body) : write_line(r, line);
  }
  r->depth--;
  r->n = before;
  return rc;
}

int ptx_template_write(const char *name, ptx_template_fn find, const ptx_value_t *values, FILE *to,
                       mrpb_err_t *err) {
  run_t *r = calloc(1, sizeof *r);
  if (!r) return mrpb_fail(err, "template %s: out of memory", name);
  *r = (run_t){.find = find, .to = to, .template = name, .line = name, .err = err};
  int rc = 0;
  for (; rc == 0 && values->name; values++)
    rc = add_name(r, values->name, values->number, values->words);
  if (rc == 0) rc = include(r, name);
  free(r);
  return rc;
}
