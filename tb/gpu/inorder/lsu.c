/* SPDX-License-Identifier: Apache-2.0 */
/* The load/store unit: front queues, service, the L1D. See docs/device/README.md. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/profiled.h"
#include "gpu/inorder/recorded.h"
#include "gpu/inorder/request.h"
#include "gpu/inorder/stack.h"

#include <stdlib.h>

unsigned lsu_passes(const core_t *c) {
  return CORE_INSTS + core_mrpb_room(&c->all->cfg);
}

int lsu_create(core_t *c, mrpb_err_t *err) {
  core_lsu_t *u = &c->lsu;
  const unsigned n = lsu_passes(c);
  u->pool = calloc(n, sizeof *u->pool);
  u->taken = calloc(c->all->cfg.stores + 1, sizeof *u->taken);
  if (!u->pool || !u->taken) return mrpb_fail(err, "cores: out of memory");
  for (unsigned i = 0; i < n; i++) u->pool[i].next_free = (uint16_t)(i + 1);
  return 0;
}

void lsu_destroy(core_t *c) {
  free(c->lsu.pool);
  free(c->lsu.taken);
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

void lsu_queue(core_t *c, unsigned scheduler, uint16_t inst) {
  push(c->all->cfg.lsu_queue_sched ? &c->lsu.sched[scheduler] : &c->lsu.shared, inst);
}

/* ---- requests to the memory -------------------------------------------------- */

static unsigned fetched_sectors(const core_t *c, const core_inst_t *x, unsigned k) {
  return x->cached && !c->all->cfg.sectors ? CORE_ALL_SECTORS : x->sectors[k];
}

/* The memory takes a request for line `k` now. */
static bool may_ask(core_t *c, const core_inst_t *x, unsigned k) {
  const memory_request_t kind = x->atomic              ? MEMORY_ATOMIC
                                : x->load == CORE_NONE ? MEMORY_WRITE
                                                       : MEMORY_READ;
  if (request_room(c, kind, request_bytes(x->sectors[k]))) return true;
  core_soon(c, c->all->now + 1);
  return false;
}

/* Requests `sectors` of a line from the memory; returns when they arrive. NEVER: with the reply to
 * this request. */
static uint64_t ask(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors,
                    uint64_t counted) {
  c->all->stats.l1_misses++;
  if (x->atomic && !(c->all->hazards & HAZARD_ATOMIC))
    dcache_drop(c, x->line[k].addr >> CORE_LINE_LOG2);
  return request_line(c, x, k, sectors, counted);
}

static const leave_t not_now = {LEAVE_NOT, 0, FOUND_NOTHING};

static leave_t refuse(core_t *c, uint64_t *counter) {
  if (c->check && counter == &c->all->stats.stall_table) core_check_refused(c);
  c->lsu.blocked = true;
  stack_refused(c, counter == &c->all->stats.stall_line ? REFUSED_LINE : REFUSED_TABLE);
  c->lsu.no_line = counter == &c->all->stats.stall_line;
  ++*counter;
  return not_now;
}

/* The cycle before data arrive, in which the table takes its fill. */
static uint64_t before(const core_t *c, uint64_t at) {
  if (at == NEVER) return NEVER;
  return at - 1 > c->all->now ? at - 1 : c->all->now + 1;
}

/* ---- MSHR table: line by line ---------------------------------------------- */

/* For the table an atomic has a line of its own, outside the memory, and so merges with nothing. */
static uint64_t table_line(core_t *c, const core_inst_t *x, unsigned k) {
  return x->atomic ? ++c->lsu.serial & 0x7fffff : x->line[k].addr >> CORE_LINE_LOG2;
}

