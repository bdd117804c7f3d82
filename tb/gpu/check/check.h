/* SPDX-License-Identifier: Apache-2.0 */
/* The checking mode (docs/check.md): it models the bytes in L1Ds, L2 slices, DRAM and packets,
 * moves them at the events of the timing model, and checks that every load returns what its own
 * thread's program order allows. The parts of the memory path call these functions at their events
 * if they were given a check; nothing here changes the timing. The check keeps the first violation
 * or out-of-memory error. */
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
typedef struct check_data check_data_t; /* bytes in flight, at most a line */

typedef struct {
  uint32_t sms, l1d_lines, mshr_entries;      /* of one SM */
  uint32_t slices, l2_lines, l2_mshr_entries; /* of one slice */
  bool misplaced;   /* write-backs are served at a wrong address (L2_WB_ADDRESS_BUG) */
  uint32_t hazards; /* only HAZARD_L2_WRITE_BACK matters here */
} check_cfg_t;

typedef struct {
  uint64_t loads, stores;         /* per thread: issued, to global memory */
  uint64_t hits, fills, bypasses; /* loads per thread, by the source of their data */
  uint64_t stale;        /* those of them with a byte that differs from the functional memory */
  uint64_t transactions; /* of stores */
  uint64_t atomics;      /* per thread, performed by the L2 */
  uint64_t raced;        /* bytes whose last store in memory is not the last one issued */
  uint64_t host_bytes;   /* written between launches */
} check_stats_t;

/* Returns 0, or -1 and a message in err; *out is NULL then. */
int check_create(check_t **out, const check_cfg_t *cfg, mrpb_err_t *err);
void check_destroy(check_t *c);

/* Call once per SM cycle, before anything else in it. */
void check_cycle(check_t *c, uint64_t now);
/* check_launch: a launch of `w` begins. check_end: the last launch has ended. Memory is quiet at
 * both. */
void check_launch(check_t *c, workload_t *w);
void check_end(check_t *c);

/* NULL while no violation has been found. */
const mrpb_err_t *check_failed(const check_t *c);
const check_stats_t *check_stats(const check_t *c);
/* Lists the loads that wait for data, for the report of a hang. */
void check_dump(const check_t *c, FILE *out);

/* ---- one SM ---------------------------------------------------------------- */

check_sm_t *check_sm(check_t *c, unsigned sm);

/* Warp slot `warp` begins and ends its life as a warp of `block`. */
void check_warp_starts(check_sm_t *s, unsigned warp, uint32_t block);
void check_warp_ends(check_sm_t *s, unsigned warp);

/* A load or store to global memory is about to issue. `addr` and `mask` are its lanes, t[0] to
 * t[n - 1] its transactions. data[i] becomes what transaction i of a store writes; the caller
 * passes it to l1d_attach. */
void check_issue(check_sm_t *s, unsigned warp, const warp_stream_t *stream, const warp_inst_t *inst,
                 const uint64_t addr[WARP_LANES], uint32_t mask, const coalesced_t *t, unsigned n,
                 check_data_t *data[]);
/* The load of `warp` into `reg` is complete. */
void check_load_ends(check_sm_t *s, unsigned warp, unsigned reg);

/* A transaction of a load hits line `index` of the L1D, or waits in MSHR entry `entry`, which the
 * table has just allocated for it (`first`) or already held. */
void check_l1_hit(check_sm_t *s, uint32_t index, unsigned warp, unsigned reg, uint64_t addr,
                  uint32_t bytes);
void check_l1_wait(check_sm_t *s, uint32_t entry, bool first, unsigned warp, unsigned reg,
                   uint64_t addr, uint32_t bytes);
/* check_l1_reply: the reply for `entry` is taken. check_l1_fill: its bytes go into line `index`.
 * check_l1_drain: the entry's oldest read leaves; the table says that it is that of `warp` and
 * `reg`, and whether it is the `last` one. */
void check_l1_reply(check_sm_t *s, uint32_t entry, packet_t *p);
void check_l1_fill(check_sm_t *s, uint32_t entry, uint32_t index);
void check_l1_drain(check_sm_t *s, uint32_t entry, unsigned warp, unsigned reg, bool last);
/* No read leaves the table in a cycle in which one could. */
void check_l1_silent(check_sm_t *s);
/* `table` refuses because it has no free entry; `used` of them are in use. */
void check_refused(check_sm_t *s, const char *table, uint32_t used, uint32_t entries);
/* check_l1_write: `data` are written into line `index`, which stays. check_l1_written_back: the
 * bytes of a line that is written back, which the caller's packet takes along. */
