/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions: see launch_state.h. 64-bit integers wrap. An operation on an integer and a
 * real number is done on real numbers. */
#include "workload/launch/launch_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

int launch_step(launch_program_t *p, uint32_t line, mrpb_err_t *err) {
  if (++p->steps <= p->most_steps) return 0;
  return mrpb_fail(err,
                   "%s:%" PRIu32 ": more than %" PRIu64
                   " steps of the host; legal: fewer between two launches",
                   p->name, line, p->most_steps);
}

static int fail(const launch_program_t *p, const launch_node_t *n, const char *why,
                mrpb_err_t *err) {
  return mrpb_fail(err, "%s:%" PRIu32 ": %s", p->name, n->line, why);
}

/* ---- operators ----------------------------------------------------------------------------------- */

/* The result of a comparison. If an operand is NaN, `less`, `greater` and `equal` are all false. */
static bool compare(uint8_t op, bool less, bool greater, bool equal) {
  switch (op) {
  case '<':
    return less;
  case '>':
    return greater;
  case LAUNCH_LE:
    return less || equal;
  case LAUNCH_GE:
    return greater || equal;
  case LAUNCH_EQ:
    return equal;
  default:
    return !equal;
  }
}

static bool is_comparison(uint8_t op) {
  return op == '<' || op == '>' || (op >= LAUNCH_LE && op <= LAUNCH_NE);
}

/* False if this is not an operation on real numbers. */
static bool reals(uint8_t op, double a, double b, launch_value_t *v) {
  if (is_comparison(op)) return *v = launch_integer(compare(op, a<b, a> b, a == b)), true;
  if (!strchr("+-*/%", op)) return false;
  *v = launch_real(op == '+'   ? a + b
                   : op == '-' ? a - b
                   : op == '*' ? a * b
                   : op == '/' ? a / b
                               : fmod(a, b));
  return true;
}

/* NULL, or an error message. */
static const char *integers(uint8_t op, int64_t a, int64_t b, launch_value_t *v) {
  const uint64_t x = (uint64_t)a, y = (uint64_t)b;
  int64_t r;
  if (is_comparison(op)) return *v = launch_integer(compare(op, a<b, a> b, a == b)), NULL;
  if ((op == '/' || op == '%') && b == 0) return "a division of an integer by 0";
  if ((op == LAUNCH_SHL || op == LAUNCH_SHR) && y > 63) return "a shift; legal: by 0 to 63";
  switch (op) {
  case '+':
    r = (int64_t)(x + y);
    break;
  case '-':
    r = (int64_t)(x - y);
    break;
  case '*':
    r = (int64_t)(x * y);
    break;
  case '/':
    r = b == -1 ? (int64_t)(0 - x) : a / b;
    break;
  case '%':
    r = b == -1 ? 0 : a % b;
    break;
  case '&':
    r = a & b;
    break;
  case '|':
    r = a | b;
    break;
  case '^':
    r = a ^ b;
    break;
  case LAUNCH_SHL:
    r = (int64_t)(x << y);
    break;
  default:
    r = a >> y;
    break;
  }
  *v = launch_integer(r);
  return NULL;
}

static int binary(launch_program_t *p, const launch_node_t *n, launch_value_t *v, mrpb_err_t *err) {
  launch_value_t a, b;
  const char *wrong = NULL;
  const bool lazy = n->op == LAUNCH_AND || n->op == LAUNCH_OR;
  if (launch_eval(p, n->a[0], &a, err) != 0) return -1;
  if (lazy && launch_true(a) == (n->op == LAUNCH_OR))
    return *v = launch_integer(n->op == LAUNCH_OR), 0;
  if (launch_eval(p, n->a[1], &b, err) != 0) return -1;
  if (lazy) return *v = launch_integer(launch_true(b)), 0;
  if (!a.real && !b.real)
    wrong = integers(n->op, a.i, b.i, v);
  else if (!reals(n->op, launch_as_real(a), launch_as_real(b), v))
    wrong = "& | ^ << >> of a real number; legal: of integers, as int(X) is one";
  return wrong ? fail(p, n, wrong, err) : 0;
}

