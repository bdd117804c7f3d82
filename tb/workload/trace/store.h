/* SPDX-License-Identifier: Apache-2.0 */
/* A trace in a temporary file (spill.h): launches one behind another, and each warp's records, packed,
 * as a chain. It is written once, whole, and then read launch by launch, any warp at any place. What
 * it needs of memory does not depend on how long it is. */
#ifndef STORE_H
#define STORE_H

#include "err.h"
#include "workload/trace/spill.h"
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

/* The 2 MB pages that global accesses touch, in the order of addresses. */
enum { TRACE_PAGES = 1024 };
typedef struct {
  uint64_t page[TRACE_PAGES];
  unsigned n, last;  /* last: where the latest was found */
  bool beyond, many; /* an address beyond 32 bits; more pages than there is place for */
} trace_pages_t;

/* Names live as long as the store, each once. */
enum { TRACE_NAMES = 4096, TRACE_NAME = 8192, TRACE_NAME_BYTES = 1 << 25 };

typedef struct {
  spill_t *spill;
  launch_t launch; /* the one that is written or read */
  struct trace_name *names[TRACE_NAMES];
  size_t name_bytes;
  uint32_t warps_per_block;
  uint64_t chains;      /* of its warps, from here on: block * warps_per_block + warp */
  uint64_t ended;       /* warps, while it is written */
  uint64_t launches;    /* of the trace */
  uint64_t first, last; /* places of their heads */
  uint64_t following;   /* place of the head that trace_store_next reads */
  trace_pages_t pages;
} trace_store_t;

/* 0, or -1 and a message: no memory, or no temporary file. */
int trace_store_open(trace_store_t *s, mrpb_err_t *err);
void trace_store_free(trace_store_t *s);

/* ---- writing; -1 and a message --------------------------------------------- */

/* Every warp of the launch before must have ended. */
int trace_store_launch(trace_store_t *s, const char *name, uint64_t blocks, uint64_t threads,
                       uint64_t regs, uint64_t shared, mrpb_err_t *err);
/* Appends to the last launch's warp: there must be such a warp, and it must not have ended. Global
 * addresses beyond 32 bits must lie in TRACE_PAGES pages with all others. */
int trace_store_add(trace_store_t *s, uint64_t block, uint64_t warp, const trace_record_t *r,
                    mrpb_err_t *err);
/* Every warp of the last launch must have ended. */
int trace_store_check(trace_store_t *s, mrpb_err_t *err);
/* There must be a launch, and every warp must have ended. From now on it is read. */
int trace_store_end(trace_store_t *s, mrpb_err_t *err);

/* ---- reading --------------------------------------------------------------- */

/* The next launch, as s->launch: 1, 0 if there is none, -1 and a message. */
int trace_store_next(trace_store_t *s, mrpb_err_t *err);
/* Unpacks the record at `at`; the start of the next one. If any address of the trace is beyond 32
 * bits, every touched page has a place from 0x80000000 on, in the order of addresses. */
const uint8_t *trace_unpack(trace_store_t *s, const uint8_t *at, trace_record_t *r);

/* The workload that plays the store, which it takes over. NULL when out of memory. */
workload_t *trace_play(trace_store_t *s);

#endif
