/* build/mrpb: the table of commands. */
#include "cli/cli.h"
#include "config/config.h"
#include "device/device_cfg.h"
#include "programs/program.h"

#include <string.h>

/* ---- dump-config ----------------------------------------------------------- */

static int take_config(void *self, const char *name, const char *v, mrpb_err_t *err) {
  return strcmp(name, "-c") == 0 ? config_load(self, v, err) : config_set(self, v, err);
}

static const cli_option_t dump_options[] = {
    CLI_TAKE(take_config, "-c", "FILE", "begins with this configuration"),
    CLI_MANY(take_config, "--set", "KEY=VALUE", "changes a key"),
};

static int dump_config(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  config_t cfg;
  config_defaults(&cfg);
  int rc = cli_parse(&cmd_dump_config, &cfg, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || config_check(&cfg, "dump-config", &err) != 0)
    return cli_fail("dump-config", &err);
  config_dump(stdout, &cfg, "one key a line; `mrpb help-config` explains them");
  return CLI_OK;
}

const cli_command_t cmd_dump_config = {
    .name = "dump-config",
    .operands = "",
    .doc = "a complete configuration file on stdout",
    CLI_OPTIONS(dump_options),
    .run = dump_config,
};

/* ---- help-config ----------------------------------------------------------- */

typedef struct {
  bool markdown;
} help_args_t;

static const cli_option_t help_options[] = {
    CLI_FLAG(help_args_t, markdown, "--markdown", "as a page"),
};

static int help_config(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  help_args_t a = {false};
  int rc = cli_parse(&cmd_help_config, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("help-config", &err);
  if (a.markdown)
    fputs("# Configuration keys\n\n"
          "Made from the tables by `build/mrpb help-config --markdown`. A file in `configs/` is "
          "flat: `KEY = value`,\n"
          "`#` starts a comment, every key of its table exactly once. A key that drives a Verilog "
          "parameter names it.\n\n",
          stdout);
  config_help(stdout, a.markdown);
  putchar('\n');
  device_cfg_help(stdout, a.markdown);
  return CLI_OK;
}

const cli_command_t cmd_help_config = {
    .name = "help-config",
    .operands = "",
    .doc = "every configuration key, its range and default",
    CLI_OPTIONS(help_options),
    .run = help_config,
};

/* ---- the table ------------------------------------------------------------- */

static const cli_command_t cmd_help;
static const cli_command_t *const commands[] = {
    &cmd_run,    &cmd_cosim,    &cmd_prove,       &cmd_properties,  &cmd_explore,
    &cmd_mutate, &cmd_replay,   &cmd_compare,     &cmd_ports,       &cmd_figures,
    &cmd_micro,  &cmd_estimate, &cmd_help_config, &cmd_dump_config, &cmd_help,
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static int help(int argc, char **argv) {
  (void)argc;
  (void)argv;
  printf("mrpb: MRPB, MSHR table and PRT in C and Verilog, under an SM-to-DRAM model of a GPU\n\n");
  for (unsigned i = 0; i < N_COMMANDS; i++) {
    cli_synopsis(stdout, commands[i]);
    printf("    %s\n", commands[i]->doc);
  }
  printf("\n`mrpb COMMAND --help` explains the options.\n");
  printf("\nKernels:\n");
  const program_t *p;
  for (unsigned i = 0; (p = program_at(i)); i++)
    printf("  %-17s %-10s %-3s %s\n", p->name, p->suite, p->type, p->doc);
  printf("\nExit codes: 0 fine, 1 a mismatch, 2 wrong input, 3 not decided (prove), 4 a hang, 5 a "
         "tool that cannot be "
         "trusted, 6 two engines that disagree (prove), 130 Ctrl-C\n");
  return CLI_OK;
}

static const cli_command_t cmd_help = {
    .name = "help", .operands = "", .doc = "this text", .run = help};

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "help";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  for (unsigned i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i]->name, name) == 0) {
      int rc = commands[i]->run(argc > 1 ? argc - 1 : argc, argc > 1 ? argv + 1 : argv);
      if (fflush(stdout) != 0 && rc == CLI_OK) {
        fprintf(stderr, "mrpb %s: standard output cannot be written\n", name);
        rc = CLI_USAGE;
      }
      return rc;
    }
  fprintf(stderr, "mrpb: unknown command '%s'; legal:", name);
  for (unsigned i = 0; i < N_COMMANDS; i++)
    fprintf(stderr, "%s %s", i ? "," : "", commands[i]->name);
  fprintf(stderr, "\n");
  return CLI_USAGE;
}
