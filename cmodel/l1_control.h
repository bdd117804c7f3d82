/* SPDX-License-Identifier: Apache-2.0 */
/* The control of the L1: looks each presented request up in the tags, decides two cycles later, and
 * answers the MRPB.
 *
 * RTL twin: rtl/l1_control.v. Contract: docs/modules/l1_control.md.
 * Timing: stages T (presented), D (the tags are read) and A (decided); one request a cycle. A
 * refusal drops what is in D and T.
 * Not modelled: the tags, the tables and the queues that it asks. */
#ifndef MRPB_L1_CONTROL_H
#define MRPB_L1_CONTROL_H

#include "bits.h"
#include "module.h"

#define STEM l1_control
#define PORTS_FILE "ports/l1_control.ports.h"
#include "ports/declare.h"

#endif
