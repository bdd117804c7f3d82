/* SPDX-License-Identifier: Apache-2.0 */
/* The Rodinia programs BP, BFS, BT, GM and HS: launches, addresses, instruction and line counts of
 * blocks, and the final memory against the host's computation. Runs functionally, block by block,
 * without timing. */
#include "gpu/block_rig.h"

static void whole(const char *program, uint32_t size, uint32_t steps, unsigned launches) {
  rig_t r = rig_open(program, size, steps);
  run_all(&r);
  ck_assert_uint_eq(r.launches, launches);
  expect_check(&r);
  workload_close(r.w);
}

/* ---- all ------------------------------------------------------------------- */

START_TEST(reduced_sizes) {
  whole("bp", 256, 0, 2);
  whole("bp-u", 256, 0, 2);
  whole("bt", 10000, 0, 2); /* height 1 */
  whole("bt", 40000, 0, 2); /* height 2 */
  whole("gm", 21, 0, 40);
  whole("gm", 600, 2, 4); /* Fan1 with two blocks */
  whole("hs", 50, 0, 1);
  whole("hs", 64, 5, 3);
  whole("hs-u", 48, 3, 3);
}
END_TEST

/* A block that does not run leaves a difference, which is named. */
START_TEST(difference_is_found) {
  static const struct {
    const char *program, *message;
    uint32_t size, skip_launch, skip_block;
  } c[] = {{"bp", "w after launch 1[", 256, 1, 3},
           {"bp", "w[", 256, 2, 5},
           {"bp-u", "w after launch 1[", 256, 1, 15},
           {"bp-u", "w[", 256, 2, 0},
           {"bfs", "bfs: 16 launches, expected 14", 2000, 5, 1},
           {"bt", "query 7 for", 10000, 1, 7},
           {"bt", "query 3 for", 10000, 2, 3},
           {"gm", "m[", 21, 1, 0},
           {"gm", "m[109]", 21, 2, 7},
           {"hs", "temp1[", 50, 1, 6},
           {"hs-u", "temp0[", 48, 2, 8}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    mrpb_err_t err = {{0}};
    rig_t r = rig_open(c[i].program, c[i].size, 0);
    while (rig_next(&r))
      for (uint32_t b = 0; b < r.launch->blocks; b++)
        if (r.launches != c[i].skip_launch || b != c[i].skip_block) (void)run_block(&r, b);
    ck_assert_int_eq(workload_check(r.w, &err), -1);
    ck_assert_msg(strncmp(err.text, c[i].message, strlen(c[i].message)) == 0, "%s: '%s'",
                  c[i].program, err.text);
    workload_close(r.w);
  }
}
END_TEST

START_TEST(ends_early) {
  static const char *const program[] = {"bp", "bp-u", "bfs", "bt", "gm", "hs", "hs-u"};
  for (unsigned i = 0; i < sizeof program / sizeof *program; i++) {
    mrpb_err_t err = {{0}};
    rig_t r = rig_open(program[i], 256, 0);
    ck_assert_int_eq(workload_check(r.w, &err), -1);
    ck_assert_msg(strstr(err.text, "launch") != NULL, "%s", err.text);
    workload_close(r.w);
  }
}
END_TEST

START_TEST(illegal_sizes) {
  static const struct {
    const char *program;
    uint32_t size;
  } c[] = {{"bp", 100}, {"bp-u", 24}, {"hs-u", 50}, {"hs", 8}, {"bfs", 1}, {"bt", 255}, {"gm", 1}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    mrpb_err_t err = {{0}};
    workload_t *w;
    program_options_t o = {.size = c[i].size};
    ck_assert_int_eq(program_open(&w, c[i].program, &o, &err), -1);
    ck_assert_ptr_null(w);
    ck_assert_msg(strstr(err.text, "--size") && strstr(err.text, "legal"), "%s", err.text);
  }
}
END_TEST

