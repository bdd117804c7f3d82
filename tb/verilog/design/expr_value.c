/* SPDX-License-Identifier: Apache-2.0 */
/* Constants, widths, Verilog text and values of expressions. */
#include "verilog/design/expr.h"

#include "bits.h"

#include <inttypes.h>
#include <string.h>

static bool is(const expr_t *e, const char *op) {
  return strcmp(e->op, op) == 0;
}

/* Whether the operator is in a list of operators separated by blanks. */
static bool among(const expr_t *e, const char *list) {
  for (const char *at = list; *at; at += strspn(at, " ")) {
    const size_t n = strcspn(at, " ");
    if (strlen(e->op) == n && strncmp(at, e->op, n) == 0) return true;
    at += n;
  }
  return false;
}

/* The name, if the path is a single name. */
static const char *plain_name(const expr_t *e) {
  return e->kind == EXPR_PATH && !e->path->next ? e->path->name : NULL;
}

static bool constant_name(const expr_t *e, const scope_t *s, uint64_t *value) {
  const char *name = plain_name(e);
  return name && s->constant && s->constant(s->ctx, name, value);
}

/* ---- values ---- */

static uint64_t clog2(uint64_t v) {
  uint64_t n = 0;
  while (n < 64 && (UINT64_C(1) << n) < v) n++;
  return n;
}

static uint64_t binary(const expr_t *e, uint64_t a, uint64_t b) {
  switch (e->op[0]) {
  case '|':
    return e->op[1] ? a || b : a | b;
  case '&':
    return e->op[1] ? a && b : a & b;
  case '^':
    return a ^ b;
  case '=':
    return a == b;
  case '!':
    return a != b;
  case '<':
    return is(e, "<<") ? (b < 64 ? a << b : 0) : is(e, "<=") ? a <= b : a < b;
  case '>':
    return is(e, ">>") ? (b < 64 ? a >> b : 0) : is(e, ">=") ? a >= b : a > b;
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  default: /* division by 0 is x in Verilog */
    return b == 0 ? 0 : e->op[0] == '/' ? a / b : a % b;
  }
}

int expr_constant(const expr_t *e, const scope_t *s, uint64_t *value, mrpb_err_t *err) {
  uint64_t a = 0, b = 0;
  if (constant_name(e, s, value)) return 0;
  switch ((int)e->kind) {
  case EXPR_NUMBER:
    return *value = e->value, 0;
  case EXPR_BINARY:
    if (expr_constant(e->a, s, &a, err) != 0 || expr_constant(e->b, s, &b, err) != 0) return -1;
    if (b == 0 && (is(e, "/") || is(e, "%"))) return mrpb_fail(err, "a division by 0");
    return *value = binary(e, a, b), 0;
  case EXPR_CHOICE:
    if (expr_constant(e->a, s, &a, err) != 0) return -1;
    return expr_constant(a ? e->b : e->c, s, value, err);
  case EXPR_CLOG2:
    if (expr_constant(e->a, s, &a, err) != 0) return -1;
    return *value = clog2(a), 0;
  case EXPR_PATH:
    return mrpb_fail(err, "'%s' is no parameter of ours and no number", e->path->name);
  default:
    if (e->kind != EXPR_UNARY || !among(e, "! -"))
      return mrpb_fail(
          err,
          "%s: not in a constant; legal: numbers, parameters of ours, + - * / %% << >>, "
          "comparisons, ?:, clog2()",
          e->op[0] ? e->op : "{}");
    if (expr_constant(e->a, s, &a, err) != 0) return -1;
    return *value = is(e, "!") ? !a : -a, 0;
  }
}

/* ---- widths ---- */

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

/* Whether an operand has an explicit size, as it must in a concatenation. */
static bool sized(const expr_t *e, const scope_t *s) {
  uint64_t v;
  if (constant_name(e, s, &v) || e->kind == EXPR_CLOG2) return false;
  if (e->kind == EXPR_NUMBER) return e->width > 0;
  if (e->kind == EXPR_UNARY && among(e, "~ -")) return sized(e->a, s);
  if (e->kind == EXPR_CHOICE) return sized(e->b, s) && sized(e->c, s);
  if (e->kind == EXPR_BINARY && among(e, "| & ^ + - * / %"))
    return sized(e->a, s) && sized(e->b, s);
  if (e->kind == EXPR_BINARY && among(e, "<< >>")) return sized(e->a, s);
  return true;
}

unsigned expr_bits(uint64_t value) {
  unsigned n = 1;
  while (n < 64 && value >> n != 0) n++;
  return n;
}

/* An operator on constants alone is written as its value, so no bit is lost. -8'd1 is left to
 * Verilog. */
