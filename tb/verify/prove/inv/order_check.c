/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/order_check.c"

#include "verify/prove/inv/inv.h"

REGISTERS(order_check)

bool order_check_inv(const order_check_t *self);

/* Positions and lengths of the rings are in range. */
bool order_check_inv(const order_check_t *self) {
  bool good = true;
  for (uint32_t w = 0; w < WARPS; w++)
    good &= self->r.len_q[w] <= self->ring && self->r.head_q[w] < self->ring;
  return good;
}
