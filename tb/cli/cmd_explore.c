/* build/mrpb explore: C and Verilog in every reachable state of a tiny size. */
#include "cli/cli.h"
#include "prove/explore_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: mrpb explore MODULE [--set PARAMETER=VALUE]... [--values INPUT=V,V...]... [--states "
    "N]\n"
    "                    [--rtl DIR] [--out DIR]\n"
    "       mrpb explore [--list FILE] [--short] [--rtl DIR] [--out DIR]\n"
    "Applies every input to every reachable state of the C model and of the Verilog (rtl/, or "
    "DIR)\n"
    "and compares all outputs and registers. --values: fewer values for an input. --states: most\n"
    "states (1000000). Without a module: the lines of tests/prove/explore.list (--short: those of\n"
    "`make test`). The shortest stimulus of a difference goes to build/prove (or --out DIR).\n"
    "Exit 0 equal, 1 different, 2 wrong input, 3 cut off, 5 a tool is missing or failed.\n";

enum { MAX_LINES = 64 };

typedef struct {
  explore_setup_t setup;
  const char *module, *list;
  char text[EXPLORE_TEXT];
  bool sized, brief, help;
  explore_line_t lines[MAX_LINES];
  unsigned n;
} args_t;

static int take_option(args_t *a, const char *name, const char *v, mrpb_err_t *err) {
  if (strcmp(name, "--rtl") == 0) return a->setup.rtl = v, 0;
  if (strcmp(name, "--list") == 0) return a->list = v, 0;
  if (strcmp(name, "--out") == 0) return a->setup.results = v, 0;
  size_t at = strlen(a->text);
  int n = snprintf(a->text + at, EXPLORE_TEXT - at, " %s%s",
                   strcmp(name, "--states") == 0 ? "states=" : "", v);
  a->sized = true;
  return n > 0 && (size_t)n < EXPLORE_TEXT - at ? 0 : mrpb_fail(err, "%s %s: too many", name, v);
}

static int parse(args_t *a, int argc, char **argv, mrpb_err_t *err) {
  static const char *const options[] = {"--set", "--values", "--states",
                                        "--rtl", "--list",   "--out"};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value;
    bool known = false;
    if (strcmp(name, "--help") == 0) return a->help = true, 0;
    if (strcmp(name, "--short") == 0) {
      a->brief = true;
      continue;
    }
    if (name[0] != '-') {
      if (a->module) return mrpb_fail(err, "'%s': one module at a time", name);
      a->module = name;
      continue;
    }
    for (unsigned k = 0; k < sizeof options / sizeof *options; k++)
      known = known || strcmp(name, options[k]) == 0;
    if (!known)
      return mrpb_fail(
          err,
          "unknown option '%s'; legal: --set --values --states --rtl --list --short --out --help",
          name);
    value = cli_value(argc, argv, &i, err);
    if (!value || take_option(a, name, value, err) != 0) return -1;
  }
  if (a->module ? a->list || a->brief : a->sized)
    return mrpb_fail(err, "--set, --values and --states need a module, --list and --short none");
  return 0;
}

static int read_list(args_t *a, const char *path, mrpb_err_t *err) {
  char text[EXPLORE_TEXT + 2];
  FILE *f = fopen(path, "r");
  if (!f) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  for (unsigned at = 1; fgets(text, sizeof text, f) && !err->text[0]; at++) {
    explore_line_t line;
    mrpb_err_t why = {""};
    bool used;
    if (explore_parse(text, &line, &used, &why) != 0)
      mrpb_fail(err, "%s:%u: %s", path, at, why.text);
    if (!used || (a->brief && !line.brief)) continue;
    if (a->n == MAX_LINES) mrpb_fail(err, "%s:%u: more than %d lines", path, at, MAX_LINES);
    if (!err->text[0]) a->lines[a->n++] = line;
  }
  fclose(f);
  if (err->text[0]) return -1;
  return a->n ? 0 : mrpb_fail(err, "%s: no line to explore", path);
}

static int make_lines(args_t *a, const char *root, mrpb_err_t *err) {
  char text[EXPLORE_TEXT + CLI_COMMAND];
  bool used;
  if (!a->module) {
    snprintf(text, sizeof text, "%s/tests/prove/explore.list", root);
    return read_list(a, a->list ? a->list : text, err);
  }
  snprintf(text, sizeof text, "%s%s", a->module, a->text);
  a->n = 1;
  return explore_parse(text, &a->lines[0], &used, err);
}

/* All lines; the first failure decides the exit code, a difference before all others. */
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

int cmd_explore(int argc, char **argv) {
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
  int rc = CLI_USAGE;
  if (parse(a, argc, argv, &err) == 0 && a->help) {
    fputs(usage, stdout);
    rc = CLI_OK;
  } else if (!err.text[0] && (rc = rtl_env_open(&env, a->setup.rtl, NULL, &err)) == RTL_OK) {
    snprintf(results, sizeof results, "%s/build/prove", rtl_env_root(env));
    if (!a->setup.results) a->setup.results = results;
    cli_hold_signals();
    rc = make_lines(a, rtl_env_root(env), &err) == 0 ? run_lines(a, env) : CLI_USAGE;
  }
  if (err.text[0]) cli_fail("explore", &err);
  rtl_env_close(env);
  free(a);
  return rc;
}