static leave_t look_up_mshr(core_t *c, core_inst_t *x, unsigned k, uint64_t counted) {
  inorder_t *d = c->all;
  uint64_t line = table_line(c, x, k);
  uint32_t place = L1D_NONE, entry;
  tag_array_status_t probe = x->cached ? tag_array_probe(c->l1d.tags, line, &place) : TAGS_MISS;
  if (probe == TAGS_HIT) {
    tag_array_touch(c->l1d.tags, place, ++c->l1d.tick);
    d->stats.l1_hits++;
    core_event(c, counted + d->cfg.l1d_latency, EVENT_DATA, x->load, 1);
    stack_line(&c->load[x->load], counted + d->cfg.l1d_latency, STACK_L1);
    return (leave_t){LEAVE_HIT, place, FOUND_DATA};
  }
  if (probe == TAGS_ALL_RESERVED) return refuse(c, &d->stats.stall_line);
  if (!may_ask(c, x, k)) return not_now;
  bool reserve = x->cached && d->cfg.l1d_allocate == CONFIG_ALLOCATE_MISS;
  table_answer_t a = table_read(c, line, x->load, x->cached, &entry);
  if (a == TABLE_ENTRY_FULL) return refuse(c, &d->stats.stall_merge);
  if (a == TABLE_IS_FULL) return refuse(c, &d->stats.stall_table);
  if (a == TABLE_MERGED) {
    d->stats.merges++;
    stack_line(&c->load[x->load], c->table.when[entry], c->table.level[entry]);
    return (leave_t){LEAVE_MERGED, entry, FOUND_READ};
  }
  if (reserve) dcache_reserve(c, place, line);
  uint64_t at = ask(c, x, k, fetched_sectors(c, x, k), counted);
  c->table.when[entry] = at;
  c->table.level[entry] = (uint8_t)request_from(c);
  stack_line(&c->load[x->load], at, request_from(c));
  request_event(c, before(c, at), EVENT_FILL, entry, 0);
  return (leave_t){LEAVE_FIRST, entry, FOUND_NOTHING};
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
    stack_accepted(c, REFUSED_TABLE);
    return true;
  }
  stack_refused(c, REFUSED_TABLE);
  if (d->requests) core_recorded_refused(c, x, 0);
  if (c->profiled) core_profiled_no_entry(c, x);
  d->stats.stall_table++;
  if (c->check) core_check_refused(c);
  return false;
}

/* A .cg load keeps nothing in the L1D, but occupies a line of its own there while it waits. */
static uint64_t l1d_line(core_t *c, const core_inst_t *x, unsigned k) {
  uint64_t line = x->line[k].addr >> CORE_LINE_LOG2;
  return x->cached ? line : line | ++c->lsu.serial << TAGS_LINE_BITS;
}

/* *at: when the wanted sectors of the line arrive; *level: from where. */
static leave_t reserve_prt(core_t *c, core_inst_t *x, unsigned k, uint64_t counted, uint64_t *at,
                           stack_part_t *level) {
  inorder_t *d = c->all;
  uint64_t line = l1d_line(c, x, k);
  uint32_t place;
  unsigned unasked = fetched_sectors(c, x, k), wanted = unasked;
  tag_array_status_t probe = tag_array_probe(c->l1d.tags, line, &place);
  if (probe == TAGS_ALL_RESERVED) return refuse(c, &d->stats.stall_line);
  *at = probe == TAGS_MISS ? 0 : dcache_when(c, place, wanted, &unasked);
  if (unasked && !may_ask(c, x, k)) return not_now;
  if (probe == TAGS_MISS) {
    dcache_reserve_for(c, place, line, x->load);
  } else {
    tag_array_touch(c->l1d.tags, place, ++c->l1d.tick);
    d->stats.merges += unasked == 0;
  }
  if (unasked) {
    uint64_t come = ask(c, x, k, unasked, counted);
    c->l1d.line[place].level = (uint8_t)request_from(c);
    dcache_asked(c, place, unasked, come);
    if (come > *at) *at = come;
    if (probe == TAGS_MISS) request_event(c, come, EVENT_LINE, place, x->cached);
  }
  *level = c->l1d.line[place].level;
  leave_t leave = {LEAVE_LINE, place, unasked ? FOUND_NOTHING : FOUND_READ};
  if (*at < counted + d->cfg.l1d_latency) {
    *at = counted + d->cfg.l1d_latency;
    *level = STACK_L1;
    if (!unasked) leave.found = FOUND_DATA;
  }
  return leave;
}

/* A hit. Returns the place of the line; L1D_NONE if it has left since. */
static uint32_t touch(core_t *c, const core_inst_t *x, unsigned k) {
  uint32_t place;
  c->all->stats.l1_hits++;
  if (!dcache_has(c, x->line[k].addr >> CORE_LINE_LOG2, &place)) return L1D_NONE;
  tag_array_touch(c->l1d.tags, place, ++c->l1d.tick);
  return place;
}

