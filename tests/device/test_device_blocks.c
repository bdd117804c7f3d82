/* SPDX-License-Identifier: Apache-2.0 */
/* Warps and blocks of tb/device, in exact cycles from docs/device/README.md: scoreboard and
 * load/store unit, barriers, divergence, placement and the clusters' clocks, where warps that never
 * end stand, and what those that end early leave behind. */
#define _POSIX_C_SOURCE 200809L
#include "device_help.h"

#define TIMED(accesses, uses)                                                                      \
  "  bar.sync 0;\n  mov.u32 %r1, %clock;\n" accesses uses                                          \
  "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n"
#define USE(n) "  add.u32 %t" #n ", %t" #n ", 1;\n"

enum { OWN = 4 };

/* ---- scoreboard, load/store unit --------------------------------------------------- */

#define BARE "TLB1_SETS=0", "L1D_SETS=0"
#define LOAD4                                                                                      \
  "  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n"                               \
  "  ld.global.u32 %t3, [%rd1+256];\n  ld.global.u32 %t4, [%rd1+384];\n"
#define USE4 USE(1) USE(2) USE(3) USE(4)

/* Four loads of a warp for lines in the L2, latency L, issued at T + 2, 4, 6 and 8.
 * - All may wait: the j-th enters service 8 cycles (LSU_CYCLES) after the one before, the first a
 *   cycle after its issue: T + 3 + 8 j; looked up then, or LSU_LATENCY = 8 after issue: at T + 10,
 * 12, 19, 27. Data of the last L - 8 later: T + 19 + L; the clock 2 after its use.
 * - One at a time: each begins when the data of the one before are there: 4 L.
 * - Two at a time: the third with the first one's data; the fourth with the second one's, 2 later.
 * - A scheduler issues one every LOAD_CYCLES = 20: T + 2 + 60, nothing in the way.
 * - One in service: the look-ups do not move, an instruction leaves with its look-up, T + 10; the
 * next enters in the cycle after, at 11; look-ups at 10, 12, 19, 27 again. */
START_TEST(loads_of_a_warp) {
  static const struct {
    const char *key;
    uint32_t of_l, cycles;
  } of[] = {{"LOADS_PER_WARP=4", 1, 19 + 2},
            {"LOADS_PER_WARP=1", 4, OWN},
            {"LOADS_PER_WARP=2", 2, OWN + 2},
            {"LOAD_CYCLES=20", 1, OWN + 60},
            {"LSU_SERVICE=1", 1, 19 + 2}};
  const char *const set[] = {BARE, of[_i].key, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, TIMED(LOAD4, USE4));
  device_copy_in(bench_device(&r.b), r.a, 512);
  ck_assert_uint_eq(device_rig_time(&r, 0), of[_i].of_l * c.l2_latency + of[_i].cycles);
  device_rig_close(&r);
}
END_TEST

/* A load of four lines, issued at T + 2, looked up 8 later and then every REPLAY_CYCLES = 6. Beside
 * it one of one line, issued at T + 4, in service from T + 11, looked up between: at T + 12. */
START_TEST(lines_of_a_load) {
  static const char body[] =
      "  mul.wide.u32 %rd3, %r31, 128;\n  add.u64 %rd3, %rd3, %rd1;\n  bar.sync 0;\n"
      "  mov.u32 %r1, %clock;\n  ld.global.u32 %t1, [%rd3];\n  ld.global.u32 %t2, "
      "[%rd1+1024];\n" USE(2) "  mov.u32 %r2, %clock;\n" USE(
          1) "  mov.u32 %r3, %clock;\n"
             "  sub.u32 %r2, %r2, %r1;\n  sub.u32 %r3, %r3, %r1;\n  st.global.u32 [%rd2], %r2;\n"
             "  st.global.u32 [%rd2+4], %r3;\n";
  static const char *const set[] = {BARE, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, body);
  device_copy_in(bench_device(&r.b), r.a, 4096);
  (void)device_rig_run(&r, 1, 4, 0);
  ck_assert_uint_eq(device_rig_word(&r, 0), 12 - 8 + c.l2_latency + 2);
  ck_assert_uint_eq(device_rig_word(&r, 1), 10 - 8 + 3 * 6 + c.l2_latency + 2);
  device_rig_close(&r);
}
END_TEST

/* Warps that end while their loads are on the way: their block's place is taken by another one only
 * when the data have come, and no load is ever charged to a warp that did not ask for it. */
