/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a design of the user's: its outputs and registers under our names, in the cycles in which ours would have
 * them. docs/verify/door.md */
#ifndef PROPERTIES_DESIGN_H
#define PROPERTIES_DESIGN_H

#include "verilog/load/lib.h"

/* Files for Yosys into `dir`, and the commands that read them and leave logic whose properties need no register that the
 * map does not name, into `script`. `root`: the project's folder. `constants`: Verilog for
 * the properties in place of our own module's words for widths, or NULL. 0, or -1 and a message. */
int properties_design(const rtl_source_t *s, const module_class_t *cls, const char *root,
                      const char *constants, const char *dir, FILE *script, mrpb_err_t *err);

#endif
