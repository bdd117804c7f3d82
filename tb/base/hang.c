/* SPDX-License-Identifier: Apache-2.0 */
/* The timer's signal carries a pointer to the watch, so no state is needed here: see hang.h. */
#include "hang.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { TICKS = 4, TEXT = 256 };

/* printf must not be used in a signal handler. */
static size_t put(char *text, size_t at, const char *word) {
  while (*word && at < TEXT - 1) text[at++] = *word++;
  return at;
}

static size_t put_number(char *text, size_t at, uint64_t n) {
  char digits[24];
  size_t i = sizeof digits - 1;
  digits[i] = '\0';
  do digits[--i] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  return put(text, at, digits + i);
}

static void give_up(const hang_t *h) {
  char text[TEXT];
  size_t n = put(text, 0, "mrpb: ");
  n = put(text, n, h->what);
  n = put(text, n, ", cycle ");
  n = put_number(text, n, *h->cycle);
  n = put(text, n, ": ");
  n = put(text, n, h->doing);
  n = put(text, n, " did not return within ");
  n = put_number(text, n, h->seconds);
  n = put(text, n, " s: hung?\n");
  ssize_t written = write(STDERR_FILENO, text, n);
  _exit(written > 0 ? HANG_EXIT : HANG_EXIT);
}

static void tick(int sig, siginfo_t *info, void *context) {
  hang_t *h = info->si_value.sival_ptr;
  (void)sig;
  (void)context;
  if (info->si_code != SI_TIMER || !h) return;
  if (h->doing && h->beat == h->last) {
    if (++h->ticks >= TICKS) give_up(h);
    return;
  }
  h->last = h->beat;
  h->ticks = 0;
}

void hang_watch(hang_t *h, const char *what, const volatile uint64_t *cycle, unsigned seconds) {
  struct sigaction action;
  struct sigevent event;
  const uint64_t slice = (uint64_t)seconds * 1000000000u / TICKS;
  const struct timespec each = {(time_t)(slice / 1000000000u), (long)(slice % 1000000000u)};
  const struct itimerspec period = {each, each};
  h->what = what;
  h->cycle = cycle;
  h->seconds = seconds;
  h->last = h->beat - 1;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_ptr = h;
  h->runs = sigaction(SIGRTMIN, &action, NULL) == 0 &&
            timer_create(CLOCK_MONOTONIC, &event, &h->timer) == 0;
  if (h->runs) timer_settime(h->timer, 0, &period, NULL);
}

void hang_end(hang_t *h) {
  if (h->runs) timer_delete(h->timer);
  h->runs = false;
}
