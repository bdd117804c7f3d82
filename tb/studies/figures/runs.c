/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a campaign: each a child process `mrpb run`, its result a JSON file that appears when it
 * is complete, named by program, options, configuration hash and results version. */
#define _DEFAULT_SOURCE /* wait4: what one run cost */
#include "studies/figures/figures.h"
#include "base/output.h"
#include "base/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 1024, MAX_ARGS = 128, MAX_JOBS = 64 };

int figures_read_bases(figures_campaign_t *c, const char *configs, mrpb_err_t *err) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/base-s.conf", configs);
  if (config_load(&c->base_s, path, err) != 0) return -1;
  snprintf(path, sizeof path, "%s/base-l.conf", configs);
  return config_load(&c->base_l, path, err);
}

int figures_make_run(const figures_campaign_t *c, const figures_program_t *program,
                     const figures_point_t *point, unsigned best, figures_run_t *run,
                     mrpb_err_t *err) {
  char text[FIGURES_NAME * 2];
  memset(run, 0, sizeof *run);
  snprintf(run->program, sizeof run->program, "%s", program->name);
  if (c->quick) snprintf(run->options, sizeof run->options, "%s", program->quick);
  run->base = program->base;
  run->cfg = program->base == 'l' ? c->base_l : c->base_s;
  for (unsigned i = 0; point && i < point->n_settings; i++) {
    const figures_setting_t *s = &point->setting[i];
    if (s->base && s->base != program->base) continue;
    if (config_set(&run->cfg, s->text, err) != 0) return -1;
  }
  if (point && point->n_best) {
    snprintf(text, sizeof text, "%s=%s", point->best_key, point->best[best]);
    if (config_set(&run->cfg, text, err) != 0) return -1;
  }
  snprintf(text, sizeof text, "point '%s'", point ? point->name : "base");
  if (config_check(&run->cfg, text, err) != 0) return -1;
  run->hash = config_hash(&run->cfg);
  snprintf(run->file, sizeof run->file, "%s%s.%016" PRIx64 ".v%d.json", run->program,
           c->quick ? ".quick" : "", run->hash, FIGURES_RESULTS_VERSION);
  return 0;
}

/* ---- the list of what is missing ------------------------------------------- */

typedef struct {
  figures_run_t *run;
  size_t n, room;
} todo_t;

static bool is_done(const figures_campaign_t *c, const todo_t *t, const figures_run_t *run) {
  char path[PATH];
  for (size_t i = 0; i < t->n; i++)
    if (strcmp(t->run[i].file, run->file) == 0) return true;
  snprintf(path, sizeof path, "%s/%s", c->folder, run->file);
  return access(path, R_OK) == 0;
}

static int add_run(const figures_campaign_t *c, todo_t *t, const figures_program_t *program,
                   const figures_point_t *point, unsigned best, mrpb_err_t *err) {
  if (t->n == t->room) {
    size_t room = t->room ? 2 * t->room : 64;
    figures_run_t *more = realloc(t->run, room * sizeof *more);
    if (!more) return mrpb_fail(err, "out of memory for the list of runs");
    t->run = more;
    t->room = room;
  }
  figures_run_t *run = &t->run[t->n];
  if (figures_make_run(c, program, point, best, run, err) != 0) return -1;
  if (!is_done(c, t, run)) t->n++;
  return 0;
}

static int add_experiment(const figures_campaign_t *c, todo_t *t, const figures_experiment_t *e,
                          mrpb_err_t *err) {
  for (unsigned p = 0; p < e->n_programs; p++)
    if (add_run(c, t, &e->program[p], NULL, 0, err) != 0) return -1;
  for (unsigned q = 0; q < e->n_points; q++)
    for (unsigned p = 0; p < e->n_programs; p++)
      for (unsigned b = 0; b < (e->point[q].n_best ? e->point[q].n_best : 1); b++)
        if (add_run(c, t, &e->program[p], &e->point[q], b, err) != 0) return -1;
  return 0;
}

/* ---- running --------------------------------------------------------------- */

typedef struct {
  pid_t pid;
  const figures_run_t *run;
} job_t;

/* Complete or not there at all: an earlier child may be reading the same design point. */
static int write_config(const figures_campaign_t *c, const figures_run_t *run, char path[PATH],
                        mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  snprintf(path, PATH, "%s/%016" PRIx64 ".conf", c->folder, run->hash);
  if (output_temp(path, temp, err) != 0) return -1;
  FILE *f = fopen(temp, "w");
  if (!f) return mrpb_fail(err, "%s: %s", temp, strerror(errno));
  config_dump(f, &run->cfg, "a design point of `mrpb figures`");
  return output_close(f, false, path, temp, err);
}

