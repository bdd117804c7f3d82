/* SPDX-License-Identifier: Apache-2.0 */
/* What atom and red do to a value in memory: used by the executor, and by code that performs them
 * in another order. */
#ifndef ATOMIC_H
#define ATOMIC_H

#include "workload/ptx/ptx.h"

/* Returns the new value in memory. `old` is the value before; b and c (of cas) are the operands.
 * All values are the low bits of the type. */
typedef uint64_t (*atomic_t)(uint64_t old, uint64_t b, uint64_t c);

/* NULL if there is no such operation. In the L2 (`global`), an addition of .f32 treats denormal
 * numbers as zeros, and one of .f64 does not make NaNs quiet. In shared memory both do the
 * opposite. */
atomic_t atomic_function(ptx_atomic_t what, ptx_type_t type, bool global);

/* Whether the final value in memory is independent of the order of several such operations. */
bool atomic_commutes(ptx_atomic_t what, ptx_type_t type);

#endif
