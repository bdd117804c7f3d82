/* SPDX-License-Identifier: Apache-2.0 */
/* The MRPB before the L1D of an in-order core (docs/device/mrpb.md): what it adds to a load, which
 * lines overtake others, what bypasses by refusal and by policy, barriers, and that the smallest
 * sizes end. One SM of a Hopper. */
#include "device_help.h"

enum { KEYS = 16 };

static config_t hopper(const char *const *set, const char *const *more) {
  config_t c;
  mrpb_err_t err = {{0}};
  ck_assert_msg(config_load_device(&c, "configs/h200.conf", &err) == 0, "%s", err.text);
  ck_assert_int_eq(config_set(&c, "SMS=1", &err) | config_set(&c, "CLUSTER=1", &err), 0);
  for (; set && *set; set++) ck_assert_msg(config_set(&c, *set, &err) == 0, "%s", err.text);
  for (; more && *more; more++) ck_assert_msg(config_set(&c, *more, &err) == 0, "%s", err.text);
  ck_assert_msg(config_check(&c, "test", &err) == 0, "%s", err.text);
  return c;
}

/* The clock around a load, for a line that is not in the L1D and one that is. */
static const char one_load[] = "  mov.u32 %t1, %clock;\n  ld.global.u32 %t2, [%rd1];\n"
                               "  add.u32 %t2, %t2, 1;\n  mov.u32 %t3, %clock;\n"
                               "  sub.u32 %t4, %t3, %t1;\n"
                               "  mov.u32 %t1, %clock;\n  ld.global.u32 %t2, [%rd1];\n"
                               "  add.u32 %t2, %t2, 1;\n  mov.u32 %t3, %clock;\n"
                               "  sub.u32 %t5, %t3, %t1;\n"
                               "  st.global.u32 [%rd2], %t4;\n  st.global.u32 [%rd2+4], %t5;";

static void load_takes(const char *const *set, uint32_t times[2]) {
  const config_t c = hopper(set, NULL);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 20, one_load);
  times[0] = device_rig_time(&r, 0);
  times[1] = device_rig_word(&r, 1);
  device_rig_close(&r);
}

START_TEST(latency) {
  static const struct {
    const char *set[4];
    uint32_t more;
  } with[] = {{{"MRPB=1"}, 5},
              {{"MRPB=1", "MRPB_LATENCY=9"}, 9},
              {{"MRPB=1", "MRPB_ANSWER=2"}, 7},
              {{"MRPB=1", "MRPB_REORDER=0"}, 0}};
  uint32_t without[2], times[2];
  load_takes(NULL, without);
  load_takes(with[_i].set, times);
  ck_assert_uint_eq(times[0], without[0] + with[_i].more);
  ck_assert_uint_eq(times[1], without[1] + with[_i].more);
}
END_TEST

/* ---- bypassing --------------------------------------------------------------- */

/* Each lane of a warp loads a line of its own. */
static const char lines_32[] = "  shl.b32 %t1, %r31, 7;\n  cvt.u64.u32 %rd3, %t1;\n"
                               "  add.u64 %rd3, %rd1, %rd3;\n  ld.global.u32 %t2, [%rd3];\n"
                               "  add.u32 %t2, %t2, 1;";

static device_stats_t run_lines(const config_t *c, uint32_t threads, const char *body) {
  device_rig_t r;
  device_rig_open(&r, c, 1 << 20, body);
  const device_stats_t s = *device_rig_run(&r, 1, threads, 0);
  device_rig_close(&r);
  return s;
}

/* 32 lines for an L1D of four: the hash gives each set 8 of them. The first of a set gets the line,
 * and long before its data arrive the other seven are looked up. */
