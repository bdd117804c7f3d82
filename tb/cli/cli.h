/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: one file per command, each with its table of options and its function, which
 * gets the command's name as argv[0]. Exit codes: 0 success, 1 a mismatch or difference, 2 wrong
 * input or a file that cannot be written, 4 a hang, 5 a tool that cannot be trusted, 130 Ctrl-C,
 * 143 SIGTERM. Errors are one line on stderr. */
#ifndef CLI_H
#define CLI_H

#include "cli/options.h"
#include "err.h"
#include "gpu/gpu.h"
#include "module.h"
#include "verilog/load/lib.h"
#include "config/config.h"
#include "workload/programs/program.h"

#include <jansson.h>
#include <stdio.h>

/* The options that choose a command's Verilog, for a rtl_from_t (verilog/load/lib.h). */
#define CLI_RTL(type, field)                                                                       \
  CLI_TEXT(type, field.dir, "--rtl", "DIR", "another folder of Verilog"),                          \
      CLI_LIST(type, field.design.list, field.design.n_lists, DESIGN_LISTS, "-f", "FILE",          \
               "a list of your Verilog files"),                                                    \
      CLI_LIST(type, field.design.word, field.design.n_words, DESIGN_WORDS, CLI_VERILOG, "...",    \
               "your files, +define+NAME[=VALUE], +incdir+DIR: as in a list"),                     \
      CLI_TEXT(type, field.design.top, "--top", "NAME", "your module in them"),                    \
      CLI_TEXT(type, field.design.map, "--map", "FILE", "maps its ports and registers to ours"),   \
      CLI_FLAG(type, field.design.outputs_only, "--outputs-only",                                  \
               "does not compare its registers"),                                                  \
      CLI_TEXT(type, field.lint, "--lint", "off|warn|error",                                       \
               "what to do with the tools' warnings about your files (warn); with --rtl they are " \
               "errors")

enum {
  CLI_OK = 0,
  CLI_DIFFERENT = 1,
  CLI_USAGE = 2,
  CLI_HANG = 4,
  CLI_BAD_TOOL = 5,
  CLI_INTERRUPTED = 130
};

/* The commands in the table of main.c. */
extern const cli_command_t cmd_run, cmd_cosim, cmd_prove, cmd_properties, cmd_explore, cmd_mutate,
    cmd_upset, cmd_estimate, cmd_replay, cmd_dram, cmd_compare, cmd_ports, cmd_sweep, cmd_figures,
    cmd_micro, cmd_dump_config, cmd_help_config, cmd_new, cmd_conform, cmd_twice, cmd_streams,
    cmd_align, cmd_report, cmd_ptx, cmd_config, cmd_import, cmd_help_json, cmd_export, cmd_silicon;

/* Gives the command line as it can be typed again in the current folder; one that is too long is
 * cut. */
enum { CLI_COMMAND = 1024 };
void cli_command_line(int argc, char **argv, char text[CLI_COMMAND]);
/* The running program's path, relative if it is below the current folder: "build/mrpb". */
void cli_program(char text[CLI_COMMAND]);

/* -m DIR, for the tables of the commands that accept it. Before the table is used, main (of both
 * programs) has loaded the module, after cli_module has removed the option from argv. */
#define CLI_MODULE                                                                                 \
  CLI_TAKE(cli_take_module, "-m", "DIR", "the module of a folder of your own (docs/kit.md)")
int cli_take_module(void *self, const char *name, const char *v, mrpb_err_t *err);
/* Removes "-m DIR" from argv, wherever it stands; *dir is NULL if there is none. Returns 0, or -1
 * and a message: given twice, or without a folder. */
int cli_module(int *argc, char **argv, const char **dir, mrpb_err_t *err);

/* Prints "mrpb COMMAND: message" and returns CLI_USAGE. */
int cli_fail(const char *command, const mrpb_err_t *err);

/* The stream for progress: stderr if that is a terminal, otherwise NULL, so that a log holds errors
 * only. */
FILE *cli_progress(void);

/* The stream for one line per piece of work: stdout, or NULL if that is a terminal as well, because
 * a terminal shows the progress instead. */
FILE *cli_log(void);

/* True once Ctrl-C or SIGTERM has arrived (guard.h). */
bool cli_signalled(void);

/* Every main calls this first: Ctrl-C and SIGTERM are blocked, and checked with cli_signalled. */
void cli_start(void);
/* Every main calls this last, with the command's exit code. If the printed output could not be
 * written, prints a line on stderr and returns CLI_USAGE instead of CLI_OK. After SIGTERM, returns
 * 143 where Ctrl-C gives 130. */
int cli_finish(const char *command, int rc);

/* Checks that no file is written over another: the files `path[0 .. n_out-1]` are to be written,
 * the others, up to n, are read; NULL stands for a file not asked for. /dev/stdout and the like may
 * occur more than once. Returns 0, or -1 and a message. */
int cli_apart(const char *const *path, unsigned n_out, unsigned n, mrpb_err_t *err);

/* Writes `json` to `path` through a temporary file (base/output.h), or with "-" to the standard
 * output (CLI_JSON). Returns 0, or -1 and a message. */
int cli_write_json(const char *path, json_t *json, mrpb_err_t *err);

/* Prints a module's parameters, ports and registers as Markdown on stdout. Returns 0, or -1 and a
 * message. */
int cli_print_ports(const module_class_t *cls, mrpb_err_t *err);

/* All counts of a run. The caller owns the object; NULL if out of memory. */
json_t *cli_report(const gpu_t *gpu, const config_t *m, const char *kernel,
                   const program_options_t *options);
/* A row of counts, such as those of an interval, as the same objects; and a value in it, by its name.
 * NULL if out of memory. */
json_t *cli_report_row(const gpu_t *gpu, const uint64_t count[GPU_COUNTS]);
void cli_report_value(json_t **row, const char *name, double x);
/* Prints the most important counts, for people. */
void cli_print_report(FILE *out, const gpu_t *gpu, const config_t *m, const char *config_name,
                      const char *kernel, const program_options_t *options);

#endif
