/* SPDX-License-Identifier: Apache-2.0 */
/* Where a key becomes a Verilog parameter: the parameters of the modules that an SM is built with,
 * whatever stands in for them, C or Verilog, and what an estimate of them counts. Those that keys
 * set are the rows of keys.def with MRPB, MSHR or PRT; the widths are the models' own. */
#ifndef CONFIG_VERILOG_PARAMS_H
#define CONFIG_VERILOG_PARAMS_H

#include "config/config.h"
#include "config/device_cfg.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"

enum {
  SM_PAYLOAD_W =
      51, /* of a request in the MRPB: number, and line address bits as far as they fit */
  SM_LINE_ADDR_W = 25, /* a 32-bit byte address without its place in a line of 128 bytes */
  SM_READER_W = 16     /* who waits for a read: warp and register, or the load's number */
};

/* Of an SM of mrpb run. With BYPASS_TRACKING = mshr the bypassed reads have an address bit of their
 * own in the MSHR table. */
mrpb_cfg_t config_mrpb_params(const config_t *c);
mshr_cfg_t config_mshr_params(const config_t *c);
prt_cfg_t config_prt_params(const config_t *c);

/* Of an SM that mrpb micro measures: it has one of these, by TABLE. */
mshr_cfg_t device_cfg_mshr_params(const device_cfg_t *c);
prt_cfg_t device_cfg_prt_params(const device_cfg_t *c);

#endif
