/* SPDX-License-Identifier: Apache-2.0 */
/* Detects code of a module that hangs: an endless loop in a C model or in Verilog. A kernel timer
 * interrupts the process; if it has been in the same call for too long, the process ends with a
 * line on stderr and exit code 4. */
#ifndef HANG_H
#define HANG_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { HANG_SECONDS = 60, HANG_EXIT = 4 };

/* Lies in the user's own struct. */
typedef struct {
  const char *volatile doing;     /* "the C model"; NULL: nothing that can hang */
  volatile uint64_t beat;         /* counts calls */
  const char *what;               /* "mshr" */
  const volatile uint64_t *cycle; /* for the message */
  unsigned seconds;
  timer_t timer;
  bool runs;
  uint64_t last; /* `beat` at the previous tick */
  unsigned ticks;
} hang_t;

/* Starts to watch: a call may take `seconds`, at least 1. `what` and `cycle` must outlive the
 * watch, and `h` must not move. If no timer is available, nothing is watched. */
void hang_watch(hang_t *h, const char *what, const volatile uint64_t *cycle, unsigned seconds);
void hang_end(hang_t *h);

/* Call these around a call; `doing` must be a string constant. hang_enter may be called again
 * without hang_leave in between. */
static inline void hang_enter(hang_t *h, const char *doing) {
  h->doing = doing;
  h->beat++;
}
static inline void hang_leave(hang_t *h) {
  h->doing = NULL;
}

#endif
