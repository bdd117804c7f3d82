/* SPDX-License-Identifier: Apache-2.0 */
/* The load/store unit: front queues, service, the L1D. See docs/device/README.md. */
#include "gpu/inorder/inorder_state.h"

#include <stdlib.h>

int lsu_create(core_t *c, mrpb_err_t *err) {
  core_lsu_t *u = &c->lsu;
  const unsigned n = CORE_INSTS + core_mrpb_room(&c->all->cfg);
  u->pool = calloc(n, sizeof *u->pool);
  if (!u->pool) return mrpb_fail(err, "cores: out of memory");
  for (unsigned i = 0; i < n; i++) u->pool[i].next_free = (uint16_t)(i + 1);
  return 0;
}

void lsu_destroy(core_t *c) {
  free(c->lsu.pool);
}

static void push(core_queue_t *q, uint16_t inst) {
  q->inst[(q->head + q->n++) % CORE_QUEUE] = inst;
}

static uint16_t pop(core_queue_t *q) {
  uint16_t inst = q->inst[q->head];
  q->head = (uint8_t)((q->head + 1) % CORE_QUEUE);
  q->n--;
  return inst;
}

static bool shared_has_room(const core_t *c) {
  return (unsigned)c->lsu.shared.n + c->lsu.in_service < c->all->cfg.lsu_queue;
}

bool lsu_has_room(const core_t *c, unsigned scheduler) {
  uint32_t front = c->all->cfg.lsu_queue_sched;
  return front ? c->lsu.sched[scheduler].n < front : shared_has_room(c);
}

/* ---- issue ----------------------------------------------------------------- */

static uint16_t new_load(core_t *c, unsigned w, const warp_inst_t *i) {
  uint16_t id = c->free_load;
  core_load_t *l = &c->load[id];
  core_warp_t *warp = &c->warp[w];
  c->free_load = l->next_free;
  *l = (core_load_t){.inst = i,
                     .number = c->n_loads++,
                     .before = warp->last,
                     .after = CORE_NONE,
                     .warp = (uint8_t)w};
  if (warp->last == CORE_NONE)
    warp->first = id;
  else
    c->load[warp->last].after = id;
  warp->last = id;
  warp->loads++;
  c->all->stats.loads++;
  return id;
}

static void sectors_of(core_inst_t *x, const uint64_t addr[WARP_LANES]) {
  for (unsigned k = 0; k < x->n; k++) {
    x->sectors[k] = 0;
    for (uint32_t m = x->line[k].lanes; m; m &= m - 1) {
      unsigned lane = (unsigned)__builtin_ctz(m);
      x->sectors[k] |= (uint8_t)(1u << (addr[lane] % CORE_LINE / CORE_SECTOR));
      x->offset[lane] = (uint8_t)(addr[lane] % CORE_LINE);
    }
  }
}

/* Adds one pass of an instruction: the lanes' words at `addr`. */
static void add_pass(core_t *c, unsigned w, unsigned scheduler, const warp_inst_t *i,
                     const uint64_t addr[WARP_LANES], uint32_t mask, uint16_t load) {
  const inorder_t *d = c->all;
  core_lsu_t *u = &c->lsu;
  uint16_t id = u->free;
  core_inst_t *x = &u->pool[id];
  u->free = x->next_free;
  *x = (core_inst_t){.load = load, .entry = CORE_NONE, .warp = (uint8_t)w, .issued = d->now};
  c->block[c->warp[w].block].in_lsu++;
  x->n = (uint8_t)(i->atomic ? coalescer_atomic(addr, mask, i->elem, x->line)
                             : coalescer_lines(addr, mask, CORE_LINE_LOG2, x->line));
  x->atomic = i->atomic != 0;
  x->due = d->now + d->cfg.lsu_latency;
  x->cached = c->l1d.tags && !i->bypass;
  sectors_of(x, addr);
  if (load != CORE_NONE) {
    c->load[load].parts += x->n;
    c->all->stats.load_lines += x->n;
  } else {
    c->all->stats.store_lines += x->n;
  }
  push(d->cfg.lsu_queue_sched ? &u->sched[scheduler] : &u->shared, id);
}

