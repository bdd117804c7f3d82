/* SPDX-License-Identifier: Apache-2.0 */
/* The order rule: requests of one warp never change places and nothing passes a barrier.
 *
 * RTL twin: rtl/order_check.v (absent under SYNTHESIS). Contract: docs/modules/order_check.md.
 * MRPB paper, section 3.2.
 * Timing: an error is reported in the cycle in which it happens; one accept and one leave a cycle.
 * Not modelled: warps beyond 64, and which of several equal payloads it was that left. */
#ifndef MRPB_ORDER_CHECK_H
#define MRPB_ORDER_CHECK_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM order_check
#define PORTS_FILE "ports/order_check.ports.h"
#include "ports/declare.h"

#endif
