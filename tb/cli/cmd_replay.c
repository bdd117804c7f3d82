/* `mrpb replay`: a recorded L1D event trace (plain or xz) through the L1D and its MSHR table,
 * everything compared. */
#include "cli/cli.h"
#include "cosim/unit_rtl.h"
#include "replay/replay.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  const char *trace, *rtl, *regress;
  config_t cfg;
  unit_choice_t choice;
} options_t;

static int parse(options_t *o, int argc, char **argv, mrpb_err_t *err) {
  *o = (options_t){.choice = {.sm = -1}};
  config_defaults(&o->cfg);
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (name[0] != '-') {
      if (o->trace) return mrpb_fail(err, "'%s': legal: one trace", name);
      o->trace = name;
      continue;
    }
    const char *v = cli_value(argc, argv, &i, err);
    int rc = v ? 0 : -1;
    if (v && strcmp(name, "-c") == 0)
      rc = config_load(&o->cfg, v, err);
    else if (v && strcmp(name, "--set") == 0)
      rc = config_set(&o->cfg, v, err);
    else if (v && strcmp(name, "--impl") == 0)
      rc = unit_parse(&o->choice, v, err);
    else if (v && strcmp(name, "--rtl") == 0)
      o->rtl = v;
    else if (v && strcmp(name, "--regress") == 0)
      o->regress = v;
    else if (v)
      rc = mrpb_fail(err, "unknown option '%s'; legal: -c --set --impl --rtl --regress", name);
    if (rc != 0) return -1;
  }
  if (!o->trace) return mrpb_fail(err, "no trace; legal: a file of L1D events, plain or xz");
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
  if (rtl)
    printf("  lockstep: %" PRIu64 " cycles compared, no difference\n", unit_rtl_compared(rtl));
  return CLI_OK;
}

int cmd_replay(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  options_t o;
  unit_rtl_set_t *rtl = NULL;
  char repeat[CLI_COMMAND], program[CLI_COMMAND];
  replay_stats_t stats;
  cli_command_line(argc, argv, repeat);
  cli_program(program);
  if (parse(&o, argc, argv, &err) != 0) return cli_fail("replay", &err);
  if (o.choice.mshr != UNIT_C) {
    int rc = unit_rtl_set_open(&rtl, o.rtl, 1, stderr, repeat, cli_progress(), &err);
    if (rc != CLI_OK) {
      (void)cli_fail("replay", &err);
      return rc;
    }
    unit_rtl_set_keep(rtl, o.regress, o.rtl, program, cli_signalled);
    o.choice.open_rtl = unit_rtl_open;
    o.choice.ctx = rtl;
  }
  cli_hold_signals();
  replay_end_t end = replay_run(o.trace, &o.cfg, &o.choice, cli_signalled, &stats, &err);
  int rc = CLI_INTERRUPTED;
  if (end == REPLAY_INTERRUPTED)
    fprintf(stderr, "mrpb replay: interrupted\n");
  else
    rc = report(&o, end, &stats, rtl, &err);
  if (end == REPLAY_BAD_INPUT && rtl && unit_rtl_exit_code(rtl) > 0) rc = unit_rtl_exit_code(rtl);
  if (rtl) unit_rtl_set_close(rtl);
  return rc;
}
