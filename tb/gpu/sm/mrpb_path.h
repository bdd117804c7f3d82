/* SPDX-License-Identifier: Apache-2.0 */
/* Part `mrpb_path`: the queues of the MRPB between the coalescer and the L1D (MRPB = 1 and
 * MRPB_REORDER = 1). */
#ifndef SM_MRPB_PATH_H
#define SM_MRPB_PATH_H

#include "gpu/sm/bypass.h"
#include "gpu/sm/run.h"
#include "gpu/sm/sm.h"
#include "mrpb.h"

/* A request inside the MRPB: what its payload stands for. */
typedef struct {
  sm_request_t r;
  uint16_t next_free;
  uint8_t warp;
  bool write;
  bool inside; /* not before it has entered, and not once it has left */
} sm_held_t;

/* The request that the MRPB presents. */
typedef struct {
  bool valid; /* it is known; false also while there is none */
  bool write;
  bool bypasses; /* refused for the last reason, it may leave past the L1D */
  uint8_t warp;
  uint16_t number; /* in sm_mrpb_path_t.pool */
} sm_front_t;

/* A cycle in which nothing entered or left and the registers stood still: what the next one must
 * find again to be like it. */
typedef struct {
  bool valid;
  uint8_t slot;            /* instruction for the L1D in the dispatch register, */
  unsigned left, prt_used; /* its transactions left */
  sm_stall_t stall;
} sm_rest_t;

/* Without queues all of it is 0. held is the number of requests in the MRPB: as many numbers are
 * not on the list that begins at `free`. held < room always; numbers from `used` on have not been
 * used yet and are on no list. The number freed in a cycle, gone, is used again from the next one
 * on. `in` is at rest unless clocked. */
typedef struct {
  bool clocked;                 /* this cycle's edge concerns the MRPB */
  bool stepped;                 /* and it has already had it */
  bool order_err;               /* in the cycle in which it was last asked */
  const char *broken;           /* what it has done that an MRPB never does; NULL: nothing */
  bool flush_full, flush_write; /* its flush outputs in the last cycle */
  bool unbounded;               /* MRPB_DEPTH = 0 */
  uint16_t free;
  unsigned held;
  int gone;               /* -1: none */
  uint64_t entered, left; /* cycles in which a request last did */
  sm_front_t front;
  sm_rest_t rest;
  sm_held_t *pool;
  uint16_t of_warp[SM_MAX_WARPS]; /* of `held`, those of each */
  unsigned number_w, room, used, latency;
  mrpb_in_t in;
  unit_t unit;
} sm_mrpb_path_t;

int sm_mrpb_path_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err);
void sm_mrpb_path_destroy(sm_mrpb_path_t *m);

static inline unsigned sm_mrpb_path_held(const sm_mrpb_path_t *m) {
  return m->held;
}
static inline unsigned sm_mrpb_path_of_warp(const sm_mrpb_path_t *m, unsigned warp) {
  return m->of_warp[warp];
}
/* Its unit is clocked in every cycle. */
static inline bool sm_mrpb_path_every_cycle(const sm_mrpb_path_t *m) {
  return m->unit.every_cycle;
}
static inline const unit_t *sm_mrpb_path_unit(const sm_mrpb_path_t *m, const uint64_t **in) {
  *in = (const uint64_t *)&m->in;
  return &m->unit;
}

/* One request leaves for the L1D or past it; one of the dispatch register's, or a barrier, enters.
 */
void sm_mrpb_path_cycle(sm_t *sm, uint64_t now);
int sm_mrpb_path_edge(sm_t *sm, uint64_t now, mrpb_err_t *err);

uint64_t sm_mrpb_path_next(const sm_t *sm, uint64_t from);
void sm_mrpb_path_idle(sm_t *sm, uint64_t n);

#endif
