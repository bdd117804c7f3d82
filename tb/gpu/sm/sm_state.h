/* SPDX-License-Identifier: Apache-2.0 */
/* State of an SM, shared by the files of tb/gpu/sm only. */
#ifndef SM_STATE_H
#define SM_STATE_H

#include "mrpb.h"
#include "base/pool.h"
#include "prt.h"
#include "parts/coalescer.h"
#include "gpu/sm/collector.h"
#include "gpu/sm/rocache.h"
#include "parts/shared.h"
#include "gpu/sm/sm.h"
#include "gpu/sm/texcache.h"

enum {
  SM_SLOTS = 64,
  SM_MEM_SLOTS = 8,   /* the first ones: ID_OC, two collectors, OC_EX, the dispatch register */
  SM_FETCHED = 2,     /* instructions of a fetch */
  SM_STAGE_TO_WB = 2, /* cycles from the last stage of SP or SFU to write-back */
  SM_WHEEL = 512,     /* longer than any ALU latency + SM_STAGE_TO_WB */
  SM_RESULTS = 2 * SM_WHEEL,
  SM_ALUS = 3, /* SP, SP, SFU */
  SM_SHARED_STAGES = 3,
  SM_BYPASS = 1, /* packet_t.flags */
  SM_SIDE = 2,
  SM_FETCH = 4,      /* an instruction cache miss */
  SM_CLOCK_MRPB = 1, /* sm_t.clocked */
  SM_CLOCK_PRT = 2,
  SM_ASKED_PRT = 4 /* its inputs are not at rest */
};

#define SM_MEM_SLOT_MASK ((UINT64_C(1) << SM_MEM_SLOTS) - 1)

/* Who may ask for the LDST unit's write-back register, in turn. */
enum { SM_WB_SHARED, SM_WB_TEXTURE, SM_WB_CONST, SM_WB_UNCACHED, SM_WB_L1D, SM_WB_CLIENTS };

/* Half a cache line: two warps are side by side. */
typedef struct {
  warp_stream_t *stream;
  const warp_inst_t
      *next;   /* the instruction at the warp's true program counter; NULL once it has exited */
  uint32_t pc; /* of the first instruction in its i-buffer, or, while that is empty, to fetch */
  uint32_t stores;
  uint16_t in_pipeline;
  uint16_t awaited; /* registers in sm_t.busy */
  uint8_t ibuf;     /* instructions in its i-buffer */
  uint8_t block, ordinal;
} sm_warp_t;

/* Transactions of a memory instruction, consumed from the back; of a shared access only the number
 * of cycles left. */
typedef struct {
  unsigned left;
  bool none;                       /* there never were any: no lane was active */
  uint8_t offset[COALESCER_LANES]; /* of each lane in its 128 B line */
  coalesced_t t[COALESCER_LANES];
  check_data_t *data[COALESCER_LANES]; /* checking mode: what each of a store's writes */
} sm_accesses_t;

/* A request inside the MRPB: what its 51-bit payload stands for. */
typedef struct {
  coalesced_t t;
  uint8_t offset[COALESCER_LANES];
  check_data_t *data; /* checking mode: what it writes */
  uint16_t reg;
  uint16_t next_free;
  uint32_t block; /* l1d_request_t */
} sm_held_t;

typedef struct {
  uint8_t used;
  uint8_t warps_left, running; /* not reclaimed yet; not ended yet */
  uint8_t barrier;             /* warps that wait at the barrier */
  bool barrier_due;            /* all of them do, and the MRPB has not let the barrier through */
  uint32_t memory_insts;       /* global loads and stores between issue and the MRPB */
  uint32_t number;             /* of the block among all that this SM has run */
} sm_block_t;

/* A result on its way to the register file; inst NULL is none. */
typedef struct {
  const warp_inst_t *inst;
  uint8_t warp;
} sm_writeback_t;

/* A cycle of the last stages of SP, SP, SFU: which are taken (bits), and the results on the two
 * buses. */
typedef struct {
  uint8_t units, results;
  uint16_t result[2];
} sm_stage_t;

/* A result of SP or SFU from acceptance to write-back. */
typedef struct {
  const warp_inst_t *inst;
  uint8_t warp;
  uint16_t next_free;
} sm_result_t;

/* How many entries of a table are in use, since which of the SM's cycles, and the most so far. */
typedef struct {
  uint64_t since;
  uint32_t used, max;
} sm_level_t;

enum { SCHED_ISSUED, SCHED_IDLE, SCHED_SCOREBOARD, SCHED_PIPELINE, SCHED_OUTCOMES };

