/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/parts/parts.h"

#include <stdbool.h>
#include <stdlib.h>

#define STEM one_hot_encoder
#define PORTS_FILE "verify/prove/parts/one_hot_encoder.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

struct one_hot_encoder {
  one_hot_encoder_cfg_t cfg;
};

/* For several requests the result is the OR of their numbers, as the Verilog's page says. */
void one_hot_encoder_comb(const one_hot_encoder_t *self, const one_hot_encoder_in_t *in,
                          one_hot_encoder_out_t *out) {
  *out = (one_hot_encoder_out_t){0};
  for (uint32_t i = 0; i < self->cfg.WIDTH; i++) {
    if (!(in->one_hot_i >> i & 1)) continue;
    out->any_o = 1;
    out->index_o |= i;
  }
}

PART(one_hot_encoder)

#define STEM one_hot_encoder
#define PORTS_FILE "verify/prove/parts/one_hot_encoder.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
