/* SPDX-License-Identifier: Apache-2.0 */
/* A memory (gpu/memories/memory.h) that can say at once when data arrive: L2, DRAM, pinned host memory, TLBs, the second and
 * third level of constants and instructions, each with a latency, and ports with a data rate
 * between them. Papers 000, 002, 003, 004; docs/device/README.md. One time, in cycles of the cores.
 * A read is accounted for when it is requested, so requests must be made in the order of time. */
#ifndef GPU_PORTS_H
#define GPU_PORTS_H

#include "config/config.h"
#include "err.h"
#include "gpu/memories/memory.h"
#include "prng.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ports ports_t;

enum { PORTS_LINE_LOG2 = 7 };
/* Which of `n` slices or channels has the line of `addr`: each n neighbouring lines are in all of
 * them, in an order that no stride meets. */
static inline uint32_t ports_part(uint64_t addr, uint32_t n) {
  if (n == 1) return 0;
  uint64_t line = addr >> PORTS_LINE_LOG2, group = line / n;
  return (uint32_t)((line + (prng_splitmix(&group) >> 32)) % n);
}

/* Since the memory was created. */
typedef struct {
  uint64_t l2_hits, dram, host;                /* lines that are read */
  uint64_t writes, write_backs;                /* to the L2; lines that it wrote to the DRAM */
  uint64_t dram_bytes, back_bytes;             /* read from the DRAM, and written to it */
  uint64_t asked_bytes;                        /* by the SMs, before an LRC */
  uint64_t read_bytes, hit_bytes, write_bytes; /* of L2 reads, their hits, writes */
  uint64_t coalesced;                          /* lines that the LRC joined with another SM's */
  uint64_t tlb1_misses, tlb2_misses, tlb3_hits, walks, windows;
} ports_stats_t;

typedef struct {
  const config_t *cfg;
  unsigned sms; /* cores before it */
  const uint64_t *now;
} ports_setup_t;

/* Returns 0, or -1 and a message in err. `now` must outlive the memory; of `cfg` it makes a copy. */
int ports_create(gpu_memory_t **out, const ports_setup_t *setup, mrpb_err_t *err);
/* A memory of this class as such; NULL if it is of another. */
ports_t *ports_of(gpu_memory_t *m);
/* Replies on their way to SM `sm`, if its cores wait for replies. */
unsigned ports_replies(const ports_t *p, unsigned sm);
/* All caches and TLBs are empty, as after power-on. Returns 0, or -1 and a message in err. */
int ports_forget(ports_t *p, mrpb_err_t *err);
/* SM `sm` starts anew: nothing is on its way to it. */
void ports_new_sm(ports_t *p, unsigned sm);

/* When the `sectors` (a bit each) of the line at `addr` arrive at SM `sm` that were requested at
 * `issued` and take `latency` if they hit the L2. `fetched`: for the L1D. `alone`: never joined with
 * other requests for the line. */
uint64_t ports_read(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, uint64_t issued,
                    uint32_t latency, bool fetched, bool alone);
/* True if the last ports_read waits for data from the DRAM or the host. */
bool ports_far(const ports_t *p);
/* Returns when the L2 has taken the data. `whole`: of every sector all bytes are written. */
uint64_t ports_write(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, bool whole);
/* An atomic without a result; returns when it has been performed. Needs L2_ATOMIC. */
uint64_t ports_reduce(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors);
/* Data that were read are written there at `at`; returns when that is done. */
uint64_t ports_changed(ports_t *p, uint64_t addr, unsigned sectors, uint64_t at);
/* Constants and instructions that miss the L1 of the SM: additional cycles over a hit there. */
uint32_t ports_beyond(ports_t *p, unsigned sm, uint64_t addr, uint64_t at);
/* A launch begins with the code at `addr`: the L2 of every cluster for instructions gets its first
 * LAUNCH_PREFETCH bytes. */
void ports_prefetch(ports_t *p, uint64_t addr);

/* The host copies `bytes` to `addr`; the data pass through the L2 (paper 000, section 3.3). */
void ports_copy_in(ports_t *p, uint64_t addr, uint64_t bytes);
/* Other data have passed through the L2: it holds nothing that was read before. */
void ports_flush(ports_t *p);
/* Addresses from `from` to `to` (exclusive) are pinned host memory. */
void ports_set_host(ports_t *p, uint64_t from, uint64_t to);

const ports_stats_t *ports_stats(const ports_t *p);

#endif