/* Each word of a local element is a pass of its own. The queues take all passes if they have room
 * for one. */
void lsu_issue(core_t *c, unsigned w, unsigned scheduler, const warp_inst_t *i) {
  const workload_t *l = c->all->workload;
  const uint32_t mask = warp_stream_mask(l, c->warp[w].stream);
  const uint16_t load = i->cls == WARP_LOAD ? new_load(c, w, i) : CORE_NONE;
  uint64_t addr[WARP_LANES] = {0};
  c->all->stats.stores += i->cls != WARP_LOAD;
  c->all->stats.atomics += i->atomic != 0;
  warp_stream_addresses(l, c->warp[w].stream, addr);
  add_pass(c, w, scheduler, i, addr, mask, load);
  for (unsigned part = 1; part < warp_inst_parts(i); part++) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) addr[lane] += WARP_LOCAL_STEP;
    add_pass(c, w, scheduler, i, addr, mask, load);
  }
  core_soon(c, c->all->now + 1);
}

/* ---- requests to the memory -------------------------------------------------- */

static unsigned fetched_sectors(const core_t *c, const core_inst_t *x, unsigned k) {
  return x->cached && !c->all->cfg.sectors ? (1u << CORE_SECTORS) - 1 : x->sectors[k];
}

/* Requests `sectors` of a line from the memory; returns when they arrive. */
static uint64_t ask(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors,
                    uint64_t counted) {
  uint32_t bytes = (uint32_t)__builtin_popcount(sectors) * CORE_SECTOR;
  c->all->stats.l1_misses++;
  uint64_t at = ports_read(c->all->ports, c->id, x->line[k].addr, bytes, counted,
                           c->all->cfg.l2_latency, x->cached, x->atomic);
  if (x->atomic) {
    dcache_drop(c, x->line[k].addr >> CORE_LINE_LOG2);
    ports_changed(c->all->ports, x->line[k].addr);
  }
  return at > c->all->now ? at : c->all->now + 1;
}

static bool refuse(core_t *c, uint64_t *counter) {
  c->lsu.blocked = true;
  c->lsu.no_line = counter == &c->all->stats.stall_line;
  ++*counter;
  return false;
}

/* ---- MSHR table: line by line ---------------------------------------------- */

/* For the table an atomic has a line of its own, outside the memory, and so merges with nothing. */
static uint64_t table_line(core_t *c, const core_inst_t *x, unsigned k) {
  return x->atomic ? ++c->lsu.serial & 0x7fffff : x->line[k].addr >> CORE_LINE_LOG2;
}

static bool look_up_mshr(core_t *c, core_inst_t *x, unsigned k, uint64_t counted) {
  inorder_t *d = c->all;
  uint64_t line = table_line(c, x, k);
  uint32_t place = L1D_NONE, entry;
  tags_status_t probe = x->cached ? tags_probe(c->l1d.tags, line, &place) : TAGS_MISS;
  if (probe == TAGS_HIT) {
    tags_touch(c->l1d.tags, place, ++c->l1d.tick);
    d->stats.l1_hits++;
    core_event(c, counted + d->cfg.l1d_latency, EVENT_DATA, x->load, 1);
    return true;
  }
  if (probe == TAGS_ALL_RESERVED) return refuse(c, &d->stats.stall_line);
  bool reserve = x->cached && d->cfg.l1d_allocate == CONFIG_ALLOCATE_MISS;
  table_answer_t a = table_read(c, line, x->load, x->cached, &entry);
  if (a == TABLE_ENTRY_FULL) return refuse(c, &d->stats.stall_merge);
  if (a == TABLE_IS_FULL) return refuse(c, &d->stats.stall_table);
  if (a == TABLE_MERGED) {
    d->stats.merges++;
    return true;
  }
  if (reserve) dcache_reserve(c, place, line);
  uint64_t at = ask(c, x, k, fetched_sectors(c, x, k), counted);
  core_event(c, at - 1 > d->now ? at - 1 : d->now + 1, EVENT_FILL, entry, 0);
  return true;
}

