/* SPDX-License-Identifier: Apache-2.0 */
/* Names of ours with the values of a cycle, for conditions of a map. docs/verify/door.md */
#ifndef DESIGN_BIND_VALUES_H
#define DESIGN_BIND_VALUES_H

#include "verilog/design/bind.h"

typedef struct {
  const bind_t *bind;
  const uint64_t *in, *out; /* words of our ports; out NULL: outputs are 0 */
} bind_values_t;

/* Our names, for expr_eval; `v` must outlive it. */
scope_t bind_values(const bind_values_t *v);
/* Whether the inputs `in` keep every `assume` line. A cycle of a reset keeps them. */
bool bind_assumed(const bind_t *b, const uint64_t *in);

#endif
