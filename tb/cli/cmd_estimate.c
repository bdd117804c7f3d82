/* `mrpb estimate`: storage, logic, timing and activity of a configuration, in one report. */
#include "cli/cli.h"
#include "estimate/estimate.h"
#include "estimate/report.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *value, *doc;
  int (*take)(estimate_options_t *o, const char *name, const char *value, mrpb_err_t *err);
} option_t;

static int take_config(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (o->config) return mrpb_fail(err, "%s %s: legal: once; --vary makes alternatives", name, v);
  o->config = v;
  return 0;
}

static int take_out(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (v[0] == '\0') return mrpb_fail(err, "%s '': legal: the path of a folder", name);
  o->out = v;
  return 0;
}

static int take_set(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (o->n_sets == ESTIMATE_SETS)
    return mrpb_fail(err, "%s %s: legal: at most %d", name, v, ESTIMATE_SETS);
  o->set[o->n_sets++] = v;
  return 0;
}

static int take_vary(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (o->n_varies == ESTIMATE_VARIES)
    return mrpb_fail(err, "%s %s: legal: at most %d", name, v, ESTIMATE_VARIES);
  o->vary[o->n_varies++] = v;
  return 0;
}

/* The options, in the order of the help. */
static const option_t options[] = {
    {"-c", "FILE", "the configuration (default: Base-S)", take_config},
    {"--set", "KEY=VALUE", "one key of it, changed; may be repeated", take_set},
    {"--vary", "KEY=V1,V2,...", "alternatives side by side; several: every combination, at most 16",
     take_vary},
    {"-o", "DIR", "where everything goes (default: build/estimate/<configuration>)", take_out},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void print_help(void) {
  printf("usage: mrpb estimate [OPTION]...\n");
  for (unsigned i = 0; i < N_OPTIONS; i++)
    printf("  %-10s %-14s %s\n", options[i].name, options[i].value, options[i].doc);
  printf("Writes DIR/report.md, DIR/estimate.json and the files behind them; docs/estimate/.\n"
         "Exit 0 fine, 2 wrong input or a tool that is missing or failed, 130 Ctrl-C.\n");
}

static int unknown(const char *name, mrpb_err_t *err) {
  const char *nearest = options[0].name;
  for (unsigned i = 1; i < N_OPTIONS; i++)
    if (names_distance(name, options[i].name) < names_distance(name, nearest))
      nearest = options[i].name;
  return mrpb_fail(err, "unknown option '%s'; nearest: %s; `mrpb estimate --help` lists them", name,
                   nearest);
}

static int parse(estimate_options_t *o, int argc, char **argv, mrpb_err_t *err) {
  for (int i = 1; i < argc; i++) {
    const option_t *option = NULL;
    for (unsigned k = 0; k < N_OPTIONS; k++)
      if (strcmp(argv[i], options[k].name) == 0) option = &options[k];
    if (!option) return unknown(argv[i], err);
    const char *value = cli_value(argc, argv, &i, err);
    if (!value || option->take(o, option->name, value, err) != 0) return -1;
  }
  return 0;
}

int cmd_estimate(int argc, char **argv) {
  mrpb_err_t err = {""};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0) return print_help(), CLI_OK;
  estimate_t *e = calloc(1, sizeof *e);
  if (!e) return mrpb_fail(&err, "out of memory"), cli_fail("estimate", &err);
  cli_hold_signals();
  int rc = parse(&e->opt, argc, argv, &err);
  if (rc == 0) rc = estimate_open(e, &err);
  if (rc == 0) rc = estimate_report(e, &err);
  if (rc == 0) printf("%s/report.md\n", e->out);
  estimate_close(e);
  free(e);
  return rc == 0 ? CLI_OK : cli_fail("estimate", &err);
}
