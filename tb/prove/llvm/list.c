/* Lists of proofs. */
#include "prove/llvm/list.h"

#include "cosim/matrix.h"
#include "cosim/rtl/build.h"
#include "guard.h"
#include "input.h"
#include "prove/parts/parts.h"
#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 512 };

typedef struct {
  prove_job_t job;
  pid_t pid; /* 0: not running */
  FILE *out;
} line_t;

typedef struct {
  line_t *line;
  size_t n, room;
} list_t;

int list_set(prove_job_t *job, const char *text, mrpb_err_t *err) {
  cosim_job_t sizes = {.cls = job->cls};
  memcpy(sizes.cfg, job->cfg, sizeof job->cfg);
  if (matrix_set(&sizes, text, err) != 0) return -1;
  memcpy(job->cfg, sizes.cfg, sizeof job->cfg);
  return 0;
}

static int parse_line(char *text, prove_job_t *job, mrpb_err_t *err) {
  char *save = NULL;
  text[strcspn(text, "#\n")] = '\0';
  char *word = strtok_r(text, " \t\r", &save);
  job->cls = NULL;
  if (!word) return 0;
  job->cls = prove_class(word, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  while ((word = strtok_r(NULL, " \t\r", &save)))
    if (list_set(job, word, err) != 0) return -1;
  return job->cls->check(job->cfg, err);
}

typedef struct {
  const prove_job_t *base;
  list_t *list;
} reading_t;

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  const reading_t *r = ctx;
  list_t *list = r->list;
  prove_job_t job = *r->base;
  if (parse_line(text, &job, why) != 0) return -1;
  if (!job.cls) return 0;
  if (list->n == list->room) {
    list->room = 2 * list->room + 32;
    list->line = prove_grow(list->line, list->room * sizeof *list->line);
  }
  list->line[list->n++] = (line_t){.job = job};
  return 0;
}

static int read_list(const char *path, const prove_job_t *base, list_t *list, mrpb_err_t *err) {
  reading_t r = {base, list};
  if (input_lines(path, take_line, &r, err) != 0) return -1;
  if (list->n > 0) return 0;
  return mrpb_fail(err, "%s: no module in it; legal: lines of a module and its sizes", path);
}

static bool launch(line_t *line) {
  line->out = tmpfile();
  fflush(NULL);
  line->pid = line->out ? fork() : -1;
  if (line->pid != 0) return line->pid > 0;
  process_end_with_parent();
  mrpb_err_t err = {""};
  int rc = prove_run(&line->job, line->out, &err);
  if (err.text[0]) fprintf(line->out, "%s: %s\n", line->job.cls->stem, err.text);
  if (fflush(line->out) != 0 || ferror(line->out)) rc = PROVE_BAD_INPUT; /* a full disk */
  _exit(rc);
}

/* Copies what the proof said; its exit code. */
static int collect(line_t *line, int status, FILE *out) {
  char text[LINE];
  rewind(line->out);
  while (fgets(text, sizeof text, line->out)) fputs(text, out);
  fclose(line->out);
  if (!WIFEXITED(status)) { /* it could not remove its folder */
    char mine[64];
    snprintf(mine, sizeof mine, "mrpb-prove-%ld-", (long)line->pid);
    rtl_remove_named("/tmp", mine);
  }
  line->pid = 0;
  fflush(out);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  fprintf(out, "%s: killed by signal %d\n", line->job.cls->stem, WTERMSIG(status));
  return PROVE_BAD_TOOL;
}

/* Waits for one that is running and returns its exit code. */
static int wait_for_one(list_t *list, FILE *out) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno != EINTR) return PROVE_BAD_TOOL;
    for (size_t i = 0; pid > 0 && i < list->n; i++)
      if (list->line[i].pid == pid) return collect(&list->line[i], status, out);
  }
}

void list_trust(FILE *out) {
  fputs("trusted: clang-14 -O1, the executor (tb/prove/llvm), Yosys, ABC, the port and register "
        "tables; docs/verify/prove.md\n",
        out);
}

int list_run(const char *path, const prove_job_t *base, unsigned jobs, FILE *out, mrpb_err_t *err) {
  list_t list = {0};
  size_t next = 0, active = 0, proved = 0, refuted = 0, rest = 0;
  int worst = PROVE_YES;
  if (read_list(path, base, &list, err) != 0) {
    free(list.line);
    return PROVE_BAD_INPUT;
  }
  while ((next < list.n && !guard_signalled()) || active > 0) {
    int rc = PROVE_BAD_TOOL;
    if (next < list.n && active < jobs && !guard_signalled()) {
      if (launch(&list.line[next++])) {
        active++;
        continue;
      }
      fprintf(out, "%s: no process or temporary file for it\n", list.line[next - 1].job.cls->stem);
    } else {
      rc = wait_for_one(&list, out);
      active--;
    }
    proved += rc == PROVE_YES;
    refuted += rc == PROVE_NO;
    rest += rc != PROVE_YES && rc != PROVE_NO;
    if (rc != PROVE_YES && (worst == PROVE_YES || rc == PROVE_NO)) worst = rc;
  }
  if (next < list.n && worst == PROVE_YES) worst = PROVE_BAD_TOOL; /* told to end */
  free(list.line);
  list_trust(out);
  fprintf(out, "%zu proved, %zu refuted, %zu not decided\n", proved, refuted, rest);
  return worst;
}
