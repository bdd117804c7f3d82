/* SPDX-License-Identifier: Apache-2.0 */
/* A trace in memory: launches, their warps, and each warp's records packed one behind another. */
#ifndef STORE_H
#define STORE_H

#include "err.h"
#include "workload/workload.h"

#include <stdbool.h>

enum { TRACE_MAX_WAITS = 63, TRACE_MAX_BLOCKS = 1 << 24, TRACE_MAX_THREADS = 1024 };

typedef enum { TRACE_LOAD, TRACE_STORE, TRACE_BARRIER, TRACE_EXIT } trace_kind_t;

/* One record: `gap` other instructions, which between them waited for the loads `wait` (distances
 * back, 1 is the warp's latest load), and then this one. */
typedef struct {
  trace_kind_t kind;
  warp_space_t space;
  uint8_t elem;
  uint32_t gap;
  unsigned n_wait;
  uint8_t wait[TRACE_MAX_WAITS]; /* 1 .. TRACE_MAX_WAITS */
  uint32_t mask;
  uint64_t addr[WARP_LANES]; /* of active lanes */
} trace_record_t;

typedef struct {
  uint8_t *bytes;
  size_t n, room;
  bool ended;
} trace_warp_t;

typedef struct {
  launch_t launch;
  char *name;
  uint32_t warps_per_block;
  trace_warp_t *warp; /* block * warps_per_block + warp */
} trace_launch_t;

/* Its tables and records take at most `most` bytes (0: TRACE_MAX_BYTES), and take `bytes` now. */
#define TRACE_MAX_BYTES (UINT64_C(4) << 30)
typedef struct {
  trace_launch_t *launch;
  unsigned n, room;
  uint64_t bytes, most;
} trace_store_t;

/* -1 and a message without memory, beyond `most`, or if a number is out of range. */
int trace_store_launch(trace_store_t *s, const char *name, uint64_t blocks, uint64_t threads,
                       uint64_t regs, uint64_t shared, mrpb_err_t *err);
/* Appends to the last launch's warp. -1: no such warp, one that has ended, or no memory for it. */
int trace_store_add(trace_store_t *s, uint64_t block, uint64_t warp, const trace_record_t *r,
                    mrpb_err_t *err);
/* Every warp of every launch must have ended. */
int trace_store_check(const trace_store_t *s, mrpb_err_t *err);
void trace_store_free(trace_store_t *s);

/* Unpacks the record at `at`; the start of the next one. */
const uint8_t *trace_unpack(const uint8_t *at, trace_record_t *r);

/* Gives every 2 MB page that is touched a place from 0x80000000 on, in the order of addresses, if
 * any address is beyond 32 bits. -1 and a message if they do not fit. */
int trace_store_rebase(trace_store_t *s, mrpb_err_t *err);

/* The workload that plays the store, which it takes over. NULL when out of memory. */
workload_t *trace_play(trace_store_t *s);

#endif
