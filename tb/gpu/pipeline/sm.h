/* SPDX-License-Identifier: Apache-2.0 */
/* One streaming multiprocessor: fetch, instruction cache and i-buffers, warp schedulers,
 * scoreboard, operand collectors, SP and SFU pipelines, coalescer, LDST unit with L1D, shared
 * memory, constant and texture caches, and (MRPB = 1) the MRPB between coalescer and L1D with the
 * PRT for bypassed reads. Paper 001 sections 2.1, 3 and 6; rules and cycle order of
 * GPGPU-Sim 3.2.0. See docs/sm.md. */
#ifndef SM_H
#define SM_H

#include "config/config.h"
#include "err.h"
#include "gpu/memories/memory.h"
#include "parts/packet.h"
#include "gpu/timeline/timeline.h"
#include "parts/profile.h"
#include "parts/requests.h"
#include "gpu/pipeline/l1d.h"
#include "parts/unit.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdio.h>

enum { SM_MAX_WARPS = 64, SM_MAX_BLOCKS = 16 };

/* Occupancy of a table over the cycles in which the SM had work. */
typedef struct {
  uint64_t
      cycles[513]; /* cycles with exactly that many entries in use; the last also counts more */
  uint32_t max;
} sm_occupancy_t;

/* What the memory stage did in a cycle, and why nothing issued. */
typedef struct {
  uint64_t cycles; /* with a block resident or blocks left to place */
  uint64_t warp_insts, thread_insts;
  uint64_t mem_stall; /* cycles in which the instruction in the LDST unit stayed there */
  uint64_t fetch_hits, fetch_misses, fetch_refused; /* accesses to the instruction cache */
  uint64_t loads, stores;                           /* warp instructions, global */
  uint64_t load_lines, store_lines;                 /* their transactions */
  uint64_t issue_idle;       /* scheduler cycles: no warp had a valid instruction */
  uint64_t issue_scoreboard; /* all of them wait for registers */
  uint64_t issue_pipeline;   /* none of the ready ones found its pipeline register free */
  uint64_t shared_insts, shared_cycles; /* accesses to shared memory; their bank cycles */
  uint64_t const_hits, const_misses, tex_hits, tex_misses; /* transactions */
  uint64_t local_loads, local_stores; /* those loads and stores that access local memory */
  uint64_t atomics, atomic_lines;     /* warp instructions, global; their transactions */
  uint64_t bypasses;                  /* reads that bypassed the L1D */
  uint64_t bypass_wait_icnt, bypass_wait_table,
      bypass_wait_store; /* cycles in which a bypass could not leave */
  uint64_t mrpb_in, mrpb_out, mrpb_full, mrpb_flush_full, mrpb_flush_write;
  uint64_t read_latency_sum, read_replies; /* SM cycles from access to the response FIFO */
  sm_occupancy_t mshr, miss_queue, mrpb, prt;
  uint32_t mrpb_queue_max; /* most requests of one queue in the MRPB, on the line and leaving too */
  uint32_t scheduler_warps_max; /* most warps of one scheduler that had not ended */
} sm_stats_t;

typedef struct sm sm_t;

typedef struct {
  const config_t *cfg;
  unsigned id;
  const unit_choice_t *choice; /* NULL: the C models everywhere */
  gpu_memory_t *memory;
  bool no_sleep;           /* never skip a quiet cycle: for tests and waves; same results */
  requests_t *requests;    /* records its loads; NULL: nobody does */
  profile_core_t *profile; /* counts by instruction and array; NULL: nobody does */
  timeline_t *timeline;    /* NULL: none */
} sm_setup_t;

/* The L1D's part of the configuration. */
l1d_cfg_t sm_l1d_cfg(const config_t *c);

/* Returns 0, or -1 and a message in err; *out is NULL then. Everything that the setup points to
 * must outlive the SM. */
int sm_create(sm_t **out, const sm_setup_t *setup, mrpb_err_t *err);
void sm_destroy(sm_t *sm);

/* From now on packets carry data (docs/check.md). */
void sm_set_check(sm_t *sm, check_sm_t *check);
/* Ordering hazards to allow (gpu/check/hazard.h) besides those of MEMORY_ORDER: for tests. */
void sm_set_hazards(sm_t *sm, uint32_t hazards);

/* Blocks of `launch` that may be resident at once; 0 if not even one fits. Limited by threads,
 * registers, shared memory and block slots; a small grid is spread over all SMs. */
unsigned sm_max_blocks(const config_t *cfg, const launch_t *launch);
/* Call it if sm_max_blocks is 0: returns -1 and a message in err that says which resource an SM
 * lacks. */
int sm_refuse_block(const config_t *cfg, const launch_t *launch, mrpb_err_t *err);

/* A new kernel begins: no block is resident. */
void sm_start_kernel(sm_t *sm, workload_t *w, const launch_t *launch, unsigned max_blocks);
/* sm_has_room: a block slot is free. sm_take_block: takes a block; -1 if out of memory. */
bool sm_has_room(const sm_t *sm);
int sm_take_block(sm_t *sm, uint32_t block, mrpb_err_t *err);
unsigned sm_blocks(const sm_t *sm);

