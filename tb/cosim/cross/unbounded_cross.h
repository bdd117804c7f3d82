/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the MRPB with unbounded queues (parts/unbounded.h) with the MRPB of cmodel/. As long as
 * no queue fills, every output of the two must be the same in every cycle.
 * docs/verify/one_model.md */
#ifndef COSIM_UNBOUNDED_CROSS_H
#define COSIM_UNBOUNDED_CROSS_H

#include "mrpb.h"
#include "parts/unbounded.h"

typedef struct {
  uint64_t compared; /* cycles, up to the first that differs */
  bool differs;
  char what[64];                            /* the output that differs */
  uint64_t full;                            /* cycles with a full queue: must be 0 */
  uint64_t left, waits, resets, order_errs; /* events of the stimulus */
} unbounded_cross_t;

typedef int (*unbounded_open_fn)(unit_t *out, const mrpb_cfg_t *cfg, mrpb_err_t *err);

/* Runs `cycles` cycles of the MRPB's lockstep stimulus. Requests are withheld that would fill a
 * queue, or that would be the 66th outstanding request of a warp (more than the order check can
 * hold). The sizes are those of `cfg` with DEPTH 64; `open` is unbounded_open, or a modified
 * version of it. Returns 0, or -1 and a message in err. */
int unbounded_cross(unbounded_cross_t *result, unbounded_open_fn open, const mrpb_cfg_t *cfg,
                    uint64_t seed, uint64_t cycles, mrpb_err_t *err);

/* Returns the i-th set of sizes of the comparison: every policy, signature, flush and bypass, in
 * combination with latencies, numbers of queues and numbers of block counters. */
enum { UNBOUNDED_SIZES = 6 * 3 * 2 * 3 };
mrpb_cfg_t unbounded_sizes(unsigned i);

#endif
