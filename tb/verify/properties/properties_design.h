/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a user's design: its outputs and registers get our names, in the cycles in which
 * our module would have them. docs/verify/door.md */
#ifndef PROPERTIES_DESIGN_H
#define PROPERTIES_DESIGN_H

#include "verilog/load/lib.h"

/* Writes files for Yosys into `dir`, and to `script` the commands that read them. The commands
 * leave logic whose properties need no register that the map does not name. `root` is the project's
 * folder. `constants` is Verilog for the properties in place of our module's localparams, or NULL.
 * Returns 0, or -1 and a message in err. */
int properties_design(const rtl_source_t *s, const module_class_t *cls, const char *root,
                      const char *constants, const char *dir, FILE *script, mrpb_err_t *err);

#endif