/* ---- PRT: an entry for the whole load -------------------------------------- */

/* The data of line `k` are in the L1D. */
static inline bool has_data(const core_t *c, const core_inst_t *x, unsigned k) {
  uint32_t place;
  unsigned unasked = 0;
  if (!x->cached || !dcache_has(c, x->line[k].addr >> CORE_LINE_LOG2, &place)) return false;
  return dcache_when(c, place, x->sectors[k], &unasked) <= c->all->now && !unasked;
}

/* Lanes whose data are not in the L1D; those of all lines that an MRPB will hold. */
static uint32_t missing_lanes(const core_t *c, const core_inst_t *x) {
  uint32_t missing = 0;
  for (unsigned k = 0; k < x->n; k++)
    if (c->mrpb.there || !has_data(c, x, k)) missing |= x->line[k].lanes;
  return missing;
}

static bool enter_prt(core_t *c, core_inst_t *x) {
  inorder_t *d = c->all;
  uint32_t entry;
  x->missing = missing_lanes(c, x);
  if (x->missing == 0) return true;
  if (table_allocate(c, x->load, x->missing, x->offset, &entry) == TABLE_OK) {
    x->entry = (uint16_t)entry;
    return true;
  }
  d->stats.stall_table++;
  return false;
}

/* A .cg load keeps nothing in the L1D, but occupies a line of its own there while it waits. */
static uint64_t l1d_line(core_t *c, const core_inst_t *x, unsigned k) {
  uint64_t line = x->line[k].addr >> CORE_LINE_LOG2;
  return x->cached ? line : line | ++c->lsu.serial << TAGS_LINE_BITS;
}

static bool reserve_prt(core_t *c, core_inst_t *x, unsigned k, uint64_t counted, uint64_t *at) {
  inorder_t *d = c->all;
  uint32_t place;
  uint64_t line = l1d_line(c, x, k);
  unsigned unasked = fetched_sectors(c, x, k), wanted = unasked;
  tags_status_t probe = tags_probe(c->l1d.tags, line, &place);
  if (probe == TAGS_ALL_RESERVED) return refuse(c, &d->stats.stall_line);
  if (probe == TAGS_MISS) {
    dcache_reserve_for(c, place, line, x->load);
  } else {
    tags_touch(c->l1d.tags, place, ++c->l1d.tick);
    *at = dcache_when(c, place, wanted, &unasked);
    d->stats.merges += unasked == 0;
  }
  if (unasked) {
    uint64_t come = ask(c, x, k, unasked, counted);
    for (unsigned s = 0; s < CORE_SECTORS; s++)
      if (unasked >> s & 1) c->l1d.line[place].when[s] = come;
    if (come > *at) *at = come;
    if (probe == TAGS_MISS) core_event(c, come, EVENT_LINE, place, x->cached);
  }
  if (*at < counted + d->cfg.l1d_latency) *at = counted + d->cfg.l1d_latency;
  return true;
}

static void touch(core_t *c, const core_inst_t *x, unsigned k) {
  uint32_t place;
  if (dcache_has(c, x->line[k].addr >> CORE_LINE_LOG2, &place))
    tags_touch(c->l1d.tags, place, ++c->l1d.tick);
  c->all->stats.l1_hits++;
}

static bool look_up_prt(core_t *c, core_inst_t *x, unsigned k, uint64_t counted) {
  inorder_t *d = c->all;
  uint32_t lanes = x->line[k].lanes;
  uint64_t at = 0;
  if (!(lanes & x->missing)) {
    touch(c, x, k);
    core_event(c, counted + d->cfg.l1d_latency, EVENT_DATA, x->load, 1);
    return true;
  }
  if (c->mrpb.there && has_data(c, x, k)) {
    touch(c, x, k);
    at = counted + d->cfg.l1d_latency;
  } else if (!c->l1d.tags)
    at = ask(c, x, k, x->sectors[k], counted);
  else if (!reserve_prt(c, x, k, counted, &at))
    return false;
  table_send(c, x->entry, lanes);
  core_event(c, at > d->now ? at : d->now + 1, EVENT_REPLY, x->entry, lanes);
  return true;
}

