/* SPDX-License-Identifier: Apache-2.0 */
/* State of the device, shared by the files of tb/device only. */
#ifndef DEVICE_STATE_H
#define DEVICE_STATE_H

#include "device/cache.h"
#include "device/device.h"
#include "device/events.h"
#include "device/port.h"
#include "mshr.h"
#include "prng.h"
#include "prt.h"
#include "sim/sim.h"
#include "parts/coalescer.h"
#include "parts/shared.h"

enum {
  CORE_WARPS = 64,
  CORE_BLOCKS = 32,
  CORE_LOADS = 4096, /* 64 warps with 64 loads each */
  CORE_QUEUE = 192,  /* those of the keys, and the further words of a local access */
  CORE_INSTS = 512,  /* in the front queues and in service */
  CORE_SCHEDULERS = 4,
  CORE_SP_UNITS = 8,
  CORE_LINE_LOG2 = 7,
  CORE_LINE = 1 << CORE_LINE_LOG2,
  CORE_SECTOR = 32,
  CORE_SECTORS = CORE_LINE / CORE_SECTOR,
  CORE_NONE = 0xffff
};

#define NEVER UINT64_MAX

typedef struct {
  warp_stream_t *stream;   /* NULL: no warp */
  const warp_inst_t *next; /* NULL: it has ended */
  uint64_t fetched;        /* when `next` is in the buffer */
  uint64_t issued;         /* when the one before `next` was */
  uint64_t can_issue;      /* `next` may, as far as it does not wait for loads, units or queues */
  uint64_t hold;           /* may not issue before: a barrier, a constant */
  uint64_t block_pc;       /* block that was fetched last */
  uint16_t awaited;        /* registers of `next` that wait for loads */
  uint16_t loads;          /* that await data */
  uint16_t first, last;    /* of them, in the order of issue; CORE_NONE: none */
  uint32_t held;           /* L1D lines that wait for `first`: the latest; L1D_NONE: none */
  uint8_t block, ordinal;
  bool at_barrier;
  const warp_inst_t *constant; /* a load that awaits further lines: these, one after the other */
  uint64_t constant_line[COALESCER_LANES];
  uint8_t constant_next, constant_lines;
  uint64_t *ready; /* of each register: when it can be read; NEVER: a load brings it */
} core_warp_t;

typedef struct {
  bool used;
  uint32_t number;
  uint32_t warps, running; /* in all; not ended */
  barriers_t barriers;
} core_block_t;

/* A global load that awaits data. */
typedef struct {
  const warp_inst_t *inst;
  uint64_t number; /* of the SM's loads */
  uint16_t parts;  /* lines whose data have not come */
  uint16_t next_free;
  uint16_t before, after; /* loads of its warp that await data, too */
  uint8_t warp;
} core_load_t;

/* A global load or store on its way through the load/store unit. */
typedef struct {
  uint16_t load;  /* CORE_NONE: a store */
  uint16_t entry; /* of the PRT; CORE_NONE: none */
  uint16_t next_free;
  uint8_t n, at;    /* lines; the next one to look up */
  bool cached;      /* looks into the L1D */
  bool atomic;      /* performed by the L2: the L1D keeps no line of it */
  uint64_t issued;  /* when its data begin to count; moved on by what it has waited for */
  uint64_t due;     /* when its next line may be looked up */
  uint32_t missing; /* PRT: lanes that the L1D had nothing for */
  uint8_t offset[WARP_LANES];
  coalesced_t line[COALESCER_LANES];
  uint8_t sectors[COALESCER_LANES];
} core_inst_t;

/* First in, first out. */
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
  uint64_t enter_at, look_at; /* when the next instruction may enter, the next line be looked up */
  bool blocked;    /* what was refused would be again, until the table or the L1D changes */
  uint64_t serial; /* of .cg loads, each of which has an L1D line of its own */
} core_lsu_t;

/* The MSHR table or the PRT. */
typedef struct {
  unit_t unit;
  bool is_prt, used; /* used in this cycle */
  uint32_t count;    /* entries in use */
  union {
    mshr_in_t mshr;
    prt_in_t prt;
  } in;
  uint32_t filled;    /* MSHR: reads that wait in filled entries, an upper bound */
  uint64_t line[128]; /* MSHR: L1D line that an entry fetches; NEVER: none */
} core_table_t;

#define L1D_NONE UINT32_MAX

