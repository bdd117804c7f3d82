/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb export`: what a design flow reads about one module. */
#include "base/sizes.h"
#include "cli/cli.h"
#include "estimate/export/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 64 };

typedef struct {
  export_options_t o;
  const char *module, *set[MAX_SETS];
  unsigned n_sets;
  bool no_logic, no_run;
} args_t;

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->module, v, "one module at a time", err);
}

static int take_clock(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_real(name, v, 100, &a->o.logic.clock_ghz, err);
}

static int take_sram(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_real(name, v, 1000, &a->o.logic.sram_ns, err);
}

static int take_utilisation(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_real(name, v, 1, &a->o.utilisation, err);
}

static int take_layer(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  a->o.layer = v;
  for (const char *c = v; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_')
      return mrpb_fail(err, "%s %s: legal: letters, digits and underscores", name, v);
  return 0;
}

static int take_liberty(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_append(a->o.logic.liberty, &a->o.logic.n_liberties, 1, name, v, err);
}

static const cli_option_t options[] = {
    CLI_LIST(args_t, set, n_sets, MAX_SETS, "--set", "PARAMETER=VALUE", "a size of MODULE"),
    CLI_TEXT(args_t, o.out, "-o", "DIR", "the folder: new, empty, or of an earlier export"),
    CLI_TAKE(take_liberty, "--liberty", "FILE[,FILE...]",
             "the cells of the netlist (Debian's OSU018)"),
    CLI_LIST(args_t, o.corner, o.n_corners, EXPORT_CORNERS, "--corner", "FILE[,FILE...]",
             "the same cells at another corner: one more Liberty model"),
    CLI_TAKE(take_clock, "--clock", "GHZ", "the clock of SDC and test bench (CLOCK_SM: 0.575)"),
    CLI_TAKE(take_sram, "--sram-access", "NS",
             "read access of the memories (not known: no arc through them)"),
    CLI_TAKE(take_utilisation, "--utilisation", "U", "of the outline, up to 1 (0.7)"),
    CLI_TAKE(take_layer, "--layer", "NAME", "of the outline's pins (metal3)"),
    CLI_NUMBER(args_t, o.cycles, "--cycles", 16, 1000000, "of the test bench (1000)"),
    CLI_NUMBER(args_t, o.seed, "--seed", 0, UINT64_MAX, "of its stimulus (1)"),
    CLI_FLAG(args_t, no_logic, "--no-logic", "no netlist, and nothing that follows from it"),
    CLI_FLAG(args_t, no_run, "--no-run", "no test bench and no activity"),
};

static const cli_rule_t rules[] = {
    {"--no-logic", NULL, "--liberty --corner", "--no-logic: legal: without --liberty and --corner"},
};

static int check(const args_t *a, mrpb_err_t *err) {
  if (!a->module) return mrpb_fail(err, "no module; legal: MODULE");
  if (!a->o.out) return mrpb_fail(err, "no folder; legal: -o DIR");
  return 0;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  uint32_t cfg[MODULE_MAX_PARAMS];
  args_t a = {.module = NULL};
  export_defaults(&a.o);
  a.o.logic.stop = cli_signalled;
  int rc = cli_parse(&cmd_export, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  a.o.logic.on = !a.no_logic;
  a.o.run = !a.no_run;
  if (rc == CLI_PARSED) rc = check(&a, &err);
  const module_class_t *cls = rc == 0 ? sizes_module(a.module, &err) : NULL;
  if (!cls) return cli_fail("export", &err);
  module_defaults(cls, cfg);
  for (unsigned i = 0; rc == 0 && i < a.n_sets; i++) rc = sizes_set(cls, cfg, a.set[i], &err);
  if (rc == 0) rc = export_run(cls, cfg, &a.o, &err);
  if (rc == LOGIC_STOPPED) {
    snprintf(err.text, sizeof err.text, "interrupted; nothing was written");
    return cli_fail("export", &err), CLI_INTERRUPTED;
  }
  if (rc != 0) return cli_fail("export", &err);
  printf("%s/README.md\n", a.o.out);
  return CLI_OK;
}

const cli_command_t cmd_export = {
    .name = "export",
    .operands = "MODULE",
    .doc = "what a design flow reads: netlist, timing models, outline, constraints, assertions",
    .details = "Writes the folder DIR at once and whole; docs/integration.md. Exit 0 success, 2 "
               "wrong input or a\nmissing or failed tool, 130 Ctrl-C.",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .operand = take_module,
    .run = run,
};