static bool folded(const expr_t *e, const scope_t *s, uint64_t *value) {
  mrpb_err_t unheard = {""};
  const bool minus = e->kind == EXPR_UNARY && is(e, "-") && sized(e->a, s);
  return (e->kind == EXPR_UNARY || e->kind == EXPR_BINARY || e->kind == EXPR_CHOICE) && !minus &&
         expr_constant(e, s, value, &unheard) == 0;
}

bool expr_unsized(const expr_t *e, const scope_t *s, uint64_t *value) {
  mrpb_err_t unheard = {""};
  return expr_constant(e, s, value, &unheard) == 0 && !sized(e, s);
}

static int find_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err);

static int concat_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err) {
  *width = 0;
  for (const expr_t *part = e->a; part; part = part->next) {
    unsigned w;
    if (find_width(part, s, &w, err) != 0) return -1;
    if (!sized(part, s))
      return mrpb_fail(err, "a number without a size between { and }; legal: 2'd0");
    *width += w;
    if (*width > EXPR_WIDEST) return mrpb_fail(err, "more than %d bits", (int)EXPR_WIDEST);
  }
  return 0;
}

static int repeat_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err) {
  uint64_t times;
  if (expr_constant(e->a, s, &times, err) != 0 || find_width(e->b, s, width, err) != 0) return -1;
  if (times == 0 || times * *width > EXPR_WIDEST || times > EXPR_WIDEST)
    return mrpb_fail(err, "{%" PRIu64 "{...}}: legal: 1 to %d bits", times, (int)EXPR_WIDEST);
  *width *= (unsigned)times;
  return 0;
}

static int operand_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err) {
  uint64_t value = e->value;
  signal_t signal;
  if (e->kind == EXPR_NUMBER && e->width > 0) return *width = e->width, 0;
  if (e->kind == EXPR_CLOG2 && expr_constant(e->a, s, &value, err) != 0) return -1;
  if (e->kind == EXPR_CLOG2) value = clog2(value);
  if (e->kind != EXPR_PATH || constant_name(e, s, &value)) return *width = expr_bits(value), 0;
  if (s->signal(s->ctx, e->path, &signal, err) != 0) return -1;
  return *width = signal.width, 0;
}

static bool by_zero(const expr_t *e, const scope_t *s) {
  uint64_t by;
  mrpb_err_t unheard = {""};
  return (is(e, "/") || is(e, "%")) && expr_constant(e->b, s, &by, &unheard) == 0 && by == 0;
}

/* The width of an operator with its operands, by Verilog's rules. */
static int operator_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err) {
  unsigned a = 1, b = 1, c = 1;
  if (find_width(e->a, s, &a, err) != 0 || (e->b && find_width(e->b, s, &b, err) != 0) ||
      (e->c && find_width(e->c, s, &c, err) != 0))
    return -1;
  if (e->kind == EXPR_BINARY && by_zero(e, s)) return mrpb_fail(err, "a division by 0");
  if (e->kind == EXPR_CHOICE) return *width = larger(b, c), 0;
  if (e->kind == EXPR_UNARY) return *width = among(e, "~ -") ? a : 1, 0;
  *width = among(e, "<< >>") ? a : among(e, "| & ^ + - * / %") ? larger(a, b) : 1;
  return 0;
}

static int find_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err) {
  uint64_t value;
  if (e->kind == EXPR_CONCAT) return concat_width(e, s, width, err);
  if (e->kind == EXPR_REPEAT) return repeat_width(e, s, width, err);
  if (e->kind == EXPR_NUMBER || e->kind == EXPR_PATH || e->kind == EXPR_CLOG2)
    return operand_width(e, s, width, err);
  if (operator_width(e, s, width, err) != 0) return -1;
  if (folded(e, s, &value)) *width = larger(sized(e, s) ? *width : 1, expr_bits(value));
  return 0;
}

/* ---- what Verilog computes in more bits ---- */

static unsigned width_of(const expr_t *e, const scope_t *s) {
  unsigned width = 1;
  mrpb_err_t unheard = {""};
  (void)find_width(e, s, &width, &unheard);
  return width;
}

/* The width that Verilog itself uses: a number without a size has 32 bits. */
static unsigned own_width(const expr_t *e, const scope_t *s) {
  uint64_t v;
  if (expr_unsized(e, s, &v)) return v > INT32_MAX ? 64 : 32;
  if (e->kind == EXPR_CHOICE) return larger(own_width(e->b, s), own_width(e->c, s));
  if (e->kind == EXPR_UNARY && among(e, "~ -")) return own_width(e->a, s);
  if (e->kind == EXPR_BINARY && among(e, "<< >>")) return own_width(e->a, s);
  if (e->kind == EXPR_BINARY && among(e, "| & ^ + - * / %"))
    return larger(own_width(e->a, s), own_width(e->b, s));
  return width_of(e, s);
}

