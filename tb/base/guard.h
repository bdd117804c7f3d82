/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and SIGTERM for a whole process. Both are blocked, so that the program can check for them
 * at convenient points. A process that does not check in time is ended anyway, with everything that
 * it has started. */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>

/* Seconds after a signal until remaining children are killed; after as many again the process
 * itself ends. */
enum { GUARD_SECONDS = 1 };

/* Blocks SIGINT and SIGTERM, makes writes beyond a limit or into a closed pipe fail instead of
 * killing the process, and starts the thread that waits for a signal. On a signal the thread ends
 * all descendants with SIGTERM at once and later with SIGKILL. Finally it calls `cleanup` (may be
 * NULL; called in that thread, while the others continue) and exits with guard_code(). Call it
 * once, in main, before starting any other thread. */
void guard_start(void (*cleanup)(void));

/* True once a signal has arrived; it stays true. */
bool guard_signalled(void);

/* 130 after Ctrl-C, 143 after SIGTERM. */
int guard_code(void);

/* Sends `sig` to all descendants of this process; false if there are none. */
bool guard_end_children(int sig);

#endif