static leave_t look_up_prt(core_t *c, core_inst_t *x, unsigned k, uint64_t counted) {
  const uint64_t hit_at = counted + c->all->cfg.l1d_latency;
  uint64_t at = hit_at;
  stack_part_t level = STACK_L1;
  leave_t leave = {LEAVE_DONE, L1D_NONE, FOUND_NOTHING};
  if (!(x->line[k].lanes & x->missing)) {
    leave.found = FOUND_DATA;
    (void)touch(c, x, k);
    core_event(c, hit_at, EVENT_DATA, x->load, 1);
    stack_line(&c->load[x->load], hit_at, STACK_L1);
    return leave;
  }
  if (c->mrpb.there && has_data(c, x, k)) {
    leave = (leave_t){LEAVE_HIT, touch(c, x, k), FOUND_DATA};
  } else if (c->l1d.tags) {
    leave = reserve_prt(c, x, k, counted, &at, &level);
  } else {
    leave.how = may_ask(c, x, k) ? LEAVE_PAST : LEAVE_NOT;
    if (leave.how == LEAVE_PAST) at = ask(c, x, k, x->sectors[k], counted);
    level = request_from(c);
  }
  if (leave.how == LEAVE_NOT) return leave;
  stack_line(&c->load[x->load], at, level);
  table_send(c, x->entry, x->line[k].lanes);
  request_lanes(c, x, k, at, leave.to, fetched_sectors(c, x, k), hit_at);
  return leave;
}

/* ---- stores ---------------------------------------------------------------- */

/* The L2 has room for another line that this SM writes. */
static bool may_store(core_t *c) {
  const uint32_t stores = c->all->cfg.stores;
  const uint64_t room_at = stores ? c->lsu.taken[c->lsu.written % stores] : 0;
  if (room_at <= c->all->now) return true;
  c->lsu.no_line = false;
  core_soon(c, room_at);
  return false;
}

/* The L2 takes a written line at `at`. */
static void stored(core_t *c, uint64_t at) {
  core_lsu_t *u = &c->lsu;
  if (c->all->cfg.stores == 0) return;
  u->taken[u->written++ % c->all->cfg.stores] = at;
  if (at > u->last_taken) u->last_taken = at;
}

/* Write-through; what the L1D does with the line says L1D_STORE. With STORES a line waits until the L2 has
 * taken the one so many before. */
static leave_t write_line(core_t *c, core_inst_t *x, unsigned k) {
  if (!may_ask(c, x, k) || !may_store(c)) return not_now;
  if (!(c->all->hazards & HAZARD_STORE)) dcache_store(c, x, k);
  stored(c, request_store(c, x, k));
  return (leave_t){LEAVE_DONE, 0, FOUND_NOTHING};
}

/* ---- a look-up, or the way past the L1D ---------------------------------------- */

/* `lsu_latency` has passed when an access is looked up at once. */
static uint64_t counted_from(const core_t *c) {
  return c->all->now - c->all->cfg.lsu_latency;
}

/* Line `k` has left the unit. */
static void answered(core_t *c, const core_inst_t *x, unsigned k) {
  stack_accepted(c, REFUSED_LINE);
  if (!c->table.is_prt) stack_accepted(c, REFUSED_TABLE);
  if (x->load != CORE_NONE && k + 1 == x->n) stack_asked(c, &c->load[x->load]);
}

bool lsu_look_up(core_t *c, core_inst_t *x, unsigned k) {
  const uint64_t counted = counted_from(c);
  if (c->profiled) core_profiled_looks(c);
  const leave_t leave = x->load == CORE_NONE ? write_line(c, x, k)
                        : c->table.is_prt    ? look_up_prt(c, x, k, counted)
                                             : look_up_mshr(c, x, k, counted);
  if (c->check) core_check_leave(c, x, k, leave);
  if (c->all->requests) core_recorded_leave(c, x, k, leave);
  if (c->profiled) core_profiled_looked(c, x, k);
  if (leave.how == LEAVE_NOT) return false;
  answered(c, x, k);
  return true;
}

