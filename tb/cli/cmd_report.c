/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb report`: puts all measurements on one page. */
#include "cli/cli.h"
#include "base/files.h"
#include "base/home.h"
#include "studies/report/report.h"

#include <string.h>
#include <unistd.h>

enum { MOST = 64 };

typedef struct {
  report_inputs_t in;
  const char *estimate[MOST], *sweep[MOST], *config[MOST], *run[MOST];
  const char *out, *json, *d3;
  bool only_runs;
} report_options_t;

static const cli_option_t options[] = {
    CLI_TEXT(report_options_t, out, "--out", "FILE", "the page (build/report.html)"),
    CLI_JSON(report_options_t, json, "only the page's data, no page"),
    CLI_FLAG(report_options_t, only_runs, "--only-runs",
             "only RUN.json and files that are named, not the project's measurements"),
    CLI_LIST(report_options_t, sweep, in.n_sweeps, MOST, "--sweep", "FILE",
             "the store of `mrpb sweep`, or an export: NAME.json, else CSV"),
    CLI_LIST(report_options_t, config, in.n_configs, MOST, "-c", "FILE",
             "a configuration of your own that a sweep began from"),
    CLI_LIST(report_options_t, estimate, in.n_estimates, MOST, "--estimate", "FILE",
             "estimate.json of `mrpb estimate`"),
    CLI_TEXT(report_options_t, in.experiments, "--from", "DIR",
             "the experiments (configs/figures)"),
    CLI_TEXT(report_options_t, in.figures, "--figures", "DIR", "their CSV files (docs/figures)"),
    CLI_TEXT(report_options_t, in.published, "--published", "FILE",
             "the page of `mrpb figures` (docs/figures.md)"),
    CLI_TEXT(report_options_t, in.accuracy, "--accuracy", "FILE",
             "results of `make accuracy` (tests/data/accuracy.csv)"),
    CLI_TEXT(report_options_t, in.modules, "--modules", "FILE",
             "results of `mrpb estimate --record` (tests/estimate/baseline.json)"),
    CLI_TEXT(report_options_t, in.studies, "--studies", "DIR",
             "pages of `make micro` (docs/micro/results)"),
    CLI_TEXT(report_options_t, d3, "--d3", "FILE", "the plotting library (Debian's node-d3)"),
};

static int take_run(void *self, const char *name, const char *v, mrpb_err_t *err) {
  report_options_t *o = self;
  return cli_append(o->run, &o->in.n_runs, MOST, name ? name : "RUN.json", v, err);
}

/* Takes the usual file if it exists and none was named. */
static void by_itself(const char **name, const char *usual) {
  if (!*name && files_exists(usual)) *name = usual;
}

static void choose_inputs(report_inputs_t *in) {
  by_itself(&in->figures, "docs/figures");
  by_itself(&in->published, "docs/figures.md");
  by_itself(&in->accuracy, "tests/data/accuracy.csv");
  by_itself(&in->modules, "tests/estimate/baseline.json");
  by_itself(&in->studies, "docs/micro/results");
}

static int make(const report_options_t *o, mrpb_err_t *err) {
  json_t *document = report_gather(&o->in, err);
  if (!document) return -1;
  const int rc =
      o->json ? cli_write_json(o->json, document, err) : report_page(document, o->d3, o->out, err);
  json_decref(document);
  return rc;
}

/* The page's place if none is named. */
static int choose_page(report_options_t *o, mrpb_err_t *err) {
  if (o->out || o->json) return 0;
  o->out = "build/report.html";
  if (access("build", F_OK) == 0) return 0;
  return mrpb_fail(err, "%s: no folder build here; legal: --out FILE", o->out);
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  char from[FILES_PATH];
  report_options_t o = {.in.experiments = home_config(from, "configs/figures"),
                        .d3 = "/usr/share/nodejs/d3/dist/d3.min.js"};
  const int rc = cli_parse(&cmd_report, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("report", &err);
  o.in.sweep = o.sweep;
  o.in.estimate = o.estimate;
  o.in.config = o.config;
  o.in.run = o.run;
  if (!o.only_runs) choose_inputs(&o.in);
  if (choose_page(&o, &err) != 0 || make(&o, &err) != 0) return cli_fail("report", &err);
  const char *written = o.json ? o.json : o.out;
  if (strcmp(written, "-") != 0) printf("wrote %s\n", written);
  return CLI_OK;
}

const cli_command_t cmd_report = {
    .name = "report",
    .operands = "[RUN.json...]",
    .operand = take_run,
    .doc = "one page with all measurements: your runs, figures, sweeps, accuracy, cost, studies",
    .details = "RUN.json: what `mrpb run --json` wrote; the page begins with them. Runs nothing: "
               "the page shows "
               "the existing files. It needs no network.",
    CLI_OPTIONS(options),
    .run = run,
};
