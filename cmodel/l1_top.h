/* SPDX-License-Identifier: Apache-2.0 */
/* The whole path through an L1: instructions of warps in, AXI4 to memory, answers out.
 *
 * RTL twin: rtl/l1_top.v. Contract: docs/modules/l1_top.md. It contains the models of its parts and
 * wires them as the Verilog does.
 * Timing: an instruction a cycle at most, a request a cycle into the MRPB, an answer a cycle.
 * Not modelled: atomics, stores that stay in the cache, textures. */
#ifndef MRPB_L1_TOP_H
#define MRPB_L1_TOP_H

#include "axi_port.h"
#include "bits.h"
#include "coalescer.h"
#include "l1_control.h"
#include "l1_reply.h"
#include "lane_table.h"
#include "line_align.h"
#include "line_data.h"
#include "line_fill.h"
#include "module.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"
#include "reg_fifo.h"
#include "store_buffer.h"
#include "tags.h"

#define STEM l1_top
#define PORTS_FILE "ports/l1_top.ports.h"
#include "ports/declare.h"

/* l1_top_comb followed by l1_top_edge, evaluated once. */
void l1_top_step(l1_top_t *self, const l1_top_in_t *in, l1_top_out_t *out);

#endif
