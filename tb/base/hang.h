/* SPDX-License-Identifier: Apache-2.0 */
/* Notices code of a module that never comes back: a loop without end in a C model or in Verilog. A
 * timer of the kernel interrupts it; whoever has been in the same call for too long ends the
 * process: a line on stderr, exit code 4. */
#ifndef HANG_H
#define HANG_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { HANG_SECONDS = 60, HANG_EXIT = 4 };

/* Lies in its user's own struct. */
typedef struct {
  const char *volatile doing;     /* "the C model"; NULL: nothing that can hang */
  volatile uint64_t beat;         /* counts the calls */
  const char *what;               /* "mshr" */
  const volatile uint64_t *cycle; /* for the line */
  unsigned seconds;
  timer_t timer;
  bool runs;
  uint64_t last; /* the beat at the tick before */
  unsigned ticks;
} hang_t;

/* Watches from now on: `seconds` in one call, from 1. `what` and `cycle` must outlive the watch,
 * and `h` must stay where it is. Without a timer nothing is watched. */
void hang_watch(hang_t *h, const char *what, const volatile uint64_t *cycle, unsigned seconds);
void hang_end(hang_t *h);

/* Around a call; what is said of it must be a constant. One may follow another. */
static inline void hang_enter(hang_t *h, const char *doing) {
  h->doing = doing;
  h->beat++;
}
static inline void hang_leave(hang_t *h) {
  h->doing = NULL;
}

#endif
