/* Miss status holding registers: ENTRIES outstanding lines with up to MERGES waiting reads each.
 *
 * RTL twin: rtl/mshr.v. Contract: docs/modules/mshr.md.
 * Lashgar et al., section 2.1; MRPB paper, section 2.1.
 * Timing: one look-up, one fill and one leaving read a cycle; a read leaves in the cycle after its
 * fill at the earliest.
 * Not modelled: the line's data, the miss queue, reservation of a cache line. */
#ifndef MRPB_MSHR_H
#define MRPB_MSHR_H

#define STEM mshr
#define PORTS_FILE "ports/mshr.ports.h"
#include "ports/declare.h"

#endif
