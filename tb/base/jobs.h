/* SPDX-License-Identifier: Apache-2.0 */
/* The project's one pool of jobs: many pieces of work, a few at a time, each in a process of its own.
 * A job that crashes or hangs takes no other with it; what it says is kept until its turn comes. */
#ifndef JOBS_H
#define JOBS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

/* The exit code of a job whose output could not be kept: a full disk. */
enum { JOBS_NO_ROOM = 2 };

/* How a job has ended. */
typedef struct {
  size_t job;
  const char *why; /* it could not be started, for this reason; NULL: it was */
  bool exited;     /* by itself: `code` is its exit code; else `code` is the signal */
  int code;
  bool ended; /* by the pool, with all others: `seconds`, `stop`, JOBS_END_ALL */
  FILE *out;  /* what it said, from its beginning; NULL if silent. The pool closes it */
  const struct rusage *cost; /* of its process and of what that has waited for */
} jobs_end_t;

/* What is to happen after it. */
typedef enum {
  JOBS_GO_ON,
  JOBS_NO_MORE, /* those that run may end; no other is started */
  JOBS_END_ALL  /* those that run are killed, too */
} jobs_then_t;

/* Jobs are numbered from 0. Functions other than `work` run in the caller's process. */
typedef struct {
  size_t n;
  unsigned at_once; /* 0 counts as 1 */
  bool in_order;    /* `end` is called in the order of the jobs; else as they end */
  /* In a process group of its own, with signals as a program finds them: after Ctrl-C, SIGTERM or
   * SIGHUP to this process, the jobs and what they have started are killed. Without it the jobs stay in
   * this group and hold SIGINT and SIGTERM back if this process does; they ask for them
   * (guard_signalled) and end by themselves, and so are waited for. */
  bool apart;
  bool silent;      /* no file for what a job says */
  unsigned seconds; /* a job is killed after so many; 0: never */
  void *ctx;        /* for the functions below */

  /* Before a job's process is made; -1 and a message: it is not. NULL: nothing to do. */
  int (*open)(void *ctx, size_t job, mrpb_err_t *err);
  /* The job, in its process: what it says goes to `out` (NULL if silent). Its exit code; it need not
   * come back (exec). */
  int (*work)(void *ctx, size_t job, FILE *out);
  /* Once for each job that was begun, whatever became of it. */
  jobs_then_t (*end)(void *ctx, const jobs_end_t *end);
  void (*tick)(void *ctx); /* ten times a second and after each end; NULL: not */
  bool (*stop)(void);      /* asked as often: true starts no more. NULL: never */
} jobs_t;

typedef enum {
  JOBS_DONE,   /* all have ended */
  JOBS_LEFT,   /* `end` has left some out */
  JOBS_STOPPED /* stop(), or a signal, if apart */
} jobs_result_t;

/* Returns when no job runs any more; nothing of the pool is left then. -1 and a message for no
 * memory: no job has begun. */
int jobs_run(const jobs_t *jobs, mrpb_err_t *err);

/* Copies what a job said to `to`, and flushes it. */
void jobs_copy(const jobs_end_t *end, FILE *to);

/* Which exit code is the worse: the one that comes first in `order` (`n` codes); of two that are not
 * in it the first that is not 0. */
int jobs_worse(int a, int b, const int *order, size_t n);

#endif
