/* SPDX-License-Identifier: Apache-2.0 */
/* The prover's own tests: the executor against compiled C, both sides of a proof against a compiled
 * model, and the and-inverter graph. `tests/verify/prove/prove.sh` tests the verdicts. */
#include "base/files.h"
#include "expressions.h"
#include "functions.h"
#include "prng.h"
#include "verify/prove/llvm/prove.h"
#include "verify/prove/parts/parts.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 64, ROUNDS = 20 };

typedef struct {
  const char *name;
  uint64_t (*native)(uint64_t a, uint64_t b);
} function_t;

#define ENTRY(name) {"f_" #name, f_##name},
static const function_t functions[] = {FUNCTIONS(ENTRY)};
#undef ENTRY
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static char temp[] = "build/tmp/mrpb-check-XXXXXX";
static mrpb_err_t err;

static exec_t *compiled(aig_t *g, uint32_t unroll) {
  char object[FILES_PATH];
  const char *files[] = {object};
  const sources_t from = {.root = ".", .temp = temp};
  ck_assert(files_path(object, "%s/functions.bc", temp));
  if (!files_exists(object))
    ck_assert_msg(sources_bitcode(&from, "tests/verify/prove/functions.c", object, &err) == 0, "%s",
                  err.text);
  exec_t *x = exec_open(g, files, 1, unroll, &err);
  ck_assert_msg(x, "%s", err.text);
  return x;
}

static void open_temp(void) {
  strcpy(temp + strlen(temp) - 6, "XXXXXX");
  ck_assert(mkdtemp(temp));
  err.text[0] = '\0';
}

static void close_temp(void) {
  files_remove_tree(temp, NULL);
}

/* Small numbers, single bits, neighbours and anything. */
static uint64_t operand_value(prng_t *p) {
  uint64_t v = prng_next(p);
  switch (prng_next(p) % 4) {
  case 0:
    return v & 15;
  case 1:
    return UINT64_C(1) << (v & 63);
  case 2:
    return v | UINT64_C(0xffffffffffff0000);
  default:
    return v;
  }
}

/* A vector's variables in all lanes. */
static void set_lane(const aig_t *g, uint64_t *in, bv_t v, unsigned lane, const uint64_t *words) {
  for (uint32_t i = 0; i < v.n; i++) {
    uint64_t *w = &in[aig_input_number(g, v.b[i])];
    *w = (*w & ~(UINT64_C(1) << lane)) | (words[i / 64] >> i % 64 & 1) << lane;
  }
}

/* The low 64 bits from bit `from` in one lane. */
static uint64_t get_lane(const uint64_t *node, bv_t v, unsigned lane, uint32_t from) {
  uint64_t r = 0;
  for (uint32_t i = from; i < v.n && i < from + 64; i++)
    r |= (aig_value(node, v.b[i]) >> lane & 1) << (i - from);
  return r;
}

static bool obliged(const exec_t *x, const uint64_t *node, unsigned lane) {
  unsigned n;
  const obligation_t *o = exec_obligations(x, &n);
  for (unsigned i = 0; i < n; i++)
    if (aig_value(node, o[i].bad) >> lane & 1) return true;
  return false;
}

typedef struct {
  aig_t *g;
  exec_t *x;
  bv_t a, b;
  val_t ret;
  uint64_t *in, *node;
} call_t;

static void open_call(call_t *c, const char *name, uint32_t unroll) {
  c->g = aig_open();
  c->x = compiled(c->g, unroll);
  c->a = bv_fresh(exec_bv(c->x), 64);
  c->b = bv_fresh(exec_bv(c->x), 64);
  val_t args[2] = {{.v = c->a}, {.v = c->b}};
  mem_t *m = exec_memory(c->x);
  ck_assert_msg(exec_call(c->x, name, args, 2, AIG_TRUE, &m, &c->ret, &err) == 0, "%s", err.text);
  mem_close(m);
  c->in = prove_alloc(aig_inputs(c->g) * sizeof *c->in);
  c->node = prove_alloc(aig_nodes(c->g) * sizeof *c->node);
}

static void close_call(call_t *c) {
  free(c->in);
  free(c->node);
  exec_close(c->x);
  aig_close(c->g);
}