static int unary(launch_program_t *p, const launch_node_t *n, launch_value_t *v, mrpb_err_t *err) {
  launch_value_t a;
  if (launch_eval(p, n->a[0], &a, err) != 0) return -1;
  if (n->op == '!') return *v = launch_integer(!launch_true(a)), 0;
  if (n->op == '-')
    return *v = a.real ? launch_real(-a.d) : launch_integer((int64_t)(0 - (uint64_t)a.i)), 0;
  if (a.real) return fail(p, n, "~ of a real number; legal: of an integer", err);
  *v = launch_integer(~a.i);
  return 0;
}

/* ---- functions ----------------------------------------------------------------------------------- */

static int to_integer(const launch_program_t *p, const launch_node_t *n, launch_value_t a,
                      launch_value_t *v, mrpb_err_t *err) {
  if (a.real && !(fabs(a.d) < 0x1p63))
    return fail(p, n, "int of a number that 64 bits cannot hold", err);
  *v = a.real ? launch_integer((int64_t)a.d) : a;
  return 0;
}

static launch_value_t extreme(bool smallest, const launch_value_t *a, unsigned n) {
  launch_value_t best = a[0];
  for (unsigned i = 1; i < n; i++) {
    const bool whole = !best.real && !a[i].real;
    const bool less = whole ? a[i].i < best.i : launch_as_real(a[i]) < launch_as_real(best);
    const bool more = whole ? a[i].i > best.i : launch_as_real(a[i]) > launch_as_real(best);
    if (smallest ? less : more) best = a[i];
  }
  return best;
}

static double real_function(launch_call_t call, double x) {
  static double (*const of[LAUNCH_CALLS])(double) = {
      [LAUNCH_CALL_sqrt] = sqrt, [LAUNCH_CALL_exp] = exp,   [LAUNCH_CALL_exp2] = exp2,
      [LAUNCH_CALL_log] = log,   [LAUNCH_CALL_log2] = log2, [LAUNCH_CALL_sin] = sin,
      [LAUNCH_CALL_cos] = cos,   [LAUNCH_CALL_tanh] = tanh, [LAUNCH_CALL_floor] = floor};
  if (of[call]) return of[call](x);
  return call == LAUNCH_CALL_f32    ? launch_round(LAUNCH_TYPE_f32, x)
         : call == LAUNCH_CALL_f16  ? launch_round(LAUNCH_TYPE_f16, x)
         : call == LAUNCH_CALL_bf16 ? launch_round(LAUNCH_TYPE_bf16, x)
                                    : x;
}

static launch_value_t of_integer(launch_call_t call, int64_t i) {
  if (call == LAUNCH_CALL_popc) return launch_integer(__builtin_popcountll((uint64_t)i));
  return launch_integer(i < 0 ? (int64_t)(0 - (uint64_t)i) : i);
}

static int of_one(const launch_program_t *p, const launch_node_t *n, launch_value_t a,
                  launch_value_t *v, mrpb_err_t *err) {
  const launch_call_t call = (launch_call_t)n->op;
  uint32_t bits = 0;
  if (call == LAUNCH_CALL_int) return to_integer(p, n, a, v, err);
  if (call == LAUNCH_CALL_bits) {
    (void)launch_store(LAUNCH_TYPE_f32, &bits, a, false);
    *v = launch_integer(bits);
  } else if (call == LAUNCH_CALL_popc || (call == LAUNCH_CALL_abs && !a.real)) {
    if (a.real) return fail(p, n, "popc of a real number; legal: of an integer", err);
    *v = of_integer(call, a.i);
  } else if (call == LAUNCH_CALL_abs) {
    *v = launch_real(fabs(a.d));
  } else {
    *v = launch_real(real_function(call, launch_as_real(a)));
  }
  return 0;
}

static int call(launch_program_t *p, const launch_node_t *n, launch_value_t *v, mrpb_err_t *err) {
  launch_value_t a[4] = {launch_integer(0)};
  if (n->op == LAUNCH_CALL_count)
    return *v = launch_integer((int64_t)p->symbols[n->symbol].count), 0;
  for (unsigned i = 0; i < n->n; i++)
    if (launch_eval(p, n->a[i], &a[i], err) != 0) return -1;
  if (n->op == LAUNCH_CALL_min || n->op == LAUNCH_CALL_max)
    return *v = extreme(n->op == LAUNCH_CALL_min, a, n->n), 0;
  if (n->op == LAUNCH_CALL_pow)
    return *v = launch_real(pow(launch_as_real(a[0]), launch_as_real(a[1]))), 0;
  return of_one(p, n, a[0], v, err);
}

