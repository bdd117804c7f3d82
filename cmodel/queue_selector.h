/* SPDX-License-Identifier: Apache-2.0 */
/* Maps the signature of a request to a queue number.
 *
 * RTL twin: rtl/queue_selector.v. Contract: docs/modules/queue_selector.md.
 * MRPB paper, section 3.2.
 * Timing: combinational.
 * Not modelled: signatures other than block ID, warp ID and in-block warp ID. */
#ifndef MRPB_QUEUE_SELECTOR_H
#define MRPB_QUEUE_SELECTOR_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM queue_selector
#define PORTS_FILE "ports/queue_selector.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

/* not in libmrpb.h: begin */
/* It has no state, so a module that contains one may hold it as a member, with a checked
 * configuration. */
struct queue_selector {
  queue_selector_cfg_t cfg;
};
/* not in libmrpb.h: end */

#endif
