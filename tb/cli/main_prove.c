/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb-prove, which `mrpb prove` runs: the only program that needs LLVM. */
#include "base/home.h"
#include "cli/prove_args.h"
#include "base/files.h"
#include "base/modules.h"
#include "verilog/build.h"
#include "verify/prove/llvm/list.h"
#include "verify/prove/llvm/runs.h"
#include "verify/prove/parts/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_options(const prove_args_t *a, mrpb_err_t *err) {
  if (!a->list == !a->module)
    return mrpb_fail(err, "one module or --list FILE is needed; `mrpb prove --help`");
  if (a->list && design_given(&a->from.design))
    return mrpb_fail(err, "-f, --top and --map are for one module; legal: MODULE without --list");
  if (a->list && (a->n_sets || a->inv))
    return mrpb_fail(err, "--list takes modules and sizes from its file: legal with it: --jobs "
                          "--rtl --c DIR --engine --limit --unroll");
  if (!a->cells.netlist != !a->cells.n_liberties)
    return mrpb_fail(err, "--netlist FILE needs --liberty FILE, and --liberty needs --netlist");
  if (a->cells.netlist && (a->list || a->c || design_given(&a->from.design)))
    return mrpb_fail(err, "--netlist is for one module; legal with it: --set --liberty --rtl --inv "
                          "--engine --limit --depth --unroll");
  if (a->list && a->c && !files_is_folder(a->c))
    return mrpb_fail(err, "--c %s: with --list it is a folder, with a C file for each model", a->c);
  return 0;
}

static int prove_one(const prove_args_t *a, prove_job_t *job, mrpb_err_t *err) {
  job->cls = prove_class(a->module, err);
  if (!job->cls) return PROVE_BAD_INPUT;
  module_defaults(job->cls, job->cfg);
  for (unsigned i = 0; i < a->n_sets; i++) {
    mrpb_err_t why = {""};
    if (list_set(job, a->sets[i], &why) != 0)
      return mrpb_fail(err, "--set %s", why.text), PROVE_BAD_INPUT;
  }
  if (job->cls->check(job->cfg, err) != 0 || rtl_env_check_module(job->env, job->cls, err) != 0)
    return PROVE_BAD_INPUT;
  runs_t run = runs(job, 1, 1, stdout, cli_progress());
  *err = run.err;
  if (run.code == PROVE_YES) list_trust(job->engine, stdout);
  return run.code;
}

/* In the project's own folder the paths are short, because messages show them. */
static int find_folders(char root[FILES_PATH], char rtl[FILES_PATH], mrpb_err_t *err) {
  char here[FILES_PATH];
  if (home_find(root, err) != 0) return -1;
  if (getcwd(here, sizeof here) && strcmp(here, root) == 0) memcpy(root, ".", sizeof ".");
  const bool fits =
      strcmp(root, ".") == 0 ? files_path(rtl, "rtl") : files_path(rtl, "%s/rtl", root);
  return fits ? 0 : mrpb_fail(err, "the path of the project is too long");
}

static int run_proofs(const prove_args_t *a, prove_job_t *job, mrpb_err_t *err) {
  rtl_env_t *env = NULL;
  int rc = rtl_env_open_source(&env, &a->from, err);
  job->env = env;
  if (rc == RTL_OK)
    rc = a->list ? list_run(a->list, job, (unsigned)a->jobs, stdout, cli_progress(), err)
                 : prove_one(a, job, err);
  rtl_env_close(env);
  return rc;
}

static int prove(int argc, char **argv) {
  char root[FILES_PATH] = ".", rtl[FILES_PATH];
  prove_args_t a = {.from.dir = rtl, .engine = "abc", .jobs = 1, .limit = 600, .unroll = 4096};
  mrpb_err_t err = {""};
  engine_t engine;
  if (find_folders(root, rtl, &err) != 0) return cli_fail("prove", &err), CLI_BAD_TOOL;
  int rc = cli_parse(&cmd_prove, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || check_options(&a, &err) != 0 ||
      decide_engine(&engine, a.engine, &err) != 0)
    return cli_fail("prove", &err);
  prove_job_t job = {.root = root,
                     .inv = a.inv,
                     .c = a.c,
                     .limit = (unsigned)a.limit,
                     .unroll = (unsigned)a.unroll,
                     .depth = (unsigned)a.depth,
                     .cells = &a.cells,
                     .engine = engine};
  rc = run_proofs(&a, &job, &err);
  if (err.text[0]) cli_fail("prove", &err);
  return rc;
}

int main(int argc, char **argv) {
  mrpb_err_t err = {""};
  const char *dir = getenv(MODULES_VARIABLE);
  cli_start();
  int rc = dir ? modules_load(dir, &err) : 0;
  if (rc != 0) cli_fail("prove", &err);
  return cli_finish("prove", rc ? rc : prove(argc, argv));
}