static void simulate(call_t *c, prng_t *p, uint64_t *a, uint64_t *b) {
  for (uint32_t i = 0; i < aig_inputs(c->g); i++) c->in[i] = prng_next(p);
  for (unsigned l = 0; l < LANES; l++) {
    a[l] = operand_value(p);
    b[l] = operand_value(p);
    set_lane(c->g, c->in, c->a, l, &a[l]);
    set_lane(c->g, c->in, c->b, l, &b[l]);
  }
  aig_simulate(c->g, c->in, c->node);
}

START_TEST(functions_equal_native) {
  const function_t *f = &functions[_i];
  uint64_t a[LANES], b[LANES];
  prng_t p = prng_seed(1, (uint64_t)_i);
  call_t c;
  open_call(&c, f->name, 24);
  for (unsigned round = 0; round < ROUNDS; round++) {
    simulate(&c, &p, a, b);
    for (unsigned l = 0; l < LANES; l++) {
      uint64_t got = get_lane(c.node, c.ret.v, l, 0) + c.ret.base, want = f->native(a[l], b[l]);
      ck_assert_msg(got == want, "%s(%#jx, %#jx): graph %#jx, native %#jx", f->name,
                    (uintmax_t)a[l], (uintmax_t)b[l], (uintmax_t)got, (uintmax_t)want);
      ck_assert_msg(!obliged(c.x, c.node, l), "%s: an obligation fails", f->name);
    }
  }
  close_call(&c);
}
END_TEST

static bool bad_index(uint64_t a, uint64_t b) {
  (void)b;
  return (a & 7) > 3;
}
static bool bad_divide(uint64_t a, uint64_t b) {
  (void)a;
  return (b & 3) == 0;
}
static bool bad_loop(uint64_t a, uint64_t b) {
  (void)b;
  return a & 1;
}
static bool bad_abort(uint64_t a, uint64_t b) {
  return a == b + 1;
}

static bool bad_overflow(uint64_t a, uint64_t b) {
  int64_t d = (int64_t)(int32_t)(uint32_t)a - (int32_t)(uint32_t)b;
  return d != (int32_t)d;
}
static bool bad_product(uint64_t a, uint64_t b) {
  int64_t p = (int64_t)(int16_t)a * (int64_t)(b & 0x1ffff);
  return p != (int32_t)p;
}
static bool bad_quotient(uint64_t a, uint64_t b) {
  return (b & 3) == 1 || ((b & 3) == 0 && !(a & 1));
}
static bool bad_shift(uint64_t a, uint64_t b) {
  (void)a;
  return b & 32;
}
static bool bad_sign(uint64_t a, uint64_t b) {
  return ((a & 255) << (b & 31)) >> 31 != 0;
}
static bool bad_unset(uint64_t a, uint64_t b) {
  (void)b;
  return !(a & 1);
}
static bool bad_part(uint64_t a, uint64_t b) {
  (void)a;
  return !(b & 1);
}
static bool bad_pointer(uint64_t a, uint64_t b) {
  (void)b;
  return (a & 7) > 4;
}
static bool bad_row(uint64_t a, uint64_t b) {
  (void)a;
  return (b & 7) > 3;
}

enum { N_BAD = 13 };

/* An obligation fails for exactly the operands that break it. */
START_TEST(bad_functions_are_found) {
  static const struct {
    const char *name;
    bool (*bad)(uint64_t a, uint64_t b);
  } cases[N_BAD] = {{"f_bad_index", bad_index},
                    {"f_bad_divide", bad_divide},
                    {"f_bad_loop", bad_loop},
                    {"f_bad_abort", bad_abort},
                    {"f_bad_overflow", bad_overflow},
                    {"f_bad_product", bad_product},
                    {"f_bad_quotient", bad_quotient},
                    {"f_bad_shift", bad_shift},
                    {"f_bad_sign", bad_sign},
                    {"f_bad_unset", bad_unset},
                    {"f_bad_part", bad_part},
                    {"f_bad_pointer", bad_pointer},
                    {"f_bad_row", bad_row}};
  uint64_t a[LANES], b[LANES];
  unsigned seen = 0;
  prng_t p = prng_seed(2, (uint64_t)_i);
  call_t c;
  open_call(&c, cases[_i].name, 10);
  for (unsigned round = 0; round < ROUNDS; round++) {
    simulate(&c, &p, a, b);
    for (unsigned l = 0; l < LANES; l++) {
      bool bad = cases[_i].bad(a[l], b[l]);
      seen += bad;
      ck_assert_msg(obliged(c.x, c.node, l) == bad, "%s(%#jx, %#jx)", cases[_i].name,
                    (uintmax_t)a[l], (uintmax_t)b[l]);
    }
  }
  ck_assert_uint_gt(seen, 0);
  close_call(&c);
}
END_TEST

