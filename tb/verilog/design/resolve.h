/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves a path in a design to a variable and bits of it. docs/verify/door.md */
#ifndef DESIGN_RESOLVE_H
#define DESIGN_RESOLVE_H

#include "verilog/design/describe.h"
#include "verilog/design/expr.h"

/* The result. Elements of unpacked arrays belong to the name: bits lsb .. lsb + width - 1 of
 * "u_table.ent_q[3]". */
typedef struct {
  const decl_t *item;
  char name[4 * EXPR_NAME_SIZE];
  unsigned lsb, width, whole; /* whole: the width of all of `name` */
  bool array;                 /* elements of an unpacked array are not selected: no vector */
} resolved_t;

/* Follows `path` from module `module`; indices are constants of `s`. `what` ("register of
 * miss_table") is for the message, which also gives the nearest existing name. Returns 0, or -1 and
 * a message in err. */
int resolve(const describe_t *d, const char *module, const step_t *path, const scope_t *s,
            const char *what, resolved_t *r, mrpb_err_t *err);

#endif
