/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that share storage: sharing does not affect what a thread computes, and a warp is
 * small. */
#include "workload/simt/simt_state.h"
#include "simt_help.h"

#include <stdio.h>

/* ---- random kernels against an interpreter of one thread ------------------- */

enum { WORDS = 12, LONGS = 6, PREDS = 4, LENGTH = 48, ROUNDS = 200, TEXT_BYTES = 16384 };
enum { ADD, MAD, XOR, ADD_LONG, WIDEN, NARROW, LESS, FORWARD, BACK, OPS };

typedef struct {
  unsigned op, d, a, b, c;
  unsigned guard; /* predicate, PREDS: none */
  bool negated;
  unsigned target;
} step_t;

typedef struct {
  uint32_t r[WORDS], rounds;
  uint64_t rd[LONGS];
  bool p[PREDS];
} thread_t;

static uint32_t draw(uint32_t *seed, uint32_t n) {
  *seed = *seed * 1664525 + 1013904223;
  return (*seed >> 8) % n;
}

/* Branches forward go anywhere; one branch back makes a loop, lanes leave it one by one. */
static void make(step_t *s, uint32_t *seed) {
  unsigned back = LENGTH / 2 + draw(seed, LENGTH / 2);
  for (unsigned i = 0; i < LENGTH; i++) {
    s[i] = (step_t){.op = draw(seed, BACK), .guard = PREDS};
    if (i == back) s[i].op = BACK;
    unsigned n = s[i].op == LESS ? PREDS : s[i].op == ADD_LONG || s[i].op == WIDEN ? LONGS : WORDS;
    s[i].d = draw(seed, n);
    s[i].a = draw(seed, s[i].op == ADD_LONG || s[i].op == NARROW ? LONGS : WORDS);
    s[i].b = draw(seed, s[i].op == ADD_LONG ? LONGS : WORDS);
    s[i].c = draw(seed, WORDS);
    if (s[i].op == FORWARD || draw(seed, 3) == 0) s[i].guard = draw(seed, PREDS);
    s[i].negated = draw(seed, 2);
    s[i].target = s[i].op == BACK ? draw(seed, i) : i + 1 + draw(seed, LENGTH - i);
  }
}

