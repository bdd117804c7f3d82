/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that do not use the load/store unit: shared memory, constants, textures. */
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/profiled.h"
#include "gpu/inorder/request.h"
#include "gpu/inorder/stack.h"

/* When a line's data arrive for `warp`. NEVER: EVENT_CONSTANT will say. */
static uint64_t constant_line(core_t *c, unsigned warp, uint64_t addr, bool first) {
  const config_t *cfg = &c->all->cfg;
  const uint64_t now = c->all->now;
  uint32_t cycles = first ? cfg->const1_latency : cfg->sp_cycles;
  if (cfg->const1_sets == 0 || cache_access(&c->const1, addr).hit) return now + cycles;
  if (c->all->ports) cycles += ports_beyond(c->all->ports, c->id, addr, now);
  if (c->all->ports) return now + cycles;
  request_read(c, addr, 1u << cfg->const1_line);
  request_event(c, NEVER, EVENT_CONSTANT, warp, 0);
  return NEVER;
}

/* Looks up the lines one after another, each when the previous one has arrived, so that ports see
 * requests in the order of time. */
static uint64_t constant(core_t *c, core_warp_t *w, const warp_inst_t *i,
                         const uint64_t addr[WARP_LANES], uint32_t mask) {
  coalesced_t line[COALESCER_LANES];
  unsigned n = coalescer_lines(addr, mask, c->all->cfg.const1_line, line);
  const unsigned warp = (unsigned)(w - c->warp);
  const uint64_t at = n ? constant_line(c, warp, line[0].addr, true) : c->all->now;
  w->hold = at;
  w->stack.space = at;
  w->stack.space_part = STACK_CONSTANTS;
  if (n <= 1 && at != NEVER) return at;
  core_constant_t *q = &c->constant[warp];
  for (unsigned k = 1; k < n; k++) q->line[k - 1] = line[k].addr;
  q->inst = i;
  q->next = 0;
  q->lines = (uint8_t)(n - 1);
  w->hold = NEVER;
  if (at != NEVER) core_event(c, at, EVENT_CONSTANT, warp, 0);
  return NEVER;
}

void spaces_constant(core_t *c, unsigned warp) {
  core_warp_t *w = &c->warp[warp];
  core_constant_t *q = &c->constant[warp];
  uint64_t at = c->all->now;
  if (q->next < q->lines) {
    at = constant_line(c, warp, q->line[q->next++], false);
    if (at == NEVER) return;
    if (q->next < q->lines) {
      core_event(c, at, EVENT_CONSTANT, warp, 0);
      return;
    }
  }
  w->hold = at;
  w->stack.space = at;
  core_written(c, warp, q->inst, at);
  issue_next(c, warp);
}

/* A line of load `id` from a memory that answers with replies. */
static void texture_line(core_t *c, uint64_t addr, uint16_t id) {
  const cache_answer_t a = cache_access(&c->tex, addr);
  const uint64_t now = c->all->now, least = now + c->all->cfg.tex_latency;
  const event_t data = {.at = least, .kind = EVENT_DATA, .id = id, .lanes = 1};
  if (a.hit && c->tex.when[a.place] <= now) {
    core_event(c, least, EVENT_DATA, id, 1);
    return;
  }
  if (!a.hit) request_read(c, addr, CORE_SECTOR);
  if (!a.hit && c->tex.tags) {
    request_fills(c, REQUEST_TEXTURE, a.place);
    c->tex.when[a.place] = NEVER;
  }
  request_await(c, a.hit ? &c->requests.tex[a.place] : &c->requests.last, NULL, 1, &data);
}

/* The load is like one of the load/store unit, but for its way. */
static uint64_t texture_replies(core_t *c, unsigned warp, const warp_inst_t *i,
                                const uint64_t addr[WARP_LANES], uint32_t mask) {
  coalesced_t line[COALESCER_LANES];
  const unsigned n = coalescer_lines(addr, mask, 5, line);
  const uint16_t id = lsu_new_load(c, warp, i);
  c->load[id].parts = (uint16_t)n;
  stack_line(&c->load[id], NEVER, STACK_L2);
  stack_asked(c, &c->load[id]);
  for (unsigned k = 0; k < n; k++) texture_line(c, line[k].addr, id);
  return NEVER;
}