/* ---- BP -------------------------------------------------------------------- */

static void expect_launch(const rig_t *r, const char *kernel, uint32_t blocks, uint32_t threads,
                          uint32_t regs, uint32_t shared) {
  ck_assert_str_eq(r->launch->kernel, kernel);
  ck_assert_uint_eq(r->launch->blocks, blocks);
  ck_assert_uint_eq(r->launch->threads, threads);
  ck_assert_uint_eq(r->launch->regs, regs);
  ck_assert_uint_eq(r->launch->shared, shared);
}

START_TEST(bp_blocks) {
  rig_t r = rig_open("bp", 0, 0);
  ck_assert(rig_next(&r));
  expect_launch(&r, "bpnn_layerforward_CUDA", 4096, 256, 20, 1088);
  counts_t c = run_block(&r, 17);
  ck_assert_uint_eq(c.insts, 1085);
  ck_assert_uint_eq(c.loads, 16);
  ck_assert_uint_eq(c.stores, 16);
  ck_assert_uint_eq(c.barriers, 64);
  ck_assert(rig_next(&r));
  expect_launch(&r, "bpnn_adjust_weights_cuda", 4096, 256, 20, 0);
  c = run_block(&r, 17);
  ck_assert_uint_eq(c.insts, 448);
  ck_assert_uint_eq(c.loads, 56);
  ck_assert_uint_eq(c.stores, 16);
  (void)run_block(&r, 0);
  ck_assert_uint_eq(r.warp[0].loads, 12); /* the bias row */
  ck_assert_uint_eq(r.warp[0].stores, 4);
  ck_assert_uint_eq(r.warp[1].loads, 7);
  workload_close(r.w);
}
END_TEST

START_TEST(bp_u_blocks) {
  rig_t r = rig_open("bp-u", 0, 0);
  ck_assert(rig_next(&r));
  expect_launch(&r, "bpnn_layerforward", 4096, 256, 20, 0);
  counts_t c = run_block(&r, 17);
  ck_assert_uint_eq(c.insts, 933);
  ck_assert_uint_eq(c.loads, 54);
  ck_assert_uint_eq(c.stores, 31);
  ck_assert_uint_eq(c.barriers, 40);
  workload_close(r.w);
}
END_TEST

START_TEST(bp_whole) {
  rig_t r = rig_open("bp", 0, 0);
  run_all(&r);
  expect_check(&r);
  expect_near(r.total.insts, 6.28e6, 0.5);
  expect_near(r.total.load_lines, 0.432e6, 0.5);
  expect_near(r.total.store_lines, 0.229e6, 0.5);
  workload_close(r.w);
}
END_TEST

START_TEST(bp_u_whole) {
  rig_t r = rig_open("bp-u", 0, 0);
  run_all(&r);
  expect_check(&r);
  expect_near(r.total.insts, 5.66e6, 0.5);
  expect_near(r.total.load_lines, 0.645e6, 0.5);
  expect_near(r.total.store_lines, 0.319e6, 0.5);
  workload_close(r.w);
}
END_TEST

/* ---- BFS ------------------------------------------------------------------- */

/* Per level, frontier nodes and newly marked ones are the stores to `mask` of the two kernels. */
typedef struct {
  unsigned frontier, warps, idle_insts;
} level_t;

static void visit_mask(void *to, const workload_t *w, const warp_stream_t *s, unsigned warp) {
  level_t *l = to;
  const warp_inst_t *i = warp_stream_peek(w, s);
  uint32_t mask = warp_stream_mask(w, s);
  uint64_t addr[WARP_LANES];
  (void)warp;
  if (i->cls != WARP_STORE || !mask) return;
  warp_stream_addresses(w, s, addr);
  uint64_t at = addr[__builtin_ctz(mask)];
  if (at < 0x80200700 || at >= 0x80210700) return;
  l->frontier += lanes(mask);
  l->warps++;
}

