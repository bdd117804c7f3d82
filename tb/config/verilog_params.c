/* SPDX-License-Identifier: Apache-2.0 */
/* Keys as Verilog parameters: see verilog_params.h. */
#include "config/verilog_params.h"

#include "parts/coalescer.h"
#include "parts/offsets.h"

static const mshr_cfg_t mshr_widths = {.ADDR_W = SM_LINE_ADDR_W, .DATA_W = SM_READER_W};
static const prt_cfg_t prt_widths = {
    .LANES = COALESCER_LANES, .OFFSET_W = OFFSETS_W, .TAG_W = SM_READER_W, .ORDER = MRPB_ORDER_ANY};

/* With the signature `sub-core` the in-block warp ID of a request is its scheduler's number. */
mrpb_cfg_t config_mrpb_params(const config_t *c) {
  mrpb_cfg_t p = {.DATA_W = SM_PAYLOAD_W};
#define PART_MRPB(field, to, ...) p.to = c->field;
#include "config/each_key.h"
  if (p.SIGNATURE == CONFIG_SIGNATURE_SUB_CORE) p.SIGNATURE = MRPB_SIGNATURE_BLOCK_WARP;
  return p;
}

mshr_cfg_t config_mshr_params(const config_t *c) {
  mshr_cfg_t p = mshr_widths;
#define PART_MSHR(field, to, ...) p.to = c->field;
#include "config/each_key.h"
  p.STORES = 1;
  if (c->core == CONFIG_CORE_IN_ORDER) return p;
  if (c->mrpb && c->bypass_tracking == CONFIG_TRACKING_MSHR) p.ADDR_W++;
  return p;
}

prt_cfg_t config_prt_params(const config_t *c) {
  prt_cfg_t p = prt_widths;
  const unsigned parts = config_parts(c);
#define PART_PRT(field, to, min, max, deflt, has)                                                  \
  if (parts & CONFIG_HAS_##has) p.to = c->field;
#include "config/each_key.h"
  return p;
}

l1_top_cfg_t config_l1_params(const config_t *c) {
  l1_top_cfg_t p;
  module_defaults(&l1_top_class, (uint32_t *)&p);
  const mshr_cfg_t mshr = config_mshr_params(c);
  p.SETS = c->l1d_sets;
  p.WAYS = c->l1d_ways;
  p.HASH = c->l1d_hash;
  p.REPLACEMENT = c->l1d_replacement;
  p.MISSES = c->l1d_miss_queue;
  p.MSHRS = mshr.ENTRIES;
  p.MERGES = mshr.MERGES;
  p.TAG_W = SM_L1_TAG_W;
  p.STORES = SM_L1_STORES;
  p.WRITES = SM_L1_WRITES;
  p.FETCH = 1;
  p.BYPASSES = SM_L1_BYPASSES;
  p.QUEUES = 1;
  p.FLUSH = p.BYPASS = 0;
  p.LATENCY = 3;
  if (!config_has_mrpb(c)) return p;
  const mrpb_cfg_t mrpb = config_mrpb_params(c);
  p.QUEUES = mrpb.QUEUES;
  p.DEPTH = mrpb.DEPTH;
  p.BLOCKS = mrpb.BLOCKS;
  p.SIGNATURE = mrpb.SIGNATURE;
  p.POLICY = mrpb.POLICY;
  p.FLUSH = mrpb.FLUSH;
  p.LATENCY = mrpb.LATENCY;
  p.BYPASS = mrpb.BYPASS;
  p.ENTRIES = c->prt_entries;
  return p;
}

bool config_has_mrpb(const config_t *c) {
  return c->mrpb && c->mrpb_reorder;
}

bool config_has_mshr(const config_t *c) {
  return c->core == CONFIG_CORE_PIPELINE || c->table == DEVICE_TABLE_MSHR;
}

bool config_has_prt(const config_t *c) {
  if (c->core == CONFIG_CORE_IN_ORDER) return c->table == DEVICE_TABLE_PRT;
  return c->mrpb && c->bypass_tracking == CONFIG_TRACKING_PRT;
}
