/* SPDX-License-Identifier: Apache-2.0 */
/* Controls Slurm through its commands (see queue.h), whose output is requested in a fixed
 * format. */
#include "studies/sweep/queue.h"

#include "base/output.h"
#include "base/process.h"
#include "cosim/lockstep/report.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 120, MOST = 1 << 26, QUOTED = 4096, MAX_ARGS = 96 };

/* Returns 0 and the command's output, which the caller frees; or -1 and a message. */
static int command(const char *const *argv, bool (*stop)(void), char **text, mrpb_err_t *err) {
  const process_t p = {.argv = argv, .seconds = SECONDS, .most = MOST, .stop = stop};
  process_result_t r = {.text = NULL};
  *text = NULL;
  if (process_run(&p, &r, err) != 0) return -1;
  if (r.end == PROCESS_EXITED && r.code == 0) return *text = r.text, 0;
  if (r.end == PROCESS_EXITED && r.code == PROCESS_NOT_FOUND &&
      !process_find(argv[0], (char[4096]){0}, 4096))
    (void)mrpb_fail(err, "%s: not found; legal: a host of a Slurm cluster", argv[0]);
  char how[128];
  process_describe(&p, &r, how, sizeof how);
  const char *said = r.text ? r.text + strspn(r.text, "\n") : "";
  (void)mrpb_fail(err, "%s: %s: %.*s", argv[0], how, (int)strcspn(said, "\n"), said);
  free(r.text);
  return -1;
}

/* ---- sbatch ------------------------------------------------------------------------------------ */

static int write_script(const queue_batch_t *b, const char *program, mrpb_err_t *err) {
  char quoted[2][QUOTED];
  report_quote(program, quoted[0], QUOTED);
  report_quote(b->folder, quoted[1], QUOTED);
  FILE *f = output_into(b->folder, "task.sh", err);
  if (!f) return -1;
  fprintf(f, "#!/bin/sh\nexec %s sweep --task %s\n", quoted[0], quoted[1]);
  return output_into_end(f, false, b->folder, "task.sh", err);
}

int queue_submit(const queue_batch_t *b, const char *program, const sweep_slurm_t *how,
                 bool (*stop)(void), mrpb_err_t *err) {
  char name[QUEUE_NAME + 16], array[48], log[OUTPUT_NAME], script[OUTPUT_NAME], *text;
  const char *argv[MAX_ARGS] = {"sbatch", "--parsable", name, array, log};
  unsigned n = 5;
  snprintf(name, sizeof name, "--job-name=%s", b->name);
  snprintf(array, sizeof array, "--array=0-%u", b->n - 1);
  snprintf(log, sizeof log, "--output=%s/%%a.log", b->folder);
  snprintf(script, sizeof script, "%s/task.sh", b->folder);
  for (unsigned i = 0; i < how->n_options && n < MAX_ARGS - 2; i++) argv[n++] = how->option[i];
  argv[n++] = script;
  if (write_script(b, program, err) != 0 || command(argv, stop, &text, err) != 0) return -1;
  free(text);
  return 0;
}

/* ---- squeue ------------------------------------------------------------------------------------ */

static void cancel(const char *job, unsigned task, bool (*stop)(void)) {
  char id[64], *text;
  mrpb_err_t none = {{0}};
  snprintf(id, sizeof id, "%s_%u", job, task);
  const char *const argv[] = {"scancel", id, NULL};
  if (command(argv, stop, &text, &none) == 0) free(text);
}

/* "NAME JOB TASK STATE REASON" */
static void take_line(queue_batch_t *batch, size_t n, char *line, bool (*stop)(void)) {
  char name[QUEUE_NAME], job[32], state[16];
  unsigned task;
  int at = 0;
  if (sscanf(line, "%63s %31s %u %15s %n", name, job, &task, state, &at) != 4) return;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(batch[i].name, name) != 0 || task >= batch[i].n) continue;
    const bool held = strstr(line + at, "requeued held") || strstr(line + at, "requeued_held");
    if (held || strcmp(state, "SE") == 0) {
      cancel(job, task, stop);
      continue;
    }
    batch[i].listed[task] = true;
    batch[i].runs[task] = strcmp(state, "R") == 0;
  }
}

static char *join_names(const queue_batch_t *batch, size_t n) {
  const char option[] = "--name=";
  char *text = malloc(sizeof option + n * (QUEUE_NAME + 1));
  size_t at = text ? (size_t)sprintf(text, "%s", option) : 0;
  for (size_t i = 0; text && i < n; i++)
    at += (size_t)sprintf(text + at, "%s%s", i ? "," : "", batch[i].name);
  return text;
}

int queue_look(queue_batch_t *batch, size_t n, bool (*stop)(void), mrpb_err_t *err) {
  char *names = join_names(batch, n), *text = NULL, *save = NULL;
  if (!names) return mrpb_fail(err, "out of memory");
  const char *const argv[] = {"squeue", "--noheader", "--array", names, "--format=%j %F %K %t %r",
                              NULL};
  const int rc = command(argv, stop, &text, err);
  free(names);
  if (rc != 0) return -1;
  for (size_t i = 0; i < n; i++) {
    memset(batch[i].listed, 0, batch[i].n * sizeof *batch[i].listed);
    memset(batch[i].runs, 0, batch[i].n * sizeof *batch[i].runs);
  }
  for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
       line = strtok_r(NULL, "\n", &save))
    take_line(batch, n, line, stop);
  free(text);
  return 0;
}
