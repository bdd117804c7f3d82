/* SPDX-License-Identifier: Apache-2.0 */
/* Pending request table (PRT): one entry for each warp memory instruction with requests
 * outstanding.
 *
 * RTL twin: rtl/prt.v. Contract: docs/modules/prt.md. Lashgar et al., section 2.2.
 * Timing: one reply, one release, one allocation and one issue a cycle, in this order within the
 * cycle.
 * Not modelled: the data of a reply; addresses (an entry keeps only offsets within a memory
 * block). */
#ifndef MRPB_PRT_H
#define MRPB_PRT_H

#include "bits.h"
#include "module.h"
#include "numbers.h"

#define STEM prt
#define PORTS_FILE "ports/prt.ports.h"
#include "ports/declare.h"

/* prt_comb except for reply_offset_o, which is left as it is. */
void prt_control(const prt_t *self, const prt_in_t *in, prt_out_t *out);

#endif
