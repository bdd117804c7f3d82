/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU of the micro-benchmarks: configured latencies, tables that fill at their configured size,
 * barriers, what is refused, and what never ends. Times are compared with each other, so that the
 * cost of the clocks cancels out. */
#include "device_help.h"
#include "studies/micro/kernels/loads.h"

static void open_text(bench_t *b, const config_t *c, const char *body) {
  static mrpb_err_t err;
  text_t text = {0};
  err.text[0] = '\0';
  text_add(&text, ".version 3.2\n.target sm_20\n.address_size 64\n%s", body);
  bench_gpu_t on = bench_gpu_model(c, NULL);
  on.err = &err;
  bench_open(b, &on, &text);
  ck_assert_msg(bench_ok(&on), "%s", err.text);
}

static device_end_t launch(bench_t *b, uint32_t threads, uint32_t regs, uint64_t a, uint64_t out) {
  const bench_launch_t l = {
      .kernel = "k", .blocks = 1, .threads = threads, .regs = regs, .n_args = 2, .arg = {a, out}};
  return bench_run(b, &l);
}

/* ---- one load --------------------------------------------------------------- */

static const char one_load[] =
    ".visible .entry k(.param .u64 a, .param .u64 out)\n{\n  .reg .b32 %r<6>;\n  .reg .b64 "
    "%rd<3>;\n"
    "  ld.param.u64 %rd1, [a];\n  ld.param.u64 %rd2, [out];\n"
    "  ld.global.u32 %r1, [%rd1];\n  add.u32 %r1, %r1, 1;\n" /* what the second one finds */
    "  mov.u32 %r2, %clock;\n  ld.global.u32 %r3, [%rd1+0];\n  add.u32 %r3, %r3, 1;\n"
    "  mov.u32 %r4, %clock;\n  sub.u32 %r4, %r4, %r2;\n  st.global.u32 [%rd2], %r4;\n  ret;\n}\n";

static const char first_load[] =
    ".visible .entry k(.param .u64 a, .param .u64 out)\n{\n  .reg .b32 %r<6>;\n  .reg .b64 "
    "%rd<3>;\n"
    "  ld.param.u64 %rd1, [a];\n  ld.param.u64 %rd2, [out];\n"
    "  bar.sync 0;\n  bar.sync 0;\n  mov.u32 %r2, %clock;\n  ld.global.u32 %r3, [%rd1];\n  add.u32 "
    "%r3, %r3, 1;\n"
    "  mov.u32 %r4, %clock;\n  sub.u32 %r4, %r4, %r2;\n  st.global.u32 [%rd2], %r4;\n  ret;\n}\n";

static uint32_t time_of(bench_t *b, uint64_t a, uint64_t out) {
  ck_assert_msg(launch(b, 1, 16, a, out) == DEVICE_DONE, "%s", b->gpu.err->text);
  return *(const uint32_t *)bench_at(b, out, 4);
}

/* The path's keys, told apart by what was touched before. */
START_TEST(levels) {
  config_t c = device_config(NULL);
  bench_t hit, first;
  open_text(&hit, &c, one_load);
  open_text(&first, &c, first_load);
  uint64_t a = bench_alloc(&hit, 1 << 28, BENCH_DEVICE), out = bench_alloc(&hit, 256, BENCH_DEVICE);
  ck_assert(bench_alloc(&first, 1 << 28, BENCH_DEVICE) == a &&
            bench_alloc(&first, 256, BENCH_DEVICE) == out);
  (void)time_of(&hit, a, out);
  uint32_t l1 = time_of(&hit, a, out);
  (void)time_of(&first, a, out); /* the page and its table entry */
  uint32_t l2 = time_of(&first, a, out), dram = time_of(&first, a + 4096, out);
  ck_assert_uint_eq(l2 - l1, c.l2_latency + c.l1d_miss - c.l1d_latency);
  ck_assert_uint_eq(dram - l2, c.dram_load_latency - c.l2_latency + c.l1d_dram);
  uint32_t walk = time_of(&first, a + (8 << 21), out); /* a page never seen, in the DRAM too */
  ck_assert_uint_eq(walk - dram, c.tlb1_miss + c.walk_dram);
  for (uint64_t page = 1; page <= 17; page++) (void)time_of(&first, a + (page << 21), out);
  device_copy_in(bench_device(&first), a, 128);
  ck_assert_uint_eq(time_of(&first, a, out) - l2, c.tlb1_miss); /* the second TLB has it */
  bench_close(&hit);
  bench_close(&first);
}
END_TEST

