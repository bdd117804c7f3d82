/* SPDX-License-Identifier: Apache-2.0 */
/* State of the in-order cores, shared by the files of this folder only. */
#ifndef INORDER_STATE_H
#define INORDER_STATE_H

#include "base/pool.h"
#include "gpu/inorder/events.h"
#include "gpu/inorder/inorder.h"
#include "gpu/ports/cache.h"
#include "gpu/ports/ports.h"
#include "mrpb.h"
#include "mshr.h"
#include "parts/bypass_policy.h"
#include "parts/coalescer.h"
#include "parts/shared.h"
#include "prt.h"

enum {
  CORE_WARPS = 64,
  CORE_BLOCKS = 32,
  CORE_LOADS = 4096, /* 64 warps with 64 loads each */
  CORE_QUEUE = 192,  /* queues set by keys, and the further words of a local access */
  CORE_INSTS = 512,  /* in the front queues and in service */
  CORE_SCHEDULERS = 4,
  CORE_SP_UNITS = 8,
  CORE_LINE_LOG2 = 7,
  CORE_LINE = 1 << CORE_LINE_LOG2,
  CORE_SECTOR = 32,
  CORE_SECTORS = CORE_LINE / CORE_SECTOR,
  CORE_ALL_SECTORS = (1 << CORE_SECTORS) - 1,
  CORE_READY = 8, /* registers whose times fill a line of the host's cache */
  CORE_HOST_LINE = 64,
  CORE_NONE = 0xffff
};

#define NEVER UINT64_MAX

/* Why the load/store unit was refused. */
typedef enum { REFUSED_TABLE, REFUSED_LINE, REFUSALS } refusal_t;

/* How a read leaves the load/store unit, and for what: a place of the L1D, an entry of the table. */
typedef enum {
  LEAVE_NOT,    /* it stays */
  LEAVE_HIT,    /* with the data of a place */
  LEAVE_FIRST,  /* for a new MSHR entry */
  LEAVE_MERGED, /* for an entry that is waiting */
  LEAVE_LINE,   /* for the sectors of a place, some of which may be there */
  LEAVE_PAST,   /* past the L1D */
  LEAVE_DONE    /* had its data before; or it is a store */
} leave_kind_t;
/* What it found there. */
typedef enum { FOUND_NOTHING, FOUND_READ /* in flight */, FOUND_DATA } found_t;
typedef struct {
  leave_kind_t how;
  uint32_t to;
  found_t found;
} leave_t;

/* What a warp waited for last, beyond operands and units: stack.c. */
typedef enum { WOKEN_BY_BLOCK, WOKEN_BY_BARRIER, WOKEN_BY_LOAD } woken_t;
typedef struct {
  uint64_t woken;         /* when its block came, a barrier let it go on, or a load had its data */
  uint64_t issued, asked; /* of that load: issued; its last line looked up */
  uint32_t refused[REFUSALS]; /* the unit's refusals in between */
  uint8_t by;                 /* woken_t */
  uint8_t level;              /* where the last data of that load came from, a stack_part_t */
  uint8_t space_part;         /* where data come from that are not the load/store unit's ... */
  uint64_t space;             /* ... and when */
} stack_warp_t;

/* Refusals of the load/store unit. */
typedef struct {
  uint64_t since[REFUSALS]; /* when the present one began; 0: not refused */
  uint64_t sum[REFUSALS];   /* how long all earlier ones were */
  uint64_t from, to;        /* the last one of the table */
} core_stack_t;

/* A load of constants that awaits further lines, one after another. */
typedef struct {
  const warp_inst_t *inst;
  uint64_t line[COALESCER_LANES];
  uint8_t next, lines;
} core_constant_t;

/* The part before `stack` fills a line of the host's cache. */
typedef struct {
  _Alignas(CORE_HOST_LINE) warp_stream_t *stream; /* NULL if there is no warp */
  const warp_inst_t *next;                        /* NULL if the warp has ended */
  uint64_t fetched;                               /* when `next` is in the buffer */
  uint64_t hold;                                  /* earliest issue after a barrier or a constant */
  uint64_t block_pc;                              /* the block that was fetched last */
  uint16_t awaited;                               /* registers of `next` that wait for loads */
  uint16_t loads;                                 /* loads that await data */
  uint16_t first, last; /* those loads, in the order of issue; CORE_NONE: none */
  uint32_t held;        /* latest L1D line that waits for `first`; L1D_NONE: none */
  uint8_t block, ordinal, scheduler;
  bool at_barrier;
  stack_warp_t stack;
} core_warp_t;