enum { SM_LEVEL_MSHR, SM_LEVEL_MISS_QUEUE, SM_LEVEL_MRPB, SM_LEVEL_PRT, SM_LEVELS };

/* Accesses that go neither to the L1D nor the MRPB (side.c). */
typedef struct {
  bool busy; /* one may be on its way */
  rocache_t *l1c;
  texcache_t *l1t;
  sm_writeback_t shared[SM_SHARED_STAGES]; /* loads; the one in stage 0 asks for write-back */
} sm_side_t;

/* A load that waits for data, found by its first destination register. */
typedef struct {
  const warp_inst_t *inst;
  unsigned left; /* accesses of it not yet written back */
} sm_load_t;

typedef enum { SM_WAIT_NONE, SM_WAIT_ICNT, SM_WAIT_TABLE, SM_WAIT_STORE } sm_wait_t;

/* The request that the MRPB presents. */
typedef struct {
  bool valid; /* it is known; false also while there is none */
  bool write;
  bool bypasses; /* refused for sm_t.reason, it may leave past the L1D */
  uint8_t warp;
  uint16_t number; /* in sm_t.pool_held */
} sm_front_t;

/* A cycle of the MRPB that may be like the one before (bypass.c). */
typedef struct {
  bool valid;
  bool offered; /* a request was offered and not accepted */
  uint8_t slot; /* instruction in the dispatch register, and its transactions left */
  unsigned left, prt_used;
  sm_stall_t stall;
} sm_stuck_t;

/* What every cycle looks at is together at the front, what an instruction looks at behind it, what
 * is rarely used and the large tables at the end: the state of all SMs passes through the host's
 * first-level cache in each cycle. Bit w of a mask is warp w. */
struct sm {
  /* Schedulers. */
  _Alignas(64) uint64_t to_issue; /* has an instruction in its i-buffer and is at no barrier */
  uint64_t
      looked; /* the head of its i-buffer is the right one and was held against the scoreboard */
  uint64_t ready[4]; /* and awaits no register; by warp_unit_t */
  uint64_t allowed;  /* SWL_LIMIT lets them issue */
  uint64_t at_barrier;
  uint64_t sched_mask[4];
  uint8_t schedulers;
  bool greedy;
  bool sched_stale; /* something that the schedulers look at has changed since they last looked */
  bool limit_stale;
  uint8_t last_issued[4]; /* warp */
  uint8_t sched_state[4]; /* outcome of each scheduler in the last cycle */
  uint32_t swl_limit;
  uint64_t sched_cycles[SCHED_OUTCOMES]; /* scheduler cycles by outcome */

  /* Fetch. */
  uint8_t last_fetched;
  uint8_t fetch_warp;
  bool fetch_valid;
  uint64_t to_fetch; /* runs, its i-buffer is empty and it waits for no line */

  uint64_t exited; /* has executed its exit, not reclaimed yet */
  uint64_t imiss;  /* waits for a line of the instruction cache */
  uint64_t slots_free;
  uint64_t cycles; /* run or slept through */
  uint64_t slept_from;
  uint64_t progress;
  bool moved; /* something changed in this cycle */
  bool asleep;
  bool no_sleep;
  bool has_mrpb;
  bool reorders;    /* the coalescer's requests go through the queues of an MRPB */
  uint8_t dispatch; /* slot in the dispatch register */
  bool refused;     /* the access offered last was refused, for `reason`, at `version` */
  sm_stall_t stall;
  sm_wait_t wait; /* what a bypassed read waited for in the last cycle */

  /* SP and SFU: a result leaves two cycles after its stage. */
  uint32_t in_flight;
  uint16_t result_free; /* number of an sm_result_t */
  uint64_t alu_free_at[SM_ALUS];

  /* LDST unit. */
  sm_writeback_t next_wb, next_global;
  l1d_reason_t reason;
  unsigned wb_turn;
  uint64_t version;
  l1d_t *l1d;
  packet_queue_t cluster, response;
  icnt_t *icnt;
  unsigned id;

  /* MRPB and PRT: what every cycle looks at; the rest is further below. */
  uint8_t clocked; /* what this cycle's edge concerns: SM_CLOCK_* */
  uint8_t always_clocked;
  bool mrpb_stepped;            /* the MRPB has already had this cycle's edge */
  bool order_err;               /* of the MRPB, in the cycle in which it was last asked */
  bool flush_full, flush_write; /* the MRPB's flush outputs in the last cycle */
  uint16_t held_free;
  unsigned held, prt_used; /* requests in the MRPB, entries of the PRT */
  unsigned barriers_due;
  int held_gone; /* number freed at the end of this cycle, -1 for none */

