/* SPDX-License-Identifier: Apache-2.0 */
/* A trace in a temporary file (spill.h): launches one after another, and the packed records of each
 * warp as a chain. It is first written completely, and then read launch by launch, with any warp at
 * any position. Its memory does not depend on the length of the trace. */
#ifndef STORE_H
#define STORE_H

#include "err.h"
#include "workload/trace/spill.h"
#include "workload/workload.h"

#include <stdbool.h>

enum { TRACE_MAX_WAITS = 63, TRACE_MAX_BLOCKS = 1 << 24, TRACE_MAX_THREADS = 1024 };

typedef enum { TRACE_LOAD, TRACE_STORE, TRACE_BARRIER, TRACE_EXIT } trace_kind_t;

/* One record: `gap` other instructions, which among them waited for the loads in `wait`, then the
 * record's own instruction. Waits are distances back; 1 is the warp's latest load. */
typedef struct {
  trace_kind_t kind;
  warp_space_t space;
  uint8_t elem;
  uint32_t gap;
  unsigned n_wait;
  uint8_t wait[TRACE_MAX_WAITS]; /* 1 to TRACE_MAX_WAITS */
  uint32_t mask;
  uint64_t addr[WARP_LANES]; /* valid for active lanes */
} trace_record_t;

/* The 2 MB pages that global accesses touch, in ascending order. */
enum { TRACE_PAGES = 1024 };
typedef struct {
  uint64_t page[TRACE_PAGES];
  unsigned n, last;  /* last: where the latest page was found */
  bool beyond, many; /* an address beyond 32 bits; more pages than fit */
} trace_pages_t;

/* Names live as long as the store; each is kept once. */
enum { TRACE_NAMES = 4096, TRACE_NAME = 8192, TRACE_NAME_BYTES = 1 << 25 };

typedef struct {
  spill_t *spill;
  launch_t launch; /* the launch being written or read */
  struct trace_name *names[TRACE_NAMES];
  size_t name_bytes;
  uint32_t warps_per_block;
  uint64_t chains;      /* the first chain of its warps; index: block * warps_per_block + warp */
  uint64_t ended;       /* number of ended warps, while writing */
  uint64_t launches;    /* number of launches */
  uint64_t first, last; /* places of their heads */
  uint64_t following;   /* place of the head that trace_store_next reads next */
  trace_pages_t pages;
} trace_store_t;

/* 0, or -1 and a message: out of memory, or no temporary file. */
int trace_store_open(trace_store_t *s, mrpb_err_t *err);
void trace_store_free(trace_store_t *s);

/* ---- writing; 0, or -1 and a message --------------------------------------- */

/* Every warp of the previous launch must have ended. */
int trace_store_launch(trace_store_t *s, const char *name, uint64_t blocks, uint64_t threads,
                       uint64_t regs, uint64_t shared, mrpb_err_t *err);
/* Appends to a warp of the latest launch. The warp must exist and must not have ended. If a
 * global address is beyond 32 bits, all global addresses together must lie in at most
 * TRACE_PAGES pages. */
int trace_store_add(trace_store_t *s, uint64_t block, uint64_t warp, const trace_record_t *r,
                    mrpb_err_t *err);
/* Checks that every warp of the latest launch has ended. */
int trace_store_check(trace_store_t *s, mrpb_err_t *err);
/* Ends writing; from now on the store is read. There must be a launch, and every warp must have
 * ended. */
int trace_store_end(trace_store_t *s, mrpb_err_t *err);

/* ---- reading --------------------------------------------------------------- */

/* Reads the next launch into s->launch: 1, 0 if there is none, -1 and a message on an error. */
int trace_store_next(trace_store_t *s, mrpb_err_t *err);
/* Unpacks the record at `at`; returns the start of the next one. If any address of the trace is
 * beyond 32 bits, every touched page is relocated to 0x80000000 and above, in the order of
 * addresses. */
const uint8_t *trace_unpack(trace_store_t *s, const uint8_t *at, trace_record_t *r);

/* A workload that plays the store, whose ownership it takes. NULL if out of memory. */
workload_t *trace_play(trace_store_t *s);

#endif