/* Pages beyond the victim TLB's reach are walked again, those within it are not. */
START_TEST(victim) {
  static const char *const set[] = {"TLB1_WAYS=1", "TLB2_SETS=1", "TLB2_WAYS=2", "TLB2_EXTRA=0",
                                    "TLB3_WAYS=2", "TLB3_HIT=17", NULL};
  config_t c = device_config(set);
  bench_t b;
  open_text(&b, &c, first_load);
  uint64_t a = bench_alloc(&b, 1 << 25, BENCH_DEVICE), out = bench_alloc(&b, 256, BENCH_DEVICE);
  uint64_t hits = 0, walks = 0;
  for (unsigned pass = 0; pass < 3; pass++)
    for (uint64_t page = 0; page < 3; page++) {
      (void)time_of(&b, a + (page << 21), out);
      hits = device_stats(bench_device(&b))->tlb3_hits;
      walks = device_stats(bench_device(&b))->walks;
      if (pass == 2) ck_assert_uint_eq(walks, 0);
    }
  ck_assert_uint_ge(hits, 1);
  bench_close(&b);
}
END_TEST

/* ---- tables ----------------------------------------------------------------- */

static uint32_t run_loads(const config_t *c, const loads_t *p, device_stats_t *stats) {
  const loads_kind_t k = {.loads = 1};
  loads_bench_t b;
  mrpb_err_t err = {{0}};
  bench_gpu_t on = bench_gpu_model(c, NULL);
  on.err = &err;
  loads_open(&b, &on, &k);
  (void)loads_run(&b, p);
  const uint32_t cycles = loads_run(&b, p);
  ck_assert_msg(bench_ok(&on), "%s", err.text);
  if (stats) *stats = *device_stats(bench_device(&b.bench));
  bench_close(&b.bench);
  return cycles;
}

START_TEST(mshr_table) {
  static const char *const set[] = {"MSHR_ENTRIES=20", "MSHR_MERGES=3", NULL};
  config_t c = device_config(set);
  device_stats_t s;
  uint32_t fits = run_loads(&c, &(loads_t){20, 1, 1, 0}, &s);
  ck_assert_uint_eq(s.table_most, 20);
  ck_assert_uint_eq(s.stall_table, 0);
  uint32_t not = run_loads(&c, &(loads_t){22, 1, 1, 0}, &s);
  ck_assert_uint_eq(s.table_most, 20);
  ck_assert_uint_gt(s.stall_table, 0);
  ck_assert_uint_gt(not -fits, 100);
  run_loads(&c, &(loads_t){96, 32, 32, 0}, &s); /* three warps, one line */
  ck_assert_uint_eq(s.merges, 2);
  ck_assert_uint_eq(s.stall_merge, 0);
  run_loads(&c, &(loads_t){128, 32, 32, 0}, &s);
  ck_assert_uint_gt(s.stall_merge, 0);
}
END_TEST