/* ---- both sides of a proof against the compiled model, state after state of a random run ---- */

static const struct {
  const char *stem;
  uint32_t cfg[5];
} modules[] = {
    {"fifo_bank", {3, 2, 3}},   {"drain_selector", {5, 3, 5}}, {"drain_selector", {4, 2, 2}},
    {"order_check", {1, 2, 1}}, {"mshr", {3, 2, 2, 1}},        {"prt", {3, 2, 2, 1, 0}},
    {"prt", {3, 2, 2, 1, 1}},   {"queue_selector", {48, 1}},   {"flush_control", {5, 1}},
    {"priority_encoder", {48}}, {"longest_first", {5, 3}},     {"round_robin", {48}},
    {"one_hot_encoder", {9}},   {"sram_code", {26, 2}}};
enum { N_MODULES = sizeof modules / sizeof *modules, WORDS = 16 };

/* Element `i` of a register of the compiled model. */
static uint64_t element(const module_reg_t *r, unsigned i) {
  uint64_t v = 0;
  memcpy(&v, (const char *)r->data + (size_t)i * r->elem_bytes, r->elem_bytes);
  return v;
}

/* A lane's state, or what it must be after the edge, from the compiled model. */
static void take_state(const sides_t *s, void *self, unsigned lane, uint64_t *in) {
  module_reg_t regs[MODULE_MAX_REGS];
  s->model.cls->regs(self, regs);
  for (unsigned r = 0; r < s->model.n_regs; r++)
    for (unsigned i = 0; i < regs[r].words; i++) {
      uint64_t v = element(&regs[r], i);
      set_lane(s->g, in, s->state[s->first[r] + i], lane, &v);
    }
}

/* The chains of an MSHR table cannot be set from here, so that its C side is not looked at. */
static bool c_side(const sides_t *s) {
  return strcmp(s->model.cls->stem, "mshr") != 0;
}

static void check_state(const sides_t *s, void *self, unsigned lane, const uint64_t *node) {
  module_reg_t regs[MODULE_MAX_REGS];
  s->model.cls->regs(self, regs);
  for (unsigned r = 0; r < s->model.n_regs; r++)
    for (unsigned i = 0; i < regs[r].words; i++) {
      uint64_t v = element(&regs[r], i);
      ck_assert_msg(get_lane(node, s->next_rtl[s->first[r] + i], lane, 0) == v,
                    "%s[%u]: Verilog in the graph", regs[r].name, i);
      ck_assert_msg(!c_side(s) || get_lane(node, s->next_c[s->first[r] + i], lane, 0) == v,
                    "%s[%u]: C in the graph", regs[r].name, i);
    }
}

static void check_outputs(const sides_t *s, const uint64_t *out, unsigned lane,
                          const uint64_t *node) {
  for (unsigned i = 0; i < s->model.n_out; i++) {
    const module_port_t *port = &s->model.out[i];
    for (uint32_t from = 0; from < port->width; from += 64) {
      uint64_t v = out[port->word + from / 64];
      ck_assert_msg(get_lane(node, s->out_rtl[i], lane, from) == v, "%s: Verilog in the graph",
                    port->name);
      ck_assert_msg(!c_side(s) || get_lane(node, s->out_c[i], lane, from) == v,
                    "%s: C in the graph", port->name);
    }
  }
}