typedef struct {
  uint64_t when[CORE_SECTORS]; /* its sectors are there; 0: not asked for */
  uint64_t load;               /* number of that which asked first */
  uint32_t next;               /* line that its warp holds, too */
  uint8_t warp;
  bool held; /* the data have come, and it cannot be replaced yet */
  bool kept; /* they stay when it can */
} l1d_line_t;

typedef struct {
  tags_t *tags; /* NULL: no L1D */
  l1d_line_t *line;
  uint64_t tick;
  uint32_t places;
} core_l1d_t;

typedef struct core {
  device_t *device;
  unsigned id, cluster;
  uint64_t due;                   /* the next cycle in which something may happen */
  uint64_t live;                  /* warps that have not ended */
  uint64_t knows;                 /* warps that wait neither for loads nor at a barrier */
  uint64_t mine[CORE_SCHEDULERS]; /* warps of each scheduler */
  unsigned n_blocks, max_blocks, warps;
  uint64_t sched_free[CORE_SCHEDULERS], load_free[CORE_SCHEDULERS];
  uint8_t last[CORE_SCHEDULERS];
  uint64_t sp_free[CORE_SP_UNITS], sfu_free, dpu_free, shared_free;
  core_lsu_t lsu;
  core_table_t table;
  core_l1d_t l1d;
  cache_t tex, const1, inst1;
  port_t l2_port;
  uint64_t host_last;       /* when the last line comes that it has read from the host */
  events_t events, replies; /* replies: to the table */
  core_load_t *load;
  uint64_t n_loads;
  uint16_t free_load;
  core_warp_t warp[CORE_WARPS];
  core_block_t block[CORE_BLOCKS];
  uint64_t *registers;
} core_t;

struct device {
  prng_t noise;
  device_cfg_t cfg;
  device_setup_t setup;
  core_t **core; /* made when they get their first block */
  unsigned top;  /* of those made, the last one's number + 1 */
  sim_t *sim;
  sim_clock_t clk;
  sim_time_t period;     /* fs of a shader cycle */
  uint64_t now, due;     /* the present cycle; the next one in which something may happen */
  uint64_t start, limit; /* of the launch: first cycle, most cycles */
  bool ended;            /* the launch, as `end` says */
  device_end_t end;
  uint64_t clock; /* what %clock shows */
  const launch_t *launch;
  uint32_t next_block, warps_per_block, max_blocks;
  unsigned next_sm;
  cache_t l2, tlb1, tlb2, tlb3, const3;
  bool *l2_alone;        /* of each place: its line is in one half only, as the host left it */
  cache_t *const2, *lrc; /* one for each cluster */
  port_t dram, host, const3_port, *cluster_port;
  uint64_t *host_done; /* of the last HOST_READS lines of the host: when they have come, in turn */
  uint64_t host_count;
  uint64_t window;   /* of the last walk */
  uint64_t tlb3_set; /* of TLB2, of the last victim */
  uint64_t host_from, host_to;
  uint64_t launches;
  device_stats_t stats;
  mrpb_err_t *err; /* of the run */
  bool failed;
};

/* device.c: blocks of the launch to SMs that have room, round robin. */
void device_place_blocks(device_t *d);

/* clock.c: the shader clock. */
int clock_create(device_t *d, mrpb_err_t *err);
void clock_destroy(device_t *d);
/* The launch to its end, at most `limit` cycles. */
device_end_t clock_run(device_t *d, uint64_t limit);

/* core.c */
int core_create(core_t **out, device_t *d, unsigned id, mrpb_err_t *err);
void core_destroy(core_t *c);
/* A launch begins: the L1D and texture caches are empty, the schedulers begin with warp 0. */
int core_begin(core_t *c, mrpb_err_t *err);
bool core_take_block(core_t *c, uint32_t block);
/* The cycle device.now; sets c->due. */
void core_step(core_t *c);
/* `n` lines of load `id` have come. */
void core_data(core_t *c, uint32_t id, uint32_t n);
static inline void core_soon(core_t *c, uint64_t at) {
  if (at < c->due) c->due = at;
}
void core_event(core_t *c, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes);

/* issue.c */
void issue_next(core_t *c, unsigned w); /* the warp's next instruction is another one */
void issue_step(core_t *c);
/* Block `slot` makes room if its warps have ended and their data have come, whose registers are
 * its own until then. */
void issue_leave(core_t *c, unsigned slot);

