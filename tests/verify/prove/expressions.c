/* SPDX-License-Identifier: Apache-2.0 */
#include "expressions.h"

#include "prng.h"
#include "verify/prove/expr_bv.h"

#include <stdlib.h>
#include <string.h>

/* Signals a to d, of which b is wider than a number, and the constant N. */
enum { SIGNALS = 4, ROUNDS = 200 };
static const unsigned widths[SIGNALS] = {8, 70, 1, 5};

static const char *const texts[] = {
    "a",
    "b",
    "c",
    "a + d",
    "a - d",
    "a * d",
    "a / d",
    "a % d",
    "~a",
    "!a",
    "-a",
    "&a",
    "|a",
    "^a",
    "a & {3'd0, d}",
    "a | d",
    "a ^ d",
    "a && d",
    "a || c",
    "a == d",
    "a != d",
    "a < d",
    "a <= d",
    "a > d",
    "a >= d",
    "a << d",
    "a >> d",
    "b >> a",
    "b << a",
    "c ? a : d",
    "{a, c, d}",
    "{{a, d}, {4{c}}}",
    "{3{a[5:2]}}",
    "b[69:60] + 1",
    "b[69] && d[4]",
    "a * N + clog2(N)",
    "(a >> 3) == N",
    "a / (a - a)",
    "~(a ^ 8'hf0) + c",
    "-a < d ? !c : ^b[40:3]",
};

typedef struct {
  uint64_t value[SIGNALS][2];
  bv_t bits[SIGNALS];
} world_t;

static bool constant(void *ctx, const char *name, uint64_t *value) {
  (void)ctx;
  *value = 6;
  return strcmp(name, "N") == 0;
}

static int signal_of(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const scope_t constants = {.constant = constant};
  uint64_t high, low;
  (void)ctx;
  const unsigned i = (unsigned)(path->name[0] - 'a');
  *s = (signal_t){.width = widths[i], .whole = widths[i]};
  memcpy(s->name, path->name, 2);
  if (!path->next) return 0;
  if (expr_constant(path->next->high, &constants, &high, err) != 0) return -1;
  low = high;
  if (path->next->low && expr_constant(path->next->low, &constants, &low, err) != 0) return -1;
  s->lsb = (unsigned)low;
  s->width = (unsigned)(high - low + 1);
  return 0;
}

static uint64_t value_of(void *ctx, const signal_t *s) {
  const world_t *w = ctx;
  const uint64_t *v = w->value[s->name[0] - 'a'];
  uint64_t r = v[s->lsb / 64] >> s->lsb % 64;
  if (s->lsb % 64 && s->lsb < 64) r |= v[1] << (64 - s->lsb % 64);
  return s->width < 64 ? r & ((UINT64_C(1) << s->width) - 1) : r;
}

static bv_t bits_of(void *ctx, const signal_t *s) {
  const world_t *w = ctx;
  return w->bits[s->name[0] - 'a'];
}

static void randomize(world_t *w, prng_t *p, uint64_t *input) {
  for (unsigned i = 0, k = 0; i < SIGNALS; i++)
    for (unsigned bit = 0; bit < widths[i]; bit++, k++) {
      if (bit % 64 == 0) w->value[i][bit / 64] = 0;
      const uint64_t v = prng_next(p) & 1;
      w->value[i][bit / 64] |= v << bit % 64;
      input[k] = v;
    }
}

START_TEST(numbers_and_literals_agree) {
  bv_ctx_t x = {.g = aig_open()};
  world_t w = {0};
  mrpb_err_t err = {""};
  prng_t p = prng_seed(7, (uint64_t)_i);
  unsigned width;
  expr_pool_t *pool = expr_pool_open();
  const char *text = texts[_i];
  const scope_t scope = {&w, constant, signal_of, value_of};
  for (unsigned i = 0; i < SIGNALS; i++) w.bits[i] = bv_fresh(&x, widths[i]);
  const expr_t *e = expr_parse(pool, &text, &err);
  ck_assert_msg(e && *text == '\0', "%s: %s", texts[_i], err.text);
  ck_assert_msg(expr_width(e, &scope, &width, &err) == 0, "%s: %s", texts[_i], err.text);
  const expr_bv_t values = {&x, &scope, &w, bits_of};
  const bv_t got = expr_bv(&values, e);
  ck_assert_uint_eq(got.n, 64);
  uint64_t *input = calloc(aig_inputs(x.g), sizeof *input);
  uint64_t *node = calloc(aig_nodes(x.g), sizeof *node);
  for (unsigned round = 0; round < ROUNDS; round++) {
    randomize(&w, &p, input);
    aig_simulate(x.g, input, node);
    uint64_t value = 0;
    for (unsigned i = 0; i < 64; i++) value |= (aig_value(node, got.b[i]) & 1) << i;
    ck_assert_msg(value == expr_eval(e, &scope), "%s: %llx, not %llx", texts[_i],
                  (unsigned long long)value, (unsigned long long)expr_eval(e, &scope));
  }
  free(input);
  free(node);
  expr_pool_close(pool);
  bv_free(&x);
  aig_close(x.g);
}
END_TEST

TCase *expressions(void) {
  TCase *tc = tcase_create("expressions");
  tcase_add_loop_test(tc, numbers_and_literals_agree, 0, sizeof texts / sizeof *texts);
  return tc;
}