/* ---- stores ---------------------------------------------------------------- */

/* Write-through; the L1D keeps no line that is written. */
static bool write_line(core_t *c, core_inst_t *x, unsigned k) {
  dcache_drop(c, x->line[k].addr >> CORE_LINE_LOG2);
  ports_write(c->all->ports, x->line[k].addr,
              (uint32_t)__builtin_popcount(x->sectors[k]) * CORE_SECTOR);
  return true;
}

/* ---- a look-up, or the way past the L1D ---------------------------------------- */

/* `lsu_latency` has passed when an access is looked up at once. */
static uint64_t counted_from(const core_t *c) {
  return c->all->now - c->all->cfg.lsu_latency;
}

static inline bool look_up(core_t *c, core_inst_t *x, unsigned k) {
  const uint64_t counted = counted_from(c);
  if (x->load == CORE_NONE) return write_line(c, x, k);
  return c->table.is_prt ? look_up_prt(c, x, k, counted) : look_up_mshr(c, x, k, counted);
}

bool lsu_look_up(core_t *c, core_inst_t *x, unsigned k) {
  return look_up(c, x, k);
}

bool lsu_misses(const core_t *c, const core_inst_t *x, unsigned k) {
  uint32_t place;
  if (!x->cached) return false;
  const tags_status_t status = tags_probe(c->l1d.tags, x->line[k].addr >> CORE_LINE_LOG2, &place);
  return status == TAGS_MISS || status == TAGS_ALL_RESERVED;
}

/* An entry of the MSHR table for a read that no other read joins. */
static bool track_mshr(core_t *c, const core_inst_t *x, uint32_t *entry) {
  const uint64_t line = ++c->lsu.serial & 0x7fffff;
  return table_read(c, line, x->load, false, entry) == TABLE_OK;
}

bool lsu_bypass(core_t *c, core_inst_t *x, unsigned k) {
  const inorder_t *d = c->all;
  const bool line = d->cfg.bypass_reply == CONFIG_REPLY_LINE;
  const bool tracked = d->cfg.bypass_tracking == CONFIG_TRACKING_MSHR;
  uint32_t entry = 0;
  if (!c->table.is_prt && tracked && !track_mshr(c, x, &entry)) return false;
  const unsigned sectors = line ? (1u << CORE_SECTORS) - 1 : x->sectors[k];
  const uint64_t at = ask(c, x, k, sectors, counted_from(c));
  c->all->stats.bypasses++;
  if (c->table.is_prt) {
    table_send(c, x->entry, x->line[k].lanes);
    core_event(c, at, EVENT_REPLY, x->entry, x->line[k].lanes);
  } else if (tracked) {
    core_event(c, at - 1 > d->now ? at - 1 : d->now + 1, EVENT_FILL, entry, 0);
  } else {
    core_event(c, at, EVENT_DATA, x->load, 1);
  }
  c->lsu.blocked = false; /* that was for this read */
  return true;
}

/* ---- the cycle ------------------------------------------------------------- */

void lsu_changed(core_t *c) {
  core_lsu_t *u = &c->lsu;
  u->blocked = false;
  if (u->in_service || u->shared.n || c->mrpb.held) core_soon(c, c->all->now + 1);
}

