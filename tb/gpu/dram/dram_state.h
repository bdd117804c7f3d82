/* SPDX-License-Identifier: Apache-2.0 */
/* State of a DRAM channel, shared by dram.c (interface, data pipe, fixed delay) and dram_sched.c
 * (FR-FCFS, commands) only. A timer holds the first cycle in which its command may issue. */
#ifndef DRAM_STATE_H
#define DRAM_STATE_H

#include "gpu/dram/dram.h"

enum { DRAM_MAX_BANKS = 64 };

typedef struct {
  packet_t *serving; /* request that the bank works on, NULL if none */
  bool active;       /* a row is open */
  bool opened;       /* the row was opened for `serving` */
  uint32_t row; /* open row, or the last one: the release's scheduler looks at it in both cases */
  uint32_t group;
  dram_command_t next;              /* the command that it needs next; NONE: it serves nothing */
  packet_queue_t waiting;           /* oldest first */
  uint64_t rcd, rcdwr, ras, rp, rc; /* row timers */
  uint64_t wtp, rtp;                /* write to precharge, read to precharge */
  uint64_t at;                      /* the bank's own limit for its next command */
} dram_bank_t;

typedef struct {
  uint64_t ccdl, rtpl;
} dram_group_t;

/* The data pipe: the last column command of each request. It leaves at a certain count of pipe
 * advances; the pipe advances once a cycle except while the return queue is full. */
typedef struct {
  packet_t *p;
  uint64_t at; /* number of the advance at which it leaves */
} dram_slot_t;

struct dram {
  /* Members that every cycle reads come first. */
  uint64_t cycle;
  uint64_t wake;     /* before this cycle only the pipe advances */
  dram_slot_t *pipe; /* CL + 1 slots */
  uint32_t pipe_head, pipe_count;
  uint64_t advances; /* so far */
  uint64_t last_at;  /* that count for the newest column command of all */
  uint32_t pipe_min; /* advances from command to data: CL, or WL after a write */
  uint32_t pending;  /* requests in the scheduler */
  uint32_t inside;   /* requests in input, scheduler, banks and pipe */
  dram_command_t command;
  uint32_t command_bank, command_row;
  packet_queue_t returned, delay, input;
  dram_stats_t stats;

  dram_cfg_t cfg;
  packet_pool_t *pool;
  check_t *check;                               /* NULL: packets carry no data */
  requests_t *requests;                         /* NULL: nobody follows them */
  uint32_t t_rcdwr, t_rtw, t_wtr, t_wtp, t_rtp; /* derived values */
  uint32_t column_bytes;

  uint64_t serving_mask, waiting_mask;
  uint64_t needs[DRAM_COMMANDS]; /* banks by the command they need next, once they have served */
  uint32_t prio;                 /* bank that is checked first */
  uint64_t ccd, rrd, rtw, wtr;
  dram_bank_t bank[DRAM_MAX_BANKS];
  dram_group_t group[DRAM_MAX_BANKS];
};

/* Accepts requests from `input` into the scheduler and assigns one to an idle bank. True if it did
 * either. */
bool dram_schedule(dram_t *d);

/* Issues at most one command. True if one issued; else *wake is lowered to a cycle before which
 * none may issue. */
bool dram_issue(dram_t *d, uint64_t *wake);

/* After a cycle in which either did something: a cycle before which neither will do anything again,
 * unless a request enters. */
uint64_t dram_next(const dram_t *d);

#endif
