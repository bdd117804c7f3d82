/* SPDX-License-Identifier: Apache-2.0 */
/* L1 data cache of an SM: tags, MSHR table (a unit: C model, Verilog or both), miss queue. Reads
 * allocate on miss or on fill. Writes go through to the L2; a write hit evicts the line, a write
 * miss allocates nothing. The exception is a write hit to local memory: it stays in the line, which
 * is written back when it is replaced (with allocate on miss). One cycle, in the order of the LDST
 * unit: drain (one merged read leaves), fill, send (one entry of the miss queue), access (one),
 * edge. Each happens at most once. Follows GPGPU-Sim 3.2.0, with two exceptions: a read never
 * merges into an entry whose line was written after its fetch had left, and a merge into an entry
 * that drains reserves no line (docs/check.md, hazards b and c). l1d_set_hazards restores the
 * reference's own rules. */
#ifndef L1D_H
#define L1D_H

#include "config/config.h"
#include "gpu/check/check.h"
#include "err.h"
#include "mshr.h"
#include "parts/packet.h"
#include "parts/tag_array.h"
#include "parts/unit.h"

#include <stdbool.h>

typedef enum {
  L1D_NONE,  /* accepted */
  L1D_ASSOC, /* every way of the set is reserved */
  L1D_MISSQ, /* a read must leave one free entry for a second request */
  L1D_MSHR,  /* no free MSHR entry */
  L1D_MERGE, /* the line's MSHR entry is full, or marked by a store */
  L1D_REASONS
} l1d_reason_t;

/* The keys of keys.def whose part is L1D, and the MSHR table. `allocate` is CONFIG_ALLOCATE_MISS (a
 * miss reserves a line) or CONFIG_ALLOCATE_FILL (the victim is chosen when its data arrive). */
typedef struct {
#define PART_L1D(field, to, ...) uint32_t to;
#include "config/each_key.h"
  mshr_cfg_t mshr; /* config_mshr_params */
} l1d_cfg_t;

/* Of its tags. */
tag_array_cfg_t l1d_tags_cfg(const l1d_cfg_t *cfg);

typedef struct {
  uint64_t addr;
  uint32_t bytes;
  uint16_t warp;
  uint16_t reg; /* first destination register of a read, below 1024 */
  bool write;
  uint32_t block; /* number of the warp's block among all that this SM has run, below 2^26 */
  bool local;     /* local memory of a thread */
  uint32_t pc;    /* of its instruction */
} l1d_request_t;

typedef struct {
  tag_array_status_t probe;
  l1d_reason_t reason;
  bool kept; /* a write that stays in the L1D: it adds nothing to the miss queue */
} l1d_answer_t;

typedef struct {
  uint64_t hits, misses, pending_hits; /* reads, by the result of the tags */
  uint64_t merges;                     /* reads that joined an MSHR entry */
  uint64_t writes, write_evicts;
  uint64_t refused[L1D_REASONS]; /* one for each cycle in which an access is refused */
  uint64_t fills;
  /* Lines allocated for reads, by who had fetched the line that they replace (paper 001, section
   * 2.2): the same warp, another warp of the block, another block; none if the way was invalid. */
  uint64_t evict_intra_warp, evict_cross_warp, evict_cross_block, evict_none;
  uint64_t writes_kept, write_backs; /* writes that stayed in their line; lines written back */
  uint64_t stale_fills; /* fills that left no line: it was written after its fetch had left */
} l1d_stats_t;

typedef struct l1d l1d_t;
enum { L1D_WRITE_BACK = 1 };

/* `choice` and `sm` select the implementation of the MSHR table (unit_open). Returns 0, or -1 and a
 * message in err; *out is NULL then. */
int l1d_create(l1d_t **out, const l1d_cfg_t *cfg, const unit_choice_t *choice, unsigned sm,
               packet_pool_t *pool, mrpb_err_t *err);
void l1d_destroy(l1d_t *d);

/* Ordering hazards to allow (gpu/check/hazard.h): none unless called. */
void l1d_set_hazards(l1d_t *d, uint32_t hazards);
/* From now on packets carry data. */
void l1d_set_check(l1d_t *d, check_sm_t *check);

