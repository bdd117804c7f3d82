/* SPDX-License-Identifier: Apache-2.0 */
/* Aligns a line to the lanes of a warp: each lane of a request gets the word that it asks for.
 *
 * RTL twin: rtl/line_align.v. Contract: docs/modules/line_align.md.
 * Timing: a request a cycle; with PASSES 2 a request with lanes in both halves takes two cycles. */
#ifndef MRPB_LINE_ALIGN_H
#define MRPB_LINE_ALIGN_H

#include "bits.h"
#include "module.h"

#define STEM line_align
#define PORTS_FILE "ports/line_align.ports.h"
#include "ports/declare.h"

#endif
