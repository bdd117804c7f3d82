/* SPDX-License-Identifier: Apache-2.0 */
/* The project's only pool of jobs: many pieces of work, a few at a time, each in a process of its
 * own. A job that crashes or hangs does not affect the others; its output is kept until its turn
 * comes. */
#ifndef JOBS_H
#define JOBS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

/* The exit code of a job whose output could not be stored because the disk is full. */
enum { JOBS_NO_ROOM = 2 };

/* How a job ended. */
typedef struct {
  size_t job;
  const char *why; /* the reason why it could not be started; NULL if it was */
  bool exited;     /* true: it exited with status `code`; false: signal `code` ended it */
  int code;
  bool ended;                /* the pool killed it: `seconds`, `stop` or JOBS_END_ALL */
  FILE *out;                 /* its output, at its beginning; NULL if silent. The pool closes it */
  const struct rusage *cost; /* of its process and of the children that it waited for */
} jobs_end_t;

/* What happens next. */
typedef enum {
  JOBS_GO_ON,
  JOBS_NO_MORE, /* running jobs may end; no other is started */
  JOBS_END_ALL  /* running jobs are killed as well */
} jobs_then_t;

/* Whether there is a next job. While none runs, JOBS_WAIT counts as JOBS_NONE. */
typedef enum { JOBS_BEGIN, JOBS_WAIT, JOBS_NONE } jobs_more_t;

/* Jobs are numbered from 0. All functions except `work` run in the caller's process. */
typedef struct {
  size_t n;
  unsigned at_once; /* 0 counts as 1 */
  bool in_order;    /* `end` is called in the order of the jobs; otherwise as they end */
  /* If true, each job has a process group of its own, with default signal handling: after Ctrl-C,
   * SIGTERM or SIGHUP to this process, the jobs and their descendants are killed. If false, the
   * jobs stay in this process group and block SIGINT and SIGTERM if this process does; they check
   * for them (guard_signalled) and end by themselves, so the pool waits for them. */
  bool apart;
  bool silent;      /* no file for a job's output */
  unsigned seconds; /* a job is killed after this time; 0: never */
  void *ctx;        /* for the functions below */

  /* Asked before each job is begun, when there is room for it. NULL: always JOBS_BEGIN. */
  jobs_more_t (*more)(void *ctx);
  /* Called before a job's process is made; -1 and a message: it is not made. NULL: nothing to
   * do. */
  int (*open)(void *ctx, size_t job, mrpb_err_t *err);
  /* The job itself, in its own process; its output goes to `out` (NULL if silent). Returns its exit
   * code; it need not return (exec). */
  int (*work)(void *ctx, size_t job, FILE *out);
  /* Called once for each job that was begun, however it ended. */
  jobs_then_t (*end)(void *ctx, const jobs_end_t *end);
  void (*tick)(void *ctx); /* ten times a second and after each end; NULL: never */
  bool (*stop)(void);      /* checked equally often; true starts no more jobs. NULL: never */
} jobs_t;

typedef enum {
  JOBS_DONE,   /* all have ended */
  JOBS_LEFT,   /* `end` made the pool skip some */
  JOBS_STOPPED /* stop(), or a signal, if apart */
} jobs_result_t;

/* Returns when no job is running; nothing of the pool is then left. Returns -1 and a message if out
 * of memory: no job has then been started. */
int jobs_run(const jobs_t *jobs, mrpb_err_t *err);

/* Copies a job's output to `to`, and flushes it. */
void jobs_copy(const jobs_end_t *end, FILE *to);

/* Returns the worse of two exit codes: the one that comes first in `order` (`n` codes); if neither
 * is in it, the first that is not 0. */
int jobs_worse(int a, int b, const int *order, size_t n);

#endif