static void print_step(FILE *f, const step_t *s, unsigned i) {
  fprintf(f, "L%u: ", i);
  if (s->op == BACK) {
    fprintf(f, "add.u32 %%n, %%n, 1; setp.lt.u32 %%q, %%n, %%m; @%%q bra L%u;\n", s->target);
    return;
  }
  if (s->guard < PREDS) fprintf(f, "@%s%%p%u ", s->negated ? "!" : "", s->guard);
  switch (s->op) {
  case ADD:
    fprintf(f, "add.u32 %%r%u, %%r%u, %%r%u;\n", s->d, s->a, s->b);
    break;
  case MAD:
    fprintf(f, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n", s->d, s->a, s->b, s->c);
    break;
  case XOR:
    fprintf(f, "xor.b32 %%r%u, %%r%u, %%r%u;\n", s->d, s->a, s->b);
    break;
  case ADD_LONG:
    fprintf(f, "add.u64 %%rd%u, %%rd%u, %%rd%u;\n", s->d, s->a, s->b);
    break;
  case WIDEN:
    fprintf(f, "mul.wide.u32 %%rd%u, %%r%u, %%r%u;\n", s->d, s->a, s->b);
    break;
  case NARROW:
    fprintf(f, "cvt.u32.u64 %%r%u, %%rd%u;\n", s->d, s->a);
    break;
  case LESS:
    fprintf(f, "setp.lt.u32 %%p%u|%%p%u, %%r%u, %%r%u;\n", s->d, (s->d + 1) % PREDS, s->a, s->b);
    break;
  default:
    fprintf(f, "bra L%u;\n", s->target);
    break;
  }
}

/* Registers that nobody writes any more are copies of a constant, of a parameter or of %tid. */
static void print(char *text, const step_t *s) {
  FILE *f = fmemopen(text, TEXT_BYTES, "w");
  ck_assert_ptr_nonnull(f);
  fputs(PTX_HEAD ".visible .entry k(.param .u64 out, .param .u32 x) {\n"
                 ".reg .pred %p<9>; .reg .pred %q; .reg .b32 %r<16>; .reg .b32 %n; .reg .b32 %m;\n"
                 ".reg .b32 %t; .reg .b64 %rd<16>; mov.u32 %t, %tid.x; mov.u32 %n, 0;\n"
                 "and.b32 %m, %t, 3; mov.u32 %r0, %tid.x; ld.param.u32 %r1, [x];\n",
        f);
  for (unsigned i = 2; i < WORDS; i++)
    fprintf(f, i % 2 ? "mov.u32 %%r%u, %u;\n" : "mul.lo.u32 %%r%u, %%t, %u;\n", i, 77 * i);
  for (unsigned i = 0; i < LONGS; i++) fprintf(f, "mul.wide.u32 %%rd%u, %%t, %u;\n", i, i + 1);
  for (unsigned i = 0; i < PREDS; i++) fprintf(f, "setp.lt.u32 %%p%u, %%t, %u;\n", i, 5 * i + 4);
  for (unsigned i = 0; i < LENGTH; i++) print_step(f, &s[i], i);
  fprintf(f, "L%u: cvt.u32.u64 %%r12, %%rd1; xor.b32 %%r12, %%r12, %%r0;\n", LENGTH);
  fputs("add.u32 %r12, %r12, %r2; xor.b32 %r12, %r12, %r3; @%p1 add.u32 %r12, %r12, 9;\n"
        "ld.param.u64 %rd7, [out]; mul.wide.u32 %rd8, %t, 4; add.s64 %rd7, %rd7, %rd8;\n"
        "st.global.u32 [%rd7], %r12; ret; }\n",
        f);
  ck_assert_int_eq(fclose(f), 0);
}

enum { PARAM = 1234567 };

/* One instruction of one thread; the next one. */
static unsigned interpret(thread_t *t, const step_t *s, unsigned i, uint32_t tid) {
  if (s->op == BACK) return ++t->rounds < (tid & 3) ? s->target : i + 1;
  if (s->guard < PREDS && t->p[s->guard] == s->negated) return i + 1;
  switch (s->op) {
  case ADD:
    t->r[s->d] = t->r[s->a] + t->r[s->b];
    break;
  case MAD:
    t->r[s->d] = t->r[s->a] * t->r[s->b] + t->r[s->c];
    break;
  case XOR:
    t->r[s->d] = t->r[s->a] ^ t->r[s->b];
    break;
  case ADD_LONG:
    t->rd[s->d] = t->rd[s->a] + t->rd[s->b];
    break;
  case WIDEN:
    t->rd[s->d] = (uint64_t)t->r[s->a] * t->r[s->b];
    break;
  case NARROW:
    t->r[s->d] = (uint32_t)t->rd[s->a];
    break;
  case LESS:
    t->p[s->d] = t->r[s->a] < t->r[s->b];
    t->p[(s->d + 1) % PREDS] = !t->p[s->d];
    break;
  default:
    return s->target;
  }
  return i + 1;
}

static uint32_t expected(const step_t *s, uint32_t tid) {
  thread_t t = {.r = {tid, PARAM}};
  for (unsigned i = 2; i < WORDS; i++) t.r[i] = i % 2 ? 77 * i : tid * 77 * i;
  for (unsigned i = 0; i < LONGS; i++) t.rd[i] = (uint64_t)tid * (i + 1);
  for (unsigned i = 0; i < PREDS; i++) t.p[i] = tid < 5 * i + 4;
  for (unsigned i = 0; i < LENGTH;) i = interpret(&t, &s[i], i, tid);
  return ((((uint32_t)t.rd[1] ^ t.r[0]) + t.r[2]) ^ t.r[3]) + (t.p[1] ? 9 : 0);
}

START_TEST(random_kernels) {
  uint32_t seed = 20141 + (uint32_t)_i;
  char *text = malloc(TEXT_BYTES);
  ck_assert_ptr_nonnull(text);
  for (unsigned n = 0; n < ROUNDS; n++) {
    step_t s[LENGTH];
    make(s, &seed);
    print(text, s);
    rig_t r = {.portable = n % 2};
    ck_assert_msg(rig_open(&r, text, 1, 64) == 0, "%s\n%s", r.err.text, text);
    const uint32_t *out = rig_buffer(&r, 0, 256);
    simt_param(&r.prepared.launch, 1, PARAM);
    ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
    for (uint32_t i = 0; i < 64; i++)
      ck_assert_msg(out[i] == expected(s, i), "thread %u: %#x, expected %#x\n%s", i, out[i],
                    expected(s, i), text);
    rig_close(&r);
  }
  free(text);
}
END_TEST

/* ---- the bytes of a warp --------------------------------------------------- */

static uint32_t bytes_of(const char *body) {
  char text[4096];
  rig_t r = {0};
  snprintf(text, sizeof text,
           PTX_HEAD ".visible .entry k(.param .u64 a, .param .u32 x) {\n"
                    ".reg .pred %%p<9>; .reg .b32 %%r<99>; .reg .b64 %%rd<9>;\n"
                    "%s ret;\n}\n",
           body);
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  uint32_t bytes = ((const simt_t *)(const void *)r.w)->kernels[0].reg_bytes;
  rig_close(&r);
  return bytes - SIMT_LINE; /* of the predicates */
}

START_TEST(places) {
  char chain[4096];
  size_t at = (size_t)snprintf(chain, sizeof chain, "mov.u32 %%r0, %%tid.x;\n");
  for (unsigned i = 1; i < 60; i++)
    at += (size_t)snprintf(chain + at, sizeof chain - at, "add.u32 %%r%u, %%r%u, 1;\n", i, i - 1);
  ck_assert_uint_eq(bytes_of(chain), VECTOR); /* each value ends where the next begins */
  /* Copies of constants, and copies of these, need none. */
  ck_assert_uint_eq(bytes_of("ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1;\n"
                             "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %r1; st.global.u32 [%rd2], %r2;"),
                    0);
  /* Not if a guard may keep the old value, or another instruction writes it too. */
  ck_assert_uint_eq(bytes_of("mov.u32 %r1, 1; mov.u32 %r1, 2;\n"), VECTOR);
  ck_assert_uint_eq(bytes_of("setp.eq.u32 %p1, 1, 1; @%p1 mov.u32 %r1, 1;\n"), VECTOR);
  /* A guarded write ends no life: the two are live together. */
  ck_assert_uint_eq(bytes_of("setp.eq.u32 %p1, 1, 1; add.u32 %r1, 1, 2; add.u32 %r2, 3, 4;\n"
                             "@%p1 add.u32 %r1, %r2, 5; add.u32 %r3, %r1, 1;\n"),
                    2 * VECTOR);
  /* Lanes of different widths lie in different places. */
  ck_assert_uint_eq(bytes_of("add.u32 %r1, 1, 2; cvt.u64.u32 %rd1, %r1; cvt.u32.u64 %r2, %rd1;\n"),
                    3 * VECTOR);
}
END_TEST

Suite *test_simt_registers_suite(void);

Suite *test_simt_registers_suite(void) {
  Suite *s = suite_create("simt_registers");
  TCase *t = tcase_create("simt_registers");
  tcase_add_loop_test(t, random_kernels, 0, 3);
  tcase_add_test(t, places);
  suite_add_tcase(s, t);
  return s;
}
