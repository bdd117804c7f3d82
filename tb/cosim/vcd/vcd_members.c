/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/vcd/vcd_members.h"

#include "base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 512, DEEP = 16 };

static int add(vcd_members_t *m, vcd_member_t one, const char *path) {
  vcd_member_t *list = grow(m->list, m->n + 1, &m->room, sizeof *list);
  if (!list) return -1;
  m->list = list;
  const size_t n = strcspn(path, ".[");
  one.port = malloc(n + 1);
  if (!one.port) return -1;
  snprintf(one.port, n + 1, "%s", path);
  list[m->n++] = one;
  return 0;
}

/* The path of a variable relative to the enclosing `scope`. */
static bool path_from(const vcd_in_t *dump, const vcd_in_var_t *var, unsigned scope,
                      char path[PATH]) {
  const char *whole = vcd_in_scope(dump, var->scope) + strlen(vcd_in_scope(dump, scope));
  whole += *whole == '.';
  const int n = snprintf(path, PATH, "%s%s%s", whole, *whole ? "." : "", var->name);
  return n > 0 && n < PATH && strpbrk(path, ".[");
}

/* Finds the whole variable, or the bits of its range. */
static bool find_bits(const vcd_types_t *types, const vcd_in_var_t *var, char path[PATH],
                      vcd_member_t *one) {
  const size_t n = strlen(path);
  if (types->bits(types->ctx, path, &one->at, &one->width) && one->width == var->width) return true;
  if (!var->ranged || n + 32 > PATH) return false;
  if (var->msb == var->lsb)
    snprintf(path + n, PATH - n, "[%d]", var->msb);
  else
    snprintf(path + n, PATH - n, "[%d:%d]", var->msb, var->lsb);
  return types->bits(types->ctx, path, &one->at, &one->width) && one->width == var->width;
}

int vcd_members_find(vcd_members_t *m, const vcd_in_t *dump, const vcd_types_t *types) {
  *m = (vcd_members_t){.n = 0};
  for (unsigned i = 0; types && types->bits && i < vcd_in_n_vars(dump); i++) {
    const vcd_in_var_t *var = vcd_in_var(dump, i);
    unsigned scope = var->scope;
    for (unsigned deep = 0; var->valued && deep < DEEP; deep++) {
      char path[PATH];
      vcd_member_t one = {.var = i, .scope = scope};
      if (path_from(dump, var, scope, path) && find_bits(types, var, path, &one) &&
          add(m, one, path) != 0)
        return -1;
      if (scope == 0) break;
      scope = vcd_in_parent(dump, scope);
    }
  }
  return 0;
}

void vcd_members_free(vcd_members_t *m) {
  for (size_t i = 0; i < m->n; i++) free(m->list[i].port);
  free(m->list);
  *m = (vcd_members_t){.n = 0};
}
