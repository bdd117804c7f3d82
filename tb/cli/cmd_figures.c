/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb figures`: runs, plots and writes up the experiments of configs/figures/. */
#include "cli/by_slurm.h"
#include "cli/cli.h"
#include "studies/figures/figures.h"
#include "base/home.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 1024, MAX_EXPERIMENTS = 40 };

typedef struct {
  const char *from, *only[MAX_EXPERIMENTS], *program[FIGURES_MAX_PROGRAMS], *db, *out, *page;
  unsigned n_only, n_programs;
  bool quick, every, plot_only, redraw, png;
  by_slurm_t slurm;
  uint64_t jobs;
} figures_options_t;

static int take_name(void *self, const char *name, const char *v, mrpb_err_t *err) {
  figures_options_t *o = self;
  (void)name;
  return cli_append(o->only, &o->n_only, MAX_EXPERIMENTS, "experiment", v, err);
}

static const cli_option_t options[] = {
    CLI_FLAG(figures_options_t, quick, "--quick", "cut programs: minutes instead of hours"),
    CLI_FLAG(figures_options_t, every, "--every-point",
             "runs every point, and whole: none is derived or ended"),
    CLI_NUMBER(figures_options_t, jobs, "--jobs", 1, 64, "runs in parallel (1)"),
    CLI_BY_SLURM(figures_options_t, slurm),
    CLI_LIST(figures_options_t, program, n_programs, FIGURES_MAX_PROGRAMS, "--program", "NAME",
             "only the runs of this program"),
    CLI_FLAG(figures_options_t, plot_only, "--plot-only",
             "runs nothing: plots and page from existing results"),
    CLI_FLAG(figures_options_t, redraw, "--redraw",
             "runs nothing: plots from the CSV files in --out"),
    CLI_FLAG(figures_options_t, png, "--png", "with --redraw: PNG for print in place of SVG"),
    CLI_TEXT(figures_options_t, from, "--from", "DIR", "the experiments (configs/figures)"),
    CLI_TEXT(figures_options_t, db, "--db", "FILE", "the results, kept (build/figures/results.db)"),
    CLI_TEXT(figures_options_t, out, "--out", "DIR", "plots and their data (build/figures)"),
    CLI_TEXT(figures_options_t, page, "--page", "FILE", "the page (build/figures/figures.md)"),
};

static void choose_places(figures_options_t *o) {
  if (!o->db) o->db = o->quick ? "build/figures-quick/results.db" : "build/figures/results.db";
  if (!o->out) o->out = o->quick ? "build/figures-quick" : "build/figures";
  if (!o->page) o->page = o->quick ? "build/figures-quick/figures.md" : "build/figures/figures.md";
}

static bool wanted(const figures_options_t *o, const char *file) {
  for (unsigned i = 0; i < o->n_only; i++) {
    size_t n = strlen(o->only[i]);
    if (strncmp(file, o->only[i], n) == 0 && strcmp(file + n, ".fig") == 0) return true;
  }
  return o->n_only == 0;
}

static int read_all(const figures_options_t *o, figures_experiment_t *e, unsigned *n,
                    mrpb_err_t *err) {
  struct dirent **list;
  char path[PATH], programs[PATH];
  int rc = 0, files = figures_files(o->from, &list, err);
  if (files < 0) return -1;
  snprintf(programs, sizeof programs, "%s/programs.list", o->from);
  for (int i = 0; i < files; i++) {
    if (rc == 0 && wanted(o, list[i]->d_name)) {
      snprintf(path, sizeof path, "%s/%s", o->from, list[i]->d_name);
      rc = *n < MAX_EXPERIMENTS ? figures_read(&e[*n], path, programs, err)
                                : mrpb_fail(err, "legal: at most %d experiments", MAX_EXPERIMENTS);
      if (rc == 0) ++*n;
    }
    free(list[i]);
  }
  free(list);
  if (rc == 0 && (*n == 0 || *n < o->n_only))
    rc = mrpb_fail(err, "%s: %s; legal: a folder of NAME.fig files", o->from,
                   *n == 0 && o->n_only == 0 ? "it has no experiment"
                                             : "some of the given experiments are missing");
  return rc;
}

static bool has_program(const figures_experiment_t *e, unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned p = 0; p < e[i].n_programs; p++)
      if (strcmp(e[i].program[p].name, name) == 0) return true;
  return false;
}

static int check_programs(const figures_options_t *o, const figures_experiment_t *e, unsigned n,
                          mrpb_err_t *err) {
  for (unsigned i = 0; i < o->n_programs; i++)
    if (!has_program(e, n, o->program[i]))
      return mrpb_fail(err, "--program %s: legal: a program of the experiments", o->program[i]);
  return 0;
}

/* The path from the page to its plots. */
static const char *plots_from(const figures_options_t *o) {
  const char *slash = strrchr(o->page, '/');
  const size_t n = slash ? (size_t)(slash - o->page) : 0;
  if (slash && strlen(o->out) == n && strncmp(o->out, o->page, n) == 0) return ".";
  if (slash && strncmp(o->out, o->page, n + 1) == 0) return o->out + n + 1;
  return o->out;
}

/* The page covers all experiments, so it is not written for only some of them. */
static int write_up(const figures_campaign_t *c, const figures_options_t *o,
                    const figures_experiment_t *e, unsigned n, mrpb_err_t *err) {
  figures_results_t r[MAX_EXPERIMENTS] = {{0}};
  int rc = output_folder(o->out, err);
  for (unsigned i = 0; i < n && rc == 0; i++) {
    rc = figures_load(&r[i], c, &e[i], err);
    if (rc == 0) rc = figures_plot(&r[i], o->out, err);
  }
  if (rc == 0 && o->n_only == 0) rc = figures_page(r, n, o->page, plots_from(o), err);
  for (unsigned i = 0; i < n; i++) figures_unload(&r[i]);
  return rc;
}

static int redraw(const figures_options_t *o, const figures_experiment_t *e, unsigned n,
                  mrpb_err_t *err) {
  for (unsigned i = 0; i < n; i++)
    if (figures_redraw(&e[i], o->out, o->png ? "png" : "svg", o->quick, err) != 0) return -1;
  return 0;
}

/* Returns 0; 1 if some run failed; 130 if stopped; or -1. */
static int campaign(figures_options_t *o, const figures_experiment_t *e, unsigned n,
                    mrpb_err_t *err) {
  char program[CLI_COMMAND];
  cli_program(program);
  figures_campaign_t c = {.sweep = {.program = program,
                                    .jobs = (unsigned)o->jobs,
                                    .log = cli_log(),
                                    .show = cli_progress(),
                                    .stop = cli_signalled},
                          .db = o->db,
                          .quick = o->quick,
                          .every = o->every,
                          .only = o->program,
                          .n_only = o->n_programs};
  char own[FILES_PATH];
  int rc = figures_read_bases(&c, home_config(own, "configs"), err);
  if (rc == 0) rc = by_slurm_choose(&o->slurm, o->db, &c.sweep, err);
  if (rc == 0 && !o->plot_only) rc = figures_run_all(&c, e, n, err);
  if (rc != 0 && rc != 1) return rc;
  if (sweep_store_read(&c.store, o->db, err) != 0 || write_up(&c, o, e, n, err) != 0) rc = -1;
  sweep_store_close(c.store);
  return rc;
}

static const cli_rule_t rules[] = {
    {"--redraw", NULL, "--plot-only", "--redraw with --plot-only: legal: one of them"},
    {"--png", "--redraw", NULL, "--png: legal: with --redraw"},
};

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  char from[FILES_PATH];
  figures_options_t o = {.from = home_config(from, "configs/figures"), .jobs = 1};
  unsigned n = 0;
  int rc = cli_parse(&cmd_figures, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("figures", &err);
  if (by_slurm_check(&o.slurm, !o.redraw && !o.plot_only, &err) != 0)
    return cli_fail("figures", &err);
  choose_places(&o);
  figures_experiment_t *e = calloc(MAX_EXPERIMENTS, sizeof *e);
  if (!e) return mrpb_fail(&err, "out of memory"), cli_fail("figures", &err);
  rc = read_all(&o, e, &n, &err);
  if (rc == 0) rc = check_programs(&o, e, n, &err);
  if (rc == 0) rc = o.redraw ? redraw(&o, e, n, &err) : campaign(&o, e, n, &err);
  free(e);
  if (rc == 130) {
    fprintf(stderr, "mrpb figures: interrupted; the same command resumes from here\n");
    return CLI_INTERRUPTED;
  }
  if (rc < 0) return cli_fail("figures", &err);
  if (rc == 1) fprintf(stderr, "mrpb figures: some runs failed: see above\n");
  return rc == 1 ? CLI_DIFFERENT : CLI_OK;
}

const cli_command_t cmd_figures = {
    .name = "figures",
    .operands = "[NAME]...",
    .doc = "the paper's figures: runs what is missing, plots, writes the page",
    .details =
        "NAME: an experiment of configs/figures/. After an interrupt, the same command resumes.",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .operand = take_name,
    .run = run,
};