START_TEST(ends_before_its_data) {
  static const char *const set[] = {BARE, "SMS=1", "BLOCKS_PER_SM=1", "LOADS_PER_WARP=2", NULL};
  static const char body[] = "  setp.eq.u32 %p1, %r30, 9;\n  @%p1 bra LAST;\n"
                             "  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n"
                             "  ret;\nLAST:\n" TIMED("  ld.global.u32 %t1, [%rd1+512];\n", USE(1));
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, body);
  device_copy_in(bench_device(&r.b), r.a, 4096);
  const device_stats_t *s = device_rig_run(&r, 10, 1, 0);
  ck_assert_uint_eq(s->loads, 19);
  ck_assert_uint_ge(s->cycles, 10 * c.l2_latency);
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.l2_latency);
  device_rig_close(&r);
}
END_TEST

/* ---- barriers ------------------------------------------------------------------------ */

/* Warp 1 comes 100 cycles (50 instructions) after warp 0 or ends then instead; warp 0 goes on
 * BARRIER_LATENCY after that. Both begin in the same cycle, each with a scheduler of its own. */
START_TEST(last_to_come) {
  text_t t = {0};
  config_t c = device_config(NULL);
  device_rig_t r;
  text_add(&t, "  setp.ge.u32 %%p1, %%r31, 32;\n  bar.sync 0;\n  mov.u32 %%r1, %%clock;\n"
               "  @%%p1 bra ONE;\n  bar.sync 0;\n  mov.u32 %%r2, %%clock;\n"
               "  sub.u32 %%r2, %%r2, %%r1;\n  st.global.u32 [%%rd2], %%r2;\n  ret;\nONE:\n");
  for (unsigned i = 0; i < 50; i++) text_add(&t, "  mov.u32 %%t%u, 1;\n", i % 16);
  text_add(&t, "%s", _i ? "" : "  bar.sync 0;\n");
  device_rig_open(&r, &c, 1 << 12, t.at);
  text_free(&t);
  (void)device_rig_run(&r, 1, 64, 0);
  /* The branch at T + 2, the first of 50 BRANCH_CYCLES later, then `bar.sync` or `ret`. */
  const uint32_t comes = 2 + c.branch_cycles + 100;
  ck_assert_uint_eq(device_rig_word(&r, 0), comes + c.barrier_latency);
  device_rig_close(&r);
}
END_TEST

/* A diverged warp meets a barrier once for each path: warp 0's two paths meet warp 1's two
 * barriers; with a single one of warp 1 the second path is alone, and goes on once warp 1 ends. */
START_TEST(paths_and_barriers) {
  static const char body[] =
      "  setp.ge.u32 %p1, %r31, 32;\n  @%p1 bra ONE;\n  setp.ge.u32 %p2, %r31, 16;\n"
      "  @%p2 bra UP;\n  bar.sync 0;\n  bra J;\nUP:\n  bar.sync 0;\nJ:\n  ret;\n"
      "ONE:\n  mov.u32 %r1, %clock;\n  bar.sync 0;\n  bar.sync 0;\n  mov.u32 %r2, %clock;\n"
      "  sub.u32 %r2, %r2, %r1;\n  st.global.u32 [%rd2], %r2;\n  ret;\n";
  config_t c = device_config(NULL);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12, body);
  (void)device_rig_run(&r, 1, 64, 0);
  /* The second meeting takes place after warp 0 has left the first, gone the other way and come. */
  ck_assert_uint_ge(device_rig_word(&r, 0), 2 * c.barrier_latency);
  ck_assert_uint_le(device_rig_word(&r, 0), 4 * c.barrier_latency + 4 * c.branch_cycles);
  device_rig_close(&r);
}
END_TEST

/* ---- divergence ------------------------------------------------------------------------ */

/* Lanes from 16 on branch. `reference`: the side without the highest lane first, the one that does
 * not branch; `taken`: the other one. When the lower lanes branch both begin with these. */
START_TEST(which_side_first) {
  static const char *const key[] = {"DIVERGENCE=reference", "DIVERGENCE=taken"};
  static const char *const compare[] = {"ge", "lt"};
  const char *const set[] = {key[_i % 2], NULL};
  const bool high_branches = _i < 2, low_first = !(high_branches && _i % 2);
  char body[600];
  config_t c = device_config(set);
  device_rig_t r;
  snprintf(body, sizeof body,
           "  setp.%s.u32 %%p1, %%r31, 16;\n  mul.wide.u32 %%rd3, %%r31, 4;\n"
           "  add.u64 %%rd2, %%rd2, %%rd3;\n  @%%p1 bra A;\n  mov.u32 %%r1, %%clock;\n  bra J;\n"
           "A:\n  mov.u32 %%r1, %%clock;\nJ:\n  st.global.u32 [%%rd2], %%r1;\n",
           compare[_i / 2]);
  device_rig_open(&r, &c, 1 << 12, body);
  (void)device_rig_run(&r, 1, 32, 0);
  uint32_t low = device_rig_word(&r, 0), high = device_rig_word(&r, 31);
  ck_assert_uint_eq(low, device_rig_word(&r, 15));
  ck_assert_uint_eq(high, device_rig_word(&r, 16));
  ck_assert_int_eq(low < high, low_first);
  device_rig_close(&r);
}
END_TEST