static bool carries(const expr_t *e, const scope_t *s, unsigned bits, bool counts);

static bool carries_alone(const expr_t *e, const scope_t *s) {
  return carries(e, s, own_width(e, s), true);
}

static bool carries_binary(const expr_t *e, const scope_t *s, unsigned bits, bool counts) {
  if (among(e, "&& ||")) return carries_alone(e->a, s) || carries_alone(e->b, s);
  if (among(e, "== != < <= > >=")) {
    bits = larger(own_width(e->a, s), own_width(e->b, s));
    return carries(e->a, s, bits, true) || carries(e->b, s, bits, true);
  }
  if (counts && among(e, "+ - * <<") && width_of(e, s) < bits) return true;
  counts = counts || among(e, ">> / %");
  const bool shift = among(e, "<< >>");
  return carries(e->a, s, bits, counts) ||
         (shift ? carries_alone(e->b, s) : carries(e->b, s, bits, counts));
}

/* Whether a sum, product, complement or shift in the expression has a carry that Verilog keeps when
 * it computes in `bits` bits, and that the expression's own width drops. `counts`: bits above that
 * width matter. */
static bool carries(const expr_t *e, const scope_t *s, unsigned bits, bool counts) {
  uint64_t v;
  mrpb_err_t unheard = {""};
  if (expr_constant(e, s, &v, &unheard) == 0 || e->kind == EXPR_PATH) return false;
  bits = larger(bits, own_width(e, s));
  if (e->kind == EXPR_REPEAT) return carries_alone(e->b, s);
  if (e->kind == EXPR_CONCAT) {
    for (const expr_t *part = e->a; part; part = part->next)
      if (carries_alone(part, s)) return true;
    return false;
  }
  if (e->kind == EXPR_CHOICE)
    return carries_alone(e->a, s) || carries(e->b, s, bits, counts) ||
           carries(e->c, s, bits, counts);
  if (e->kind == EXPR_BINARY) return carries_binary(e, s, bits, counts);
  if (!among(e, "~ -")) return carries_alone(e->a, s);
  return (counts && width_of(e, s) < bits) || carries(e->a, s, bits, counts);
}

int expr_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err) {
  if (find_width(e, s, width, err) != 0) return -1;
  if (!carries(e, s, *width, false)) return 0;
  return mrpb_fail(err, "Verilog keeps a carry that is compared, divided or shifted back; legal: "
                        "operands of one width, numbers with their size (4'd1)");
}

static bool path_names(const step_t *path, const char *name) {
  if (path && path->kind == STEP_NAME && strcmp(path->name, name) == 0) return true;
  for (; path; path = path->next)
    if ((path->high && expr_names(path->high, name)) || (path->low && expr_names(path->low, name)))
      return true;
  return false;
}

bool expr_names(const expr_t *e, const char *name) {
  if (e->kind == EXPR_CONCAT) {
    for (const expr_t *part = e->a; part; part = part->next)
      if (expr_names(part, name)) return true;
    return false;
  }
  return path_names(e->path, name) || (e->a && expr_names(e->a, name)) ||
         (e->b && expr_names(e->b, name)) || (e->c && expr_names(e->c, name));
}

/* ---- Verilog ---- */

static void print_path(const expr_t *e, const scope_t *s, FILE *f) {
  mrpb_err_t unheard = {""};
  signal_t at = {.width = 1};
  (void)s->signal(s->ctx, e->path, &at, &unheard); /* expr_width has accepted it already */
  if (at.width == at.whole)
    fprintf(f, "%s", at.name);
  else
    fprintf(f, "%s[%u:%u]", at.name, at.lsb + at.width - 1, at.lsb);
}

/* Prints a constant: with the size that expr_width gives, or without a size. */
static void print_value(const expr_t *e, const scope_t *s, uint64_t v, FILE *f) {
  unsigned width = 1;
  mrpb_err_t unheard = {""};
  if (sized(e, s) && expr_width(e, s, &width, &unheard) == 0)
    fprintf(f, "%u'h%" PRIx64, width, v);
  else
    fprintf(f, v > INT32_MAX ? "64'd%" PRIu64 : "%" PRIu64, v);
}

static void print_operand(const expr_t *e, const scope_t *s, FILE *f) {
  uint64_t v = e->value;
  mrpb_err_t unheard = {""};
  if (e->kind == EXPR_NUMBER && e->width > 0)
    fprintf(f, "%u'h%" PRIx64, e->width, e->value);
  else if (e->kind == EXPR_PATH && !constant_name(e, s, &v))
    print_path(e, s, f);
  else if (e->kind != EXPR_CLOG2 || expr_constant(e, s, &v, &unheard) == 0)
    print_value(e, s, v, f);
}