START_TEST(prt_orders) {
  static const char *const any[] = {"TABLE=prt",      "PRT_LOADS=6",  "L1D_SETS=0", "LSU_QUEUE=128",
                                    "LSU_SERVICE=64", "LSU_CYCLES=1", NULL};
  config_t c = device_config(any);
  device_stats_t s;
  uint32_t fits = run_loads(&c, &(loads_t){192, 32, 1, 0}, &s);
  ck_assert_uint_eq(s.stall_table, 0);
  ck_assert_uint_eq(s.table_most, 6);
  uint32_t not = run_loads(&c, &(loads_t){224, 32, 1, 0}, &s);
  ck_assert_uint_gt(not -fits, 100);
  c.prt_order = MRPB_ORDER_IN_ORDER;
  ck_assert_uint_eq(run_loads(&c, &(loads_t){192, 32, 1, 0}, &s), fits);
  ck_assert_uint_ge(run_loads(&c, &(loads_t){224, 32, 1, 0}, &s), not );
}
END_TEST

/* With two lines, the first awaited from the host: a third is taken when the second can be replaced. `warps` says by
 * whom: all three by one warp, or the first by another. */
static uint32_t third_line(const char *order, bool one_warp) {
  static const char body[] =
      "  shr.u32 %r3, %r31, 5;\n  ld.shared.u32 %r4, [s];\n  bar.sync 0;\n"
      "  setp.eq.u32 %p1, %r3, 0;\n  mov.u32 %t1, 0;\n  @%p1 ld.global.u32 %t1, [%rd1];\n"
      "  bar.sync 0;\n  mov.u32 %r5, %ntid.x;\n  shr.u32 %r5, %r5, 5;\n  sub.u32 %r5, %r5, 1;\n"
      "  setp.ne.u32 %p2, %r3, %r5;\n  @%p2 bra END;\n  mov.u32 %r1, %clock;\n"
      "  ld.global.u32 %t2, [%rd1+4096];\n  ld.global.u32 %t3, [%rd1+8192];\n"
      "  add.u32 %t3, %t3, 1;\n  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n"
      "  st.global.u32 [%rd2], %r2;\n  st.global.u32 [%rd2+4], %t2;\nEND:\n"
      "  st.global.u32 [%rd2+8], %t1;\n";
  const char *const set[] = {"TABLE=prt",
                             "PRT_LOADS=16",
                             "L1D_SETS=1",
                             "L1D_WAYS=2",
                             "LSU_SERVICE=1",
                             "L1D_REPLACEMENT=lru",
                             "TLB1_SETS=0",
                             "L1D_ALLOCATE=miss",
                             "HOST_LATENCY=3000",
                             order,
                             NULL};
  const config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 16384, body);
  device_set_host(bench_device(&r.b), r.a, r.a + 4096);
  for (unsigned i = 0; i < 2; i++) (void)device_rig_run(&r, 1, one_warp ? 32 : 64, 0);
  const uint32_t took = device_rig_word(&r, 0);
  device_rig_close(&r);
  return took;
}

START_TEST(lines_in_order) {
  const uint32_t free_at_once = third_line("L1D_ORDER=any", true);
  ck_assert_uint_lt(free_at_once, 2000);
  ck_assert_uint_gt(third_line("L1D_ORDER=in-order", true), 3000);
  ck_assert_uint_lt(third_line("L1D_ORDER=in-order", false), 2000);
}
END_TEST

/* The same launch takes the same time again, in any SM, and skipped idle cycles do not show. */
START_TEST(repeats) {
  config_t c = device_config(NULL);
  loads_bench_t b;
  mrpb_err_t err = {{0}};
  const loads_kind_t kind = {.loads = 3};
  const loads_t p = {.threads = 300, .sharers = 2, .warps_on_line = 1};
  bench_gpu_t on = bench_gpu_model(&c, NULL);
  on.err = &err;
  loads_open(&b, &on, &kind);
  (void)loads_run(&b, &p);
  const uint32_t once = loads_run(&b, &p);
  for (b.bench.first_sm = 0; b.bench.first_sm < c.sms; b.bench.first_sm += 5) {
    ck_assert_uint_eq(once, loads_run(&b, &p));
  }
  ck_assert_msg(bench_ok(&on), "%s", err.text);
  bench_close(&b.bench);
}
END_TEST

