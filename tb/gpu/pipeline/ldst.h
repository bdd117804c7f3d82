/* SPDX-License-Identifier: Apache-2.0 */
/* Part `ldst`, the LDST unit: transactions of memory instructions from issue on, the dispatch
 * register, loads that wait for data, write-back. */
#ifndef SM_LDST_H
#define SM_LDST_H

#include "gpu/pipeline/collector.h"
#include "gpu/pipeline/pipe.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"
#include "parts/coalescer.h"

/* Clients of the LDST unit's write-back register, in round-robin order. */
enum { SM_WB_SHARED, SM_WB_TEXTURE, SM_WB_CONST, SM_WB_UNCACHED, SM_WB_L1D, SM_WB_CLIENTS };

/* A result on its way to the register file; inst is NULL if there is none. */
typedef struct {
  const warp_inst_t *inst;
  uint8_t warp;
} sm_writeback_t;

/* Transactions of a memory instruction, consumed from the back: t[0] to t[left - 1] are still to
 * come. For a shared access `left` is the number of cycles left, and t is unused. */
typedef struct {
  unsigned left;
  bool none;                       /* there were never any: no lane was active */
  uint64_t issued;                 /* SM cycle */
  uint8_t offset[COALESCER_LANES]; /* of each lane in its 128 B line; only for bypassed reads */
  coalesced_t t[COALESCER_MOST];
  check_data_t *data[COALESCER_MOST]; /* checking mode: what each transaction of a store writes */
} sm_accesses_t;

/* A load that waits for data, identified by its first destination register. */
typedef struct {
  const warp_inst_t *inst;
  unsigned left; /* its accesses not yet written back */
} sm_load_t;

/* slot is COLLECTOR_NONE while the dispatch register is empty, and inst is NULL then. l1d_slot is
 * slot if its instruction is for the L1D, else COLLECTOR_NONE. reason and version belong to the
 * access that was last offered to the L1D, and `refused` says whether it was refused. version is
 * the L1D's version at that time: as long as the L1D's does not change, the answer would be the
 * same. */
typedef struct {
  sm_load_t load[WARP_REGS][SM_MAX_WARPS]; /* warps of a register are adjacent, for the cache */
  sm_accesses_t access[SM_MEM_SLOTS];
  sm_writeback_t bypassed; /* a returned bypassed read that waits for the register */
  sm_writeback_t wb;       /* the write-back register */
  unsigned turn;           /* the write-back client asked first */
  uint64_t version;
  const warp_inst_t *inst;
  l1d_reason_t reason;
  sm_stall_t stall;             /* what the memory stage did in this cycle */
  uint8_t slot, l1d_slot, warp; /* of the instruction in the dispatch register */
  bool refused;
  bool kept;     /* it was a write that stays in the L1D */
  bool reorders; /* transactions for the L1D go through the MRPB's queues */
} sm_ldst_t;

static inline void sm_ldst_init(sm_ldst_t *l, const config_t *c, bool l1_path) {
  l->reorders = c->mrpb && c->mrpb_reorder && !l1_path;
  l->slot = l->l1d_slot = COLLECTOR_NONE;
}

/* ldst_issue.c. Memory instruction `i` of warp `w` issues into `slot`: its lanes are coalesced. */
void sm_ldst_issue(sm_t *sm, unsigned w, const warp_inst_t *i, unsigned slot, uint32_t mask);

/* One cycle of the unit; then the dispatch register takes the next instruction from OC_EX. */
void sm_ldst_cycle(sm_t *sm, uint64_t now);
void sm_ldst_accept(sm_t *sm);

static inline uint64_t sm_ldst_next(const sm_ldst_t *l, uint64_t from) {
  return l->wb.inst ? from : SM_ON_INPUT;
}
void sm_ldst_idle(sm_t *sm, uint64_t n);

/* ---- the dispatch register ---------------------------------------------------- */

