/* SPDX-License-Identifier: Apache-2.0 */
/* The stores of each thread, its loads from issue to their last byte, and the rule of
 * docs/check.md. */
#include "gpu/check/check_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LOADS_BLOCK = 32, OWN_ROOM = 64 };

/* ---- own stores ------------------------------------------------------------ */

static uint64_t own_key(uint64_t addr, unsigned lane) {
  return (addr / 4 * WARP_LANES + lane) + 1;
}

static own_word_t *own_slot(own_word_t *table, uint32_t room, uint64_t key) {
  uint32_t at = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (room - 1);
  while (table[at].key && table[at].key != key) at = (at + 1) & (room - 1);
  return &table[at];
}

uint32_t check_own_store(const check_warp_t *w, uint64_t addr, unsigned lane) {
  if (!w->own_count) return 0;
  return own_slot(w->own, w->own_room, own_key(addr, lane))->store[addr % 4];
}

void check_own_remember(check_t *c, check_warp_t *w, uint64_t addr, unsigned lane, uint32_t id) {
  if (2 * w->own_count >= w->own_room) {
    uint32_t room = w->own_room ? 2 * w->own_room : OWN_ROOM;
    own_word_t *more = calloc(room, sizeof *more);
    if (!more) {
      check_no_memory(c);
      return;
    }
    for (uint32_t i = 0; i < w->own_room; i++)
      if (w->own[i].key) *own_slot(more, room, w->own[i].key) = w->own[i];
    free(w->own);
    w->own = more;
    w->own_room = room;
  }
  own_word_t *o = own_slot(w->own, w->own_room, own_key(addr, lane));
  w->own_count += o->key == 0;
  o->key = own_key(addr, lane);
  o->store[addr % 4] = id;
}

/* ---- warps ----------------------------------------------------------------- */

void check_warp_starts(check_sm_t *s, unsigned warp, uint32_t block) {
  check_t *c = s->check;
  check_warp_t *w = &s->warp[warp];
  void *warps = c->warps;
  if (c->n_warps == c->room_warps && !check_grow(c, &warps, &c->room_warps, sizeof *c->warps))
    return;
  c->warps = warps;
  w->id = c->n_warps++;
  c->warps[w->id] = (warp_id_t){block, c->launch, (uint16_t)s->id, (uint16_t)warp};
}

void check_warp_ends(check_sm_t *s, unsigned warp) {
  check_warp_t *w = &s->warp[warp];
  if (w->loads)
    (void)mrpb_fail(&s->check->err,
                    "sm%u warp %u ends, but its load at pc 0x%" PRIx32
                    " has no data for lanes 0x%08" PRIx32,
                    s->id, warp, w->loads->pc, check_pending(w->loads));
  if (w->own) memset(w->own, 0, w->own_room * sizeof *w->own);
  w->own_count = 0;
}

/* ---- issue ----------------------------------------------------------------- */

/* What a lane stores at `at`, if that address is in the line. */
static void store_part(check_t *c, check_warp_t *w, image_line_t *m, check_data_t *d, unsigned lane,
                       uint64_t at, const uint8_t *value, unsigned bytes) {
  const unsigned in = (unsigned)(at % LINE);
  if (at - in != d->line) return;
  check_data_mark(d, in, bytes);
  for (unsigned i = 0; i < bytes && in + i < LINE; i++) {
    m->pure[in + i] = CHECK_MIXED;
    d->byte[in + i] = m->last_byte[in + i] = value[i];
    d->store[in + i] = m->last_store[in + i] = d->id;
    check_own_remember(c, w, at + i, lane, d->id);
  }
}

/* A store: files its bytes by transaction, and records it in the tables of issued stores. */
static void issue_store(check_sm_t *s, check_warp_t *w, const warp_inst_t *inst,
                        const uint64_t addr[WARP_LANES], uint8_t value[WARP_LANES][16],
                        const coalesced_t *t, check_data_t **out) {
  check_t *c = s->check;
  uint64_t line = t->addr & ~(uint64_t)(LINE - 1);
  image_line_t *m = check_image_make(c, line);
  check_data_t *d = *out = check_data_new(c, line);
  d->id = check_new_store(c, w->id, t->lanes, inst->pc);
  c->stats.transactions++;
  for (uint32_t left = t->lanes; m && left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    if (!c->workload->ops->values) memcpy(value[lane], &d->id, sizeof d->id);
    for (unsigned p = 0; p < warp_inst_parts(inst); p++)
      store_part(c, w, m, d, lane, addr[lane] + (uint64_t)p * WARP_LOCAL_STEP,
                 &value[lane][p * WARP_LOCAL_WORD], warp_inst_part_bytes(inst));
  }
}