/* ---- elements and sums --------------------------------------------------------------------------- */

static int element(launch_program_t *p, const launch_node_t *n, launch_value_t *v,
                   mrpb_err_t *err) {
  const launch_symbol_t *s = &p->symbols[n->symbol];
  launch_value_t at;
  char why[LAUNCH_WORD + 80];
  if (launch_eval(p, n->a[0], &at, err) != 0) return -1;
  if (at.real || at.i < 0 || (uint64_t)at.i >= s->count) {
    if (at.real)
      snprintf(why, sizeof why, "%s[%g]: legal: an integer", s->name, at.d);
    else
      snprintf(why, sizeof why, "%s[%" PRId64 "]: legal: 0 to %" PRId64, s->name, at.i,
               (int64_t)s->count - 1);
    return fail(p, n, why, err);
  }
  *v = launch_load(s->type, s->at + (uint64_t)at.i * launch_type_bytes(s->type));
  return 0;
}

static launch_value_t add(launch_value_t a, launch_value_t b) {
  if (a.real || b.real) return launch_real(launch_as_real(a) + launch_as_real(b));
  return launch_integer((int64_t)((uint64_t)a.i + (uint64_t)b.i));
}

static int over(launch_program_t *p, const launch_node_t *n, launch_value_t *v, mrpb_err_t *err) {
  launch_value_t of[2] = {launch_integer(0)}, from = launch_integer(0), to;
  bool any = false;
  if ((n->a[0] && launch_eval(p, n->a[0], &from, err) != 0) ||
      launch_eval(p, n->a[1], &to, err) != 0)
    return -1;
  if (from.real || to.real) return fail(p, n, "a bound is not an integer", err);
  for (int64_t k = from.i; k < to.i; k++) {
    p->symbols[n->symbol].value = launch_integer(k);
    if (launch_eval(p, n->a[2], &of[1], err) != 0) return -1;
    of[0] = n->op == LAUNCH_CALL_sum ? add(of[0], of[1])
            : any                    ? extreme(n->op == LAUNCH_CALL_least, of, 2)
                                     : of[1];
    any = true;
  }
  if (!any && n->op != LAUNCH_CALL_sum) return fail(p, n, "least or most of an empty range", err);
  *v = of[0];
  return 0;
}

int launch_eval(launch_program_t *p, uint32_t node, launch_value_t *v, mrpb_err_t *err) {
  const launch_node_t *n = &p->nodes[node];
  launch_value_t a;
  if (launch_step(p, n->line, err) != 0) return -1;
  switch ((launch_node_kind_t)n->kind) {
  case LAUNCH_CONSTANT:
    return *v = n->value, 0;
  case LAUNCH_NAME:
    return *v = p->symbols[n->symbol].value, 0;
  case LAUNCH_ELEMENT:
    return element(p, n, v, err);
  case LAUNCH_UNARY:
    return unary(p, n, v, err);
  case LAUNCH_BINARY:
    return binary(p, n, v, err);
  case LAUNCH_CHOICE:
    if (launch_eval(p, n->a[0], &a, err) != 0) return -1;
    return launch_eval(p, n->a[launch_true(a) ? 1 : 2], v, err);
  case LAUNCH_CALL:
    return call(p, n, v, err);
  case LAUNCH_OVER:
    return over(p, n, v, err);
  }
  return -1;
}

int launch_eval_integer(launch_program_t *p, uint32_t node, const char *what, int64_t least,
                        int64_t most, int64_t *v, mrpb_err_t *err) {
  launch_value_t value;
  char shown[40];
  if (!node) return 0;
  if (launch_eval(p, node, &value, err) != 0) return -1;
  if (!value.real && value.i >= least && value.i <= most) return *v = value.i, 0;
  launch_print(LAUNCH_TYPE_f64, value, shown, sizeof shown);
  return mrpb_fail(err, "%s:%" PRIu32 ": %s %s; legal: %" PRId64 " to %" PRId64, p->name,
                   p->nodes[node].line, what, shown, least, most);
}