/* ---- placement and clocks ---------------------------------------------------------------- */

/* Blocks that begin in the same cycle, one an SM, read the clock: the clusters' counters are
 * 1000 cycles apart, which tells where each block is. */
START_TEST(placement) {
  static const struct {
    const char *placement, *sms, *shift;
    unsigned from, n;
    uint8_t cluster[6];
  } of[] = {{"PLACEMENT=sm", "SMS=6", "CLOCK_SHIFT=0", 0, 6, {0, 0, 1, 1, 2, 2}},
            {"PLACEMENT=sm", "SMS=6", "CLOCK_SHIFT=1", 3, 6, {1, 2, 2, 0, 0, 1}},
            {"PLACEMENT=cluster", "SMS=6", "CLOCK_SHIFT=0", 0, 6, {0, 1, 2, 0, 1, 2}},
            {"PLACEMENT=cluster", "SMS=6", "CLOCK_SHIFT=0", 1, 6, {0, 1, 2, 0, 1, 2}},
            {"PLACEMENT=cluster", "SMS=6", "CLOCK_SHIFT=2", 4, 6, {2, 0, 1, 2, 0, 1}},
            {"PLACEMENT=cluster", "SMS=5", "CLOCK_SHIFT=0", 0, 5, {0, 1, 2, 0, 1}},
            {"PLACEMENT=cluster", "SMS=5", "CLOCK_SHIFT=0", 3, 5, {1, 0, 1, 2, 0}}};
  const char *const set[] = {of[_i].placement,  of[_i].sms,        of[_i].shift, "CLUSTER=2",
                             "CLOCK_SKEW=1000", "BLOCKS_PER_SM=1", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12,
                  "  mov.u32 %r1, %clock;\n  mul.wide.u32 %rd3, %r30, 4;\n"
                  "  add.u64 %rd2, %rd2, %rd3;\n  st.global.u32 [%rd2], %r1;\n");
  r.b.first_sm = of[_i].from;
  (void)device_rig_run(&r, of[_i].n, 1, 0);
  uint32_t first = device_rig_word(&r, 0) + 10000;
  for (unsigned i = 0; i < of[_i].n; i++)
    ck_assert_int_eq((int)(device_rig_word(&r, i) + 10000 - first),
                     (of[_i].cluster[i] - of[_i].cluster[0]) * 1000 / (1 << c.clock_shift));
  device_rig_close(&r);
}
END_TEST

/* The clock is the cycle over 2^CLOCK_SHIFT: 40 instructions, 80 cycles. */
START_TEST(clock_rate) {
  char key[20];
  const char *const set[] = {key, NULL};
  text_t t = {0};
  device_rig_t r;
  snprintf(key, sizeof key, "CLOCK_SHIFT=%d", _i);
  config_t c = device_config(set);
  text_add(&t, "  mov.u32 %%r1, %%clock;\n");
  for (unsigned i = 0; i < 39; i++) text_add(&t, "  mov.u32 %%t%u, 1;\n", i % 16);
  text_add(&t,
           "  mov.u32 %%r2, %%clock;\n  sub.u32 %%r2, %%r2, %%r1;\n  st.global.u32 [%%rd2], %%r2;");
  device_rig_open(&r, &c, 1 << 12, t.at);
  text_free(&t);
  ck_assert_uint_eq(device_rig_time(&r, 0), 80u >> _i);
  device_rig_close(&r);
}
END_TEST

/* More blocks than there is room for: each SM holds two; those that are left begin as others end.
 */
START_TEST(more_blocks_than_room) {
  static const char *const set[] = {"SMS=3", "BLOCKS_PER_SM=2", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 12,
                  "  mul.wide.u32 %rd3, %r30, 4;\n  add.u64 %rd2, %rd2, %rd3;\n"
                  "  mov.u32 %r1, %clock;\n  st.global.u32 [%rd2], %r1;\n");
  (void)device_rig_run(&r, 20, 64, 0);
  for (unsigned i = 0; i + 6 < 20; i++)
    ck_assert_uint_gt(device_rig_word(&r, i + 6), device_rig_word(&r, i));
  device_rig_close(&r);
}
END_TEST