static check_load_t *new_load(check_t *c) {
  if (!c->free_loads) {
    check_load_t *b = check_block(c, LOADS_BLOCK * sizeof *b);
    for (unsigned i = 0; b && i < LOADS_BLOCK; i++) {
      b[i].next = c->free_loads;
      c->free_loads = &b[i];
    }
  }
  check_load_t *l = c->free_loads;
  if (l) c->free_loads = l->next;
  return l;
}

/* The bytes that a memory without delay would return. */
static void expect(const check_t *c, check_load_t *l, uint8_t value[WARP_LANES][16]) {
  for (uint32_t left = l->pending[0]; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint64_t at = l->addr[lane];
    const image_line_t *m =
        c->workload->ops->values ? NULL : check_image(c, at & ~(uint64_t)(LINE - 1));
    if (c->workload->ops->values)
      memcpy(l->expect[lane], value[lane], l->elem);
    else if (m)
      memcpy(l->expect[lane], &m->last_byte[at % LINE], l->elem);
    else
      (void)check_functional(c, at, l->expect[lane], l->elem);
  }
}

/* Address of byte `i` of the lane's element. */
static uint64_t address_of(const check_load_t *l, unsigned lane, unsigned i) {
  return l->addr[lane] + (uint64_t)(i / l->part) * WARP_LOCAL_STEP + i % l->part;
}

static void issue_load(check_sm_t *s, check_warp_t *w, const warp_inst_t *inst,
                       const uint64_t addr[WARP_LANES], uint32_t mask,
                       uint8_t value[WARP_LANES][16]) {
  check_t *c = s->check;
  check_load_t *l = new_load(c);
  if (!l) return;
  l->cycle = c->now;
  l->pc = inst->pc;
  l->warp = w->id;
  l->issued = c->n_stores;
  l->reg = inst->dst[0];
  l->elem = inst->elem;
  l->parts = (uint8_t)warp_inst_parts(inst);
  l->part = (uint8_t)warp_inst_part_bytes(inst);
  for (unsigned p = 0; p < COALESCER_WORDS; p++) l->pending[p] = p < l->parts ? mask : 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    l->addr[lane] = addr[lane];
    for (unsigned i = 0; i < inst->elem; i++)
      l->own[lane][i] = check_own_store(w, address_of(l, lane, i), lane);
  }
  expect(c, l, value);
  l->next = w->loads;
  w->loads = l;
}

void check_issue(check_sm_t *s, unsigned warp, const warp_stream_t *stream, const warp_inst_t *inst,
                 const uint64_t addr[WARP_LANES], uint32_t mask, const coalesced_t *t, unsigned n,
                 check_data_t *data[]) {
  check_t *c = s->check;
  check_warp_t *w = &s->warp[warp];
  uint8_t value[WARP_LANES][16];
  if (!mask) return;
  memset(value, 0, sizeof value);
  if (c->workload->ops->values) c->workload->ops->values(stream, value);
  unsigned lanes = (unsigned)__builtin_popcount(mask);
  if (inst->atomic) {
    for (unsigned i = 0; i < n; i++) data[i] = check_issue_atomic(s, w, inst, addr, value, &t[i]);
  } else if (inst->cls == WARP_STORE) {
    c->stats.stores += lanes;
    for (unsigned i = 0; i < n; i++) issue_store(s, w, inst, addr, value, &t[i], &data[i]);
  } else if (inst->dst[0]) {
    c->stats.loads += lanes;
    issue_load(s, w, inst, addr, mask, value);
  }
}

/* ---- the rule -------------------------------------------------------------- */

static const char *source_name(check_source_t from) {
  static const char *const names[] = {"an L1D hit", "an L1D fill", "a bypassed read"};
  return names[from];
}

static void violation(check_sm_t *s, const check_load_t *l, unsigned lane, unsigned i, uint32_t got,
                      const char *want, check_source_t from) {
  check_t *c = s->check;
  const warp_id_t *w = &c->warps[l->warp];
  (void)mrpb_fail(&c->err,
                  "sm%u warp %u lane %u, block %" PRIu32 " of launch %" PRIu32
                  ", the load at pc 0x%" PRIx32 " of cycle %" PRIu64 ", 0x%" PRIx64
                  ": expected %s, got %s from %s",
                  s->id, w->warp, lane, w->block, w->launch, l->pc, l->cycle,
                  address_of(l, lane, i), want, check_describe(c, got).text, source_name(from));
}

