/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU as a micro-benchmark sees it: SMs that issue in order, the load/store unit with its L1D and
 * its MSHR table or PRT (the clocked modules of cmodel/, or their Verilog), TLBs, L2, DRAM, caches
 * for constants, instructions and textures, shared memory; one clock, the shader clock. Papers 000,
 * 002, 003, 004. See docs/device/README.md. */
#ifndef DEVICE_H
#define DEVICE_H

#include "config/config.h"
#include "err.h"
#include "gpu/gpu.h"
#include "parts/unit.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct device device_t;

typedef struct {
  const config_t *cfg;
  workload_t *workload;        /* the device passes it the clock */
  const unit_choice_t *choice; /* NULL: the C models; the SM of the first block */
} device_setup_t;

typedef enum {
  DEVICE_DONE,     /* every warp has ended */
  DEVICE_DEADLOCK, /* no warp can ever continue */
  DEVICE_SPINS,    /* not ended after `limit` cycles */
  DEVICE_REFUSED,  /* a block needs more than an SM has; `err` says what */
  DEVICE_NONE,     /* the workload has no further launch */
  DEVICE_FAILED    /* lockstep mismatch, out of memory, or a fault of the program: see `err` */
} device_end_t;

/* For one launch. */
typedef struct {
  uint64_t cycles, warp_insts;
  uint64_t loads, load_lines;
  uint64_t l1_hits, l2_hits, dram, host; /* lines */
  uint64_t merges;                       /* lines that joined an outstanding one of the SM */
  uint64_t coalesced;                    /* lines that the LRC joined with another SM's */
  uint64_t write_backs;                  /* written lines that went from the L2 to the DRAM */
  uint64_t bypasses;                     /* lines that were read past the L1D */
  uint64_t stall_table, stall_merge, stall_line; /* refusals: table full, entry full, no line */
  uint64_t tlb1_misses, tlb2_misses, tlb3_hits, walks, windows;
  uint32_t table_most; /* most entries in use at once */
} device_stats_t;

int device_create(device_t **out, const device_setup_t *setup, mrpb_err_t *err);
void device_destroy(device_t *d);

/* Runs the workload's next launch for at most `limit` cycles. The first block goes to SM
 * `first_sm`. L1 data and texture caches are empty at the start of a launch. All other caches keep
 * their contents, but an SM whose last launch did not end starts as after power-on. */
device_end_t device_run(device_t *d, unsigned first_sm, uint64_t limit, mrpb_err_t *err);

const device_stats_t *device_stats(const device_t *d);
const config_t *device_cfg(const device_t *d);
/* The host copies `bytes` to `addr`; the data pass through the L2 (paper 000, section 3.3). */
void device_copy_in(device_t *d, uint64_t addr, uint64_t bytes);
/* Other data have passed through the L2: it holds nothing that was read before. */
void device_flush(device_t *d);
/* Addresses from `from` to `to` (exclusive) are pinned host memory. */
void device_set_host(device_t *d, uint64_t from, uint64_t to);
/* Resets to the state after power-on: L2, TLBs and the caches for constants and instructions are
 * empty. */
int device_forget(device_t *d, mrpb_err_t *err);

/* Writes where every unended warp stands, one line each, for the report of a deadlock. */
void device_dump(const device_t *d, FILE *out);

#endif
