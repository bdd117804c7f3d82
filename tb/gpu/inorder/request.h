/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the memory. Ports say at once when data arrive; other memories answer with
 * replies, and have a limit of room. */
#ifndef INORDER_REQUEST_H
#define INORDER_REQUEST_H

#include "gpu/inorder/inorder_state.h"

int request_create(core_t *c, mrpb_err_t *err);
void request_destroy(core_t *c);
/* There is room for a request of the load/store unit. The others wait until there is. */
bool request_room(const core_t *c, memory_request_t kind, uint32_t bytes);
static inline uint32_t request_bytes(unsigned sectors) {
  return core_sectors(sectors) * CORE_SECTOR;
}
/* `sectors` of line `k` of a load, which counts from `counted`; returns when they arrive. NEVER: with
 * the reply to this request. */
uint64_t request_line(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors,
                      uint64_t counted);
/* Line `k` of a store; returns when the memory has taken it, 0 if it does not say. */
uint64_t request_store(core_t *c, const core_inst_t *x, unsigned k);
/* Where the data of the last request come from. A memory that answers with replies does not say, so
 * all of it counts as L2. */
stack_part_t request_from(const core_t *c);
/* A read of another cache, for a memory that answers with replies. */
void request_read(core_t *c, uint64_t addr, uint32_t bytes);
/* The last request's data are for that place of a cache. */
void request_fills(core_t *c, request_of_t of, uint32_t place);
/* `event` comes with the last of the replies to these requests, but not before its time. `sectors`:
 * which are wanted from each; NULL: all that it brings. */
void request_await(core_t *c, const uint32_t *ids, const uint8_t *sectors, unsigned n,
                   const event_t *event);
/* The same for the last request if `at` is NEVER; else the event comes at `at`. */
void request_event(core_t *c, uint64_t at, event_kind_t kind, uint32_t id, uint32_t lanes);
/* The same for line `k` and its PRT entry: if `at` is NEVER, with all `sectors` of `place`
 * (L1D_NONE: with the last request), but not before `least`. */
void request_lanes(core_t *c, const core_inst_t *x, unsigned k, uint64_t at, uint32_t place,
                   unsigned sectors, uint64_t least);
void request_answered(core_t *c, const packet_t *p);
void request_step(core_t *c);

#endif
