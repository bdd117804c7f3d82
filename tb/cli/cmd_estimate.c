/* `mrpb estimate`: storage, logic, timing and activity of a configuration, in one report. */
#include "cli/cli.h"
#include "estimate/baseline.h"
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

static int take_cacti(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  (void)err;
  o->cacti.binary = v;
  return 0;
}

static int take_number(const char *name, const char *v, uint32_t min, uint32_t max, uint32_t *value,
                       mrpb_err_t *err) {
  uint64_t n = 0;
  mrpb_err_t why = {""};
  if (cli_number(name, v, max, &n, &why) != 0 || n < min)
    return mrpb_fail(err, "%s %s: legal: %u to %u", name, v, min, max);
  *value = (uint32_t)n;
  return 0;
}

static int take_node(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  return take_number(name, v, CACTI_LEAST_NODE, CACTI_MOST_NODE, &o->cacti.node, err);
}

static int take_temperature(estimate_options_t *o, const char *name, const char *v,
                            mrpb_err_t *err) {
  uint32_t *kelvin = &o->cacti.temperature;
  if (take_number(name, v, 300, 400, kelvin, err) == 0 && *kelvin % 10 == 0) return 0;
  return mrpb_fail(err, "%s %s: legal: 300 to 400 in steps of 10", name, v);
}

static int take_bus(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  return take_number(name, v, 8, 1024, &o->cacti.bus, err);
}

static int take_seconds(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  return take_number(name, v, 1, 3600, &o->cacti.seconds, err);
}

/* Index of `v` in `words`, -1 and a message if it is not there. */
static int take_word(const char *name, const char *v, const char *const *words, unsigned n,
                     mrpb_err_t *err) {
  char legal[128] = "";
  for (unsigned i = 0; i < n; i++) {
    size_t at = strlen(legal);
    if (strcmp(v, words[i]) == 0) return (int)i;
    snprintf(legal + at, sizeof legal - at, "%s%s", i ? ", " : "", words[i]);
  }
  return mrpb_fail(err, "%s %s: legal: %s", name, v, legal);
}

static int take_cell(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  const char *words[CACTI_CELLS];
  for (unsigned i = 0; i < CACTI_CELLS; i++) words[i] = cacti_cell_name((cacti_cell_t)i);
  int i = take_word(name, v, words, CACTI_CELLS, err);
  if (i >= 0) o->cacti.cell = (cacti_cell_t)i;
  return i < 0 ? -1 : 0;
}

static int take_ports(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  static const char *const words[] = {"split", "dual"};
  int i = take_word(name, v, words, 2, err);
  o->cacti.dual = i == 1;
  return i < 0 ? -1 : 0;
}

static int take_ecc(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  static const char *const words[] = {"on", "off"};
  int i = take_word(name, v, words, 2, err);
  o->cacti.ecc = i == 0;
  return i < 0 ? -1 : 0;
}

static int take_activity(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (o->n_run) return mrpb_fail(err, "%s %s: legal: without %s", name, v, o->run[0]);
  o->activity = v;
  return 0;
}

/* An option of `mrpb run`, passed on as it is. */
static int take_run(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (o->activity) return mrpb_fail(err, "%s: legal: without --activity", name);
  if (o->n_run + 2 > ESTIMATE_RUN)
    return mrpb_fail(err, "%s: more than %d options of a run", name, ESTIMATE_RUN / 2);
  o->run[o->n_run++] = name;
  if (strcmp(name, "--acc-reload") != 0) o->run[o->n_run++] = v;
  return 0;
}

static int take_liberty(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  if (o->logic.n_liberties == LOGIC_LIBERTIES)
    return mrpb_fail(err, "%s %s: legal: at most %d", name, v, LOGIC_LIBERTIES);
  o->logic.liberty[o->logic.n_liberties++] = v;
  return 0;
}

