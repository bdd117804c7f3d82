/* SPDX-License-Identifier: Apache-2.0 */
/* CLOCKS = reference: the edges follow the rule as GPGPU-Sim 3.2.0 writes it. CLOCKS = exact: they are
 * those of clocks of the event kernel. Both: the times of the SM's edges. */
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
  return (sm ? 1u << GPU_STAGE_SM : 0) | (l2 ? 1u << MEMORY_STAGE_L2 : 0) |
         (icnt ? 1u << MEMORY_STAGE_INJECT | 1u << MEMORY_STAGE_TRANSFER : 0) |
         (dram ? 1u << MEMORY_STAGE_DRAM : 0);
}

static unsigned no_edges(gpu_memory_t *m, const uint8_t *edge, unsigned n, uint64_t *now,
                         uint64_t until) {
  (void)m;
  (void)edge;
  (void)now;
  (void)until;
  return n;
}

static const gpu_memory_class_t own_clocks = {.edges = no_edges};

static const uint32_t mhz[][GPU_DOMAINS] = {{575, 1150, 575, 750}, {602, 602, 602, 924},
                                            {1, 3, 100000, 7},     {700, 650, 575, 924},
                                            {100000, 1, 2, 3},     {997, 1993, 499, 3001}};
enum { ROWS = sizeof mhz / sizeof *mhz };

typedef struct {
  config_t cfg;
  gpu_memory_t memory;
  gpu_t gpu;
  sim_clock_t clock;
} rig_t;

static void rig_open(rig_t *r, unsigned row, uint32_t clocks) {
  *r = (rig_t){.cfg = {.clock_sm = mhz[row][0], .clocks = clocks}, .memory = {.cls = &own_clocks}};
  r->gpu =
      (gpu_t){.setup = {.cfg = &r->cfg}, .cfg = &r->cfg, .memory = &r->memory, .sim = sim_create()};
  for (unsigned i = 0; i < MEMORY_CLOCKS; i++)
    r->memory.hz[i] = (uint64_t)mhz[row][1 + i] * 1000000;
  r->clock = gpu_clocks_create(&r->gpu);
}

static void launch_of(gpu_t *gpu, rule_t *rule, unsigned steps) {
  memset(rule->next, 0, sizeof rule->next);
  gpu_clocks_restart(gpu);
  for (unsigned i = 0; i < steps; i++) ck_assert_uint_eq(gpu_next_edge(gpu), rule_step(rule));
}

START_TEST(reference_clocks) {
  rule_t rule = {{0}, {0}};
  rig_t r;
  rig_open(&r, (unsigned)_i, CONFIG_CLOCKS_REFERENCE);
  for (unsigned i = 0; i < GPU_DOMAINS; i++) rule.period[i] = 1.0 / (mhz[_i][i] * 1e6);
  launch_of(&r.gpu, &rule, 100000);
  for (unsigned steps = 1; steps < 200; steps++) launch_of(&r.gpu, &rule, steps);
  sim_destroy(r.gpu.sim);
}
END_TEST

/* ---- exact --------------------------------------------------------------------- */

typedef struct {
  gpu_t *gpu;
  uint32_t rose, edges;
  sim_time_t time;
} watch_t;

typedef struct {
  watch_t *watch;
  uint32_t stages;
} watcher_t;

static void check_edge(watch_t *w) {
  ck_assert_uint_eq(gpu_next_edge(w->gpu), w->rose);
  w->edges++;
  w->rose = 0;
}

static void rises(sim_t *sim, void *ctx) {
  const watcher_t *me = ctx;
  watch_t *w = me->watch;
  if (w->rose && sim_now(sim) != w->time) check_edge(w);
  w->time = sim_now(sim);
  w->rose |= me->stages;
}