bool lsu_misses(const core_t *c, const core_inst_t *x, unsigned k) {
  uint32_t place;
  if (!x->cached) return false;
  const tag_array_status_t status =
      tag_array_probe(c->l1d.tags, x->line[k].addr >> CORE_LINE_LOG2, &place);
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
  const bool tracked = !c->table.is_prt && d->cfg.bypass_tracking == CONFIG_TRACKING_MSHR;
  leave_t leave = {tracked ? LEAVE_FIRST : LEAVE_PAST, 0, FOUND_NOTHING};
  if (!may_ask(c, x, k)) return false;
  if (tracked && !track_mshr(c, x, &leave.to)) return false;
  const unsigned sectors = line ? CORE_ALL_SECTORS : x->sectors[k];
  const uint64_t at = ask(c, x, k, sectors, counted_from(c));
  c->all->stats.bypasses++;
  stack_line(&c->load[x->load], at, request_from(c));
  if (c->table.is_prt) {
    table_send(c, x->entry, x->line[k].lanes);
    request_event(c, at, EVENT_REPLY, x->entry, x->line[k].lanes);
  } else if (tracked) {
    request_event(c, before(c, at), EVENT_FILL, leave.to, 0);
  } else {
    request_event(c, at, EVENT_DATA, x->load, 1);
  }
  if (c->check) core_check_leave(c, x, k, leave);
  if (d->requests) core_recorded_bypass(c, x, k, leave);
  if (c->profiled) core_profiled_bypasses(c, x, k);
  answered(c, x, k);
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
  const config_t *cfg = &c->all->cfg;
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
  const config_t *cfg = &c->all->cfg;
  core_lsu_t *u = &c->lsu;
  uint64_t now = c->all->now;
  if (u->shared.n == 0 || u->in_service == cfg->lsu_service) return;
  core_inst_t *x = &u->pool[u->shared.inst[u->shared.head]];
  if (now < u->enter_at || now <= x->issued) {
    core_soon(c, u->enter_at > x->issued ? u->enter_at : x->issued + 1);
    return;
  }
  if (c->table.is_prt && x->load != CORE_NONE && !enter_prt(c, x)) return;
  if (c->check && c->table.is_prt && x->load != CORE_NONE) core_check_enter(c, x);
  u->service[u->in_service++] = pop(&u->shared);
  u->enter_at = now + cfg->lsu_cycles;
  core_soon(c, now + 1);
}

void lsu_free(core_t *c, core_inst_t *x) {
  x->next_free = c->lsu.free;
  c->lsu.free = (uint16_t)(x - c->lsu.pool);
}

static bool writes(const core_inst_t *x) {
  return x->load == CORE_NONE || x->atomic;
}

static bool share_line(const core_inst_t *x, const core_inst_t *y) {
  for (unsigned i = x->at; i < x->n; i++)
    for (unsigned j = y->at; j < y->n; j++)
      if (x->line[i].addr / CORE_LINE == y->line[j].addr / CORE_LINE) return true;
  return false;
}

/* The warp has an older instruction in service that writes a line of this one, or reads one that
 * this one writes. */
static bool stays_behind(const core_lsu_t *u, unsigned i) {
  const core_inst_t *x = &u->pool[u->service[i]];
  for (unsigned j = 0; j < i; j++) {
    const core_inst_t *y = &u->pool[u->service[j]];
    if (y->warp == x->warp && (writes(x) || writes(y)) && share_line(x, y)) return true;
  }
  return false;
}

/* Instructions in service take turns. Returns the one that has waited longest for its next line; on
 * a tie the oldest. */
static unsigned next_in_turn(const core_lsu_t *u) {
  unsigned best = 0;
  for (unsigned i = 1; i < u->in_service; i++)
    if (u->pool[u->service[i]].due < u->pool[u->service[best]].due && !stays_behind(u, i)) best = i;
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
  const config_t *cfg = &c->all->cfg;
  if (x->load == CORE_NONE || !cfg->mrpb || cfg->mrpb_bypass == MRPB_BYPASS_OFF) return false;
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
    if (!lsu_look_up(c, x, x->at) && !bypass_refused(c, x)) return;
    u->look_at = now + c->all->cfg.line_cycles;
    if (took_line(c, i)) lsu_free(c, x);
  }
  if (u->in_service > 0) {
    const uint64_t due = u->pool[u->service[next_in_turn(u)]].due;
    core_soon(c, due > u->look_at ? due : u->look_at);
  }
  if (u->shared.n) core_soon(c, now + 1);
}

/* The SM is done when the L2 has taken its last store. */
void lsu_step(core_t *c) {
  if (c->lsu.last_taken > c->all->now) core_soon(c, c->lsu.last_taken);
  move_on(c);
  enter(c);
  if (c->mrpb.there)
    core_mrpb_step(c);
  else
    look(c);
}
