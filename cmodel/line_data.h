/* SPDX-License-Identifier: Apache-2.0 */
/* The data array of an L1: lines in a synchronous memory, written beat by beat and read whole.
 *
 * RTL twin: rtl/line_data.v. Contract: docs/modules/line_data.md.
 * Timing: one read and one write a cycle; a line is shown from the cycle after its read on. */
#ifndef MRPB_LINE_DATA_H
#define MRPB_LINE_DATA_H

#include "bits.h"
#include "module.h"

#define STEM line_data
#define PORTS_FILE "ports/line_data.ports.h"
#include "ports/declare.h"

#endif
