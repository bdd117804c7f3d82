/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction cache: cold misses, warps that wait for one line, refusals, eviction, its turn at
 * the injection port; and parameters as loads of the constant space. test_gpu.c tests that an SM
 * that waits for instructions may sleep. */
#include "workload/program_help.h"
#include "sm_rig.h"

#define BASE UINT64_C(0x80000000)
#define CODE UINT64_C(0xf0000000)
#define N(a) (sizeof(a) / sizeof *(a))

enum { LINE_INSTS = 16, MANY = 12 * LINE_INSTS };

/* `n` instructions of one cycle that need nothing of each other, the last one the exit. */
static rig_script_t straight(rig_op_t *ops, unsigned n) {
  for (unsigned i = 0; i + 1 < n; i++) ops[i] = (rig_op_t)RIG_ALU((uint16_t)(i % 500 + 1), 0);
  ops[n - 1] = (rig_op_t)RIG_EXIT;
  return (rig_script_t){ops, n};
}

static rig_t *open_rig(uint32_t blocks, uint32_t warps, rig_script_t s, uint32_t sets,
                       uint32_t ways) {
  rig_t *r = rig_new(blocks, warps, &s, 1);
  r->cfg.l1i_sets = sets;
  r->cfg.l1i_ways = ways;
  return r;
}

/* Every 16 instructions a line of 128 bytes is fetched, when the warp gets there. */
START_TEST(cold) {
  rig_op_t ops[MANY];
  const rig_script_t s = straight(ops, MANY);
  rig_t *r = open_rig(1, 1, s, 4, 4), *off = open_rig(1, 1, s, 0, 4);
  ck_assert(rig_run(r));
  ck_assert(rig_run(off));
  const sm_stats_t *t = sm_stats(r->sm);
  ck_assert_uint_eq(t->fetch_misses, MANY / LINE_INSTS);
  ck_assert_uint_eq(t->fetch_hits, MANY / 2);
  ck_assert_uint_eq(t->fetch_refused, 0);
  ck_assert_uint_eq(r->reads, MANY / LINE_INSTS);
  ck_assert_uint_eq(r->bytes_read, MANY / LINE_INSTS * 128);
  ck_assert_uint_eq(t->read_replies, 0); /* no reply went to the LDST unit */
  ck_assert_uint_eq(off->reads, 0);
  ck_assert_uint_eq(sm_stats(off->sm)->fetch_hits, 0);
  for (unsigned i = 1; i < MANY; i++) { /* only the first of a line comes late */
    uint64_t d = rig_cycle(r, 0, 0, i) - rig_cycle(r, 0, 0, i - 1);
    uint64_t o = rig_cycle(off, 0, 0, i) - rig_cycle(off, 0, 0, i - 1);
    if (i % LINE_INSTS)
      ck_assert_uint_eq(d, o);
    else
      ck_assert_uint_gt(d, o + RIG_LATENCY);
  }
  rig_close(r);
  rig_close(off);
}
END_TEST

/* Warps that miss one line share its request and go on one a cycle; the entry has room for 32, and
 * the others are refused until the line is there. */
START_TEST(merge) {
  rig_op_t ops[LINE_INSTS];
  const rig_script_t s = straight(ops, LINE_INSTS);
  static const unsigned warps[] = {2, 32, 48};
  unsigned n = warps[_i];
  rig_t *r = open_rig(1, n, s, 4, 4);
  ck_assert(rig_run(r));
  const sm_stats_t *t = sm_stats(r->sm);
  ck_assert_uint_eq(r->reads, 1);
  ck_assert_uint_eq(t->fetch_misses, n < 32 ? n : 32);
  ck_assert_uint_eq(t->fetch_hits, n * LINE_INSTS / 2);
  ck_assert_uint_eq(t->fetch_refused > 0, n > 32);
  uint64_t first = UINT64_MAX;
  for (unsigned i = 0; i < r->n_log; i++)
    if (r->log[i].cycle < first) first = r->log[i].cycle;
  ck_assert_uint_gt(first, RIG_LATENCY);
  rig_close(r);
}
END_TEST

/* Two lines in turn: in a cache of one line every fetch misses, in one of two, of one set or of
 * two, only the first of each. */
