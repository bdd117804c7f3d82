/* SPDX-License-Identifier: Apache-2.0 */
/* Loads for the file of requests (docs/align.md): each line of a load, from its first look-up until
 * its data are counted. Called only if somebody records. */
#ifndef CORE_RECORDED_H
#define CORE_RECORDED_H

#include "gpu/inorder/inorder_state.h"

/* Line `k` of `x` was refused in this cycle. */
void core_recorded_refused(core_t *c, const core_inst_t *x, unsigned k);
/* It was accepted, and its data come at `end`. */
void core_recorded_hit(core_t *c, const core_inst_t *x, unsigned k, uint64_t end);
/* It was accepted, and waits: for a read of `entry` of the MSHR table, or for the reply of its lanes
 * to the PRT entry of the load. */
void core_recorded_waits(core_t *c, const core_inst_t *x, unsigned k, const char *kind,
                         uint32_t entry);
/* A read left the MSHR table; a reply reached the PRT. */
void core_recorded_drain(core_t *c, uint32_t entry, uint32_t load);
void core_recorded_reply(core_t *c, uint32_t entry, uint32_t lanes);

#endif
