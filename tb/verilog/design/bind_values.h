/* SPDX-License-Identifier: Apache-2.0 */
/* Our names with the values of a cycle, for the conditions of a map. docs/verify/door.md */
#ifndef DESIGN_BIND_VALUES_H
#define DESIGN_BIND_VALUES_H

#include "verilog/design/bind.h"

typedef struct {
  const bind_t *bind;
  const uint64_t *in, *out; /* words of our ports; out NULL: outputs are 0 */
} bind_values_t;

/* Returns a scope of our names for expr_eval; `v` must outlive it. */
scope_t bind_values(const bind_values_t *v);
/* Whether the inputs `in` satisfy every `assume` line. A reset cycle always does. */
bool bind_assumed(const bind_t *b, const uint64_t *in);

#endif
