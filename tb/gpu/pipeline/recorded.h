/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores for the file of requests (docs/align.md) and the timeline (docs/timeline.md): each
 * line, from the issue of its instruction until its data are written back, or the store is
 * acknowledged. Called only if somebody records. */
#ifndef SM_RECORDED_H
#define SM_RECORDED_H

#include "gpu/pipeline/bypass.h"
#include "gpu/pipeline/l1d.h"
#include "gpu/pipeline/sm.h"

/* The L1D has answered an offer; `merges`: those of the L1D before it. */
void sm_recorded_offer(sm_t *sm, const l1d_request_t *r, const l1d_answer_t *a, uint64_t merges,
                       uint64_t now);
/* The acknowledgement of a store that the core waits for. */
void sm_recorded_stored(sm_t *sm, const packet_t *p, uint64_t now);
/* A read leaves the L1D's table. */
void sm_recorded_drain(sm_t *sm, unsigned warp, unsigned reg, uint64_t now);

/* A packet of the L1D's miss queue leaves. */
void sm_recorded_sent(sm_t *sm, const packet_t *p);

/* A read of `warp` leaves past the L1D as packet `p`: `entry` of the structure that tracks it. */
void sm_recorded_bypass(sm_t *sm, unsigned warp, const sm_request_t *r, uint32_t entry,
                        const packet_t *p, uint64_t now);
void sm_recorded_bypass_reply(sm_t *sm, uint64_t reader, const packet_t *p, uint64_t now);
void sm_recorded_uncached(sm_t *sm, const packet_t *p, uint64_t now);
void sm_recorded_uncached_reply(sm_t *sm, const packet_t *p, uint64_t now);

#endif
