/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb conform: checks any table of outstanding misses against the contract. */
#include "base/home.h"
#include "cli/cli.h"
#include "verify/conform/run.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  conform_run_t run;
  rtl_from_t from;
  bool clauses;
  uint64_t hang;
  char cases[FILES_PATH], results[FILES_PATH], again[CLI_COMMAND];
} args_t;

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  conform_run_t *r = &((args_t *)self)->run;
  return cli_append(r->sets, &r->n_sets, sizeof r->sets / sizeof *r->sets, name, v, err);
}

static int take_off(void *self, const char *name, const char *v, mrpb_err_t *err) {
  const unsigned n = conform_clause_number(v);
  if (!n) return mrpb_fail(err, "%s %.40s: no such clause; --clauses lists them", name, v);
  ((args_t *)self)->run.off |= 1u << n;
  return 0;
}

static const cli_option_t options[] = {
    CLI_LIST(args_t, from.design.list, from.design.n_lists, DESIGN_LISTS, "-f", "FILE",
             "a list of the design's Verilog files"),
    CLI_LIST(args_t, from.design.word, from.design.n_words, DESIGN_WORDS, CLI_VERILOG, "...",
             "its files, +define+NAME[=VALUE], +incdir+DIR: as in a list"),
    CLI_TEXT(args_t, from.design.top, "--top", "NAME", "its module"),
    CLI_TEXT(args_t, from.design.map, "--map", "FILE", "maps its ports to events"),
    CLI_TEXT(args_t, from.lint, "--lint", "off|warn|error",
             "what to do with the tools' warnings about it (warn)"),
    CLI_MANY(take_set, "--set", "SIZE=VALUE", "a size of the interface"),
    CLI_MANY(take_off, "--off", "CLAUSE", "a clause that the design does not promise"),
    CLI_NUMBER(args_t, run.seed, "--seed", 0, UINT64_MAX, "seed of the random runs (1)"),
    CLI_NUMBER(args_t, run.cycles, "--cycles", 1, UINT64_MAX, "random cycles (1000000)"),
    CLI_TEXT(args_t, run.replay, "--replay", "FILE", "a kept case instead of random runs"),
    CLI_TEXT(args_t, run.vcd, "--vcd", "FILE", "the wave of the shrunk case, and its save file"),
    CLI_TEXT(args_t, run.bench, "--bench", "FILE", "the case as a testbench for another simulator"),
    CLI_TEXT(args_t, run.cases, "--cases", "DIR", "folder for shrunk cases (build/cases)"),
    CLI_FLAG(args_t, run.no_shrink, "--no-shrink", "keeps the case as found"),
    CLI_FLAG(args_t, run.prove, "--prove", "a proof instead of random runs"),
    CLI_NUMBER(args_t, run.depth, "--depth", 4, 100,
               "cycles that the proof searches first, its resets included (12)"),
    CLI_NUMBER(args_t, run.timeout, "--timeout", 1, 86400,
               "seconds for each query of the proof (120)"),
    CLI_NUMBER(args_t, hang, "--hang", 1, 3600,
               "seconds that one call of the design may take (60)"),
    CLI_FLAG(args_t, clauses, "--clauses", "lists the clauses"),
};

/* Writes the command line for a repetition: the source of the design, sizes, and disabled
 * clauses. */
static void again(args_t *a, const rtl_env_t *env) {
  char program[CLI_COMMAND];
  cli_program(program);
  size_t n = (size_t)snprintf(a->again, sizeof a->again, "%.600s conform%s", program,
                              rtl_env_options(env));
  for (unsigned i = 0; i < a->run.n_sets && n < sizeof a->again; i++)
    n += (size_t)snprintf(a->again + n, sizeof a->again - n, " --set %s", a->run.sets[i]);
  for (unsigned i = 1; i <= CONFORM_CLAUSES && n < sizeof a->again; i++)
    if (a->run.off >> i & 1)
      n +=
          (size_t)snprintf(a->again + n, sizeof a->again - n, " --off %s", conform_clause(i)->name);
  a->run.again = a->again;
}

static int list_clauses(void) {
  for (unsigned i = 1; i <= CONFORM_CLAUSES; i++)
    printf("%2u %-12s%s\n", i, conform_clause(i)->name, conform_clause(i)->text);
  return CLI_OK;
}

static int with_tools(args_t *a, mrpb_err_t *err) {
  rtl_env_t *env = NULL;
  int rc = a->run.prove ? rtl_env_open_source(&env, &a->from, err)
                        : rtl_env_open(&env, &a->from, cli_progress(), err);
  if (rc != RTL_OK) return rc;
  again(a, env);
  if (a->hang) rtl_env_set_patience(env, (unsigned)a->hang);
  if (!a->run.cases) {
    a->run.cases = a->cases;
    rc = home_build_path(a->cases, rtl_env_root(env), "cases", err) == 0 ? RTL_OK : RTL_BAD_INPUT;
  }
  a->run.results = a->results;
  if (rc == RTL_OK && home_build_path(a->results, rtl_env_root(env), "prove", err) != 0)
    rc = RTL_BAD_INPUT;
  if (rc == RTL_OK) rc = conform_run(&a->run, env, err);
  rtl_env_close(env);
  return rc;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t *a = calloc(1, sizeof *a);
  if (!a) {
    mrpb_fail(&err, "out of memory");
    return cli_fail("conform", &err);
  }
  a->run = (conform_run_t){.seed = 1,
                           .cycles = 1000000,
                           .depth = 12,
                           .timeout = 120,
                           .out = stdout,
                           .stop = cli_signalled};
  int rc = CLI_USAGE, parsed = cli_parse(&cmd_conform, a, argc, argv, &err);
  if (parsed == CLI_HELPED) {
    rc = CLI_OK;
  } else if (parsed == CLI_PARSED && a->clauses) {
    rc = list_clauses();
  } else if (parsed == CLI_PARSED) {
    if (!a->from.design.map)
      mrpb_fail(&err, "no map; legal: --map FILE, and -f LIST with the design's files");
    else if (a->run.prove && (a->run.replay || a->run.vcd || a->run.bench))
      mrpb_fail(&err, "--prove has no case; legal: without --replay, --vcd and --bench");
    else
      rc = with_tools(a, &err);
  }
  if (err.text[0]) cli_fail("conform", &err);
  free(a);
  return rc;
}

const cli_command_t cmd_conform = {
    .name = "conform",
    .operands = "",
    .doc = "checks any table of outstanding misses against the contract of such tables",
    .details = "Checks any design, connected by a map, against docs/conform/README.md: random "
               "timing, any order of fills.\nA violation is shrunk and kept. Exit 0 conforms, 1 "
               "violated, 2 wrong input, 3 not decided (--prove), 4 the design\nhangs, 5 a tool is "
               "missing or failed.",
    CLI_OPTIONS(options),
    .run = run,
};
