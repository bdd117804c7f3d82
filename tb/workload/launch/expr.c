/* SPDX-License-Identifier: Apache-2.0 */
/* Reads expressions and VALUES of a launch file into nodes: see launch_state.h. The operators and
 * their precedence are those of C. */
#include "workload/launch/launch_state.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

static uint32_t push(launch_reader_t *r, launch_node_t node) {
  launch_node_t *to = LAUNCH_PUSH(r->p, nodes, r->err);
  if (!to) return 0;
  node.line = r->line;
  *to = node;
  return (uint32_t)(r->p->n_nodes - 1);
}

static uint32_t refuse(launch_reader_t *r, const char *wanted) {
  launch_expected(r, wanted);
  return 0;
}

/* ---- functions ----------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  unsigned least, most;
} calls[LAUNCH_CALLS] = {
    {NULL, 0, 0},
#define FUNCTION(name, least, most, doc) {#name, least, most},
#include "workload/launch/launch.def"
};

static unsigned call_of(const char *name) {
  unsigned c = 1;
  while (c < LAUNCH_CALLS && strcmp(calls[c].name, name) != 0) c++;
  return c < LAUNCH_CALLS ? c : 0;
}

static bool is_over(unsigned call) {
  return call == LAUNCH_CALL_sum || call == LAUNCH_CALL_least || call == LAUNCH_CALL_most;
}

/* Called behind '(': reads the operands and ')'. */
static uint32_t operands(launch_reader_t *r, launch_node_t node, unsigned call) {
  char wanted[64];
  do {
    if (node.n == 4 || node.n == calls[call].most) break;
    if (!(node.a[node.n++] = launch_expr(r))) return 0;
  } while (launch_take_sign(r, ','));
  if (node.n < calls[call].least || !launch_is_sign(r, ')')) {
    snprintf(wanted, sizeof wanted, "'%c' of %s with %u to %u operands",
             node.n < calls[call].least ? ',' : ')', calls[call].name, calls[call].least,
             calls[call].most);
    return refuse(r, wanted);
  }
  launch_next(r);
  return push(r, node);
}

/* count(NAME) */
static uint32_t count(launch_reader_t *r) {
  launch_node_t node = {.kind = LAUNCH_CALL, .op = LAUNCH_CALL_count};
  node.symbol = launch_name_elements(r);
  if (!node.symbol || launch_need_sign(r, ')', "')'") != 0) return 0;
  return push(r, node);
}

/* sum(k, [A,] B, EXPR); k is visible up to the ')'. */
static uint32_t over(launch_reader_t *r, unsigned call) {
  launch_node_t node = {.kind = LAUNCH_OVER, .op = (uint8_t)call};
  node.symbol = launch_name_new(r, LAUNCH_HIDDEN);
  if (!node.symbol || launch_need_sign(r, ',', "','") != 0) return 0;
  node.a[1] = launch_expr(r);
  if (!node.a[1] || launch_need_sign(r, ',', "','") != 0) return 0;
  r->p->symbols[node.symbol].kind = LAUNCH_VALUE;
  node.a[2] = launch_expr(r);
  if (node.a[2] && launch_take_sign(r, ',')) {
    node.a[0] = node.a[1];
    node.a[1] = node.a[2];
    node.a[2] = launch_expr(r);
  }
  r->p->symbols[node.symbol].kind = LAUNCH_HIDDEN;
  if (!node.a[2] || launch_need_sign(r, ')', "')'") != 0) return 0;
  return push(r, node);
}

static uint32_t call(launch_reader_t *r, unsigned which) {
  launch_next(r);
  launch_next(r);
  if (is_over(which)) return over(r, which);
  if (which == LAUNCH_CALL_count) return count(r);
  return operands(r, (launch_node_t){.kind = LAUNCH_CALL, .op = (uint8_t)which}, which);
}

/* ---- names --------------------------------------------------------------------------------------- */

static uint32_t constant(launch_reader_t *r, launch_value_t v) {
  launch_next(r);
  return push(r, (launch_node_t){.kind = LAUNCH_CONSTANT, .value = v});
}

static uint32_t unknown(launch_reader_t *r) {
  const char *name = r->token.text;
  names_near_t near = names_near(name);
  for (size_t s = 1; s < r->p->n_symbols; s++) {
    const launch_symbol_t *known = &r->p->symbols[s];
    if (known->kind != LAUNCH_HIDDEN) names_offer(&near, known->name);
  }
  for (unsigned c = 1; c < LAUNCH_CALLS; c++) names_offer(&near, calls[c].name);
  mrpb_fail(r->err, "%.60s: no such name%s", name, near.text);
  return 0;
}

static uint32_t name(launch_reader_t *r) {
  const unsigned which = call_of(r->token.text);
  const char *behind = r->at + strspn(r->at, " \t");
  const bool is_i = strcmp(r->token.text, "i") == 0;
  const uint32_t s = is_i ? 0 : launch_find(r->p, r->token.text);
  if (which && *behind == '(') return call(r, which);
  if (launch_is_word(r, "inf")) return constant(r, launch_real((double)INFINITY));
  if (launch_is_word(r, "nan")) return constant(r, launch_real((double)NAN));
  if (is_i && !r->element)
    return mrpb_fail(r->err, "i: the number of an element; legal: in VALUES"), 0;
  if (!is_i && !s) return unknown(r);
  const bool value = r->p->symbols[s].kind == LAUNCH_VALUE;
  launch_next(r);
  if (value) return push(r, (launch_node_t){.kind = LAUNCH_NAME, .symbol = s});
  launch_node_t node = {.kind = LAUNCH_ELEMENT, .symbol = s};
  if (launch_need_sign(r, '[', "'[' and an element's number") != 0) return 0;
  node.a[0] = launch_expr(r);
  return node.a[0] && launch_need_sign(r, ']', "']'") == 0 ? push(r, node) : 0;
}

