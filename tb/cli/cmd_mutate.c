/* build/mrpb mutate: how many wrong versions of the Verilog does the co-simulation notice? */
#include "cli/cli.h"
#include "cosim/matrix.h"
#include "mutate/mutate.h"

#include <errno.h>
#include <string.h>

static const char usage[] =
    "usage: mrpb mutate MODULE [--set PARAMETER=VALUE]... | --list FILE\n"
    "                   [--c] [--mutants N] [--seed N] [--cycles N] [--seconds N] [--rtl DIR]\n"
    "Mutants of the Verilog (Yosys `mutate`, 200) against the stimulus of `mrpb cosim` (100,000 "
    "cycles). What is not\n"
    "killed is proved equivalent by berkeley-abc (at most 60 seconds each) or named. --c: mutants "
    "of the C model's text\n"
    "instead, without a proof. --list: a module and its sizes a line. Exit 0: at least 95 % of the "
    "others killed in every module, 1 not, 2 wrong input, 5 "
    "wrong tool.\n";

enum { MAX_LINES = 32, LINE = 512, PASS = 95 };

typedef struct {
  cosim_job_t line[MAX_LINES];
  unsigned n;
  const char *list, *rtl;
  uint64_t mutants, seed, cycles, seconds;
  bool c, help;
} args_t;

static int add_line(args_t *a, const char *name, mrpb_err_t *err) {
  if (a->n == MAX_LINES) return mrpb_fail(err, "legal: at most %d modules", MAX_LINES);
  cosim_job_t *job = &a->line[a->n++];
  job->cls = matrix_module(name, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  return 0;
}

static int take_option(args_t *a, const char *name, const char *v, mrpb_err_t *err) {
  if (strcmp(name, "--mutants") == 0) return cli_number(name, v, MUTANTS_MAX, &a->mutants, err);
  if (strcmp(name, "--seed") == 0) return cli_number(name, v, UINT64_MAX, &a->seed, err);
  if (strcmp(name, "--cycles") == 0) return cli_number(name, v, 10000000, &a->cycles, err);
  if (strcmp(name, "--seconds") == 0) return cli_number(name, v, 86400, &a->seconds, err);
  if (strcmp(name, "--list") == 0) return a->list = v, 0;
  if (strcmp(name, "--rtl") == 0) return a->rtl = v, 0;
  if (strcmp(name, "--set") == 0)
    return a->n == 1 ? matrix_set(&a->line[0], v, err)
                     : mrpb_fail(err, "--set %s: legal: behind the name of one module", v);
  return mrpb_fail(
      err,
      "unknown option '%s'; legal: --set --list --c --mutants --seed --cycles --seconds "
      "--rtl --help",
      name);
}

static int read_list(args_t *a, mrpb_err_t *err) {
  char text[LINE];
  FILE *f = fopen(a->list, "r");
  if (!f) return mrpb_fail(err, "--list %s: cannot read: %s", a->list, strerror(errno));
  int rc = 0;
  for (unsigned at = 1; rc == 0 && fgets(text, sizeof text, f); at++) {
    char *save = NULL;
    mrpb_err_t why = {""};
    text[strcspn(text, "#\n")] = '\0';
    char *word = strtok_r(text, " \t\r", &save);
    if (!word) continue;
    rc = add_line(a, word, &why);
    while (rc == 0 && (word = strtok_r(NULL, " \t\r", &save)))
      rc = matrix_set(&a->line[a->n - 1], word, &why);
    if (rc != 0) mrpb_fail(err, "%s:%u: %s", a->list, at, why.text);
  }
  fclose(f);
  return rc;
}

static int parse(args_t *a, int argc, char **argv, mrpb_err_t *err) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--help") == 0) return a->help = true, 0;
    if (strcmp(name, "--c") == 0) {
      a->c = true;
      continue;
    }
    if (name[0] != '-') {
      if (add_line(a, name, err) != 0) return -1;
      continue;
    }
    const char *value = cli_value(argc, argv, &i, err);
    if (!value || take_option(a, name, value, err) != 0) return -1;
  }
  if ((a->n > 0) == (a->list != NULL)) return mrpb_fail(err, "legal: one module, or --list FILE");
  if (a->mutants == 0) return mrpb_fail(err, "--mutants 0: legal: 1 to %d", MUTANTS_MAX);
  if (a->cycles < 1000) return mrpb_fail(err, "--cycles: legal: 1000 to 10000000");
  return a->list ? read_list(a, err) : 0;
}

int cmd_mutate(int argc, char **argv) {
  args_t a = {.mutants = 200, .seed = 1, .cycles = 100000, .seconds = 60};
  mrpb_err_t err = {{0}};
  rtl_env_t *env;
  if (parse(&a, argc, argv, &err) != 0) return cli_fail("mutate", &err);
  if (a.help) return fputs(usage, stdout), CLI_OK;
  int rc = rtl_env_open(&env, a.rtl, cli_progress(), &err);
  if (rc != RTL_OK) return (void)cli_fail("mutate", &err), rc;
  cli_hold_signals();
  const mutate_options_t o = {.mutants = (unsigned)a.mutants,
                              .seed = a.seed,
                              .cycles = a.cycles,
                              .seconds = (unsigned)a.seconds,
                              .c = a.c,
                              .out = stdout,
                              .stop = cli_signalled};
  bool low = false;
  unsigned modules = 0;
  for (unsigned i = 0; i < a.n && rc == RTL_OK && !cli_signalled(); modules++) {
    uint32_t cfg[MUTATE_MAX_SIZES][MODULE_MAX_PARAMS];
    mutate_score_t score;
    const module_class_t *cls = a.line[i].cls;
    unsigned n = 0;
    do /* sizes of one model in C stand together */
      memcpy(cfg[n++], a.line[i++].cfg, sizeof cfg[0]);
    while (a.c && i < a.n && a.line[i].cls == cls && n < MUTATE_MAX_SIZES);
    rc = mutate_module(&score, env, cls, (const uint32_t(*)[MODULE_MAX_PARAMS])cfg, n, &o, &err);
    low = low || mutate_percent(&score) < PASS;
  }
  rtl_env_close(env);
  if (cli_signalled()) return CLI_INTERRUPTED;
  if (rc != RTL_OK) return (void)cli_fail("mutate", &err), rc;
  printf("mutation: %u modules, %s\n", modules,
         low ? "one or more below 95 %" : "at least 95 % of the mutants killed in each");
  return low ? CLI_DIFFERENT : CLI_OK;
}
