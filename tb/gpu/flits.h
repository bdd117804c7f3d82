/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the paper's GPU: interconnect, slices of the L2, a DRAM channel behind each. A user's
 * own DRAM, or a memory of his behind the L1s, may stand in (connect.h). */
#ifndef GPU_FLITS_H
#define GPU_FLITS_H

#include "gpu/channels.h"
#include "gpu/connect.h"
#include "gpu/cores/counts.h"
#include "gpu/icnt/icnt.h"

typedef struct flits flits_t;

typedef struct {
  const config_t *cfg;
  const mrpb_gpu_dram_t *dram;     /* NULL: the GPU's own */
  const mrpb_gpu_memory_t *memory; /* NULL: the GPU's own */
} flits_setup_t;

/* Returns 0, or -1 and a message in err. What the setup points to must outlive it. */
int flits_create(flits_t **out, const flits_setup_t *setup, mrpb_err_t *err);
void flits_destroy(flits_t *f);

/* From now on packets carry data (docs/check.md); NULL: only the hazards that are allowed. */
void flits_set_check(flits_t *f, check_t *check, uint32_t hazards);

/* ---- stages; `now` is the SM cycle ------------------------------------------ */
void flits_deliver(flits_t *f, uint64_t now); /* SM clock: a memory of a user's */
void flits_inject(flits_t *f);                /* interconnect clock: replies into it */
void flits_dram(flits_t *f, uint64_t now);
void flits_l2(flits_t *f, uint64_t now);
void flits_transfer(flits_t *f); /* interconnect clock */

/* True while a request of a core is not answered. Fetches and write-backs of the L2 itself may go
 * on. */
bool flits_busy(const flits_t *f);
/* Brings sleeping channels up to date. */
void flits_catch_up(flits_t *f);
int flits_reply(flits_t *f, uint64_t id, mrpb_err_t *err); /* gpu_reply */

/* ---- what it is made of, and its results -------------------------------------- */
packet_pool_t *flits_pool(const flits_t *f);
icnt_t *flits_icnt(const flits_t *f);
packet_map_t flits_map(const config_t *cfg);
l2_t *flits_slice(const flits_t *f, unsigned i);
dram_t *flits_channel(const flits_t *f, unsigned i);
uint64_t flits_dram_hz(const flits_t *f);

l2_stats_t flits_l2_stats(const flits_t *f);     /* sums over all slices */
dram_stats_t flits_dram_stats(const flits_t *f); /* and channels */
/* The fault of an external part; NULL if there is none. */
const mrpb_err_t *flits_fault(const flits_t *f);
void flits_dump(const flits_t *f, FILE *out);

#endif