START_TEST(bfs_whole) {
  static const unsigned frontier[] = {1, 6, 29, 165, 909, 4898, 20652, 33815, 5051, 10};
  rig_t r = rig_open("bfs", 0, 0);
  uint64_t sum[2] = {0};
  while (rig_next(&r)) {
    level_t l = {0};
    bool second = r.launches % 2 == 0;
    unsigned level = (r.launches - 1) / 2;
    expect_launch(&r, second ? "Kernel2" : "Kernel", 128, 512, second ? 8 : 16, 0);
    r.visit = visit_mask;
    r.visit_to = &l;
    run_blocks(&r);
    sum[second] += r.launch_counts.insts;
    /* Kernel takes the frontier out of the mask, Kernel2 puts the next one in. */
    ck_assert_uint_eq(l.frontier, level + second < 10 ? frontier[level + second] : 0);
    if (level == 0 && !second) {
      ck_assert_uint_eq(r.warp[15].insts, 15); /* a warp without frontier lanes */
      ck_assert_uint_eq(l.warps, 1);
    }
    if (level == 7 && !second) ck_assert_uint_eq(l.warps, 2048);
  }
  ck_assert_uint_eq(r.launches, 20);
  expect_check(&r);
  expect_near(sum[0], 1.73e6, 2);
  expect_near(sum[1], 0.43e6, 2);
  workload_close(r.w);
}
END_TEST

START_TEST(bfs_sizes) {
  static const uint32_t size[] = {2, 3, 100, 512, 513, 3000};
  for (unsigned i = 0; i < sizeof size / sizeof *size; i++)
    for (uint32_t steps = 0; steps < 4; steps++) {
      rig_t r = rig_open("bfs", size[i], steps);
      run_all(&r);
      if (steps) ck_assert_uint_le(r.launches, 2 * steps);
      expect_check(&r);
      workload_close(r.w);
    }
}
END_TEST

/* ---- BT -------------------------------------------------------------------- */

/* Values of the 8-byte loads of an array: node numbers of a descent. */
typedef struct {
  uint64_t addr, node[16];
  unsigned n;
  uint64_t keys; /* address of the last 4-byte load of lane 0 */
} descent_t;

static void visit_descent(void *to, const workload_t *w, const warp_stream_t *s, unsigned warp) {
  descent_t *d = to;
  const warp_inst_t *i = warp_stream_peek(w, s);
  uint32_t mask = warp_stream_mask(w, s);
  uint64_t addr[WARP_LANES];
  uint8_t value[WARP_LANES][16];
  if (warp != 0 || i->cls != WARP_LOAD || i->elem != 8 || !(mask & 2)) return;
  warp_stream_addresses(w, s, addr);
  if (addr[1] != d->addr) return;
  ck_assert_uint_lt(d->n, 16);
  warp_stream_values(w, s, value);
  memcpy(&d->node[d->n++], value[1], 8);
}

START_TEST(bt_blocks) {
  rig_t r = rig_open("bt", 0, 0);
  descent_t d = {.addr = 0x80F87800};
  ck_assert(rig_next(&r));
  expect_launch(&r, "findRangeK", 6000, 256, 24, 0);
  r.visit = visit_descent;
  r.visit_to = &d;
  (void)run_block(&r, 0); /* start 840187 */
  ck_assert_uint_eq(d.n, 3);
  ck_assert_uint_eq(d.node[0], 0);
  ck_assert_uint_eq(d.node[1], 52);
  ck_assert_uint_eq(d.node[2], 6625);
  r.visit = NULL;
  r.launch_counts = (counts_t){0};
  for (uint32_t b = 100; b < 400; b++) (void)run_block(&r, b);
  expect_near(r.launch_counts.insts, 300 * 921, 1);
  expect_near(r.launch_counts.loads, 300 * 163, 1);
  expect_near(r.launch_counts.load_lines, 300 * 215, 1);
  ck_assert(rig_next(&r));
  expect_launch(&r, "findK", 10000, 256, 20, 0);
  d = (descent_t){.addr = 0x8139E900 + 16283648};
  r.visit = visit_descent;
  (void)run_block(&r, 0);
  ck_assert_uint_eq(d.n, 3);
  ck_assert_uint_eq(d.node[0], 0);
  r.visit = NULL;
  r.launch_counts = (counts_t){0};
  for (uint32_t b = 100; b < 400; b++) (void)run_block(&r, b);
  expect_near(r.launch_counts.insts, 300 * 587, 2);
  expect_near(r.launch_counts.loads, 300 * 84, 1);
  expect_near(r.launch_counts.load_lines, 300 * 109, 1);
  workload_close(r.w);
}
END_TEST

