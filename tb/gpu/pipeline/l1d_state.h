/* SPDX-License-Identifier: Apache-2.0 */
/* State of the L1 data cache, shared by l1d*.c only. */
#ifndef L1D_STATE_H
#define L1D_STATE_H

#include "config/verilog_params.h"
#include "gpu/pipeline/l1d.h"

enum { LINE_LOG2 = 7, ADDR_W = SM_LINE_ADDR_W, REG_W = 10, WARP_W = 6, MAX_ENTRIES = 128 };

#define NO_LINE UINT64_MAX

/* The data of an MSHR entry that neither the table nor l1d.line holds. */
typedef struct {
  uint32_t owner; /* on whose behalf */
  uint32_t index; /* allocate on miss: the reserved line */
  bool filled;    /* the line has arrived, its reads drain */
} fetch_t;

/* Members that every cycle reads come first. */
struct l1d {
  packet_queue_t queue;
  unsigned count;   /* MSHR entries in use */
  unsigned filled;  /* waiting reads in ready entries: an upper bound, 0 if there are none */
  bool clocked;     /* the MSHR table is used in this cycle, or is clocked in every cycle */
  bool released;    /* the ready read is the last one of its entry */
  bool leaving;     /* and it is taken in this cycle */
  uint8_t draining; /* its entry */
  uint64_t read;    /* the ready read: warp and register */
  /* Counts of events after which a refused access may get another answer. */
  uint64_t changes; /* of the tags: accesses and fills */
  uint64_t sent;    /* entries that left the miss queue */
  uint64_t tables;  /* of the MSHR table: drained reads, bypassed reads */

  tag_array_t *tags;
  mshr_in_t in;
  packet_pool_t *pool;
  l1d_cfg_t cfg;
  uint32_t hazards;
  check_sm_t *check; /* NULL: packets carry no data */
  uint64_t bypasses;
  unit_t mshr;
  /* Line address that each MSHR entry waits for; NO_LINE if it is free or holds a bypassed read. */
  uint64_t line[MAX_ENTRIES];
  fetch_t fetch[MAX_ENTRIES];
  uint64_t
      *kept; /* of each tag array line: 1 + its line address if it must be written back, else 0 */
  check_data_t *written_back; /* checking mode: its bytes */
  uint64_t replaced;          /* the same for the line replaced by the last miss */
  uint32_t hit;               /* tag array line of the last kept write */
  l1d_stats_t stats;
};

#endif
