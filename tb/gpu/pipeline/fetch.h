/* SPDX-License-Identifier: Apache-2.0 */
/* Part `fetch`: fetch, instruction cache, decode. One fetch of two instructions per cycle. */
#ifndef SM_FETCH_H
#define SM_FETCH_H

#include "gpu/pipeline/rocache.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"

/* While valid, `warp` is running but is in no other mask of the warps: its instructions are decoded
 * in the next cycle. */
typedef struct {
  bool valid;     /* instructions have been fetched but not decoded */
  uint8_t warp;   /* whose they are */
  uint8_t last;   /* the warp looked up last */
  rocache_t *l1i; /* NULL: every fetch hits */
} sm_fetch_t;

int sm_fetch_create(sm_t *sm, mrpb_err_t *err);
void sm_fetch_destroy(sm_t *sm);

void sm_fetch_decode(sm_t *sm);
/* Fetch. sm_fetch_misses, after it: one miss leaves, and one warp whose line has arrived continues. */
void sm_fetch_cycle(sm_t *sm, uint64_t now);
void sm_fetch_misses(sm_t *sm);
/* The reply to a miss; the packet is freed. */
void sm_fetch_fill(sm_t *sm, packet_t *p, uint64_t now);

uint64_t sm_fetch_next(const sm_t *sm, uint64_t from);
unsigned sm_fetch_outstanding(const sm_fetch_t *f);

/* fetch_icache.c. sm_fetch_look_up: true if the warp's next instructions are present; if not, the
 * warp may begin to wait for them. */
bool sm_fetch_look_up(sm_t *sm, unsigned w, uint64_t now);

#endif
