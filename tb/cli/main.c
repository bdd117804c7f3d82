/* build/mrpb: the table of commands. */
#include "cli/cli.h"
#include "config/config.h"
#include "programs/program.h"

#include <string.h>

static int cmd_help(int argc, char **argv);
static int cmd_help_config(int argc, char **argv);
static int cmd_dump_config(int argc, char **argv);

typedef struct {
  const char *name, *usage, *doc;
  int (*run)(int argc, char **argv);
} command_t;

static const command_t commands[] = {
    {"run",
     "-c FILE [--kernel NAME [--size N] [--cut K] [--steps T] [--model A|B] [--acc-reload]]\n"
     "      [--ptx FILE --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] [--regs N] [--shared N] "
     "[--arg A]... "
     "[--tex N:NAME] [--dump N:FILE]]\n"
     "      [--trace FILE] [--record FILE] [--functional] [--check] [--set KEY=VALUE]... [--json "
     "FILE]\n"
     "      [--impl mrpb=c|rtl|both,mshr=..,prt=..] [--impl-sm N|all] [--rtl DIR]\n"
     "      [--vcd FILE [--vcd-sm N] --from CYCLE --to CYCLE] [--activity DIR [--activity-sm N]]",
     "a program, a user's PTX kernel or a recorded trace on the whole GPU", cmd_run},
    {"cosim",
     "MODULE [--set PARAMETER=VALUE]... [--seed N] [--cycles N] [--rtl DIR] [--vcd FILE] [--record "
     "FILE]\n"
     "      [--replay FILE | --vcd-in FILE [--scope PATH] [--clock NAME]] [--with "
     "c,verilator,icarus]",
     "C model against Verilog", cmd_cosim},
    {"prove", "MODULE [--set PARAMETER=VALUE]... [--rtl DIR] | --list FILE [--jobs N]",
     "C model equal to Verilog, for all states and inputs", cmd_prove},
    {"properties", "[MODULE] [--set PARAMETER=VALUE]... [--rtl DIR] [--only NAME] [--jobs N]",
     "what the Verilog promises, proved or refuted", cmd_properties},
    {"explore", "[MODULE] [--set PARAMETER=VALUE]... [--values INPUT=V,V...]... [--rtl DIR]",
     "C and Verilog in every reachable state of a tiny size", cmd_explore},
    {"mutate",
     "MODULE [--set PARAMETER=VALUE]... | --list FILE [--mutants N] [--seed N] [--cycles N] "
     "[--seconds N] [--rtl DIR]",
     "how many wrong versions of the Verilog the co-simulation notices", cmd_mutate},
    {"replay", "FILE [-c FILE] [--set KEY=VALUE]... [--impl mshr=c|rtl|both] [--rtl DIR]",
     "recorded L1D accesses through the L1D and its MSHR table", cmd_replay},
    {"compare", "A.json B.json", "two results of run side by side", cmd_compare},
    {"ports", "MODULE", "parameters, ports and registers of a module", cmd_ports},
    {"figures",
     "[NAME]... [--quick] [--jobs N] [--plot-only] [--from DIR] [--runs DIR] [--out DIR] [--page "
     "FILE]",
     "the paper's figures: runs what is missing, plots, writes the page", cmd_figures},
    {"estimate",
     "[-c FILE] [--set KEY=VALUE]... [--vary KEY=V1,V2,...]... [-o DIR] [--cacti BINARY]\n"
     "      [--node NM] [--temperature K] [--cell TYPE] [--bus BITS] [--ports split|dual] [--ecc "
     "on|off]",
     "what the hardware costs: storage for a memory compiler or CACTI, in one report",
     cmd_estimate},
    {"help-config", "[--markdown]", "every configuration key, its range and default",
     cmd_help_config},
    {"dump-config", "[-c FILE] [--set KEY=VALUE]...", "a complete configuration file on stdout",
     cmd_dump_config},
    {"help", "", "this text", cmd_help},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static int cmd_help(int argc, char **argv) {
  (void)argc;
  (void)argv;
  printf("mrpb: MRPB, MSHR table and PRT in C and Verilog, under an SM-to-DRAM model of a GPU\n\n");
  for (unsigned i = 0; i < N_COMMANDS; i++)
    printf("  mrpb %s %s\n      %s\n", commands[i].name, commands[i].usage, commands[i].doc);
  printf("\nKernels:\n");
  const program_t *p;
  for (unsigned i = 0; (p = program_at(i)); i++)
    printf("  %-17s %-10s %-3s %s\n", p->name, p->suite, p->type, p->doc);
  printf("\nExit codes: 0 fine, 1 a mismatch, 2 wrong input, 3 not decided (prove), 4 a hang, 5 a "
         "tool that cannot be "
         "trusted, 130 Ctrl-C\n");
  return CLI_OK;
}

static int cmd_help_config(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  if (argc > 2 || (argc == 2 && strcmp(argv[1], "--markdown") != 0)) {
    mrpb_fail(&err, "'%s': legal: --markdown or nothing", argv[1]);
    return cli_fail("help-config", &err);
  }
  config_help(stdout, argc == 2);
  return CLI_OK;
}

static int cmd_dump_config(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  config_t cfg;
  config_defaults(&cfg);
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *v = cli_value(argc, argv, &i, &err);
    bool is_file = strcmp(name, "-c") == 0;
    if (v && !is_file && strcmp(name, "--set") != 0)
      mrpb_fail(&err, "unknown option '%s'; legal: -c --set", name);
    if (err.text[0] || (is_file ? config_load(&cfg, v, &err) : config_set(&cfg, v, &err)) != 0)
      return cli_fail("dump-config", &err);
  }
  if (config_check(&cfg, "dump-config", &err) != 0) return cli_fail("dump-config", &err);
  config_dump(stdout, &cfg, "one key a line; `mrpb help-config` explains them");
  return CLI_OK;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "help";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  for (unsigned i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0) {
      int rc = commands[i].run(argc > 1 ? argc - 1 : argc, argc > 1 ? argv + 1 : argv);
      if (fflush(stdout) != 0 && rc == CLI_OK) {
        fprintf(stderr, "mrpb %s: standard output cannot be written\n", name);
        rc = CLI_USAGE;
      }
      return rc;
    }
  fprintf(stderr, "mrpb: unknown command '%s'; legal:", name);
  for (unsigned i = 0; i < N_COMMANDS; i++)
    fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
  fprintf(stderr, "\n");
  return CLI_USAGE;
}