START_TEST(refused) {
  static const char *const small[] = {"MRPB=1", "L1D_WAYS=1", "L1D_KEPT=0", NULL};
  static const char *const how[][3] = {{"MRPB_DEPTH=8"},
                                       {"MRPB_DEPTH=64", "MRPB_ANSWER=2"},
                                       {"MRPB_REORDER=0"},
                                       {"MRPB_BYPASS=all"},
                                       {"MRPB_BYPASS=off"}};
  const config_t c = hopper(small, how[_i]);
  const device_stats_t s = run_lines(&c, 32, lines_32);
  ck_assert_uint_eq(s.dram, 32);
  ck_assert_uint_eq(s.bypasses, c.mrpb_bypass == MRPB_BYPASS_OFF ? 0 : 28);
}
END_TEST

/* A table of MSHRs with 4 entries for 32 lines: 28 find it full. Without a limit all of them
 * leave at once; with an entry for each they wait for one, as without bypassing. */
START_TEST(table_full) {
  static const char *const small[] = {"MRPB=1",    "TABLE=mshr",     "L1D_ORDER=any",
                                      "SECTORS=0", "MSHR_ENTRIES=4", NULL};
  static const char *const how[][3] = {{"BYPASS_TRACKING=none", "MRPB_BYPASS=all"},
                                       {"BYPASS_TRACKING=none", "MRPB_BYPASS=assoc"},
                                       {"BYPASS_TRACKING=mshr", "MRPB_BYPASS=all"}};
  const config_t c = hopper(small, how[_i]);
  const device_stats_t s = run_lines(&c, 32, lines_32);
  ck_assert_uint_eq(s.bypasses, _i == 0 ? 28 : 0);
  ck_assert_uint_eq(s.table_most, 4);
}
END_TEST

/* Two warps with 32 lines each, in two queues, one line a cycle. When the first line of the second
 * warp has entered, LATENCY - 1 lines of the first are still inside: they find that two queues
 * contend. That is too many for one way, not for two. */
START_TEST(contention) {
  static const char *const one_way[] = {"MRPB=1",
                                        "L1D_HASH=0",
                                        "L1D_SETS=4096",
                                        "L1D_WAYS=1",
                                        "L1D_KEPT=0",
                                        "MRPB_DEPTH=16",
                                        "BYPASS_POLICY=contention",
                                        NULL};
  static const char *const how[][3] = {{"MRPB_LATENCY=5"}, {"MRPB_LATENCY=9"}, {"L1D_WAYS=2"}};
  const config_t c = hopper(one_way, how[_i]);
  ck_assert_uint_eq(run_lines(&c, 32, lines_32).bypasses, 0);
  ck_assert_uint_eq(run_lines(&c, 64, lines_32).bypasses, _i == 2 ? 0 : c.mrpb_latency - 1);
}
END_TEST

/* One thread loads 40 lines, one after another. The first 8 miss as usual. Of the 32 others the
 * 16th and the 32nd are samples. If each line is read twice, every second look-up hits. */
static const char lines_40[] = "  mov.u32 %t1, 0;\n  mov.u64 %rd3, %rd1;\nnext:\n"
                               "  ld.global.u32 %t2, [%rd3];\n  add.u32 %t3, %t2, 1;\n%s"
                               "  add.u64 %rd3, %rd3, 128;\n  add.u32 %t1, %t1, 1;\n"
                               "  setp.lt.u32 %p1, %t1, 40;\n  @%p1 bra next;";

START_TEST(signature) {
  static const char *const set[] = {"MRPB=1", "BYPASS_POLICY=signature", "BYPASS_MISSES=8", NULL};
  static const char *const answer[] = {"MRPB_ANSWER=2", NULL};
  const config_t c = hopper(set, _i & 1 ? answer : NULL);
  const char *at = strstr(lines_40, "%s");
  char body[1024];
  snprintf(body, sizeof body, "%.*s%s%s", (int)(at - lines_40), lines_40,
           _i & 2 ? "  ld.global.u32 %t4, [%rd3+4];\n  add.u32 %t4, %t4, 1;\n" : "", at + 2);
  ck_assert_uint_eq(run_lines(&c, 1, body).bypasses, _i & 2 ? 0 : 30);
}
END_TEST

