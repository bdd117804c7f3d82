/* SPDX-License-Identifier: Apache-2.0 */
/* Operand collectors: see collector.h. */
#include "gpu/pipeline/collector.h"

#include <string.h>

static const uint8_t first_unit[COLLECTOR_SETS + 1] = {0, 6, 14, 16};
static const uint32_t set_units[COLLECTOR_SETS] = {0x003f, 0x3fc0, 0xc000};

void collector_init(collector_t *c) {
  memset(c, 0, sizeof *c);
  c->free_units = (UINT32_C(1) << COLLECTOR_UNITS) - 1;
}

void collector_put(collector_t *c, collector_set_t set, uint8_t slot) {
  pipe_reg_t *r = &c->in[set];
  r->slot[r->count++] = slot; /* issue is by age */
  c->in_count++;
  if (set == COLLECTOR_SP) c->age[slot] = c->issued++;
  if (set != COLLECTOR_MEM) return;
  c->behind[slot] = 0;
  c->inside |= UINT64_C(1) << slot;
}

void collector_order(collector_t *c, uint8_t slot, uint64_t mask) {
  c->behind[slot] = mask;
}

/* The slot may belong to another instruction from now on, so nothing may wait for it. */
static inline void leave(collector_t *c, uint8_t slot) {
  uint64_t others = ~(UINT64_C(1) << slot);
  c->inside &= others;
  for (uint64_t m = c->inside; m; m &= m - 1) c->behind[__builtin_ctzll(m)] &= others;
}

/* Those of the full MEM collectors `full` that may dispatch. */
static inline uint32_t in_order(const collector_t *c, uint32_t full) {
  uint32_t free = 0;
  for (uint32_t left = full; left; left &= left - 1) {
    unsigned u = first_unit[COLLECTOR_MEM] + (unsigned)__builtin_ctz(left);
    if (!c->behind[c->slot[u]]) free |= left & -left;
  }
  return free;
}

/* Two SP instructions are never 2^31 apart. */
static inline bool older(const collector_t *c, uint8_t slot, uint8_t than) {
  return c->age[slot] - c->age[than] > UINT32_MAX / 2;
}

/* A dispatch port moves the next full collector of its set, round robin, to the OC_EX register. */
static inline bool dispatch(collector_t *c, unsigned port, collector_set_t set) {
  uint32_t full = (c->full_units & set_units[set]) >> first_unit[set];
  pipe_reg_t *out = &c->out[set];
  if (!full || out->count == collector_width(set)) return false;
  if (set == COLLECTOR_MEM && !(full = in_order(c, full))) return false;
  uint32_t behind = full & (UINT32_MAX << (c->last[port] + 1u));
  unsigned k = (unsigned)__builtin_ctz(behind ? behind : full), u = first_unit[set] + k;
  c->last[port] = (uint8_t)k;
  uint8_t slot = c->slot[u];
  if (set == COLLECTOR_MEM) leave(c, slot);
  bool before = set == COLLECTOR_SP && out->count > 0 && older(c, slot, out->slot[0]);
  if (before) out->slot[1] = out->slot[0];
  out->slot[before ? 0 : out->count] = slot;
  out->count++;
  c->full_units &= ~(UINT32_C(1) << u);
  c->free_units |= UINT32_C(1) << u;
  return true;
}

static inline void grant(collector_t *c, unsigned b) {
  uint8_t read = c->head[b];
  unsigned u = read / COLLECTOR_OPERANDS;
  c->missing[u] &= (uint8_t) ~(1u << read % COLLECTOR_OPERANDS);
  c->full_units |= (uint32_t)(c->missing[u] == 0) << u;
  c->head[b] = c->next[read];
  c->waiting &= ~((uint32_t)(read == c->tail[b]) << b);
}

/* Each bank's oldest read requests its collector. Diagonal p of the wavefront pairs bank b with
 * collector (priority + p + b) mod 16; the lowest diagonal wins a collector. A bank that is being
 * written waits. */
