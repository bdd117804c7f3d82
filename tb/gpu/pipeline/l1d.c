/* SPDX-License-Identifier: Apache-2.0 */
/* L1 data cache: see l1d.h. The request packet carries the number of its MSHR entry, so a fill
 * needs no search; the line that an entry will fill is kept beside the table. */
#include "gpu/pipeline/l1d_state.h"

#include "parts/unit_direct.h"

#include <stdlib.h>
#include <string.h>

static uint64_t pack_data(const l1d_request_t *r) {
  return (uint64_t)r->warp << REG_W | r->reg;
}

static uint32_t owner_of(const l1d_request_t *r) {
  return r->block << WARP_W | r->warp;
}

tag_array_cfg_t l1d_tags_cfg(const l1d_cfg_t *cfg) {
  return (tag_array_cfg_t){.sets = cfg->sets,
                           .ways = cfg->ways,
                           .replacement = cfg->replacement,
                           .hash = cfg->hash ? TAGS_REFERENCE : TAGS_MODULO};
}

int l1d_create(l1d_t **out, const l1d_cfg_t *cfg, const unit_choice_t *choice, unsigned sm,
               packet_pool_t *pool, mrpb_err_t *err) {
  const tag_array_cfg_t t = l1d_tags_cfg(cfg);
  l1d_t *d = module_alloc(sizeof *d);
  *out = NULL;
  if (!d) return mrpb_fail(err, "l1d: out of memory");
  d->cfg = *cfg;
  d->pool = pool;
  d->in.srst_ni = 1;
  for (unsigned i = 0; i < MAX_ENTRIES; i++) d->line[i] = NO_LINE;
  packet_queue_init(&d->queue, cfg->miss_queue);
  d->kept = calloc((size_t)cfg->sets * cfg->ways, sizeof *d->kept);
  if (!d->kept) (void)mrpb_fail(err, "l1d: out of memory");
  if (!d->kept || tag_array_create(&d->tags, &t, err) != 0 ||
      unit_open(&d->mshr, &mshr_class, (const uint32_t *)&cfg->mshr, choice, sm, err) != 0) {
    l1d_destroy(d);
    return -1;
  }
  d->clocked = d->mshr.every_cycle;
  *out = d;
  return 0;
}

void l1d_destroy(l1d_t *d) {
  if (!d) return;
  for (packet_t *p; (p = packet_queue_pop(&d->queue));) packet_free(d->pool, p);
  unit_close(&d->mshr);
  tag_array_destroy(d->tags);
  free(d->kept);
  free(d);
}

void l1d_set_hazards(l1d_t *d, uint32_t hazards) {
  d->hazards = hazards;
}

void l1d_set_check(l1d_t *d, check_sm_t *check) {
  d->check = check;
}

bool l1d_ready(l1d_t *d, uint16_t *warp, uint16_t *reg) {
  mshr_out_t out;
  if (d->filled == 0) return false;
  unit_mshr_drain(&d->mshr, &d->in, &out);
  if (!out.out_valid_o) {
    d->filled = 0;
    if (d->check) check_l1_silent(d->check);
    return false;
  }
  *warp = (uint16_t)bits(out.out_data_o >> REG_W, WARP_W);
  *reg = (uint16_t)bits(out.out_data_o, REG_W);
  d->released = out.out_last_o;
  d->draining = (uint8_t)out.out_entry_o;
  d->read = out.out_data_o;
  return true;
}

bool l1d_drains(const l1d_t *d, uint64_t *line, uint32_t *entry) {
  *entry = d->draining;
  *line = d->line[d->draining];
  return *line == NO_LINE;
}

void l1d_take(l1d_t *d) {
  d->in.out_ready_i = 1;
  d->clocked = true;
  d->leaving = d->released;
  d->tables++;
  if (d->released) {
    d->line[d->draining] = NO_LINE;
    d->fetch[d->draining] = (fetch_t){0};
  }
  if (d->check)
    check_l1_drain(d->check, d->draining, (unsigned)(d->read >> REG_W),
                   (unsigned)bits(d->read, REG_W), d->released);
}

/* `owner` takes line `index`: counts who had fetched the old line. */
static void count_eviction(l1d_t *d, uint32_t index, uint32_t owner) {
  uint32_t old;
  if (!tag_array_owner(d->tags, index, &old))
    d->stats.evict_none++;
  else if (old == owner)
    d->stats.evict_intra_warp++;
  else if (old >> WARP_W == owner >> WARP_W)
    d->stats.evict_cross_warp++;
  else
    d->stats.evict_cross_block++;
}