/* ---- barriers, ends, what does not fit ---------------------------------------- */

static const char barriers[] =
    ".visible .entry k(.param .u64 a, .param .u64 out)\n{\n  .reg .b32 %r<6>;\n  .reg .b64 "
    "%rd<3>;\n"
    "  ld.param.u64 %rd2, [out];\n  mov.u32 %r1, %clock;\n"
    "  bar.sync 0;\n  bar.sync 0;\n  bar.sync 0;\n  bar.sync 0;\n  mov.u32 %r2, %clock;\n"
    "  bar.sync 0;\n  bar.sync 0;\n  mov.u32 %r3, %clock;\n  sub.u32 %r4, %r2, %r1;\n"
    "  sub.u32 %r5, %r3, %r2;\n  sub.u32 %r4, %r4, %r5;\n  st.global.u32 [%rd2], %r4;\n  ret;\n}\n";

START_TEST(barrier_latency) {
  config_t c = device_config(NULL);
  bench_t b;
  open_text(&b, &c, barriers);
  uint64_t out = bench_alloc(&b, 256, BENCH_DEVICE);
  ck_assert_uint_eq(time_of(&b, 0, out), 2 * c.barrier_latency);
  bench_close(&b);
}
END_TEST

static const char spins[] =
    ".visible .entry k(.param .u64 a, .param .u64 out)\n{\n  .reg .pred %p<2>;\n  .reg .b32 "
    "%r<4>;\n"
    "  .shared .align 4 .b8 s[4];\n  mov.u32 %r1, %tid.x;\n  mov.u32 %r3, s;\nwait:\n"
    "  ld.shared.u32 %r2, [%r3];\n  setp.ne.u32 %p1, %r2, %r1;\n  @%p1 bra wait;\n"
    "  add.u32 %r2, %r2, 1;\n  st.shared.u32 [%r3], %r2;\n  ret;\n}\n";

/* Listing 3 of paper 004: the first lane waits where the others will never come. */
START_TEST(never_ends) {
  config_t c = device_config(NULL);
  bench_t b;
  open_text(&b, &c, spins);
  b.limit = 100000;
  ck_assert_int_eq(launch(&b, 1, 16, 0, 0), DEVICE_DONE);
  ck_assert_int_eq(launch(&b, 32, 16, 0, 0), DEVICE_SPINS);
  bench_close(&b);
}
END_TEST

START_TEST(does_not_fit) {
  config_t c = device_config(NULL);
  bench_t b;
  open_text(&b, &c, barriers);
  uint64_t out = bench_alloc(&b, 256, BENCH_DEVICE);
  ck_assert_int_eq(launch(&b, 1024, 32, 0, out), DEVICE_DONE);
  ck_assert_int_eq(launch(&b, 1024, 34, 0, out), DEVICE_REFUSED);
  ck_assert_ptr_nonnull(strstr(b.refused.text, "34 registers a thread, 36864 together, of 32768"));
  ck_assert_int_eq(launch(&b, 32, 64, 0, out), DEVICE_REFUSED);
  ck_assert_ptr_nonnull(strstr(b.refused.text, "at most 63"));
  bench_close(&b);
}
END_TEST

Suite *test_device_suite(void);
Suite *test_device_suite(void) {
  Suite *s = suite_create("device");
  TCase *t = tcase_create("device");
  tcase_add_test(t, levels);
  tcase_add_test(t, victim);
  tcase_add_test(t, mshr_table);
  tcase_add_test(t, prt_orders);
  tcase_add_test(t, lines_in_order);
  tcase_add_test(t, repeats);
  tcase_add_test(t, barrier_latency);
  tcase_add_test(t, never_ends);
  tcase_add_test(t, does_not_fit);
  suite_add_tcase(s, t);
  return s;
}