/* A miss requests the 32 bytes of the texture L1's line. */
static uint64_t texture(core_t *c, core_warp_t *w, const uint64_t addr[WARP_LANES], uint32_t mask) {
  const config_t *cfg = &c->all->cfg;
  coalesced_t line[COALESCER_LANES];
  unsigned n = coalescer_lines(addr, mask, 5, line);
  uint64_t now = c->all->now, last = now;
  w->stack.space_part = STACK_L1;
  for (unsigned k = 0; k < n; k++) {
    uint64_t at = now + cfg->tex_latency;
    cache_answer_t a = cache_access(&c->tex, line[k].addr);
    if (a.hit && c->tex.when[a.place] > at) at = c->tex.when[a.place];
    if (!a.hit) {
      const unsigned sector = 1u << (line[k].addr % CORE_LINE / CORE_SECTOR);
      at = ports_read(c->all->ports, c->id, line[k].addr, sector, now, cfg->tex_l2_latency, false,
                      false);
      if (c->tex.tags) c->tex.when[a.place] = at;
      if (at > last) w->stack.space_part = ports_far(c->all->ports) ? STACK_DRAM : STACK_L2;
    }
    if (at > last) last = at;
  }
  return w->stack.space = last;
}

const shared_cfg_t *inorder_banks(unsigned shared_banks) {
  static const shared_cfg_t *const banks[] = {[DEVICE_BANKS_16X4] = &shared_gt200,
                                              [DEVICE_BANKS_32X4] = &shared_fermi,
                                              [DEVICE_BANKS_32X8] = &shared_kepler_8,
                                              [DEVICE_BANKS_32X8_4] = &shared_kepler_4};
  return banks[shared_banks];
}

/* Lanes of the bank that most of them access. */
static unsigned crowd(const shared_cfg_t *m, const uint64_t addr[WARP_LANES], uint32_t mask) {
  unsigned lanes[64] = {0}, most = 0;
  for (; mask; mask &= mask - 1) {
    const uint64_t bank = addr[__builtin_ctz(mask)] / m->interleave % m->banks;
    if (++lanes[bank] > most) most = lanes[bank];
  }
  return most;
}

static uint64_t shared(core_t *c, core_warp_t *w, const warp_inst_t *i,
                       const uint64_t addr[WARP_LANES], uint32_t mask) {
  const config_t *cfg = &c->all->cfg;
  const shared_cfg_t *model = inorder_banks(cfg->shared_banks);
  unsigned passes = shared_cycles(model, addr, mask), least = WARP_LANES / model->lanes;
  if (i->atomic && cfg->shared_atomic)
    passes = crowd(model, addr, mask) > passes ? crowd(model, addr, mask) : passes;
  c->shared_free = c->all->now + passes * cfg->shared_cycles;
  w->stack.space_part = STACK_SHARED;
  return w->stack.space =
             c->all->now + cfg->shared_latency + (passes - least) * cfg->shared_conflict;
}

uint64_t spaces_load(core_t *c, core_warp_t *w, const warp_inst_t *i) {
  workload_t *l = c->all->workload;
  uint64_t addr[WARP_LANES];
  uint32_t mask = warp_stream_mask(l, w->stream);
  if (i->param) return c->all->now + c->all->cfg.sp_latency;
  warp_stream_addresses(l, w->stream, addr);
  if (i->space == WARP_TEX && !c->all->ports)
    return texture_replies(c, (unsigned)(w - c->warp), i, addr, mask);
  if (c->profiled) core_profiled_space(c, w, i);
  if (i->space == WARP_SHARED) return shared(c, w, i, addr, mask);
  if (i->space == WARP_TEX) return texture(c, w, addr, mask);
  return constant(c, w, i, addr, mask);
}
