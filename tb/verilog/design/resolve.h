/* SPDX-License-Identifier: Apache-2.0 */
/* What a path in a design is: which variable, and which bits of it. docs/verify/door.md */
#ifndef DESIGN_RESOLVE_H
#define DESIGN_RESOLVE_H

#include "verilog/design/describe.h"
#include "verilog/design/expr.h"

/* Elements of unpacked arrays belong to the name: "u_table.ent_q[3]", whose bits lsb .. lsb + width - 1 are
 * meant. */
typedef struct {
  const decl_t *item;
  char name[4 * EXPR_NAME_SIZE];
  unsigned lsb, width, whole; /* whole: bits of all of `name` */
  bool array;                 /* elements of an unpacked array are left open: no vector */
} resolved_t;

/* Follows `path` from module `module`; indices are constants of `s`. `what` ("register of miss_table") is for the
 * message, which names the nearest that there is. 0, or -1 and a message. */
int resolve(const describe_t *d, const char *module, const step_t *path, const scope_t *s,
            const char *what, resolved_t *r, mrpb_err_t *err);

#endif