static bool grant_reads(collector_t *c, unsigned priority) {
  uint8_t best[COLLECTOR_UNITS]; /* p * 16 + b: without branches, which could not be predicted */
  uint32_t asked = 0;
  memset(best, 0xff, sizeof best);
  for (uint32_t banks = c->waiting & ~c->writing; banks; banks &= banks - 1) {
    unsigned b = (unsigned)__builtin_ctz(banks), u = c->head[b] / COLLECTOR_OPERANDS;
    unsigned p = (u - priority - b) % COLLECTOR_UNITS;
    uint8_t offer = (uint8_t)(p * COLLECTOR_BANKS + b);
    best[u] = offer < best[u] ? offer : best[u];
    asked |= UINT32_C(1) << u;
  }
  for (uint32_t left = asked; left; left &= left - 1)
    grant(c, best[__builtin_ctz(left)] % COLLECTOR_BANKS);
  return asked != 0;
}

static inline void queue_read(collector_t *c, unsigned b, unsigned read) {
  uint32_t bank = UINT32_C(1) << b;
  if (c->waiting & bank)
    c->next[c->tail[b]] = (uint8_t)read;
  else
    c->head[b] = (uint8_t)read;
  c->tail[b] = (uint8_t)read;
  c->waiting |= bank;
}

/* An input port moves one instruction into a free collector and queues its register reads. */
static inline bool allocate(collector_t *c, collector_set_t set, const warp_inst_t *const inst[64],
                            const uint8_t warp[64]) {
  uint32_t free_units = c->free_units & set_units[set];
  pipe_reg_t *in = &c->in[set];
  if (!free_units) return false;
  unsigned u = (unsigned)__builtin_ctz(free_units);
  uint8_t slot = in->slot[0];
  const warp_inst_t *i = inst[slot];
  unsigned missing = 0;
  in->slot[0] = in->slot[1];
  in->count--;
  c->in_count--;
  c->free_units &= ~(UINT32_C(1) << u);
  uint64_t sources; /* 16 bits each */
  memcpy(&sources, i->src, sizeof sources);
  for (unsigned k = 0; sources; k++, sources >>= 16) {
    if (!(sources & 0xffff)) continue;
    queue_read(c, collector_bank(i->src_bank[k], warp[slot]), u * COLLECTOR_OPERANDS + k);
    missing |= 1u << k;
  }
  c->slot[u] = slot;
  c->missing[u] = (uint8_t)missing;
  if (!missing) c->full_units |= UINT32_C(1) << u;
  return true;
}

/* SP has two ports on either side, SFU and MEM have one each. A port with nothing to move is
 * skipped. */
static inline bool dispatch_all(collector_t *c) {
  bool moved = false;
  if (c->full_units & set_units[COLLECTOR_SP] && dispatch(c, 0, COLLECTOR_SP)) {
    moved = true;
    (void)dispatch(c, 1, COLLECTOR_SP);
  }
  if (c->full_units & set_units[COLLECTOR_SFU]) moved |= dispatch(c, 2, COLLECTOR_SFU);
  if (c->full_units & set_units[COLLECTOR_MEM]) moved |= dispatch(c, 3, COLLECTOR_MEM);
  return moved;
}

static inline bool allocate_all(collector_t *c, const warp_inst_t *const inst[64],
                                const uint8_t warp[64]) {
  bool freed = false;
  for (unsigned p = 0; p < 2 && c->in[COLLECTOR_SP].count; p++)
    freed |= allocate(c, COLLECTOR_SP, inst, warp);
  if (c->in[COLLECTOR_SFU].count) freed |= allocate(c, COLLECTOR_SFU, inst, warp);
  if (c->in[COLLECTOR_MEM].count) freed |= allocate(c, COLLECTOR_MEM, inst, warp);
  return freed;
}

unsigned collector_step(collector_t *c, uint64_t rotation, const warp_inst_t *const inst[64],
                        const uint8_t warp[64]) {
  bool moved = c->full_units != 0 && dispatch_all(c);
  if (c->waiting) moved |= grant_reads(c, (unsigned)rotation & (COLLECTOR_UNITS - 1u));
  bool freed = c->in_count > 0 && allocate_all(c, inst, warp);
  c->writing = 0;
  return (freed ? COLLECTOR_FREED : 0u) | (moved || freed ? COLLECTOR_MOVED : 0u);
}
