/* SPDX-License-Identifier: Apache-2.0 */
/* The MRPB with unbounded queues (parts/unbounded.h) beside the one of cmodel/: wherever no queue
 * fills, they are the same, every output in every cycle. docs/verify/one_model.md */
#ifndef COSIM_UNBOUNDED_CROSS_H
#define COSIM_UNBOUNDED_CROSS_H

#include "mrpb.h"
#include "parts/unbounded.h"

typedef struct {
  uint64_t compared; /* cycles, up to the first that differs */
  bool differs;
  char what[64];                            /* the output */
  uint64_t full;                            /* cycles with a full queue: must be 0 */
  uint64_t left, waits, resets, order_errs; /* what the stimulus did */
} unbounded_cross_t;

typedef int (*unbounded_open_fn)(unit_t *out, const mrpb_cfg_t *cfg, mrpb_err_t *err);

/* `cycles` cycles of the MRPB's lockstep stimulus, of which requests are withheld that would fill a
 * queue, or be the 66th of a warp (what the order check has room for). The sizes are those of `cfg`
 * with DEPTH 64; `open` is unbounded_open, or a changed one. 0, or -1 and a message. */
int unbounded_cross(unbounded_cross_t *result, unbounded_open_fn open, const mrpb_cfg_t *cfg,
                    uint64_t seed, uint64_t cycles, mrpb_err_t *err);

/* The sizes number i of the cross: every policy, signature, flush and bypass, with latencies,
 * numbers of queues and of block counters that go along. */
enum { UNBOUNDED_SIZES = 6 * 3 * 2 * 3 };
mrpb_cfg_t unbounded_sizes(unsigned i);

#endif
