/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb conform: checks any table of outstanding misses, or any cache path, against
 * its contract. */
#include "base/home.h"
#include "cli/cli.h"
#include "verify/conform/prove.h"
#include "verify/conform/table.h"
#include "verify/path/object.h"
#include "verify/path/path.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  contract_run_t run;
  rtl_from_t from;
  bool path, clauses, ports, prove;
  const char *so;
  const char *off[CONTRACT_CLAUSES];
  unsigned n_off;
  uint64_t hang, depth, timeout;
  char cases[FILES_PATH], results[FILES_PATH], again[CLI_COMMAND];
} args_t;

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  contract_run_t *r = &((args_t *)self)->run;
  return cli_append(r->sets, &r->n_sets, sizeof r->sets / sizeof *r->sets, name, v, err);
}

static const cli_option_t options[] = {
    CLI_FLAG(args_t, path, "--path", "a whole cache: the contract of a path"),
    CLI_TEXT(args_t, so, "--so", "FILE", "a cache in C or C++ (--path), as a shared object"),
    CLI_LIST(args_t, from.design.list, from.design.n_lists, DESIGN_LISTS, "-f", "FILE",
             "a list of the design's Verilog files"),
    CLI_LIST(args_t, from.design.word, from.design.n_words, DESIGN_WORDS, CLI_VERILOG, "...",
             "its files, +define+NAME[=VALUE], +incdir+DIR: as in a list"),
    CLI_TEXT(args_t, from.design.top, "--top", "NAME", "its module"),
    CLI_TEXT(args_t, from.design.map, "--map", "FILE", "maps its ports to events"),
    CLI_TEXT(args_t, from.lint, "--lint", "off|warn|error",
             "what to do with the tools' warnings about it (warn)"),
    CLI_MANY(take_set, "--set", "SIZE=VALUE", "a size of the interface"),
    CLI_LIST(args_t, off, n_off, CONTRACT_CLAUSES, "--off", "CLAUSE",
             "a clause that the design does not promise"),
    CLI_NUMBER(args_t, run.seed, "--seed", 0, UINT64_MAX, "seed of the random runs (1)"),
    CLI_NUMBER(args_t, run.cycles, "--cycles", 1, UINT64_MAX, "random cycles (1000000)"),
    CLI_TEXT(args_t, run.replay, "--replay", "FILE", "a kept case instead of random runs"),
    CLI_TEXT(args_t, run.vcd, "--vcd", "FILE", "the wave of the shrunk case, and its save file"),
    CLI_TEXT(args_t, run.bench, "--bench", "FILE", "the case as a testbench for another simulator"),
    CLI_TEXT(args_t, run.cases, "--cases", "DIR", "folder for shrunk cases (build/cases)"),
    CLI_FLAG(args_t, run.no_shrink, "--no-shrink", "keeps the case as found"),
    CLI_FLAG(args_t, prove, "--prove", "a proof instead of random runs"),
    CLI_NUMBER(args_t, depth, "--depth", 4, 100,
               "cycles that the proof searches first, its resets included (12)"),
    CLI_NUMBER(args_t, timeout, "--timeout", 1, 86400, "seconds for each query of the proof (120)"),
    CLI_NUMBER(args_t, hang, "--hang", 1, 3600,
               "seconds that one call of the design may take (60)"),
    CLI_FLAG(args_t, clauses, "--clauses", "lists the clauses"),
    CLI_FLAG(args_t, ports, "--ports", "lists the sizes and ports of the interface"),
};

/* The design as options, each after a blank. */
static const char *design_options(const args_t *a, const rtl_env_t *env, char text[CLI_COMMAND]) {
  if (env) return rtl_env_options(env);
  snprintf(text, CLI_COMMAND, " --so %.600s", a->so);
  return text;
}

/* Writes the command line for a repetition: the source of the design, sizes, and disabled
 * clauses. `env` NULL: a shared object. */
static void again(args_t *a, const rtl_env_t *env) {
  char program[CLI_COMMAND], options_text[CLI_COMMAND];
  cli_program(program);
  size_t n = (size_t)snprintf(a->again, sizeof a->again, "%.600s conform%s%s", program,
                              a->path ? " --path" : "", design_options(a, env, options_text));
  for (unsigned i = 0; i < a->run.n_sets && n < sizeof a->again; i++)
    n += (size_t)snprintf(a->again + n, sizeof a->again - n, " --set %s", a->run.sets[i]);
  for (unsigned i = 0; i < a->n_off && n < sizeof a->again; i++)
    n += (size_t)snprintf(a->again + n, sizeof a->again - n, " --off %s", a->off[i]);
  a->run.again = a->again;
}