START_TEST(bt_whole) {
  rig_t r = rig_open("bt", 0, 0);
  ck_assert(rig_next(&r));
  run_blocks(&r);
  expect_near(r.launch_counts.insts, 5.53e6, 1);
  expect_near(r.launch_counts.load_lines, 1.29e6, 0.5);
  ck_assert(rig_next(&r));
  run_blocks(&r);
  expect_near(r.launch_counts.insts, 5.87e6, 2);
  expect_near(r.launch_counts.load_lines, 1.09e6, 1);
  ck_assert(!rig_next(&r));
  expect_check(&r);
  workload_close(r.w);
}
END_TEST

/* ---- GM -------------------------------------------------------------------- */

START_TEST(gm_blocks) {
  rig_t r = rig_open("gm", 0, 0);
  ck_assert(rig_next(&r));
  expect_launch(&r, "Fan1", 1, 512, 12, 0);
  counts_t c = run_block(&r, 0);
  ck_assert_uint_eq(r.warp[0].insts, 32);
  ck_assert_uint_eq(r.warp[0].load_lines, 33);
  ck_assert_uint_eq(r.warp[0].store_lines, 32);
  ck_assert_uint_eq(r.warp[15].insts, 11);
  ck_assert_uint_eq(c.store_lanes, 207);
  ck_assert(rig_next(&r));
  expect_launch(&r, "Fan2", 2704, 16, 14, 0);
  c = run_block(&r, 52 * 10 + 10);
  ck_assert_uint_eq(c.insts, 43);
  ck_assert_uint_eq(c.loads, 3);
  ck_assert_uint_eq(c.store_lanes, 16);
  ck_assert_uint_eq(run_block(&r, 10).insts, 58);
  for (uint32_t b = 0; b < 2704; b++)
    if (b != 530 && b != 10) (void)run_block(&r, b);
  expect_near(r.launch_counts.insts, 117e3, 0.5);
  /* active threads of Fan2 at t: (207 - t)(208 - t), and column 0 once more for b */
  ck_assert_uint_eq(r.launch_counts.store_lanes, 207 * 208 + 207);
  while (rig_next(&r)) continue;
  ck_assert_uint_eq(r.launches, 414);
  workload_close(r.w);
}
END_TEST

START_TEST(gm_whole) {
  rig_t r = rig_open("gm", 0, 0);
  uint64_t fan1 = 0;
  counts_t fan2 = {0};
  while (rig_next(&r)) {
    unsigned t = (r.launches - 1) / 2;
    run_blocks(&r);
    if (r.launches % 2) {
      fan1 += r.launch_counts.insts;
      continue;
    }
    add(&fan2, &r.launch_counts);
    if (t == 92) expect_near(r.launch_counts.insts, 61.8e3, 0.5);
    if (t == 184) expect_near(r.launch_counts.insts, 32.9e3, 0.5);
  }
  expect_check(&r);
  ck_assert_uint_eq(fan1, 777 * 32 + (207 * 16 - 777) * 11);
  /* Counted by enumeration of the active threads: 43, 58, 18 or 11 instructions a block, and the
   * 128-byte lines of their addresses. */
  ck_assert_uint_eq(fan2.insts, 13014898);
  ck_assert_uint_eq(fan2.load_lines, 1822266);
  ck_assert_uint_eq(fan2.store_lines, 829528);
  workload_close(r.w);
}
END_TEST

