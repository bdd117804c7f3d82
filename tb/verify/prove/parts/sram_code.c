/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/parts/parts.h"

#include <stdbool.h>
#include <stdlib.h>

#define STEM sram_code
#define PORTS_FILE "verify/prove/parts/sram_code.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

struct sram_code {
  sram_code_cfg_t cfg;
};

static bool odd(uint64_t v) {
  bool is = false;
  for (; v; v >>= 1) is ^= v & 1;
  return is;
}

/* The check bits of a word that is 1 in bit k only: the column of k. */
static uint64_t column(const sram_code_cfg_t *cfg, unsigned k) {
  if (cfg->CODE == 1) return 1;
  uint64_t place = 0;
  for (unsigned n = 0; n <= k; n++) do
      place++;
    while ((place & (place - 1)) == 0);
  unsigned top = bits_index_w(cfg->WIDTH + bits_count_w(cfg->WIDTH) + 1);
  return place | (uint64_t)!odd(place) << top;
}

/* What the check bits of `word` are, flipped where `read` is not 0. */
static uint64_t check(const sram_code_cfg_t *cfg, uint64_t word, uint64_t read) {
  for (unsigned k = 0; k < cfg->WIDTH; k++)
    if (word >> k & 1) read ^= column(cfg, k);
  return read;
}

void sram_code_comb(const sram_code_t *self, const sram_code_in_t *in, sram_code_out_t *out) {
  const sram_code_cfg_t *cfg = &self->cfg;
  uint64_t off = check(cfg, in->rdata_i, in->rcode_i);
  *out = (sram_code_out_t){.rdata_o = in->rdata_i};
  out->code_o = check(cfg, in->data_i, 0);
  if (cfg->CODE == 2) {
    out->corrected_o = off != 0 && (off & (off - 1)) == 0;
    for (unsigned k = 0; k < cfg->WIDTH; k++) {
      if (off != column(cfg, k)) continue;
      out->rdata_o ^= (uint64_t)1 << k;
      out->corrected_o = 1;
    }
  }
  out->error_o = off != 0 && !out->corrected_o;
}

PART(sram_code)

#define STEM sram_code
#define PORTS_FILE "verify/prove/parts/sram_code.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
