/* SPDX-License-Identifier: Apache-2.0 */
/* Tag array of the L1: SETS sets of WAYS lines that may be here in part, found in two stages.
 *
 * RTL twin: rtl/tags.v. Contract: docs/modules/tags.md.
 * Timing: one look-up, one decision and one fill a cycle; an answer comes two cycles after its
 * look-up, and shows what all decisions before it have left.
 * Not modelled: the data, and who waits for a line. */
#ifndef MRPB_TAGS_H
#define MRPB_TAGS_H

#include "bits.h"
#include "module.h"

#define STEM tags
#define PORTS_FILE "ports/tags.ports.h"
#include "ports/declare.h"

#endif
