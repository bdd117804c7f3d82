/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb sweep`: runs every point of a sweep that its store lacks. */
#include "cli/by_slurm.h"
#include "cli/cli.h"
#include "cli/source.h"
#include "base/names.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_STATS = 256, MAX_SETS = 64, MAX_BEST = 8 };

typedef struct {
  cli_source_t source;
  sweep_cross_t cross;
  const char *file, *db, *export, *out, *sets[MAX_SETS], *stat[MAX_STATS], *best[MAX_BEST];
  const char *task;
  unsigned n_sets, n_stats, n_best;
  bool list, retry, skip_equal;
  by_slurm_t slurm;
  uint64_t jobs;
} options_t;

static int take_file(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return cli_once(&o->file, v, "one sweep at a time", err);
}

static const cli_option_t options[] = {
    CLI_SOURCE(options_t, source),
    CLI_LIST(options_t, cross.config, cross.n_configs, SWEEP_MOST_CHOICES, "-c", "FILE",
             "a configuration; several: all of them"),
    CLI_LIST(options_t, sets, n_sets, MAX_SETS, "--set", "KEY=VALUE", "a key of every point"),
    CLI_LIST(options_t, cross.vary, cross.n_varies, SWEEP_MOST_CHOICES, "--vary", "KEY=V,V,...",
             "a key's values; several keys are crossed"),
    CLI_TEXT(options_t, db, "--db", "FILE", "the results, kept (build/sweep/results.db)"),
    CLI_NUMBER(options_t, jobs, "--jobs", 1, 64, "runs in parallel (1)"),
    CLI_FLAG(options_t, retry, "--retry-failed", "also reruns the points that failed before"),
    CLI_FLAG(options_t, skip_equal, "--skip-equal",
             "does not run what another run proves, but for one point of ten"),
    CLI_LIST(options_t, best, n_best, MAX_BEST, "--best", "KEY",
             "of points that differ only in KEY, only the fastest counts: ends the others early"),
    CLI_FLAG(options_t, list, "--list", "runs nothing: lists what would run, and for how long"),
    CLI_TEXT(options_t, export, "--export", "csv|json",
             "runs nothing: the points and their results"),
    CLI_TEXT(options_t, out, "--out", "FILE", "where --export writes (standard output)"),
    CLI_LIST(options_t, stat, n_stats, MAX_STATS, "--stat", "NAME",
             "a statistic that --export writes (all): l1d.misses, run.cpu_seconds"),
    CLI_BY_SLURM(options_t, slurm),
    CLI_TEXT(options_t, task, "--task", "DIR", "used by the Slurm job itself"),
};

static const cli_rule_t rules[] = {
    {"--out --stat", "--export", NULL, "--out and --stat: legal: with --export csv or json"},
    {"--skip-equal --best", NULL, "--slurm --export",
     "--skip-equal and --best: legal: without --slurm and --export"},
    {"--export", NULL, "--list --retry-failed",
     "--export runs nothing: legal: without --list and --retry-failed"},
};

static int check_options(const options_t *o, mrpb_err_t *err) {
  const cli_source_t *s = &o->source;
  if (o->file && (s->kernel || s->trace || s->ptx.file || s->cut || s->size || s->steps ||
                  o->cross.n_configs || o->cross.n_varies || o->n_sets))
    return mrpb_fail(err, "%.200s, and points as options; legal: one of them", o->file);
  if (o->export && strcmp(o->export, "csv") != 0 && strcmp(o->export, "json") != 0)
    return mrpb_fail(err, "--export %.60s: legal: csv, json", o->export);
  if (by_slurm_check(&o->slurm, !o->list && !o->export, err) != 0) return -1;
  return 0;
}

static int make_list(options_t *o, sweep_list_t *l, mrpb_err_t *err) {
  if (o->file) return sweep_read(l, o->file, source_take_line, err);
  if (source_add(&o->source, l, err) < 0) return -1;
  o->cross.set = o->sets;
  o->cross.n_sets = o->n_sets;
  return sweep_cross(l, &o->cross, err);
}

/* --best needs keys of which the points have several values. */
static int check_best(const options_t *o, const sweep_list_t *l, mrpb_err_t *err) {
  bool *varies = sweep_list_keys(l);
  int rc = varies ? 0 : mrpb_fail(err, "out of memory");
  for (unsigned i = 0; i < o->n_best && rc == 0; i++) {
    names_near_t near = names_near(o->best[i]);
    const int key = keyfile_find(&config_table, o->best[i]);
    for (unsigned k = 0; k < config_count(); k++) names_offer(&near, config_key(k)->name);
    if (key < 0)
      rc = mrpb_fail(err, "--best %.60s: no such key%s", o->best[i], near.text);
    else if (!varies[key])
      rc = mrpb_fail(err, "--best %s: legal: a key in which the points differ", o->best[i]);
  }
  free(varies);
  return rc;
}

/* ---- what it does ---------------------------------------------------------------------------- */

static int export_to(const options_t *o, const sweep_list_t *l, sweep_store_t *store,
                     mrpb_err_t *err) {
  const sweep_export_t how = {o->stat, o->n_stats, strcmp(o->export, "json") == 0};
  char temp[OUTPUT_NAME];
  if (!o->out) return sweep_export(l, store, &how, stdout, err);
  FILE *f = output_open(o->out, temp, err);
  if (!f) return -1;
  const int rc = sweep_export(l, store, &how, f, err);
  if (rc == 0) return output_close(f, false, o->out, temp, err);
  fclose(f);
  output_discard(o->out, temp);
  return -1;
}

/* Returns 0; 1 if some point failed or is lost; 130 if stopped; or -1 and a message. */
static int work(options_t *o, const sweep_list_t *l, mrpb_err_t *err) {
  char program[CLI_COMMAND];
  sweep_t s = {.list = l,
               .program = program,
               .jobs = (unsigned)o->jobs,
               .retry = o->retry,
               .skip_equal = o->skip_equal,
               .best = o->best,
               .n_best = o->n_best,
               .log = cli_log(),
               .show = cli_progress(),
               .stop = cli_signalled};
  const bool reads = o->list || o->export;
  cli_program(program);
  int rc = reads ? sweep_store_read(&s.store, o->db, err) : sweep_store_write(&s.store, o->db, err);
  if (rc == 0 && o->export && !s.store)
    rc = mrpb_fail(err, "%s: missing; legal: a store of `mrpb sweep`", o->db);
  if (rc == 0) rc = by_slurm_choose(&o->slurm, o->db, &s, err);
  if (rc == 0)
    rc = o->export ? export_to(o, l, s.store, err)
         : o->list ? sweep_show(&s, stdout, err)
                   : sweep_run(&s, err);
  sweep_store_close(s.store);
  return rc;
}

static int run_task(const char *folder, mrpb_err_t *err) {
  char program[OUTPUT_NAME];
  return by_slurm_program(program, err) == 0 ? sweep_task(folder, program, cli_signalled, err) : -1;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  sweep_list_t l = {0};
  options_t *o = calloc(1, sizeof *o);
  if (!o) return mrpb_fail(&err, "out of memory"), cli_fail("sweep", &err);
  o->db = "build/sweep/results.db";
  o->jobs = 1;
  int rc = cli_parse(&cmd_sweep, o, argc, argv, &err);
  if (rc == CLI_HELPED) return free(o), CLI_OK;
  rc = rc == CLI_PARSED ? check_options(o, &err) : -1;
  if (rc == 0 && o->task)
    rc = run_task(o->task, &err);
  else if (rc == 0 && (rc = make_list(o, &l, &err)) == 0 && (rc = check_best(o, &l, &err)) == 0)
    rc = work(o, &l, &err);
  sweep_list_free(&l);
  free(o);
  if (rc == 130) {
    fprintf(stderr, "mrpb sweep: interrupted; the same command resumes from here\n");
    return CLI_INTERRUPTED;
  }
  if (rc < 0) return cli_fail("sweep", &err);
  if (rc == 1) fprintf(stderr, "mrpb sweep: some points failed; --export shows their exit codes\n");
  return rc == 1 ? CLI_DIFFERENT : CLI_OK;
}

const cli_command_t cmd_sweep = {
    .name = "sweep",
    .operands = "[FILE]",
    .doc = "runs many points, each a program on a configuration, into one file of results",
    .details = "FILE: lines of program, config, set, vary, point. After an interrupt, the same "
               "command resumes. docs/sweep.md",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .operand = take_file,
    .run = run,
};