typedef struct {
  bool used;
  uint32_t number;
  uint32_t warps, running; /* total; not ended */
  uint32_t in_lsu;         /* accesses in the front queues and in service */
  uint32_t passing;        /* warps whose barrier waits for the MRPB */
  barriers_t barriers;
} core_block_t;

/* A global load that awaits data. */
typedef struct {
  const warp_inst_t *inst;
  uint64_t number; /* of the SM's loads */
  uint16_t parts;  /* lines whose data are outstanding */
  uint16_t next_free;
  uint16_t before, after; /* neighbours among the loads of its warp that await data */
  uint8_t warp;
  uint8_t level;                /* where its last data come from, a stack_part_t */
  bool filtered;                /* a texture load of the L1D: its data are on the way to the warp */
  uint64_t issued, asked, last; /* asked: its last line was looked up; last: its data come */
  uint64_t at_issue[REFUSALS];  /* the unit's refusals at issue ... */
  uint32_t refused[REFUSALS];   /* ... and from then until `asked` */
} core_load_t;

/* A global load or store in the load/store unit. */
typedef struct {
  uint16_t load;  /* CORE_NONE for a store */
  uint16_t entry; /* of the PRT; CORE_NONE: none */
  uint16_t next_free;
  uint8_t warp;
  uint8_t n, at;  /* number of lines; index of the next line to look up, or for the MRPB */
  uint8_t inside; /* lines in the MRPB */
  bool cached;    /* is looked up in the L1D */
  bool whole;     /* a store that writes all bytes of its sectors */
  bool atomic;    /* performed by the L2: the L1D keeps no line of it */
  uint32_t pc;
  uint64_t issued;
  uint64_t due;     /* when its next line may be looked up */
  uint32_t missing; /* PRT: lanes that missed the L1D */
  uint8_t offset[WARP_LANES];
  coalesced_t line[COALESCER_LANES];
  uint8_t sectors[COALESCER_LANES];
} core_inst_t;

/* A FIFO. */
typedef struct {
  uint16_t inst[CORE_QUEUE];
  uint8_t head, n;
} core_queue_t;

typedef struct {
  core_inst_t *pool;
  uint16_t free;
  core_queue_t sched[CORE_SCHEDULERS];
  core_queue_t shared;
  uint16_t service[CORE_QUEUE]; /* the oldest first */
  uint8_t in_service, turn;
  uint64_t enter_at, look_at; /* when an instruction may enter; when a line may be looked up */
  bool blocked;    /* a refused look-up would fail again, until the table or the L1D changes */
  bool no_line;    /* that is why it was refused */
  uint64_t *taken; /* with STORES: when the L2 takes the last lines that were written, as a ring */
  uint64_t written, last_taken; /* lines; the latest of those times */
  uint64_t serial;              /* counts .cg loads, each of which has its own L1D line */
} core_lsu_t;

/* A line in the MRPB; the MRPB's payload is its number in core_mrpb_t.pool. */
typedef struct {
  uint16_t inst, next_free;
  uint8_t line, queue;
  bool inside; /* false before it has entered and after it has left */
  uint64_t entered;
} core_held_t;

/* What the MRPB presents. */
typedef struct {
  bool valid, write;
  uint8_t warp;
  uint16_t number;
} core_front_t;

enum { CORE_MRPB_ANSWER = 4 }; /* the largest MRPB_ANSWER */

/* The MRPB before the L1D. */
typedef struct {
  bool there; /* MRPB = 1, MRPB_REORDER = 1; otherwise all members are 0 */
  unit_t unit;
  mrpb_in_t in;
  core_held_t *pool;
  bypass_policy_t policy;
  uint16_t free;
  uint16_t tried;    /* the request that was last offered to the L1D, or to bypass */
  int gone;          /* number freed in this cycle; -1: none */
  unsigned held;     /* requests inside */
  uint32_t barriers; /* blocks whose barrier waits */
  core_front_t
      asked[CORE_MRPB_ANSWER]; /* MRPB_ANSWER > 0: what was presented; [0] is answered now */
  bool again;                  /* MRPB_ANSWER > 0: a request was refused in the last cycle */
  bool refused, flush_full, flush_write; /* in the cycle `stepped` and those after it */
  uint64_t entered, left, stepped;       /* last cycles in which one entered, left; that was run */
} core_mrpb_t;