/* The child: never returns. */
static void exec_run(const figures_campaign_t *c, const figures_run_t *run, const char *config) {
  char options[FIGURES_TEXT], json[PATH], log[PATH], *argv[MAX_ARGS], *save = NULL;
  char *head[] = {strdup(c->program), strdup("run"),        strdup("-c"),     strdup(config),
                  strdup("--kernel"), strdup(run->program), strdup("--json"), NULL};
  unsigned n = 0;
  for (; head[n]; n++) argv[n] = head[n];
  snprintf(json, sizeof json, "%s/%s", c->folder, run->file);
  argv[n++] = json;
  snprintf(options, sizeof options, "%s", run->options);
  for (char *w = strtok_r(options, " ", &save); w && n < MAX_ARGS - 1;
       w = strtok_r(NULL, " ", &save))
    argv[n++] = w;
  argv[n] = NULL;
  snprintf(log, sizeof log, "%s/%s.log", c->folder, run->file);
  process_end_with_parent();
  if (!freopen(log, "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) _exit(127);
  execv(c->program, argv);
  _exit(127);
}

static int launch(const figures_campaign_t *c, job_t *job, const figures_run_t *run,
                  mrpb_err_t *err) {
  char config[PATH];
  if (write_config(c, run, config, err) != 0) return -1;
  fflush(NULL);
  job->run = run;
  job->pid = fork();
  if (job->pid == 0) exec_run(c, run, config);
  return job->pid > 0 ? 0 : mrpb_fail(err, "fork: %s", strerror(errno));
}

/* One line about a finished run; its cost goes to costs.csv. */
static bool collect(const figures_campaign_t *c, const figures_run_t *run, int status,
                    const struct rusage *use, size_t done, size_t all) {
  char path[PATH];
  double seconds = (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) +
                   1e-6 * (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec);
  bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  fprintf(c->log, "[%zu/%zu] %s-%c %016" PRIx64 " %.1f CPU-s, %ld MB%s", done, all, run->program,
          run->base, run->hash, seconds, use->ru_maxrss / 1024, good ? "\n" : "");
  snprintf(path, sizeof path, "%s/%s.log", c->folder, run->file);
  if (good) {
    (void)remove(path);
    snprintf(path, sizeof path, "%s/costs.csv", c->folder);
    FILE *f = fopen(path, "a");
    if (f) {
      fprintf(f, "%s,%.2f,%ld\n", run->file, seconds, use->ru_maxrss);
      fclose(f);
    }
  } else {
    fprintf(c->log, " FAILED (%s %d): see %s\n", WIFEXITED(status) ? "exit" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), path);
  }
  fflush(c->log);
  return good;
}

static int run_list(const figures_campaign_t *c, const todo_t *t, mrpb_err_t *err) {
  job_t job[MAX_JOBS] = {{0}};
  unsigned jobs = c->jobs < 1 ? 1 : c->jobs > MAX_JOBS ? MAX_JOBS : c->jobs, active = 0;
  size_t next = 0, done = 0;
  int rc = 0;
  bool stopped = false;
  while ((next < t->n && !stopped && rc >= 0) || active > 0) {
    for (unsigned i = 0; i < jobs && next < t->n && !stopped && rc >= 0; i++) {
      if (job[i].pid) continue;
      if (launch(c, &job[i], &t->run[next++], err) != 0)
        rc = -1;
      else
        active++;
    }
    int status = 0;
    struct rusage use;
    pid_t pid = active ? wait4(-1, &status, 0, &use) : -1;
    stopped = stopped || (c->stop && c->stop());
    for (unsigned i = 0; pid > 0 && i < jobs; i++) {
      if (job[i].pid != pid) continue;
      job[i].pid = 0;
      active--;
      if (!collect(c, job[i].run, status, &use, ++done, t->n) && rc == 0 && !stopped) rc = 1;
    }
  }
  return stopped ? 130 : rc;
}

int figures_run_all(const figures_campaign_t *c, const figures_experiment_t *e, unsigned n,
                    mrpb_err_t *err) {
  todo_t t = {0};
  int rc = 0;
  for (unsigned i = 0; i < n && rc == 0; i++) {
    mrpb_err_t why = {{0}};
    if (add_experiment(c, &t, &e[i], &why) != 0) rc = mrpb_fail(err, "%s: %s", e[i].id, why.text);
  }
  if (rc == 0) rc = run_list(c, &t, err);
  free(t.run);
  return rc;
}
