/* SPDX-License-Identifier: Apache-2.0 */
/* Pipeline registers between issue and execution, and the operand collectors between them:
 * 6 + 8 + 2 collector units for SP, SFU and MEM, 16 single-ported register banks, a wavefront
 * arbiter. As in the reference (docs/sm.md), one step per cycle is: dispatch full collectors, grant
 * bank reads, take instructions from issue. An instruction occupies its unit for at least one cycle
 * of reads. MEM instructions may leave their collectors out of order, except where collector_order
 * forbids it. Not modelled: register file contents. */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include "workload/workload.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { COLLECTOR_SP, COLLECTOR_SFU, COLLECTOR_MEM, COLLECTOR_SETS } collector_set_t;

enum {
  COLLECTOR_UNITS = 16,
  COLLECTOR_OPERANDS = 4, /* per instruction */
  COLLECTOR_BANKS = 16,
  COLLECTOR_WIDTH = 2, /* widest pipeline register */
  COLLECTOR_NONE = 0xff
};

/* A pipeline register of up to COLLECTOR_WIDTH instructions, the oldest first, given as slot
 * numbers of the SM. */
typedef struct {
  uint8_t count;
  uint8_t slot[COLLECTOR_WIDTH];
} pipe_reg_t;

/* A read has the number unit * COLLECTOR_OPERANDS + operand. The reads that wait at a bank form a
 * list from head to tail. */
typedef struct {
  uint32_t free_units, full_units; /* bit u: unit empty; occupied with all operands read */
  uint32_t waiting;                /* banks with reads queued */
  uint32_t writing;                /* banks taken by a write-back in this cycle */
  pipe_reg_t in[COLLECTOR_SETS], out[COLLECTOR_SETS]; /* ID_OC and OC_EX */
  uint8_t in_count;                                   /* instructions in the ID_OC registers */
  uint8_t last[4]; /* collector dispatched last by each of the dispatch ports SP, SP, SFU, MEM */
  uint8_t slot[COLLECTOR_UNITS];    /* slot of the instruction in a unit */
  uint8_t missing[COLLECTOR_UNITS]; /* its unread operands, one bit each */
  uint8_t head[COLLECTOR_BANKS], tail[COLLECTOR_BANKS];
  uint8_t next[COLLECTOR_UNITS * COLLECTOR_OPERANDS]; /* read that waits behind this one */
  uint64_t inside;     /* slots of MEM instructions between issue and their OC_EX register */
  uint64_t behind[64]; /* MEM: the slots that must leave `inside` first */
  uint32_t issued;     /* SP instructions so far */
  uint32_t age[64];    /* SP: number of the instruction in each slot */
} collector_t;

void collector_init(collector_t *c);

/* Capacity, in instructions, of the register on either side of a set's collectors. */
static inline unsigned collector_width(collector_set_t set) {
  return set == COLLECTOR_SP ? 2 : 1;
}

/* True if one more instruction of this set can be taken from issue. */
static inline bool collector_has_room(const collector_t *c, collector_set_t set) {
  return c->in[set].count < collector_width(set);
}
/* The instruction in `slot` issues. */
void collector_put(collector_t *c, collector_set_t set, uint8_t slot);

/* The MEM instruction in `slot`, just put, must leave its collector after those in the slots of
 * `mask`. */
void collector_order(collector_t *c, uint8_t slot, uint64_t mask);

/* collector_peek: the oldest instruction that waits in the OC_EX register of `set`, COLLECTOR_NONE
 * if none; collector_take removes it. */
static inline uint8_t collector_peek(const collector_t *c, collector_set_t set) {
  return c->out[set].count ? c->out[set].slot[0] : (uint8_t)COLLECTOR_NONE;
}
static inline void collector_take(collector_t *c, collector_set_t set) {
  c->out[set].slot[0] = c->out[set].slot[1];
  c->out[set].count--;
}

static inline unsigned collector_bank(uint8_t bank, unsigned warp) {
  return (bank + warp) % COLLECTOR_BANKS;
}

/* A result requests the port of its bank (warp_inst_t.dst_bank) in this cycle. False if another
 * write has it. */
static inline bool collector_write(collector_t *c, uint8_t bank, unsigned warp) {
  uint32_t bit = UINT32_C(1) << collector_bank(bank, warp);
  bool free = !(c->writing & bit);
  c->writing |= bit;
  return free;
}

/* The result of a step; 0 if nothing moved. */
enum { COLLECTOR_MOVED = 1, COLLECTOR_FREED = 2 /* an ID_OC register has room again */ };

/* One cycle. `rotation` is the number of cycles of this SM so far, which rotates the arbiter's
 * priority. `inst` and `warp` describe the instruction in each slot. */
unsigned collector_step(collector_t *c, uint64_t rotation, const warp_inst_t *const inst[64],
                        const uint8_t warp[64]);

#endif
