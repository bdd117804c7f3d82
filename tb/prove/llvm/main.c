/* build/mrpb-prove, which `mrpb prove` runs: it alone needs LLVM. */
#include "cli/cli.h"
#include "prove/llvm/list.h"
#include "prove/parts/parts.h"

#include <string.h>

static const char usage[] =
    "usage: mrpb prove MODULE [--set PARAMETER=VALUE]... [--rtl DIR] [--inv FILE] [--limit "
    "SECONDS]\n"
    "                  [--unroll ROUNDS]\n"
    "       mrpb prove --list FILE [--jobs N] [--rtl DIR] [--limit SECONDS] [--unroll ROUNDS]\n"
    "Shows that the C model and the Verilog (rtl/, or DIR) have equal outputs and equal registers "
    "after the clock edge,\n"
    "for every state that satisfies the module's invariant (tb/prove/inv/, or FILE) and every "
    "input.\n"
    "Exit 0 proved, 1 refuted, 2 wrong input, 3 not decided, 5 wrong tool. docs/verify/prove.md\n";

enum { MAX_SETS = 32 };

typedef struct {
  prove_job_t job;
  const char *module, *list, *sets[MAX_SETS];
  unsigned n_sets;
  uint64_t jobs, limit, unroll;
  bool help;
} args_t;

static int positive(const char *name, const char *v, uint64_t max, uint64_t *to, mrpb_err_t *err) {
  if (cli_number(name, v, max, to, err) != 0) return -1;
  return *to > 0 ? 0 : mrpb_fail(err, "%s 0: legal: 1 to %llu", name, (unsigned long long)max);
}

static int take_option(args_t *a, const char *name, const char *v, mrpb_err_t *err) {
  if (strcmp(name, "--set") == 0) {
    if (a->n_sets == MAX_SETS)
      return mrpb_fail(err, "--set %s: more than %d of these", v, MAX_SETS);
    a->sets[a->n_sets++] = v;
  } else if (strcmp(name, "--rtl") == 0) {
    a->job.rtl = v;
  } else if (strcmp(name, "--inv") == 0) {
    a->job.inv = v;
  } else if (strcmp(name, "--list") == 0) {
    a->list = v;
  } else if (strcmp(name, "--jobs") == 0) {
    return positive(name, v, 64, &a->jobs, err);
  } else if (strcmp(name, "--limit") == 0) {
    return positive(name, v, 1000000, &a->limit, err);
  } else {
    return positive(name, v, 1000000, &a->unroll, err);
  }
  return 0;
}

static bool is_option(const char *name) {
  static const char *const options[] = {"--set",  "--rtl",   "--inv",   "--list",
                                        "--jobs", "--limit", "--unroll"};
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
    if (strcmp(name, options[i]) == 0) return true;
  return false;
}

static int parse(args_t *a, int argc, char **argv, mrpb_err_t *err) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--help") == 0) return a->help = true, 0;
    if (name[0] != '-') {
      if (a->module) return mrpb_fail(err, "'%s': one module at a time, or --list FILE", name);
      a->module = name;
      continue;
    }
    if (!is_option(name))
      return mrpb_fail(err,
                       "unknown option '%s'; legal: --set --rtl --inv --list --jobs --limit "
                       "--unroll --help",
                       name);
    const char *value = cli_value(argc, argv, &i, err);
    if (!value || take_option(a, name, value, err) != 0) return -1;
  }
  if (!a->list == !a->module)
    return mrpb_fail(err, "one module or --list FILE is needed; `mrpb prove --help`");
  if (a->list && (a->n_sets || a->job.inv))
    return mrpb_fail(err, "--list takes modules and sizes from its file: legal with it: --jobs "
                          "--rtl --limit --unroll");
  return 0;
}

static int prove_one(args_t *a, mrpb_err_t *err) {
  prove_job_t *job = &a->job;
  job->cls = prove_class(a->module, err);
  if (!job->cls) return PROVE_BAD_INPUT;
  module_defaults(job->cls, job->cfg);
  for (unsigned i = 0; i < a->n_sets; i++) {
    mrpb_err_t why = {""};
    if (list_set(job, a->sets[i], &why) != 0)
      return mrpb_fail(err, "--set %s", why.text), PROVE_BAD_INPUT;
  }
  if (job->cls->check(job->cfg, err) != 0) return PROVE_BAD_INPUT;
  int rc = prove_run(job, stdout, err);
  if (rc == PROVE_YES) list_trust(stdout);
  return rc;
}

int main(int argc, char **argv) {
  args_t a = {.job = {.root = ".", .rtl = "rtl"}, .jobs = 1, .limit = 600, .unroll = 4096};
  mrpb_err_t err = {""};
  if (parse(&a, argc, argv, &err) != 0) return cli_fail("prove", &err);
  if (a.help) {
    fputs(usage, stdout);
    return CLI_OK;
  }
  a.job.limit = (unsigned)a.limit;
  a.job.unroll = (unsigned)a.unroll;
  int rc = a.list ? list_run(a.list, &a.job, (unsigned)a.jobs, stdout, &err) : prove_one(&a, &err);
  if (err.text[0]) cli_fail("prove", &err);
  return rc;
}
