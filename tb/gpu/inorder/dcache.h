/* SPDX-License-Identifier: Apache-2.0 */
/* The L1D of an SM: dcache.c. A place is a place of tb/parts/tag_array.h; a line is an address
 * divided by CORE_LINE. */
#ifndef INORDER_DCACHE_H
#define INORDER_DCACHE_H

#include "gpu/inorder/inorder_state.h"

int dcache_create(core_t *c, mrpb_err_t *err);
void dcache_destroy(inorder_t *all); /* of all SMs */
void dcache_clear(core_t *c);        /* all lines become invalid */
/* Reserves `place` for `line`; no sector of it has been requested yet. */
void dcache_reserve(core_t *c, uint32_t place, uint64_t line);
/* The same for load `id`; the line is released in the order of that load's warp. */
void dcache_reserve_for(core_t *c, uint32_t place, uint64_t line, uint16_t id);
/* True if the line's data can be read, even while it cannot be replaced. */
bool dcache_has(const core_t *c, uint64_t line, uint32_t *place);
/* When the requested ones among the `wanted` sectors arrive, NEVER if that is not known; *unasked gets
 * the others. */
uint64_t dcache_when(const core_t *c, uint32_t place, unsigned wanted, unsigned *unasked);
/* `sectors` are requested, and arrive at `at`; NEVER: with the reply to the last request. */
void dcache_asked(core_t *c, uint32_t place, unsigned sectors, uint64_t at);
/* The reply to request `id` brings sectors of the line; returns which. */
unsigned dcache_arrived(core_t *c, uint32_t place, uint32_t id);
/* The requests that bring `wanted` sectors, each once, and which of them; returns how many. */
unsigned dcache_awaits(const core_t *c, uint32_t place, unsigned wanted,
                       uint32_t requests[CORE_SECTORS], uint8_t sectors[CORE_SECTORS]);
/* The data of a reserved line have arrived. Without `kept` the line does not keep them. */
void dcache_fill(core_t *c, uint32_t place, bool kept);
/* Warp `w` has a new oldest load that awaits data. */
void dcache_release(core_t *c, unsigned w);
/* Line `k` of a store or an atomic without a result is written. */
void dcache_store(core_t *c, const core_inst_t *x, unsigned k);
/* `line` is written past the L1D. */
void dcache_drop(core_t *c, uint64_t line);

#endif
