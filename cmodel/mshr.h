/* SPDX-License-Identifier: Apache-2.0 */
/* Miss status holding registers: ENTRIES outstanding lines, each with up to MERGES waiting reads.
 *
 * RTL twin: rtl/mshr.v. Contract: docs/modules/mshr.md.
 * Lashgar et al., section 2.1; MRPB paper, section 2.1.
 * Timing: one look-up, one fill and one leaving read a cycle; a read leaves in the cycle after its
 * fill at the earliest.
 * Not modelled: the line's data, the miss queue, reservation of a cache line. */
#ifndef MRPB_MSHR_H
#define MRPB_MSHR_H

#include "bits.h"
#include "module.h"

#define STEM mshr
#define PORTS_FILE "ports/mshr.ports.h"
#include "ports/declare.h"

/* Sets the outputs of mshr_comb that depend on no input: out_valid_o, out_data_o, out_entry_o and
 * out_last_o. The other outputs are left as they are. */
void mshr_drain(const mshr_t *self, mshr_out_t *out);

#endif
