/* SPDX-License-Identifier: Apache-2.0 */
/* Which lanes of a warp instruction each of its requests serves: one word for each entry of the PRT.
 *
 * RTL twin: rtl/lane_table.v. Contract: docs/modules/lane_table.md.
 * Timing: one write and one read a cycle; the read follows its inputs within the cycle. */
#ifndef MRPB_LANE_TABLE_H
#define MRPB_LANE_TABLE_H

#include "bits.h"
#include "module.h"

#define STEM lane_table
#define PORTS_FILE "ports/lane_table.ports.h"
#include "ports/declare.h"

#endif
