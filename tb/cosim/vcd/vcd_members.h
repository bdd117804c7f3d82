/* SPDX-License-Identifier: Apache-2.0 */
/* Ports that a dump declares in parts: members of structs and unions, which have scopes of their
 * own, and elements of packed arrays. docs/verify/waves.md */
#ifndef VCD_MEMBERS_H
#define VCD_MEMBERS_H

#include "base/waves/vcd_in.h"

#include <stddef.h>

/* Gives the bits of a port that a path such as "push.data[0]" names. Returns false if it is not
 * part of a port. */
typedef struct {
  bool (*bits)(void *ctx, const char *path, unsigned *at, unsigned *width);
  void *ctx;
} vcd_types_t;

/* The variable is bits at..at+width-1 of a port, if `scope` is the module. */
typedef struct {
  unsigned var, scope, at, width;
  char *port;
} vcd_member_t;

typedef struct {
  vcd_member_t *list;
  size_t n, room;
} vcd_members_t;

/* Finds all variables that may be members, in any scope; with `types` NULL, none. Call
 * vcd_members_free afterwards, also after a failure. Returns 0, or -1 if out of memory. */
int vcd_members_find(vcd_members_t *m, const vcd_in_t *dump, const vcd_types_t *types);
void vcd_members_free(vcd_members_t *m);

#endif