/* ---- operators ----------------------------------------------------------------------------------- */

static uint32_t unary(launch_reader_t *r);

static uint32_t primary(launch_reader_t *r) {
  if (r->token.kind == LAUNCH_NUMBER) return constant(r, r->token.value);
  if (r->token.kind == LAUNCH_IDENTIFIER) return name(r);
  if (!launch_take_sign(r, '(')) return refuse(r, "a number, a name or '('");
  const uint32_t inner = launch_expr(r);
  return inner && launch_need_sign(r, ')', "')'") == 0 ? inner : 0;
}

static uint32_t deeper(launch_reader_t *r, uint32_t (*read)(launch_reader_t *r)) {
  if (r->depth == LAUNCH_DEPTH) {
    mrpb_fail(r->err, "expression nested too deep; legal: %d levels", (int)LAUNCH_DEPTH);
    return 0;
  }
  r->depth++;
  const uint32_t node = read(r);
  r->depth--;
  return node;
}

static uint32_t unary(launch_reader_t *r) {
  static const char signs[] = "-!~";
  for (const char *s = signs; *s; s++)
    if (launch_take_sign(r, (unsigned char)*s)) {
      const uint32_t of = deeper(r, unary);
      return of ? push(r, (launch_node_t){.kind = LAUNCH_UNARY, .op = (uint8_t)*s, .a = {of}}) : 0;
    }
  return primary(r);
}

/* The precedence of an operator, as in C; 0 if it is none. */
static unsigned closeness(const launch_token_t *t) {
  static const struct {
    uint8_t sign, close;
  } all[] = {{LAUNCH_OR, 1}, {LAUNCH_AND, 2}, {'|', 3},        {'^', 4}, {'&', 5},
             {LAUNCH_EQ, 6}, {LAUNCH_NE, 6},  {'<', 7},        {'>', 7}, {LAUNCH_LE, 7},
             {LAUNCH_GE, 7}, {LAUNCH_SHL, 8}, {LAUNCH_SHR, 8}, {'+', 9}, {'-', 9},
             {'*', 10},      {'/', 10},       {'%', 10}};
  for (size_t i = 0; t->kind == LAUNCH_SIGN && i < sizeof all / sizeof *all; i++)
    if (all[i].sign == t->sign) return all[i].close;
  return 0;
}

/* Reads operators with a precedence above `least`. */
static uint32_t binary(launch_reader_t *r, unsigned least) {
  uint32_t left = unary(r);
  unsigned close;
  while (left && (close = closeness(&r->token)) > least) {
    const uint8_t op = (uint8_t)r->token.sign;
    launch_next(r);
    const uint32_t right = binary(r, close);
    if (!right) return 0;
    left = push(r, (launch_node_t){.kind = LAUNCH_BINARY, .op = op, .a = {left, right}});
  }
  return left;
}

static uint32_t choice(launch_reader_t *r) {
  launch_node_t node = {.kind = LAUNCH_CHOICE};
  node.a[0] = binary(r, 0);
  if (!node.a[0] || !launch_take_sign(r, '?')) return node.a[0];
  node.a[1] = launch_expr(r);
  if (!node.a[1] || launch_need_sign(r, ':', "':'") != 0) return 0;
  node.a[2] = launch_expr(r);
  return node.a[2] ? push(r, node) : 0;
}

uint32_t launch_expr(launch_reader_t *r) {
  return deeper(r, choice);
}

/* The same where `i` is the number of an element. */
static uint32_t launch_expr_element(launch_reader_t *r) {
  r->element = true;
  const uint32_t node = launch_expr(r);
  r->element = false;
  return node;
}

/* ---- VALUES -------------------------------------------------------------------------------------- */

/* Called behind '{'. */
static int list(launch_reader_t *r, launch_values_t *v) {
  v->by = LAUNCH_BY_LIST;
  v->first = (uint32_t)r->p->n_lists;
  do {
    const uint32_t node = launch_expr(r);
    uint32_t *to = node ? LAUNCH_PUSH(r->p, lists, r->err) : NULL;
    if (!to) return -1;
    *to = node;
    v->n++;
  } while (launch_take_sign(r, ','));
  return launch_need_sign(r, '}', "',' or '}'");
}

/* random(LOW, HIGH[, SEED]) */
static int random_values(launch_reader_t *r, launch_values_t *v) {
  v->by = LAUNCH_BY_RANDOM;
  launch_next(r);
  if (launch_need_sign(r, '(', "'('") != 0 || !(v->expr[0] = launch_expr(r)) ||
      launch_need_sign(r, ',', "','") != 0 || !(v->expr[1] = launch_expr(r)))
    return -1;
  if (launch_take_sign(r, ',') && !(v->expr[2] = launch_expr(r))) return -1;
  return launch_need_sign(r, ')', "')'");
}

int launch_read_values(launch_reader_t *r, launch_values_t *v) {
  if (launch_is_word(r, "random")) return random_values(r, v);
  if (launch_take_sign(r, '{')) return list(r, v);
  if (r->token.kind == LAUNCH_STRING) {
    v->by = LAUNCH_BY_FILE;
    v->file = launch_path(r->p, r->token.text, true, r->err);
    launch_next(r);
    return v->file ? 0 : -1;
  }
  v->by = LAUNCH_BY_EXPR;
  v->expr[0] = launch_expr_element(r);
  return v->expr[0] ? 0 : -1;
}
