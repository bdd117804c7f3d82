/* SPDX-License-Identifier: Apache-2.0 */
/* Reconvergence points: shapes worked out by hand, and random control flow against the definition
 * of the immediate post-dominator. */
#include "ptx_help.h"

static uint32_t reconverge(const ptx_module_t *m, unsigned i) {
  const ptx_inst_t *inst = &ptx_kernel(m, 0)->insts[i];
  ck_assert_int_eq(inst->op, PTX_OP_BRA);
  return inst->reconverge;
}

START_TEST(if_else) {
  ptx_module_t *m = read_body("@%p1 bra E; add.s32 %r1, %r1, 1; bra.uni J;\n"
                              "E: add.s32 %r1, %r1, 2;\nJ: mov.u32 %r2, %r1; ret;");
  ck_assert_uint_eq(ptx_kernel(m, 0)->insts[0].target, 3);
  ck_assert_uint_eq(reconverge(m, 0), 4);
  ck_assert_uint_eq(reconverge(m, 2), 4);
  ptx_free(m);
}
END_TEST

/* for (;;) { if (p1) break; if (p2) continue; r1++; } */
START_TEST(loop_with_break) {
  ptx_module_t *m = read_body("L: @%p1 bra B; @%p2 bra L; add.s32 %r1, %r1, 1; bra L;\n"
                              "B: st.global.u32 [%rd1], %r1; ret;");
  ck_assert_uint_eq(reconverge(m, 0), 4);
  ck_assert_uint_eq(reconverge(m, 1), 0); /* every way on goes through the head of the loop */
  ptx_free(m);
}
END_TEST

START_TEST(nested) {
  ptx_module_t *m = read_body("@%p1 bra A; @%p2 bra B; mov.u32 %r1, 1; B: mov.u32 %r2, 1; bra C;\n"
                              "A: @%p3 bra D; mov.u32 %r1, 2; D: mov.u32 %r2, 2; C: ret;");
  ck_assert_uint_eq(reconverge(m, 0), 8);
  ck_assert_uint_eq(reconverge(m, 1), 3);
  ck_assert_uint_eq(reconverge(m, 5), 7);
  ptx_free(m);
}
END_TEST

/* Lanes that leave keep the branch before from meeting anywhere but at the end. */
START_TEST(guarded_exit) {
  ptx_module_t *m = read_body("@%p1 bra A; @%p2 exit; A: mov.u32 %r1, 1; @%p3 bra B; exit;\n"
                              "B: ret;");
  ck_assert_uint_eq(reconverge(m, 0), PTX_NO_TARGET);
  ck_assert_uint_eq(reconverge(m, 3), PTX_NO_TARGET);
  ptx_free(m);
}
END_TEST

START_TEST(no_way_out) {
  ptx_module_t *m = read_body("@%p1 bra A; ret; A: @%p2 bra A; bra A;");
  ck_assert_uint_eq(reconverge(m, 0), 1); /* whoever gets out passes here */
  ck_assert_uint_eq(reconverge(m, 2), PTX_NO_TARGET);
  ck_assert_uint_eq(reconverge(m, 3), PTX_NO_TARGET);
  ptx_free(m);
}
END_TEST

/* ---- by definition --------------------------------------------------------------- */

enum { MOST = 24 };

/* Whether the end can be reached from `from` without passing `without`. */
static bool gets_out(const ptx_kernel_t *k, uint32_t from, uint32_t without) {
  uint32_t stack[MOST + 1], n = 0;
  bool seen[MOST] = {false};
  stack[n++] = from;
  seen[from] = true;
  while (n) {
    const ptx_inst_t *i = &k->insts[stack[--n]];
    uint32_t at = (uint32_t)(i - k->insts), next[2], count = 0;
    if (i->op == PTX_OP_EXIT) return true;
    if (i->op == PTX_OP_BRA) next[count++] = i->target;
    if (i->op != PTX_OP_BRA || i->guard) next[count++] = at + 1;
    while (count--) {
      uint32_t to = next[count];
      if (to == without || seen[to]) continue;
      seen[to] = true;
      stack[n++] = to;
    }
  }
  return false;
}

/* `d` is on every way from `of` to the end. */
static bool post_dominates(const ptx_kernel_t *k, uint32_t d, uint32_t of) {
  return d != of && !gets_out(k, of, d);
}

/* The post-dominator that all others post-dominate. */
static uint32_t by_definition(const ptx_kernel_t *k, uint32_t branch) {
  if (!gets_out(k, branch, PTX_NO_TARGET)) return PTX_NO_TARGET;
  for (uint32_t d = 0; d < k->n_insts; d++) {
    if (!post_dominates(k, d, branch)) continue;
    bool nearest = true;
    for (uint32_t e = 0; e < k->n_insts && nearest; e++)
      nearest = e == d || !post_dominates(k, e, branch) || post_dominates(k, e, d);
    if (nearest) return d;
  }
  return PTX_NO_TARGET;
}

static uint32_t draw(uint64_t *state, uint32_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33) % below;
}

/* Every instruction has a label; exits only at the end, so that `gets_out` sees what the reader
 * does: a guarded exit would end there. */
START_TEST(random_flow) {
  uint64_t state = (uint64_t)_i;
  for (unsigned round = 0; round < 50; round++) {
    unsigned n = 2 + draw(&state, MOST - 2);
    char *body = NULL;
    size_t size;
    FILE *f = open_memstream(&body, &size);
    for (unsigned i = 0; i + 1 < n; i++) {
      unsigned kind = draw(&state, 6), to = draw(&state, n);
      if (kind < 2)
        fprintf(f, "L%u: @%%p1 bra L%u;\n", i, to);
      else if (kind == 2)
        fprintf(f, "L%u: bra L%u;\n", i, to);
      else if (kind == 3 && draw(&state, 4) == 0)
        fprintf(f, "L%u: ret;\n", i);
      else
        fprintf(f, "L%u: mov.u32 %%r1, 1;\n", i);
    }
    fprintf(f, "L%u: ret;\n", n - 1);
    fclose(f);
    ptx_module_t *m = read_body(body);
    const ptx_kernel_t *k = ptx_kernel(m, 0);
    for (uint32_t i = 0; i < k->n_insts; i++)
      if (k->insts[i].op == PTX_OP_BRA)
        ck_assert_msg(k->insts[i].reconverge == by_definition(k, i), "branch %u: %u, not %u\n%s", i,
                      k->insts[i].reconverge, by_definition(k, i), body);
    ptx_free(m);
    free(body);
  }
}
END_TEST

Suite *test_ptx_cfg_suite(void);
Suite *test_ptx_cfg_suite(void) {
  Suite *s = suite_create("ptx_cfg");
  TCase *t = tcase_create("reconvergence");
  tcase_add_test(t, if_else);
  tcase_add_test(t, loop_with_break);
  tcase_add_test(t, nested);
  tcase_add_test(t, guarded_exit);
  tcase_add_test(t, no_way_out);
  tcase_add_loop_test(t, random_flow, 1, 9);
  suite_add_tcase(s, t);
  return s;
}
