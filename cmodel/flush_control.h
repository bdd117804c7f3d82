/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what happens to the offered request or barrier: it is stored, passes, waits, or causes a
 * flush.
 *
 * RTL twin: rtl/flush_control.v. Contract: docs/modules/flush_control.md. MRPB paper, section 3.3.
 * Timing: combinational.
 * Not modelled: rule 3, the normal drain policy (drain_selector). */
#ifndef MRPB_FLUSH_CONTROL_H
#define MRPB_FLUSH_CONTROL_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM flush_control
#define PORTS_FILE "ports/flush_control.ports.h"
#define COMBINATIONAL
#include "ports/declare.h"

/* not in libmrpb.h: begin */
/* It has no state, so a module that contains one may hold it as a member, with a checked
 * configuration. */
struct flush_control {
  flush_control_cfg_t cfg;
};
/* not in libmrpb.h: end */

#endif