/* ---- what never ends ----------------------------------------------------------------------- */

/* Listing 5 of paper 004: warp 0 waits at the barrier, warp 1 for what warp 0 would store behind
 * it. The report names both; then the same device runs another launch, and the next one after a
 * kernel's fault as well. */
static const char listing5[] =
    "  setp.lt.u32 %p1, %r31, 32;\n  mov.u32 %t8, s;\n  mov.u64 %rd3, 0;\n"
    "  setp.eq.u64 %p2, %rd1, %rd2;\n  @%p2 st.global.u32 [%rd3], %r31;\n"
    "  setp.ge.u32 %p3, %r31, 64;\n  @%p3 bra END;\n"
    "  @%p1 bra ZERO;\nW:\n  ld.shared.u32 %t1, [%t8];\n  setp.eq.u32 %p2, %t1, 0;\n  @%p2 bra W;\n"
    "  ret;\nZERO:\n  bar.sync 0;\n  st.shared.u32 [%t8], 1;\nEND:\n  st.global.u32 [%rd2], 7;\n";

START_TEST(never_ends) {
  config_t c = device_config(NULL);
  device_rig_t r;
  mrpb_err_t err = {{0}};
  char *text = NULL;
  size_t n = 0;
  device_rig_open(&r, &c, 1 << 12, listing5);
  r.b.limit = 5000;
  for (unsigned again = 0; again < 3; again++) {
    ck_assert_int_eq(device_rig_end(&r, 1, 64, 0, &err), DEVICE_SPINS);
    FILE *f = open_memstream(&text, &n);
    device_dump(bench_device(&r.b), f);
    fclose(f);
    ck_assert_ptr_nonnull(strstr(text, "SM 0 block 0 warp 0 waits at the barrier, next st at pc "));
    const char *other = strstr(text, "SM 0 block 0 warp 1 ");
    ck_assert_ptr_nonnull(other);
    ck_assert_ptr_nonnull(strstr(other, "lanes 0xffffffff\n"));
    ck_assert_ptr_null(strstr(other + 1, "SM "));
    free(text);
    ck_assert_uint_eq(device_stats(bench_device(&r.b))->cycles <= 5000, 1);
    if (again == 1) ck_assert_int_eq(device_forget(bench_device(&r.b), &err), 0);
    const device_stats_t *s = device_rig_run(&r, 40, 32, 0); /* no warp 1 */
    ck_assert_uint_eq(device_rig_word(&r, 0), 7);
    ck_assert_uint_gt(s->warp_insts, 40 * 5);
    f = open_memstream(&text, &n);
    device_dump(bench_device(&r.b), f); /* nobody is left */
    fclose(f);
    ck_assert_uint_eq(n, 0);
    free(text);
  }
  device_rig_close(&r);
}
END_TEST

/* A store to no memory ends the run and says where. */
START_TEST(fault) {
  config_t c = device_config(NULL);
  device_rig_t r;
  mrpb_err_t err = {{0}};
  device_rig_open(&r, &c, 1 << 12, listing5);
  ck_assert_int_eq(device_rig_end(&r, 3, 64, r.out - r.a, &err), DEVICE_FAILED);
  ck_assert_ptr_nonnull(strstr(err.text, "st"));
  ck_assert_ptr_null(strchr(err.text, '\n'));
  device_rig_close(&r);
}
END_TEST

Suite *test_device_blocks_suite(void);
Suite *test_device_blocks_suite(void) {
  Suite *s = suite_create("device_blocks");
  TCase *t = tcase_create("device_blocks");
  tcase_add_loop_test(t, loads_of_a_warp, 0, 5);
  tcase_add_test(t, lines_of_a_load);
  tcase_add_test(t, ends_before_its_data);
  tcase_add_loop_test(t, last_to_come, 0, 2);
  tcase_add_test(t, paths_and_barriers);
  tcase_add_loop_test(t, which_side_first, 0, 4);
  tcase_add_loop_test(t, placement, 0, 7);
  tcase_add_loop_test(t, clock_rate, 0, 5);
  tcase_add_test(t, more_blocks_than_room);
  tcase_add_test(t, never_ends);
  tcase_add_test(t, fault);
  suite_add_tcase(s, t);
  return s;
}
