/* SPDX-License-Identifier: Apache-2.0 */
/* The only runner of other programs. Each runs in a process group of its own, until it ends or a
 * time limit passes; it is ended when this process is told to end or is killed. How a program ended
 * is only reported: the caller judges it. */
#ifndef PROCESS_H
#define PROCESS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* The default time limit. */
enum { PROCESS_SECONDS = 3600 };

/* The program behind the script `verilator`. It needs the whole stack. */
#define PROCESS_VERILATOR "verilator_bin"

/* To be called in a child before its work: it gets SIGTERM when its parent ends, so that a killed
 * run leaves nothing running. The setting survives exec. */
void process_end_with_parent(void);

/* The conditions under which a program runs: signals as at login, no core file, this process's
 * environment (Yosys without HOME, where it would keep a history; with $VERILATOR, none of
 * Verilator's own variables), and an empty standard input. Whatever it has started ends with it.
 * When its time is over, or when this process gets Ctrl-C or SIGTERM (guard.h), it gets SIGTERM,
 * and SIGKILL a second later. */
typedef struct {
  const char *const *argv; /* argv[0] as execvp takes it; NULL at the end */
  const char *folder;      /* where it runs; NULL: the current folder */
  const char *in;          /* text for its standard input; NULL: none */
  const char *log;         /* file to which its output is appended; NULL: `text` below */
  unsigned seconds;        /* time limit; 0: PROCESS_SECONDS */
  bool of_cpu;        /* the limit is of CPU time, so that load does not shorten it; on the clock
                            * the program may take ten times as long */
  size_t most;        /* bytes of text that are kept; the rest is read and dropped */
  bool no_errors;     /* its standard error is dropped */
  bool (*stop)(void); /* checked regularly; true ends the program; NULL: never */
} process_t;

typedef enum {
  PROCESS_EXITED,  /* code: its exit status */
  PROCESS_CRASHED, /* code: the signal */
  PROCESS_LATE,    /* its time limit passed */
  PROCESS_STOPPED  /* stop(), or a signal to this process */
} process_end_t;

typedef struct {
  process_end_t end;
  int code;
  char *text; /* its output and error text (none with a log); the caller frees it */
} process_result_t;

/* Returns 0, or -1 and a message if it cannot be started at all; r->text is then NULL. */
int process_run(const process_t *p, process_result_t *r, mrpb_err_t *err);

/* Describes how it ended: "exit status 0", "signal 6", "no exit within 60 s". */
void process_describe(const process_t *p, const process_result_t *r, char *text, size_t size);

/* How a program ended as one number, as in a shell. */
enum {
  PROCESS_TOO_LATE = 124,
  PROCESS_NOT_RUN = 126,
  PROCESS_NOT_FOUND = 127,
  PROCESS_SIGNAL = 128
};

/* Runs a program only for its files. Its output goes to p->log, with a line there if its time was
 * over. Returns its exit status, PROCESS_SIGNAL plus the signal, or one of the above; -1 if the log
 * cannot be written or no process can be made. */
int process_status(const process_t *p);
/* The same for a program that needs only argv and log. */
int process_log(const char *const *argv, const char *log);

/* Finds the file that PATH gives for `name`: in the first folder that has it as an executable
 * regular file. Returns false if there is none, or if its path does not fit in `size` bytes. */
bool process_find(const char *name, char *path, size_t size);

#endif
