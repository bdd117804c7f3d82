/* SPDX-License-Identifier: Apache-2.0 */
/* What a design may do to the program that calls it: hang, or crash. */
#ifndef CONTRACT_WATCH_H
#define CONTRACT_WATCH_H

#include "base/crash.h"

/* `hang.doing` says where the design is; it must not move. */
typedef struct contract_watch {
  hang_t hang;
  crash_t *crash;
  volatile uint64_t cycle; /* of the play */
} contract_watch_t;

/* Starts to watch the design `what`, of which a call may take `seconds`. Returns false if out of
 * memory. */
bool contract_watch(contract_watch_t *w, const char *what, unsigned seconds);
void contract_watch_end(contract_watch_t *w);

#endif
