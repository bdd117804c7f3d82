/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/parts/parts.h"

#include <stdbool.h>
#include <stdlib.h>

#define STEM round_robin
#define PORTS_FILE "verify/prove/parts/round_robin.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

struct round_robin {
  round_robin_cfg_t cfg;
};

/* Searches from the one after the last, upwards with wrap-around. A last one that does not exist
 * counts as the end. */
void round_robin_comb(const round_robin_t *self, const round_robin_in_t *in,
                      round_robin_out_t *out) {
  *out = (round_robin_out_t){0};
  for (uint32_t i = self->cfg.WIDTH; i-- > 0;)
    if (in->req_i >> i & 1) *out = (round_robin_out_t){.any_o = 1, .index_o = i};
  for (uint32_t i = self->cfg.WIDTH; i-- > 0;)
    if (i > in->last_i && (in->req_i >> i & 1)) out->index_o = i;
}

PART(round_robin)

#define STEM round_robin
#define PORTS_FILE "verify/prove/parts/round_robin.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
