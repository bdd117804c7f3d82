/* SPDX-License-Identifier: Apache-2.0 */
/* The reply stage of the L1: takes one request at a time from the read queue, the MSHR table and
 * the bypass table in turn, and has its line read for the aligner.
 *
 * RTL twin: rtl/l1_reply.v. Contract: docs/modules/l1_reply.md.
 * Timing: one request a cycle; it is offered to the aligner in the cycle after it was taken.
 * Not modelled: the line's data. */
#ifndef MRPB_L1_REPLY_H
#define MRPB_L1_REPLY_H

#include "bits.h"
#include "module.h"

#define STEM l1_reply
#define PORTS_FILE "ports/l1_reply.ports.h"
#include "ports/declare.h"

#endif