  void (*hook)(void *ctx, sm_t *sm);
  check_sm_t *check; /* NULL: no data travel */
  rocache_t *l1i;    /* NULL: every fetch hits */
  workload_t *workload;
  unsigned n_blocks, warps_per_block;
  sm_level_t level[SM_LEVELS];
  sm_side_t side;

  _Alignas(64) collector_t collector;

  /* Instructions in the pipeline, by slot: the lowest free one is taken, of those for MEM the first
   * SM_MEM_SLOTS, so that few cache lines are in use. */
  _Alignas(64) uint8_t inst_warp[SM_SLOTS];
  const warp_inst_t *inst[SM_SLOTS];

  _Alignas(64) sm_stats_t stats; /* what is counted most often first */
  _Alignas(64) sm_warp_t warp[SM_MAX_WARPS];
  uint64_t busy[WARP_REGS / 64][SM_MAX_WARPS]; /* registers awaited: bit r % 64 of word r / 64 */
  sm_block_t block[SM_MAX_BLOCKS];
  uint8_t by_age[SM_MAX_BLOCKS]; /* block slots in use, the one filled first first */
  uint64_t running;              /* warps that have not executed their exit */
  _Alignas(64) sm_stage_t stage[SM_WHEEL];
  _Alignas(64) sm_result_t result[SM_RESULTS];

  /* MRPB and PRT. */
  _Alignas(64) uint64_t mrpb_entered,
      mrpb_left; /* cycles in which a request last entered, left the MRPB */
  sm_front_t front;
  sm_stuck_t stuck;
  sm_held_t *pool_held;
  unsigned number_w;
  unsigned held_room; /* numbers there are; those from held_used on have not been used yet */
  unsigned held_used;
  unit_t mrpb, prt;
  mrpb_in_t mrpb_in;
  prt_in_t prt_in;

  pool_t *home; /* the memory in which the SM is */
  packet_pool_t *pool;
  packet_map_t map;
  uint32_t hazards;
  const launch_t *launch;
  unsigned max_blocks;
  uint32_t blocks_run;
  void *hook_ctx;
  config_t cfg;
  _Alignas(64) sm_accesses_t access[SM_MEM_SLOTS];
  sm_load_t load[WARP_REGS][SM_MAX_WARPS]; /* warps of a register side by side, for the cache */
};

/* sched.c */
void sm_sched_issue(sm_t *sm);
void sm_sched_count(sm_t *sm, uint64_t cycles); /* scheduler outcomes */

/* front.c */
void sm_front_init(sm_t *sm);
void sm_front_writeback(sm_t *sm, uint64_t now); /* EX/WB: results of SP and SFU */
void sm_front_execute(sm_t *sm, uint64_t now);   /* SP and SFU accept from OC_EX */
void sm_front_decode(sm_t *sm);
void sm_front_fetch(sm_t *sm, uint64_t now);
void sm_front_flush(sm_t *sm, unsigned w); /* empties the i-buffer */
/* The warp has come to a barrier; the warp has ended: perhaps the others need wait no longer. */
void sm_front_barrier(sm_t *sm, unsigned w);
void sm_front_end(sm_t *sm, unsigned w);
void sm_front_release_barrier(sm_t *sm, unsigned block);
int sm_front_start_warp(sm_t *sm, unsigned w, uint32_t block, unsigned slot, unsigned ordinal);

/* The destination registers of `i` are no longer awaited. */
static inline void sm_release(sm_t *sm, unsigned warp, const warp_inst_t *i) {
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    sm->busy[i->dst[k] / 64][warp] &= ~(UINT64_C(1) << i->dst[k] % 64);
    sm->warp[warp].awaited--;
  }
  uint64_t ready = sm->ready[0] | sm->ready[1] | sm->ready[2] | sm->ready[3];
  sm->looked &= ~(UINT64_C(1) << warp) | ready; /* what waited for a register looks again */
  sm->sched_stale = true;
}

/* The destinations of `i` take the ports of their banks in this cycle; false at the first that
 * another write has, those before it stay taken. A bank that two of them share is taken once. */
static inline bool sm_write_regs(sm_t *sm, const warp_inst_t *i, unsigned warp) {
  uint32_t taken = 0;
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    uint32_t bank = UINT32_C(1) << i->dst_bank[k] % COLLECTOR_BANKS;
    if (!(taken & bank) && !collector_write(&sm->collector, i->dst_bank[k], warp)) return false;
    taken |= bank;
  }
  return true;
}

/* Warps of the block in slot `b`. */
static inline uint64_t sm_block_warps(const sm_t *sm, unsigned b) {
  return UINT64_MAX >> (64 - sm->warps_per_block) << b * sm->warps_per_block;
}

