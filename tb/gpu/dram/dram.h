/* SPDX-License-Identifier: Apache-2.0 */
/* One GDDR5 channel of a memory partition: fixed extra latency, FR-FCFS scheduler, banks, data
 * pipe, return queue. One command (activate, precharge, column read or write) a cycle; open page;
 * precharge on conflict only. Called once per DRAM command cycle; the extra latency alone counts SM
 * cycles, as in the reference. Timing, unloaded, from input queue to data: {0, RCD, RP + RCD} + CL
 * + (columns - 1) * CCD of the same group. Follows GPGPU-Sim 3.2.0 (dram.cc, dram_sched.cc). Not
 * modelled: refresh, power-down, write draining, four-activate window, the FIFO scheduler. */
#ifndef DRAM_H
#define DRAM_H

#include "config/config.h"
#include "gpu/check/check.h"
#include "err.h"
#include "parts/requests.h"

/* The keys of keys.def whose part is DRAM, with their ranges and defaults (tRCD: at least WL + 1;
 * for a write: RCD - (WL + 1)), followed by the fields that no key sets. */
typedef struct {
#define PART_DRAM(field, to, ...) uint32_t to;
#include "config/each_key.h"
  uint32_t burst;           /* BL, data beats, 1 .. 32; 8 */
  uint32_t beats_per_cycle; /* data clock / command clock, 1 .. 8, divides burst; 4 */
  uint32_t bus_bytes;     /* of one chip, 1 .. 32; 4. A column is burst * bus_bytes * chips bytes */
  uint32_t columns_first; /* 0 .. 1; 1: reads and writes come before activates and precharges; 0 */
  /* Position of bank and row in the partition address; all other bits are column. */
  uint32_t bank_lsb; /* 0 .. 40; 12 */
  uint32_t row_lsb;  /* 0 .. 40; 16 */
  uint32_t row_bits; /* 1 .. 32; 12. Higher address bits are ignored, as in the reference */
} dram_cfg_t;

typedef struct {
  uint64_t cycles;
  uint64_t requests;      /* entered the scheduler */
  uint64_t reads, writes; /* column commands */
  uint64_t activates, precharges;
  uint64_t row_hits;    /* requests served without an activate: requests - activates */
  uint64_t busy;        /* cycles with a request in scheduler, banks or data pipe */
  uint64_t data_cycles; /* cycles of data bus use: column commands * burst / beats_per_cycle */
  /* Finished requests; the write-backs are among the writes. */
  uint64_t read_requests, write_requests, write_backs;
  uint64_t queue_max;
} dram_stats_t;

typedef struct dram dram_t;

void dram_defaults(dram_cfg_t *cfg);
/* The defaults, overridden by the keys of `c`. */
dram_cfg_t dram_configured(const config_t *c);
int dram_check(const dram_cfg_t *cfg, mrpb_err_t *err);
/* Finished write-backs are freed into `pool`. */
int dram_create(dram_t **out, const dram_cfg_t *cfg, packet_pool_t *pool, mrpb_err_t *err);
void dram_destroy(dram_t *d);

/* From now on packets carry data (docs/check.md). */
void dram_set_check(dram_t *d, check_t *check);
/* Follows the requests that packets carry; NULL: nobody does. */
void dram_set_requests(dram_t *d, requests_t *requests);

/* One command cycle at SM cycle `now`, in this order: a finished request -> `to_l2` (if not full),
 * the channel, then one request from `from_l2` -> fixed delay -> scheduler. */
void dram_cycle(dram_t *d, packet_queue_t *from_l2, packet_queue_t *to_l2, uint64_t now);

/* The channel alone, for trace runs. dram_full: no room in the scheduler's input; dram_push:
 * straight into that input; dram_step: one command cycle; dram_pop: a finished request, NULL if
 * none. */
bool dram_full(const dram_t *d);
void dram_push(dram_t *d, packet_t *p);
void dram_step(dram_t *d);
packet_t *dram_pop(dram_t *d);

/* Requests inside, including those in the fixed delay and the return queue. 0 means that a cycle
 * with an empty `from_l2` only counts time. */
uint32_t dram_in_flight(const dram_t *d);

/* Returns the number of coming cycles in which nothing is decided, arrives or leaves while
 * `from_l2` is empty or the channel full, and `now` is before *ready, the end of the oldest request's
 * fixed delay (UINT64_MAX: none, or the channel is full). dram_skip(d, n) has the same effect as n such cycles; with nothing in flight
 * n may be any number. */
uint64_t dram_quiet(const dram_t *d, uint64_t *ready);
void dram_skip(dram_t *d, uint64_t n);

const dram_stats_t *dram_stats(const dram_t *d);

typedef enum {
  DRAM_NONE,
  DRAM_ACTIVATE,
  DRAM_PRECHARGE,
  DRAM_READ,
  DRAM_WRITE,
  DRAM_COMMANDS
} dram_command_t;
/* The command of the last cycle, with its bank and row. For tests, traces and waves. */
dram_command_t dram_last_command(const dram_t *d, uint32_t *bank, uint32_t *row);

#endif