/* The MSHR table or the PRT. */
typedef struct {
  unit_t unit;
  bool is_prt, used; /* used in this cycle; always if `whole` */
  bool whole;        /* watched, or shown: clocked in every cycle, with zeros in what is idle */
  bool watched;
  uint64_t clocked; /* cycles so far, if watched */
  uint32_t count;   /* entries in use */
  union {
    mshr_in_t mshr;
    prt_in_t prt;
  } in;
  uint32_t filled;    /* MSHR: reads in filled entries, an upper bound */
  uint64_t line[128]; /* MSHR: L1D line that an entry fetches; NEVER: none */
  uint64_t when[128]; /* MSHR: when the entry's data come ... */
  uint8_t level[128]; /* ... and from where, a stack_part_t */
} core_table_t;

#define L1D_NONE UINT32_MAX

typedef struct {
  uint64_t when[CORE_SECTORS];  /* when its sectors arrive; 0: not requested; NEVER: not known */
  uint32_t asked[CORE_SECTORS]; /* if that is not known: their requests */
  uint64_t load;                /* number of the load that requested it first */
  uint32_t next;                /* next line that the same warp holds */
  uint8_t warp;
  uint8_t level; /* where its latest data come from, a stack_part_t */
  bool held;     /* the data have arrived, but it cannot be replaced yet */
  bool kept;     /* the data stay when it can be replaced */
} l1d_line_t;

typedef struct {
  tag_array_t *tags; /* NULL if there is no L1D */
  l1d_line_t *line;
  uint64_t tick;
  uint32_t places;
} core_l1d_t;

/* What gets the data of a request: nothing, a line of the L1D, a place of the texture cache or of the
 * instruction cache. */
typedef enum { REQUEST_NOTHING, REQUEST_LINE, REQUEST_TEXTURE, REQUEST_INSTRUCTION } request_of_t;

/* A request whose reply has not come. */
typedef struct {
  request_of_t of;
  uint32_t place;
  uint32_t first; /* what awaits it */
  uint32_t next_free;
} core_request_t;

/* An event that comes with the last of some replies, but not before its time `at`. */
typedef struct {
  event_t event;
  uint8_t left;                  /* of these replies */
  uint8_t sectors[CORE_SECTORS]; /* which it takes from each, if it awaits them by place */
  uint32_t next[CORE_SECTORS];
} core_waiter_t;

/* Used if the memory answers with replies. */
typedef struct {
  core_request_t *request;
  core_waiter_t *waiter;
  size_t n_requests, n_waiters;
  uint32_t free, free_waiter;
  uint32_t last;        /* the last request */
  uint32_t *tex, *inst; /* per place of these caches: the request for it */
  packet_queue_t out;   /* for which there was no room; those of the load/store unit wait there */
} core_requests_t;

typedef struct inorder inorder_t;
typedef struct core_check core_check_t;       /* checked.h */
typedef struct core_profiled core_profiled_t; /* profiled.h */

typedef struct core {
  inorder_t *all;
  core_profiled_t *profiled; /* NULL: nobody profiles */
  unsigned id, cluster;
  uint32_t number;                /* of the cores that were created */
  uint64_t due;                   /* next cycle in which something may happen */
  uint64_t live;                  /* warps that have not ended */
  uint64_t knows;                 /* warps that wait neither for loads nor at a barrier */
  uint64_t mine[CORE_SCHEDULERS]; /* warps of each scheduler */
  unsigned n_blocks, max_blocks, warps;
  /* By warp, adjacent: the schedulers look at many. can_issue: when its next instruction may, except
   * for waits for loads, units or queues; issued: when the one before it was. */
  _Alignas(CORE_HOST_LINE) uint64_t can_issue[CORE_WARPS];
  uint64_t issued[CORE_WARPS];
  /* Until then no warp of the scheduler can issue, unless the next instruction of one changes. */
  uint64_t idle_until[CORE_SCHEDULERS];
  uint64_t sched_free[CORE_SCHEDULERS], load_free[CORE_SCHEDULERS];
  uint8_t last[CORE_SCHEDULERS];
  uint64_t sp_free[CORE_SP_UNITS], shared_free;
  uint64_t sfu_free[CORE_SCHEDULERS], dpu_free[CORE_SCHEDULERS], mad_free[CORE_SCHEDULERS];
  uint64_t barrier_free; /* in hundredths of a cycle */
  core_lsu_t lsu;
  core_mrpb_t mrpb;
  core_table_t table;
  core_l1d_t l1d;
  core_stack_t stack;
  cache_t tex, const1, inst1;
  core_requests_t requests;
  events_t events, replies; /* replies: to the table */
  core_load_t *load;
  uint64_t n_loads;
  uint16_t free_load;
  core_warp_t warp[CORE_WARPS];
  core_block_t block[CORE_BLOCKS];
  core_constant_t constant[CORE_WARPS];
  uint64_t *ready; /* core_ready */
  void *ready_memory;
  unsigned ready_top;  /* highest register that has been written */
  core_check_t *check; /* NULL: values are not checked */
} core_t;

