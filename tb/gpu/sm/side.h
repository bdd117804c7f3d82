/* SPDX-License-Identifier: Apache-2.0 */
/* Part `side`: accesses that go neither to the L1D nor to the MRPB: shared memory, constant cache,
 * texture cache. Called where the LDST unit's cycle says. */
#ifndef SM_SIDE_H
#define SM_SIDE_H

#include "gpu/sm/ldst.h"
#include "gpu/sm/rocache.h"
#include "gpu/sm/run.h"
#include "gpu/sm/texcache.h"
#include "parts/shared.h"

enum { SM_SHARED_STAGES = 3 };

/* While it is not busy nothing is in the pipeline of shared memory or outstanding in the caches. */
typedef struct {
  sm_writeback_t shared[SM_SHARED_STAGES]; /* loads; the one in stage 0 asks for write-back */
  rocache_t *l1c;
  texcache_t *l1t;
  bool busy; /* an access may be on its way */
} sm_side_t;

int sm_side_create(sm_t *sm, mrpb_err_t *err);
void sm_side_destroy(sm_t *sm);

/* `i` issues: the transactions of its active lanes, of shared memory the cycles. */
void sm_side_coalesce(sm_t *sm, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                      uint32_t mask, sm_accesses_t *a);

static inline bool sm_side_busy(const sm_side_t *s) {
  return s->busy;
}
/* True if `client` has something to write back: into `wb`. */
bool sm_side_writeback(sm_t *sm, unsigned client, sm_writeback_t *wb);
void sm_side_step(sm_t *sm); /* the pipeline of shared memory */
void sm_side_fill(sm_side_t *s, const packet_t *p, uint64_t now);
void sm_side_send(sm_t *sm);
/* The dispatch register's instruction, which is not for the L1D; true if, finished, it can leave.
 */
void sm_side_access(sm_t *sm, uint64_t now);
bool sm_side_leave(sm_t *sm);

uint64_t sm_side_next(const sm_side_t *s, uint64_t from);
unsigned sm_side_outstanding(const sm_side_t *s);

#endif