/* Allocate on fill: nothing is ever reserved, so there is a victim. False if the line is
 * present. */
static bool place(l1d_t *d, fetch_t *f, uint64_t line, uint64_t now) {
  if (tag_array_probe(d->tags, line, &f->index) != TAGS_MISS) return false;
  count_eviction(d, f->index, f->owner);
  if (d->check) check_l1_drop(d->check, f->index);
  tag_array_reserve(d->tags, f->index, line, now, f->owner);
  return true;
}

/* Makes the line of `entry` valid, unless the data that arrive are out of date. */
static void fill_line(l1d_t *d, uint32_t entry, uint64_t now) {
  fetch_t *f = &d->fetch[entry];
  mshr_out_t out;
  unit_mshr_comb(&d->mshr, &d->in, &out);
  if (out.fill_written_o) {
    d->stats.stale_fills++;
    if (d->cfg.allocate != CONFIG_ALLOCATE_FILL) tag_array_evict(d->tags, f->index);
    return;
  }
  if (d->cfg.allocate == CONFIG_ALLOCATE_FILL && !place(d, f, d->line[entry], now)) return;
  tag_array_fill(d->tags, f->index);
  if (d->check) check_l1_fill(d->check, entry, f->index);
}

void l1d_fill(l1d_t *d, uint32_t entry, uint64_t now) {
  d->in.fill_valid_i = 1;
  d->in.fill_entry_i = entry;
  d->clocked = true;
  d->filled = 1;
  if (d->line[entry] != NO_LINE) fill_line(d, entry, now);
  d->fetch[entry].filled = true;
  d->changes++;
  d->stats.fills++;
}

packet_t *l1d_to_send(const l1d_t *d) {
  return d->queue.head;
}

packet_t *l1d_sent(l1d_t *d) {
  d->sent++;
  return packet_queue_pop(&d->queue);
}

static packet_t *enqueue(l1d_t *d, const l1d_request_t *r, packet_kind_t kind, uint32_t bytes,
                         uint64_t now) {
  packet_t *p = packet_alloc(d->pool);
  if (!p) return NULL;
  p->addr = r->addr;
  p->kind = kind;
  p->bytes = bytes;
  p->warp = r->warp;
  p->t_created = now;
  packet_queue_push(&d->queue, p);
  return p;
}

void l1d_attach(l1d_t *d, bool kept, check_data_t *data) {
  if (kept)
    check_l1_write(d->check, d->hit, data);
  else if (d->queue.tail)
    d->queue.tail->data = data;
}

/* The data of the line's entry, in flight or draining, become out of date. An entry that is
 * allocated in this cycle is in flight, too. */
static void mark_written(l1d_t *d, uint64_t line) {
  mshr_out_t out;
  if (d->count == 0) return;
  d->in.store_addr_i = line;
  unit_mshr_comb(&d->mshr, &d->in, &out);
  const bool filled = out.store_hit_o && d->fetch[out.store_entry_o].filled;
  if (d->hazards & (filled ? HAZARD_DRAINING : HAZARD_WRITTEN_FETCH)) return;
  d->in.store_valid_i = 1;
  d->clocked = true;
}

/* The line is written below. The L1D's copy, tag array line `index` on a hit, is not written. */
static void written_below(l1d_t *d, uint64_t line, tag_array_status_t probe, uint32_t index) {
  if (probe == TAGS_HIT) {
    tag_array_evict(d->tags, index);
    d->kept[index] = 0;
    d->stats.write_evicts++;
    if (d->check) check_l1_drop(d->check, index);
  }
  mark_written(d, line);
}

/* A write to local memory stays in the line that it hits, since only its own warp can see it. */
static bool keep(l1d_t *d, const l1d_request_t *r, tag_array_status_t probe, uint32_t index,
                 uint64_t now) {
  if (!r->local || probe != TAGS_HIT || d->cfg.allocate == CONFIG_ALLOCATE_FILL) return false;
  tag_array_touch(d->tags, index, now);
  d->kept[index] = (r->addr >> LINE_LOG2) + 1;
  d->hit = index;
  d->stats.writes++;
  d->stats.writes_kept++;
  return true;
}

