/* SPDX-License-Identifier: Apache-2.0 */
/* A cache in C or C++, from a shared object (mrpb_path.h), as a design of the contract. */
#ifndef PATH_OBJECT_H
#define PATH_OBJECT_H

#include "verify/contract/run.h"

typedef struct object object_t;

/* Loads the shared object. Returns 0, or -1 and a message in err. */
int object_open(object_t **out, const char *path, mrpb_err_t *err);
void object_close(object_t *o);

/* Runs the contract on it; a call may take `patience` seconds. Exit codes as contract_run. */
int object_run(object_t *o, const contract_run_t *run, unsigned patience, mrpb_err_t *err);

#endif
