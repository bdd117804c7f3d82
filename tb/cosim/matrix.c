/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of co-simulation runs. */
#include "cosim/matrix.h"

#include "base/input.h"
#include "base/number.h"
#include "base/process.h"
#include "base/sizes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 512 };

static int parse_word(cosim_job_t *job, const char *word, mrpb_err_t *err) {
  if (strncmp(word, "cycles=", 7) == 0)
    return number_decimal(word + 7, UINT64_MAX, &job->cycles) && job->cycles > 0
               ? 0
               : mrpb_fail(err, "%s: legal: a number from 1", word);
  if (strncmp(word, "seed=", 5) == 0)
    return number_decimal(word + 5, UINT64_MAX, &job->seed)
               ? 0
               : mrpb_fail(err, "%s: legal: a number", word);
  return sizes_set(job->cls, job->cfg, word, err);
}

/* A line without its comment; *used is false for an empty one. */
static int parse_line(char *line, cosim_job_t *job, bool *used, mrpb_err_t *err) {
  char *save = NULL;
  line[strcspn(line, "#\n")] = '\0';
  char *word = strtok_r(line, " \t\r", &save);
  *used = word != NULL;
  if (!word) return 0;
  job->cls = sizes_module(word, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  for (word = strtok_r(NULL, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save))
    if (parse_word(job, word, err) != 0) return -1;
  return job->cls->check(job->cfg, err);
}

typedef struct {
  cosim_job_t job;
  pid_t pid;
  int status; /* once it has ended */
  bool ended;
  FILE *out;
} line_t;

typedef struct {
  const cosim_job_t *base;
  line_t *lines;
  size_t n, room;
} list_t;

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  list_t *list = ctx;
  bool used;
  if (list->n == list->room) {
    size_t room = list->room ? 2 * list->room : 64;
    line_t *more = realloc(list->lines, room * sizeof *more);
    if (!more) return mrpb_fail(why, "out of memory");
    list->lines = more;
    list->room = room;
  }
  line_t *line = &list->lines[list->n];
  *line = (line_t){.job = *list->base};
  if (parse_line(text, &line->job, &used, why) != 0) return -1;
  list->n += used;
  return 0;
}

static int read_list(const char *path, const cosim_job_t *base, line_t **lines, size_t *n,
                     mrpb_err_t *err) {
  list_t list = {.base = base};
  int rc = input_lines(path, take_line, &list, err);
  *lines = list.lines;
  *n = list.n;
  if (rc != 0 || list.n > 0) return rc;
  return mrpb_fail(err, "%s: no runs in it; legal: lines of a module and its sizes", path);
}

static void launch(line_t *line, rtl_env_t *env) {
  line->out = tmpfile();
  fflush(NULL);
  line->pid = line->out ? fork() : -1;
  line->ended = line->pid < 0;
  if (line->pid != 0) return;
  process_end_with_parent();
  mrpb_err_t err = {""};
  line->job.out = line->out;
  int rc = cosim_run(&line->job, env, &err);
  if (err.text[0]) fprintf(line->out, "%s: %s\n", line->job.cls->stem, err.text);
  if (fflush(line->out) != 0 || ferror(line->out)) rc = COSIM_BAD_INPUT; /* a full disk */
  _exit(rc);
}

/* Copies what the run said; its exit code. */
static int collect(line_t *line, FILE *out) {
  char text[LINE];
  const char *stem = line->job.cls->stem;
  if (line->out) {
    rewind(line->out);
    while (fgets(text, sizeof text, line->out)) fputs(text, out);
    fclose(line->out);
  }
  if (line->pid < 0) fprintf(out, "%s: no process for it\n", stem);
  if (line->pid > 0 && !WIFEXITED(line->status))
    fprintf(out, "%s: killed by signal %d\n", stem, WTERMSIG(line->status));
  fflush(out);
  return line->pid > 0 && WIFEXITED(line->status) ? WEXITSTATUS(line->status) : COSIM_BAD_TOOL;
}

/* Waits until one of the running lines ends; false if none does. */
static bool wait_for_one(line_t *lines, size_t n) {
  int status = 0;
  pid_t pid = waitpid(-1, &status, 0);
  if (pid < 0) return errno == EINTR;
  for (size_t i = 0; i < n; i++)
    if (lines[i].pid == pid) {
      lines[i].ended = true;
      lines[i].status = status;
    }
  return true;
}

/* The outcomes appear in the list's order. */
int matrix_run(const char *path, const cosim_job_t *base, unsigned jobs, rtl_env_t *env,
               mrpb_err_t *err) {
  line_t *lines;
  size_t n, next = 0, told = 0, passed = 0;
  int worst = 0;
  bool stopped = false;
  if (read_list(path, base, &lines, &n, err) != 0) {
    free(lines);
    return COSIM_BAD_INPUT;
  }
  for (bool waits = true; waits && (told < next || (next < n && !stopped));) {
    unsigned active = 0;
    for (size_t i = told; i < next; i++) active += !lines[i].ended;
    for (; next < n && active < (jobs ? jobs : 1) && !stopped; next++) {
      launch(&lines[next], env);
      active += !lines[next].ended;
    }
    if (active > 0) waits = wait_for_one(lines, next);
    for (; told < next && lines[told].ended; told++) {
      int rc = collect(&lines[told], base->out);
      passed += rc == 0;
      if (rc != 0 && (worst == 0 || rc == COSIM_DIFFERENT)) worst = rc;
    }
    stopped = stopped || (base->stop && base->stop());
  }
  free(lines);
  if (told < n && !stopped && worst == 0) worst = COSIM_BAD_TOOL;
  fprintf(base->out, "%zu passed, %zu failed%s\n", passed, told - passed,
          stopped ? ", interrupted" : "");
  return stopped ? COSIM_INTERRUPTED : worst;
}
