/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a user's own design with the C model as its map says: outputs that come later or that
 * count only at times, registers of which only some bits exist in the design, and state that
 * nothing has written yet. docs/verify/door.md */
#ifndef COSIM_FOREIGN_H
#define COSIM_FOREIGN_H

#include "verilog/load/lib.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct foreign foreign_t;

/* `bind` must outlive the result. Returns NULL if out of memory. */
foreign_t *foreign_open(const bind_t *bind, const shim_table_t *shim);
void foreign_close(foreign_t *f);

/* Call after comb of this cycle. Computes what the design must show now. `in` and `out_c` belong to
 * the model, `out_rtl` to the design. `want` (out_words) becomes the model's outputs of as many
 * cycles ago as the map says, and the design's own outputs where they do not count. Also evaluates
 * the second copy of the design; returns false if that copy shows something other than `want`. */
bool foreign_comb(foreign_t *f, const uint64_t *in, const uint64_t *out_c, const uint64_t *out_rtl,
                  uint64_t *want);
/* Whether output `i` is compared now. Call between comb and the edge. */
bool foreign_counts(const foreign_t *f, unsigned i);
/* The outputs of the second copy. */
const uint64_t *foreign_twin(const foreign_t *f);
/* The clock edge of the second copy. Call once per cycle, before foreign_regs. */
void foreign_edge(foreign_t *f);
/* The bits of a register's element that do not count now: the low 64 bits from `lsb` on. */
uint64_t foreign_mask(const foreign_t *f, unsigned reg, unsigned elem, unsigned lsb, uint64_t rtl);
/* The map, as given to foreign_open. */
const bind_t *foreign_bind(const foreign_t *f);
/* In how many cycles output `i` was compared. */
uint64_t foreign_compared(const foreign_t *f, unsigned i);
/* Of the bits of a register that the map names, how many have been written. `zeros` is the view of
 * the first copy, which powers up with zeros. */
uint64_t foreign_bits(const foreign_t *f, unsigned reg, const shim_view_t *zeros);

/* foreign_save stores foreign_bytes bytes of state, and foreign_restore returns to them. */
size_t foreign_bytes(const foreign_t *f);
void foreign_save(const foreign_t *f, void *to);
void foreign_load(foreign_t *f, const void *from);

#endif
