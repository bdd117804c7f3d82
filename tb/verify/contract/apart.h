/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a contract in a process of its own: what a design in C does there, even _exit(), ends in one
 * line. */
#ifndef CONTRACT_APART_H
#define CONTRACT_APART_H

#include "verify/contract/watch.h"

#include "err.h"

/* `work` returns an exit code, or one and a message; so does this function. The design `what` is
 * watched meanwhile: a call may take `seconds`. */
typedef int contract_apart_t(void *ctx, contract_watch_t *watch, mrpb_err_t *err);
int contract_apart(contract_apart_t *work, void *ctx, const char *what, unsigned seconds,
                   mrpb_err_t *err);

#endif
