/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a campaign: each a child process `mrpb run`, its result a JSON file that appears when it
 * is complete, named by program, options, configuration hash and results version. */
#include "studies/figures/figures.h"

#include "base/grow.h"
#include "base/jobs.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 1024, MAX_ARGS = 128 };

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
           c->quick ? ".quick" : "", run->hash, SWEEP_RESULTS_VERSION);
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
  figures_run_t *run = grow(t->run, t->n + 1, &t->room, sizeof *run);
  if (!run) return mrpb_fail(err, "out of memory for the list of runs");
  t->run = run;
  run += t->n;
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
  const figures_campaign_t *c;
  const todo_t *todo;
  size_t done;
  int rc;
  mrpb_err_t *err;
} campaign_t;

static void config_path(const figures_campaign_t *c, const figures_run_t *run, char path[PATH]) {
  snprintf(path, PATH, "%s/%016" PRIx64 ".conf", c->folder, run->hash);
}

/* Complete or not there at all: an earlier child may be reading the same design point. */
static int write_config(void *ctx, size_t i, mrpb_err_t *err) {
  const campaign_t *all = ctx;
  const figures_run_t *run = &all->todo->run[i];
  char path[PATH], temp[OUTPUT_NAME];
  config_path(all->c, run, path);
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  config_dump(f, &run->cfg, "a design point of `mrpb figures`");
  return output_close(f, false, path, temp, err);
}

/* The child becomes `mrpb run`: it comes back only if it cannot. */
static int become_run(void *ctx, size_t i, FILE *out) {
  const campaign_t *all = ctx;
  const figures_campaign_t *c = all->c;
  const figures_run_t *run = &all->todo->run[i];
  char options[FIGURES_TEXT], config[PATH], json[PATH], log[PATH], *argv[MAX_ARGS], *save = NULL;
  (void)out;
  config_path(c, run, config);
  char *head[] = {strdup(c->program), strdup("run"),        strdup("-c"),     config,
                  strdup("--kernel"), strdup(run->program), strdup("--json"), json};
  unsigned n = sizeof head / sizeof *head;
  memcpy(argv, head, sizeof head);
  snprintf(json, sizeof json, "%s/%s", c->folder, run->file);
  snprintf(options, sizeof options, "%s", run->options);
  for (char *w = strtok_r(options, " ", &save); w && n < MAX_ARGS - 1;
       w = strtok_r(NULL, " ", &save))
    argv[n++] = w;
  argv[n] = NULL;
  snprintf(log, sizeof log, "%s/%s.log", c->folder, run->file);
  if (freopen(log, "w", stdout) && dup2(STDOUT_FILENO, STDERR_FILENO) >= 0) execv(c->program, argv);
  return 127;
}

/* One line about a finished run; its cost goes to costs.csv. */
static void report(const campaign_t *all, const jobs_end_t *end) {
  const figures_campaign_t *c = all->c;
  const figures_run_t *run = &all->todo->run[end->job];
  const struct rusage *use = end->cost;
  char path[PATH];
  double seconds = (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) +
                   1e-6 * (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec);
  const bool good = end->exited && end->code == 0;
  fprintf(c->log, "[%zu/%zu] %s-%c %016" PRIx64 " %.1f CPU-s, %ld MB%s", all->done, all->todo->n,
          run->program, run->base, run->hash, seconds, use->ru_maxrss / 1024, good ? "\n" : "");
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
    fprintf(c->log, " FAILED (%s %d): see %s\n", end->exited ? "exit" : "signal", end->code, path);
  }
  fflush(c->log);
}

/* A run that fails leaves the others to be made; one that cannot be started does not. */
static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  campaign_t *all = ctx;
  if (end->why) {
    all->rc = mrpb_fail(all->err, "%s", end->why);
    return JOBS_NO_MORE;
  }
  all->done++;
  report(all, end);
  if ((!end->exited || end->code != 0) && all->rc == 0) all->rc = 1;
  return JOBS_GO_ON;
}

static int run_list(const figures_campaign_t *c, const todo_t *t, mrpb_err_t *err) {
  campaign_t all = {.c = c, .todo = t, .err = err};
  const jobs_t pool = {.n = t->n,
                       .at_once = c->jobs,
                       .silent = true,
                       .ctx = &all,
                       .open = write_config,
                       .work = become_run,
                       .end = tell,
                       .stop = c->stop};
  const int rc = jobs_run(&pool, err);
  return rc == JOBS_STOPPED ? 130 : rc < 0 ? -1 : all.rc;
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
