/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb prove: proves the C model equal to the Verilog for all states and inputs, by running
 * the program beside this one (docs/verify/prove.md). */
#include "cli/prove_args.h"

#include "base/home.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Runs the prover: the one beside this program; if there is none, for example because this program
 * was copied, the one of the program's own files. Returns only if neither can be run, with the
 * first one's path and errno. */
static void start(char path[CLI_COMMAND], char **argv) {
  static const char *const places[] = {"build/mrpb-prove", "../../bin/mrpb-prove"};
  char root[FILES_PATH], other[FILES_PATH + 32];
  mrpb_err_t unheard = {""};
  fflush(NULL);
  if (path[0]) execv(path, argv);
  const int cause = errno;
  for (unsigned i = 0; cause == ENOENT && i < sizeof places / sizeof *places; i++) {
    if (home_find(root, &unheard) != 0) break;
    snprintf(other, sizeof other, "%s/%s", root, places[i]);
    execv(other, argv);
  }
  errno = cause;
}

/* The prover is started only with options that have been parsed here, so wrong options and --help
 * need no prover. */
static int run(int argc, char **argv) {
  static const char name[] = "mrpb-prove";
  char path[CLI_COMMAND];
  mrpb_err_t err = {""};
  prove_args_t args = {0};
  int rc = cli_parse(&cmd_prove, &args, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("prove", &err);
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof name);
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) memcpy(slash + 1, name, sizeof name);
  errno = ENOENT;
  start(path, argv);
  mrpb_fail(&err, "%s cannot be run: %s; it is built by: make prover", slash ? path : name,
            strerror(errno));
  cli_fail("prove", &err);
  return CLI_BAD_TOOL;
}

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  prove_args_t *a = self;
  return cli_append(a->sets, &a->n_sets, PROVE_MAX_SETS, name, v, err);
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  prove_args_t *a = self;
  (void)name;
  return cli_once(&a->module, v, "one module at a time, or --list FILE", err);
}

static int take_liberty(void *self, const char *name, const char *v, mrpb_err_t *err) {
  prove_args_t *a = self;
  return cli_append(a->cells.liberty, &a->cells.n_liberties, CELLS_LIBERTIES, name, v, err);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_MANY(take_set, "--set", "PARAMETER=VALUE", "a size of the module"),
    CLI_TEXT(prove_args_t, list, "--list", "FILE",
             "lines of modules and sizes instead of a module"),
    CLI_NUMBER(prove_args_t, jobs, "--jobs", 1, 64, "lines run in parallel (1)"),
    CLI_RTL(prove_args_t, from),
    CLI_TEXT(prove_args_t, cells.netlist, "--netlist", "FILE",
             "a netlist of library cells in place of the Verilog (docs/verify/netlist.md)"),
    CLI_MANY(take_liberty, "--liberty", "FILE[,FILE...]", "with --netlist: what its cells do"),
    CLI_TEXT(prove_args_t, c, "--c", "FILE|DIR",
             "another C model than cmodel/MODULE.c; DIR: its C files replace those of cmodel/"),
    CLI_TEXT(prove_args_t, inv, "--inv", "FILE",
             "another invariant than the one in tb/verify/prove/inv/"),
    CLI_TEXT(prove_args_t, engine, "--engine", "NAME",
             "the solver: abc (default), cadical, or both, each alone"),
    CLI_NUMBER(prove_args_t, limit, "--limit", 1, 1000000,
               "seconds for each query and engine (600)"),
    CLI_NUMBER(prove_args_t, depth, "--depth", 1, 1000,
               "cycles from a reset instead of all states; outputs only"),
    CLI_NUMBER(prove_args_t, unroll, "--unroll", 1, 1000000, "maximum iterations of a loop (4096)"),
};

const cli_command_t cmd_prove = {
    .name = "prove",
    .operands = "[MODULE]",
    .doc = "proves the C model equal to the Verilog, for all states and inputs",
    .details = "Shows that both have equal outputs, and equal registers after the clock edge, for "
               "every state that "
               "satisfies\nthe module's invariant and every input. Exit 0 proved, 1 refuted, 2 "
               "wrong input, 3 not "
               "decided, 5 wrong tool, 6 the engines disagree.\ndocs/verify/prove.md",
    CLI_OPTIONS(options),
    .operand = take_module,
    .run = run,
};
