/* SPDX-License-Identifier: Apache-2.0 */
/* A case for another simulator. */
#ifndef CONFORM_BENCH_H
#define CONFORM_BENCH_H

#include "verify/conform/play.h"

/* Writes `path`: the wrapper, and a bench that drives the case and compares the mapped outputs with those of this
 * simulator in every cycle after the reset. It prints "same in N cycles", or where it differs. 0, or -1 and a message. */
int conform_bench_write(const char *path, const conform_setup_t *setup, const conform_case_t *c,
                        mrpb_err_t *err);

#endif