static l1d_reason_t write_through(l1d_t *d, const l1d_request_t *r, tag_array_status_t probe,
                                  uint32_t index, uint64_t now) {
  if (packet_queue_full(&d->queue)) return L1D_MISSQ;
  enqueue(d, r, PACKET_WRITE, r->bytes, now);
  d->stats.writes++;
  written_below(d, r->addr >> LINE_LOG2, probe, index);
  return L1D_NONE;
}

bool l1d_may_write_past(const l1d_t *d) {
  return !d->in.store_valid_i;
}

void l1d_write_past(l1d_t *d, uint64_t addr) {
  uint32_t index = 0;
  tag_array_status_t probe = tag_array_probe(d->tags, addr >> LINE_LOG2, &index);
  written_below(d, addr >> LINE_LOG2, probe, index);
  d->changes++;
}

/* Tells the tags of a read that did not hit. `awaited`: its MSHR entry already waits for a line. */
static void allocate(l1d_t *d, const l1d_request_t *r, tag_array_status_t probe, uint32_t index,
                     bool awaited, uint64_t now) {
  if (d->cfg.allocate == CONFIG_ALLOCATE_FILL ? awaited : probe == TAGS_HIT_RESERVED)
    d->stats.pending_hits++;
  else
    d->stats.misses++;
  if (d->cfg.allocate == CONFIG_ALLOCATE_FILL) return;
  if (probe == TAGS_HIT_RESERVED) {
    tag_array_touch(d->tags, index, now);
    return;
  }
  count_eviction(d, index, owner_of(r));
  d->replaced = d->kept[index];
  d->kept[index] = 0;
  if (d->check && d->replaced) d->written_back = check_l1_written_back(d->check, index);
  if (d->check) check_l1_drop(d->check, index);
  tag_array_reserve(d->tags, index, r->addr >> LINE_LOG2, now, owner_of(r));
}

static void look_up(l1d_t *d, mshr_out_t *out) {
  uint64_t drain = d->in.out_ready_i;
  if (d->hazards & HAZARD_SAME_CYCLE) d->in.out_ready_i = 0;
  unit_mshr_comb(&d->mshr, &d->in, out);
  d->in.out_ready_i = drain;
}

/* A read that merges into a draining entry takes the entry's data but no line, since no fill would
 * arrive for a line (hazard c). */
static bool no_fill_to_come(const l1d_t *d, const fetch_t *f) {
  return f->filled && !(d->hazards & HAZARD_DRAINING);
}

/* Opens an entry for the line of `r`, which goes into tag array line `index`. */
static void open_entry(l1d_t *d, const l1d_request_t *r, uint32_t entry, uint32_t index,
                       uint64_t now) {
  packet_t *p = enqueue(d, r, PACKET_READ, 1u << LINE_LOG2, now);
  if (p) p->entry = entry;
  d->line[entry] = r->addr >> LINE_LOG2;
  d->fetch[entry] = (fetch_t){.owner = owner_of(r), .index = index};
  d->count++;
}

/* Writes back the line that the miss has replaced. It is queued behind the miss: the miss queue had
 * room for two. */
static void write_back(l1d_t *d, const l1d_request_t *r, uint64_t now) {
  const l1d_request_t q = {.addr = (d->replaced - 1) << LINE_LOG2, .warp = r->warp};
  packet_t *p = enqueue(d, &q, PACKET_WRITE, 1u << LINE_LOG2, now);
  if (p) p->tag = L1D_WRITE_BACK;
  if (p && d->check) p->data = d->written_back;
  d->replaced = 0;
  d->stats.write_backs++;
}

/* No entry is free. Reports how many are still in use at the end of the cycle. */
static void refused(const l1d_t *d) {
  const bool seen = d->leaving && !(d->hazards & HAZARD_SAME_CYCLE);
  if (d->check) check_refused(d->check, "MSHR table", d->count - seen, d->cfg.mshr.ENTRIES);
}

/* A read that did not hit. As in the reference, the miss queue is checked first, even for a
 * merge. */