/* A number above 0 and up to `most`, with a fraction. */
static int take_real(const char *name, const char *v, double most, double *value, mrpb_err_t *err) {
  char *end;
  *value = strtod(v, &end);
  if (end != v && *end == '\0' && *value > 0 && *value <= most) return 0;
  return mrpb_fail(err, "%s %s: legal: above 0, up to %g", name, v, most);
}

static int take_clock(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  return take_real(name, v, 100, &o->logic.clock_ghz, err);
}

static int take_sram(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  return take_real(name, v, 1000, &o->logic.sram_ns, err);
}

static int take_rtl(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  (void)err;
  o->logic.rtl = v;
  return 0;
}

static int take_jobs(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  uint32_t n = 0;
  int rc = take_number(name, v, 1, 64, &n, err);
  o->logic.jobs = n;
  return rc;
}

static int take_no_logic(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  (void)v;
  (void)err;
  o->logic.on = false;
  return 0;
}

static int take_study(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  (void)v;
  (void)err;
  o->logic.study = true;
  return 0;
}

static int take_check(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  (void)err;
  o->logic.check = v;
  return 0;
}

static int take_record(estimate_options_t *o, const char *name, const char *v, mrpb_err_t *err) {
  (void)name;
  (void)err;
  o->logic.record = v;
  return 0;
}

/* The options, in the order of the help; those without a value have "" for it. */
static const option_t options[] = {
    {"-c", "FILE", "the configuration (default: Base-S)", take_config},
    {"--set", "KEY=VALUE", "one key of it, changed; may be repeated", take_set},
    {"--vary", "KEY=V1,V2,...", "alternatives side by side; several: every combination, at most 16",
     take_vary},
    {"-o", "DIR", "where everything goes (default: build/estimate/<configuration>)", take_out},
    {"--cacti", "BINARY", "CACTI 6.5 or 7.0, run on every SRAM and CAM (default: none)",
     take_cacti},
    {"--node", "NM", "CACTI: technology, 22 to 90, with 6.5 from 32 (default: 45)", take_node},
    {"--temperature", "K", "CACTI: 300 to 400 in steps of 10 (default: 350)", take_temperature},
    {"--cell", "TYPE", "CACTI: itrs-hp, itrs-lstp or itrs-lop (default: itrs-hp)", take_cell},
    {"--bus", "BITS", "CACTI: data bus, 8 to 1024 (default: a word; caches 256), at most a word",
     take_bus},
    {"--ports", "split|dual", "CACTI: accesses of a cycle share a port, or not (default: split)",
     take_ports},
    {"--ecc", "on|off", "CACTI: error correction bits (default: on)", take_ecc},
    {"--cacti-seconds", "N", "CACTI: limit of one run, 1 to 3600 (default: 60)", take_seconds},
    {"--kernel", "NAME", "activity: of this program, run for every alternative (default: none)",
     take_run},
    {"--cut", "K", "as for `mrpb run`: inner loops end after K iterations", take_run},
    {"--size", "N", "as for `mrpb run`", take_run},
    {"--steps", "T", "as for `mrpb run`", take_run},
    {"--model", "A|B", "as for `mrpb run`", take_run},
    {"--acc-reload", "", "as for `mrpb run`", take_run},
    {"--trace", "FILE", "activity: of a recorded trace", take_run},
    {"--ptx", "FILE", "activity: of your own kernel; --grid to --tex as for `mrpb run`", take_run},
    {"--grid", "X[,Y[,Z]]", "", take_run},
    {"--block", "X[,Y[,Z]]", "", take_run},
    {"--regs", "N", "", take_run},
    {"--shared", "N", "", take_run},
    {"--arg", "ARG", "", take_run},
    {"--tex", "N:NAME", "", take_run},
    {"--activity-sm", "N", "activity: of which SM (default: 1)", take_run},
    {"--impl", "UNIT=both,...", "activity: counted in C model and Verilog, which must agree",
     take_run},
    {"--vcd", "FILE", "activity: a wave of the same run, of cycles --from to --to", take_run},
    {"--from", "CYCLE", "", take_run},
    {"--to", "CYCLE", "", take_run},
    {"--activity", "DIR", "activity: of a run made before with `mrpb run --activity DIR`",
     take_activity},
    {"--liberty", "FILE",
     "logic: cells and their delays; may be repeated (default: Debian's OSU018)", take_liberty},
    {"--clock", "GHZ", "logic: the clock for which slack is reported (default: 1.15)", take_clock},
    {"--sram-access", "NS", "logic: read access of the SRAMs (default: CACTI's, else 15 FO4)",
     take_sram},
    {"--rtl", "DIR", "logic: another folder of Verilog", take_rtl},
    {"--jobs", "N", "logic: modules at a time, 1 to 64 (default: 2)", take_jobs},
    {"--study", "", "logic: policies, depths, queues and tables side by side, with noise (long)",
     take_study},
    {"--check", "FILE", "no report: compares modules with recorded figures; exit 1 if they differ",
     take_check},
    {"--record", "FILE", "no report: writes the figures of FILE's modules anew", take_record},
    {"--no-logic", "", "no Yosys, ABC and OpenSTA", take_no_logic},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void print_help(void) {
  printf("usage: mrpb estimate [OPTION]...\n");
  for (unsigned i = 0; i < N_OPTIONS; i++)
    printf("  %-15s %-14s %s\n", options[i].name, options[i].value, options[i].doc);
  printf("Writes DIR/report.md, DIR/estimate.json and the files behind them; docs/estimate/.\n"
         "Exit 0 fine, 1 figures that differ (--check), 2 wrong input or a tool that is missing or "
         "failed, 130 Ctrl-C.\n");
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
    const char *value = option->value[0] ? cli_value(argc, argv, &i, err) : "";
    if (!value || option->take(o, option->name, value, err) != 0) return -1;
  }
  return 0;
}