START_TEST(eviction) {
  static const struct {
    uint32_t sets, ways;
    unsigned misses;
  } c[] = {{1, 1, 9}, {1, 2, 2}, {2, 1, 2}, {4, 4, 2}};
  rig_op_t ops[9];
  const rig_script_t s = straight(ops, N(ops));
  rig_t *r = open_rig(1, 1, s, c[_i].sets, c[_i].ways);
  r->pc_wrap = 256;
  ck_assert(rig_run(r));
  ck_assert_uint_eq(sm_stats(r->sm)->fetch_misses, c[_i].misses);
  ck_assert_uint_eq(sm_stats(r->sm)->fetch_hits, 9);
  rig_close(r);
}
END_TEST

/* Misses leave behind those of the LDST unit, through the same port, to the addresses of the code.
 */
START_TEST(port) {
  const rig_op_t ops[] = {RIG_STORE(WARP_GLOBAL, 1, BASE, 64), RIG_STORE(WARP_GLOBAL, 1, BASE, 64),
                          RIG_STORE(WARP_GLOBAL, 1, BASE, 64), RIG_EXIT};
  rig_op_t code[3 * LINE_INSTS];
  const rig_script_t s[2] = {{ops, N(ops)}, straight(code, N(code))};
  rig_t *r = rig_new(1, 2, s, 2);
  r->cfg.l1i_sets = 4;
  ck_assert(rig_run(r));
  ck_assert_uint_eq(r->writes, 3 * 16);
  ck_assert_uint_eq(r->reads, 3);
  for (unsigned i = 0; i < 3; i++) ck_assert_uint_eq(r->read_addr[i], CODE + 128 * i);
  rig_t *alone = rig_new(1, 1, &s[1], 1);
  alone->cfg.l1i_sets = 4;
  ck_assert(rig_run(alone));
  uint64_t with = rig_cycle(r, 0, 1, LINE_INSTS) - rig_cycle(r, 0, 1, LINE_INSTS - 1);
  uint64_t without = rig_cycle(alone, 0, 0, LINE_INSTS) - rig_cycle(alone, 0, 0, LINE_INSTS - 1);
  ck_assert_uint_gt(with, without);
  rig_close(r);
  rig_close(alone);
}
END_TEST

/* Parameters are loads of the constant space, at their offsets in the parameter block. */
START_TEST(parameters) {
  static const char text[] = ".version 3.2\n.target sm_20\n.address_size 64\n"
                             ".visible .entry k(.param .u64 a, .param .u32 n, .param .u32 m,\n"
                             ".param .align 4 .b8 pad[56], .param .u32 last) {\n"
                             ".reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
                             "ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n];\n"
                             "ld.param.u32 %r2, [pad+12]; ld.param.u32 %r3, [last]; ret;\n}\n";
  static const struct {
    uint64_t addr;
    uint8_t elem;
  } want[] = {{0, 8}, {8, 4}, {28, 4}, {72, 4}};
  workload_t *w = open_text(text, 32, 64);
  ck_assert_ptr_nonnull(workload_next(w));
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  for (unsigned i = 0; i < N(want); i++, warp_stream_step(w, s)) {
    uint64_t addr[WARP_LANES];
    const warp_inst_t *p = warp_stream_peek(w, s);
    ck_assert_int_eq(p->cls, WARP_LOAD);
    ck_assert_int_eq(p->unit, WARP_MEM);
    ck_assert_int_eq(p->space, WARP_CONST);
    ck_assert_uint_eq(p->elem, want[i].elem);
    warp_stream_addresses(w, s, addr);
    for (unsigned l = 0; l < WARP_LANES; l++) ck_assert_uint_eq(addr[l], want[i].addr);
  }
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

Suite *test_sm_icache_suite(void);
Suite *test_sm_icache_suite(void) {
  Suite *s = suite_create("sm_icache");
  TCase *t = tcase_create("fetch");
  tcase_add_test(t, cold);
  tcase_add_loop_test(t, merge, 0, 3);
  tcase_add_loop_test(t, eviction, 0, 4);
  tcase_add_test(t, port);
  tcase_add_test(t, parameters);
  suite_add_tcase(s, t);
  return s;
}
