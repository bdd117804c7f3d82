/* SPDX-License-Identifier: Apache-2.0 */
/* One SM: its warps, loads and events, and the order of a cycle. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/profiled.h"
#include "gpu/inorder/request.h"
#include "gpu/inorder/stack.h"

#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------- */

static int open_caches(core_t *c, mrpb_err_t *err) {
  const config_t *cfg = &c->all->cfg;
  const cache_cfg_t constants = {
      .sets = cfg->const1_sets, .ways = cfg->const1_ways, .log2 = cfg->const1_line};
  const cache_cfg_t instructions = {
      .sets = cfg->inst1_sets, .ways = cfg->inst1_ways, .log2 = cfg->inst1_line};
  if (cache_open(&c->const1, &constants, err) != 0) return -1;
  return cache_open(&c->inst1, &instructions, err);
}

static int open_textures(core_t *c, mrpb_err_t *err) {
  const config_t *cfg = &c->all->cfg;
  const cache_cfg_t t = {.sets = cfg->tex_sets,
                         .ways = cfg->tex_ways,
                         .shift = cfg->tex_shift,
                         .replacement = cfg->tex_replacement,
                         .log2 = 5};
  return cache_open(&c->tex, &t, err);
}

/* Cycles before now are nobody's. */
static void start_schedulers(core_t *c) {
  for (unsigned s = 0; s < CORE_SCHEDULERS; s++)
    if (c->sched_free[s] < c->all->now) c->sched_free[s] = c->all->now;
}

int core_begin(core_t *c, mrpb_err_t *err) {
  memset(c->last, 0, sizeof c->last);
  start_schedulers(c);
  c->lsu.turn = 0;
  for (uint32_t place = 0; c->check && place < c->l1d.places; place++) core_check_forget(c, place);
  dcache_clear(c);
  cache_close(&c->tex);
  return open_textures(c, err);
}

/* Creates everything that can fail. */
static int create_parts(core_t *c, mrpb_err_t *err) {
  c->load = calloc(CORE_LOADS, sizeof *c->load);
  c->ready_memory = calloc(1, CORE_WARPS * WARP_REGS * sizeof *c->ready + CORE_HOST_LINE);
  if (!c->load || !c->ready_memory) return mrpb_fail(err, "cores: out of memory");
  c->ready = (uint64_t *)(void *)((char *)c->ready_memory + CORE_HOST_LINE -
                                  (uintptr_t)c->ready_memory % CORE_HOST_LINE);
  for (unsigned i = 0; i < CORE_LOADS; i++) c->load[i].next_free = (uint16_t)(i + 1);
  if (dcache_create(c, err) != 0 || open_caches(c, err) != 0 || open_textures(c, err) != 0)
    return -1;
  if (lsu_create(c, err) != 0 || request_create(c, err) != 0 || core_mrpb_create(c, err) != 0 ||
      core_check_create(c, err) != 0 || core_profiled_create(c, err) != 0)
    return -1;
  return table_create(c, err);
}

int core_create(core_t **out, inorder_t *all, unsigned id, mrpb_err_t *err) {
  core_t *c = aligned_alloc(CORE_HOST_LINE, sizeof *c);
  *out = NULL;
  if (!c) return mrpb_fail(err, "cores: out of memory");
  memset(c, 0, sizeof *c);
  c->all = all;
  c->id = id;
  c->number = ++all->created;
  c->cluster = id / all->cfg.cluster;
  for (unsigned w = 0; w < CORE_WARPS; w++) c->mine[w % all->cfg.schedulers] |= UINT64_C(1) << w;
  if (all->ports) ports_new_sm(all->ports, id);
  start_schedulers(c);
  if (create_parts(c, err) != 0) {
    core_destroy(c);
    return -1;
  }
  *out = c;
  return 0;
}

void core_destroy(core_t *c) {
  if (!c) return;
  for (unsigned w = 0; w < CORE_WARPS; w++) warp_stream_close(c->all->workload, c->warp[w].stream);
  table_destroy(c);
  core_mrpb_destroy(c);
  lsu_destroy(c);
  request_destroy(c);
  core_check_destroy(c);
  core_profiled_destroy(c);
  cache_close(&c->tex);
  cache_close(&c->const1);
  cache_close(&c->inst1);
  events_free(&c->events);
  events_free(&c->replies);
  free(c->load);
  free(c->ready_memory);
  free(c);
}

/* ---- blocks ---------------------------------------------------------------- */

