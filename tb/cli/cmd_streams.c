/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb streams: do two modules send the same items, at whatever time? */
#include "base/hang.h"
#include "cli/cli.h"
#include "verify/streams/run.h"

typedef struct {
  streams_command_t run;
  const char *json;
} args_t;

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  streams_command_t *r = &((args_t *)self)->run;
  return cli_append(r->set, &r->n_sets, STREAMS_SETS, name, v, err);
}

static int take_hold(void *self, const char *name, const char *v, mrpb_err_t *err) {
  streams_command_t *r = &((args_t *)self)->run;
  return cli_append(r->hold, &r->n_holds, STREAMS_HOLDS, name, v, err);
}

static const cli_option_t options[] = {
    CLI_LIST(args_t, run.from.design.list, run.from.design.n_lists, DESIGN_LISTS, "-f", "FILE",
             "a list of the design's Verilog files"),
    CLI_LIST(args_t, run.from.design.word, run.from.design.n_words, DESIGN_WORDS, CLI_VERILOG,
             "...", "its files, +define+NAME[=VALUE], +incdir+DIR: as in a list"),
    CLI_TEXT(args_t, run.from.design.top, "--top", "NAME", "its module"),
    CLI_TEXT(args_t, run.from.design.map, "--map", "FILE", "its map, with streams"),
    CLI_LIST(args_t, run.ref.design.word, run.ref.design.n_words, DESIGN_WORDS, "--ref", "FILE",
             "a Verilog file of the reference"),
    CLI_TEXT(args_t, run.ref.design.top, "--ref-top", "NAME", "the reference's module"),
    CLI_TEXT(args_t, run.ref.design.map, "--ref-map", "FILE",
             "the reference's map, with the same streams"),
    CLI_TEXT(args_t, run.from.lint, "--lint", "off|warn|error",
             "what to do with the tools' warnings about them (off)"),
    CLI_MANY(take_set, "--set", "PARAMETER=VALUE", "a size of our module that the map names"),
    CLI_MANY(take_hold, "--hold", "PORT=VALUE", "an input that no stream uses has this value (0)"),
    CLI_NUMBER(args_t, run.seed, "--seed", 0, UINT64_MAX, "seed of the items and their times (1)"),
    CLI_NUMBER(args_t, run.cycles, "--cycles", 100, UINT64_MAX, "cycles (100000)"),
    CLI_NUMBER(args_t, run.patience, "--patience", 1, 1000000,
               "cycles that an item may be awaited while its consumer is ready (1000)"),
    CLI_NUMBER(args_t, run.hang, "--hang", 1, 3600,
               "seconds that one call of a module may take (60)"),
    CLI_FLAG(args_t, run.no_shorter, "--no-shrink", "a mismatch is not shortened"),
    CLI_TEXT(args_t, run.vcd, "--vcd", "FILE", "a wave of the shortened mismatch"),
    CLI_JSON(args_t, json, "the result"),
};

static const cli_rule_t rules[] = {
    {"--vcd", NULL, "--no-shrink",
     "--vcd shows the shortened mismatch; legal: without --no-shrink"},
};

static int run(int argc, char **argv) {
  char program[CLI_COMMAND];
  args_t a = {.run = {.seed = 1,
                      .cycles = 100000,
                      .patience = 1000,
                      .hang = HANG_SECONDS,
                      .stop = cli_signalled,
                      .out = stdout}};
  mrpb_err_t err = {""};
  json_t *json = NULL;
  int rc = cli_parse(&cmd_streams, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("streams", &err);
  if (!a.run.from.lint) a.run.from.lint = "off";
  if (design_given(&a.run.ref.design)) a.run.ref.lint = a.run.from.lint;
  cli_program(program);
  a.run.program = program;
  a.run.progress = cli_progress();
  a.run.json = &json;
  rc = streams_command(&a.run, &err);
  if (a.json && json && (rc == CLI_OK || rc == CLI_DIFFERENT) &&
      cli_write_json(a.json, json, &err) != 0)
    rc = CLI_USAGE;
  json_decref(json);
  if (err.text[0]) (void)cli_fail("streams", &err);
  return rc;
}

const cli_command_t cmd_streams = {
    .name = "streams",
    .operands = "",
    .doc = "compares what two modules send, in order or by tag, whatever their latency",
    .details = "The reference is the C model of the module that the map names, or the design of "
               "--ref.\nExit 0 matched, 1 a mismatch, 2 wrong input, 4 a side hangs, 5 a tool is "
               "missing or failed.\ndocs/verify/streams.md",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .run = run,
};
