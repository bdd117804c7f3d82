/* SPDX-License-Identifier: Apache-2.0 */
/* The workload of `mrpb run` and `mrpb sweep`: a program, a user's PTX kernel, a launch file or a
 * recorded trace, with one table of options for both commands. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "cli/cmd_ptx.h"
#include "cli/options.h"
#include "studies/sweep/sweep.h"
#include "workload/programs/program.h"

enum { CLI_LETS = 32 };

typedef struct {
  const char *kernel, *trace, *model, *launch;
  const char *lets[CLI_LETS];
  unsigned n_lets;
  uint64_t size, cut, steps;
  bool acc_reload, check;
  cli_ptx_t ptx;
  program_options_t program; /* set by source_check */
  launch_program_t *host;    /* of --ptx and --launch, while the workload is open */
} cli_source_t;

/* Rows for a table of options, for a cli_source_t in the command's struct. Each stores its value
 * unchanged in a field, so that the options can be written down again. */
#define CLI_SOURCE(type, field)                                                                    \
  CLI_TEXT(type, field.kernel, "--kernel", "NAME",                                                 \
           "a program (atax), or a kernel of the PTX text"),                                       \
      CLI_NUMBER(type, field.size, "--size", 0, UINT32_MAX, "problem size of the program"),        \
      CLI_NUMBER(type, field.cut, "--cut", 0, UINT32_MAX,                                          \
                 "iterations to which its innermost loops are cut"),                               \
      CLI_NUMBER(type, field.steps, "--steps", 0, UINT32_MAX, "its outer steps"),                  \
      CLI_TEXT(type, field.model, "--model", "A|B|C", "which compiler's instruction mix"),         \
      CLI_FLAG(type, field.acc_reload, "--acc-reload",                                             \
               "the accumulator in memory is loaded in every iteration"),                          \
      CLI_TEXT(type, field.ptx.file, "--ptx", "FILE", "a PTX text of your own"),                   \
      CLI_TEXT(type, field.ptx.grid, "--grid", "X[,Y[,Z]]", "blocks of its launch"),               \
      CLI_TEXT(type, field.ptx.block, "--block", "X[,Y[,Z]]", "threads of a block"),               \
      CLI_NUMBER(type, field.ptx.regs, "--regs", 1, LAUNCH_MOST_REGS,                              \
                 "registers of a thread (20)"),                                                    \
      CLI_NUMBER(type, field.ptx.shared, "--shared", 0, SIMT_MAX_SHARED,                           \
                 "bytes of dynamic shared memory"),                                                \
      CLI_LIST(type, field.ptx.args, field.ptx.n_args, CLI_PTX_ARGS, "--arg", "A",                 \
               "an argument: NUMBER, KIND:NUMBER, buf:BYTES[:rand|:iota], buf:@FILE"),             \
      CLI_LIST(type, field.ptx.textures, field.ptx.n_textures, CLI_PTX_ARGS, "--tex", "N:NAME",    \
               "argument N is the buffer of texture NAME"),                                        \
      CLI_TEXT(type, field.launch, "--launch", "FILE",                                             \
               "a file of launches, buffers and comparisons: docs/launch.md"),                     \
      CLI_LIST(type, field.lets, field.n_lets, CLI_LETS, "--let", "NAME=NUMBER",                   \
               "a variable of the launch file"),                                                   \
      CLI_TEXT(type, field.trace, "--trace", "FILE", "a recorded trace instead"),                  \
      CLI_FLAG(type, field.check, "--check",                                                       \
               "moves the data and compares every load with program order")

/* Checks that the workload comes from one place, with only that place's options. `name` is its name
 * in reports; NULL: the PTX text's only kernel. Returns 0, or -1 and a message. */
int source_check(cli_source_t *s, const char **name, mrpb_err_t *err);
/* Makes the workload; `note` may receive a line about a trace. Returns 0, or -1 and a message. */
int source_open(cli_source_t *s, workload_t **w, mrpb_err_t *note, mrpb_err_t *err);
/* The code as a GPU's driver compiles it: sums of products as fma, loads moved forward; says how many
 * on stderr. Returns 0, or -1 and a message. */
int source_rewrite(workload_t *w, bool contract, bool as_driver, mrpb_err_t *err);
/* Checks that the files that the workload writes differ from `outputs` (n of them, NULL: none) and
 * from the files that it reads. Call it after source_open. Returns 0, or -1 and a message. */
int source_apart(const cli_source_t *s, const char *const *outputs, unsigned n, mrpb_err_t *err);

/* Opens the workload once as a test and adds it to a sweep's programs. Returns its number, or -1
 * and a message. source_check need not be called before. */
int source_add(cli_source_t *s, sweep_list_t *l, mrpb_err_t *err);
/* Takes the words of a sweep file's line (sweep_take_program_t). */
int source_take_line(sweep_list_t *l, int n, char **word, mrpb_err_t *err);

#endif
