/* SPDX-License-Identifier: Apache-2.0 */
/* What atom and red do to a value in memory: for the executor, and for whoever performs them in another
 * order. */
#ifndef ATOMIC_H
#define ATOMIC_H

#include "workload/ptx/ptx.h"

/* What stands there afterwards: `old` did before, b and c (of cas) are the operands. All are the low
 * bits of the type. */
typedef uint64_t (*atomic_t)(uint64_t old, uint64_t b, uint64_t c);

/* NULL if there is no such operation. In the L2 (`global`) an addition of .f32 takes denormal numbers for
 * zeros, in shared memory it does not, and one of .f64 does not make quiet what is no number. */
atomic_t atomic_function(ptx_atomic_t what, ptx_type_t type, bool global);

/* The order of several of them does not change what stands there in the end. */
bool atomic_commutes(ptx_atomic_t what, ptx_type_t type);

#endif