/* ---- HS -------------------------------------------------------------------- */

START_TEST(hs_whole) {
  rig_t r = rig_open("hs", 0, 0);
  ck_assert(rig_next(&r));
  expect_launch(&r, "calculate_temp", 1849, 256, 24, 3072);
  for (uint32_t b = 0; b < 1849; b++) {
    counts_t c = run_block(&r, b);
    if (b != 43 * 20 + 20) continue;
    ck_assert_uint_eq(c.insts, 1660);
    ck_assert_uint_eq(c.store_lanes, 144);
    for (unsigned w = 0; w < 8; w++)
      ck_assert_uint_eq(r.warp[w].store_lanes, w == 0 || w == 7 ? 0 : 24);
  }
  ck_assert_uint_eq(r.launch_counts.store_lanes, 512 * 512);
  expect_near(r.launch_counts.insts, 3.06e6, 0.5);
  expect_near(r.launch_counts.loads, 29.2e3, 0.5);
  expect_near(r.launch_counts.load_lines, 85.7e3, 0.5);
  expect_near(r.launch_counts.store_lines, 27.1e3, 0.5);
  ck_assert(!rig_next(&r));
  expect_check(&r);
  workload_close(r.w);
}
END_TEST

START_TEST(hs_u_whole) {
  rig_t r = rig_open("hs-u", 0, 0);
  while (rig_next(&r)) {
    expect_launch(&r, "calculate_temp", 1024, 256, 20, 0);
    run_blocks(&r);
    ck_assert_uint_eq(r.launch_counts.insts, 1024 * 632);
    ck_assert_uint_eq(r.launch_counts.loads, 1024 * 48);
    ck_assert_uint_eq(r.launch_counts.store_lanes, 512 * 512);
  }
  ck_assert_uint_eq(r.launches, 2);
  /* Every load has 2 rows, hence 2 lines, and east and west 4 where a row's 16 cells cross a line:
   * in 15 of 32 columns of blocks. North and south of the border are the border's own row. */
  ck_assert_uint_eq(r.total.load_lines, 2 * (8192 * 12 + 2 * 2 * 15 * 256 - 64));
  ck_assert_uint_eq(r.total.store_lines, 2 * 16384);
  expect_check(&r);
  workload_close(r.w);
}
END_TEST

Suite *test_rodinia1_suite(void);
Suite *test_rodinia1_suite(void) {
  Suite *suite = suite_create("rodinia1");
  TCase *tc = tcase_create("blocks");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, difference_is_found);
  tcase_add_test(tc, ends_early);
  tcase_add_test(tc, illegal_sizes);
  suite_add_tcase(suite, tc);
  tc = tcase_create("larger");
  tcase_set_timeout(tc, 120);
  tcase_set_tags(tc, "heavy"); /* most fill the paper's arrays */
  tcase_add_test(tc, reduced_sizes);
  tcase_add_test(tc, bp_blocks);
  tcase_add_test(tc, bp_u_blocks);
  tcase_add_test(tc, bfs_sizes);
  tcase_add_test(tc, bt_blocks);
  tcase_add_test(tc, gm_blocks);
  suite_add_tcase(suite, tc);
  tc = tcase_create("whole");
  tcase_set_timeout(tc, 600);
  tcase_set_tags(tc, "long");
  tcase_add_test(tc, bp_whole);
  tcase_add_test(tc, bp_u_whole);
  tcase_add_test(tc, bfs_whole);
  tcase_add_test(tc, bt_whole);
  tcase_add_test(tc, gm_whole);
  tcase_add_test(tc, hs_whole);
  tcase_add_test(tc, hs_u_whole);
  suite_add_tcase(suite, tc);
  return suite;
}