/* Recorded figures instead of a report. */
static int baseline(const estimate_options_t *o, mrpb_err_t *err) {
  char program[CLI_COMMAND];
  baseline_verdict_t verdict = BASELINE_HOLDS;
  int rc;
  cli_program(program);
  if (o->logic.record)
    rc = baseline_record(o->logic.record, &o->logic, stdout, err);
  else
    rc = baseline_check(o->logic.check, &o->logic, program, stdout, &verdict, err);
  if (rc == LOGIC_STOPPED) return CLI_INTERRUPTED;
  if (rc != 0) return CLI_USAGE;
  return verdict == BASELINE_HOLDS ? CLI_OK : CLI_DIFFERENT;
}

int cmd_estimate(int argc, char **argv) {
  mrpb_err_t err = {""};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0) return print_help(), CLI_OK;
  estimate_t *e = calloc(1, sizeof *e);
  if (!e) return mrpb_fail(&err, "out of memory"), cli_fail("estimate", &err);
  cli_hold_signals();
  estimate_defaults(&e->opt);
  e->opt.stop = e->opt.logic.stop = cli_signalled;
  e->opt.logic.on = true;
  int rc = parse(&e->opt, argc, argv, &err);
  if (rc == 0 && (e->opt.logic.check || e->opt.logic.record)) {
    rc = baseline(&e->opt, &err);
    free(e);
    if (err.text[0]) (void)cli_fail("estimate", &err);
    return rc;
  }
  if (rc == 0) rc = estimate_open(e, &err);
  if (rc == 0) rc = estimate_report(e, &err);
  if (rc == 0) printf("%s/report.md\n", e->out);
  if (rc == 0) err = e->failed;
  if (e->stopped) snprintf(err.text, sizeof err.text, "interrupted; nothing was written");
  rc = e->stopped ? CLI_INTERRUPTED : err.text[0] ? CLI_USAGE : CLI_OK;
  estimate_close(e);
  free(e);
  if (err.text[0]) (void)cli_fail("estimate", &err);
  return rc;
}