static void print_list(const expr_t *first, const scope_t *s, FILE *f) {
  putc('{', f);
  for (const expr_t *part = first; part; part = part->next) {
    expr_print(part, s, f);
    if (part->next) fputs(", ", f);
  }
  putc('}', f);
}

void expr_print(const expr_t *e, const scope_t *s, FILE *f) {
  uint64_t times = 1, value;
  mrpb_err_t unheard = {""};
  if (folded(e, s, &value)) {
    print_value(e, s, value, f);
  } else if (e->kind == EXPR_CONCAT) {
    print_list(e->a, s, f);
  } else if (e->kind == EXPR_REPEAT) {
    (void)expr_constant(e->a, s, &times, &unheard);
    fprintf(f, "{%" PRIu64, times);
    expr_print(e->b, s, f);
    putc('}', f);
  } else if (e->kind == EXPR_UNARY) {
    fprintf(f, "(%s", e->op);
    expr_print(e->a, s, f);
    putc(')', f);
  } else if (e->kind == EXPR_BINARY || e->kind == EXPR_CHOICE) {
    putc('(', f);
    expr_print(e->a, s, f);
    fprintf(f, " %s ", e->op);
    expr_print(e->b, s, f);
    if (e->c) fputs(" : ", f), expr_print(e->c, s, f);
    putc(')', f);
  } else {
    print_operand(e, s, f);
  }
}

/* ---- values in a cycle ---- */

static uint64_t eval_operand(const expr_t *e, const scope_t *s) {
  uint64_t v = e->value;
  mrpb_err_t unheard = {""};
  signal_t at;
  if (e->kind == EXPR_NUMBER || constant_name(e, s, &v)) return v;
  if (e->kind == EXPR_CLOG2) return (void)expr_constant(e, s, &v, &unheard), v;
  return s->signal(s->ctx, e->path, &at, &unheard) == 0 ? s->value(s->ctx, &at) : 0;
}

static uint64_t eval_unary(const expr_t *e, const scope_t *s) {
  const uint64_t a = expr_eval(e->a, s), mask = bits_mask(width_of(e->a, s));
  switch (e->op[0]) {
  case '~':
    return ~a & mask;
  case '!':
    return a == 0;
  case '&':
    return a == mask;
  case '|':
    return a != 0;
  case '-':
    return -a & bits_mask(width_of(e, s));
  default:
    return (uint64_t)__builtin_parityll(a);
  }
}

static uint64_t eval_list(const expr_t *e, const scope_t *s) {
  uint64_t v = 0, times = 1;
  mrpb_err_t unheard = {""};
  if (e->kind == EXPR_REPEAT) {
    const uint64_t part = expr_eval(e->b, s);
    const unsigned w = width_of(e->b, s);
    (void)expr_constant(e->a, s, &times, &unheard);
    for (uint64_t i = 0; i < times; i++) v = (w < 64 ? v << w : 0) | part;
    return v;
  }
  for (const expr_t *part = e->a; part; part = part->next) {
    const unsigned w = width_of(part, s);
    v = (w < 64 ? v << w : 0) | expr_eval(part, s);
  }
  return v;
}

uint64_t expr_eval(const expr_t *e, const scope_t *s) {
  if (e->kind == EXPR_CONCAT || e->kind == EXPR_REPEAT) return eval_list(e, s);
  if (e->kind == EXPR_UNARY) return eval_unary(e, s);
  if (e->kind == EXPR_CHOICE) return expr_eval(expr_eval(e->a, s) ? e->b : e->c, s);
  if (e->kind == EXPR_BINARY)
    return binary(e, expr_eval(e->a, s), expr_eval(e->b, s)) & bits_mask(width_of(e, s));
  return eval_operand(e, s);
}

void expr_path_text(const step_t *path, const scope_t *s, char *text, size_t size) {
  size_t n = 0;
  mrpb_err_t unheard = {""};
  for (const step_t *at = path; at && n < size; at = at->next) {
    uint64_t high = 0, low = 0;
    if (at->kind == STEP_NAME) {
      n += (size_t)snprintf(text + n, size - n, at->escaped ? "%s\\%s " : "%s%s",
                            at == path ? "" : ".", at->name);
      continue;
    }
    (void)expr_constant(at->high, s, &high, &unheard);
    if (at->low) (void)expr_constant(at->low, s, &low, &unheard);
    n += (size_t)snprintf(text + n, size - n,
                          at->low ? "[%" PRIu64 ":%" PRIu64 "]" : "[%" PRIu64 "]", high, low);
  }
}
