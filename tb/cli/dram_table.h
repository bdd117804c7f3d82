/* SPDX-License-Identifier: Apache-2.0 */
/* The table of docs/memory/dram.md: measurements of every pattern beside other simulators'
 * figures. */
#ifndef CLI_DRAM_TABLE_H
#define CLI_DRAM_TABLE_H

#include "gpu/dram/replay.h"

#include <stdio.h>

/* `figures` is a file with lines "pattern,simulator,cycles,row hits in %" and comments that begin
 * with #. Returns 0, CLI_INTERRUPTED, or -1 and a message. */
int dram_table(FILE *out, const char *figures, const dram_cfg_t *dram, const dram_map_t *map,
               uint32_t bytes, uint64_t requests, bool (*stop)(void), mrpb_err_t *err);

#endif
