/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations of the parts of a GPU, from the one table of keys. */
#ifndef PARTS_H
#define PARTS_H

#include "config/config.h"
#include "gpu/dram/dram.h"
#include "gpu/icnt/icnt.h"
#include "gpu/l2/l2.h"

icnt_cfg_t parts_icnt(const config_t *c);
l2_cfg_t parts_l2(const config_t *c);
dram_cfg_t parts_dram(const config_t *c);
packet_map_t parts_map(const config_t *c);

#endif
