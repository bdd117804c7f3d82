/* SPDX-License-Identifier: Apache-2.0 */
/* The halves of the L2: their lines, the sectors of them that they have, and the slices' ports. Without
 * L2_FETCH a read that misses brings the whole line. */
#include "base/pool.h"
#include "gpu/ports/ports_state.h"

#include <stdlib.h>

/* An L2 of one piece is one half. */
static int open_half(const config_t *c, ports_half_t *h, mrpb_err_t *err) {
  const cache_cfg_t l2 = {.sets = (c->l2_total_sets + c->l2_halves - 1) / c->l2_halves,
                          .ways = c->l2_ways,
                          .replacement = c->l2_replacement,
                          .log2 = PORTS_LINE_LOG2};
  if (cache_open(&h->cache, &l2, err) != 0) return -1;
  h->line = calloc(h->cache.places + 1, sizeof *h->line);
  if (!h->line) return mrpb_fail(err, "ports: out of memory");
  pool_large(h->line, h->cache.places * sizeof *h->line);
  const uint64_t share = (uint64_t)h->cache.places * c->l2_dirty / 100;
  h->most_written = c->l2_dirty ? (uint32_t)share : UINT32_MAX;
  return 0;
}

int ports_l2_open(ports_t *p, mrpb_err_t *err) {
  const config_t *c = &p->cfg;
  for (unsigned h = 0; h < c->l2_halves; h++)
    if (open_half(c, &p->half[h], err) != 0) return -1;
  p->slice = calloc(c->l2_ports + 1, sizeof *p->slice);
  if (!p->slice) return mrpb_fail(err, "ports: out of memory");
  for (uint32_t i = 0; i < c->l2_ports; i++) {
    const port_t port = {.rate = c->l2_slice_port, .request = c->l2_request};
    p->slice[i] = (slice_t){.reads = port, .writes = port};
  }
  return 0;
}

void ports_l2_close(ports_t *p) {
  for (unsigned h = 0; h < PORTS_HALVES; h++) {
    cache_close(&p->half[h].cache);
    free(p->half[h].line);
    p->half[h] = (ports_half_t){.line = NULL};
  }
  free(p->slice);
  p->slice = NULL;
}

void ports_l2_empty(ports_t *p) {
  for (unsigned h = 0; h < PORTS_HALVES; h++) {
    ports_half_t *half = &p->half[h];
    cache_empty(&half->cache);
    for (uint32_t i = 0; i < half->cache.places; i++) half->line[i].written = 0;
    half->oldest = half->newest = NULL;
    half->written = 0;
  }
}

uint64_t ports_l2_pass(ports_t *p, uint64_t addr, uint64_t at, uint32_t bytes, bool write) {
  const uint32_t n = p->cfg.l2_ports;
  if (n == 0) return at;
  slice_t *slice = &p->slice[ports_part(addr, n)];
  return write ? port_pass(&slice->writes, at, bytes * p->cfg.l2_write / 100)
               : port_pass(&slice->reads, at, bytes);
}

/* ---- lines that were written ----------------------------------------------------- */

static void put_newest(ports_half_t *h, ports_line_t *line) {
  line->older = h->newest;
  line->newer = NULL;
  *(h->newest ? &h->newest->newer : &h->oldest) = line;
  h->newest = line;
  h->written++;
}

static void take_out(ports_half_t *h, const ports_line_t *line) {
  *(line->older ? &line->older->newer : &h->oldest) = line->newer;
  *(line->newer ? &line->newer->older : &h->newest) = line->older;
  h->written--;
}

static uint64_t write_back(ports_t *p, ports_half_t *h, ports_line_t *line) {
  const uint32_t bytes = p->cfg.l2_fetch ? ports_bytes(line->written) : PORTS_LINE;
  p->stats.write_backs++;
  p->stats.back_bytes += bytes;
  take_out(h, line);
  line->written = 0;
  return ports_dram_pass(p, line->addr, *p->base.now, bytes, true);
}

uint64_t ports_l2_written(ports_t *p, unsigned half, ports_line_t *line, unsigned sectors) {
  ports_half_t *h = &p->half[half];
  if (!line->written) put_newest(h, line);
  line->written |= (uint8_t)sectors;
  line->has |= (uint8_t)(p->cfg.l2_fetch ? sectors : PORTS_WHOLE);
  return h->written > h->most_written ? write_back(p, h, h->oldest) : 0;
}

/* ---- look-up ------------------------------------------------------------------- */

/* The line at `addr` takes a place, and has nothing yet. */
static void take_place(ports_half_t *h, ports_line_t *line, uint64_t addr) {
  if (line->written) take_out(h, line);
  *line = (ports_line_t){.addr = addr};
}

ports_answer_t ports_l2(ports_t *p, unsigned half, uint64_t addr) {
  ports_half_t *h = &p->half[half];
  if (!h->cache.tags) return (ports_answer_t){.line = NULL};
  const cache_answer_t found = cache_access(&h->cache, addr);
  ports_answer_t a = {.line = &h->line[found.place], .hit = found.hit};
  if (a.hit) return a;
  if (a.line->written) a.written_back = write_back(p, h, a.line);
  take_place(h, a.line, addr);
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

unsigned ports_l2_missing(const ports_t *p, const ports_line_t *line, unsigned sectors) {
  if (!line) return sectors;
  return together(p, sectors & ~(unsigned)line->has) & ~(unsigned)line->has;
}

void ports_l2_fetched(ports_line_t *line, unsigned sectors, uint64_t at) {
  if (!line) return;
  line->has |= (uint8_t)sectors;
  line->alone = false;
  for (unsigned s = 0; s < PORTS_SECTORS; s++)
    if (sectors >> s & 1) line->when[s] = at;
}

uint64_t ports_l2_when(const ports_line_t *line, unsigned sectors, uint64_t at) {
  for (unsigned s = 0; line && s < PORTS_SECTORS; s++)
    if (sectors >> s & 1 && line->when[s] > at) at = line->when[s];
  return at;
}

/* What is written back for it has left before the next launch. */
void ports_l2_left(ports_t *p, unsigned half, uint64_t addr) {
  ports_half_t *h = &p->half[half];
  if (!h->cache.tags) return;
  const cache_answer_t found = cache_access(&h->cache, addr);
  ports_line_t *line = &h->line[found.place];
  if (!found.hit) take_place(h, line, addr);
  line->has = PORTS_WHOLE;
  line->alone = true;
}
