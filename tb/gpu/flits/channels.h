/* SPDX-License-Identifier: Apache-2.0 */
/* The DRAM channels behind the slices of the L2, one each. A channel without input sleeps as long as
 * it would only wait, and is brought up to date when it is needed; results do not depend on it. */
#ifndef FLITS_CHANNELS_H
#define FLITS_CHANNELS_H

#include "gpu/dram/dram.h"
#include "gpu/l2/l2.h"

typedef struct channels channels_t;

/* `n` channels, at most 32. Returns 0, or -1 and a message in err. `pool` must outlive them. */
int channels_create(channels_t **out, const dram_cfg_t *cfg, unsigned n, packet_pool_t *pool,
                    mrpb_err_t *err);
void channels_destroy(channels_t *c);

/* One DRAM cycle of every channel, at SM cycle `now`. Sets in *filled the bits of the slices whose
 * queue from the DRAM has data. */
void channels_cycle(channels_t *c, l2_t *const l2[], uint64_t now, uint32_t *filled);
/* Slice `i` has a request for its channel. */
void channels_wake(channels_t *c, unsigned i);
/* Brings all channels up to the current DRAM cycle, so that their statistics are current. */
void channels_catch_up(channels_t *c);

dram_t *channels_dram(const channels_t *c, unsigned i);

#endif
