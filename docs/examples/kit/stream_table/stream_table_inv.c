/* SPDX-License-Identifier: Apache-2.0 */
/* What is true of the registers of stream_table after every reset. */
#include "cmodel/stream_table.c"

#include "verify/prove/inv/inv.h"

REGISTERS(stream_table)

bool stream_table_inv(const stream_table_t *self);

/* Until all are in use, the streams are those below the next victim. One that is in use has at most TRUST hits. */
bool stream_table_inv(const stream_table_t *self) {
  const uint32_t n = self->cfg.ENTRIES;
  bool good = self->r.victim_q < n;
  for (uint32_t e = 0; e < n; e++) {
    const bool used = self->r.valid_q >> e & 1;
    good &= !used | (self->r.trust_q[e] <= self->cfg.TRUST);
  }
  const bool all = self->r.valid_q == bits_mask(n);
  return good & (all | (self->r.valid_q == bits_mask(self->r.victim_q)));
}
