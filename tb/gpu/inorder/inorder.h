/* SPDX-License-Identifier: Apache-2.0 */
/* The SMs that micro-benchmarks measure, as a class of cores (gpu/cores/cores.h): they issue in order, and
 * have a load/store unit with its L1D and its MSHR table or PRT (the clocked modules of cmodel/, or
 * their Verilog), caches for constants, instructions and textures, and shared memory. Papers 000, 002, 003, 004; docs/device/README.md.
 *
 * A launch begins with empty L1 data and texture caches. All other caches keep their contents, but
 * an SM whose last launch did not end starts as after power-on. */
#ifndef GPU_INORDER_H
#define GPU_INORDER_H

#include "config/config.h"
#include "gpu/cores/cores.h"
#include "gpu/cores/stacks.h"
#include "gpu/memories/memory.h"
#include "gpu/timeline/timeline.h"
#include "parts/profile.h"
#include "parts/requests.h"
#include "parts/shared.h"
#include "parts/tag_array.h"
#include "parts/unit.h"

typedef struct {
  const config_t *cfg;
  workload_t *workload;
  const unit_choice_t *choice; /* NULL: the C models everywhere */
  gpu_memory_t *memory;
  int shown;            /* the SM of which a wave is made; -1: none */
  requests_t *requests; /* records their loads; NULL: nobody does */
  timeline_t *timeline; /* NULL: none */
  profile_t *profile;   /* counts by instruction and array; NULL: nobody does */
  stacks_t *stacks;     /* cycle stacks over time; NULL: nobody asks */
} inorder_setup_t;

/* Since the cores were created, but table_most: of the launch. */
typedef struct {
  uint64_t warp_insts, thread_insts;
  uint64_t loads, load_lines; /* global and local; atomics that return a value, too */
  uint64_t stores, store_lines, atomics;
  uint64_t l1_hits, l1_misses, merges;           /* lines; merges joined an outstanding one */
  uint64_t stall_table, stall_merge, stall_line; /* refusals: table full, entry full, no line */
  uint64_t load_sectors, store_sectors;
  uint64_t stack[STACK_PARTS]; /* scheduler cycles by what was waited for; issues are warp_insts */
  uint64_t bypasses;           /* of the misses: reads that went past the L1D */
  /* MRPB: requests that entered and left; cycles in which one was not accepted, and of the two
   * flush rules. */
  uint64_t mrpb_in, mrpb_out, mrpb_full, mrpb_flush_full, mrpb_flush_write;
  uint32_t table_most; /* most entries in use at once */
} inorder_stats_t;

/* Returns 0, or -1 and a message in err. What the setup points to must outlive the cores; of `cfg`
 * they make a copy. */
int inorder_create(cores_t **out, const inorder_setup_t *setup, mrpb_err_t *err);

const inorder_stats_t *inorder_stats(const cores_t *c);
/* Resets to the state after power-on: the caches for constants and instructions are empty. */
void inorder_forget(cores_t *c);

/* ---- the shown SM ------------------------------------------------------------ */

/* What an SM did in a cycle, and how it stands at the end of it. */
typedef struct {
  uint64_t live, issuable, waits_data, at_barrier; /* warps, a bit each */
  unsigned blocks, loads;                 /* resident; loads of all warps that await data */
  unsigned issued;                        /* warp instructions */
  unsigned front, shared, service;        /* instructions in the queues of the load/store unit */
  bool blocked;                           /* a look-up was refused, and nothing has changed since */
  unsigned entries;                       /* of the table, in use */
  unsigned l1_hits, l1_misses, merges;    /* lines looked up */
  unsigned no_entry, entry_full, no_line; /* refusals */
  unsigned
      requests[3]; /* to the memory: L2 hits, DRAM reads, writes; packets: reads, atomics, writes */
  unsigned data, replies, filled; /* that arrived: for loads, for the table, in the L1D */
  uint64_t warp_insts;            /* of all cycles */
} inorder_probe_t;

/* `hook` is called twice in a cycle: with `edge` just before the edge of the table of the shown SM,
 * if that SM is run, and without it at the end of the cycle of all SMs. The hook sees cycles in
 * which something may happen; in the others the values hold. `p` is NULL at the edge, and if the SM
 * is not run. */
typedef void (*inorder_hook_t)(void *ctx, bool edge, const inorder_probe_t *p);
void inorder_set_hook(cores_t *c, inorder_hook_t hook, void *ctx);
/* The table of the shown SM, and its inputs in this cycle: those of an idle cycle, except at the
 * edge. */
const unit_t *inorder_table(const cores_t *c, const uint64_t **in);

/* The tags of the L1D. */
tag_array_cfg_t inorder_l1d(const config_t *cfg);
/* The configuration that the key SHARED_BANKS selects. */
const shared_cfg_t *inorder_banks(unsigned shared_banks);

#endif
