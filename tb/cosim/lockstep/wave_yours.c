/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/lockstep/wave_yours.h"

#include "verilog/design/wrapper.h"

#include <stdlib.h>
#include <string.h>

bool wave_yours_has_output(const bind_t *bind, unsigned i) {
  return !bind || bind->output[i].there;
}

bool wave_yours_has_reg(const bind_t *bind, unsigned i) {
  for (size_t k = 0; bind && k < bind->n_regs; k++)
    if (bind->reg[k].reg == i) return true;
  return !bind;
}

/* Several of our registers may map to the same bits of the user's design, or to a signal that the
 * map shows. */
static bool known(const wave_yours_t *list, unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(list[i].name, name) == 0) return true;
  return false;
}

wave_yours_t *wave_yours_list(const bind_t *bind, unsigned *n) {
  wave_yours_t *list = calloc(bind->n_ports + bind->n_shows + bind->n_regs + 1, sizeof *list);
  *n = 0;
  for (unsigned i = 0; list && i < bind->n_ports; i++) {
    if (!wrapper_shows(bind, i)) continue;
    wave_yours_t *y = &list[(*n)++];
    snprintf(y->name, sizeof y->name, "%s.yours.%s", bind->cls->stem, bind->port[i].port->name);
    y->width = bind->port[i].width;
  }
  for (size_t k = 0; list && k < bind->n_shows; k++) {
    wave_yours_t *y = &list[(*n)++];
    snprintf(y->name, sizeof y->name, "%s.yours.%s", bind->cls->stem, bind->show[k].path);
    y->width = bind->show[k].width;
  }
  for (size_t k = 0; list && k < bind->n_regs; k++) {
    const bind_reg_t *r = &bind->reg[k];
    wave_yours_t *y = &list[*n];
    snprintf(y->name, sizeof y->name, "%s.yours.%s", bind->cls->stem, r->path);
    y->width = r->width;
    y->reg = r;
    *n += !known(list, *n, y->name);
  }
  return list;
}
