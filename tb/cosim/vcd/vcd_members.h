/* SPDX-License-Identifier: Apache-2.0 */
/* Ports that a dump declares in parts: members of structs and unions, which are scopes of their own, and elements of packed
 * arrays. docs/verify/waves.md */
#ifndef VCD_MEMBERS_H
#define VCD_MEMBERS_H

#include "base/waves/vcd_in.h"

#include <stddef.h>

/* Of a port: which bits "push.data[0]" is. False: it is no part of a port. */
typedef struct {
  bool (*bits)(void *ctx, const char *path, unsigned *at, unsigned *width);
  void *ctx;
} vcd_types_t;

/* The variable is bits at..at+width-1 of a port of the module that would be `scope`. */
typedef struct {
  unsigned var, scope, at, width;
  char *port;
} vcd_member_t;

typedef struct {
  vcd_member_t *list;
  size_t n, room;
} vcd_members_t;

/* All that may be one, in any scope; `types` NULL: none. vcd_members_free, also after a failure. 0, or -1 without memory. */
int vcd_members_find(vcd_members_t *m, const vcd_in_t *dump, const vcd_types_t *types);
void vcd_members_free(vcd_members_t *m);

#endif
