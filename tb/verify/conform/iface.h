/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the contract (docs/conform/README.md) as C types, generated from its ports
 * table. It has no cycle-exact model: model.h says what a design's outputs must be. */
#ifndef CONFORM_IFACE_H
#define CONFORM_IFACE_H

#include "bits.h"
#include "module.h"

#define STEM conform
#define PORTS_FILE "verify/conform/iface.ports.h"
#include "ports/declare.h"

/* What a map connects, beyond the ports that every design must have. */
typedef struct {
  bool merge, refuse, ticket; /* read_merge_o, read_refuse_o, read_ticket_o */
  bool line, line_addr, line_ticket;
  bool fill_ready, answer_addr, busy;
  bool hold;                     /* a refused read stays as it is */
  bool answer_ready, line_ready; /* the design uses these inputs */
} conform_has_t;

/* The number of parameters and ports, and their tables; the ports' widths are those of `cfg`.
 * conform_class has no comb and no edge. */
enum { CONFORM_PARAMS = 9, CONFORM_INS = 9, CONFORM_OUTS = 12 };
extern const module_param_t conform_params[CONFORM_PARAMS];
void conform_ports(const conform_cfg_t *cfg, module_port_t *in, module_port_t *out);

enum {
  CONFORM_IN_WORDS = sizeof(conform_in_t) / sizeof(uint64_t),
  CONFORM_OUT_WORDS = sizeof(conform_out_t) / sizeof(uint64_t)
};

#endif
