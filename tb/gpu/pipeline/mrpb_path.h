/* SPDX-License-Identifier: Apache-2.0 */
/* Part `mrpb_path`: the queues of the MRPB between the coalescer and the L1D (MRPB = 1 and
 * MRPB_REORDER = 1). */
#ifndef SM_MRPB_PATH_H
#define SM_MRPB_PATH_H

#include "gpu/pipeline/bypass.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"
#include "mrpb.h"
#include "parts/bypass_policy.h"

/* A request inside the MRPB; the MRPB's payload refers to it. */
typedef struct {
  sm_request_t r;
  uint16_t next_free;
  uint8_t warp, queue;
  bool write;
  bool inside; /* false before it has entered and after it has left */
  uint64_t entered;
} sm_held_t;

/* The request that the MRPB presents. */
typedef struct {
  bool valid; /* it is known; false also if there is none */
  bool write;
  bool bypasses; /* refused for the last reason, it may bypass the L1D */
  uint8_t warp;
  uint16_t number; /* index in sm_mrpb_path_t.pool */
} sm_front_t;

/* The largest MRPB_ANSWER and MRPB_QUEUES. */
enum { SM_MRPB_MAX_ANSWER = 4, SM_MRPB_MAX_QUEUES = 64 };

/* A cycle in which nothing entered or left and the registers did not change. The next cycle is the
 * same if it finds these values again. */
typedef struct {
  bool valid;
  uint8_t slot;            /* instruction for the L1D in the dispatch register, */
  unsigned left, prt_used; /* its remaining transactions */
  sm_stall_t stall;
} sm_rest_t;

/* Without queues all members are 0. held is the number of requests in the MRPB: that many numbers
 * are not on the list that begins at `free`. held < room always. Numbers from `used` on have not
 * been used yet and are on no list. `gone`, the number freed in a cycle, can be used again from the
 * next cycle on. `in` is at rest unless clocked. */
typedef struct {
  bool clocked;                 /* the MRPB takes part in this cycle's edge */
  bool stepped;                 /* the edge has already happened */
  bool order_err;               /* in the cycle in which it was last asked */
  const char *broken;           /* an act impossible for an MRPB; NULL: none */
  bool flush_full, flush_write; /* its flush outputs in the last cycle */
  bool unbounded;               /* MRPB_DEPTH = 0 */
  uint16_t free;
  unsigned held;
  int gone;               /* -1: none */
  uint64_t entered, left; /* last cycles in which a request entered, left */
  sm_front_t front;
  uint16_t tried;  /* the request that was last offered to the L1D, or to bypass */
  unsigned answer; /* MRPB_ANSWER; if it is not 0: */
  sm_front_t asked[SM_MRPB_MAX_ANSWER]; /* what was presented to the L1D; [0] is answered now */
  bool again;                           /* the L1D refused a request in the previous cycle */
  sm_rest_t rest;
  sm_held_t *pool;
  uint16_t of_warp[SM_MAX_WARPS];        /* requests in `held`, by warp */
  uint16_t of_queue[SM_MRPB_MAX_QUEUES]; /* by queue */
  bypass_policy_t policy;
  unsigned number_w, room, used, latency;
  mrpb_in_t in;
  unit_t unit;
} sm_mrpb_path_t;

int sm_mrpb_path_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err);
void sm_mrpb_path_destroy(sm_mrpb_path_t *m);

static inline const sm_held_t *sm_mrpb_path_tried(const sm_mrpb_path_t *m) {
  return &m->pool[m->tried];
}
static inline unsigned sm_mrpb_path_held(const sm_mrpb_path_t *m) {
  return m->held;
}
static inline unsigned sm_mrpb_path_of_warp(const sm_mrpb_path_t *m, unsigned warp) {
  return m->of_warp[warp];
}
/* The unit is clocked in every cycle. */
static inline bool sm_mrpb_path_every_cycle(const sm_mrpb_path_t *m) {
  return m->unit.every_cycle;
}
static inline const unit_t *sm_mrpb_path_unit(const sm_mrpb_path_t *m, const uint64_t **in) {
  *in = (const uint64_t *)&m->in;
  return &m->unit;
}

/* What an MRPB gets as the in-block warp ID of a request: with the signature `sub-core` the number
 * of the warp's scheduler. */
unsigned sm_mrpb_path_block_warp(const sm_t *sm, unsigned warp);

/* One request leaves for the L1D or bypasses it; one request of the dispatch register, or a
 * barrier, enters. */
void sm_mrpb_path_cycle(sm_t *sm, uint64_t now);
/* The request that the MRPB presents in the coming cycle; false if there is none.
 * sm_mrpb_path_asks_l1d: the L1D is asked for it, answers in that cycle, and alone decides whether it
 * may bypass. */
bool sm_mrpb_path_shows(sm_t *sm, uint64_t *addr, bool *write);
bool sm_mrpb_path_asks_l1d(const sm_mrpb_path_t *m);
int sm_mrpb_path_edge(sm_t *sm, uint64_t now, mrpb_err_t *err);

uint64_t sm_mrpb_path_next(const sm_t *sm, uint64_t from);
void sm_mrpb_path_idle(sm_t *sm, uint64_t n);

#endif
