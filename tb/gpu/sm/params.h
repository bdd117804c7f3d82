/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of the modules that an SM of a configuration is built with: what stands in for them,
 * C or Verilog, and what an estimate of them counts. */
#ifndef SM_PARAMS_H
#define SM_PARAMS_H

#include "config/config.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"
#include "parts/coalescer.h"

#include <stdbool.h>

enum {
  SM_PAYLOAD_W =
      51, /* of a request in the MRPB: number, and line address bits as far as they fit */
  SM_LINE_ADDR_W = 25, /* a 32-bit byte address without its place in a line of 128 bytes */
  SM_READER_W = 16,    /* who waits for a read: warp and register */
  SM_OFFSET_W = 7      /* of a lane in its line */
};

static inline mrpb_cfg_t sm_mrpb_params(const config_t *c) {
  return (mrpb_cfg_t){.QUEUES = c->mrpb_queues,
                      .DEPTH = c->mrpb_depth,
                      .DATA_W = SM_PAYLOAD_W,
                      .BLOCKS = c->blocks_per_sm,
                      .SIGNATURE = c->mrpb_signature,
                      .POLICY = c->mrpb_policy,
                      .FLUSH = c->mrpb_flush,
                      .LATENCY = c->mrpb_latency,
                      .BYPASS = c->mrpb_bypass};
}

/* Bypassed reads that wait in the MSHR table have an address bit of their own. */
static inline mshr_cfg_t sm_mshr_params(uint32_t entries, uint32_t merges, bool bypass_in_mshr) {
  return (mshr_cfg_t){.ENTRIES = entries,
                      .MERGES = merges,
                      .ADDR_W = SM_LINE_ADDR_W + bypass_in_mshr,
                      .DATA_W = SM_READER_W};
}

static inline bool sm_bypass_in_mshr(const config_t *c) {
  return c->mrpb && c->bypass_tracking == CONFIG_TRACKING_MSHR;
}

static inline prt_cfg_t sm_prt_params(const config_t *c) {
  return (prt_cfg_t){.ENTRIES = c->prt_entries,
                     .LANES = COALESCER_LANES,
                     .OFFSET_W = SM_OFFSET_W,
                     .TAG_W = SM_READER_W,
                     .ORDER = 0};
}

#endif
