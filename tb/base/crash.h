/* SPDX-License-Identifier: Apache-2.0 */
/* Survives code that crashes: a design's, of a user. The state lies on the stack of the signal
 * handlers, which is where a handler finds it. */
#ifndef CRASH_H
#define CRASH_H

#include "base/hang.h"

typedef struct crash crash_t;

/* From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) of this thread while `doing` says
 * what is done ends the call of crash_try. Any other crash ends the process as before. `doing` must
 * outlive the result. NULL if out of memory. */
crash_t *crash_catch(const hang_t *doing);
void crash_end(crash_t *c);

/* Calls call(ctx). Returns 0, or the signal of the crash: then `doing` is what it was, and nothing
 * that the call has left half done may be used. Not to be nested. */
int crash_try(crash_t *c, void (*call)(void *ctx), void *ctx);

#endif
