/* SPDX-License-Identifier: Apache-2.0 */
/* The checking mode (docs/check.md): the bytes in L1Ds, L2 slices, DRAM and packets, moved at the
 * events of the timing model, and the rule that every load returns what its own thread's program
 * order allows. The parts of the memory path call these functions at their events if they were
 * given a check; nothing here changes what they do. A violation, or no memory, is remembered: the
 * first one stays. */
#ifndef CHECK_MODE_H
#define CHECK_MODE_H

#include "gpu/check/hazard.h"
#include "err.h"
#include "parts/packet.h"
#include "parts/coalescer.h"
#include "workload/workload.h"

#include <stdio.h>

typedef struct check check_t;
typedef struct check_sm check_sm_t;
typedef struct check_data check_data_t; /* bytes on their way, at most a line */

typedef struct {
  uint32_t sms, l1d_lines, mshr_entries;      /* of an SM */
  uint32_t slices, l2_lines, l2_mshr_entries; /* of a slice */
  bool misplaced;   /* write-backs are served at a wrong address (L2_WB_ADDRESS_BUG) */
  uint32_t hazards; /* HAZARD_L2_WRITE_BACK matters here */
} check_cfg_t;

typedef struct {
  uint64_t loads, stores;         /* of single threads: issued, to global memory */
  uint64_t hits, fills, bypasses; /* loads of single threads by where their data came from */
  uint64_t stale;        /* of them, those of which a byte differs from the functional memory */
  uint64_t transactions; /* of stores */
  uint64_t atomics;      /* of single threads, performed by the L2 */
  uint64_t raced;        /* bytes whose last store in memory is not the last one issued */
  uint64_t host_bytes;   /* written between launches */
} check_stats_t;

/* 0, or -1 with a message, and *out is NULL. */
int check_create(check_t **out, const check_cfg_t *cfg, mrpb_err_t *err);
void check_destroy(check_t *c);

/* Once an SM cycle, before anything else of it. */
void check_cycle(check_t *c, uint64_t now);
/* A launch of `w` begins, or (check_end) the last one has ended; memory is quiet. */
void check_launch(check_t *c, workload_t *w);
void check_end(check_t *c);

/* NULL while nothing is wrong. */
const mrpb_err_t *check_failed(const check_t *c);
const check_stats_t *check_stats(const check_t *c);
/* Loads that wait for data: for the report of a hang. */
void check_dump(const check_t *c, FILE *out);

/* ---- one SM ---------------------------------------------------------------- */

check_sm_t *check_sm(check_t *c, unsigned sm);

/* Warp slot `warp` begins and ends a life as a warp of `block`. */
void check_warp_starts(check_sm_t *s, unsigned warp, uint32_t block);
void check_warp_ends(check_sm_t *s, unsigned warp);

/* A load or store to global memory that is about to issue; `addr` and `mask` are its lanes, t[0] to
 * t[n - 1] its transactions. data[i] becomes what transaction i of a store writes; the caller hands
 * it to l1d_attach. */
void check_issue(check_sm_t *s, unsigned warp, const warp_stream_t *stream, const warp_inst_t *inst,
                 const uint64_t addr[WARP_LANES], uint32_t mask, const coalesced_t *t, unsigned n,
                 check_data_t *data[]);
/* The load of `warp` into `reg` counts as complete. */
void check_load_ends(check_sm_t *s, unsigned warp, unsigned reg);

/* A transaction of a load hits line `index` of the L1D, or waits in MSHR entry `entry`, which the table
 * has given out for it (`first`) or had already. */
void check_l1_hit(check_sm_t *s, uint32_t index, unsigned warp, unsigned reg, uint64_t addr,
                  uint32_t bytes);
void check_l1_wait(check_sm_t *s, uint32_t entry, bool first, unsigned warp, unsigned reg,
                   uint64_t addr, uint32_t bytes);
/* The reply for `entry` is taken; its bytes go into line `index`; its oldest read leaves, which is that of
 * `warp` and `reg`, and the `last` one or not, as the table says. */
void check_l1_reply(check_sm_t *s, uint32_t entry, packet_t *p);
void check_l1_fill(check_sm_t *s, uint32_t entry, uint32_t index);
void check_l1_drain(check_sm_t *s, uint32_t entry, unsigned warp, unsigned reg, bool last);
/* No read leaves the table in a cycle in which it could. */
void check_l1_silent(check_sm_t *s);
/* `table` refuses for want of entries, with so many of them in use. */
void check_refused(check_sm_t *s, const char *table, uint32_t used, uint32_t entries);
/* `data` are written into line `index`, which stays; the bytes of a line that is written back: the
 * caller's packet takes them. */
void check_l1_write(check_sm_t *s, uint32_t index, check_data_t *data);
check_data_t *check_l1_written_back(check_sm_t *s, uint32_t index);
/* Line `index` is invalid or reserved from now on. */
void check_l1_drop(check_sm_t *s, uint32_t index);
/* A read bypasses the L1D in `p` (not with an MSHR entry: that is check_l1_wait), with an entry of the PRT
 * or none; `p` has come back and is taken for a load of `warp` into `reg`; the PRT has released its entry
 * or not. */
void check_bypass_sent(check_sm_t *s, bool prt, unsigned warp, unsigned reg, uint64_t addr,
                       uint32_t bytes, const packet_t *p);
void check_prt_reply(check_sm_t *s, uint32_t entry, bool released);
void check_bypass(check_sm_t *s, unsigned warp, unsigned reg, const packet_t *p);
/* The packet ends. */
void check_drop(check_sm_t *s, packet_t *p);

/* ---- L2 and DRAM ----------------------------------------------------------- */

#define CHECK_NO_LINE UINT32_MAX

void check_l2_read(check_t *c, uint32_t slice, uint32_t line, packet_t *p);
void check_l2_write(check_t *c, uint32_t slice, uint32_t line, packet_t *p);
/* An atomic that missed: check_l2_serve performs it. */
void check_l2_atomic_miss(check_t *c, const packet_t *p);
/* A write that missed, and the allocate read that goes with it. */
void check_l2_write_miss(check_t *c, packet_t *p, packet_t *alloc);
/* `line` is given up; `write_back` takes its bytes along, NULL if it was not modified. */
void check_l2_evict(check_t *c, uint32_t slice, uint32_t line, packet_t *write_back);
/* `p` has come back from the DRAM for `entry`; then each request of the entry is served, in order;
 * `line` takes the bytes of the entry after the last one. */
void check_l2_returned(check_t *c, uint32_t slice, uint32_t entry, packet_t *p);
void check_l2_serve(check_t *c, uint32_t slice, uint32_t entry, packet_t *p);
void check_l2_fill(check_t *c, uint32_t slice, uint32_t entry, uint32_t line);
/* The last column command of `p` has issued. */
void check_dram(check_t *c, packet_t *p);

#endif
