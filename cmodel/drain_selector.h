/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the drainable entries of each queue and selects the queue to drain by one of six policies.
 *
 * RTL twin: rtl/drain_selector.v. Contract: docs/modules/drain_selector.md.
 * MRPB paper, sections 3.3 and 6.
 * Timing: the choice is a register; only force_* is decided within the cycle. An added entry counts
 * from the next cycle.
 * Not modelled: the tree form of the priority encoder (only its result). */
#ifndef MRPB_DRAIN_SELECTOR_H
#define MRPB_DRAIN_SELECTOR_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM drain_selector
#define PORTS_FILE "ports/drain_selector.ports.h"
#include "ports/declare.h"

#endif
