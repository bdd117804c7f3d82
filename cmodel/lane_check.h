/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the rules of a pending request table: each lane of an instruction is issued once and
 * answered once.
 *
 * RTL twin: rtl/lane_check.v. Contract: docs/modules/lane_check.md. Lashgar et al., section 2.2.
 * Timing: one reply, one allocation and one issue a cycle, in this order within the cycle.
 * Not modelled: which lanes belong to one request. */
#ifndef MRPB_LANE_CHECK_H
#define MRPB_LANE_CHECK_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM lane_check
#define PORTS_FILE "ports/lane_check.ports.h"
#include "ports/declare.h"

#endif
