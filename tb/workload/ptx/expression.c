/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions with the operators of C: 64-bit integers, signed unless an operand is
 * unsigned. */
#include "workload/ptx/parse.h"

#include <string.h>

/* Binding strengths of operators: `? :`, products, signs. */
enum { TERNARY = 1, PRODUCT = 11, TIGHT = 12, MAX_DEPTH = 100 };

typedef struct {
  uint64_t bits;
  bool is_unsigned;
} value_t;

typedef enum {
  OP_NONE,
  OP_OR_ELSE,
  OP_AND_ALSO,
  OP_OR,
  OP_XOR,
  OP_AND,
  OP_EQ,
  OP_NE,
  OP_LE,
  OP_GE,
  OP_LT,
  OP_GT,
  OP_SHL,
  OP_SHR,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_REM
} operator_t;

/* Longer operators come first, so they match first; `level` is the binding strength. */
static const struct {
  const char *text;
  operator_t op;
  uint8_t level;
} operators[] = {{"||", OP_OR_ELSE, 2},  {"&&", OP_AND_ALSO, 3}, {"==", OP_EQ, 7},
                 {"!=", OP_NE, 7},       {"<=", OP_LE, 8},       {">=", OP_GE, 8},
                 {"<<", OP_SHL, 9},      {">>", OP_SHR, 9},      {"|", OP_OR, 4},
                 {"^", OP_XOR, 5},       {"&", OP_AND, 6},       {"<", OP_LT, 8},
                 {">", OP_GT, 8},        {"+", OP_ADD, 10},      {"-", OP_SUB, 10},
                 {"*", OP_MUL, PRODUCT}, {"/", OP_DIV, PRODUCT}, {"%", OP_REM, PRODUCT}};

/* The lexer may take `%` for the first character of a name. */
static bool is_remainder(const token_t *t) {
  return t->kind == TOKEN_NAME && *t->at == '%' &&
         (t->length == 1 || (t->at[1] >= '0' && t->at[1] <= '9'));
}

/* The index of the operator that begins with the current token, if its level is at least `level`;
 * otherwise -1. Its characters must be adjacent. */
static int find_operator(const parser_t *p, unsigned level) {
  if (p->tok.kind != TOKEN_PUNCT && !is_remainder(&p->tok)) return -1;
  for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++) {
    const size_t n = strlen(operators[i].text);
    if ((size_t)(p->end - p->tok.at) >= n && memcmp(p->tok.at, operators[i].text, n) == 0)
      return operators[i].level >= level ? (int)i : -1;
  }
  return -1;
}

/* Signed division in two's complement: overflow wraps around. */
static uint64_t divide(operator_t op, value_t a, value_t b) {
  if (a.is_unsigned || b.is_unsigned) return op == OP_DIV ? a.bits / b.bits : a.bits % b.bits;
  const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
  if (y == -1) return op == OP_DIV ? 0 - a.bits : 0;
  return (uint64_t)(op == OP_DIV ? x / y : x % y);
}

static uint64_t shift(operator_t op, value_t a, uint64_t by) {
  const bool negative = !a.is_unsigned && a.bits >> 63;
  if (by > 63) return op == OP_SHR && negative ? UINT64_MAX : 0;
  if (op == OP_SHL) return a.bits << by;
  return a.bits >> by | (negative && by ? UINT64_MAX << (64 - by) : 0);
}

static bool compare(operator_t op, value_t a, value_t b) {
  const uint64_t flip = a.is_unsigned || b.is_unsigned ? 0 : UINT64_C(1) << 63;
  const uint64_t x = a.bits ^ flip, y = b.bits ^ flip;
  switch ((int)op) {
  case OP_EQ:
    return x == y;
  case OP_NE:
    return x != y;
  case OP_LE:
    return x <= y;
  case OP_GE:
    return x >= y;
  case OP_LT:
    return x < y;
  default:
    return x > y;
  }
}

