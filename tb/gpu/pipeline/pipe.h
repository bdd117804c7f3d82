/* SPDX-License-Identifier: Apache-2.0 */
/* Part `pipe`: instructions between issue and execution: their slots, the pipeline registers and
 * the operand collectors (collector.h). */
#ifndef SM_PIPE_H
#define SM_PIPE_H

#include "gpu/pipeline/collector.h"
#include "gpu/pipeline/sm.h"

enum {
  SM_SLOTS = 64,
  SM_MEM_SLOTS = 8 /* the first ones: ID_OC, two collectors, OC_EX, the dispatch register */
};

#define SM_MEM_SLOT_MASK ((UINT64_C(1) << SM_MEM_SLOTS) - 1)

/* A slot is free, or belongs to one instruction from issue until SP, SFU or the LDST unit's
 * dispatch register is done with it. inst and warp are meaningless while it is free. The lowest
 * free slot is taken, for MEM one of the first SM_MEM_SLOTS, so that few lines of the host's cache
 * are in use. */
typedef struct {
  uint64_t free;
  collector_t collector;
  uint8_t warp[SM_SLOTS];
  const warp_inst_t *inst[SM_SLOTS];
} sm_pipe_t;

static inline void sm_pipe_init(sm_pipe_t *p) {
  p->free = UINT64_MAX;
  collector_init(&p->collector);
}

/* One step of the operand collectors. */
void sm_pipe_cycle(sm_t *sm);

static inline bool sm_pipe_has_room(const sm_pipe_t *p, collector_set_t set) {
  return collector_has_room(&p->collector, set);
}

/* `i` of warp `w` issues. The caller must know that a pipeline register has room. Returns the
 * slot. */
static inline unsigned sm_pipe_put(sm_pipe_t *p, const warp_inst_t *i, unsigned w) {
  uint64_t slots = i->unit == WARP_MEM ? SM_MEM_SLOT_MASK : ~SM_MEM_SLOT_MASK;
  unsigned slot = (unsigned)__builtin_ctzll(p->free & slots);
  collector_set_t set = i->unit == WARP_MEM ? COLLECTOR_MEM : COLLECTOR_SP;
  if (i->unit == WARP_SFU || (set == COLLECTOR_SP && !sm_pipe_has_room(p, set)))
    set = COLLECTOR_SFU;
  p->free &= ~(UINT64_C(1) << slot);
  p->inst[slot] = i;
  p->warp[slot] = (uint8_t)w;
  collector_put(&p->collector, set, (uint8_t)slot);
  return slot;
}

static inline const warp_inst_t *sm_pipe_inst(const sm_pipe_t *p, unsigned slot) {
  return p->inst[slot];
}
static inline uint8_t sm_pipe_warp(const sm_pipe_t *p, unsigned slot) {
  return p->warp[slot];
}
static inline void sm_pipe_leave(sm_pipe_t *p, unsigned slot) {
  p->free |= UINT64_C(1) << slot;
}

/* sm_pipe_waiting: number of instructions that wait in the OC_EX register of `set`. sm_pipe_peek:
 * the slot of the oldest, COLLECTOR_NONE if there is none. sm_pipe_take removes that one. */
static inline unsigned sm_pipe_waiting(const sm_pipe_t *p, collector_set_t set) {
  return p->collector.out[set].count;
}
static inline uint8_t sm_pipe_peek(const sm_pipe_t *p, collector_set_t set) {
  return collector_peek(&p->collector, set);
}
static inline void sm_pipe_take(sm_pipe_t *p, collector_set_t set) {
  collector_take(&p->collector, set);
}

/* sm_pipe_mem_inside: slots of the MEM instructions between issue and OC_EX. sm_pipe_order: the one
 * in `slot`, just put, must leave its collector after those of `mask`. */
static inline uint64_t sm_pipe_mem_inside(const sm_pipe_t *p) {
  return p->collector.inside;
}
static inline void sm_pipe_order(sm_pipe_t *p, unsigned slot, uint64_t mask) {
  collector_order(&p->collector, (uint8_t)slot, mask);
}

/* The destinations of `i` take the ports of their banks in this cycle. False at the first port that
 * another write has; the ports taken before it stay taken. A bank shared by two destinations is
 * taken once. */
static inline bool sm_pipe_write(sm_pipe_t *p, const warp_inst_t *i, unsigned warp) {
  uint32_t taken = 0;
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    uint32_t bank = UINT32_C(1) << i->dst_bank[k] % COLLECTOR_BANKS;
    if (!(taken & bank) && !collector_write(&p->collector, i->dst_bank[k], warp)) return false;
    taken |= bank;
  }
  return true;
}

#endif
