/* SPDX-License-Identifier: Apache-2.0 */
/* Sends the requests of the L1's miss queue to memory, as bursts of AXI4.
 *
 * RTL twin: rtl/axi_port.v. Contract: docs/modules/axi_port.md.
 * Timing: a read is offered in its own cycle, a write from the next cycle on, a beat a cycle.
 * Not modelled: the signals of AXI4 that never change. */
#ifndef MRPB_AXI_PORT_H
#define MRPB_AXI_PORT_H

#include "bits.h"
#include "module.h"

#define STEM axi_port
#define PORTS_FILE "ports/axi_port.ports.h"
#include "ports/declare.h"

#endif
