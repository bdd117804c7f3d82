/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the L1D: they are reserved, filled, held until all earlier loads of their warp have
 * their data, and dropped. See docs/device/README.md. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/request.h"

#include <stdlib.h>
#include <string.h>

tag_array_cfg_t inorder_l1d(const config_t *cfg) {
  static const uint32_t hash[] = {TAGS_MODULO, TAGS_XOR,
                                  TAGS_HOPPER}; /* in the order of L1D_HASH */
  return (tag_array_cfg_t){.sets = cfg->l1d_sets,
                           .ways = cfg->l1d_ways,
                           .replacement = cfg->l1d_replacement,
                           .kept = cfg->l1d_kept,
                           .hash = hash[cfg->l1d_hash]};
}

void dcache_clear(core_t *c) {
  if (!c->l1d.tags) return;
  tag_array_clear(c->l1d.tags);
  memset(c->l1d.line, 0, c->l1d.places * sizeof *c->l1d.line);
  c->l1d.tick = 0;
}

/* The memory of an SM's L1D is kept for the next core of that SM. Those of all SMs lie together. */
int dcache_create(core_t *c, mrpb_err_t *err) {
  inorder_t *all = c->all;
  core_l1d_t *mine = &all->l1d[c->id];
  tag_array_cfg_t t = inorder_l1d(&all->cfg);
  mine->places = all->cfg.l1d_sets * all->cfg.l1d_ways;
  if (mine->places == 0) return 0;
  t.pool = &all->l1d_memory;
  if (!mine->line) mine->line = pool_take(t.pool, mine->places * sizeof *mine->line);
  if (!mine->line) return mrpb_fail(err, "cores: out of memory");
  if (!mine->tags && tag_array_create(&mine->tags, &t, err) != 0) return -1;
  c->l1d = *mine;
  dcache_clear(c);
  return 0;
}

void dcache_destroy(inorder_t *all) {
  for (unsigned i = 0; all->l1d && i < all->cfg.sms; i++) tag_array_destroy(all->l1d[i].tags);
  free(all->l1d);
  pool_free(all->l1d_memory);
}

void dcache_reserve(core_t *c, uint32_t place, uint64_t line) {
  c->l1d.line[place] = (l1d_line_t){.next = L1D_NONE};
  if (c->check) core_check_forget(c, place);
  tag_array_reserve(c->l1d.tags, place, line, ++c->l1d.tick, 0);
}

void dcache_reserve_for(core_t *c, uint32_t place, uint64_t line, uint16_t id) {
  dcache_reserve(c, place, line);
  c->l1d.line[place].load = c->load[id].number;
  c->l1d.line[place].warp = c->load[id].warp;
}

bool dcache_has(const core_t *c, uint64_t line, uint32_t *place) {
  if (!c->l1d.tags) return false;
  const tag_array_status_t status = tag_array_probe(c->l1d.tags, line, place);
  return status == TAGS_HIT || (status == TAGS_HIT_RESERVED && c->l1d.line[*place].held);
}

uint64_t dcache_when(const core_t *c, uint32_t place, unsigned wanted, unsigned *unasked) {
  uint64_t at = 0;
  *unasked = 0;
  for (unsigned s = 0; s < CORE_SECTORS; s++) {
    if (!(wanted >> s & 1)) continue;
    uint64_t when = c->l1d.line[place].when[s];
    if (when == 0) *unasked |= 1u << s;
    if (when > at) at = when;
  }
  return at;
}

void dcache_asked(core_t *c, uint32_t place, unsigned sectors, uint64_t at) {
  l1d_line_t *line = &c->l1d.line[place];
  for (unsigned s = 0; s < CORE_SECTORS; s++) {
    if (!(sectors >> s & 1)) continue;
    line->when[s] = at;
    line->asked[s] = c->requests.last;
  }
  if (at == NEVER) request_fills(c, REQUEST_LINE, place);
}

/* The place may have another line by now. */
unsigned dcache_arrived(core_t *c, uint32_t place, uint32_t id) {
  l1d_line_t *line = &c->l1d.line[place];
  unsigned sectors = 0;
  for (unsigned s = 0; s < CORE_SECTORS; s++) {
    if (line->when[s] != NEVER || line->asked[s] != id) continue;
    line->when[s] = c->all->now;
    sectors |= 1u << s;
  }
  return sectors;
}

