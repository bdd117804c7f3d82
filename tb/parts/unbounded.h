/* SPDX-License-Identifier: Apache-2.0 */
/* The MRPB with queues that never fill (MRPB_DEPTH 0), behind the interface of a unit; sections 5.1
 * to 5.3 of paper 001 explore it. In every cycle it behaves like cmodel/mrpb.c with queues that are
 * not full; a queue takes memory only for the requests that it holds. It is not hardware and has no
 * RTL twin. Its registers do not appear in waves, and `held_o` is cut to its width there. */
#ifndef UNBOUNDED_H
#define UNBOUNDED_H

#include "err.h"
#include "mrpb.h"
#include "parts/unit.h"

/* Ignores the DEPTH of `cfg`. unit_close frees the unit. */
int unbounded_open(unit_t *out, const mrpb_cfg_t *cfg, mrpb_err_t *err);

#endif
