/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/lane_check.c"

#include "verify/prove/inv/inv.h"

REGISTERS(lane_check)
