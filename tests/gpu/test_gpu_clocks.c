/* SPDX-License-Identifier: Apache-2.0 */
/* CLOCKS = reference: the edges follow the rule as GPGPU-Sim 3.2.0 writes it. */
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

static void no_edges(gpu_memory_t *m, const uint8_t *edge, unsigned n) {
  (void)m;
  (void)edge;
  (void)n;
}

static void check_launch(gpu_t *gpu, rule_t *rule, unsigned steps) {
  memset(rule->next, 0, sizeof rule->next);
  gpu_clocks_restart(gpu);
  for (unsigned i = 0; i < steps; i++) ck_assert_uint_eq(gpu_next_edge(gpu), rule_step(rule));
}

START_TEST(reference_clocks) {
  static const uint32_t mhz[][GPU_DOMAINS] = {{575, 1150, 575, 750}, {602, 602, 602, 924},
                                              {1, 3, 100000, 7},     {700, 650, 575, 924},
                                              {100000, 1, 2, 3},     {997, 1993, 499, 3001}};
  static const gpu_memory_class_t cls = {.edges = no_edges}; /* the memory has clocks of its own */
  config_t cfg = {.clock_sm = mhz[_i][0], .clocks = CONFIG_CLOCKS_REFERENCE};
  gpu_memory_t memory = {.cls = &cls};
  rule_t rule = {{0}, {0}};
  gpu_t gpu = {.setup = {.cfg = &cfg}, .cfg = &cfg, .memory = &memory, .sim = sim_create()};
  for (unsigned i = 0; i < GPU_DOMAINS; i++) rule.period[i] = 1.0 / (mhz[_i][i] * 1e6);
  for (unsigned i = 0; i < MEMORY_CLOCKS; i++) memory.hz[i] = (uint64_t)mhz[_i][1 + i] * 1000000;
  (void)gpu_clocks_create(&gpu);
  check_launch(&gpu, &rule, 100000);
  for (unsigned steps = 1; steps < 200; steps++) check_launch(&gpu, &rule, steps);
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
