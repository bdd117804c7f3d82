/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb upset: what does one flipped bit of a module's Verilog lead to? */
#include "base/output.h"
#include "base/sizes.h"
#include "cli/cli.h"
#include "verify/upset/report.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_SETS = 64 };

typedef struct {
  upset_job_t job;
  rtl_from_t from;
  const char *module, *sets[MAX_SETS], *json, *flips;
  unsigned n_sets;
  bool markdown, answers;
} args_t;

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_append(a->sets, &a->n_sets, MAX_SETS, name, v, err);
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->module, v, "one module at a time", err);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_MANY(take_set, "--set", "PARAMETER=VALUE", "a size of the module"),
    CLI_NUMBER(args_t, job.moments, "--moments", 1, 1000000, "moments at which bits flip (16)"),
    CLI_NUMBER(args_t, job.cycles, "--cycles", 1, 100000,
               "cycles in which the effect of a flip is watched (1000)"),
    CLI_NUMBER(args_t, job.words, "--words", 1, 1000000,
               "words of an array that are flipped at a moment (8)"),
    CLI_TEXT(args_t, job.reg, "--bits", "REG", "flips the bits of this register only"),
    CLI_NUMBER(args_t, job.seed, "--seed", 0, UINT64_MAX,
               "seed of the stimulus and of the moments (1)"),
    CLI_TEXT(args_t, from.dir, "--rtl", "DIR", "another folder of Verilog"),
    CLI_JSON(args_t, json, "the table"),
    CLI_TEXT(args_t, flips, "--flips", "FILE", "a line for each flip (CSV): where, when, outcome"),
    CLI_FLAG(args_t, markdown, "--markdown", "the table as Markdown"),
    CLI_FLAG(args_t, answers, "--answers", "only lists the answers of each module, as Markdown"),
};

static int prepare(args_t *a, mrpb_err_t *err) {
  if (!a->module) return mrpb_fail(err, "no module given; `mrpb upset --help`");
  a->job.cls = sizes_module(a->module, err);
  if (!a->job.cls) return -1;
  module_defaults(a->job.cls, a->job.cfg);
  for (unsigned i = 0; i < a->n_sets; i++) {
    mrpb_err_t why = {""};
    if (sizes_set(a->job.cls, a->job.cfg, a->sets[i], &why) != 0)
      return mrpb_fail(err, "--set %s", why.text);
  }
  if (a->job.cls->check(a->job.cfg, err) != 0) return -1;
  return upset_check(&a->job, err);
}

/* Prints and writes the table, and judges it. Returns the exit code. */
static int show(const args_t *a, const upset_table_t *table, mrpb_err_t *err) {
  const uint64_t silent = upset_silent(table);
  if (a->markdown)
    upset_markdown(table, &a->job, stdout);
  else
    upset_print(table, &a->job, stdout);
  if (a->json) {
    json_t *root = upset_json(table, &a->job);
    const int rc = root ? cli_write_json(a->json, root, err)
                        : mrpb_fail(err, "%s: out of memory; nothing was written", a->json);
    json_decref(root);
    if (rc != 0) return CLI_USAGE;
  }
  if (silent == 0 || module_option(a->job.cls, a->job.cfg, "PARITY") != 1) return CLI_OK;
  fprintf(a->markdown ? stderr : stdout,
          "%s: %" PRIu64 " silent upsets (wrong, lost or hang) although PARITY is 1\n",
          a->job.cls->stem, silent);
  return CLI_DIFFERENT;
}

static int inject(args_t *a, upset_table_t *table, mrpb_err_t *err) {
  rtl_env_t *env = NULL;
  char temp[OUTPUT_NAME];
  int rc = rtl_env_open(&env, &a->from, cli_progress(), err);
  if (rc == RTL_OK && a->flips && !(a->job.flips = output_open(a->flips, temp, err)))
    rc = CLI_USAGE;
  if (rc == RTL_OK) {
    rtl_env_write_registers(env);
    rc = upset_run(table, &a->job, env, err);
    if (rc == RTL_OK && cli_signalled()) rc = CLI_INTERRUPTED;
  }
  rtl_env_close(env);
  if (!a->job.flips) return rc;
  if (rc == RTL_OK)
    return output_close(a->job.flips, ferror(a->job.flips), a->flips, temp, err) == 0 ? rc
                                                                                      : CLI_USAGE;
  fclose(a->job.flips);
  output_discard(a->flips, temp);
  return rc;
}

static int run(int argc, char **argv) {
  args_t a = {.job = {.seed = 1, .cycles = 1000, .moments = 16, .words = 8, .stop = cli_signalled}};
  mrpb_err_t err = {""};
  int rc = cli_parse(&cmd_upset, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && a.answers) {
    upset_answers_page(stdout);
    return CLI_OK;
  }
  const char *const files[] = {a.flips, a.json};
  if (rc != CLI_PARSED || cli_apart(files, 2, 2, &err) != 0 || prepare(&a, &err) != 0)
    return cli_fail("upset", &err);
  upset_table_t table = {.n = 0};
  rc = inject(&a, &table, &err);
  if (rc == RTL_OK) rc = show(&a, &table, &err);
  if (err.text[0]) (void)cli_fail("upset", &err);
  return rc;
}

const cli_command_t cmd_upset = {
    .name = "upset",
    .operands = "MODULE",
    .doc = "flips bits of a module's Verilog, one at a time, and counts what they lead to",
    .details =
        "An upset is masked, latent, seen in the status only, detected, or it leads to a wrong or\n"
        "a lost answer or to a hang. The C model says which answers are right. Exit 0, 1 a silent\n"
        "upset although PARITY is 1, or C model and Verilog differ without an upset, 2 wrong\n"
        "input, 5 wrong tool.\ndocs/verify/upset.md",
    CLI_OPTIONS(options),
    .operand = take_module,
    .run = run,
};
