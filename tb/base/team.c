/* SPDX-License-Identifier: Apache-2.0 */
/* See team.h. A piece of work has a number; a thread that has seen the number has joined it. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a loop that waits: a tenth of a millisecond or more. To fall asleep and to be woken takes as long
 * on many hosts. */
enum { TURNS = 5000 };

typedef struct {
  team_t *team;
  unsigned number; /* 1 .. : the calling thread is number 0 */
  pthread_t thread;
  _Alignas(64) atomic_uint piece; /* number of its current piece */
} member_t;

struct team {
  unsigned threads, started;
  member_t member[TEAM_MOST];
  pthread_mutex_t lock;
  pthread_cond_t begun, ended;
  void (*work)(void *ctx, unsigned k);
  void *ctx;
  unsigned asleep; /* members that must be woken */
  bool stop;
  _Alignas(64) atomic_uint inside; /* other threads that have not ended the piece */
  atomic_bool awaited;             /* the calling thread sleeps until they have */
};

static inline void relax(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/* Waits until the number of the member's piece is another one than `seen`, and returns it. */
static unsigned await_piece(member_t *m, unsigned seen) {
  team_t *t = m->team;
  unsigned piece = seen;
  for (unsigned n = 0; n < TURNS && piece == seen; n++) {
    relax();
    piece = atomic_load_explicit(&m->piece, memory_order_acquire);
  }
  if (piece != seen) return piece;
  pthread_mutex_lock(&t->lock);
  t->asleep++;
  while ((piece = atomic_load_explicit(&m->piece, memory_order_acquire)) == seen)
    pthread_cond_wait(&t->begun, &t->lock);
  t->asleep--;
  pthread_mutex_unlock(&t->lock);
  return piece;
}

static void leave(team_t *t) {
  if (atomic_fetch_sub(&t->inside, 1) > 1) return;
  if (!atomic_load(&t->awaited)) return; /* it sets this before it looks at `inside` once more */
  pthread_mutex_lock(&t->lock);
  pthread_cond_signal(&t->ended);
  pthread_mutex_unlock(&t->lock);
}

static void *help(void *ctx) {
  member_t *m = ctx;
  team_t *t = m->team;
  for (unsigned seen = 0;;) {
    seen = await_piece(m, seen);
    if (t->stop) return NULL;
    t->work(t->ctx, m->number);
    leave(t);
  }
}

/* A piece of work for those other threads of `who` that have been started. */
static void begin(team_t *t, uint64_t who) {
  unsigned n = 0;
  for (unsigned i = 0; i < t->started; i++) n += (unsigned)(who >> t->member[i].number & 1);
  atomic_store_explicit(&t->inside, n, memory_order_relaxed);
  pthread_mutex_lock(&t->lock); /* between the last look of one that falls asleep and its sleep */
  for (unsigned i = 0; i < t->started; i++)
    if (who >> t->member[i].number & 1)
      atomic_fetch_add_explicit(&t->member[i].piece, 1, memory_order_release);
  if (t->asleep) pthread_cond_broadcast(&t->begun);
  pthread_mutex_unlock(&t->lock);
}

static void await_all(team_t *t) {
  for (unsigned n = 0; n < TURNS; n++) {
    if (atomic_load_explicit(&t->inside, memory_order_acquire) == 0) return;
    relax();
  }
  pthread_mutex_lock(&t->lock);
  atomic_store(&t->awaited, true);
  while (atomic_load(&t->inside) > 0) pthread_cond_wait(&t->ended, &t->lock);
  atomic_store(&t->awaited, false);
  pthread_mutex_unlock(&t->lock);
}

void team_run(team_t *t, uint64_t who, void (*work)(void *ctx, unsigned k), void *ctx) {
  const bool others = t->started && who >> 1;
  t->work = work;
  t->ctx = ctx;
  if (others) begin(t, who);
  if (who & 1) work(ctx, 0);
  if (others) await_all(t);
}

int team_create(team_t **out, unsigned threads, mrpb_err_t *err) {
  *out = NULL;
  if (threads < 1 || threads > TEAM_MOST)
    return mrpb_fail(err, "%u threads; legal: 1 to %d", threads, (int)TEAM_MOST);
  team_t *t = aligned_alloc(64, sizeof *t);
  if (!t) return mrpb_fail(err, "threads: out of memory");
  *t = (team_t){.threads = threads};
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->begun, NULL);
  pthread_cond_init(&t->ended, NULL);
  for (; t->started + 1 < threads; t->started++) {
    member_t *m = &t->member[t->started];
    *m = (member_t){.team = t, .number = t->started + 1};
    if (pthread_create(&m->thread, NULL, help, m) == 0) continue;
    mrpb_fail(err, "threads: the system gives no more than %u", t->started + 1);
    team_destroy(t);
    return -1;
  }
  *out = t;
  return 0;
}

void team_destroy(team_t *t) {
  if (!t) return;
  t->stop = true;
  if (t->started) begin(t, UINT64_MAX);
  for (unsigned i = 0; i < t->started; i++) pthread_join(t->member[i].thread, NULL);
  pthread_cond_destroy(&t->begun);
  pthread_cond_destroy(&t->ended);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

unsigned team_threads(const team_t *t) {
  return t->threads;
}

unsigned team_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* Linux counts those that can run at this moment, this thread among them. */
unsigned team_free_processors(void) {
  const int mine = (int)team_processors();
  unsigned running = 1;
  FILE *f = fopen("/proc/loadavg", "r");
  if (f) {
    if (fscanf(f, "%*f %*f %*f %u/", &running) != 1) running = 1;
    fclose(f);
  }
  const int others = (int)running - 1, left = others > 0 ? mine - others : mine;
  return left < 1 ? 1 : left > TEAM_MOST ? TEAM_MOST : (unsigned)left;
}
