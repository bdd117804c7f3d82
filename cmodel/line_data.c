/* SPDX-License-Identifier: Apache-2.0 */
#include "line_data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 1056 };

/* PARITY: bit p of begun is place p; in the others, bit b of a word is beat b. */
typedef struct {
  uint32_t begun[MAX_PLACES / 32];
  uint8_t begun_par;
  uint32_t rcode, rknown, rtwin;
  uint32_t code[MAX_PLACES], known[MAX_PLACES], twin[MAX_PLACES];
} parity_t;

struct line_data {
  line_data_cfg_t cfg;
  uint32_t beats;   /* of a line */
  parity_t *parity; /* NULL without PARITY */
  line_data_regs_t r;
};

int line_data_create(line_data_t **self, const line_data_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (line_data_check(cfg, err)) return -1;
  line_data_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "line_data: out of memory");
  made->cfg = *cfg;
  made->beats = (cfg->WORDS + cfg->BUS_WORDS - 1) / cfg->BUS_WORDS;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    line_data_destroy(made);
    return mrpb_fail(err, "line_data: out of memory");
  }
  *self = made;
  return 0;
}

void line_data_comb(const line_data_t *self, const line_data_in_t *in, line_data_out_t *out) {
  const uint32_t words = self->cfg.WORDS, *line = self->r.rdata_q;
  (void)in;
  memset(out, 0, sizeof *out); /* error_o too: bits of a C model do not change by themselves */
  for (uint32_t w = 0; w < words; w++) {
    const bool shown = !self->parity || self->parity->rknown >> w / self->cfg.BUS_WORDS & 1;
    if (shown) out->data_o[w / 2] |= (uint64_t)line[w] << w % 2 * 32;
  }
}

static void reset(line_data_t *self) {
  parity_t *p = self->parity;
  if (!p) return;
  p->rknown = p->rtwin = 0;
  p->begun_par = 0;
  memset(p->begun, 0, sizeof p->begun);
}

static inline bool has_begun(const parity_t *p, uint64_t place) {
  return p->begun[place / 32] >> place % 32 & 1;
}

static inline void read_line(line_data_t *self, uint64_t place) {
  const uint32_t words = self->cfg.WORDS;
  parity_t *p = self->parity;
  memcpy(self->r.rdata_q, &self->r.mem_q[place * words], words * sizeof(uint32_t));
  if (!p) return;
  p->rcode = p->code[place];
  p->rknown = has_begun(p, place) ? p->known[place] : 0;
  p->rtwin = has_begun(p, place) ? p->twin[place] : 0;
}

static inline void write_beat(line_data_t *self, const line_data_in_t *in) {
  const uint32_t beat = (uint32_t)in->write_beat_i, first = beat * self->cfg.BUS_WORDS;
  const uint32_t bit = UINT32_C(1) << beat;
  const uint64_t place = in->write_place_i;
  uint32_t *line = &self->r.mem_q[place * self->cfg.WORDS];
  parity_t *p = self->parity;
  uint32_t all = 0;
  for (uint32_t w = 0; w < self->cfg.BUS_WORDS && first + w < self->cfg.WORDS; w++) {
    line[first + w] = (uint32_t)(in->write_data_i[w / 2] >> w % 2 * 32);
    all ^= line[first + w];
  }
  if (!p) return;
  p->code[place] = bits_odd(all) ? p->code[place] | bit : p->code[place] & ~bit;
  if (!has_begun(p, place)) {
    p->known[place] = p->twin[place] = 0;
    p->begun[place / 32] |= UINT32_C(1) << place % 32;
    p->begun_par = !p->begun_par;
  }
  p->known[place] |= bit;
  p->twin[place] |= bit;
}

void line_data_edge(line_data_t *self, const line_data_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  if (in->read_valid_i && in->read_place_i < self->cfg.PLACES) read_line(self, in->read_place_i);
  if (in->write_valid_i && in->write_place_i < self->cfg.PLACES && in->write_beat_i < self->beats)
    write_beat(self, in);
}

const line_data_regs_t *line_data_regs(const line_data_t *self) {
  return &self->r;
}

void line_data_destroy(line_data_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void line_data_copy(line_data_t *to, const line_data_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

#define STEM line_data
#define COMPOSITE
#define PORTS_FILE "ports/line_data.ports.h"
#include "ports/define.h"
