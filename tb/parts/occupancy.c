/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/occupancy.h"

#include <inttypes.h>
#include <stdio.h>

enum { WARP = 32 };

static uint32_t round_up(uint32_t n, uint32_t unit) {
  return (n + unit - 1) / unit * unit;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

uint32_t occupancy_threads(uint32_t threads) {
  return round_up(threads, WARP);
}

/* The number of threads that the register file has room for. */
static uint32_t by_registers(const occupancy_sm_t *sm, uint32_t regs) {
  if (regs == 0) return UINT32_MAX;
  return sm->registers / round_up(regs, sm->register_unit) / sm->thread_unit * sm->thread_unit;
}

uint32_t occupancy_blocks(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs,
                          uint32_t shared) {
  uint32_t whole = occupancy_threads(threads);
  uint32_t n = least(sm->blocks, sm->warps * WARP / whole);
  n = least(n, by_registers(sm, regs) / whole);
  return shared ? least(n, sm->shared / shared) : n;
}

void occupancy_explain(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs, uint32_t shared,
                       char *text, size_t size) {
  const uint32_t whole = occupancy_threads(threads);
  if (whole / WARP > sm->warps)
    snprintf(text, size, "%" PRIu32 " warps, of %" PRIu32 " (WARPS_PER_SM)", whole / WARP,
             sm->warps);
  else if (by_registers(sm, regs) < whole)
    snprintf(text, size,
             "%" PRIu32 " registers a thread, %" PRIu64 " together, of %" PRIu32
             " (REGISTERS_PER_SM)",
             regs, (uint64_t)whole * round_up(regs, sm->register_unit), sm->registers);
  else if (shared > sm->shared)
    snprintf(text, size, "%" PRIu32 " bytes of shared memory, of %" PRIu32 " (SHARED_BYTES)",
             shared, sm->shared);
  else
    snprintf(text, size, "no block does (BLOCKS_PER_SM)");
}
