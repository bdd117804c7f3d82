/* SPDX-License-Identifier: Apache-2.0 */
/* A number of cycles after which a child process ends its run, in memory that it shares with its
 * parent. The parent may lower the number while the run is in progress. */
#ifndef BOUND_H
#define BOUND_H

#include "err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  _Atomic uint64_t cycles; /* the run ends when it has taken more */
  _Atomic uint64_t ended;  /* the cycle in which it ended for that reason; 0: it did not */
} bound_t;

/* The environment variable that tells a child the descriptor of its bound. */
#define BOUND_VARIABLE "MRPB_BOUND"

/* Call in the parent. Returns the bound, and its descriptor in *fd; NULL and a message in err. */
bound_t *bound_open(int *fd, mrpb_err_t *err);
void bound_close(bound_t *b);

/* Call in the child: true if the run has a bound and has taken more cycles, which is recorded. */
bool bound_passed(uint64_t cycles);

#endif