/* Moves one instruction from the schedulers' queues, in round-robin order, to the shared queue. */
static void move_on(core_t *c) {
  const device_cfg_t *cfg = &c->all->cfg;
  core_lsu_t *u = &c->lsu;
  if (cfg->lsu_queue_sched == 0 || !shared_has_room(c)) return;
  for (unsigned i = 0; i < cfg->schedulers; i++) {
    core_queue_t *q = &u->sched[(u->turn + i) % cfg->schedulers];
    if (q->n == 0) continue;
    u->turn = (uint8_t)((u->turn + i + 1) % cfg->schedulers);
    push(&u->shared, pop(q));
    core_soon(c, c->all->now + 1);
    return;
  }
}

static void enter(core_t *c) {
  const device_cfg_t *cfg = &c->all->cfg;
  core_lsu_t *u = &c->lsu;
  uint64_t now = c->all->now;
  if (u->shared.n == 0 || u->in_service == cfg->lsu_service) return;
  core_inst_t *x = &u->pool[u->shared.inst[u->shared.head]];
  if (now < u->enter_at || now <= x->issued) {
    core_soon(c, u->enter_at > x->issued ? u->enter_at : x->issued + 1);
    return;
  }
  if (c->table.is_prt && x->load != CORE_NONE && !enter_prt(c, x)) return;
  u->service[u->in_service++] = pop(&u->shared);
  u->enter_at = now + cfg->lsu_cycles;
  core_soon(c, now + 1);
}

void lsu_free(core_t *c, core_inst_t *x) {
  x->next_free = c->lsu.free;
  c->lsu.free = (uint16_t)(x - c->lsu.pool);
}

/* Instructions in service take turns. Returns the one that has waited longest for its next line; on
 * a tie the oldest. */
static unsigned next_in_turn(const core_lsu_t *u) {
  unsigned best = 0;
  for (unsigned i = 1; i < u->in_service; i++)
    if (u->pool[u->service[i]].due < u->pool[u->service[best]].due) best = i;
  return best;
}

core_inst_t *lsu_in_turn(core_t *c) {
  core_lsu_t *u = &c->lsu;
  return u->in_service ? &u->pool[u->service[next_in_turn(u)]] : NULL;
}

/* The next line of the instruction at place `at` of those in service is done with. */
static inline bool took_line(core_t *c, unsigned at) {
  core_lsu_t *u = &c->lsu;
  core_inst_t *x = &u->pool[u->service[at]];
  x->due = c->all->now + c->all->cfg.replay_cycles;
  if (++x->at < x->n) return false;
  u->in_service--;
  for (unsigned i = at; i < u->in_service; i++) u->service[i] = u->service[i + 1];
  c->block[c->warp[x->warp].block].in_lsu--;
  return true;
}

bool lsu_took_line(core_t *c) {
  return took_line(c, next_in_turn(&c->lsu));
}

/* MRPB_REORDER = 0: the read that was refused bypasses. */
static bool bypass_refused(core_t *c, core_inst_t *x) {
  const device_cfg_t *cfg = &c->all->cfg;
  if (!cfg->mrpb || cfg->mrpb_bypass == MRPB_BYPASS_OFF) return false;
  if (cfg->mrpb_bypass == MRPB_BYPASS_ASSOC_STALL && !c->lsu.no_line) return false;
  return lsu_bypass(c, x, x->at);
}

static void look(core_t *c) {
  core_lsu_t *u = &c->lsu;
  const uint64_t now = c->all->now;
  if (u->blocked || u->in_service == 0) return;
  const unsigned i = next_in_turn(u);
  core_inst_t *x = &u->pool[u->service[i]];
  if (now >= u->look_at && x->due <= now) {
    if (!look_up(c, x, x->at) && !bypass_refused(c, x)) return;
    u->look_at = now + c->all->cfg.line_cycles;
    if (took_line(c, i)) lsu_free(c, x);
  }
  if (u->in_service > 0) {
    const uint64_t due = u->pool[u->service[next_in_turn(u)]].due;
    core_soon(c, due > u->look_at ? due : u->look_at);
  }
  if (u->shared.n) core_soon(c, now + 1);
}

void lsu_step(core_t *c) {
  move_on(c);
  enter(c);
  if (c->mrpb.there)
    core_mrpb_step(c);
  else
    look(c);
}