struct inorder {
  cores_t base;
  config_t cfg;
  workload_t *workload;
  const unit_choice_t *choice;
  gpu_memory_t *memory;
  ports_t *ports;  /* it says when data arrive; NULL: it answers with replies */
  core_t **core;   /* created with their first block */
  core_l1d_t *l1d; /* by SM: the memory of its L1D, once it has had a core */
  pool_t *l1d_memory;
  uint32_t created;          /* so far */
  unsigned top;              /* highest number of a created one, + 1 */
  uint64_t due[SET_MEMBERS]; /* of each: the next cycle in which something may happen */
  uint64_t first;            /* of all */
  uint32_t n_blocks;         /* resident, of all */
  set_t with_room;           /* of all SMs: those that can take another block, and may get it */
  set_t waiting;             /* the others of them, while it is shut */
  bool shut;                 /* until the next block may go, in hundredths of a cycle: */
  uint64_t next_block;
  uint64_t now;   /* current cycle */
  uint64_t clock; /* the value of %clock */
  uint32_t warps_per_block, max_blocks;
  bool code_there; /* LAUNCH_PREFETCH has been done for this launch */
  inorder_stats_t stats;
  uint64_t sent[MEMORY_REQUESTS]; /* packets, of each memory_request_t */
  check_t *check;                 /* NULL: values are not checked */
  uint32_t hazards;               /* gpu/check/hazard.h */
  mrpb_err_t *err;                /* of this cycle or launch */
  bool failed;
  int shown;            /* SM; -1: none */
  requests_t *requests; /* NULL: nobody records loads */
  timeline_t *timeline; /* NULL: none */
  profile_t *profile;   /* NULL: nobody counts by instruction */
  stacks_t *stacks;     /* NULL: nobody asks for stacks over time */
  inorder_hook_t hook;  /* for it; NULL: none */
  void *hook_ctx;
  inorder_probe_t probe; /* of its last cycle */
};

/* How many of the CORE_SECTORS bits are set: a digit of the number for each value. */
static inline unsigned core_sectors(unsigned sectors) {
  return (unsigned)(UINT64_C(0x4332322132212110) >> 4 * sectors & 7);
}

/* When register `reg` of warp `w` can be read; NEVER: a load is to write it. Eight registers of a warp
 * fill a line of the host's cache, and those of the next warp follow. Kernels use few registers, so
 * the lines in use are adjacent. */
static inline uint64_t *core_ready(const core_t *c, unsigned w, unsigned reg) {
  return &c->ready[(reg / CORE_READY * CORE_WARPS + w) * CORE_READY + reg % CORE_READY];
}

/* The registers that `i` writes can be read at `at`. */
static inline void core_written(core_t *c, unsigned w, const warp_inst_t *i, uint64_t at) {
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    *core_ready(c, w, i->dst[k]) = at;
    if (i->dst[k] > c->ready_top) c->ready_top = i->dst[k];
  }
}

/* inorder.c: SM `sm` can take another block. */
void inorder_add_room(inorder_t *all, unsigned sm);

/* core.c */
int core_create(core_t **out, inorder_t *d, unsigned id, mrpb_err_t *err);
void core_destroy(core_t *c);
/* A launch begins: the L1D and texture caches are empty, and the schedulers start with warp 0. */
int core_begin(core_t *c, mrpb_err_t *err);
bool core_take_block(core_t *c, uint32_t block);
/* Runs cycle all->now; sets c->due. */
void core_step(core_t *c);
/* `n` lines of load `id` have arrived. */
void core_data(core_t *c, uint32_t id, uint32_t n);
static inline void core_soon(core_t *c, uint64_t at) {
  if (at < c->due) c->due = at;
}
void core_event(core_t *c, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes);

/* dump.c: writes where every unended warp stands, one line each. */
void core_dump(const core_t *c, FILE *out);

/* issue.c */
void issue_next(core_t *c, unsigned w); /* the warp has a new next instruction */
void issue_step(core_t *c);
/* Frees block `slot` if its warps have ended and their data have arrived; until then the block
 * keeps its registers. */
void issue_leave(core_t *c, unsigned slot);
/* Warps `on` of block `slot` leave their barrier. */
void issue_pass_barrier(core_t *c, unsigned slot, uint32_t on);