static void check_byte(check_sm_t *s, const check_load_t *l, unsigned lane, unsigned i,
                       uint32_t got, check_source_t from) {
  check_t *c = s->check;
  uint32_t own = l->own[lane][i];
  const store_t *g = check_store(c, got), *o = check_store(c, own);
  if (got == own) return;
  if (own && (!o->performed || g->performed < o->performed)) {
    char want[192];
    snprintf(want, sizeof want, "its own %s or a later one", check_describe(c, own).text);
    violation(s, l, lane, i, got, want, from);
  } else if (got >= l->issued && g->warp == l->warp && g->lanes >> lane & 1 &&
             check_own_store(&s->warp[c->warps[l->warp].warp], address_of(l, lane, i), lane) ==
                 got) {
    violation(s, l, lane, i, got, "no store from after the load", from);
  }
}

/* Checks one lane's bytes of one part. */
static void check_lane(check_sm_t *s, const check_load_t *l, unsigned lane, unsigned part,
                       const check_data_t *d, check_source_t from) {
  check_t *c = s->check;
  const unsigned first = part * l->part;
  bool stale = false;
  for (unsigned i = first; i < first + l->part; i++) {
    const uint64_t address = address_of(l, lane, i), at = address - d->line;
    if (address < d->line || at >= LINE || !check_data_has(d, (unsigned)at)) {
      (void)mrpb_fail(&c->err,
                      "sm%u: the load at pc 0x%" PRIx32 " of 0x%" PRIx64
                      " got other bytes of line 0x%" PRIx64 " from %s",
                      s->id, l->pc, address, d->line, source_name(from));
      return;
    }
    stale |= d->byte[at] != l->expect[lane][i];
    check_byte(s, l, lane, i, d->store[at], from);
  }
  c->stats.stale += stale;
  c->stats.hits += from == FROM_HIT;
  c->stats.fills += from == FROM_FILL;
  c->stats.bypasses += from == FROM_BYPASS;
}

/* Lanes whose part lies in the bytes that arrived. */
static uint32_t lanes_of(const check_load_t *l, unsigned part, uint64_t addr, uint32_t bytes) {
  uint32_t lanes = 0;
  for (uint32_t left = l->pending[part]; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    if (address_of(l, lane, part * l->part) - addr < bytes) lanes |= UINT32_C(1) << lane;
  }
  return lanes;
}

bool check_waits(const check_sm_t *s, unsigned warp, unsigned reg, uint64_t addr, uint32_t bytes) {
  for (const check_load_t *l = s->warp[warp].loads; l; l = l->next)
    for (unsigned p = 0; l->reg == reg && p < l->parts; p++)
      if (lanes_of(l, p, addr, bytes)) return true;
  return false;
}

void check_arrived(check_sm_t *s, unsigned warp, unsigned reg, uint64_t addr, uint32_t bytes,
                   const check_data_t *d, check_source_t from) {
  check_t *c = s->check;
  check_load_t **link = &s->warp[warp].loads;
  uint32_t any = 0;
  if (reg == 0) return;
  while (*link && (*link)->reg != reg) link = &(*link)->next;
  check_load_t *l = *link;
  for (unsigned p = 0; l && d && p < l->parts; p++) {
    const uint32_t lanes = lanes_of(l, p, addr, bytes);
    for (uint32_t left = lanes; left; left &= left - 1)
      check_lane(s, l, (unsigned)__builtin_ctz(left), p, d, from);
    l->pending[p] &= ~lanes;
    any |= lanes;
  }
  if (!any) {
    (void)mrpb_fail(&c->err, "sm%u warp %u register %u: %s of 0x%" PRIx64 " %s", s->id, warp, reg,
                    source_name(from), addr,
                    d ? "that no lane waits for" : "from a line that has no data");
    return;
  }
  if (check_pending(l)) return;
  *link = l->next;
  l->next = c->free_loads;
  c->free_loads = l;
}

void check_load_ends(check_sm_t *s, unsigned warp, unsigned reg) {
  for (const check_load_t *l = s->warp[warp].loads; l; l = l->next)
    if (l->reg == reg)
      (void)mrpb_fail(&s->check->err,
                      "sm%u warp %u: the load at pc 0x%" PRIx32
                      " ends without data for lanes 0x%08" PRIx32,
                      s->id, warp, l->pc, check_pending(l));
}
