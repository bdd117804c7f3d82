/* SPDX-License-Identifier: Apache-2.0 */
/* What a map says of the comparison with a design of the user's: outputs that come later or count only at times,
 * registers of which some bits are theirs, state that nothing has been written to. docs/verify/door.md */
#ifndef COSIM_FOREIGN_H
#define COSIM_FOREIGN_H

#include "verilog/load/lib.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct foreign foreign_t;

/* `bind` must outlive it. NULL without memory. */
foreign_t *foreign_open(const bind_t *bind, const shim_table_t *shim);
void foreign_close(foreign_t *f);

/* After comb of this cycle: what the design must show now. `in` and `out_c` are the model's, `out_rtl` the design's;
 * `want` (out_words) becomes the model's outputs of as many cycles ago as the map says, and the design's own where they do not
 * count. The second copy of the design is evaluated: false if it shows something else than `want`. */
bool foreign_comb(foreign_t *f, const uint64_t *in, const uint64_t *out_c, const uint64_t *out_rtl,
                  uint64_t *want);
/* Whether output `i` is compared now, between comb and the edge. */
bool foreign_counts(const foreign_t *f, unsigned i);
/* The outputs of the second copy. */
const uint64_t *foreign_twin(const foreign_t *f);
/* The clock edge of the second copy; to be called once a cycle, and before foreign_regs. */
void foreign_edge(foreign_t *f);
/* Bits of an element of a register that do not count now, low 64 bits from `lsb` on. */
uint64_t foreign_mask(const foreign_t *f, unsigned reg, unsigned elem, unsigned lsb, uint64_t rtl);
/* What the map says, as given. */
const bind_t *foreign_bind(const foreign_t *f);
/* In how many cycles output `i` was compared. */
uint64_t foreign_compared(const foreign_t *f, unsigned i);
/* How many bits of a register the map names that something has been written to; `zeros`: of the first copy. */
uint64_t foreign_bits(const foreign_t *f, unsigned reg, const shim_view_t *zeros);

/* foreign_bytes of state, to go back to. */
size_t foreign_bytes(const foreign_t *f);
void foreign_save(const foreign_t *f, void *to);
void foreign_load(foreign_t *f, const void *from);

#endif
