/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the beats of fetched lines into the data array, and tells the tables when a line is here.
 *
 * RTL twin: rtl/line_fill.v. Contract: docs/modules/line_fill.md.
 * Timing: takes a beat each cycle, and writes it in the next one. */
#ifndef MRPB_LINE_FILL_H
#define MRPB_LINE_FILL_H

#include "bits.h"
#include "module.h"

#define STEM line_fill
#define PORTS_FILE "ports/line_fill.ports.h"
#include "ports/declare.h"

#endif
