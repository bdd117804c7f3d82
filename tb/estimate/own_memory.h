/* SPDX-License-Identifier: Apache-2.0 */
/* Which arrays of a user's design become macros: docs/estimate/own.md. */
#ifndef ESTIMATE_OWN_MEMORY_H
#define ESTIMATE_OWN_MEMORY_H

#include "estimate/look.h"
#include "estimate/sram.h"
#include "verilog/design/bind.h"

/* An array with the ports of a memory becomes one from this number of bits on. */
enum { OWN_MEMORY_BITS = 1024 };

typedef struct {
  const module_class_t *cls; /* of ours, at a size; NULL: none */
  const uint32_t *cfg;
  const bind_t *bind;       /* the map; NULL: none */
  const char *const *asked; /* arrays, or "none"; n_asked 0: the rule */
  unsigned n_asked;
} own_memory_t;

/* Decides on each array of the look, with the reason, and lists the macros. `name` is the design's.
 * *unclocked tells that none of them may take in
 * the register behind its read. Returns their number, or -1 and a message in err. */
int own_memories(look_t *l, const own_memory_t *m, const char *name, sram_t sram[SRAM_MAX],
                 bool *unclocked, mrpb_err_t *err);

#endif
