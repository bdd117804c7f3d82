/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb replay`: replays a recorded L1D event trace (plain or xz) through the L1D and its MSHR
 * table, and compares everything. */
#include "cli/cli.h"
#include "cosim/unit_rtl.h"
#include "gpu/replay/replay.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  rtl_from_t from;
  const char *trace, *regress;
  config_t cfg;
  unit_choice_t choice;
} options_t;

static int take_config(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  return strcmp(name, "-c") == 0 ? config_load_with(&o->cfg, CONFIG_HAS_PIPELINE, v, err)
                                 : config_set(&o->cfg, v, err);
}

static int take_impl(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return unit_parse(&o->choice, v, err);
}

static int take_trace(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return cli_once(&o->trace, v, "legal: one trace", err);
}

static const cli_option_t options[] = {
    CLI_TAKE(take_config, "-c", "FILE", "the configuration"),
    CLI_MANY(take_config, "--set", "KEY=VALUE", "a key of it"),
    CLI_TAKE(take_impl, "--impl", "mshr=c|rtl|both", "which MSHR table"),
    CLI_RTL(options_t, from),
    CLI_TEXT(options_t, regress, "--regress", "DIR", "folder for a shrunk mismatch (build/cases)"),
};

static int check_options(const options_t *o, mrpb_err_t *err) {
  if (!o->trace) return mrpb_fail(err, "no trace; legal: a file of L1D events, plain or xz");
  if (o->choice.mrpb != UNIT_C || o->choice.prt != UNIT_C)
    return mrpb_fail(err, "--impl %s: no part of a replay; legal: mshr=",
                     o->choice.mrpb != UNIT_C ? "mrpb" : "prt");
  if (o->choice.mshr == UNIT_C && (rtl_given(&o->from) || o->regress))
    return mrpb_fail(err,
                     "--rtl, -f, --map and --regress: legal: with --impl mshr=rtl or mshr=both");
  return config_check(&o->cfg, "replay", err);
}

static int report(const options_t *o, replay_end_t end, const replay_stats_t *s,
                  const unit_rtl_set_t *rtl, const mrpb_err_t *err) {
  if (end == REPLAY_BAD_INPUT) return cli_fail("replay", err);
  if (end == REPLAY_DIFFERENT) {
    fprintf(stderr, "mrpb replay: %s\n", err->text);
    return CLI_DIFFERENT;
  }
  printf("%s: %" PRIu64 " accesses (%" PRIu64 " refused), %" PRIu64 " sends, %" PRIu64
         " fills, %" PRIu64 " drains, %" PRIu64 " MSHR cycles: no difference\n",
         o->trace, s->accesses, s->refused, s->sends, s->fills, s->drains, s->cycles);
  if (rtl && unit_rtl_compared(rtl) > 0)
    printf("  lockstep: %" PRIu64 " cycles compared, no difference\n", unit_rtl_compared(rtl));
  mrpb_err_t why = {""};
  const int rc = rtl ? unit_rtl_verdict(rtl, "  lockstep: ", stdout, &why) : RTL_OK;
  if (rc != RTL_OK) (void)cli_fail("replay", &why);
  return rc;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  options_t o = {.choice = {.sm = -1}};
  unit_rtl_set_t *rtl = NULL;
  char repeat[CLI_COMMAND], program[CLI_COMMAND];
  replay_stats_t stats;
  cli_command_line(argc, argv, repeat);
  cli_program(program);
  config_defaults(&o.cfg);
  int rc = cli_parse(&cmd_replay, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || check_options(&o, &err) != 0) return cli_fail("replay", &err);
  if (o.choice.mshr != UNIT_C) {
    rc = unit_rtl_set_open(&rtl, &o.from, 1, stderr, repeat, cli_progress(), &err);
    if (rc == CLI_OK) rc = unit_rtl_set_check(rtl, &o.choice, &err);
    if (rc != CLI_OK) {
      (void)cli_fail("replay", &err);
      return rc;
    }
    unit_rtl_set_keep(rtl, o.regress, program, cli_signalled);
    o.choice.open_rtl = unit_rtl_open;
    o.choice.ctx = rtl;
  }
  replay_end_t end = replay_run(o.trace, &o.cfg, &o.choice, cli_signalled, &stats, &err);
  rc = CLI_INTERRUPTED;
  if (end == REPLAY_INTERRUPTED)
    fprintf(stderr, "mrpb replay: interrupted\n");
  else
    rc = report(&o, end, &stats, rtl, &err);
  if (end == REPLAY_BAD_INPUT && rtl && unit_rtl_exit_code(rtl) > 0) rc = unit_rtl_exit_code(rtl);
  if (rtl) unit_rtl_set_close(rtl);
  return rc;
}

const cli_command_t cmd_replay = {
    .name = "replay",
    .operands = "FILE",
    .doc = "replays recorded L1D accesses through the L1D and its MSHR table",
    .details = "Everything is compared with what was recorded. Exit 0 no difference, 1 a "
               "difference, 2 wrong input.",
    CLI_OPTIONS(options),
    .operand = take_trace,
    .run = run,
};
