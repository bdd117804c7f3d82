/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb import`: converts a configuration of GPGPU-Sim to one of this project. */
#include "cli/cli.h"
#include "config/gpgpusim.h"
#include "base/output.h"

enum { IMPORT_SETS = 128 };

typedef struct {
  const char *path, *out;
  const char *set[IMPORT_SETS];
  unsigned n_set;
  bool options;
} args_t;

static const cli_option_t options[] = {
    CLI_TEXT(args_t, out, "-o", "FILE", "file for the configuration (standard output)"),
    CLI_LIST(args_t, set, n_set, IMPORT_SETS, "--set", "KEY=VALUE", "overrides the file"),
    CLI_FLAG(args_t, options, "--options", "only the table of options, as Markdown"),
};

static int take_path(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->path, v, "one file at a time", err);
}

static int write_file(const gpgpusim_t *m, const char *path, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  gpgpusim_write(f, m);
  return output_close(f, false, path, temp, err);
}

static int import(const args_t *a, mrpb_err_t *err) {
  gpgpusim_t m;
  const char *const files[] = {a->out, a->path};
  if (cli_apart(files, 1, 2, err) != 0) return -1;
  int rc = gpgpusim_import(&m, a->path, a->set, a->n_set, err);
  if (rc == 0 && a->out)
    rc = write_file(&m, a->out, err);
  else if (rc == 0)
    gpgpusim_write(stdout, &m);
  gpgpusim_free(&m.file);
  return rc;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t a = {.path = NULL};
  int rc = cli_parse(&cmd_import, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && a.options) return gpgpusim_table(stdout), CLI_OK;
  if (rc == CLI_PARSED && !a.path) rc = mrpb_fail(&err, "legal: import gpgpusim.config");
  if (rc != CLI_PARSED || import(&a, &err) != 0) return cli_fail("import", &err);
  return CLI_OK;
}

const cli_command_t cmd_import = {
    .name = "import",
    .operands = "FILE",
    .doc = "converts a configuration of GPGPU-Sim (gpgpusim.config)",
    .details = "Options without a counterpart become comments. docs/import.md",
    CLI_OPTIONS(options),
    .operand = take_path,
    .run = run,
};
