/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and SIGTERM for a whole process. Both are blocked, to be asked for where it suits; whoever
 * does not ask in time is ended all the same, with everything that it has started. */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>

/* Seconds after a signal: children that are still there are killed, and as many later the process
 * itself ends. */
enum { GUARD_SECONDS = 1 };

/* Blocks SIGINT and SIGTERM, lets writes beyond a limit or into a closed pipe fail instead of kill,
 * and starts the thread that waits for a signal: it ends all descendants with SIGTERM at once, then
 * with SIGKILL, and at last calls `cleanup` (may be NULL; in that thread, while the others go on)
 * and exits with guard_code(). Called once, in main, before any other thread. */
void guard_start(void (*cleanup)(void));

/* A signal has come; it stays true. */
bool guard_signalled(void);

/* 130 after Ctrl-C, 143 after SIGTERM. */
int guard_code(void);

/* `sig` for all descendants of this process; false if there is none. */
bool guard_end_children(int sig);

#endif