/* ---- order ------------------------------------------------------------------- */

/* Warp W loads 32 lines, which the L1D looks up at one in 8 cycles. Somewhat later warp 0 loads
 * one: without an MRPB it waits for nearly all of them. In a queue of its own, drained first, it
 * waits for one. Warp 0 also waits at a barrier first if it is to. */
static const char behind[] =
    "  shr.u32 %%r29, %%r31, 5;\n  setp.eq.u32 %%p1, %%r29, %u;\n  setp.eq.u32 %%p2, %%r29, 0;\n"
    "  shl.b32 %%t1, %%r31, 7;\n  cvt.u64.u32 %%rd3, %%t1;\n  add.u64 %%rd3, %%rd1, %%rd3;\n"
    "  @%%p1 ld.global.u32 %%t2, [%%rd3];\n  mov.u32 %%t3, 1;\n%s"
    "  mov.u32 %%t4, %%clock;\n  @%%p2 %s\n  add.u32 %%t5, %%t5, 1;\n  mov.u32 %%t6, %%clock;\n"
    "  sub.u32 %%t6, %%t6, %%t4;\n  @%%p2 st.global.u32 [%%rd2], %%t6;";

static uint32_t waits_behind(const char *const *set, const char *const *more, unsigned warp,
                             const char *what) {
  static const char *const slow[] = {"LINE_CYCLES=8", "REPLAY_CYCLES=1", NULL};
  char body[1536], delay[1024] = "";
  for (unsigned i = 0; i < 12; i++) strcat(delay, "  add.u32 %t3, %t3, %t3;\n");
  config_t c = hopper(slow, set);
  mrpb_err_t err = {{0}};
  for (; more && *more; more++) ck_assert_int_eq(config_set(&c, *more, &err), 0);
  snprintf(body, sizeof body, behind, warp, delay, what);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 20, body);
  (void)device_rig_run(&r, 1, 32 * (warp + 1), 0); /* its pages and instructions */
  (void)device_rig_run(&r, 1, 32 * (warp + 1), 0);
  const uint32_t time = device_rig_word(&r, 0);
  device_rig_close(&r);
  return time;
}

START_TEST(overtakes) {
  static const char *const on[] = {"MRPB=1", "MRPB_DEPTH=64", NULL};
  static const struct {
    const char *set[3];
    unsigned warp;
    bool overtakes;
  } k[] = {{{"MRPB_SIGNATURE=warp"}, 1, true},
           {{"MRPB_SIGNATURE=warp"}, 4, true},
           {{"MRPB_SIGNATURE=warp", "MRPB_QUEUES=4"}, 4, false},
           {{"MRPB_SIGNATURE=sub-core"}, 1, true},
           {{"MRPB_SIGNATURE=sub-core"}, 4, false}, /* warps 0 and 4 share a scheduler */
           {{"MRPB_SIGNATURE=block-warp"}, 4, true},
           {{"MRPB_SIGNATURE=block"}, 1, false}};
  static const char load[] = "ld.global.u32 %t5, [%rd1+65536];";
  const uint32_t fifo = waits_behind(NULL, NULL, k[_i].warp, load);
  const uint32_t time = waits_behind(on, k[_i].set, k[_i].warp, load);
  if (k[_i].overtakes)
    ck_assert_uint_lt(time + 100, fifo);
  else
    ck_assert_uint_ge(time, fifo);
}
END_TEST

/* 32 lines take 248 cycles from the first look-up to the last. */
START_TEST(barrier) {
  static const char *const on[] = {"MRPB=1", "MRPB_DEPTH=64", NULL};
  static const char bar[] = "bar.sync 0, 32;"; /* warp 0 alone: the others need not come */
  ck_assert_uint_lt(waits_behind(NULL, NULL, 1, bar), 100);
  ck_assert_uint_ge(waits_behind(on, NULL, 1, bar), 150);
}
END_TEST

