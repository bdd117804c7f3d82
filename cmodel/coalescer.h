/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescer: lanes of a warp memory instruction that access the same line share a request.
 *
 * RTL twin: rtl/coalescer.v. Contract: docs/modules/coalescer.md.
 * Timing: a request a cycle (ORDER 0) or in two cycles (ORDER 1); the first one is offered two or
 * three cycles after its instruction was taken.
 * Not modelled: the data of stores, atomics, accesses that are larger than a word. */
#ifndef MRPB_COALESCER_H
#define MRPB_COALESCER_H

#include "bits.h"
#include "module.h"

#define STEM coalescer
#define PORTS_FILE "ports/coalescer.ports.h"
#include "ports/declare.h"

#endif
