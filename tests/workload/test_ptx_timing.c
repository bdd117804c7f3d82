/* SPDX-License-Identifier: Apache-2.0 */
/* The timing of a compiled kernel, instruction by instruction: the table that was checked against
 * the reference's cycle counts of atax (within 1 %), beside what is derived from the PTX. */
#include "ptx_help.h"

typedef struct {
  warp_class_t cls;
  warp_unit_t unit;
  unsigned latency, interval;
  const char *dst, *src[3], *wait;
} want_t;

#define R(n) "%r" #n
#define RD(n) "%rd" #n
#define F(n) "%f" #n
#define PR(n) "%p" #n
#define ALU(unit, latency, interval, d, a, b, c)                                                   \
  { WARP_ALU, unit, latency, interval, d, {a, b, c}, 0 }
#define OP_MOV(d) ALU(WARP_SP, 1, 1, d, 0, 0, 0)
#define OP_SIMPLE(d, a) ALU(WARP_SP, 1, 1, d, a, 0, 0)
#define OP_ADD(d, a, b) ALU(WARP_SP, 4, 1, d, a, b, 0)
#define OP_MUL(d, a) ALU(WARP_SFU, 4, 2, d, a, 0, 0)
#define OP_MAD(d, a, b, c) ALU(WARP_SFU, 5, 1, d, a, b, c)
#define OP_FMA(d, a, b, c) ALU(WARP_SP, 1, 1, d, a, b, c)
#define OP_BRA(p)                                                                                  \
  { WARP_BRANCH, WARP_SP, 1, 1, 0, {0, 0, 0}, p }
#define OP_EXIT                                                                                    \
  { WARP_EXIT, WARP_SP, 1, 1, 0, {0, 0, 0}, 0 }
#define OP_LD4(d, a)                                                                               \
  { WARP_LOAD, WARP_MEM, 0, 0, d, {a, 0, 0}, 0 }
#define OP_ST4(a, v)                                                                               \
  { WARP_STORE, WARP_MEM, 0, 0, 0, {v, a, 0}, 0 }
#define OP_PARAM(d)                                                                                \
  { WARP_LOAD, WARP_MEM, 0, 0, d, {0, 0, 0}, 0 }

static const want_t row[] = {
    OP_MOV(R(2)),
    OP_MOV(R(3)),
    OP_MOV(R(4)),
    OP_MAD(R(1), R(2), R(3), R(4)),
    OP_SIMPLE(PR(1), R(1)),
    OP_BRA(PR(1)),
    OP_PARAM(RD(8)),
    OP_PARAM(RD(9)),
    OP_SIMPLE(RD(1), RD(9)),
    OP_PARAM(RD(10)),
    OP_SIMPLE(RD(2), RD(10)),
    OP_SIMPLE(RD(3), RD(8)),
    OP_SIMPLE(R(5), R(1)),
    OP_MUL(RD(12), R(1)),
    OP_ADD(RD(4), RD(1), RD(12)),
    OP_LD4(F(6), RD(4)),
    OP_MUL(RD(13), R(5)),
    OP_ADD(RD(5), RD(3), RD(13)),
    OP_MOV(RD(16)),
    OP_ADD(RD(14), RD(5), RD(16)),
    OP_LD4(F(4), RD(14)),
    OP_ADD(RD(15), RD(2), RD(16)),
    OP_LD4(F(5), RD(15)),
    OP_FMA(F(6), F(4), F(5), F(6)),
    OP_ST4(RD(4), F(6)),
    OP_ADD(RD(16), RD(16), 0),
    OP_SIMPLE(R(6), RD(16)),
    OP_SIMPLE(PR(2), R(6)),
    OP_BRA(PR(2)),
    OP_EXIT,
};

static const want_t column[] = {
    OP_MOV(R(4)),
    OP_MOV(R(5)),
    OP_MOV(R(6)),
    OP_MAD(R(8), R(4), R(5), R(6)),
    OP_SIMPLE(PR(1), R(8)),
    OP_BRA(PR(1)),
    OP_PARAM(RD(7)),
    OP_PARAM(RD(8)),
    OP_SIMPLE(RD(1), RD(8)),
    OP_PARAM(RD(9)),
    OP_SIMPLE(RD(2), RD(9)),
    OP_SIMPLE(RD(3), RD(7)),
    OP_MUL(RD(11), R(8)),
    OP_ADD(RD(4), RD(2), RD(11)),
    OP_LD4(F(6), RD(4)),
    OP_MOV(RD(15)),
    OP_MUL(RD(12), R(8)),
    OP_ADD(RD(13), RD(3), RD(12)),
    OP_LD4(F(4), RD(13)),
    OP_ADD(RD(14), RD(1), RD(15)),
    OP_LD4(F(5), RD(14)),
    OP_FMA(F(6), F(4), F(5), F(6)),
    OP_ST4(RD(4), F(6)),
    OP_ADD(R(8), R(8), 0),
    OP_ADD(RD(15), RD(15), 0),
    OP_SIMPLE(R(7), RD(15)),
    OP_SIMPLE(PR(2), R(7)),
    OP_BRA(PR(2)),
    OP_EXIT,
};

static void expect_register(const ptx_kernel_t *k, unsigned at, uint16_t reg, const char *want) {
  ck_assert_msg(strcmp(k->regs[reg].name, want ? want : "") == 0, "%s, instruction %u: %s, not %s",
                k->name, at, k->regs[reg].name, want ? want : "none");
}

static void expect(const ptx_kernel_t *k, const want_t *want, unsigned n) {
  ck_assert_uint_eq(k->n_insts, n);
  for (unsigned i = 0; i < n; i++) {
    const warp_inst_t *w = &k->insts[i].warp;
    ck_assert_msg(w->cls == want[i].cls && w->unit == want[i].unit, "%s, instruction %u", k->name,
                  i);
    ck_assert_uint_eq(w->latency, want[i].latency);
    ck_assert_uint_eq(w->interval, want[i].interval);
    bool param = k->insts[i].space == PTX_PARAM;
    ck_assert_uint_eq(w->elem, param ? 8 : w->unit == WARP_MEM ? 4 : 0);
    if (w->unit == WARP_MEM) ck_assert_uint_eq(w->space, param ? WARP_CONST : WARP_GLOBAL);
    expect_register(k, i, w->dst[0], want[i].dst);
    for (unsigned s = 0; s < 3; s++) expect_register(k, i, w->src[s], want[i].src[s]);
    expect_register(k, i, w->wait[0], want[i].wait);
    ck_assert_uint_eq(w->dst[1] | w->src[3] | w->wait[1], 0);
  }
}

START_TEST(atax) {
  size_t size;
  char *text = read_whole("tests/data/atax.ptx", &size);
  ptx_module_t *m = read_text(text);
  expect(ptx_kernel(m, 0), row, sizeof row / sizeof *row);
  expect(ptx_kernel(m, 1), column, sizeof column / sizeof *column);
  ck_assert_uint_eq(ptx_kernel(m, 0)->insts[28].target, 19);
  ck_assert_uint_eq(ptx_kernel(m, 1)->insts[27].target, 16);
  ptx_free(m);
  free(text);
}
END_TEST

Suite *test_ptx_timing_suite(void);
Suite *test_ptx_timing_suite(void) {
  Suite *s = suite_create("ptx_timing");
  TCase *t = tcase_create("compiled");
  tcase_add_test(t, atax);
  suite_add_tcase(s, t);
  return s;
}