/* The first step of an SM cycle, for every SM: moves one reply from the cluster FIFO to the LDST
 * unit, and one from the interconnect to the cluster FIFO. True while the cluster FIFO holds
 * replies; if false, there is nothing to do until the interconnect has a reply. */
bool sm_receive(sm_t *sm);

/* Places in the cluster FIFO. *waits: what the FIFOs hold may stay there. Otherwise one reply leaves
 * them in every cycle, as long as only such come for which sm_surely_takes is true. */
unsigned sm_reply_room(const sm_t *sm, bool *waits);
bool sm_surely_takes(const packet_t *reply);

/* SM cycle number `now`, in two parts, for callers that must know what the SM sends in between. Nonzero:
 * lockstep mismatch or out of memory. */
void sm_cycle_begin(sm_t *sm, uint64_t now);
int sm_cycle_end(sm_t *sm, uint64_t now, mrpb_err_t *err);
static inline int sm_cycle(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  sm_cycle_begin(sm, now);
  return sm_cycle_end(sm, now, err);
}

/* The requests that sm_cycle_begin may send in the coming cycle, in their order; it asks for the room
 * of no others. sm_fetch_sends: sm_cycle_end may send one, a read of a line. */
typedef struct {
  memory_request_t kind;
  uint32_t bytes;
} sm_sends_t;
enum { SM_SENDS = 5 };
unsigned sm_may_send(const sm_t *sm, sm_sends_t to[SM_SENDS]);
bool sm_fetch_sends(const sm_t *sm);

/* For an SM that does not know whether it can send what is in its L1D's miss queue (part `later`).
 * sm_can_send_later: it can run the coming cycle all the same. sm_send_later: it does not send from
 * there from cycle `now` on, for at most 64 cycles, until sm_later_end. Meanwhile sm_later_send and
 * then sm_later_look are called for each cycle, as soon as `memory` has come to it: they send what
 * would have been sent, and count how full the queue was. */
bool sm_can_send_later(sm_t *sm);
void sm_send_later(sm_t *sm, uint64_t now);
bool sm_sends_later(const sm_t *sm);
void sm_later_send(sm_t *sm, uint64_t now, gpu_memory_t *memory);
void sm_later_look(sm_t *sm, uint64_t now);
void sm_later_end(sm_t *sm);

/* True if a unit is in lockstep: it is clocked in every cycle, even if the SM has no block to
 * run. */
bool sm_every_cycle(const sm_t *sm);
int sm_idle_cycle(sm_t *sm, uint64_t now, mrpb_err_t *err);

/* True if every following cycle would be like the last one until a reply, a block or
 * (sm_waits_for_room) room in the interconnect arrives. Such cycles need not be run: sm_wake(now)
 * accounts for those before cycle `now`, and is called before `now` is run. */
bool sm_asleep(const sm_t *sm);
/* True if the SM sleeps until the interconnect has room, and there is some now: it must run this
 * cycle. */
bool sm_has_icnt_room(const sm_t *sm);
bool sm_waits_for_room(const sm_t *sm);
void sm_wake(sm_t *sm, uint64_t now);
/* Gives the profile of sm_setup_t what has been counted for it, before its arrays change and at the
 * end. */
void sm_tell_profile(sm_t *sm);

/* Requests that the SM holds or waits for. */
unsigned sm_outstanding(const sm_t *sm);
/* Increases whenever an instruction issues or a reply is taken: for the hang detector. */
uint64_t sm_progress(const sm_t *sm);

const sm_stats_t *sm_stats(sm_t *sm); /* up to the last cycle that was run */
const l1d_stats_t *sm_l1d_stats(const sm_t *sm);

/* Current values, for waves and dumps. */
typedef enum {
  SM_STALL_NONE,  /* the memory stage moved or had nothing to do */
  SM_STALL_ASSOC, /* in the order of l1d_reason_t */
  SM_STALL_MISSQ,
  SM_STALL_MSHR,
  SM_STALL_MERGE,
  SM_STALL_MRPB,   /* the MRPB did not accept the request */
  SM_STALL_BYPASS, /* a bypassed read could not leave */
  SM_STALL_SIDE    /* a bank conflict, or the constant or texture cache refused */
} sm_stall_t;

typedef struct {
  sm_stall_t stall;
  unsigned mshrs, miss_queue, mrpb_held, prt_used, response_fifo, cluster_fifo, warps, blocks;
  uint64_t warp_insts;
} sm_probe_t;

sm_probe_t sm_probe(const sm_t *sm);
const char *sm_stall_name(sm_stall_t stall);

/* A unit with this cycle's inputs and the outputs recomputed from them; NULL if the SM has no such
 * unit. Call it from the hook only. */
typedef struct {
  const unit_t *unit;
  const uint64_t *in;
  uint64_t out[16];
} sm_unit_view_t;
bool sm_unit_view(sm_t *sm, const char *stem, sm_unit_view_t *view);

/* Sets a hook that is called in every cycle of the SM just before the edge of its units; NULL for
 * none. */
void sm_set_hook(sm_t *sm, void (*hook)(void *ctx, sm_t *sm), void *ctx);

/* Describes the state of the SM in words: warps, pipeline, L1D, MRPB. For the report of a hang. */
void sm_dump(sm_t *sm, FILE *out);

#endif
