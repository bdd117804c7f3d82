/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the ports of a module in a VCD: its scope, its signals, in how many pieces each port is
 * declared, and the sizes. docs/verify/waves.md */
#ifndef VCD_BIND_H
#define VCD_BIND_H

#include "module.h"
#include "base/waves/vcd_in.h"
#include "cosim/vcd/vcd_members.h"

/* Limits: the pieces and width of a port, and how many ports and parameters of a module are looked
 * for. */
enum { VCD_BIND_PIECES = 512, VCD_BIND_WIDTH = 4096, VCD_BIND_PORTS = 512, VCD_BIND_PARAMS = 256 };

/* What to look for: one of our modules, or a user's design. All inputs must be in the dump; outputs
 * may be. */
typedef struct {
  const char *name;              /* of the module */
  const char *clock;             /* NULL: the module has none */
  const module_port_t *in, *out; /* names at first, widths once the sizes are known */
  unsigned n_in, n_out, n_params;
  const char *param[VCD_BIND_PARAMS];
  const module_class_t *cls; /* for the sizes in messages */
  vcd_types_t types;         /* of ports with members; zeros: there are none */
} vcd_face_t;

/* What the user gave; NULL where nothing was given. */
typedef struct {
  const char *scope, *clock;
  bool given[MODULE_MAX_PARAMS]; /* parameters of `cfg` that the user has set */
} vcd_choice_t;

/* Bits of a signal that are bits at..at+width-1 of a port. */
typedef struct {
  unsigned id, at, width;
} vcd_piece_t;

typedef struct {
  unsigned n; /* 0: it is not in the dump */
  vcd_piece_t piece[VCD_BIND_PIECES];
} vcd_port_t;

typedef struct {
  const vcd_face_t *face;
  unsigned scope;
  bool clocked;
  unsigned clock;             /* signal */
  int param[VCD_BIND_PARAMS]; /* signal that holds it, or -1 */
  vcd_port_t *in, *out;
  vcd_members_t members;
} vcd_bind_t;

/* Finds the scope, the clock and the parameters, and sets a watch on everything needed. `face` must
 * outlive `b`. Call vcd_bind_close afterwards, also after a failure. Returns 0, or -1 and a message
 * in err. */
int vcd_bind_scope(vcd_bind_t *b, vcd_in_t *dump, const vcd_face_t *face,
                   const vcd_choice_t *choice, mrpb_err_t *err);
void vcd_bind_close(vcd_bind_t *b);
/* Call once the sizes are known. Finds all pieces of the ports. Returns 0, or -1 and a message in
 * err. */
int vcd_bind_ports(vcd_bind_t *b, const vcd_in_t *dump, const uint32_t *cfg, mrpb_err_t *err);

#endif