static l1d_reason_t miss(l1d_t *d, const l1d_request_t *r, tag_array_status_t probe, uint32_t index,
                         uint64_t now) {
  mshr_out_t out;
  if (d->queue.count + 1 >= d->cfg.miss_queue) return L1D_MISSQ;
  d->in.req_addr_i = r->addr >> LINE_LOG2;
  d->in.req_data_i = pack_data(r);
  look_up(d, &out);
  uint32_t entry = (uint32_t)out.req_entry_o;
  if (!out.req_ready_o && !out.req_merge_o) refused(d);
  if (!out.req_ready_o) return out.req_merge_o ? L1D_MERGE : L1D_MSHR;
  const fetch_t *f = &d->fetch[entry];
  /* (Hazard d: what merges into an entry that leaves in this cycle is lost.) */
  d->in.req_valid_i = !out.req_merge_o || d->line[entry] != NO_LINE;
  d->clocked = true;
  d->stats.merges += out.req_merge_o;
  if (!out.req_merge_o)
    allocate(d, r, probe, index, false, now);
  else if (no_fill_to_come(d, f))
    d->stats.misses++;
  else
    allocate(d, r, probe, index, !f->filled, now);
  if (d->check)
    check_l1_wait(d->check, entry, !out.req_merge_o, r->warp, r->reg, r->addr, r->bytes);
  if (!out.req_merge_o) open_entry(d, r, entry, index, now);
  if (d->replaced) write_back(d, r, now);
  return L1D_NONE;
}

l1d_answer_t l1d_access(l1d_t *d, const l1d_request_t *r, uint64_t now) {
  uint32_t index = 0;
  l1d_answer_t a = {tag_array_probe(d->tags, r->addr >> LINE_LOG2, &index), L1D_NONE, false};
  if (a.probe == TAGS_ALL_RESERVED) {
    a.reason = L1D_ASSOC;
  } else if (r->write && keep(d, r, a.probe, index, now)) {
    a.kept = true;
  } else if (r->write) {
    a.reason = write_through(d, r, a.probe, index, now);
  } else if (a.probe == TAGS_HIT) {
    tag_array_touch(d->tags, index, now);
    d->stats.hits++;
    if (d->check) check_l1_hit(d->check, index, r->warp, r->reg, r->addr, r->bytes);
  } else {
    a.reason = miss(d, r, a.probe, index, now);
  }
  d->stats.refused[a.reason] += a.reason != L1D_NONE;
  d->changes += a.reason == L1D_NONE;
  return a;
}

void l1d_repeat_refusal(l1d_t *d, l1d_reason_t reason, uint64_t n) {
  d->stats.refused[reason] += n;
}

uint64_t l1d_version(const l1d_t *d, l1d_reason_t reason) {
  switch (reason) {
  case L1D_MISSQ:
    return d->changes + d->sent;
  case L1D_MSHR:
  case L1D_MERGE:
    return d->changes + d->tables;
  case L1D_NONE:
  case L1D_ASSOC:
  case L1D_REASONS:
    break;
  }
  return d->changes;
}

bool l1d_track_bypass(l1d_t *d, const l1d_request_t *r, uint32_t *entry) {
  mshr_out_t out;
  /* An address outside the lines, different for every bypassed read, so that nothing merges with
   * it. */
  d->in.req_addr_i = UINT64_C(1) << ADDR_W | bits(d->bypasses, ADDR_W);
  d->in.req_data_i = pack_data(r);
  unit_mshr_comb(&d->mshr, &d->in, &out);
  if (!out.req_ready_o && !out.req_merge_o) refused(d);
  if (!out.req_ready_o || out.req_merge_o) return false;
  d->in.req_valid_i = 1;
  d->clocked = true;
  d->bypasses++;
  d->count++;
  d->tables++;
  *entry = (uint32_t)out.req_entry_o;
  d->line[*entry] = NO_LINE;
  d->fetch[*entry] = (fetch_t){0};
  if (d->check) check_l1_wait(d->check, *entry, true, r->warp, r->reg, r->addr, r->bytes);
  return true;
}

void l1d_flush(l1d_t *d) {
  const uint32_t lines = d->cfg.sets * d->cfg.ways;
  for (uint32_t i = 0, owner; i < lines; i++) {
    if (!tag_array_owner(d->tags, i, &owner)) continue;
    tag_array_evict(d->tags, i);
    d->kept[i] = 0;
    if (d->check) check_l1_drop(d->check, i);
  }
  d->changes++;
}

int l1d_edge(l1d_t *d, mrpb_err_t *err) {
  if (!d->clocked) return 0;
  int rc = unit_mshr_edge(&d->mshr, &d->in, err);
  d->count -= d->leaving;
  d->leaving = false;
  d->clocked = d->mshr.every_cycle;
  d->in = (mshr_in_t){.srst_ni = 1};
  return rc;
}
