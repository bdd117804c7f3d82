/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of l1_top; for cmodel/l1_top*.c only. */
#ifndef MRPB_L1_TOP_PRIV_H
#define MRPB_L1_TOP_PRIV_H

#include "l1_top.h"

enum { L1_TOP_ID_W = 6 }; /* bits of a warp's or block's ID */

/* PARITY: a bit for each event counter and store_open_q, and for each word of store_warp_q. */
typedef struct {
  uint16_t state;
  uint32_t warp;
} l1_top_parity_t;

/* Each part with its members: X(stem, instance). */
#define PARTS(X)                                                                                   \
  X(coalescer, u_coalescer)                                                                        \
  X(mrpb, u_mrpb)                                                                                  \
  X(prt, u_prt)                                                                                    \
  X(lane_table, u_lane_table)                                                                      \
  X(store_buffer, u_store_buffer)                                                                  \
  X(tags, u_tags)                                                                                  \
  X(mshr, u_mshr)                                                                                  \
  X(mshr, u_bypass)                                                                                \
  X(l1_control, u_control)                                                                         \
  X(reg_fifo, u_read)                                                                              \
  X(reg_fifo, u_miss)                                                                              \
  X(reg_fifo, u_flight)                                                                            \
  X(axi_port, u_axi)                                                                               \
  X(line_fill, u_fill)                                                                             \
  X(line_data, u_data)                                                                             \
  X(l1_reply, u_reply)                                                                             \
  X(line_align, u_align)                                                                           \
  X(reg_fifo, u_response)

struct l1_top {
  l1_top_cfg_t cfg;
  unsigned number_w, entry_w, prt_w, slot_w, req_w; /* widths, as the Verilog names them */
  unsigned line_w, place_w, beat_w;
  l1_top_parity_t *parity; /* NULL without PARITY */
  l1_top_regs_t r;
#define PART(stem, inst) stem##_t *inst;
  PARTS(PART)
#undef PART
};

/* Makes the parts, for a legal configuration; -1 and a message if one cannot be made. */
int l1_top_parts_create(l1_top_t *self, mrpb_err_t *err);
void l1_top_parts_destroy(l1_top_t *self);
void l1_top_parts_copy(l1_top_t *to, const l1_top_t *from);

#endif
