/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of a module found in a VCD: which scope, which signals, in how many pieces, and the
 * sizes. docs/verify/waves.md */
#ifndef VCD_BIND_H
#define VCD_BIND_H

#include "module.h"
#include "base/waves/vcd_in.h"

/* No port is wider. */
enum { VCD_BIND_PIECES = 512, VCD_BIND_WIDTH = 4096 };

/* What the user said; NULL where nothing. */
typedef struct {
  const char *scope, *clock;
  bool given[MODULE_MAX_PARAMS]; /* parameters of `cfg` that the user has set */
} vcd_choice_t;

/* Bits of a signal that are bits at..at+width-1 of a port. */
typedef struct {
  unsigned id, at, width;
} vcd_piece_t;

typedef struct {
  unsigned n; /* 0: the dump lacks it */
  vcd_piece_t piece[VCD_BIND_PIECES];
} vcd_port_t;

typedef struct {
  const module_class_t *cls;
  unsigned scope;
  bool clocked;
  unsigned clock;               /* signal */
  int reset;                    /* input that is rst_ni, or -1 */
  int param[MODULE_MAX_PARAMS]; /* signal that holds it, or -1 */
  vcd_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
} vcd_bind_t;

/* Finds scope, clock and parameters, and has everything watched. 0, or -1 and a message. */
int vcd_bind_scope(vcd_bind_t *b, vcd_in_t *dump, const module_class_t *cls,
                   const vcd_choice_t *choice, mrpb_err_t *err);
/* Once the sizes are known: finds all pieces of the ports. 0, or -1 and a message. */
int vcd_bind_ports(vcd_bind_t *b, const vcd_in_t *dump, const uint32_t *cfg, mrpb_err_t *err);

#endif
