/* SPDX-License-Identifier: Apache-2.0 */
/* Parses expressions by operator precedence. */
#include "verilog/design/expr.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256, MOST_CHUNKS = 256 };

/* Nodes of both kinds, in chunks that never move. */
typedef struct chunk {
  struct chunk *next;
  unsigned n;
  union {
    expr_t expr;
    step_t step;
  } node[CHUNK];
} chunk_t;

struct expr_pool {
  chunk_t *chunk;
  unsigned n;
};

typedef struct {
  expr_pool_t *pool;
  const char *at;
  unsigned deep;
  mrpb_err_t *err;
} parser_t;

expr_pool_t *expr_pool_open(void) {
  return calloc(1, sizeof(expr_pool_t));
}

void expr_pool_close(expr_pool_t *pool) {
  if (!pool) return;
  for (chunk_t *c = pool->chunk, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(pool);
}

static void *node(parser_t *p) {
  expr_pool_t *pool = p->pool;
  if (!pool->chunk || pool->chunk->n == CHUNK) {
    chunk_t *c = pool->n < MOST_CHUNKS ? calloc(1, sizeof *c) : NULL;
    if (!c) return mrpb_fail(p->err, "more than 65536 operands, or no memory for them"), NULL;
    c->next = pool->chunk;
    pool->chunk = c;
    pool->n++;
  }
  return &pool->chunk->node[pool->chunk->n++];
}

static void skip(parser_t *p) {
  p->at += strspn(p->at, " \t");
}

/* The message says what stands here and what would be legal. */
static void *wrong(parser_t *p, const char *legal) {
  if (p->err->text[0]) return NULL;
  if (p->at[0] == '\0') return mrpb_fail(p->err, "the line ends here; legal: %s", legal), NULL;
  size_t n = isalnum((unsigned char)p->at[0]) ? strcspn(p->at, " \t()[]{}=:?~!&|^+-*/%<>,;") : 1;
  return mrpb_fail(p->err, "'%.*s'; legal here: %s", (int)(n < 40 ? n : 40), p->at, legal), NULL;
}

static bool take(parser_t *p, const char *sign) {
  size_t n = strlen(sign);
  skip(p);
  if (strncmp(p->at, sign, n) != 0) return false;
  p->at += n;
  skip(p);
  return true;
}

static const expr_t *choice(parser_t *p);

static expr_t *make(parser_t *p, expr_kind_t kind, const char *op) {
  expr_t *e = node(p);
  if (!e) return NULL;
  e->kind = kind;
  snprintf(e->op, sizeof e->op, "%s", op);
  return e;
}

/* ---- paths ---- */

static bool begins_name(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

/* An escaped name, up to the next blank: "\count_q[0][1] ". */
static bool escaped_name(parser_t *p, char text[EXPR_NAME_SIZE]) {
  const size_t n = strcspn(p->at + 1, " \t");
  if (n == 0 || n >= EXPR_NAME_SIZE) return wrong(p, "a name"), false;
  memcpy(text, p->at + 1, n);
  text[n] = '\0';
  p->at += n + 1;
  return true;
}

static bool name(parser_t *p, char text[EXPR_NAME_SIZE]) {
  size_t n = 0;
  while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_' || p->at[n] == '$') n++;
  if (!begins_name(p->at[0]) || n >= EXPR_NAME_SIZE) return wrong(p, "a name"), false;
  memcpy(text, p->at, n);
  text[n] = '\0';
  p->at += n;
  return true;
}

static bool step(parser_t *p, step_t *s) {
  if (p->at[0] != '[') {
    s->kind = STEP_NAME;
    s->escaped = p->at[0] == '\\';
    return s->escaped ? escaped_name(p, s->name) : name(p, s->name);
  }
  p->at++;
  s->kind = STEP_INDEX;
  if (!(s->high = choice(p))) return false;
  if (take(p, ":")) {
    s->kind = STEP_RANGE;
    if (!(s->low = choice(p))) return false;
  }
  if (!take(p, "]")) return wrong(p, "]"), false;
  return true;
}

static const step_t *path(parser_t *p) {
  step_t *first = NULL, **end = &first;
  for (unsigned n = 0;; n++) {
    step_t *s = n < EXPR_DEEP ? node(p) : NULL;
    if (!s) return n < EXPR_DEEP ? NULL : wrong(p, "at most 64 names and elements");
    *end = s;
    if (!step(p, s)) return NULL;
    const step_t **next = &s->next;
    end = (step_t **)(void *)next;
    const char *here = p->at;
    skip(p);
    if (p->at[0] == '.' && (begins_name(p->at[1]) || p->at[1] == '\\'))
      p->at++;
    else if (p->at[0] != '[')
      return p->at = here, skip(p), first;
  }
}

/* ---- operands ---- */

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Reads digits of a base from *at on. Returns false if there are none, or if they need more than 64
 * bits. */
static bool digits(const char **at, unsigned base, uint64_t *value) {
  const char *begin = *at;
  for (*value = 0; digit(**at) < (int)base || **at == '_'; ++*at) {
    if (**at == '_') continue;
    const unsigned d = (unsigned)digit(**at);
    if (*value > (UINT64_MAX - d) / base) return *at = begin, false;
    *value = *value * base + d;
  }
  return *at > begin;
}

static const expr_t *number(parser_t *p) {
  expr_t *e = make(p, EXPR_NUMBER, "");
  uint64_t width = 0;
  if (!e) return NULL;
  const bool plain = p->at[0] != '\'' && digits(&p->at, 10, &e->value);
  if (p->at[0] == '\'') {
    const char base = (char)tolower((unsigned char)p->at[1]);
    const unsigned radix = base == 'b'   ? 2
                           : base == 'o' ? 8
                           : base == 'd' ? 10
                           : base == 'h' ? 16
                                         : 0;
    width = plain ? e->value : 0;
    p->at += 2;
    if (radix == 0 || !digits(&p->at, radix, &e->value) || (plain && (width == 0 || width > 64)) ||
        (plain && width < 64 && e->value >> width != 0))
      return wrong(p, "a number of at most 64 bits: 5, 2'b10, 'h1f");
  } else if (!plain) {
    return wrong(p, "a number of at most 64 bits");
  }
  if (isalnum((unsigned char)p->at[0]) || p->at[0] == '_') return wrong(p, "the end of a number");
  e->width = (unsigned)width;
  skip(p);
  return e;
}

static const expr_t *concat(parser_t *p) {
  expr_t *e = make(p, EXPR_CONCAT, "");
  const expr_t *first = choice(p);
  if (!e || !first) return NULL;
  if (take(p, "{")) {
    const expr_t *inner = concat(p);
    if (!inner || !take(p, "}")) return wrong(p, "}");
    e->kind = EXPR_REPEAT;
    e->a = first;
    e->b = inner;
    return e;
  }
  e->a = first;
  for (expr_t *last = (expr_t *)(uintptr_t)first; take(p, ",");
       last = (expr_t *)(uintptr_t)last->next)
    if (!(last->next = choice(p))) return NULL;
  return take(p, "}") ? e : wrong(p, ", or }");
}

static const expr_t *clog2(parser_t *p) {
  expr_t *e = make(p, EXPR_CLOG2, "");
  if (!e || !(e->a = choice(p))) return NULL;
  return take(p, ")") ? e : wrong(p, ")");
}

static const expr_t *operand(parser_t *p) {
  static const char legal[] = "a name, a number, (, {, or one of ~ ! & | ^ -";
  skip(p);
  if (isdigit((unsigned char)p->at[0]) || p->at[0] == '\'') return number(p);
  if (take(p, "(")) {
    const expr_t *e = choice(p);
    return e && !take(p, ")") ? wrong(p, ")") : e;
  }
  if (take(p, "{")) return concat(p);
  if (take(p, "clog2(") || take(p, "$clog2(")) return clog2(p);
  if (!begins_name(p->at[0])) return wrong(p, legal);
  expr_t *e = make(p, EXPR_PATH, "");
  return e && (e->path = path(p)) ? e : NULL;
}

/* ---- operators ---- */

static const expr_t *unary(parser_t *p) {
  static const char *const ops[] = {"~", "!", "&", "|", "^", "-"};
  if (++p->deep > EXPR_DEEP) return wrong(p, "at most 64 operators, one in the other");
  skip(p);
  for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
    if (!take(p, ops[i])) continue;
    expr_t *e = make(p, EXPR_UNARY, ops[i]);
    if (!e || !(e->a = unary(p))) return NULL;
    p->deep--;
    return e;
  }
  const expr_t *e = operand(p);
  p->deep--;
  return e;
}

/* From the loosest to the tightest level; in a row, longer operators come first. */
static const char *const levels[][4] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { LEVELS = sizeof levels / sizeof *levels };

/* The operator of a level at this place. "|" does not match where "||" stands, nor "<" where "<<"
 * stands. */
static const char *operator_here(parser_t *p, unsigned level) {
  skip(p);
  for (unsigned i = 0; i < 4 && levels[level][i]; i++) {
    const char *op = levels[level][i];
    const size_t n = strlen(op);
    if (strncmp(p->at, op, n) != 0) continue;
    if (n == 1 && strchr("|&<>", op[0]) && p->at[1] == op[0]) continue;
    return p->at += n, op;
  }
  return NULL;
}

static const expr_t *binary(parser_t *p, unsigned level) {
  const expr_t *left = level == LEVELS ? unary(p) : binary(p, level + 1);
  for (const char *op; left && level < LEVELS && (op = operator_here(p, level));) {
    expr_t *e = make(p, EXPR_BINARY, op);
    if (!e || !(e->b = binary(p, level + 1))) return NULL;
    e->a = left;
    left = e;
  }
  return left;
}

static const expr_t *choice(parser_t *p) {
  if (++p->deep > EXPR_DEEP) return wrong(p, "at most 64 operators, one in the other");
  const expr_t *e = binary(p, 0);
  if (e && take(p, "?")) {
    expr_t *made = make(p, EXPR_CHOICE, "?");
    if (!made || !(made->b = choice(p))) return NULL;
    if (!take(p, ":")) return wrong(p, ":");
    if (!(made->c = choice(p))) return NULL;
    made->a = e;
    e = made;
  }
  p->deep--;
  skip(p);
  return e;
}

const expr_t *expr_parse(expr_pool_t *pool, const char **text, mrpb_err_t *err) {
  parser_t p = {.pool = pool, .at = *text, .err = err};
  const expr_t *e = choice(&p);
  *text = p.at;
  return e;
}

const step_t *expr_parse_path(expr_pool_t *pool, const char **text, mrpb_err_t *err) {
  parser_t p = {.pool = pool, .at = *text, .err = err};
  skip(&p);
  const step_t *s = path(&p);
  *text = p.at;
  return s;
}
