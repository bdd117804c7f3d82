/* SPDX-License-Identifier: Apache-2.0 */
/* A memory (gpu/memories/memory.h) of packets: interconnect, slices of the L2, a DRAM channel behind
 * each, in clocks of their own. A user's own DRAM, or a memory of his behind the L1s, may stand in
 * (connect.h). */
#ifndef FLITS_H
#define FLITS_H

#include "gpu/memories/connect.h"
#include "gpu/flits/channels.h"
#include "gpu/memories/memory.h"

typedef struct flits flits_t;

typedef struct {
  const config_t *cfg;
  unsigned sms; /* cores before it */
  const uint64_t *now;
  const mrpb_gpu_dram_t *dram;     /* NULL: the GPU's own */
  const mrpb_gpu_memory_t *memory; /* NULL: the GPU's own */
} flits_setup_t;

/* Returns 0, or -1 and a message in err. What the setup points to must outlive it. */
int flits_create(gpu_memory_t **out, const flits_setup_t *setup, mrpb_err_t *err);
/* The parts of a memory of this class; NULL if it is of another. */
flits_t *flits_of(gpu_memory_t *m);

/* The stages of a clock edge in two halves (docs/threads.md). `stages`: a bit for each MEMORY_STAGE_*
 * that the edge has; `now`: the SM cycle. The halves of an edge may be run apart: the replies of many
 * edges, then the requests of the same ones or of earlier ones, if all these edges take less than
 * L2_ROP_LATENCY SM cycles and no request is a texture's. flits_replies: slices, DRAM, reply crossbar;
 * *accept gets the slices that take a request at this edge. flits_requests: into those slices, and the
 * request crossbar. */
void flits_replies(flits_t *f, uint32_t stages, uint64_t now, uint32_t *accept);
void flits_requests(flits_t *f, uint32_t stages, uint64_t now, uint32_t accept);
/* The SM cycle up to which a request will surely not be answered, whatever is sent from `now` on; 0 if
 * that is not known of any. */
uint64_t flits_busy_until(const flits_t *f, uint64_t now);

icnt_t *flits_icnt(const flits_t *f);
l2_t *flits_slice(const flits_t *f, unsigned i);
dram_t *flits_channel(const flits_t *f, unsigned i);

#endif
