/* SPDX-License-Identifier: Apache-2.0 */
/* Shared-memory bank conflicts: see shared.h. */
#include "parts/shared.h"

const shared_cfg_t shared_gt200 = {.banks = 16, .width = 4, .interleave = 4, .lanes = 16};
const shared_cfg_t shared_fermi = {.banks = 32, .width = 4, .interleave = 4, .lanes = 32};
const shared_cfg_t shared_kepler_4 = {.banks = 32, .width = 8, .interleave = 4, .lanes = 32};
const shared_cfg_t shared_kepler_8 = {.banks = 32, .width = 8, .interleave = 8, .lanes = 32};

static unsigned log2_of(uint32_t power) {
  return (unsigned)__builtin_ctz(power);
}

/* Cycles of the lanes in `mask`, which are served at a time. */
static unsigned conflicts(const shared_cfg_t *cfg, const uint64_t addr[SHARED_LANES],
                          uint32_t mask) {
  uint64_t row[SHARED_BANKS][SHARED_LANES];
  uint8_t rows[SHARED_BANKS] = {0};
  unsigned to_bank = log2_of(cfg->interleave), to_row = log2_of(cfg->banks) + log2_of(cfg->width);
  unsigned most = 1;
  for (; mask; mask &= mask - 1) {
    uint64_t a = addr[__builtin_ctz(mask)], r = a >> to_row;
    unsigned bank = (unsigned)(a >> to_bank) & (cfg->banks - 1), i = 0;
    while (i < rows[bank] && row[bank][i] != r) i++;
    if (i < rows[bank]) continue;
    row[bank][rows[bank]++] = r;
    if (rows[bank] > most) most = rows[bank];
  }
  return most;
}

unsigned shared_cycles(const shared_cfg_t *cfg, const uint64_t addr[SHARED_LANES], uint32_t mask) {
  if (cfg->lanes == SHARED_LANES) return conflicts(cfg, addr, mask);
  uint32_t part = (UINT32_C(1) << cfg->lanes) - 1;
  unsigned cycles = 0;
  for (unsigned from = 0; from < SHARED_LANES; from += cfg->lanes)
    cycles += conflicts(cfg, addr, mask & part << from);
  return cycles;
}
