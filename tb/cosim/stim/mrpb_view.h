/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to the requests that an MRPB has presented, whenever the L1 answers. The stimulus,
 * its bins and its crosses ask here instead of following the line of sent requests themselves. */
#ifndef STIM_MRPB_VIEW_H
#define STIM_MRPB_VIEW_H

#include "mrpb.h"

typedef struct {
  bool answered; /* l1_answer_i is about a request, */
  bool write;    /* which is a write */
  uint64_t warp, block;
  bool leaves;        /* it leaves in this cycle */
  bool refused;       /* ANSWER > 0: it is presented again */
  bool occupied;      /* the outbound buffer is */
  bool slot;          /* the outbound buffer has room for the next entry */
  unsigned sent;      /* ANSWER > 0: requests presented and not accepted */
  unsigned withdrawn; /* by `refused`: those presented after it */
} mrpb_view_t;

mrpb_view_t mrpb_view(const mrpb_cfg_t *cfg, const mrpb_regs_t *r, const mrpb_in_t *i,
                      const mrpb_out_t *o);

#endif
