/* SPDX-License-Identifier: Apache-2.0 */
/* Connects an external DRAM to the L2 slices (connect.h): turns requests into its transactions, and
 * its completions into their replies. */
#ifndef FLITS_DRAM_PORT_H
#define FLITS_DRAM_PORT_H

#include "err.h"
#include "gpu/check/check.h"
#include "gpu/memories/connect.h"
#include "gpu/l2/l2.h"

typedef struct dram_port dram_port_t;

typedef struct {
  uint64_t reads, writes;                              /* accepted transactions */
  uint64_t read_requests, write_requests, write_backs; /* finished requests */
  uint64_t cycles;
  uint64_t most; /* most transactions in flight at once */
} dram_port_stats_t;

/* Returns 0, or -1 and a message in err: a function is missing, or a clock or a size is not legal.
 * `pool` and the slices passed later must outlive the port. */
int dram_port_create(dram_port_t **out, const mrpb_gpu_dram_t *dram, const packet_map_t *map,
                     packet_pool_t *pool, mrpb_err_t *err);
void dram_port_destroy(dram_port_t *d);
/* Clock frequency of the DRAM, in Hz. */
uint64_t dram_port_hz(const dram_port_t *d);
void dram_port_set_check(dram_port_t *d, check_t *check);

/* One cycle of the DRAM's clock. Sets in *busy the bits of the slices that received something. */
void dram_port_cycle(dram_port_t *d, l2_t *const l2[], unsigned n, uint32_t *busy);
const dram_port_stats_t *dram_port_stats(const dram_port_t *d);
/* A violation of the interface by the DRAM; NULL if none. */
const mrpb_err_t *dram_port_fault(const dram_port_t *d);

#endif
