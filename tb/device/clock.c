/* SPDX-License-Identifier: Apache-2.0 */
/* The shader clock, the device's only one. It is a clock of the event kernel whose next edge is the
 * next cycle in which something may happen, so idle cycles cost no time (docs/kernel.md). */
#include "device/device_state.h"

enum { CYCLES_A_RUN = 1 << 20 };

static void end(device_t *d, device_end_t how) {
  d->ended = true;
  d->end = how;
}

static bool running(const device_t *d) {
  if (d->next_block < d->launch->blocks) return true;
  for (unsigned i = 0; i < d->top; i++)
    if (d->core[i] && (d->core[i]->n_blocks || d->core[i]->due != NEVER)) return true;
  return false;
}

static uint64_t next_due(const device_t *d) {
  uint64_t due = NEVER;
  for (unsigned i = 0; i < d->top; i++)
    if (d->core[i] && d->core[i]->due < due) due = d->core[i]->due;
  return due;
}

/* Between two cycles: places blocks on SMs that have room, then finds the next cycle to run. */
static void prepare(device_t *d) {
  if (!running(d)) {
    end(d, DEVICE_DONE);
    return;
  }
  device_place_blocks(d);
  d->due = next_due(d);
  if (d->failed)
    end(d, DEVICE_FAILED);
  else if (d->due == NEVER)
    end(d, DEVICE_DEADLOCK);
  else if (d->due - d->start > d->limit)
    end(d, DEVICE_SPINS);
}

static void cycle(sim_t *sim, void *ctx) {
  device_t *d = ctx;
  d->now = d->due;
  for (unsigned i = 0; i < d->top; i++)
    if (d->core[i] && d->core[i]->due <= d->now) core_step(d->core[i]);
  if (d->failed || workload_fault(d->setup.workload))
    end(d, DEVICE_FAILED);
  else
    prepare(d);
  if (d->ended) sim_stop(sim);
}

static size_t next_edge(void *ctx, sim_edge_t *edge, size_t n) {
  const device_t *d = ctx;
  if (d->ended || n == 0) return 0;
  *edge = (sim_edge_t){.time = d->due * d->period, .rise = 1};
  return 1;
}

int clock_create(device_t *d, mrpb_err_t *err) {
  d->sim = sim_create();
  if (!d->sim) return mrpb_fail(err, "device: out of memory");
  d->period = UINT64_C(1000000000) / d->cfg.clock_mhz;
  d->ended = true;
  sim_source_t source = sim_source(d->sim, next_edge, d);
  d->clk = sim_source_clock(d->sim, SIM_TOP, "shader_clk", source, d->period / 2);
  sim_proc_t p = sim_process(d->sim, SIM_TOP, "sms", cycle, d);
  sim_on_rise(d->sim, p, d->clk);
  sim_dont_initialize(d->sim, p);
  sim_reads(d->sim, p, SIM_NO_SIGS);
  sim_writes(d->sim, p, SIM_NO_SIGS);
  return sim_elaborate(d->sim, SIM_STATIC, err);
}

void clock_destroy(device_t *d) {
  sim_destroy(d->sim);
}

device_end_t clock_run(device_t *d, uint64_t limit) {
  d->ended = false;
  d->start = d->now;
  d->limit = limit;
  prepare(d);
  while (!d->ended)
    if (sim_run_cycles(d->sim, d->clk, CYCLES_A_RUN, d->err) == SIM_ERROR) end(d, DEVICE_FAILED);
  return d->end;
}