START_TEST(exact_clocks) {
  static const uint32_t stages[GPU_DOMAINS] = {
      1u << GPU_STAGE_SM, 1u << MEMORY_STAGE_INJECT | 1u << MEMORY_STAGE_TRANSFER,
      1u << MEMORY_STAGE_L2, 1u << MEMORY_STAGE_DRAM};
  static const char *const names[] = {"sm", "icnt", "l2", "dram"};
  static const char *const clocks[] = {"sm_clk", "icnt_clk", "l2_clk", "dram_clk"};
  watcher_t watcher[GPU_DOMAINS];
  mrpb_err_t err = {""};
  sim_t *sim = sim_create();
  rig_t r;
  watch_t w = {.gpu = &r.gpu};
  rig_open(&r, (unsigned)_i, CONFIG_CLOCKS_EXACT);
  for (unsigned i = 0; i < GPU_DOMAINS; i++) {
    watcher[i] = (watcher_t){&w, stages[i]};
    const sim_proc_t p = sim_process(sim, SIM_TOP, names[i], rises, &watcher[i]);
    sim_dont_initialize(sim, p);
    sim_on_rise(sim, p, sim_clock_hz(sim, SIM_TOP, clocks[i], (uint64_t)mhz[_i][i] * 1000000, 0));
  }
  ck_assert_int_eq(sim_elaborate(sim, SIM_EVENT_DRIVEN, &err), 0);
  ck_assert_int_eq(sim_run_until(sim, UINT64_C(3000000000), &err), SIM_REACHED);
  ck_assert_uint_gt(w.edges, 2000);
  sim_destroy(sim);
  sim_destroy(r.gpu.sim);
}
END_TEST

/* ---- times --------------------------------------------------------------------- */

static void one_cycle(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  const uint64_t f = gpu->cfg->clock_sm, in_fs = UINT64_C(1000000000);
  const bool exact = gpu->cfg->clocks == CONFIG_CLOCKS_EXACT;
  ck_assert_uint_eq(sim_now(sim), exact ? gpu->now * in_fs / f : gpu->now * (in_fs / f));
  gpu->now += 1 + gpu->now % 3; /* some are left out */
  if (gpu->now >= gpu->until) sim_stop(sim);
}

static void check_times(rig_t *r) {
  mrpb_err_t err = {""};
  const sim_proc_t p = sim_process(r->gpu.sim, SIM_TOP, "cycle", one_cycle, &r->gpu);
  sim_on_rise(r->gpu.sim, p, r->clock);
  sim_dont_initialize(r->gpu.sim, p);
  sim_reads(r->gpu.sim, p, SIM_NO_SIGS);
  sim_writes(r->gpu.sim, p, SIM_NO_SIGS);
  ck_assert_int_eq(sim_elaborate(r->gpu.sim, SIM_STATIC, &err), 0);
  for (r->gpu.until = 1000; r->gpu.until < 5000; r->gpu.until += 1000) {
    ck_assert_int_eq(sim_run_cycles(r->gpu.sim, r->clock, 1000, &err), SIM_STOPPED);
    ck_assert_uint_ge(r->gpu.now, r->gpu.until);
  }
}

START_TEST(times) {
  rig_t r;
  rig_open(&r, (unsigned)_i / 2,
           _i % 2 ? (uint32_t)CONFIG_CLOCKS_EXACT : (uint32_t)CONFIG_CLOCKS_REFERENCE);
  check_times(&r);
  sim_destroy(r.gpu.sim);
}
END_TEST

Suite *test_gpu_clocks_suite(void);
Suite *test_gpu_clocks_suite(void) {
  Suite *s = suite_create("gpu_clocks");
  TCase *t = tcase_create("edges");
  tcase_set_timeout(t, 60);
  tcase_set_tags(t, "heavy"); /* many steps: not under valgrind */
  tcase_add_loop_test(t, reference_clocks, 0, ROWS);
  tcase_add_loop_test(t, exact_clocks, 0, ROWS);
  tcase_add_loop_test(t, times, 0, 2 * ROWS);
  suite_add_tcase(s, t);
  return s;
}
