/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb explore: compares compares C and Verilog in every reachable state of a tiny size. */
#include "base/home.h"
#include "cli/cli.h"
#include "base/input.h"
#include "verify/explore/explore_run.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 256 };

typedef struct {
  explore_setup_t setup;
  const char *module, *list;
  char text[EXPLORE_TEXT];
  bool sized, brief;
  explore_line_t lines[MAX_LINES];
  unsigned n;
} args_t;

static int take_word(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  size_t at = strlen(a->text);
  int n = snprintf(a->text + at, EXPLORE_TEXT - at, " %s%s",
                   strcmp(name, "--states") == 0 ? "states=" : "", v);
  a->sized = true;
  return n > 0 && (size_t)n < EXPLORE_TEXT - at ? 0 : mrpb_fail(err, "%s %s: too many", name, v);
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->module, v, "one module at a time", err);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_MANY(take_word, "--set", "PARAMETER=VALUE", "a size of the module"),
    CLI_MANY(take_word, "--values", "INPUT=V,V...", "fewer values for an input"),
    CLI_TAKE(take_word, "--states", "N", "maximum number of states (1000000)"),
    CLI_TEXT(args_t, list, "--list", "FILE",
             "lines of modules and sizes (tests/verify/prove/explore.list)"),
    CLI_FLAG(args_t, brief, "--short", "only the lines of the list that `make test` runs"),
    CLI_TEXT(args_t, setup.rtl, "--rtl", "DIR", "another folder of Verilog"),
    CLI_TEXT(args_t, setup.results, "--out", "DIR",
             "folder for the stimulus of a difference (build/prove)"),
};

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  args_t *a = ctx;
  explore_line_t line;
  bool used;
  if (strlen(text) >= EXPLORE_TEXT)
    return mrpb_fail(why, "line too long; legal: %d characters", EXPLORE_TEXT - 1);
  if (explore_parse(text, &line, &used, why) != 0) return -1;
  if (!used || (a->brief && !line.brief)) return 0;
  if (a->n == MAX_LINES) return mrpb_fail(why, "legal: at most %d lines", MAX_LINES);
  a->lines[a->n++] = line;
  return 0;
}

static int read_list(args_t *a, const char *path, mrpb_err_t *err) {
  if (input_lines(path, take_line, a, err) != 0) return -1;
  return a->n ? 0
              : mrpb_fail(err, "%s: no line to explore%s", path,
                          a->brief ? "; legal with --short: lines with the word short" : "");
}

static int make_lines(args_t *a, const char *root, mrpb_err_t *err) {
  char text[EXPLORE_TEXT + CLI_COMMAND];
  bool used;
  if (!a->module) {
    snprintf(text, sizeof text, "%s/tests/verify/prove/explore.list", root);
    return read_list(a, a->list ? a->list : text, err);
  }
  snprintf(text, sizeof text, "%s%s", a->module, a->text);
  a->n = 1;
  return explore_parse(text, &a->lines[0], &used, err);
}

/* Runs all lines. The first failure decides the exit code, but a difference takes precedence over
 * all others. */
static int run_lines(args_t *a, rtl_env_t *env) {
  int worst = EXPLORE_RUN_EQUAL;
  explore_heading(stdout);
  for (unsigned i = 0; i < a->n && !cli_signalled(); i++) {
    mrpb_err_t err = {""};
    a->lines[i].job.stop = cli_signalled;
    int rc = explore_run(&a->lines[i], &a->setup, env, &err);
    if (err.text[0]) cli_fail("explore", &err);
    if (worst == EXPLORE_RUN_EQUAL || rc == EXPLORE_RUN_DIFFERENT) worst = rc;
  }
  return cli_signalled() ? CLI_INTERRUPTED : worst;
}

static int run(int argc, char **argv) {
  char program[CLI_COMMAND], results[CLI_COMMAND + 16];
  mrpb_err_t err = {""};
  rtl_env_t *env = NULL;
  args_t *a = calloc(1, sizeof *a);
  if (!a) {
    mrpb_fail(&err, "out of memory");
    return cli_fail("explore", &err);
  }
  cli_program(program);
  a->setup = (explore_setup_t){.out = stdout, .program = program};
  int rc = CLI_USAGE, parsed = cli_parse(&cmd_explore, a, argc, argv, &err);
  if (parsed == CLI_PARSED && (a->module ? a->list || a->brief : a->sized))
    mrpb_fail(&err, "--set, --values and --states need a module, --list and --short none");
  if (parsed == CLI_HELPED) {
    rc = CLI_OK;
  } else if (!err.text[0] &&
             (rc = rtl_env_open(&env, &(rtl_from_t){.dir = a->setup.rtl}, NULL, &err)) == RTL_OK) {
    if (!a->setup.results) a->setup.results = results;
    rc = home_build_path(results, rtl_env_root(env), "prove", &err) == 0 &&
                 make_lines(a, rtl_env_root(env), &err) == 0
             ? run_lines(a, env)
             : CLI_USAGE;
  }
  if (err.text[0]) cli_fail("explore", &err);
  rtl_env_close(env);
  free(a);
  return rc;
}

const cli_command_t cmd_explore = {
    .name = "explore",
    .operands = "[MODULE]",
    .doc = "compares C and Verilog in every reachable state of a tiny size",
    .details = "Applies every input to every reachable state of both and compares all outputs and "
               "registers. "
               "Without a\nmodule: the lines of the list. Exit 0 equal, 1 different, 2 wrong "
               "input, 3 cut off, 5 a "
               "tool is missing or failed.",
    CLI_OPTIONS(options),
    .operand = take_module,
    .run = run,
};
