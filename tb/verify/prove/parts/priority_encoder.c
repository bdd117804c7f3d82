/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/parts/parts.h"

#include <stdbool.h>
#include <stdlib.h>

#define STEM priority_encoder
#define PORTS_FILE "verify/prove/parts/priority_encoder.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

struct priority_encoder {
  priority_encoder_cfg_t cfg;
};

void priority_encoder_comb(const priority_encoder_t *self, const priority_encoder_in_t *in,
                           priority_encoder_out_t *out) {
  *out = (priority_encoder_out_t){0};
  for (uint32_t i = self->cfg.WIDTH; i-- > 0;)
    if (in->req_i >> i & 1) *out = (priority_encoder_out_t){.any_o = 1, .index_o = i};
}

PART(priority_encoder)

#define STEM priority_encoder
#define PORTS_FILE "verify/prove/parts/priority_encoder.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
