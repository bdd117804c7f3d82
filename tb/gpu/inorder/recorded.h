/* SPDX-License-Identifier: Apache-2.0 */
/* Loads for the file of requests (docs/align.md) and the timeline (docs/timeline.md): each line of a load, from its first look-up until
 * its data are counted. Called only if somebody records. */
#ifndef CORE_RECORDED_H
#define CORE_RECORDED_H

#include "gpu/inorder/inorder_state.h"

/* Line `k` of a load `x` has left the load/store unit, or was refused in this cycle. */
void core_recorded_leave(core_t *c, const core_inst_t *x, unsigned k, leave_t leave);
/* The same of a line that bypasses. Nothing says which read an untracked one is: not recorded. */
void core_recorded_bypass(core_t *c, const core_inst_t *x, unsigned k, leave_t leave);
void core_recorded_refused(core_t *c, const core_inst_t *x, unsigned k);
/* A read left the MSHR table; a reply reached the PRT. */
void core_recorded_drain(core_t *c, uint32_t entry, uint32_t load);
void core_recorded_reply(core_t *c, uint32_t entry, uint32_t lanes);

#endif
