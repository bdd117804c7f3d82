/* SPDX-License-Identifier: Apache-2.0 */
/* The device as a whole: launches, blocks, time. */
#include "device/device_state.h"
#include "parts/occupancy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int device_create(device_t **out, const device_setup_t *setup, mrpb_err_t *err) {
  device_t *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return mrpb_fail(err, "device: out of memory");
  d->cfg = *setup->cfg;
  d->setup = *setup;
  d->setup.cfg = &d->cfg;
  d->core = calloc(d->cfg.sms, sizeof *d->core);
  if (!d->core) mrpb_fail(err, "device: out of memory");
  if (!d->core || clock_create(d, err) != 0 || uncore_create(d, err) != 0) {
    device_destroy(d);
    return -1;
  }
  workload_set_clock(setup->workload, &d->clock);
  *out = d;
  return 0;
}

void device_destroy(device_t *d) {
  if (!d) return;
  for (unsigned i = 0; d->core && i < d->cfg.sms; i++) core_destroy(d->core[i]);
  uncore_close(d);
  clock_destroy(d);
  free(d->core);
  free(d);
}

const device_stats_t *device_stats(const device_t *d) {
  return &d->stats;
}

const device_cfg_t *device_cfg(const device_t *d) {
  return &d->cfg;
}

int device_forget(device_t *d, mrpb_err_t *err) {
  for (unsigned i = 0; i < d->cfg.sms; i++) {
    core_destroy(d->core[i]);
    d->core[i] = NULL;
  }
  uncore_close(d);
  return uncore_create(d, err);
}

/* ---- what fits ------------------------------------------------------------- */

static uint32_t shared_bytes(const device_cfg_t *c, const launch_t *l) {
  if (c->shared_reserved == 0) return l->shared;
  return l->shared + c->shared_reserved + (l->param_bytes + 15) / 16 * 16;
}

/* Blocks of the launch that fit on an SM at once; 0 and a message in err if not even one does. */
static uint32_t resident(const device_cfg_t *c, const launch_t *l, mrpb_err_t *err) {
  const occupancy_sm_t sm = {.warps = c->warps_per_sm,
                             .blocks = c->blocks_per_sm,
                             .registers = c->registers_per_sm,
                             .register_unit = c->register_unit,
                             .thread_unit = c->thread_unit,
                             .shared = c->shared_bytes};
  uint32_t threads = occupancy_threads(l->threads), bytes = shared_bytes(c, l);
  if (threads > c->threads_per_block) {
    mrpb_fail(err, "%s: a block of %" PRIu32 " threads; legal: at most %" PRIu32, l->kernel,
              l->threads, c->threads_per_block);
    return 0;
  }
  if (l->regs > c->registers_per_thread) {
    mrpb_fail(err, "%s: %" PRIu32 " registers a thread; legal: at most %" PRIu32, l->kernel,
              l->regs, c->registers_per_thread);
    return 0;
  }
  if (bytes > c->shared_bytes) {
    mrpb_fail(err, "%s: %" PRIu32 " bytes of shared memory; legal: at most %" PRIu32, l->kernel,
              bytes, c->shared_bytes);
    return 0;
  }
  uint32_t n = occupancy_blocks(&sm, l->threads, l->regs, bytes);
  if (n == 0) {
    char lacks[100];
    occupancy_explain(&sm, l->threads, l->regs, bytes, lacks, sizeof lacks);
    mrpb_fail(err, "%.200s: a block of %" PRIu32 " threads does not fit into an SM: %s", l->kernel,
              l->threads, lacks);
  }
  return n;
}

/* ---- a launch -------------------------------------------------------------- */

static core_t *core_of(device_t *d, unsigned sm) {
  core_t *c = d->core[sm];
  if (c) return c;
  if (core_create(&c, d, sm, d->err) != 0) {
    d->failed = true;
    return NULL;
  }
  c->max_blocks = d->max_blocks;
  c->due = NEVER;
  if (sm >= d->top) d->top = sm + 1;
  return d->core[sm] = c;
}

/* The SM that follows `sm` in the order of placement: the next number, or an SM of the next
 * cluster. */
static unsigned next_sm(const device_cfg_t *c, unsigned sm) {
  if (c->placement == DEVICE_PLACE_SM) return (sm + 1) % c->sms;
  if (sm + c->cluster < c->sms) return sm + c->cluster;
  return (sm + 1) % c->cluster; /* the next SM of the first cluster */
}

/* Round robin over the SMs that have room. */
void device_place_blocks(device_t *d) {
  unsigned full = 0;
  while (d->next_block < d->launch->blocks && full < d->cfg.sms && !d->failed) {
    core_t *c = core_of(d, d->next_sm);
    if (!c) return;
    d->next_sm = next_sm(&d->cfg, d->next_sm);
    if (c->n_blocks >= c->max_blocks) {
      full++;
      continue;
    }
    full = 0;
    if (!core_take_block(c, d->next_block++)) {
      mrpb_fail(d->err, "device: out of memory");
      d->failed = true;
    }
  }
}

static int begin(device_t *d, uint32_t most) {
  d->warps_per_block = occupancy_threads(d->launch->threads) / WARP_LANES;
  d->next_block = 0;
  d->max_blocks = most;
  d->stats = (device_stats_t){0};
  d->launches++;
  for (unsigned i = 0; i < d->cfg.sms; i++) {
    core_t *c = d->core[i];
    if (!c) continue;
    c->max_blocks = most;
    c->due = NEVER;
    if (core_begin(c, d->err) != 0) return -1;
  }
  return 0;
}

/* SMs whose last launch did not end start anew. */
static void drop_unfinished(device_t *d) {
  for (unsigned i = 0; i < d->top; i++) {
    core_t *c = d->core[i];
    if (!c || (c->n_blocks == 0 && c->due == NEVER)) continue;
    core_destroy(c);
    d->core[i] = NULL;
  }
}

device_end_t device_run(device_t *d, unsigned first_sm, uint64_t limit, mrpb_err_t *err) {
  d->err = err;
  drop_unfinished(d);
  d->launch = workload_next(d->setup.workload);
  const mrpb_err_t *fault = workload_fault(d->setup.workload);
  if (fault) *err = *fault;
  if (!d->launch) return fault ? DEVICE_FAILED : DEVICE_NONE;
  uint32_t most = resident(&d->cfg, d->launch, err);
  if (most == 0) return DEVICE_REFUSED;
  d->next_sm = first_sm % d->cfg.sms;
  uint64_t start = d->now;
  if (begin(d, most) != 0) return DEVICE_FAILED;
  device_end_t end = clock_run(d, limit);
  d->stats.cycles = d->now - start;
  if (end == DEVICE_FAILED && (fault = workload_fault(d->setup.workload))) *err = *fault;
  d->now++;
  return end;
}