static void random_inputs(const sides_t *s, prng_t *p, uint64_t *words) {
  memset(words, 0, WORDS * sizeof *words);
  for (unsigned i = 0; i < s->model.n_in; i++) {
    const module_port_t *port = &s->model.in[i];
    for (uint32_t from = 0; from < port->width; from += 64) {
      uint32_t left = port->width - from;
      words[port->word + from / 64] =
          prng_next(p) & (left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0));
    }
    if (strcmp(port->name, "srst_ni") == 0) words[port->word] = prng_next(p) % 50 != 0;
  }
}

START_TEST(sides_equal_native) {
  prove_job_t job = {.root = ".", .limit = 60, .unroll = 4096};
  rtl_env_t *env;
  uint64_t words[WORDS], out[WORDS];
  sides_t s;
  prng_t p = prng_seed(3, (uint64_t)_i);
  void *self = NULL;
  job.cls = prove_class(modules[_i].stem, &err);
  ck_assert_msg(job.cls, "%s", err.text);
  ck_assert_msg(rtl_env_open_source(&env, NULL, &err) == 0, "%s", err.text);
  job.env = env;
  memcpy(job.cfg, modules[_i].cfg, sizeof modules[_i].cfg);
  ck_assert_msg(sides_open(&s, &job, temp, &err) == 0, "%s: %s", modules[_i].stem, err.text);
  ck_assert_int_eq(job.cls->create(&self, job.cfg, &err), 0);
  uint64_t *in = prove_alloc(aig_inputs(s.g) * sizeof *in);
  uint64_t *node = prove_alloc(aig_nodes(s.g) * sizeof *node);
  for (unsigned cycle = 0; cycle < 400; cycle++) {
    for (uint32_t i = 0; i < aig_inputs(s.g); i++) in[i] = prng_next(&p);
    random_inputs(&s, &p, words);
    for (unsigned i = 0; i < s.model.n_in; i++)
      set_lane(s.g, in, s.in[i], 0, words + s.model.in[i].word);
    if (s.model.n_regs > 0) take_state(&s, self, 0, in);
    aig_simulate(s.g, in, node);
    ck_assert_msg(!c_side(&s) || (aig_value(node, s.inv) & 1), "the invariant does not hold");
    memset(out, 0, sizeof out);
    job.cls->comb(self, words, out);
    check_outputs(&s, out, 0, node);
    job.cls->edge(self, words);
    if (s.model.n_regs > 0) check_state(&s, self, 0, node);
  }
  free(in);
  free(node);
  job.cls->destroy(self);
  sides_close(&s);
  rtl_env_close(env);
}
END_TEST

START_TEST(graph_simplifies) {
  aig_t *g = aig_open();
  lit_t a = aig_input(g), b = aig_input(g);
  lit_t ab = aig_and(g, a, b);
  ck_assert_uint_eq(aig_and(g, b, a), ab);
  ck_assert_uint_eq(aig_and(g, a, aig_not(a)), AIG_FALSE);
  ck_assert_uint_eq(aig_and(g, ab, aig_not(a)), AIG_FALSE);
  ck_assert_uint_eq(aig_or(g, ab, aig_and(g, a, aig_not(b))), a);
  ck_assert_uint_eq(aig_xor(g, a, a), AIG_FALSE);
  uint64_t in[2] = {0xc, 0xa}, node[16];
  lit_t x = aig_xor(g, a, b), m = aig_mux(g, a, b, aig_not(b));
  ck_assert_uint_le(aig_nodes(g), 16);
  aig_simulate(g, in, node);
  ck_assert_uint_eq(aig_value(node, x) & 15, 0x6);
  ck_assert_uint_eq(aig_value(node, m) & 15, 0x9);
  aig_close(g);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prove");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 600);
  tcase_add_checked_fixture(tc, open_temp, close_temp);
  tcase_add_test(tc, graph_simplifies);
  tcase_add_loop_test(tc, functions_equal_native, 0, N_FUNCTIONS);
  tcase_add_loop_test(tc, bad_functions_are_found, 0, N_BAD);
  tcase_add_loop_test(tc, sides_equal_native, 0, N_MODULES);
  suite_add_tcase(suite, tc);
  suite_add_tcase(suite, expressions());
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
