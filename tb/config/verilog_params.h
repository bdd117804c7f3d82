/* SPDX-License-Identifier: Apache-2.0 */
/* Turns keys into Verilog parameters: those of the modules that an SM is built with, whether C or
 * Verilog implements them, and that an estimate counts. The parameters that keys set are the rows
 * of keys.def with MRPB, MSHR or PRT; the widths are fixed by the models. */
#ifndef CONFIG_VERILOG_PARAMS_H
#define CONFIG_VERILOG_PARAMS_H

#include "config/config.h"
#include "l1_top.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"

enum {
  SM_PAYLOAD_W =
      51, /* of a request in the MRPB: its number, and its address / 32 as far as that fits */
  SM_LINE_ADDR_W = 25, /* a 32-bit byte address without its offset in a line of 128 bytes */
  SM_BEAT_WORDS = 8,   /* of an AXI beat of l1_top: a sector of 32 bytes */
  SM_L1_TAG_W = 12,    /* of a load in l1_top: its pass and its register */
  /* l1_top: stores and bypassed reads wait there; the reference limits neither. With fewer of them
   * they, and not the L1, decide the cycles. */
  SM_L1_STORES = 16,
  SM_L1_WRITES = 64,
  SM_L1_BYPASSES = 32,
  SM_READER_W = 16 /* what waits for a read: warp and register, or the load's number */
};

/* For an SM of the GPU. With pipeline cores and BYPASS_TRACKING = mshr the bypassed reads have an
 * address bit of their own in the MSHR table, and stores mark its entries (MEMORY_ORDER = safe). An
 * in-order core has one of the two tables, by TABLE. */
mrpb_cfg_t config_mrpb_params(const config_t *c);
mshr_cfg_t config_mshr_params(const config_t *c);
prt_cfg_t config_prt_params(const config_t *c);
/* l1_top in the place of the whole L1 of a pipeline core. Without an MRPB it has one queue. */
l1_top_cfg_t config_l1_params(const config_t *c);

/* Which of them an SM of the GPU has. */
bool config_has_mrpb(const config_t *c);
bool config_has_mshr(const config_t *c);
bool config_has_prt(const config_t *c);

#endif