/* Drain. l1d_ready: true if a merged read is ready, and whose it is; l1d_take removes it (at most
 * one per cycle). */
bool l1d_ready(l1d_t *d, uint16_t *warp, uint16_t *reg);
void l1d_take(l1d_t *d);
/* Which read l1d_ready has shown: its line, or, if it is a bypassed read that is tracked here, true
 * and its entry. */
bool l1d_drains(const l1d_t *d, uint64_t *line, uint32_t *entry);

/* Fill: the reply to the read that allocated `entry` arrives at SM cycle `now`. */
void l1d_fill(l1d_t *d, uint32_t entry, uint64_t now);

/* Send. l1d_to_send: the oldest entry of the miss queue, NULL if none; l1d_sent removes it. The
 * caller sets `sm` and the address fields except `addr`. The tag of a line that is written back is
 * L1D_WRITE_BACK; that of other writes is 0. */
packet_t *l1d_to_send(const l1d_t *d);
packet_t *l1d_sent(l1d_t *d);

/* One access at SM cycle `now`. A refused access changes nothing and may be offered again in the
 * next cycle. */
l1d_answer_t l1d_access(l1d_t *d, const l1d_request_t *r, uint64_t now);
/* Checking mode: the data of the write that was accepted last, and whether the write was kept. */
void l1d_attach(l1d_t *d, bool kept, check_data_t *data);
/* A read of `addr` is accepted in the coming cycle, whatever is filled and drained before it, if the
 * miss queue has room. May be false although it is. */
bool l1d_takes(l1d_t *d, uint64_t addr);
/* Counts `n` more refusals of an access whose answer cannot have changed. */
void l1d_repeat_refusal(l1d_t *d, l1d_reason_t reason, uint64_t n);
/* Changes whenever the answer to a refused access might change; refusals by the tags alone have a
 * version of their own. */
uint64_t l1d_version(const l1d_t *d, l1d_reason_t reason);

/* Tracks a bypassed read here: takes a free MSHR entry in place of an access. The reply goes to
 * l1d_fill but fills no line. False if there is no free entry. */
bool l1d_track_bypass(l1d_t *d, const l1d_request_t *r, uint32_t *entry);
/* A write past the L1D changes the line of `addr`. The line is evicted, and data for it that are in
 * flight or draining are out of date, as with a store. */
void l1d_write_past(l1d_t *d, uint64_t addr);
/* False if an access of this cycle was a store that asked the MSHR table: its port takes one store
 * a cycle. */
bool l1d_may_write_past(const l1d_t *d);
/* Empties the L1D. No read may be in flight or draining. Writes to local memory are lost: the
 * threads that could read them have ended. */
void l1d_flush(l1d_t *d);
/* True if a store to the line of `addr` still waits in the miss queue. */
bool l1d_store_queued(const l1d_t *d, uint64_t addr);
/* The same of any access to the line. */
bool l1d_line_queued(const l1d_t *d, uint64_t addr);

/* Ends the cycle: clocks the MSHR table. Nonzero: lockstep mismatch. */
int l1d_edge(l1d_t *d, mrpb_err_t *err);

/* True if no merged read is ready to drain. */
bool l1d_drained(const l1d_t *d);

unsigned l1d_mshrs(const l1d_t *d);
/* Entries of the miss queue. l1d_queued_by: those that were queued in SM cycle `now` or before. */
unsigned l1d_miss_queue(const l1d_t *d);
unsigned l1d_queued_by(const l1d_t *d, uint64_t now);
const l1d_stats_t *l1d_stats(const l1d_t *d);
const tag_array_t *l1d_tags(const l1d_t *d);

/* For waves: the unit, and its inputs of the current cycle. */
const unit_t *l1d_mshr(const l1d_t *d);
const mshr_in_t *l1d_mshr_in(const l1d_t *d);

/* Name of a refusal reason as in the traces: "-", assoc, missq, mshr, merge. */
const char *l1d_reason_name(l1d_reason_t reason);

#endif
