/* SPDX-License-Identifier: Apache-2.0 */
/* JITTER: which cycles stand still, and that a GPU with it is right and repeatable. */
#include "config/config.h"
#include "gpu/gpu.h"
#include "parts/jitter.h"
#include "workload/programs/program.h"

#include <check.h>
#include <string.h>

enum { CYCLES = 1 << 18, PORTS = 8, LONGEST = 248 };

typedef struct {
  uint64_t stalls, longest, of_length[LONGEST + 1];
} seen_t;

static seen_t watch(jitter_t j, uint32_t port) {
  seen_t s = {0};
  uint64_t n = 0;
  for (uint64_t t = 0; t < CYCLES; t++) {
    if (jitter_stalls(j, port, t)) {
      s.stalls++;
      n++;
      continue;
    }
    if (n > s.longest) s.longest = n;
    if (n > 0 && n <= LONGEST) s.of_length[n]++;
    n = 0;
  }
  return s;
}

START_TEST(none_and_all) {
  for (uint32_t port = 0; port < PORTS; port++) {
    ck_assert_uint_eq(watch((jitter_t){0, 1}, port).stalls, 0);
    /* Every cycle but the last eight of each stretch of 256. */
    seen_t all = watch((jitter_t){100, 1}, port);
    ck_assert_uint_eq(all.stalls, CYCLES / 256 * LONGEST);
    ck_assert_uint_eq(all.longest, LONGEST);
  }
}
END_TEST

/* Half of 248 cycles of 256 are 48.4 %. Stretches of 64 are few, so that a port may be off by some. */
START_TEST(half) {
  uint64_t stalls = 0;
  for (uint32_t port = 0; port < PORTS; port++) {
    seen_t s = watch((jitter_t){50, 7}, port);
    stalls += s.stalls;
    ck_assert_uint_le(s.longest, LONGEST);
    ck_assert_uint_gt(s.of_length[1], 0);
    ck_assert_uint_gt(s.of_length[4], 0);
    ck_assert_uint_gt(s.of_length[64], 0);
  }
  ck_assert_uint_gt(stalls, UINT64_C(47) * PORTS * CYCLES / 100);
  ck_assert_uint_lt(stalls, UINT64_C(50) * PORTS * CYCLES / 100);
}
END_TEST

/* Ports differ, and so do seeds. */
START_TEST(apart) {
  unsigned same = 0, seeds = 0;
  for (uint64_t t = 0; t < 4096; t++) {
    same += jitter_stalls((jitter_t){50, 1}, 0, t) == jitter_stalls((jitter_t){50, 1}, 1, t);
    seeds += jitter_stalls((jitter_t){50, 1}, 0, t) == jitter_stalls((jitter_t){50, 2}, 0, t);
  }
  ck_assert_uint_gt(same, 1500);
  ck_assert_uint_lt(same, 2600);
  ck_assert_uint_gt(seeds, 1500);
  ck_assert_uint_lt(seeds, 2600);
}
END_TEST

typedef struct {
  uint64_t cycles;
  sm_stats_t sm;
  icnt_stats_t replies;
} run_t;

static run_t run(uint32_t percent, uint32_t seed, bool check, bool no_sleep) {
  program_options_t o = {.cut = 2, .model = PROGRAM_MODEL_B};
  mrpb_err_t err = {""};
  config_t c;
  workload_t *w;
  gpu_t *g;
  config_defaults(&c);
  c.mrpb = 1;
  c.sms = 3;
  c.jitter = percent;
  c.jitter_seed = seed;
  c.hang_cycles = 20000;
  ck_assert_msg(program_open(&w, "atax", &o, &err) == 0, "%s", err.text);
  gpu_setup_t s = {.cfg = &c, .workload = w, .check = check, .no_sleep = no_sleep};
  ck_assert_msg(gpu_create(&g, &s, &err) == 0, "%s", err.text);
  ck_assert_msg(gpu_run(g, &err) == GPU_DONE, "%s", err.text);
  ck_assert_msg(workload_check(w, &err) == 0, "%s", err.text);
  run_t r = {gpu_cycles(g), gpu_sm_stats(g), gpu_icnt_stats(g, ICNT_REPLY)};
  gpu_destroy(g);
  workload_close(w);
  return r;
}

/* Nothing hangs, and the data are right, though every port stands still for 31 cycles of 32; sleep and
 * the checking mode change nothing. */
START_TEST(a_run) {
  const uint32_t percent = (uint32_t)_i;
  run_t a = run(percent, 1, false, false), b = run(percent, 1, true, false),
        c = run(percent, 1, false, true), other = run(percent, 2, true, false);
  ck_assert_uint_eq(a.cycles, b.cycles);
  ck_assert_uint_eq(a.cycles, c.cycles);
  ck_assert_mem_eq(&a.sm, &b.sm, sizeof a.sm);
  ck_assert_mem_eq(&a.sm, &c.sm, sizeof a.sm);
  ck_assert_mem_eq(&a.replies, &c.replies, sizeof a.replies);
  ck_assert_uint_ne(a.cycles, other.cycles);
  /* Latencies grow with it. */
  run_t none = run(0, 1, false, false);
  ck_assert_uint_gt(a.replies.latency_sum, none.replies.latency_sum);
}
END_TEST

/* A GPU without stalls has the hash of a table without the keys; with them both count. */
START_TEST(hash) {
  config_t c, d;
  config_defaults(&c);
  d = c;
  d.jitter_seed = 5;
  ck_assert_uint_eq(config_hash(&c), config_hash(&d));
  c.jitter = d.jitter = 10;
  ck_assert_uint_ne(config_hash(&c), config_hash(&d));
}
END_TEST

START_TEST(hang_sooner_than_a_stall) {
  mrpb_err_t err = {""};
  config_t c;
  config_defaults(&c);
  c.hang_cycles = 1000;
  ck_assert_int_eq(config_check(&c, "here", &err), 0);
  c.jitter = 1;
  ck_assert_int_ne(config_check(&c, "here", &err), 0);
  ck_assert_ptr_nonnull(strstr(err.text, "HANG_CYCLES = 1000; legal: at least 20000"));
}
END_TEST

Suite *test_jitter_suite(void);

Suite *test_jitter_suite(void) {
  Suite *s = suite_create("jitter");
  TCase *t = tcase_create("ports"), *u = tcase_create("runs");
  static const int percents[] = {10, 50, 90, 100};
  tcase_add_test(t, none_and_all);
  tcase_add_test(t, half);
  tcase_add_test(t, apart);
  tcase_add_test(t, hash);
  tcase_add_test(t, hang_sooner_than_a_stall);
  for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
    tcase_add_loop_test(u, a_run, percents[i], percents[i] + 1);
  tcase_set_tags(u, "heavy");
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  return s;
}
