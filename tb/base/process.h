/* SPDX-License-Identifier: Apache-2.0 */
/* The one runner of other programs: each in a process group of its own, to its end or to a limit of
 * time, ended when this process is told to end or is killed. Nothing is concluded from how it ends;
 * that is the caller's. */
#ifndef PROCESS_H
#define PROCESS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* The limit where none is given. */
enum { PROCESS_SECONDS = 3600 };

/* The program behind the script `verilator`. It needs all of the stack. */
#define PROCESS_VERILATOR "verilator_bin"

/* For a child, before its work: it gets SIGTERM when its parent is gone, so that a killed run
 * leaves nothing behind that goes on. Kept by exec. */
void process_end_with_parent(void);

/* What a program runs with: signals as they are at login, no core file, this process's environment
 * (Yosys without HOME, where it would keep a history; with $VERILATOR none of Verilator's own), and nothing on its standard input. What it has
 * started ends with it. After its time, or when this process gets Ctrl-C or SIGTERM (guard.h), it gets
 * SIGTERM, and SIGKILL a second later. */
typedef struct {
  const char *const *argv; /* argv[0] as execvp takes it; NULL at the end */
  const char *folder;      /* where it runs; NULL: here */
  const char *in;          /* text for its standard input; NULL: none */
  const char *log;    /* file that gets what it prints, behind what is in it; NULL: `text` below */
  unsigned seconds;   /* its time; 0: PROCESS_SECONDS */
  size_t most;        /* bytes of text that are kept; what comes after is read and lost */
  bool no_errors;     /* what it prints on its standard error is lost */
  bool (*stop)(void); /* asked now and then, too: true ends it; NULL: never */
} process_t;

typedef enum {
  PROCESS_EXITED,  /* code: its exit status */
  PROCESS_CRASHED, /* code: the signal */
  PROCESS_LATE,    /* its time was over */
  PROCESS_STOPPED  /* stop(), or a signal to this process */
} process_end_t;

typedef struct {
  process_end_t end;
  int code;
  char *text; /* standard output and standard error (none with a log); the caller frees it */
} process_result_t;

/* -1 and a message if it cannot be started at all; r->text is NULL then. */
int process_run(const process_t *p, process_result_t *r, mrpb_err_t *err);

/* How it ended, in words: "exit status 0", "signal 6", "no end within 60 s". */
void process_describe(const process_t *p, const process_result_t *r, char *text, size_t size);

/* How it ends as one number, as a shell has it. */
enum {
  PROCESS_TOO_LATE = 124,
  PROCESS_NOT_RUN = 126,
  PROCESS_NOT_FOUND = 127,
  PROCESS_SIGNAL = 128
};

/* Runs it for its files alone, its output in p->log, where a line says so if its time was over: its
 * exit status, PROCESS_SIGNAL and the signal, or one of the above; -1 if the log cannot be written or
 * there is no process for it. */
int process_status(const process_t *p);
/* The same for what needs no more than that. */
int process_log(const char *const *argv, const char *log);

/* The file that PATH gives for `name`: in the first folder where it is a file that may be run. False
 * if there is none, or its name is longer than `size` bytes. */
bool process_find(const char *name, char *path, size_t size);

#endif
