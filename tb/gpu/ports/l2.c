/* SPDX-License-Identifier: Apache-2.0 */
/* The L2: its lines, the sectors of them that it has, and its slices' ports. Without L2_FETCH a read
 * that misses brings the whole line. */
#include "gpu/ports/ports_state.h"

#include <stdlib.h>

int ports_l2_open(ports_t *p, mrpb_err_t *err) {
  const config_t *c = &p->cfg;
  const cache_cfg_t l2 = {.sets = c->l2_total_sets,
                          .ways = c->l2_ways,
                          .replacement = c->l2_replacement,
                          .log2 = PORTS_LINE_LOG2};
  if (cache_open(&p->l2, &l2, err) != 0) return -1;
  p->l2_line = calloc(p->l2.places + 1, sizeof *p->l2_line);
  p->slice = calloc(c->l2_ports + 1, sizeof *p->slice);
  if (!p->l2_line || !p->slice) return mrpb_fail(err, "ports: out of memory");
  for (uint32_t i = 0; i < c->l2_ports; i++)
    p->slice[i] = (port_t){.rate = c->l2_slice_port, .request = c->l2_request};
  return 0;
}

void ports_l2_close(ports_t *p) {
  cache_close(&p->l2);
  free(p->l2_line);
  free(p->slice);
  p->l2_line = NULL;
  p->slice = NULL;
}

uint64_t ports_l2_pass(ports_t *p, uint64_t addr, uint64_t at, uint32_t bytes, bool write) {
  const uint32_t n = p->cfg.l2_ports;
  if (write) bytes = bytes * p->cfg.l2_write / 100;
  return n ? port_pass(&p->slice[ports_part(addr, n)], at, bytes) : at;
}

cache_answer_t ports_l2(ports_t *p, uint64_t addr) {
  cache_answer_t a = cache_access(&p->l2, addr);
  if (!a.hit && p->l2.tags) p->l2_line[a.place] = (ports_line_t){.has = 0};
  if (a.was_dirty) {
    const uint32_t bytes = p->cfg.l2_fetch ? ports_bytes(a.was_dirty) : PORTS_LINE;
    p->stats.write_backs++;
    p->stats.back_bytes += bytes;
    a.written_back = ports_dram_pass(p, a.victim, *p->base.now, bytes, true);
  }
  return a;
}

/* The sectors that are fetched together with these. */
static unsigned together(const ports_t *p, unsigned sectors) {
  const uint32_t n = p->cfg.l2_fetch ? p->cfg.l2_fetch : PORTS_SECTORS;
  unsigned all = 0;
  for (unsigned group = (1u << n) - 1; group & PORTS_WHOLE; group <<= n)
    if (group & sectors) all |= group;
  return all;
}

unsigned ports_l2_missing(const ports_t *p, const cache_answer_t *a, unsigned sectors) {
  if (!p->l2.tags) return sectors;
  const unsigned has = p->l2_line[a->place].has;
  return together(p, sectors & ~has) & ~has;
}

void ports_l2_fetched(ports_t *p, uint32_t place, unsigned sectors, uint64_t at) {
  if (!p->l2.tags) return;
  ports_line_t *line = &p->l2_line[place];
  line->has |= (uint8_t)sectors;
  line->alone = false;
  for (unsigned s = 0; s < PORTS_SECTORS; s++)
    if (sectors >> s & 1) line->when[s] = at;
}

uint64_t ports_l2_when(const ports_t *p, uint32_t place, unsigned sectors, uint64_t at) {
  if (!p->l2.tags) return at;
  const ports_line_t *line = &p->l2_line[place];
  for (unsigned s = 0; s < PORTS_SECTORS; s++)
    if (sectors >> s & 1 && line->when[s] > at) at = line->when[s];
  return at;
}

void ports_l2_written(ports_t *p, const cache_answer_t *a, unsigned sectors) {
  p->l2.dirty[a->place] |= (uint8_t)sectors;
  p->l2_line[a->place].has |= (uint8_t)(p->cfg.l2_fetch ? sectors : PORTS_WHOLE);
}

void ports_l2_left(ports_t *p, uint64_t addr) {
  if (!p->l2.tags) return;
  const cache_answer_t a = cache_access(&p->l2, addr);
  ports_line_t *line = &p->l2_line[a.place];
  if (!a.hit) *line = (ports_line_t){.has = 0};
  line->has = PORTS_WHOLE;
  line->alone = true;
}
