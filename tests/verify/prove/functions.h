/* SPDX-License-Identifier: Apache-2.0 */
/* Small functions that are compiled twice: through gcc into the test, through clang into the
 * graph. */
#ifndef PROVE_FUNCTIONS_H
#define PROVE_FUNCTIONS_H

#include <stdint.h>

// clang-format off
#define FUNCTIONS(F) \
  F(arithmetic) F(divide) F(narrow) F(signed_compare) F(shifts) F(bit_counts) F(rotate) F(swap) \
  F(decide) F(jump) F(early) F(loop_data) F(loop_nested) F(table) F(table_write) F(two_objects) \
  F(copy) F(by_value) F(pointer_call) F(recursion) F(heap) F(walk) F(saturate) F(bytes) \
  F(signed_divide) F(bit_fields) F(distance) F(partly_set) F(lives) F(narrow_shift)
// clang-format on

#define PROTOTYPE(name) uint64_t f_##name(uint64_t a, uint64_t b);
FUNCTIONS(PROTOTYPE)
#undef PROTOTYPE

/* These contain faults that must be found. */
uint64_t f_bad_index(uint64_t a, uint64_t b);
uint64_t f_bad_divide(uint64_t a, uint64_t b);
uint64_t f_bad_loop(uint64_t a, uint64_t b);
uint64_t f_bad_abort(uint64_t a, uint64_t b);
uint64_t f_bad_overflow(uint64_t a, uint64_t b);
uint64_t f_bad_product(uint64_t a, uint64_t b);
uint64_t f_bad_quotient(uint64_t a, uint64_t b);
uint64_t f_bad_shift(uint64_t a, uint64_t b);
uint64_t f_bad_sign(uint64_t a, uint64_t b);
uint64_t f_bad_unset(uint64_t a, uint64_t b);
uint64_t f_bad_part(uint64_t a, uint64_t b);
uint64_t f_bad_pointer(uint64_t a, uint64_t b);
uint64_t f_bad_row(uint64_t a, uint64_t b);

#endif