static int list_clauses(const contract_t *of) {
  for (unsigned i = 1; i <= of->n_clauses; i++)
    printf("%2u %-12s%s\n", i, contract_clause(of, i)->name, contract_clause(of, i)->text);
  return CLI_OK;
}

/* The project's folder if it has not been looked for. */
static int find_folders(args_t *a, const char *root, mrpb_err_t *err) {
  if (!a->run.cases) {
    a->run.cases = a->cases;
    if (home_build_path(a->cases, root, "cases", err) != 0) return -1;
  }
  return home_build_path(a->results, root, "prove", err);
}

static int with_tools(args_t *a, mrpb_err_t *err) {
  rtl_env_t *env = NULL;
  int rc = a->prove ? rtl_env_open_source(&env, &a->from, err)
                    : rtl_env_open(&env, &a->from, cli_progress(), err);
  if (rc != RTL_OK) return rc;
  again(a, env);
  if (a->hang) rtl_env_set_patience(env, (unsigned)a->hang);
  if (find_folders(a, rtl_env_root(env), err) != 0) rc = RTL_BAD_INPUT;
  if (rc == RTL_OK && a->prove)
    rc = conform_prove(&(conform_prove_t){.run = &a->run,
                                          .depth = (unsigned)a->depth,
                                          .timeout = (unsigned)a->timeout,
                                          .results = a->results},
                       env, err);
  else if (rc == RTL_OK)
    rc = contract_run(&a->run, env, err);
  rtl_env_close(env);
  return rc;
}

static int with_object(args_t *a, mrpb_err_t *err) {
  char root[FILES_PATH];
  again(a, NULL);
  if (home_find(root, err) != 0 || find_folders(a, root, err) != 0) return CLI_USAGE;
  return path_object_run(a->so, &a->run, a->hang ? (unsigned)a->hang : HANG_SECONDS, err);
}

static const cli_rule_t rules[] = {
    {"--so", "--path", "--map -f " CLI_VERILOG,
     "--so: legal: with --path, and without --map, -f and Verilog files"},
    {"--bench", NULL, "--so", "--bench: legal: with a design in Verilog"},
    {"--prove", NULL, "--path", "--prove: legal: without --path"},
    {"--prove", NULL, "--replay --vcd --bench",
     "--prove has no case; legal: without --replay, --vcd and --bench"},
};

/* Finds the clauses that --off names, and refuses options that do not go together. */
static int check(args_t *a, mrpb_err_t *err) {
  for (unsigned i = 0; i < a->n_off; i++) {
    const unsigned n = contract_clause_number(a->run.of, a->off[i]);
    if (!n) return mrpb_fail(err, "--off %.40s: no such clause; --clauses lists them", a->off[i]);
    a->run.off |= 1u << n;
  }
  if (!a->so && !a->from.design.map)
    return mrpb_fail(err, "no map; legal: --map FILE, and -f LIST with the design's files");
  return 0;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t *a = calloc(1, sizeof *a);
  if (!a) {
    mrpb_fail(&err, "out of memory");
    return cli_fail("conform", &err);
  }
  a->run = (contract_run_t){.seed = 1, .cycles = 1000000, .out = stdout, .stop = cli_signalled};
  a->depth = 12;
  a->timeout = 120;
  int rc = CLI_USAGE, parsed = cli_parse(&cmd_conform, a, argc, argv, &err);
  a->run.of = a->path ? &path_contract : &conform_contract;
  if (parsed == CLI_HELPED)
    rc = CLI_OK;
  else if (parsed == CLI_PARSED && a->clauses)
    rc = list_clauses(a->run.of);
  else if (parsed == CLI_PARSED && a->ports)
    rc = cli_print_ports(a->run.of->cls, &err) == 0 ? CLI_OK : CLI_USAGE;
  else if (parsed == CLI_PARSED && check(a, &err) == 0)
    rc = a->so ? with_object(a, &err) : with_tools(a, &err);
  if (err.text[0]) cli_fail("conform", &err);
  free(a);
  return rc;
}

const cli_command_t cmd_conform = {
    .name = "conform",
    .operands = "",
    .doc = "checks any table of outstanding misses, or any cache, against its contract",
    .details =
        "Checks any table of outstanding misses, connected by a map, against "
        "docs/conform/README.md; with --path any cache\nagainst docs/conform/path.md: random "
        "timing, any order of fills. A violation is shrunk and kept. Exit 0\nconforms, 1 "
        "violated, 2 wrong input, 3 not decided (--prove), 4 the design hangs, 5 a tool is "
        "missing or failed.",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .run = run,
};
