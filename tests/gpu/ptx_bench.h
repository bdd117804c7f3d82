/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel text on a small whole GPU whose packets carry data, with and without the MRPB. */
#ifndef PTX_BENCH_H
#define PTX_BENCH_H

#include "gpu/gpu.h"
#include "mrpb.h"
#include "workload/simt_help.h"

typedef struct {
  rig_t rig;
  config_t cfg;
  gpu_end_t end;
  uint64_t cycles;
  check_stats_t check;
  sm_stats_t sm;
  l1d_stats_t l1d;
  l2_stats_t l2;
  mrpb_err_t err;
} bench_t;

static inline void start(bench_t *b, const char *text, uint32_t blocks, uint32_t threads) {
  *b = (bench_t){0};
  config_defaults(&b->cfg);
  b->cfg.sms = 4;
  b->cfg.l2_slices = 2;
  b->cfg.hang_cycles = 20000;
  ck_assert_msg(rig_open(&b->rig, text, blocks, threads) == 0, "%s", b->rig.err.text);
}

static inline void run_with(bench_t *b, uint32_t hazards) {
  gpu_t *g = NULL;
  gpu_setup_t setup = {.cfg = &b->cfg, .workload = b->rig.w, .check = true, .hazards = hazards};
  ck_assert_msg(gpu_create(&g, &setup, &b->err) == 0, "%s", b->err.text);
  b->end = gpu_run(g, &b->err);
  b->cycles = gpu_cycles(g);
  b->check = *gpu_check_stats(g);
  b->sm = gpu_sm_stats(g);
  b->l1d = gpu_l1d_stats(g);
  b->l2 = gpu_l2_stats(g);
  gpu_destroy(g);
}

static inline void expect_fine(const bench_t *b) {
  ck_assert_msg(b->end == GPU_DONE, "end %d: %s", (int)b->end, b->err.text);
}

/* The machines: without and with the MRPB, its queues, and the reference's memory order. */
enum { MACHINES = 5 };
static inline void machine(config_t *c, unsigned which) {
  c->mrpb = which > 0 && which < 4;
  c->mrpb_reorder = which != 2;
  if (which == 3) c->bypass_tracking = CONFIG_TRACKING_MSHR, c->mrpb_bypass = MRPB_BYPASS_STALL;
  if (which == 4) c->l1d_allocate = CONFIG_ALLOCATE_FILL, c->scheduler = CONFIG_SCHEDULER_GTO;
}

#endif