/* What the MSHR table and the PRT remember of a read: who waits for it. */
enum { SM_REG_W = 10 };
_Static_assert(WARP_REGS == 1 << SM_REG_W && SM_MAX_WARPS <= 64, "16 bits of warp and register");
static inline uint64_t sm_pack_reader(unsigned warp, unsigned reg) {
  return (uint64_t)warp << SM_REG_W | reg;
}
static inline sm_load_t *sm_reader(sm_t *sm, uint64_t packed) {
  return &sm->load[packed & (WARP_REGS - 1)][packed >> SM_REG_W];
}
/* order.c: the load or store in `slot`, just put, does not overtake one of its warp to the same
 * line; loads among themselves may. */
void sm_keep_order(sm_t *sm, unsigned warp, unsigned slot);

/* ldst.c */
void sm_ldst_cycle(sm_t *sm, uint64_t now);
void sm_ldst_accept(sm_t *sm); /* from OC_EX_MEM into the dispatch register */
/* One access of a load has its data: true if it was the last one. */
bool sm_ldst_arrived(sm_t *sm, unsigned warp, uint16_t reg);
/* Offers `r` to the L1D. */
l1d_reason_t sm_ldst_try(sm_t *sm, const l1d_request_t *r, uint64_t now);
/* The access that was refused last would be refused again, for sm->reason: it is, and counted. */
static inline bool sm_refused_again(sm_t *sm) {
  if (!sm->refused || sm->version != l1d_version(sm->l1d, sm->reason)) return false;
  l1d_repeat_refusal(sm->l1d, sm->reason, 1);
  return true;
}

/* The slot in the dispatch register if its instruction is for the L1D, else COLLECTOR_NONE. */
static inline uint8_t sm_global_dispatch(const sm_t *sm) {
  uint8_t slot = sm->dispatch;
  return slot == COLLECTOR_NONE || sm->inst[slot]->space == WARP_GLOBAL ? slot : COLLECTOR_NONE;
}

/* icache.c: the instruction cache. */
int sm_icache_create(sm_t *sm, mrpb_err_t *err);
void sm_icache_destroy(sm_t *sm);
/* The warp's next instructions are there; if not it may have begun to wait for them. */
bool sm_icache_fetch(sm_t *sm, unsigned w, uint64_t now);
void sm_icache_fill(sm_t *sm, packet_t *p, uint64_t now);
/* Sends one miss, lets one warp go on. Called while a warp waits. */
void sm_icache_step(sm_t *sm);
bool sm_icache_quiet(const sm_t *sm); /* it waits for replies only */
unsigned sm_icache_outstanding(const sm_t *sm);

/* side.c: shared memory, constant and texture caches. Called where the LDST unit's cycle says. */
int sm_side_create(sm_t *sm, mrpb_err_t *err);
void sm_side_destroy(sm_t *sm);
void sm_side_coalesce(sm_t *sm, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                      uint32_t mask, sm_accesses_t *a);
/* `client` has something to write back: into `wb`. */
bool sm_side_writeback(sm_t *sm, unsigned client, sm_writeback_t *wb);
void sm_side_step(sm_t *sm);
void sm_side_fill(sm_t *sm, const packet_t *p, uint64_t now);
void sm_side_send(sm_t *sm);
void sm_side_access(sm_t *sm, uint64_t now);
/* The finished instruction can leave the dispatch register. */
bool sm_side_leave(sm_t *sm);
bool sm_side_waits_for_room(const sm_t *sm);
bool sm_side_quiet(const sm_t *sm); /* it waits for replies only */
unsigned sm_side_outstanding(const sm_t *sm);

/* bypass.c: the path through the MRPB. */
int sm_mrpb_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err);
void sm_mrpb_destroy(sm_t *sm);
void sm_mrpb_access(sm_t *sm, uint64_t now);
/* A bypassed read's data arrive; the register they are for. False if next_global must be waited
 * for. */
bool sm_mrpb_reply(sm_t *sm, packet_t *p, uint64_t now);
/* MRPB_REORDER 0: the read `t` of the dispatch register, refused by the L1D, leaves past it; false
 * if it must stay. */
bool sm_mrpb_bypass(sm_t *sm, const coalesced_t *t, l1d_reason_t reason, uint64_t now);
int sm_mrpb_edge(sm_t *sm, uint64_t now, mrpb_err_t *err);
void sm_mrpb_count_wait(sm_t *sm, uint64_t cycles);
bool sm_mrpb_quiet(const sm_t *sm, uint64_t now);

#endif