unsigned dcache_awaits(const core_t *c, uint32_t place, unsigned wanted,
                       uint32_t requests[CORE_SECTORS], uint8_t sectors[CORE_SECTORS]) {
  const l1d_line_t *line = &c->l1d.line[place];
  unsigned n = 0;
  for (unsigned s = 0; s < CORE_SECTORS; s++) {
    if (!(wanted >> s & 1) || line->when[s] != NEVER) continue;
    unsigned known = 0;
    while (known < n && requests[known] != line->asked[s]) known++;
    if (known == n) {
      requests[n++] = line->asked[s];
      sectors[known] = 0;
    }
    sectors[known] = (uint8_t)(sectors[known] | 1u << s);
  }
  return n;
}

static void make_free(core_t *c, uint32_t place, bool kept) {
  tag_array_fill(c->l1d.tags, place);
  if (!kept) tag_array_evict(c->l1d.tags, place);
  lsu_changed(c);
}

/* True if all loads of warp `w` before number `load` have their data. */
static bool all_before(const core_t *c, unsigned w, uint64_t load) {
  const uint16_t first = c->warp[w].first;
  return first == CORE_NONE || c->load[first].number >= load;
}

void dcache_fill(core_t *c, uint32_t place, bool kept) {
  l1d_line_t *line = &c->l1d.line[place];
  core_warp_t *w = &c->warp[line->warp];
  if (c->all->cfg.l1d_order == MRPB_ORDER_ANY || all_before(c, line->warp, line->load)) {
    make_free(c, place, kept);
    return;
  }
  line->held = true;
  line->kept = kept;
  line->next = w->held;
  w->held = place;
}

void dcache_release(core_t *c, unsigned w) {
  uint32_t *link = &c->warp[w].held;
  while (*link != L1D_NONE) {
    const uint32_t place = *link;
    l1d_line_t *line = &c->l1d.line[place];
    if (all_before(c, w, line->load)) {
      *link = line->next;
      line->held = false;
      make_free(c, place, line->kept);
    } else {
      link = &line->next;
    }
  }
}

/* A line that the table waits for, or that is held, keeps its place but loses its data: those that
 * are on their way, too. */
void dcache_drop(core_t *c, uint64_t line) {
  uint32_t place;
  if (!c->table.is_prt) table_store(c, line);
  if (!c->l1d.tags) return;
  const tag_array_status_t status = tag_array_probe(c->l1d.tags, line, &place);
  if (status == TAGS_HIT)
    tag_array_evict(c->l1d.tags, place);
  else if (status == TAGS_HIT_RESERVED)
    memset(c->l1d.line[place].when, 0, sizeof c->l1d.line[place].when);
  else
    return;
  if (c->check) core_check_forget(c, place);
}

/* The sectors that a store writes as a whole. */
static unsigned whole_sectors(const core_inst_t *x, unsigned k) {
  return x->whole ? x->sectors[k] : 0;
}

/* A line for the whole sectors that a store writes; an MSHR table knows whole lines only. */
static bool take_line(core_t *c, const core_inst_t *x, unsigned k, uint32_t place) {
  const unsigned sectors = whole_sectors(x, k);
  if (!sectors || (!c->table.is_prt && sectors != CORE_ALL_SECTORS)) return false;
  dcache_reserve(c, place, x->line[k].addr >> CORE_LINE_LOG2);
  tag_array_fill(c->l1d.tags, place);
  return true;
}

/* A sector that a reply will bring is older than the store: the line does not keep it. Ports brought
 * its bytes when they were asked. */
static void update(core_t *c, const core_inst_t *x, unsigned k, uint32_t place) {
  uint64_t *when = c->l1d.line[place].when;
  for (unsigned s = 0; s < CORE_SECTORS; s++)
    if (whole_sectors(x, k) >> s & 1)
      when[s] = c->all->now;
    else if (x->sectors[k] >> s & 1 && when[s] == NEVER)
      when[s] = 0;
}

void dcache_store(core_t *c, const core_inst_t *x, unsigned k) {
  const uint64_t line = x->line[k].addr >> CORE_LINE_LOG2;
  const uint32_t rule = c->all->cfg.l1d_store;
  uint32_t place;
  if (rule == DEVICE_STORE_DROPS || x->atomic || !c->l1d.tags) {
    dcache_drop(c, line);
    return;
  }
  const tag_array_status_t status = tag_array_probe(c->l1d.tags, line, &place);
  const bool has = status == TAGS_HIT || (status == TAGS_HIT_RESERVED && c->l1d.line[place].held);
  if (!has) dcache_drop(c, line); /* it may be on its way */
  if (!has && (status != TAGS_MISS || rule != DEVICE_STORE_ALLOCATES || !take_line(c, x, k, place)))
    return;
  if (has && !c->table.is_prt) table_store(c, line);
  update(c, x, k, place);
  if (c->check) core_check_update(c, x, k, place);
}
