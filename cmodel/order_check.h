/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the ordering rule: requests of one warp are never reordered, and nothing passes a barrier.
 *
 * RTL twin: rtl/order_check.v (absent under SYNTHESIS). Contract: docs/modules/order_check.md.
 * MRPB paper, section 3.2.
 * Timing: an error is reported in the cycle in which it occurs; at most one request enters and one
 * leaves a cycle.
 * Not modelled: warps beyond 64, and which of several equal payloads left. */
#ifndef MRPB_ORDER_CHECK_H
#define MRPB_ORDER_CHECK_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM order_check
#define PORTS_FILE "ports/order_check.ports.h"
#include "ports/declare.h"

#endif
