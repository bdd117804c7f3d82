/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of a user's design in a wave: its ports, the signals that the map shows and the
 * registers that it names, under the user's names. Also tells which of our signals the map leaves out. docs/verify/waves.md */
#ifndef WAVE_YOURS_H
#define WAVE_YOURS_H

#include "verilog/load/lib.h"

#include <stdbool.h>

enum { WAVE_YOURS_NAME = BIND_TEXT + MAP_NAME };

typedef struct {
  char name[WAVE_YOURS_NAME]; /* "mshr.yours.u_table.ent_q[3].busy" */
  unsigned width;
  const bind_reg_t *reg; /* bits of a register; NULL: the next of the shim's views */
} wave_yours_t;

/* Lists the signals in the order of the wave, *n of them. The caller frees the list. Returns NULL
 * if out of memory. */
wave_yours_t *wave_yours_list(const bind_t *bind, unsigned *n);

/* Whether our output or register `i` has a counterpart in the design. `bind` NULL: there is no
 * user's design. */
bool wave_yours_has_output(const bind_t *bind, unsigned i);
bool wave_yours_has_reg(const bind_t *bind, unsigned i);

#endif
