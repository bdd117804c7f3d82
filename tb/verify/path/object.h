/* SPDX-License-Identifier: Apache-2.0 */
/* A cache in C or C++, from a shared object (mrpb_path.h), as a design of the contract. */
#ifndef PATH_OBJECT_H
#define PATH_OBJECT_H

#include "verify/contract/run.h"

/* Runs the contract on the cache of the shared object `path`; a call may take `patience` seconds.
 * Exit codes as contract_run. */
int path_object_run(const char *path, const contract_run_t *run, unsigned patience,
                    mrpb_err_t *err);

#endif
