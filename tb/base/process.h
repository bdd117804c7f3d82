/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes: one program of somebody else, run to its end or to a limit, with everything that
 * it prints in one text. Nothing is concluded from how it ends; that is the caller's. */
#ifndef PROCESS_H
#define PROCESS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* For a child, before its work: it gets SIGTERM when its parent is gone, so that a killed run
 * leaves nothing behind that goes on. Kept by exec. */
void process_end_with_parent(void);

typedef struct {
  const char *const *argv; /* argv[0] as execvp takes it; NULL at the end */
  const char *folder;      /* where it runs; NULL: here */
  unsigned seconds;        /* it is killed after so many */
  size_t most;             /* bytes of output that are kept; what comes after is read and lost */
  bool (*stop)(void);      /* asked now and then: true kills it; NULL: never */
} process_t;

typedef enum {
  PROCESS_EXITED,  /* code: its exit status */
  PROCESS_CRASHED, /* code: the signal */
  PROCESS_LATE,    /* killed: the time was over */
  PROCESS_STOPPED  /* killed: stop() */
} process_end_t;

typedef struct {
  process_end_t end;
  int code;
  char *text; /* standard output and standard error; the caller frees it */
} process_result_t;

/* -1 and a message if it cannot be started at all; r->text is NULL then. */
int process_run(const process_t *p, process_result_t *r, mrpb_err_t *err);

/* How it ended, in words: "exit status 0", "signal 6", "no end within 60 s". */
void process_describe(const process_t *p, const process_result_t *r, char *text, size_t size);

#endif
