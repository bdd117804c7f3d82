/* The Rodinia programs BP, BFS, BT, GM and HS: launches, addresses, instruction and line counts of
 * blocks, and the final memory against the host's computation. Runs functionally, block by block,
 * without timing. */
#include "programs/program.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WARPS = 16 };

typedef struct {
  uint64_t insts, loads, load_lines, stores, store_lines, store_lanes, barriers;
} counts_t;

/* Sees every instruction before it takes effect. */
typedef void (*visit_t)(void *to, const workload_t *w, const warp_stream_t *s, unsigned warp);

typedef struct {
  workload_t *w;
  const launch_t *launch; /* current one */
  unsigned launches;
  counts_t launch_counts, total;
  counts_t warp[MAX_WARPS]; /* of the block that ran last */
  visit_t visit;
  void *visit_to;
} rig_t;

static rig_t rig_open(const char *program, uint32_t size, uint32_t steps) {
  mrpb_err_t err = {{0}};
  rig_t r = {0};
  int rc = program_open(&r.w, program, &(program_options_t){.size = size, .steps = steps}, &err);
  ck_assert_msg(rc == 0, "%s", err.text);
  return r;
}

static bool rig_next(rig_t *r) {
  r->launch = workload_next(r->w);
  r->launch_counts = (counts_t){0};
  r->launches += r->launch != NULL;
  return r->launch != NULL;
}

static void add(counts_t *to, const counts_t *c) {
  to->insts += c->insts;
  to->loads += c->loads;
  to->load_lines += c->load_lines;
  to->stores += c->stores;
  to->store_lines += c->store_lines;
  to->store_lanes += c->store_lanes;
  to->barriers += c->barriers;
}

/* Transactions of a warp instruction: distinct segments of 128 bytes, 32 for single bytes. */
static unsigned lines(const warp_inst_t *i, uint32_t mask, const uint64_t addr[WARP_LANES]) {
  uint64_t seen[WARP_LANES], segment = i->elem == 1 ? 32 : i->elem == 2 ? 64 : 128;
  unsigned n = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    unsigned k = 0;
    while (k < n && seen[k] != addr[lane] / segment) k++;
    seen[k] = addr[lane] / segment;
    n += k == n;
  }
  return n;
}

static unsigned lanes(uint32_t mask) {
  return (unsigned)__builtin_popcount(mask);
}

static void count(counts_t *c, const workload_t *w, const warp_stream_t *s) {
  const warp_inst_t *i = warp_stream_peek(w, s);
  uint32_t mask = warp_stream_mask(w, s);
  uint64_t addr[WARP_LANES];
  c->insts++;
  c->barriers += i->cls == WARP_BARRIER;
  if ((i->cls != WARP_LOAD && i->cls != WARP_STORE) || i->space != WARP_GLOBAL || !mask) return;
  warp_stream_addresses(w, s, addr);
  if (i->cls == WARP_LOAD) {
    c->loads++;
    c->load_lines += lines(i, mask, addr);
  } else {
    c->stores++;
    c->store_lines += lines(i, mask, addr);
    c->store_lanes += lanes(mask);
  }
}

/* To the warp's next barrier or its end; true at a barrier. */
static bool run_warp(rig_t *r, warp_stream_t *s, unsigned warp) {
  for (const warp_inst_t *i; (i = warp_stream_peek(r->w, s));) {
    bool barrier = i->cls == WARP_BARRIER;
    if (r->visit) r->visit(r->visit_to, r->w, s, warp);
    count(&r->warp[warp], r->w, s);
    warp_stream_step(r->w, s);
    if (barrier) return true;
  }
  return false;
}

/* Runs a block; what it counted. */
static counts_t run_block(rig_t *r, uint32_t block) {
  warp_stream_t *s[MAX_WARPS];
  unsigned warps = (r->launch->threads + WARP_LANES - 1) / WARP_LANES;
  counts_t sum = {0};
  ck_assert_uint_le(warps, MAX_WARPS);
  memset(r->warp, 0, sizeof r->warp);
  for (unsigned i = 0; i < warps; i++)
    ck_assert_ptr_nonnull(s[i] = warp_stream_open(r->w, block, i));
  for (bool waiting = true; waiting;) {
    waiting = false;
    for (unsigned i = 0; i < warps; i++) waiting |= run_warp(r, s[i], i);
  }
  for (unsigned i = 0; i < warps; i++) {
    add(&sum, &r->warp[i]);
    warp_stream_close(r->w, s[i]);
  }
  add(&r->launch_counts, &sum);
  return sum;
}

static void run_blocks(rig_t *r) {
  for (uint32_t b = 0; b < r->launch->blocks; b++) (void)run_block(r, b);
  add(&r->total, &r->launch_counts);
}

static void run_all(rig_t *r) {
  while (rig_next(r)) run_blocks(r);
}

static void expect_check(rig_t *r) {
  mrpb_err_t err = {{0}};
  ck_assert_ptr_null(workload_fault(r->w));
  ck_assert_msg(workload_check(r->w, &err) == 0, "%s", err.text);
  ck_assert_int_eq(workload_check(r->w, &err), 0); /* may be asked again */
}

static void expect_near(uint64_t have, double want, double percent) {
  double off = (double)have / want - 1;
  ck_assert_msg(off * 100 <= percent && off * 100 >= -percent, "%lu, expected %g +- %g %%",
                (unsigned long)have, want, percent);
}

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
           {"bfs", "cost[", 2000, 5, 1},
           {"bt", "query 7 for", 10000, 1, 7},
           {"bt", "query 3 for", 10000, 2, 3},
           {"gm", "m[", 21, 1, 0},
           {"gm", "a[", 21, 2, 7},
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
    if (level == 7) ck_assert_uint_eq(l.warps, second ? 1890 : 2048);
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
  expect_near(r.launch_counts.insts, 300 * 921, 0.5);
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
  expect_near(r.launch_counts.insts, 300 * 587, 0.5);
  expect_near(r.launch_counts.loads, 300 * 84, 1);
  expect_near(r.launch_counts.load_lines, 300 * 109, 1);
  workload_close(r.w);
}
END_TEST

START_TEST(bt_whole) {
  rig_t r = rig_open("bt", 0, 0);
  ck_assert(rig_next(&r));
  run_blocks(&r);
  expect_near(r.launch_counts.insts, 5.53e6, 0.3);
  expect_near(r.launch_counts.load_lines, 1.29e6, 0.5);
  ck_assert(rig_next(&r));
  run_blocks(&r);
  expect_near(r.launch_counts.insts, 5.87e6, 0.3);
  expect_near(r.launch_counts.load_lines, 1.09e6, 0.5);
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
  ck_assert_uint_eq(r.warp[0].insts, 28);
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
  expect_near(fan1, 0.053e6, 2);
  expect_near(fan2.insts, 14.0e6, 0.5);
  expect_near(fan2.load_lines, 2.04e6, 0.5);
  expect_near(fan2.store_lines, 0.90e6, 0.5);
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
  expect_near(r.total.load_lines, 229e3, 0.5);
  expect_near(r.total.store_lines, 32768, 0);
  expect_check(&r);
  workload_close(r.w);
}
END_TEST

Suite *test_rodinia1_suite(void);
Suite *test_rodinia1_suite(void) {
  Suite *suite = suite_create("rodinia1");
  TCase *tc = tcase_create("blocks");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, reduced_sizes);
  tcase_add_test(tc, difference_is_found);
  tcase_add_test(tc, ends_early);
  tcase_add_test(tc, illegal_sizes);
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
