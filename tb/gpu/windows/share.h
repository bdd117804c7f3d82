/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread runs which SMs of a window (docs/threads.md). */
#ifndef WINDOWS_SHARE_H
#define WINDOWS_SHARE_H

/* How many of the SMs the calling thread runs, besides the requests of the window, and how many the
 * first of the other threads, besides the replies of the next window. How long the calling thread waits
 * for the others tells who has too much. */
typedef struct {
  unsigned sms, threads, mine, theirs, windows;
  double whole, for_sms, for_replies; /* seconds of these windows: all; those waited */
} share_t;

/* Of `sms` SMs and `threads` threads. */
share_t share_begin(unsigned sms, unsigned threads);
/* The thread that runs SM `i`. */
unsigned share_of(const share_t *s, unsigned i);
/* A window has taken `whole` seconds, of which the calling thread has waited for the other SMs and for the
 * replies. */
void share_window(share_t *s, double whole, double for_sms, double for_replies);

#endif
