/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb: the table of commands. */
#define _DEFAULT_SOURCE /* setenv */
#include "cli/cli.h"
#include "cli/manual.h"
#include "config/config.h"
#include "base/modules.h"
#include "base/names.h"
#include "workload/programs/program.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

/* ---- dump-config ----------------------------------------------------------- */

static int take_config(void *self, const char *name, const char *v, mrpb_err_t *err) {
  return strcmp(name, "-c") == 0 ? config_load(self, v, err) : config_set(self, v, err);
}

static const cli_option_t dump_options[] = {
    CLI_TAKE(take_config, "-c", "FILE", "starts from this configuration"),
    CLI_MANY(take_config, "--set", "KEY=VALUE", "changes a key"),
};

static int dump_config(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  config_t m;
  config_defaults(&m);
  int rc = cli_parse(&cmd_dump_config, &m, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || config_check(&m, "dump-config", &err) != 0)
    return cli_fail("dump-config", &err);
  config_dump(stdout, &m, "one key per line; `mrpb help-config` explains them");
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
    CLI_FLAG(help_args_t, markdown, "--markdown", "as Markdown"),
};

static const char help_page[] =
    "# Configuration keys\n\n"
    "Made from `tb/config/keys.def` by `build/mrpb help-config --markdown`. A GPU is made of "
    "cores\n"
    "and a memory ([machine.md](machine.md)). `CORE` and `MEMORY` say which; the defaults with\n"
    "pipeline cores and flits are those of Base-S, with in-order cores and ports those of a Tesla\n"
    "M2070. A GPU has the keys of its parts. Each table below is one part. A file has a line\n"
    "`KEY = value` for every key of its GPU, each once; `#` starts a comment. If a key drives a\n"
    "Verilog parameter, the table names it. A name has one meaning; where a key has another range "
    "or\n"
    "default with some part, the table says so. To add a key, see\n"
    "[CONTRIBUTING.md](../CONTRIBUTING.md).\n\n"
    "## A file that changes another\n\n"
    "    include base-s\n"
    "    MSHR_ENTRIES = 64\n"
    "    MSHR_MERGES  = 4\n\n"
    "A file may begin with one or more lines `include NAME`. Its own keys follow, each once, and\n"
    "override the included ones. NAME is a path from the folder of the file that has the line,\n"
    "or the name of a configuration in `configs/`. Of several includes the last one wins. An\n"
    "included file may include others, and need not have every key: the first file and all\n"
    "that it includes must have every key together. A missing file, an include loop, a key\n"
    "given twice in one file, and an include after a key are errors; the message names the\n"
    "file and the line.\n"
    "`build/mrpb dump-config -c FILE` writes the whole configuration.\n\n"
    "## A GPU of parts\n\n"
    "    include base-s          # its memory: flits\n"
    "    include h200            # its cores: in order\n"
    "    MEMORY = flits\n"
    "    SMS    = 32\n\n"
    "An included file may have keys of parts that the GPU does not have. They are left out, so "
    "that\n"
    "each part can come from a file that describes it. In the first file such a key is an error, "
    "and\n"
    "the message says to which part it belongs. A file without `CORE` or `MEMORY` is for the "
    "parts\n"
    "most of whose keys it has, so that files from before these keys are read as before.\n\n"
    "A command that needs certain parts says so, with exit code 2: `dram` needs flits, `replay` "
    "and\n"
    "`figures` pipeline cores with flits, `micro` in-order cores with ports.\n\n"
    "## Differences\n\n"
    "`build/mrpb config diff A B` lists the keys that have different values in two "
    "configurations,\n"
    "and those that only one of them has. Exit 0: none, 1: some, 2: a file is wrong. `--json "
    "FILE`\n"
    "writes the list.\n\n";

