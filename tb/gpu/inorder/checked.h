/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM does with data, for the checking mode (docs/check.md). All of it is called only if the
 * core has a `check`, except the first two. */
#ifndef INORDER_CHECKED_H
#define INORDER_CHECKED_H

#include "gpu/inorder/inorder_state.h"

/* Warp `w` is about to issue a global access; the next passes get its data, in order. */
int core_check_create(core_t *c, mrpb_err_t *err);
void core_check_destroy(core_t *c);
void core_check_start(core_t *c, unsigned w);
void core_check_end(core_t *c, unsigned w);
void core_check_issue(core_t *c, unsigned w, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                      uint32_t mask);
void core_check_pass(core_t *c, const core_inst_t *x);
/* `p` requests `sectors` of line `k` from the memory, or writes there: it gets its data. A memory that
 * answers with replies brings them to the event `v` that awaits the reply `p`, and to `sectors` of the
 * L1D's line at `place`. Ports bring them at once, to where the read leaves for. */
void core_check_ask(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors, packet_t *p);
void core_check_bring(core_t *c, const event_t *v, const packet_t *p, unsigned sectors,
                      bool fetched);
void core_check_bring_line(core_t *c, uint32_t place, const packet_t *p, unsigned sectors);
/* `place` takes the bytes that line `k` writes. */
void core_check_update(core_t *c, const core_inst_t *x, unsigned k, uint32_t place);
/* The read of line `k` has left the load/store unit. */
void core_check_leave(core_t *c, const core_inst_t *x, unsigned k, leave_t leave);
/* MSHR table: a read of `load` leaves; the line goes into `place`. */
void core_check_drain(core_t *c, uint32_t entry, uint32_t load, bool last);
void core_check_fill(core_t *c, uint32_t entry, uint32_t place);
/* PRT: the lines that need no request have their data. `load` has `entry`, and gets a reply. */
void core_check_enter(core_t *c, const core_inst_t *x);
void core_check_allocate(core_t *c, uint32_t entry, uint32_t load);
void core_check_reply(core_t *c, uint32_t entry, uint32_t load);
/* A read is refused for lack of an entry. */
void core_check_refused(core_t *c);
/* `place` has a new line, or its line has lost its data. */
void core_check_forget(core_t *c, uint32_t place);
/* `n` lines of load `id` are reported as arrived. False if it does not wait for them. */
bool core_check_data(core_t *c, uint32_t id, uint32_t n);

#endif
