/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/parts/parts.h"

#include <stdbool.h>
#include <stdlib.h>

#define STEM longest_first
#define PORTS_FILE "verify/prove/parts/longest_first.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

struct longest_first {
  longest_first_cfg_t cfg;
};

void longest_first_comb(const longest_first_t *self, const longest_first_in_t *in,
                        longest_first_out_t *out) {
  uint64_t longest = 0;
  out->index_o = 0;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    uint32_t at = q * self->cfg.COUNT_W, word = at / 64, shift = at % 64;
    uint64_t count = in->counts_i[word] >> shift;
    if (shift + self->cfg.COUNT_W > 64) count |= in->counts_i[word + 1] << (64 - shift);
    count &= bits_mask(self->cfg.COUNT_W);
    if (count <= longest) continue;
    longest = count;
    out->index_o = q;
  }
}

PART(longest_first)

#define STEM longest_first
#define PORTS_FILE "verify/prove/parts/longest_first.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
