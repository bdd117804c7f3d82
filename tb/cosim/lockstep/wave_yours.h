/* SPDX-License-Identifier: Apache-2.0 */
/* What a wave shows of a design of the user's: its ports, and what the map's lines of registers name, by the user's
 * names; and which of ours the map leaves out. docs/verify/waves.md */
#ifndef WAVE_YOURS_H
#define WAVE_YOURS_H

#include "verilog/load/lib.h"

#include <stdbool.h>

enum { WAVE_YOURS_NAME = BIND_TEXT + MAP_NAME };

typedef struct {
  char name[WAVE_YOURS_NAME]; /* "mshr.yours.u_table.ent_q[3].busy" */
  unsigned width;
  const bind_reg_t *reg; /* bits of a register; NULL: the next port */
} wave_yours_t;

/* The signals in the order of the wave, *n of them. The caller frees the list. NULL: out of memory. */
wave_yours_t *wave_yours_list(const bind_t *bind, unsigned *n);

/* Whether output or register `i` of ours has a side in the design. `bind` NULL: it is no design of the user's. */
bool wave_yours_has_output(const bind_t *bind, unsigned i);
bool wave_yours_has_reg(const bind_t *bind, unsigned i);

#endif
