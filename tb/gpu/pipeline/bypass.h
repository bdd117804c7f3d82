/* SPDX-License-Identifier: Apache-2.0 */
/* Part `bypass`: reads that leave for the interconnect past the L1D, and the structure that tracks
 * them (BYPASS_TRACKING): the PRT, entries of the MSHR table, or nothing. Used only with an
 * MRPB. */
#ifndef SM_BYPASS_H
#define SM_BYPASS_H

#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"
#include "parts/coalescer.h"
#include "prt.h"

/* What a read that may bypass waited for in the last cycle. */
typedef enum { SM_WAIT_NONE, SM_WAIT_ICNT, SM_WAIT_TABLE, SM_WAIT_STORE } sm_wait_t;

/* A request on its way to the L1D. */
typedef struct {
  coalesced_t t;
  uint8_t offset[COALESCER_LANES];
  uint16_t reg;       /* first destination register of a read */
  uint32_t pc;        /* of its instruction */
  bool local;         /* l1d_request_t */
  uint32_t block;     /* likewise */
  uint64_t issued;    /* SM cycle */
  check_data_t *data; /* checking mode: the bytes it writes */
} sm_request_t;

/* Without an MRPB all members are 0. `used` is the number of PRT entries in use, 0 if the PRT does
 * not do the tracking. `in` is at rest unless asked or clocked. */
typedef struct {
  sm_wait_t wait;
  bool there;
  bool asked;   /* the PRT's inputs are not at rest */
  bool clocked; /* the PRT takes part in this cycle's edge */
  bool line;    /* BYPASS_REPLY: a bypassed read returns its line */
  unsigned used;
  uint32_t which, tracking; /* MRPB_BYPASS, BYPASS_TRACKING */
  prt_in_t in;
  unit_t unit; /* the PRT */
} sm_bypass_t;

int sm_bypass_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err);
static inline void sm_bypass_destroy(sm_bypass_t *b) {
  unit_close(&b->unit);
}

static inline bool sm_bypass_there(const sm_bypass_t *b) {
  return b->there;
}
static inline unsigned sm_bypass_used(const sm_bypass_t *b) {
  return b->used;
}
/* The unit is clocked in every cycle. */
static inline bool sm_bypass_every_cycle(const sm_bypass_t *b) {
  return b->unit.every_cycle;
}
static inline const unit_t *sm_bypass_unit(const sm_bypass_t *b, const uint64_t **in) {
  *in = (const uint64_t *)&b->in;
  return &b->unit;
}

static inline sm_wait_t sm_bypass_waits_for(const sm_bypass_t *b) {
  return b->wait;
}

/* A cycle begins; nothing has tried to bypass yet. */
static inline void sm_bypass_begin(sm_bypass_t *b) {
  b->wait = SM_WAIT_NONE;
}
/* Read `r` of `warp`, refused by the L1D, bypasses it. False if it must stay. */
bool sm_bypass_leave(sm_t *sm, const sm_request_t *r, unsigned warp, uint64_t now);
/* The same for the dispatch register's read, refused for `reason`, if MRPB_REORDER is 0 and it may
 * bypass. */
bool sm_bypass_dispatched(sm_t *sm, l1d_reason_t reason, uint64_t now);

/* The data of a bypassed read arrive. False if they must wait for the write-back register. */
bool sm_bypass_reply(sm_t *sm, packet_t *p, uint64_t now);

int sm_bypass_edge(sm_bypass_t *b, mrpb_err_t *err);

/* True if the read that had to stay with `used` entries in use would have to stay again. */
bool sm_bypass_still_waits(const sm_t *sm, unsigned used);
/* sm_bypass_next: SM_ON_ROOM if a read waits for room in the interconnect. sm_bypass_has_room: true
 * if there is room now. */
static inline uint64_t sm_bypass_next(const sm_bypass_t *b) {
  return b->wait == SM_WAIT_ICNT ? SM_ON_ROOM : SM_ON_INPUT;
}
bool sm_bypass_has_room(const sm_t *sm);

/* `n` cycles end in the current state. */
void sm_bypass_count_wait(sm_t *sm, uint64_t n);
static inline bool sm_bypass_waits(const sm_bypass_t *b) {
  return b->wait != SM_WAIT_NONE;
}

#endif
