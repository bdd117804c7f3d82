/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/maps.h"

#include "base/grow.h"
#include "gpu/inorder/inorder.h"
#include "gpu/pipeline/sm.h"
#include "gpu/ports/ports.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_LOG2 = 7 };

/* at[layer]: the place of the first cell of a layer in an interval's row. */
struct maps {
  uint64_t every;
  tag_array_cfg_t tags;
  packet_map_t map; /* flits */
  unsigned slices;  /* of the L2 */
  unsigned banks;   /* of a channel */
  unsigned places[MAPS_LAYERS], at[MAPS_LAYERS], cells;
  uint64_t *cell;
  size_t rows, room; /* room: in cells */
  bool out_of_memory;
};

const maps_about_t *maps_about(maps_layer_t layer) {
  static const char sets[] = "sets", queues[] = "queues", slices[] = "slices", banks[] = "banks";
  static const maps_about_t about[MAPS_LAYERS] = {
      [MAPS_READS] = {sets, "reads"},     [MAPS_MISSES] = {sets, "misses"},
      [MAPS_REFUSED] = {sets, "refused"}, [MAPS_HELD] = {queues, "held"},
      [MAPS_ASKED] = {slices, "asked"},   [MAPS_SERVED] = {banks, "served"},
      [MAPS_OPENED] = {banks, "opened"}};
  return &about[layer];
}

/* ---- creation ------------------------------------------------------------------ */

static unsigned places_of(const config_t *c, maps_layer_t layer) {
  const bool ports = config_with_ports(c);
  switch (layer) {
  case MAPS_READS:
  case MAPS_MISSES:
  case MAPS_REFUSED:
    return c->l1d_sets;
  case MAPS_HELD:
    return c->mrpb && c->mrpb_reorder ? c->mrpb_queues : 0;
  case MAPS_ASKED:
    return ports ? c->l2_ports : c->l2_slices;
  case MAPS_SERVED:
  case MAPS_OPENED:
  case MAPS_LAYERS:
    break;
  }
  return ports ? 0 : c->l2_slices * c->dram_banks;
}

int maps_create(maps_t **out, const config_t *cfg, uint64_t every, mrpb_err_t *err) {
  maps_t *m = *out = calloc(1, sizeof *m);
  if (!m) return mrpb_fail(err, "maps: out of memory");
  const l1d_cfg_t l = sm_l1d_cfg(cfg);
  m->every = every;
  m->tags = config_in_order(cfg) ? inorder_l1d(cfg) : l1d_tags_cfg(&l);
  if (!config_with_ports(cfg)) m->map = (packet_map_t){cfg->l2_slices, cfg->l2_interleave};
  m->banks = config_with_ports(cfg) ? 0 : cfg->dram_banks;
  m->slices = places_of(cfg, MAPS_ASKED);
  for (unsigned i = 0; i < MAPS_LAYERS; i++) {
    m->at[i] = m->cells;
    m->places[i] = places_of(cfg, (maps_layer_t)i);
    m->cells += m->places[i];
  }
  return 0;
}

void maps_destroy(maps_t *m) {
  if (!m) return;
  free(m->cell);
  free(m);
}

/* ---- counting ------------------------------------------------------------------ */

/* The row of cycle `now`, and all before it; NULL if out of memory. */
static uint64_t *row_of(maps_t *m, uint64_t now) {
  const size_t i = (size_t)(now / m->every);
  if (i >= m->rows) {
    uint64_t *more = grow(m->cell, (i + 1) * m->cells, &m->room, sizeof *more);
    m->out_of_memory |= !more;
    if (!more) return NULL;
    m->cell = more;
    memset(more + m->rows * m->cells, 0, (i + 1 - m->rows) * m->cells * sizeof *more);
    m->rows = i + 1;
  }
  return m->cell + i * m->cells;
}

static void add(maps_t *m, maps_layer_t layer, uint64_t now, unsigned place, uint64_t n) {
  uint64_t *row = m->places[layer] && n ? row_of(m, now) : NULL;
  if (row) row[m->at[layer] + place] += n;
}

/* Each cycle from `from` to before `to` counts once, in its own interval. */
static void spread(maps_t *m, maps_layer_t layer, uint64_t from, uint64_t to, unsigned place) {
  while (from < to) {
    const uint64_t next = (from / m->every + 1) * m->every, end = next < to ? next : to;
    add(m, layer, from, place, end - from);
    from = end;
  }
}

static unsigned slice_of(const maps_t *m, uint64_t addr) {
  return m->map.partitions ? packet_map_partition(&m->map, addr) : ports_part(addr, m->slices);
}

/* When it came to the L2; ports know only when it was sent, and some requests only when it began. */
static uint64_t reached(const uint64_t at[REQUESTS_STATIONS]) {
  if (at[REQUESTS_AT_L2] != REQUESTS_NEVER) return at[REQUESTS_AT_L2];
  return at[REQUESTS_SENT] != REQUESTS_NEVER ? at[REQUESTS_SENT] : at[REQUESTS_ACCEPTED];
}

static void request(void *ctx, const requests_row_t *r) {
  maps_t *m = ctx;
  const requests_what_t *q = &r->what;
  const uint64_t *at = r->at, accepted = at[REQUESTS_ACCEPTED];
  if (m->out_of_memory) return;
  if (m->places[MAPS_READS] && !q->uncached) {
    const unsigned set = tag_array_set(&m->tags, q->addr >> LINE_LOG2);
    add(m, MAPS_READS, accepted, set, !q->write);
    add(m, MAPS_MISSES, accepted, set, !q->write && q->packet);
    spread(m, MAPS_REFUSED, at[REQUESTS_OFFERED], accepted, set);
  }
  if (at[REQUESTS_QUEUED] != REQUESTS_NEVER)
    spread(m, MAPS_HELD, at[REQUESTS_QUEUED], accepted, q->queue);
  if (q->packet && m->slices) add(m, MAPS_ASKED, reached(at), slice_of(m, q->addr), 1);
  if (at[REQUESTS_AT_BANK] == REQUESTS_NEVER) return;
  const unsigned bank = packet_map_partition(&m->map, q->addr) * m->banks + r->bank;
  add(m, MAPS_SERVED, at[REQUESTS_AT_BANK], bank, 1);
  add(m, MAPS_OPENED, at[REQUESTS_AT_BANK], bank, !r->row_hit);
}

requests_sink_t maps_requests(maps_t *m) {
  return (requests_sink_t){request, m, NULL};
}

/* ---- results --------------------------------------------------------------- */

bool maps_complete(const maps_t *m) {
  return !m->out_of_memory;
}

unsigned maps_places(const maps_t *m, maps_layer_t layer) {
  return m->places[layer];
}

size_t maps_intervals(const maps_t *m) {
  return m->rows;
}

uint64_t maps_at(const maps_t *m, maps_layer_t layer, size_t interval, unsigned place) {
  return m->cell[interval * m->cells + m->at[layer] + place];
}
