/* SPDX-License-Identifier: Apache-2.0 */
/* The process's set of pending signals is the whole state; nothing is stored here. See guard.h. */
#include "guard.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_MS = 20, MOST_PROCESSES = 4096 };

static void stop_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

bool guard_signalled(void) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1;
}

int guard_code(void) {
  sigset_t set;
  sigpending(&set);
  return 128 + (sigismember(&set, SIGINT) == 1 ? SIGINT : SIGTERM);
}

static void slice(void) {
  const struct timespec t = {0, SLICE_MS * 1000000L};
  nanosleep(&t, NULL);
}

/* ---- children -------------------------------------------------------------- */

typedef struct {
  pid_t pid, parent;
} process_row_t;

/* The parent of a process, 0 if it has ended: the second word after its name, which is in
 * parentheses. */
static pid_t parent_of(const char *pid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  const char *name_end = strrchr(text, ')');
  long parent = 0;
  return name_end && sscanf(name_end + 1, " %*c %ld", &parent) == 1 ? (pid_t)parent : 0;
}

static unsigned list_processes(process_row_t *row) {
  unsigned n = 0;
  DIR *d = opendir("/proc");
  for (struct dirent *e; d && n < MOST_PROCESSES && (e = readdir(d));) {
    if (!isdigit((unsigned char)e->d_name[0])) continue;
    row[n++] = (process_row_t){(pid_t)strtol(e->d_name, NULL, 10), parent_of(e->d_name)};
  }
  if (d) closedir(d);
  return n;
}

/* Stops all descendants of this process that are not in `pid` yet, parents before children, and
 * appends them to its `n` entries. Returns the new number. */
static unsigned stop_more(pid_t *pid, unsigned n) {
  process_row_t *row = calloc(MOST_PROCESSES, sizeof *row);
  const unsigned rows = row ? list_processes(row) : 0;
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < rows; i++) {
      bool ours = row[i].parent == getpid(), known = false;
      for (unsigned k = 0; k < n; k++) {
        ours = ours || pid[k] == row[i].parent;
        known = known || pid[k] == row[i].pid;
      }
      if (!ours || known || n == MOST_PROCESSES) continue;
      pid[n++] = row[i].pid;
      more = true;
      kill(row[i].pid, SIGSTOP);
    }
  }
  free(row);
  return n;
}

/* A stopped process starts no other. Children of this process are continued last, because a caller
 * that waits for them may end this process as soon as they have ended. */
bool guard_end_children(int sig) {
  pid_t *pid = calloc(MOST_PROCESSES, sizeof *pid);
  if (!pid) return false;
  unsigned n = 0;
  for (unsigned more; (more = stop_more(pid, n)) > n;) n = more;
  for (unsigned i = n; i-- > 0;) {
    kill(pid[i], sig);
    kill(pid[i], SIGCONT);
  }
  free(pid);
  return n > 0;
}

/* ---- the thread ------------------------------------------------------------ */

typedef struct {
  void (*cleanup)(void);
} guard_t;

static void *watch(void *self) {
  const guard_t guard = *(guard_t *)self;
  free(self);
  while (!guard_signalled()) slice();
  guard_end_children(SIGTERM);
  for (unsigned i = 0; i < 1000 * GUARD_SECONDS / SLICE_MS; i++) slice();
  for (unsigned i = 0; i < 1000 * GUARD_SECONDS / SLICE_MS; i++) {
    guard_end_children(SIGKILL);
    slice();
  }
  if (guard.cleanup) guard.cleanup();
  _exit(guard_code());
}

void guard_start(void (*cleanup)(void)) {
  sigset_t stop, all, before;
  pthread_t thread;
  guard_t *guard = malloc(sizeof *guard);
  stop_signals(&stop);
  signal(SIGXFSZ, SIG_IGN); /* as for a full disk */
  signal(SIGPIPE, SIG_IGN);
  if (!guard) return; /* without the thread the signals end the process by themselves */
  guard->cleanup = cleanup;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before); /* the thread inherits this mask */
  const bool runs = pthread_create(&thread, NULL, watch, guard) == 0;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!runs) {
    free(guard);
    return;
  }
  pthread_detach(thread);
  sigprocmask(SIG_BLOCK, &stop, NULL);
}
