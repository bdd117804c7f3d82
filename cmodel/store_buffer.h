/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what stores write until it is sent to memory: the lanes of a store are gathered into lines.
 *
 * RTL twin: rtl/store_buffer.v. Contract: docs/modules/store_buffer.md.
 * Timing: an instruction, a put, a free and a beat a cycle; with PASSES 2 a put of lanes in
 * both halves takes two cycles. */
#ifndef MRPB_STORE_BUFFER_H
#define MRPB_STORE_BUFFER_H

#include "bits.h"
#include "module.h"

#define STEM store_buffer
#define PORTS_FILE "ports/store_buffer.ports.h"
#include "ports/declare.h"

#endif
