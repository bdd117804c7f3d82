/* SPDX-License-Identifier: Apache-2.0 */
/* Part `side`: accesses that go to neither L1D nor MRPB: shared memory, constant cache, texture
 * cache. The LDST unit's cycle calls it. */
#ifndef SM_SIDE_H
#define SM_SIDE_H

#include "gpu/pipeline/ldst.h"
#include "gpu/pipeline/rocache.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/texcache.h"
#include "parts/shared.h"

enum { SM_SHARED_STAGES = 3 };

/* While not busy, the pipeline of shared memory is empty and nothing is outstanding in the
 * caches. */
typedef struct {
  sm_writeback_t shared[SM_SHARED_STAGES]; /* loads; the one in stage 0 requests write-back */
  rocache_t *l1c;
  texcache_t *l1t;
  bool busy; /* an access may be in flight */
} sm_side_t;

int sm_side_create(sm_t *sm, mrpb_err_t *err);
void sm_side_destroy(sm_t *sm);

/* `i` issues: computes the transactions of its active lanes, or the cycles of a shared memory
 * access. */
void sm_side_coalesce(sm_t *sm, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                      uint32_t mask, sm_accesses_t *a);

static inline bool sm_side_busy(const sm_side_t *s) {
  return s->busy;
}
/* True if `client` has something to write back, which goes into `wb`. */
bool sm_side_writeback(sm_t *sm, unsigned client, sm_writeback_t *wb);
void sm_side_step(sm_t *sm); /* advances the pipeline of shared memory */
void sm_side_fill(sm_side_t *s, const packet_t *p, uint64_t now);
/* sm_side_sends: sm_side_send may send requests, one for each cache. */
bool sm_side_sends(const sm_side_t *s);
void sm_side_send(sm_t *sm);
/* sm_side_access: one access of the dispatch register's instruction, which is not for the L1D.
 * sm_side_leave: true if that instruction, now finished, can leave. */
void sm_side_access(sm_t *sm, uint64_t now);
bool sm_side_leave(sm_t *sm);

uint64_t sm_side_next(const sm_side_t *s, uint64_t from);
unsigned sm_side_outstanding(const sm_side_t *s);

#endif