static int help_config(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  help_args_t a = {false};
  int rc = cli_parse(&cmd_help_config, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("help-config", &err);
  if (a.markdown) fputs(help_page, stdout);
  config_help(stdout, a.markdown);
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

static const cli_command_t cmd_help, cmd_version;
static const cli_command_t *const commands[] = {
    &cmd_run,         &cmd_ptx,         &cmd_compare,  &cmd_sweep,  &cmd_figures,   &cmd_micro,
    &cmd_silicon,     &cmd_report,      &cmd_new,      &cmd_cosim,  &cmd_replay,    &cmd_prove,
    &cmd_properties,  &cmd_explore,     &cmd_mutate,   &cmd_upset,  &cmd_conform,   &cmd_twice,
    &cmd_streams,     &cmd_align,       &cmd_estimate, &cmd_export, &cmd_dram,      &cmd_ports,
    &cmd_help_config, &cmd_dump_config, &cmd_config,   &cmd_import, &cmd_help_json, &cmd_help,
    &cmd_version,
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

/* The purposes of the commands; each begins with its first command. */
static const struct {
  const cli_command_t *first;
  const char *purpose;
} purposes[] = {
    {&cmd_run, "Run programs on the whole GPU"},
    {&cmd_new, "Write a module of your own; check Verilog, yours or ours"},
    {&cmd_estimate, "Estimate hardware, hand it to a flow, run the DRAM alone"},
    {&cmd_ports, "Look things up"},
};
enum { N_PURPOSES = sizeof purposes / sizeof *purposes };

enum { WIDE = 400 };

static const cli_command_t *find(const char *name) {
  for (unsigned i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

static void overview(void) {
  printf("mrpb: MRPB, MSHR table and PRT in C and Verilog, under an SM-to-DRAM model of a GPU\n");
  for (unsigned i = 0; i < N_COMMANDS; i++) {
    for (unsigned k = 0; k < N_PURPOSES; k++)
      if (purposes[k].first == commands[i]) printf("\n%s\n", purposes[k].purpose);
    printf("  %-12s %s\n", commands[i]->name, commands[i]->doc);
  }
  printf("\n`mrpb help COMMAND` explains a command and its options; `mrpb help kernels`, `modules` "
         "and\n"
         "`statistics` list those, `mrpb help MODULE` its ports and registers.\n"
         "Exit codes: 0 success, 1 mismatch, 2 wrong input or output that cannot be written, 3 not "
         "decided (prove),\n4 hang, 5 a tool that cannot be trusted, 6 two engines that disagree "
         "(prove), 130 Ctrl-C, 143 SIGTERM\n");
}

static void list_modules(void) {
  for (unsigned i = 0; modules_at(i); i++)
    printf("%-17s %s\n", modules_at(i)->stem, modules_at(i)->doc);
}

static void list_kernels(void) {
  const program_t *p;
  for (unsigned i = 0; (p = program_at(i)); i++)
    printf("%-17s %-10s %-3s %s\n", p->name, p->suite, p->type, p->doc);
}

/* Writes the message for an unknown name, with the nearest name and all commands. A message has no
 * room for all modules. */
static int refuse(const char *what, const char *name, bool modules, mrpb_err_t *err) {
  names_near_t near = names_near(name);
  char legal[WIDE] = "";
  for (unsigned i = 0;; i++) {
    const module_class_t *m = modules && i >= N_COMMANDS ? modules_at(i - N_COMMANDS) : NULL;
    const char *known = i < N_COMMANDS ? commands[i]->name : m ? m->stem : NULL;
    if (!known) break;
    size_t at = strlen(legal);
    if (!m) snprintf(legal + at, sizeof legal - at, "%s%s", i ? ", " : "", known);
    names_offer(&near, known);
  }
  return mrpb_fail(err, "unknown %s '%.40s'%s; legal: %s%s", what, name, near.text, legal,
                   modules ? ", or a module of `mrpb help modules`" : "");
}

typedef struct {
  const char *topic;
  bool man, bash;
} topic_args_t;

static const cli_option_t topic_options[] = {
    CLI_MODULE,
    CLI_FLAG(topic_args_t, man, "--man", "the manual page mrpb(1), with everything"),
    CLI_FLAG(topic_args_t, bash, "--bash", "a bash completion script"),
};

static int take_topic(void *self, const char *name, const char *v, mrpb_err_t *err) {
  topic_args_t *a = self;
  (void)name;
  return cli_once(&a->topic, v, "one command or module at a time", err);
}

static int help(int argc, char **argv) {
  mrpb_err_t err = {""};
  topic_args_t a = {NULL, false, false};
  int rc = cli_parse(&cmd_help, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  const char *topic = a.topic;
  if (rc == CLI_PARSED && !!topic + a.man + a.bash > 1)
    rc = mrpb_fail(&err, "legal: a topic, --man or --bash, one of them");
  if (rc != CLI_PARSED) return cli_fail("help", &err);
  if (a.man) return manual_page(stdout, commands, N_COMMANDS), CLI_OK;
  if (a.bash) return manual_completion(stdout, commands, N_COMMANDS), CLI_OK;
  if (!topic) return overview(), CLI_OK;
  if (strcmp(topic, "modules") == 0) return list_modules(), CLI_OK;
  if (strcmp(topic, "kernels") == 0) return list_kernels(), CLI_OK;
  if (strcmp(topic, "statistics") == 0) return gpu_counts_help(stdout), CLI_OK;
  if (find(topic)) return cli_help(stdout, find(topic)), CLI_OK;
  if (modules_class(topic))
    return cli_print_ports(modules_class(topic), &err) == 0 ? CLI_OK : cli_fail("help", &err);
  (void)refuse("topic", topic, true, &err);
  return cli_fail("help", &err);
}

static const cli_command_t cmd_help = {
    .name = "help",
    .operands = "[COMMAND|MODULE|kernels|modules|statistics]",
    .doc = "all commands, one of them, a module's ports and registers, or a list",
    CLI_OPTIONS(topic_options),
    .operand = take_topic,
    .run = help,
};

/* ---- version ---------------------------------------------------------------- */

static int version(int argc, char **argv) {
  mrpb_err_t err = {""};
  int rc = cli_parse(&cmd_version, NULL, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("version", &err);
  printf("mrpb %s\n", mrpb_version());
  return CLI_OK;
}

static const cli_command_t cmd_version = {
    .name = "version",
    .operands = "",
    .doc = "the version, as in JSON outputs; also `mrpb --version`",
    .run = version,
};

/* Loads the module of -m. `mrpb prove` leaves that to the other program. */
static int load(const cli_command_t *c, const char *dir, mrpb_err_t *err) {
  bool takes = false;
  for (unsigned i = 0; i < c->n_options; i++) takes |= strcmp(c->options[i].name, "-m") == 0;
  if (!takes) return mrpb_fail(err, "-m %.200s: not an option of this command", dir), CLI_USAGE;
  if (c != &cmd_prove) return modules_load(dir, err);
  return setenv(MODULES_VARIABLE, dir, 1) == 0 ? 0 : (mrpb_fail(err, "out of memory"), CLI_USAGE);
}

int main(int argc, char **argv) {
  mrpb_err_t err = {""};
  const char *dir;
  char *only[] = {argv[0], NULL};
  cli_start();
  unsetenv(MODULES_VARIABLE);
  const int bad = cli_module(&argc, argv, &dir, &err);
  const char *name = argc > 1 ? argv[1] : "help";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  if (strcmp(name, "--version") == 0) name = "version";
  const cli_command_t *c = find(name);
  int rc = bad ? CLI_USAGE : c && dir ? load(c, dir, &err) : 0;
  if (rc != 0) return (void)cli_fail(name, &err), cli_finish(name, rc);
  if (c) return cli_finish(name, argc > 1 ? c->run(argc - 1, argv + 1) : c->run(1, only));
  (void)refuse("command", name, false, &err);
  fprintf(stderr, "mrpb: %s\n", err.text);
  return CLI_USAGE;
}