static inline bool sm_ldst_reorders(const sm_ldst_t *l) {
  return l->reorders;
}
static inline bool sm_ldst_busy(const sm_ldst_t *l) {
  return l->slot != COLLECTOR_NONE;
}
/* The instruction in the register and its warp, while it is busy, and its transactions. */
static inline const warp_inst_t *sm_ldst_inst(const sm_ldst_t *l) {
  return l->inst;
}
static inline uint8_t sm_ldst_warp(const sm_ldst_t *l) {
  return l->warp;
}
static inline const sm_accesses_t *sm_ldst_access(const sm_ldst_t *l) {
  return &l->access[l->slot];
}
/* Slot of the instruction if it is for the L1D, COLLECTOR_NONE if not. */
static inline uint8_t sm_ldst_l1d_slot(const sm_ldst_t *l) {
  return l->l1d_slot;
}
/* Its transactions left for the L1D. */
static inline unsigned sm_ldst_l1d_left(const sm_ldst_t *l) {
  return l->l1d_slot != COLLECTOR_NONE ? l->access[l->l1d_slot].left : 0;
}
/* The last remaining transaction has been taken; for a shared access, the last cycle. */
static inline void sm_ldst_took(sm_ldst_t *l) {
  l->access[l->slot].left--;
}

/* ---- offers to the L1D -------------------------------------------------------- */

/* Offers `r` to the L1D. */
l1d_reason_t sm_ldst_try(sm_t *sm, const l1d_request_t *r, uint64_t now);
/* `n` more cycles in which the access that was offered last is refused. */
void sm_ldst_refused_again(sm_t *sm, uint64_t n);
/* True if the access that was offered last was refused and would be refused again. */
static inline bool sm_ldst_still_refused(const sm_ldst_t *l, const l1d_t *l1d) {
  return l->refused && l->version == l1d_version(l1d, l->reason);
}
/* That access bypassed the L1D. */
static inline void sm_ldst_went_past(sm_ldst_t *l) {
  l->refused = false;
  l->stall = SM_STALL_NONE;
}
static inline bool sm_ldst_refused(const sm_ldst_t *l) {
  return l->refused;
}
static inline bool sm_ldst_kept(const sm_ldst_t *l) {
  return l->kept;
}
static inline l1d_reason_t sm_ldst_reason(const sm_ldst_t *l) {
  return l->reason;
}

static inline sm_stall_t sm_ldst_stall(const sm_ldst_t *l) {
  return l->stall;
}
static inline void sm_ldst_set_stall(sm_ldst_t *l, sm_stall_t stall) {
  l->stall = stall;
}

/* ---- instructions that bypass the L1D (ldst_uncached.c) ------------------------- */

bool sm_ldst_is_uncached(const warp_inst_t *i);
/* Performs this cycle's access of the dispatch register's instruction, which must be one of
 * these. */
void sm_ldst_uncached(sm_t *sm, uint64_t now);
/* True if it is one of these, which may send a request. */
static inline bool sm_ldst_sends(const sm_ldst_t *l) {
  return l->slot != COLLECTOR_NONE && sm_ldst_is_uncached(l->inst);
}
/* The reply to one of these. False if it must wait for the write-back register. */
bool sm_ldst_uncached_reply(sm_t *sm, const packet_t *p, uint64_t now);

/* ---- data that arrive --------------------------------------------------------- */

/* What the MSHR table and the PRT store for a read: the warp and register that wait for it. */
enum { SM_REG_W = 10 };
_Static_assert(WARP_REGS == 1 << SM_REG_W && SM_MAX_WARPS <= 64, "16 bits of warp and register");
static inline uint64_t sm_ldst_reader(unsigned warp, unsigned reg) {
  return (uint64_t)warp << SM_REG_W | reg;
}
static inline unsigned sm_ldst_reader_warp(uint64_t reader) {
  return (unsigned)(reader >> SM_REG_W);
}
static inline unsigned sm_ldst_reader_reg(uint64_t reader) {
  return reader & (WARP_REGS - 1);
}
static inline sm_writeback_t sm_ldst_result(const sm_ldst_t *l, uint64_t reader) {
  unsigned warp = sm_ldst_reader_warp(reader);
  return (sm_writeback_t){l->load[sm_ldst_reader_reg(reader)][warp].inst, (uint8_t)warp};
}

/* One access of a load has its data. */
void sm_ldst_arrived(sm_t *sm, unsigned warp, uint16_t reg);

/* True if a returned bypassed read can be taken. It waits in `bypassed` for the write-back
 * register. */
static inline bool sm_ldst_takes_bypassed(const sm_ldst_t *l) {
  return !l->bypassed.inst;
}
static inline void sm_ldst_put_bypassed(sm_ldst_t *l, uint64_t reader) {
  l->bypassed = sm_ldst_result(l, reader);
}

/* ldst_order.c: the load or store in `slot`, just put, must not overtake one of its warp to the
 * same line. Loads may overtake each other. */
void sm_ldst_keep_order(sm_t *sm, unsigned warp, unsigned slot);

#endif
