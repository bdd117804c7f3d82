/* SPDX-License-Identifier: Apache-2.0 */
/* A queue with a handshake at both ends, in registers, with a search for the low bits of an entry.
 *
 * RTL twin: rtl/reg_fifo.v. Contract: docs/modules/reg_fifo.md.
 * Timing: an entry comes and an entry leaves each cycle; offered from the cycle after it came. */
#ifndef MRPB_REG_FIFO_H
#define MRPB_REG_FIFO_H

#include "bits.h"
#include "module.h"

#define STEM reg_fifo
#define PORTS_FILE "ports/reg_fifo.ports.h"
#include "ports/declare.h"

#endif