/* units.c: what an arithmetic instruction takes. */
typedef struct {
  uint32_t latency;
  uint32_t sp, sfu, dpu; /* cycles of the units that it occupies; SP and SFU never both 0 */
  bool either;           /* a single-precision multiply: SFU if the SPs are busy */
} units_cost_t;
units_cost_t units_cost(const device_cfg_t *cfg, const warp_inst_t *i);

/* fetch.c: when the warp's next instruction is in its buffer, `issued` being when that before the
 * last one was issued. */
void fetch_next(core_t *c, core_warp_t *w, uint64_t before, bool jumped);

/* lsu.c */
int lsu_create(core_t *c, mrpb_err_t *err);
void lsu_destroy(core_t *c);
bool lsu_has_room(const core_t *c, unsigned scheduler);
void lsu_issue(core_t *c, unsigned w, unsigned scheduler, const warp_inst_t *i);
void lsu_step(core_t *c);
void lsu_changed(core_t *c); /* the table or the L1D did */

/* dcache.c, the L1D: places are those of tb/parts/tags.h, lines addresses over CORE_LINE. */
int dcache_create(core_t *c, mrpb_err_t *err);
void dcache_destroy(core_t *c);
/* `place` is for `line` now, of which nothing has been asked for. */
void dcache_reserve(core_t *c, uint32_t place, uint64_t line);
/* The same for load `id`, in whose warp's order it will be released. */
void dcache_reserve_for(core_t *c, uint32_t place, uint64_t line, uint16_t id);
/* Its data can be read, also while it cannot be replaced. */
bool dcache_has(const core_t *c, uint64_t line, uint32_t *place);
/* When those of its sectors come that have been asked for; the others. */
uint64_t dcache_when(const core_t *c, uint32_t place, unsigned wanted, unsigned *unasked);
/* The data of a reserved line have come; not `kept`: it keeps nothing. */
void dcache_fill(core_t *c, uint32_t place, bool kept);
/* The oldest load of warp `w` that awaits data is another one. */
void dcache_release(core_t *c, unsigned w);
/* `line` is written past it. */
void dcache_drop(core_t *c, uint64_t line);

/* table.c */
int table_create(core_t *c, mrpb_err_t *err);
void table_destroy(core_t *c);
typedef enum { TABLE_OK, TABLE_MERGED, TABLE_IS_FULL, TABLE_ENTRY_FULL } table_answer_t;
table_answer_t table_read(core_t *c, uint64_t line, uint32_t load, bool cached, uint32_t *entry);
void table_fill(core_t *c, uint32_t entry); /* at most one fill or reply a cycle */
void table_reply(core_t *c, uint32_t entry, uint32_t lanes);
void table_drain(core_t *c);
table_answer_t table_allocate(core_t *c, uint32_t load, uint32_t lanes,
                              const uint8_t offset[WARP_LANES], uint32_t *entry);
void table_send(core_t *c, uint32_t entry, uint32_t lanes);
void table_edge(core_t *c);

/* spaces.c: when the data of a load from shared memory, constants or textures are there;
 * NEVER: spaces_constant will say. */
uint64_t spaces_load(core_t *c, core_warp_t *w, const warp_inst_t *i);
void spaces_constant(core_t *c, unsigned warp); /* it goes on with its next line */
/* Constants and instructions beyond the L1 of the SM: cycles more than a hit there. */
uint32_t spaces_beyond(core_t *c, uint64_t addr, uint64_t at);

/* uncore.c */
int uncore_create(device_t *d, mrpb_err_t *err);
void uncore_close(device_t *d);
/* When data of `bytes` at `addr` come that were asked for at `issued` and take `latency` if the L2
 * has them; `fetched`: for the L1D; `alone`: never one with others' for the line. */
uint64_t uncore_read(core_t *c, uint64_t addr, uint32_t bytes, uint64_t issued, uint32_t latency,
                     bool fetched, bool alone);
void uncore_write(core_t *c, uint64_t addr, uint32_t bytes);
void uncore_changed(device_t *d, uint64_t addr);      /* what was read is written there */
cache_answer_t uncore_l2(device_t *d, uint64_t addr); /* looks up, takes the line */
int32_t uncore_spread(const core_t *c); /* by which this cluster is farther than the mean */

/* tlb.c */
int tlb_create(device_t *d, mrpb_err_t *err);
void tlb_close(device_t *d);
uint32_t tlb_cycles(device_t *d, uint64_t addr);

#endif