static bool start_warp(core_t *c, unsigned w, uint32_t block, unsigned slot, unsigned ordinal) {
  core_warp_t *p = &c->warp[w];
  workload_t *l = c->all->workload;
  const uint64_t now = c->all->now;
  for (unsigned r = 0; r <= c->ready_top; r++) *core_ready(c, w, r) = 0;
  *p = (core_warp_t){.block = (uint8_t)slot,
                     .ordinal = (uint8_t)ordinal,
                     .scheduler = (uint8_t)(w % c->all->cfg.schedulers),
                     .first = CORE_NONE,
                     .last = CORE_NONE,
                     .held = L1D_NONE,
                     .stack = {.woken = now}};
  p->stream = warp_stream_open(l, block, ordinal);
  if (!p->stream) return false;
  const warp_seat_t seat = {c->id, c->all->cfg.sms, w, c->all->cfg.warps_per_sm};
  warp_stream_on_sm(l, p->stream, &seat);
  p->next = warp_stream_peek(l, p->stream);
  c->issued[w] = now;
  p->hold = now + 1;
  p->block_pc = NEVER;
  fetch_launch(c, p->next->pc);
  fetch_next(c, p, now, false);
  c->live |= UINT64_C(1) << w;
  if (c->check) core_check_start(c, w);
  if (c->profiled) core_profiled_start(c, w);
  issue_next(c, w);
  return true;
}

bool core_take_block(core_t *c, uint32_t block) {
  unsigned slot = 0, warps = c->all->warps_per_block;
  while (c->block[slot].used) slot++;
  core_block_t *b = &c->block[slot];
  *b = (core_block_t){
      .used = true, .number = block, .warps = warps, .running = warps, .in_lsu = b->in_lsu};
  c->n_blocks++;
  if (c->all->timeline) timeline_block(c->all->timeline, c->id, slot, block, slot * warps, warps);
  for (unsigned i = 0; i < warps; i++)
    if (!start_warp(c, slot * warps + i, block, slot, i)) return false;
  return true;
}

/* ---- events ---------------------------------------------------------------- */

void core_event(core_t *c, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes) {
  bool table = kind == EVENT_FILL || kind == EVENT_REPLY;
  if (!events_put(table ? &c->replies : &c->events, at, kind, id, lanes)) {
    mrpb_fail(c->all->err, "cores: out of memory");
    c->all->failed = true;
  }
  core_soon(c, at);
}

/* Load `l` no longer awaits data. */
static void leave_order(core_t *c, const core_load_t *l) {
  core_warp_t *w = &c->warp[l->warp];
  if (l->after != CORE_NONE)
    c->load[l->after].before = l->before;
  else
    w->last = l->before;
  if (l->before != CORE_NONE) {
    c->load[l->before].after = l->after;
    return;
  }
  w->first = l->after;
  dcache_release(c, l->warp);
}

/* A texture load of the L1D has its last data: they reach the warp later than another load's. */
static bool is_filtered(core_t *c, uint32_t id, uint32_t n) {
  const config_t *cfg = &c->all->cfg;
  core_load_t *l = &c->load[id];
  if (l->filtered || l->parts != n || !cfg->tex_l1d || l->inst->space != WARP_TEX) return false;
  if (cfg->tex_latency <= cfg->l1d_latency) return false;
  l->filtered = true;
  core_event(c, c->all->now + cfg->tex_latency - cfg->l1d_latency, EVENT_DATA, id, n);
  return true;
}

void core_data(core_t *c, uint32_t id, uint32_t n) {
  core_load_t *l = &c->load[id];
  core_warp_t *w = &c->warp[l->warp];
  if (is_filtered(c, id, n)) return;
  if (c->check && !core_check_data(c, id, n)) return;
  l->parts = (uint16_t)(l->parts - n);
  if (l->parts > 0) return;
  if (c->profiled) core_profiled_loaded(c, l);
  core_written(c, l->warp, l->inst, c->all->now);
  if (c->all->timeline) timeline_loaded(c->all->timeline, c->id, l->warp, l->inst);
  w->loads--;
  leave_order(c, l);
  l->next_free = c->free_load;
  c->free_load = (uint16_t)id;
  const bool awaited = w->awaited > 0;
  issue_next(c, l->warp);
  if (awaited && w->awaited == 0) stack_data(c, l);
  if (!w->next && w->loads == 0) issue_leave(c, w->block);
}

/* The table takes one fill or reply per cycle. */
static void take_reply(core_t *c) {
  if (events_next(&c->replies) > c->all->now) return;
  event_t e = events_take(&c->replies);
  if (e.kind == EVENT_FILL)
    table_fill(c, e.id);
  else
    table_reply(c, e.id, e.lanes);
}

static void take_events(core_t *c) {
  while (events_next(&c->events) <= c->all->now) {
    event_t e = events_take(&c->events);
    if (e.kind == EVENT_DATA)
      core_data(c, e.id, e.lanes);
    else if (e.kind == EVENT_CONSTANT)
      spaces_constant(c, e.id);
    else if (e.kind == EVENT_FETCH)
      fetch_arrived(c, e.id);
    else
      dcache_fill(c, e.id, e.lanes != 0);
  }
  take_reply(c);
  core_soon(c, events_next(&c->events));
  core_soon(c, events_next(&c->replies));
}

void core_step(core_t *c) {
  c->due = NEVER;
  if (c->requests.out.count > 0) request_step(c);
  take_events(c);
  table_drain(c);
  lsu_step(c);
  table_edge(c);
  issue_step(c);
  if (c->due <= c->all->now) c->due = c->all->now + 1;
}
