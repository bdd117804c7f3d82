/* SPDX-License-Identifier: Apache-2.0 */
/* CLOCKS = reference: the kernel's steps follow the rule as GPGPU-Sim 3.2.0 writes it. */
#include "gpu/gpu_state.h"

#include <check.h>
#include <string.h>

typedef struct {
  double period[GPU_DOMAINS], next[GPU_DOMAINS];
} rule_t;

static bool due(rule_t *r, unsigned domain, double at) {
  if (r->next[domain] > at) return false;
  r->next[domain] += r->period[domain];
  return true;
}

/* GPGPU-Sim 3.2.0: the earliest of SM, interconnect and DRAM, or the L2 if it is earlier still. */
static uint32_t rule_step(rule_t *r) {
  double at = r->next[GPU_DOMAIN_SM];
  if (r->next[GPU_DOMAIN_ICNT] < at) at = r->next[GPU_DOMAIN_ICNT];
  if (r->next[GPU_DOMAIN_DRAM] < at) at = r->next[GPU_DOMAIN_DRAM];
  double l2_at = r->next[GPU_DOMAIN_L2];
  bool l2 = due(r, GPU_DOMAIN_L2, at);
  if (l2) at = l2_at;
  bool icnt = due(r, GPU_DOMAIN_ICNT, at), dram = due(r, GPU_DOMAIN_DRAM, at);
  bool sm = due(r, GPU_DOMAIN_SM, at);
  return (sm ? 1u << GPU_STAGE_RECEIVE | 1u << GPU_STAGE_SM : 0) | (l2 ? 1u << GPU_STAGE_L2 : 0) |
         (icnt ? 1u << GPU_STAGE_INJECT | 1u << GPU_STAGE_ICNT : 0) |
         (dram ? 1u << GPU_STAGE_DRAM : 0);
}

typedef struct {
  rule_t *rule;
  gpu_t *gpu;
  uint32_t rose;
  sim_time_t time;
  uint64_t step;
  unsigned steps;
} watch_t;

typedef struct {
  watch_t *watch;
  unsigned stage;
} watcher_t;

static void check_step(watch_t *w) {
  if (!w->rose) return;
  ck_assert_uint_eq(w->rose, rule_step(w->rule));
  w->steps++;
  w->rose = 0;
}

static void watch_stage(sim_t *sim, void *ctx) {
  const watcher_t *me = ctx;
  watch_t *w = me->watch;
  uint64_t step = sim_stats(sim).steps;
  if (step != w->step) check_step(w);
  w->step = step;
  ck_assert_msg(!(w->rose >> me->stage), "stage %u is not behind those before it", me->stage);
  w->rose |= 1u << me->stage;
  w->time = sim_now(sim);
  if (me->stage != GPU_STAGE_SM) return;
  ck_assert_uint_eq(w->time, w->gpu->now * (UINT64_C(1000000000) / w->gpu->cfg->clock_sm));
  check_step(w);
  if (++w->gpu->now % 5000) return;
  memset(w->rule->next, 0, sizeof w->rule->next); /* a launch begins */
  gpu_clocks_restart(w->gpu);
}

START_TEST(reference_clocks) {
  static const uint32_t mhz[][GPU_DOMAINS] = {{575, 1150, 575, 750}, {602, 602, 602, 924},
                                              {1, 3, 100000, 7},     {700, 650, 575, 924},
                                              {100000, 1, 2, 3},     {997, 1993, 499, 3001}};
  static const sim_fn_t some; /* the memory has stages of its own */
  static const gpu_memory_class_t cls = {.stage = &some};
  config_t cfg = {.clock_sm = mhz[_i][0], .clocks = CONFIG_CLOCKS_REFERENCE};
  gpu_memory_t memory = {.cls = &cls};
  rule_t rule = {{0}, {0}};
  gpu_t gpu = {.setup = {.cfg = &cfg}, .cfg = &cfg, .memory = &memory, .sim = sim_create()};
  watch_t w = {.rule = &rule, .gpu = &gpu, .time = SIM_NEVER};
  watcher_t watcher[GPU_STAGES];
  sim_clock_t clk[GPU_STAGES];
  mrpb_err_t err = {""};
  for (unsigned i = 0; i < GPU_DOMAINS; i++) rule.period[i] = 1.0 / (mhz[_i][i] * 1e6);
  for (unsigned i = 0; i < MEMORY_CLOCKS; i++) memory.hz[i] = (uint64_t)mhz[_i][1 + i] * 1000000;
  gpu_clocks_create(&gpu, clk);
  for (unsigned i = 0; i < GPU_STAGES; i++) {
    watcher[i] = (watcher_t){&w, i};
    sim_proc_t p = sim_process(gpu.sim, SIM_TOP, gpu_stage_name(i), watch_stage, &watcher[i]);
    sim_dont_initialize(gpu.sim, p);
    sim_on_rise(gpu.sim, p, clk[i]);
    sim_reads(gpu.sim, p, SIM_NO_SIGS);
    sim_writes(gpu.sim, p, SIM_NO_SIGS);
  }
  ck_assert_int_eq(sim_elaborate(gpu.sim, SIM_STATIC, &err), 0);
  gpu_clocks_restart(&gpu);
  uint64_t cycles = mhz[_i][0] < 10 ? 30 : 12000;
  ck_assert_int_eq(sim_run_cycles(gpu.sim, clk[GPU_STAGE_SM], cycles, &err), SIM_REACHED);
  ck_assert_uint_ge(w.steps, cycles);
  sim_destroy(gpu.sim);
}
END_TEST

Suite *test_gpu_clocks_suite(void);
Suite *test_gpu_clocks_suite(void) {
  Suite *s = suite_create("gpu_clocks");
  TCase *t = tcase_create("reference");
  tcase_set_timeout(t, 60);
  tcase_set_tags(t, "heavy"); /* many steps: not under valgrind */
  tcase_add_loop_test(t, reference_clocks, 0, 6);
  suite_add_tcase(s, t);
  return s;
}