/* ---- the smallest sizes --------------------------------------------------------- */

/* 16 warps; each lane loads words all over 256 KB, atomics and stores between. */
static const char mixed[] =
    "  mov.u32 %t1, 0;\n  mov.u32 %t2, %r31;\nnext:\n  mad.lo.u32 %t2, %t2, 1664525, 1013904223;\n"
    "  shr.u32 %t3, %t2, 14;\n  and.b32 %t3, %t3, -4;\n  cvt.u64.u32 %rd3, %t3;\n"
    "  add.u64 %rd3, %rd1, %rd3;\n  ld.global.u32 %t4, [%rd3];\n  add.u32 %t2, %t2, %t4;\n"
    "  ld.global.cg.u32 %t5, [%rd3+256];\n  st.global.u32 [%rd3+1024], %t5;\n"
    "  atom.global.add.u32 %t6, [%rd2], 1;\n  bar.sync 0;\n  add.u32 %t1, %t1, 1;\n"
    "  setp.lt.u32 %p1, %t1, 4;\n  @%p1 bra next;";

START_TEST(smallest) {
  static const char *const one[] = {"MRPB=1", "L1D_WAYS=1", "L1D_KEPT=0", "MRPB_DEPTH=1", NULL};
  static const char *const how[][KEYS] = {
      {"PRT_LOADS=1"},
      {"PRT_LOADS=1", "MRPB_QUEUES=1"},
      {"PRT_LOADS=1", "MRPB_QUEUES=64", "MRPB_BYPASS=off"},
      {"MRPB_QUEUES=64", "MRPB_BYPASS=off", "MRPB_ANSWER=4"},
      {"MRPB_QUEUES=3", "MRPB_FLUSH=0", "MRPB_POLICY=longest"},
      {"MRPB_SIGNATURE=block", "MRPB_BYPASS=off", "MRPB_POLICY=greedy-round-robin"},
      {"BYPASS_POLICY=signature", "BYPASS_MISSES=1", "MRPB_ANSWER=1"},
      {"BYPASS_POLICY=contention", "MRPB_SIGNATURE=sub-core"},
      {"LSU_SERVICE=8", "L1D_ORDER=any", "MRPB_BYPASS=off", "LINE_CYCLES=3"},
      {"TABLE=mshr", "L1D_ORDER=any", "SECTORS=0", "MSHR_ENTRIES=1", "MSHR_MERGES=1",
       "MRPB_BYPASS=all", "BYPASS_TRACKING=mshr", "BYPASS_POLICY=signature", "MRPB_ANSWER=1"},
      {"TABLE=mshr", "L1D_ORDER=any", "SECTORS=0", "MSHR_ENTRIES=1", "MSHR_MERGES=1",
       "L1D_ALLOCATE=fill", "MRPB_BYPASS=off"}};
  const config_t c = hopper(one, how[_i]);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 20, mixed);
  const device_stats_t s = *device_rig_run(&r, 2, 512, 0);
  ck_assert_uint_eq(device_rig_word(&r, 0), 4 * 2 * 512);
  ck_assert_uint_eq(s.loads, 3 * 4 * 2 * 16);
  device_rig_close(&r);
}
END_TEST

Suite *test_device_mrpb_suite(void);
Suite *test_device_mrpb_suite(void) {
  Suite *s = suite_create("device_mrpb");
  TCase *t = tcase_create("device_mrpb");
  tcase_add_loop_test(t, latency, 0, 4);
  tcase_add_loop_test(t, refused, 0, 5);
  tcase_add_loop_test(t, table_full, 0, 3);
  tcase_add_loop_test(t, contention, 0, 3);
  tcase_add_loop_test(t, signature, 0, 4);
  tcase_add_loop_test(t, overtakes, 0, 7);
  tcase_add_test(t, barrier);
  tcase_add_loop_test(t, smallest, 0, 11);
  suite_add_tcase(s, t);
  return s;
}
