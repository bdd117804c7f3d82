/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the contract of a path (docs/conform/path.md) as C types, generated from its
 * ports table. It has no cycle-exact model: model.h says what a design's outputs must be. */
#ifndef PATH_IFACE_H
#define PATH_IFACE_H

#include "bits.h"
#include "module.h"

#define STEM path
#define PORTS_FILE "verify/path/iface.ports.h"
#include "ports/declare.h"

/* What a map connects. */
typedef struct {
  bool write, mask, bypass, rsp_ready, flush; /* the design uses these inputs */
  bool mem_ready, mem_write_ack;
  bool mem, mem_write, mem_id, mem_mask, mem_rsp_ready; /* it has these outputs */
  bool axi, axi_write, axi_ready;                       /* ar_valid_o; aw_valid_o; all readies */
  bool r_ready, b_ready;
  bool hold; /* a refused request stays as it is */
} path_has_t;

/* The number of parameters and ports; the ports' widths are those of `cfg`. path_class has no comb
 * and no edge. */
enum { PATH_PARAMS = 15, PATH_INS = 24, PATH_OUTS = 30 };

#endif
