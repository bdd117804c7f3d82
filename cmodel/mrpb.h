/* SPDX-License-Identifier: Apache-2.0 */
/* The memory request prioritization buffer (MRPB), between the coalescer and the L1 data cache.
 *
 * RTL twin: rtl/mrpb.v. Contract: docs/modules/mrpb.md. MRPB paper, section 3 and Figure 7.
 * Timing: one request a cycle in, one out; LATENCY cycles from acceptance to presentation, 1 for a
 * write that passes.
 * Not modelled: the coalescer, the L1 and the bypass path themselves; the payload is opaque. */
#ifndef MRPB_MRPB_H
#define MRPB_MRPB_H

#include "bits.h"
#include "drain_selector.h"
#include "fifo_bank.h"
#include "module.h"
#include "numbers.h"

#define STEM mrpb
#define PORTS_FILE "ports/mrpb.ports.h"
#include "ports/declare.h"

/* Sets the outputs of mrpb_comb that depend on no input: the presented request (out_*) and held_o.
 * The other outputs are left as they are. */
void mrpb_front(const mrpb_t *self, mrpb_out_t *out);
/* mrpb_comb followed by mrpb_edge, evaluated once. */
void mrpb_step(mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out);

#endif
