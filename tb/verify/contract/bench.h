/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a case as a bench for another simulator. */
#ifndef CONTRACT_BENCH_H
#define CONTRACT_BENCH_H

#include "verify/contract/play.h"

/* Writes to `path` the wrapper and a bench that drives the case. In every cycle after the reset the
 * bench compares the mapped outputs that count with those of this simulator. It prints "same in N
 * cycles", or where they differ. Returns 0, or -1 and a message in err. */
int contract_bench_write(const char *path, const contract_setup_t *setup, const contract_case_t *c,
                         mrpb_err_t *err);

#endif
