/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sigaltstack */
#include "base/crash.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 1 << 16, N_SIGNALS = 5 };

static const int signals[N_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct crash {
  const hang_t *doing;
  volatile bool tries;
  sigjmp_buf back;
  stack_t before;
  struct sigaction was[N_SIGNALS];
  _Alignas(max_align_t) char stack[STACK];
};

/* The state, if this thread has one: on its stack of handlers. */
static crash_t *mine(void) {
  stack_t s;
  if (sigaltstack(NULL, &s) != 0 || s.ss_flags & SS_DISABLE || s.ss_size != STACK) return NULL;
  return (crash_t *)(void *)((char *)s.ss_sp - offsetof(crash_t, stack));
}

static void crashed(int sig) {
  crash_t *c = mine();
  if (c && c->tries && c->doing->doing) siglongjmp(c->back, sig);
  signal(sig, SIG_DFL);
  raise(sig);
}

crash_t *crash_catch(const hang_t *doing) {
  crash_t *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  /* Not blocked in its handler, a signal need not be unblocked by a jump: that costs a system call
   * for each call that is tried. */
  struct sigaction act = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER};
  const stack_t stack = {.ss_sp = c->stack, .ss_size = STACK};
  c->doing = doing;
  (void)sigaltstack(&stack, &c->before);
  for (unsigned i = 0; i < N_SIGNALS; i++) (void)sigaction(signals[i], &act, &c->was[i]);
  return c;
}

void crash_end(crash_t *c) {
  if (!c) return;
  for (unsigned i = 0; i < N_SIGNALS; i++) (void)sigaction(signals[i], &c->was[i], NULL);
  (void)sigaltstack(&c->before, NULL);
  free(c);
}

int crash_try(crash_t *c, void (*call)(void *ctx), void *ctx) {
  const int sig = sigsetjmp(c->back, 0);
  c->tries = sig == 0;
  if (sig == 0) call(ctx);
  c->tries = false;
  return sig;
}
