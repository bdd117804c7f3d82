/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb mutate: how many wrong versions of the Verilog does the co-simulation detect? */
#include "cli/cli.h"
#include "cosim/run.h"
#include "base/sizes.h"
#include "base/files.h"
#include "verilog/build.h"
#include "base/input.h"
#include "verify/mutate/bugs.h"
#include "verify/mutate/mutate.h"

#include <string.h>

enum { MAX_LINES = 128, PASS = 95 };

typedef struct {
  cosim_job_t line[MAX_LINES];
  unsigned n;
  rtl_from_t from;
  const char *list, *bugs;
  uint64_t mutants, seed, cycles, seconds;
  bool c, brief;
} args_t;

static int add_line(args_t *a, const char *name, mrpb_err_t *err) {
  if (a->n == MAX_LINES) return mrpb_fail(err, "legal: at most %d modules", MAX_LINES);
  cosim_job_t *job = &a->line[a->n++];
  job->cls = sizes_module(name, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  return 0;
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  return add_line(self, v, err);
}

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  if (a->n == 1) return sizes_set(a->line[0].cls, a->line[0].cfg, v, err);
  return mrpb_fail(err, "%s %s: legal: after the name of one module", name, v);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_MANY(take_set, "--set", "PARAMETER=VALUE", "a size of the module"),
    CLI_TEXT(args_t, list, "--list", "FILE", "lines of modules and sizes instead of a module"),
    CLI_TEXT(args_t, bugs, "--bugs", "FILE", "a list of single edits instead: each must be found"),
    CLI_FLAG(args_t, brief, "--short", "with --bugs: the first one of each file"),
    CLI_FLAG(args_t, c, "--c", "mutants of the C model's text instead, without a proof"),
    CLI_NUMBER(args_t, mutants, "--mutants", 1, MUTANTS_MAX, "mutants of each module (200)"),
    CLI_NUMBER(args_t, seed, "--seed", 0, UINT64_MAX,
               "seed of their choice and of the stimulus (1)"),
    CLI_NUMBER(args_t, cycles, "--cycles", 1000, 10000000, "cycles of stimulus for each (100000)"),
    CLI_NUMBER(args_t, seconds, "--seconds", 0, 86400,
               "seconds of berkeley-abc for each proof (60)"),
    CLI_RTL(args_t, from),
};

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  args_t *a = ctx;
  char *save = NULL;
  text[strcspn(text, "#")] = '\0';
  char *word = strtok_r(text, " \t\r", &save);
  if (!word) return 0;
  int rc = add_line(a, word, why);
  while (rc == 0 && (word = strtok_r(NULL, " \t\r", &save)))
    rc = sizes_set(a->line[a->n - 1].cls, a->line[a->n - 1].cfg, word, why);
  return rc;
}

static int read_list(args_t *a, mrpb_err_t *err) {
  if (input_lines(a->list, take_line, a, err) != 0) return -1;
  return a->n ? 0
              : mrpb_fail(err, "%s: no module in it; legal: lines of a module and its sizes",
                          a->list);
}

static const cli_rule_t rules[] = {
    {"--short", "--bugs", NULL, "--short: legal: with --bugs FILE"},
};

static int check_options(args_t *a, mrpb_err_t *err) {
  if (a->bugs && (a->n > 0 || a->list || rtl_given(&a->from) || a->c))
    return mrpb_fail(err, "--bugs %s: legal with it: --short, --seed and --cycles", a->bugs);
  if (a->bugs) return 0;
  if ((a->n > 0) == (a->list != NULL)) return mrpb_fail(err, "legal: one module, or --list FILE");
  return a->list ? read_list(a, err) : 0;
}

static int run_bugs(const args_t *a, rtl_env_t *env) {
  mrpb_err_t err = {{0}};
  const bugs_options_t o = {a->cycles, a->seed, a->brief, stdout, cli_signalled};
  int rc = bugs_run(a->bugs, env, &o, &err);
  rtl_env_close(env);
  if (cli_signalled()) return CLI_INTERRUPTED;
  if (rc != RTL_OK && err.text[0]) (void)cli_fail("mutate", &err);
  return rc;
}

/* Reads the reasons why mutants in C may survive; for a user's module from its own file, if it has
 * one. */
static int read_reasons(const args_t *a, const char *root, reasons_t **reasons, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/tests/verify/mutate/%s_reasons.txt", root,
                  a->n ? a->line[0].cls->stem : "") ||
      (!files_exists(path) && !files_path(path, "%s/tests/verify/mutate/reasons.txt", root)))
    return mrpb_fail(err, "%.300s: the path is too long", root);
  return reasons_read(reasons, path, err);
}

static int run(int argc, char **argv) {
  args_t a = {.mutants = 200, .seed = 1, .cycles = 100000, .seconds = 60};
  mrpb_err_t err = {{0}};
  rtl_env_t *env;
  int rc = cli_parse(&cmd_mutate, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || check_options(&a, &err) != 0) return cli_fail("mutate", &err);
  rc = rtl_env_open(&env, &a.from, cli_progress(), &err);
  if (rc != RTL_OK) return (void)cli_fail("mutate", &err), rc;
  if (a.bugs) return run_bugs(&a, env);
  reasons_t *reasons = NULL;
  if (a.c && read_reasons(&a, rtl_env_root(env), &reasons, &err) != 0)
    return rtl_env_close(env), cli_fail("mutate", &err);
  const mutate_options_t o = {.mutants = (unsigned)a.mutants,
                              .seed = a.seed,
                              .cycles = a.cycles,
                              .seconds = (unsigned)a.seconds,
                              .c = a.c,
                              .reasons = reasons,
                              .out = stdout,
                              .stop = cli_signalled};
  bool low = false;
  unsigned modules = 0;
  for (unsigned i = 0; i < a.n && rc == RTL_OK && !cli_signalled(); modules++) {
    uint32_t cfg[MUTATE_MAX_SIZES][MODULE_MAX_PARAMS];
    mutate_score_t score;
    const module_class_t *cls = a.line[i].cls;
    unsigned n = 0;
    do /* sizes of one model in C are consecutive */
      memcpy(cfg[n++], a.line[i++].cfg, sizeof cfg[0]);
    while (a.c && i < a.n && a.line[i].cls == cls && n < MUTATE_MAX_SIZES);
    rc = mutate_module(&score, env, cls, (const uint32_t(*)[MODULE_MAX_PARAMS])cfg, n, &o, &err);
    low = low || score.stale > 0 || mutate_percent(&score) < (double)PASS;
  }
  rtl_env_close(env);
  reasons_free(reasons);
  if (cli_signalled()) return CLI_INTERRUPTED;
  if (rc != RTL_OK) return (void)cli_fail("mutate", &err), rc;
  printf("mutation: %u modules, %s\n", modules,
         low ? "one or more below 95 %, or an invalid reason"
             : "at least 95 % of the mutants killed in each");
  return low ? CLI_DIFFERENT : CLI_OK;
}

const cli_command_t cmd_mutate = {
    .name = "mutate",
    .operands = "[MODULE]",
    .doc = "counts the wrong versions of the Verilog that the co-simulation notices",
    .details =
        "Mutants (Yosys `mutate`) against the stimulus of `mrpb cosim`. Survivors are proved "
        "equivalent by\nberkeley-abc or named. Exit 0 at least 95 % of the others killed in every "
        "module, 1 not, 2 wrong "
        "input, 5 wrong\ntool.",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .operand = take_module,
    .run = run,
};