void check_l1_write(check_sm_t *s, uint32_t index, check_data_t *data);
check_data_t *check_l1_written_back(check_sm_t *s, uint32_t index);
/* Line `index` is invalid or reserved from now on. */
void check_l1_drop(check_sm_t *s, uint32_t index);
/* check_bypass_sent: a read bypasses the L1D in `p`, with an entry of the PRT or without one (with
 * an MSHR entry it is check_l1_wait instead). check_prt_reply: the PRT has released its entry or
 * not. check_bypass: `p` has returned and is taken for a load of `warp` into `reg`. */
void check_bypass_sent(check_sm_t *s, bool prt, unsigned warp, unsigned reg, uint64_t addr,
                       uint32_t bytes, const packet_t *p);
void check_prt_reply(check_sm_t *s, uint32_t entry, bool released);
void check_bypass(check_sm_t *s, unsigned warp, unsigned reg, const packet_t *p);
/* The packet ends. */
void check_drop(check_sm_t *s, packet_t *p);

/* ---- sectors: in-order cores (gpu/inorder/checked.c) ---------------------------- */

/* What a read asks for: some sectors of 32 bytes of the line at `addr`. */
check_data_t *check_wanted(check_t *c, uint64_t addr, unsigned sectors);
/* The bytes `d` of a reply: those of `sectors` go into line `index` of the L1D, beside what is there;
 * all stay with MSHR entry `entry`; the lanes of the load of `warp` into `reg` that wait for some get
 * them, `fetched` for a line of the L1D or past it. */
void check_sectors_fill(check_sm_t *s, uint32_t index, const check_data_t *d, unsigned sectors);
void check_sectors_entry(check_sm_t *s, uint32_t entry, const check_data_t *d);
void check_sectors_arrive(check_sm_t *s, unsigned warp, unsigned reg, const check_data_t *d,
                          unsigned sectors, bool fetched);
/* Reports what SM `sm` has done against a rule of its own. */
void check_broken(check_sm_t *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- an L1 that carries the bytes itself (gpu/pipeline/l1_path.c) ---------------- */

/* A word that the L1 answers for `lane`. If it completes the lane's element, `first` is the
 * element's address and `bytes` its size; otherwise bytes is 0. */
typedef struct {
  uint64_t addr, first;
  uint32_t word, bytes;
  unsigned lane;
} check_word_t;
/* check_path_got: the reply `p` goes into the L1. check_path_word: the word at byte `at` of its line.
 * check_path_answer: the L1 answers, for the load of `warp` into `reg`, a word that a reply must have
 * brought. */
void check_path_got(check_sm_t *s, const packet_t *p);
uint32_t check_path_word(const packet_t *p, unsigned at);
void check_path_answer(check_sm_t *s, unsigned warp, unsigned reg, const check_word_t *w);
/* check_store_word: the stored bytes of the word at `addr`, at their places. check_path_store: a store has been given to the L1, with `data` of check_issue. check_path_written:
 * the L1 writes the bytes `has` of a line; returns the data of the store for the packet. */
uint32_t check_store_word(const check_data_t *data, uint64_t addr);
void check_path_store(check_sm_t *s, check_data_t *data);
check_data_t *check_path_written(check_sm_t *s, uint64_t line, const uint8_t byte[COALESCER_LINE],
                                 const uint64_t has[2]);

/* ---- a memory that answers at once: ports ------------------------------------- */

/* A request is done: a read gets the bytes that memory has now, a store or an atomic is performed. */
void check_at_once(check_t *c, packet_t *p);

/* ---- L2 and DRAM ----------------------------------------------------------- */

#define CHECK_NO_LINE UINT32_MAX

void check_l2_read(check_t *c, uint32_t slice, uint32_t line, packet_t *p);
void check_l2_write(check_t *c, uint32_t slice, uint32_t line, packet_t *p);
/* An atomic that missed: check_l2_serve performs it. */
void check_l2_atomic_miss(check_t *c, const packet_t *p);
/* A write that missed, and the allocate read that goes with it. */
void check_l2_write_miss(check_t *c, packet_t *p, packet_t *alloc);
/* `line` is evicted; `write_back` takes its bytes along. It is NULL if the line was not
 * modified. */
void check_l2_evict(check_t *c, uint32_t slice, uint32_t line, packet_t *write_back);
/* `p` has returned from the DRAM for `entry`; then each request of the entry is served, in order;
 * `line` takes the bytes of the entry after the last one. */
void check_l2_returned(check_t *c, uint32_t slice, uint32_t entry, packet_t *p);
void check_l2_serve(check_t *c, uint32_t slice, uint32_t entry, packet_t *p);
void check_l2_fill(check_t *c, uint32_t slice, uint32_t entry, uint32_t line);
/* The last column command of `p` has issued. */
void check_dram(check_t *c, packet_t *p);

#endif
