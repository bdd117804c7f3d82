/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb twice: do different simulators compute the same for a module? */
#include "base/hang.h"
#include "cli/cli.h"
#include "verify/twice/run.h"

typedef struct {
  twice_command_t run;
  uint64_t hang;
} args_t;

static const cli_option_t options[] = {
    CLI_LIST(args_t, run.from.design.list, run.from.design.n_lists, DESIGN_LISTS, "-f", "FILE",
             "a list of the module's Verilog files"),
    CLI_LIST(args_t, run.from.design.word, run.from.design.n_words, DESIGN_WORDS, CLI_VERILOG,
             "...", "its files, +define+NAME[=VALUE], +incdir+DIR: as in a list"),
    CLI_TEXT(args_t, run.from.design.top, "--top", "NAME", "the module"),
    CLI_TEXT(args_t, run.from.design.map, "--map", "FILE",
             "its clock and reset, and inputs that keep a value"),
    CLI_TEXT(args_t, run.from.lint, "--lint", "off|warn|error",
             "what to do with the tools' warnings about it (off)"),
    CLI_NUMBER(args_t, run.seed, "--seed", 0, UINT64_MAX, "seed of the random inputs (1)"),
    CLI_NUMBER(args_t, run.cycles, "--cycles", 100, 1000000,
               "cycles of random inputs (20000); Icarus gets at most 1000"),
    CLI_NUMBER(args_t, hang, "--hang", 1, 3600,
               "seconds that one call of the module may take (60)"),
};

static int run(int argc, char **argv) {
  args_t a = {.run = {.seed = 1, .cycles = TWICE_CYCLES, .out = stdout}, .hang = HANG_SECONDS};
  mrpb_err_t err = {""};
  int rc = cli_parse(&cmd_twice, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && !design_given(&a.run.from.design))
    rc = mrpb_fail(&err, "which module? legal: -f LIST, or its files, and --top NAME");
  if (rc != CLI_PARSED) return cli_fail("twice", &err);
  if (!a.run.from.lint) a.run.from.lint = "off";
  a.run.patience = (unsigned)a.hang;
  a.run.progress = cli_progress();
  rc = twice_command(&a.run, &err);
  if (err.text[0]) (void)cli_fail("twice", &err);
  return rc;
}

const cli_command_t cmd_twice = {
    .name = "twice",
    .operands = "",
    .doc =
        "builds any module in two ways with Verilator and compares them, and Icarus if it reads it",
    .details = "All inputs are random, all outputs are compared in every cycle. Exit 0 equal, 1 an "
               "output is x, 2 wrong input,\n"
               "5 the builds differ: none of their results is trusted.\n"
               "docs/verify/simulators.md",
    CLI_OPTIONS(options),
    .run = run,
};
