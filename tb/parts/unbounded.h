/* SPDX-License-Identifier: Apache-2.0 */
/* The MRPB with queues that never fill (MRPB_DEPTH 0), behind the interface of a unit: sections 5.1
 * to 5.3 of paper 001 explore it. In every cycle it does what cmodel/mrpb.c does with queues that
 * are not full; a queue takes memory for what it holds. Twin: none, it is no hardware. Its
 * registers are not in waves, and `held_o` is cut to its width there. */
#ifndef UNBOUNDED_H
#define UNBOUNDED_H

#include "err.h"
#include "mrpb.h"
#include "parts/unit.h"

/* The DEPTH of `cfg` is ignored. unit_close frees it. */
int unbounded_open(unit_t *out, const mrpb_cfg_t *cfg, mrpb_err_t *err);

#endif