/* units.c: the cost of an arithmetic instruction. */
typedef struct {
  uint32_t latency;
  uint32_t sp, sfu, dpu; /* cycles of the units that it occupies; SP and SFU never both 0 */
  bool either;           /* a single-precision multiply: SFU if the SPs are busy */
  bool mad;              /* an integer multiplication */
} units_cost_t;
units_cost_t units_cost(const config_t *cfg, const warp_inst_t *i);

/* fetch.c: computes when the warp's next instruction is in its buffer. `before` is the issue time
 * of the instruction before the last one. */
void fetch_next(core_t *c, core_warp_t *w, uint64_t before, bool jumped);
void fetch_arrived(core_t *c, unsigned warp);
/* A warp begins at `pc`. Does something for the first warp of a launch only. */
void fetch_launch(core_t *c, uint32_t pc);

/* Whether a load or store is one of the load/store unit. */
static inline bool lsu_takes(const core_t *c, const warp_inst_t *i) {
  return i->space == WARP_GLOBAL || (i->space == WARP_TEX && c->all->cfg.tex_l1d);
}

/* lsu.c */
int lsu_create(core_t *c, mrpb_err_t *err);
unsigned lsu_passes(const core_t *c); /* most in the unit and in the MRPB */
void lsu_destroy(core_t *c);
void lsu_queue(core_t *c, unsigned scheduler, uint16_t inst);
bool lsu_has_room(const core_t *c, unsigned scheduler);
/* The lines of a pass, and their lanes; with ATOMIC_JOIN lanes that are joined are in one. */
unsigned lsu_lines(const core_t *c, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                   uint32_t mask, coalesced_t line[WARP_LANES]);
uint16_t lsu_new_load(core_t *c, unsigned w, const warp_inst_t *i);
void lsu_issue(core_t *c, unsigned w, unsigned scheduler, const warp_inst_t *i);
void lsu_step(core_t *c);
void lsu_changed(core_t *c); /* the table or the L1D has changed */
/* Looks up line `k` of an instruction. False if it is refused. */
bool lsu_look_up(core_t *c, core_inst_t *x, unsigned k);
/* Line `k` is a read that would need a line of the L1D. */
bool lsu_misses(const core_t *c, const core_inst_t *x, unsigned k);
/* Read `k` goes past the L1D. False if the table has no entry for it. */
bool lsu_bypass(core_t *c, core_inst_t *x, unsigned k);
/* The instruction whose next line is due first; NULL: none is in service. */
core_inst_t *lsu_in_turn(core_t *c);
/* Its next line is done with here; true if that was its last, and it has left. */
bool lsu_took_line(core_t *c);
void lsu_free(core_t *c, core_inst_t *x); /* nothing refers to it any more */

/* mrpb.c */
unsigned core_mrpb_room(const config_t *cfg); /* most requests in an MRPB; 0: there is none */
int core_mrpb_create(core_t *c, mrpb_err_t *err);
void core_mrpb_destroy(core_t *c);
void core_mrpb_step(core_t *c);
/* A barrier of block `slot` is complete: its warps `on` go on when the MRPB lets it through. */
void core_mrpb_barrier(core_t *c, unsigned slot, uint32_t on);

/* table.c */
int table_create(core_t *c, mrpb_err_t *err);
void table_destroy(core_t *c);
typedef enum { TABLE_OK, TABLE_MERGED, TABLE_IS_FULL, TABLE_ENTRY_FULL } table_answer_t;
table_answer_t table_read(core_t *c, uint64_t line, uint32_t load, bool cached, uint32_t *entry);
void table_fill(core_t *c, uint32_t entry); /* at most one fill or reply per cycle */
void table_reply(core_t *c, uint32_t entry, uint32_t lanes);
void table_drain(core_t *c);
/* MSHR: a store passes; no read joins the entry of its line, and its fill keeps nothing. */
void table_store(core_t *c, uint64_t line);
table_answer_t table_allocate(core_t *c, uint32_t load, uint32_t lanes,
                              const uint8_t offset[WARP_LANES], uint32_t *entry);
void table_send(core_t *c, uint32_t entry, uint32_t lanes);
void table_edge(core_t *c);
/* The idle cycles of a watched table before cycle `to`. */
void table_catch_up(core_t *c, uint64_t to);

/* shown.c: the SMs that are due are run, one of them shown. */
void shown_cycle(inorder_t *all);

/* spaces.c: when the data of a load from shared memory, constants or textures arrive; NEVER:
 * spaces_constant will report it. */
uint64_t spaces_load(core_t *c, core_warp_t *w, const warp_inst_t *i);
void spaces_constant(core_t *c, unsigned warp); /* continues with its next line */

#endif
