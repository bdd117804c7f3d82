/* SPDX-License-Identifier: Apache-2.0 */
/* The values that a launch writes into the constants of its kernel. */
#include "workload/simt/simt_state.h"

#include <string.h>

static uint64_t special_value(const simt_kernel_t *k, const simt_launch_t *l, uint64_t grid,
                              unsigned which, unsigned lane) {
  const uint32_t bit = UINT32_C(1) << lane;
  switch ((int)which) {
  case PTX_NTID_X:
  case PTX_NTID_Y:
  case PTX_NTID_Z:
    return l->block[which - PTX_NTID_X];
  case PTX_NCTAID_X:
  case PTX_NCTAID_Y:
  case PTX_NCTAID_Z:
    return l->grid[which - PTX_NCTAID_X];
  case PTX_LANEID:
    return lane;
  case PTX_LANEMASK_EQ:
    return bit;
  case PTX_LANEMASK_LT:
    return bit - 1;
  case PTX_LANEMASK_LE:
    return bit | (bit - 1);
  case PTX_LANEMASK_GT:
    return ~(bit | (bit - 1));
  case PTX_LANEMASK_GE:
    return ~(bit - 1);
  case PTX_NWARPID:
    return SIMT_MAX_THREADS / WARP_LANES;
  case PTX_GRIDID:
    return grid;
  case PTX_DYNAMIC_SMEM:
    return l->shared;
  case PTX_TOTAL_SMEM:
    return k->kernel->shared_bytes + l->shared;
  default: /* the clock is read later */
    return 0;
  }
}

static uint64_t const_value(const simt_kernel_t *k, const simt_const_t *c, const simt_launch_t *l,
                            uint64_t grid, unsigned lane) {
  uint64_t v = c->value;
  if (c->special) return special_value(k, l, grid, c->special - 1u, lane);
  if (!c->bytes) return v;
  v = 0;
  memcpy(&v, &l->params[c->value], c->bytes);
  unsigned drop = 64 - 8u * c->bytes;
  return c->is_signed ? (uint64_t)((int64_t)(v << drop) >> drop) : v;
}

void simt_fill_constants(const simt_kernel_t *k, const simt_launch_t *l, uint64_t grid) {
  for (unsigned i = 0; i < k->n_consts; i++) {
    const simt_const_t *c = &k->consts[i];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
      uint8_t *to = k->constants + c->at + (size_t)lane * (c->wide ? 8 : 4);
      uint64_t v = const_value(k, c, l, grid, lane);
      uint32_t low = (uint32_t)v;
      memcpy(to, c->wide ? (const void *)&v : (const void *)&low, c->wide ? 8 : 4);
    }
  }
}
