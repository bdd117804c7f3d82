/* SPDX-License-Identifier: Apache-2.0 */
/* What is true of the registers of write_buffer after every reset. */
#include "cmodel/write_buffer.c"

#include "verify/prove/inv/inv.h"

REGISTERS(write_buffer)

bool write_buffer_inv(const write_buffer_t *self);

/* The places from the oldest on, as many as hold a line, are those that do, and the next free one is behind them. No two
 * that wait have one address. A line that is held has 0 where nothing was written. */
bool write_buffer_inv(const write_buffer_t *self) {
  const uint32_t n = self->cfg.ENTRIES;
  bool good = (self->r.head_q < n) & (self->r.tail_q < n), ring = false;
  for (uint32_t head = 0; head < n; head++)
    for (uint32_t count = 0; count <= n; count++) {
      uint32_t held = 0;
      for (uint32_t k = 0; k < count; k++) held |= 1u << (head + k) % n;
      ring |= (self->r.head_q == head) & (self->r.tail_q == (head + count) % n) &
              (self->r.valid_q == held);
    }
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < a; b++) {
      const bool wait = (self->r.valid_q >> a & self->r.valid_q >> b & 1) & (a != self->r.head_q) &
                        (b != self->r.head_q);
      good &= !(wait & (self->r.addr_q[a] == self->r.addr_q[b]));
    }
  for (uint32_t e = 0; e < n; e++) {
    uint64_t bytes = 0;
    for (uint32_t b = 0; b < self->cfg.BYTES; b++)
      bytes |= (0 - (uint64_t)(self->r.mask_q[e] >> b & 1) & 0xff) << 8 * b;
    good &= !(self->r.valid_q >> e & 1) | ((self->r.data_q[e] & ~bytes) == 0);
  }
  return good & ring;
}