static value_t apply(operator_t op, value_t a, value_t b) {
  value_t r = {0, a.is_unsigned || b.is_unsigned};
  switch ((int)op) {
  case OP_OR_ELSE:
    return (value_t){a.bits || b.bits, false};
  case OP_AND_ALSO:
    return (value_t){a.bits && b.bits, false};
  case OP_OR:
    return r.bits = a.bits | b.bits, r;
  case OP_XOR:
    return r.bits = a.bits ^ b.bits, r;
  case OP_AND:
    return r.bits = a.bits & b.bits, r;
  case OP_SHL:
  case OP_SHR:
    return (value_t){shift(op, a, b.bits), a.is_unsigned};
  case OP_ADD:
    return r.bits = a.bits + b.bits, r;
  case OP_SUB:
    return r.bits = a.bits - b.bits, r;
  case OP_MUL:
    return r.bits = a.bits * b.bits, r;
  case OP_DIV:
  case OP_REM:
    return r.bits = divide(op, a, b), r;
  default:
    return (value_t){compare(op, a, b), false};
  }
}

static int expression(parser_t *p, value_t *v, unsigned level, unsigned depth);

/* Reads `(4)`, or a cast `(.s64)` with its operand. */
static int in_parentheses(parser_t *p, value_t *v, unsigned level, unsigned depth) {
  const bool is_unsigned = lexer_spells(&p->tok, "u64");
  if (p->tok.kind != TOKEN_DOT)
    return expression(p, v, TERNARY, depth) || ptx_expect(p, ')', "in a constant expression");
  if (!is_unsigned && !lexer_spells(&p->tok, "s64"))
    return ptx_fail(p, p->tok.line, "a cast in a constant expression; legal: (.s64) (.u64)");
  ptx_next(p);
  if (ptx_expect(p, ')', "after a cast") || expression(p, v, level, depth)) return -1;
  v->is_unsigned = is_unsigned;
  return 0;
}

/* Reads a number, an expression in parentheses, or a sign with its operand. */
static int primary(parser_t *p, value_t *v, unsigned depth) {
  char shown[PTX_SHOWN];
  const token_t t = p->tok;
  if (depth > MAX_DEPTH) return ptx_fail(p, t.line, "parentheses nested more than 100 deep");
  if (ptx_accept(p, '(')) return in_parentheses(p, v, TIGHT, depth + 1);
  for (const char *sign = "+-~!"; *sign; sign++) {
    if (!ptx_accept(p, *sign)) continue;
    if (expression(p, v, TIGHT, depth + 1)) return -1;
    if (*sign == '-') v->bits = 0 - v->bits;
    if (*sign == '~') v->bits = ~v->bits;
    if (*sign == '!') *v = (value_t){!v->bits, false};
    return 0;
  }
  if (lexer_spells(&t, "WARP_SZ"))
    *v = (value_t){WARP_LANES, false};
  else if (t.kind == TOKEN_INT)
    *v = (value_t){t.bits, t.bits > INT64_MAX || t.at[t.length - 1] == 'U'};
  else
    return ptx_fail(p, t.line, "%s found where an operand is expected", ptx_show(&t, shown));
  ptx_next(p);
  return 0;
}

/* Reads `? a : b` behind a condition. */
static int choice(parser_t *p, value_t *v, unsigned depth) {
  value_t a, b;
  if (expression(p, &a, TERNARY, depth + 1) || ptx_expect(p, ':', "after '?'") ||
      expression(p, &b, TERNARY, depth + 1))
    return -1;
  *v = (value_t){v->bits ? a.bits : b.bits, a.is_unsigned || b.is_unsigned};
  return 0;
}

/* Reads operators whose level is at least `level`. */
static int expression(parser_t *p, value_t *v, unsigned level, unsigned depth) {
  if (primary(p, v, depth)) return -1;
  for (int i; (i = find_operator(p, level)) >= 0;) {
    value_t right;
    const uint32_t line = p->tok.line;
    p->at = p->tok.at + strlen(operators[i].text);
    ptx_next(p);
    if (expression(p, &right, operators[i].level + 1u, depth + 1)) return -1;
    if ((operators[i].op == OP_DIV || operators[i].op == OP_REM) && right.bits == 0)
      return ptx_fail(p, line, "a division by 0 in a constant expression");
    *v = apply(operators[i].op, *v, right);
  }
  return level <= TERNARY && ptx_accept(p, '?') ? choice(p, v, depth) : 0;
}

int ptx_expression(parser_t *p, uint64_t *value) {
  value_t v = {0, false};
  if (expression(p, &v, TERNARY, 0)) return -1;
  *value = v.bits;
  return 0;
}

int ptx_product(parser_t *p, uint64_t *value) {
  value_t v = {0, false};
  if (expression(p, &v, PRODUCT, 0)) return -1;
  *value = v.bits;
  return 0;
}
