/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb estimate`: storage, logic, timing and activity of a configuration, in one report. */
#include "cli/cli.h"
#include "estimate/baseline.h"
#include "base/memory_file.h"
#include "base/sizes.h"
#include "estimate/estimate.h"
#include "estimate/alone.h"
#include "estimate/energy/energy.h"
#include "estimate/own.h"
#include "estimate/proof.h"
#include "estimate/report.h"

#include <stdlib.h>
#include <string.h>

static int take_config(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  if (o->config) return mrpb_fail(err, "%s %s: legal: once; --vary makes alternatives", name, v);
  o->config = v;
  return 0;
}

static int take_out(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  if (v[0] == '\0') return mrpb_fail(err, "%s '': legal: the path of a folder", name);
  o->out = v;
  return 0;
}

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_append(o->set, &o->n_sets, ESTIMATE_SETS, name, v, err);
}

static int take_vary(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_append(o->vary, &o->n_varies, ESTIMATE_VARIES, name, v, err);
}

static int take_number(const char *name, const char *v, uint32_t min, uint32_t max, uint32_t *value,
                       mrpb_err_t *err) {
  uint64_t n = 0;
  if (cli_number(name, v, min, max, &n, err) != 0) return -1;
  *value = (uint32_t)n;
  return 0;
}

static int take_node(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return take_number(name, v, CACTI_LEAST_NODE, CACTI_MOST_NODE, &o->cacti.node, err);
}

static int take_temperature(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  uint32_t *kelvin = &o->cacti.temperature;
  if (take_number(name, v, 300, 400, kelvin, err) == 0 && *kelvin % 10 == 0) return 0;
  return mrpb_fail(err, "%s %s: legal: 300 to 400 in steps of 10", name, v);
}

static int take_bus(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return take_number(name, v, 8, 1024, &o->cacti.bus, err);
}

static int take_seconds(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return take_number(name, v, 1, 3600, &o->cacti.seconds, err);
}

/* Returns the index of `v` in `words`, or -1 and a message if it is not there. */
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

static int take_cell(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  const char *words[CACTI_CELLS];
  for (unsigned i = 0; i < CACTI_CELLS; i++) words[i] = cacti_cell_name((cacti_cell_t)i);
  int i = take_word(name, v, words, CACTI_CELLS, err);
  if (i >= 0) o->cacti.cell = (cacti_cell_t)i;
  return i < 0 ? -1 : 0;
}

static int take_ports(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  static const char *const words[] = {"split", "dual"};
  int i = take_word(name, v, words, 2, err);
  o->cacti.dual = i == 1;
  return i < 0 ? -1 : 0;
}

static int take_ecc(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  static const char *const words[] = {"on", "off"};
  int i = take_word(name, v, words, 2, err);
  o->cacti.ecc = i == 0;
  return i < 0 ? -1 : 0;
}

static int take_activity(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  if (o->n_run) return mrpb_fail(err, "%s %s: legal: without %s", name, v, o->run[0]);
  o->activity = v;
  return 0;
}

/* Passes an option of `mrpb run` on unchanged. */
static int take_run(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  if (o->activity) return mrpb_fail(err, "%s: legal: without --activity", name);
  if (o->n_run + 2 > ESTIMATE_RUN)
    return mrpb_fail(err, "%s: more than %d options of a run", name, ESTIMATE_RUN / 2);
  o->run[o->n_run++] = name;
  if (strcmp(name, "--acc-reload") != 0) o->run[o->n_run++] = v;
  return 0;
}

static int take_liberty(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_append(o->logic.liberty, &o->logic.n_liberties, LOGIC_LIBERTIES, name, v, err);
}

/* Reads a delay or the like: 0 or more. */
static int take_stated(const char *name, const char *v, double most, logic_stated_t *value,
                       mrpb_err_t *err) {
  char *end;
  value->stated = true;
  value->value = strtod(v, &end);
  if (end != v && *end == '\0' && value->value >= 0 && value->value <= most) return 0;
  return mrpb_fail(err, "%s %s: legal: 0 to %g", name, v, most);
}

#define TAKE_STATED(what, most)                                                                    \
  static int take_##what(void *self, const char *name, const char *v, mrpb_err_t *err) {           \
    estimate_options_t *o = self;                                                                  \
    return take_stated(name, v, most, &o->logic.around.what, err);                                 \
  }
TAKE_STATED(input, 1000)
TAKE_STATED(output, 1000)
TAKE_STATED(uncertainty, 1000)
TAKE_STATED(l1, 1000)
TAKE_STATED(wire, 1000)
#undef TAKE_STATED

static int take_utilisation(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  o->logic.around.utilisation.stated = true;
  return cli_real(name, v, 1, &o->logic.around.utilisation.value, err);
}

static int take_corner(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_append(o->logic.corner, &o->logic.n_corners, LOGIC_CORNERS, name, v, err);
}

static int take_dont_use(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_append(o->logic.dont_use.glob, &o->logic.dont_use.n, LIBERTY_GLOBS, name, v, err);
}

static int take_clock(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_real(name, v, 100, &o->logic.clock_ghz, err);
}

static int take_sram(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  return cli_real(name, v, 1000, &o->logic.sram_ns, err);
}

static int take_jobs(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  uint32_t n = 0;
  int rc = take_number(name, v, 1, 64, &n, err);
  o->logic.jobs = n;
  return rc;
}

static int take_abc(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  static const char *const words[] = {"speed", "stock"};
  int i = take_word(name, v, words, 2, err);
  o->logic.stock = i == 1;
  return i < 0 ? -1 : 0;
}

static int take_no_logic(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  (void)name;
  (void)v;
  (void)err;
  o->logic.on = false;
  return 0;
}

static int take_place_seconds(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  uint32_t n = 0;
  int rc = take_number(name, v, 1, 86400, &n, err);
  o->logic.place_seconds = n;
  return rc;
}

static int take_fpga(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  static const char *const words[] = {"ice40"};
  o->logic.fpga = take_word(name, v, words, 1, err) == 0;
  return o->logic.fpga ? 0 : -1;
}

static int take_no_prove(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  (void)name;
  (void)v;
  (void)err;
  o->logic.prove = 0;
  return 0;
}

static int take_prove_seconds(void *self, const char *name, const char *v, mrpb_err_t *err) {
  estimate_options_t *o = self;
  uint32_t n = 0;
  const int rc = take_number(name, v, 1, 100000, &n, err);
  o->logic.prove = n;
  return rc;
}

/* The options of estimate_open, and the single module that replaces a configuration. */
typedef struct {
  estimate_options_t o; /* must be first: the functions that take options get a pointer to it */
  const char *module;
  own_args_t own; /* a design of the user's */
} args_t;

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->module, v, "one module at a time", err);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_TAKE(take_config, "-c", "FILE", "the configuration (Base-S)"),
    CLI_MANY(take_set, "--set", "KEY=VALUE", "a key of it, or a size of MODULE"),
    CLI_MANY(take_vary, "--vary", "KEY=V1,V2,...",
             "alternatives side by side; several: every combination, at most 16"),
    CLI_TAKE(take_out, "-o", "DIR", "folder for all output (build/estimate/<configuration>)"),
    CLI_TEXT(args_t, o.cacti.binary, "--cacti", "BINARY",
             "CACTI 6.5 or 7.0, run on every SRAM and CAM (none)"),
    CLI_TAKE(take_node, "--node", "NM", "CACTI: technology, 22 to 90, with 6.5 from 32 (45)"),
    CLI_TAKE(take_temperature, "--temperature", "K", "CACTI: 300 to 400 in steps of 10 (350)"),
    CLI_TAKE(take_cell, "--cell", "TYPE", "CACTI: itrs-hp, itrs-lstp or itrs-lop (itrs-hp)"),
    CLI_TAKE(take_bus, "--bus", "BITS",
             "CACTI: data bus, 8 to 1024, at most a word (a word; caches 256)"),
    CLI_TAKE(take_ports, "--ports", "split|dual",
             "CACTI: accesses of a cycle share a port, or not (split)"),
    CLI_TAKE(take_ecc, "--ecc", "on|off", "CACTI: error correction bits (on)"),
    CLI_TAKE(take_seconds, "--cacti-seconds", "N", "CACTI: limit of one run, 1 to 3600 (60)"),
    CLI_TAKE(take_run, "--kernel", "NAME",
             "activity: of this program, run for every alternative (none)"),
    CLI_TAKE(take_run, "--cut", "N", "and what follows: as for `mrpb run`"),
    CLI_TAKE(take_run, "--size", "N", ""),
    CLI_TAKE(take_run, "--steps", "N", ""),
    CLI_TAKE(take_run, "--model", "A|B|C", ""),
    CLI_TAKE(take_run, "--acc-reload", NULL, ""),
    CLI_TAKE(take_run, "--trace", "FILE", "activity: of a recorded trace"),
    CLI_TAKE(take_run, "--ptx", "FILE",
             "activity: of your own kernel; --grid to --tex as for `mrpb run`"),
    CLI_TAKE(take_run, "--grid", "X[,Y[,Z]]", ""),
    CLI_TAKE(take_run, "--block", "X[,Y[,Z]]", ""),
    CLI_TAKE(take_run, "--regs", "N", ""),
    CLI_TAKE(take_run, "--shared", "N", ""),
    CLI_MANY(take_run, "--arg", "A", ""),
    CLI_MANY(take_run, "--tex", "N:NAME", ""),
    CLI_TAKE(take_run, "--activity-sm", "N", "activity: which SM (1)"),
    CLI_TAKE(take_run, "--impl", "UNIT=both,...",
             "activity: counted in C model and Verilog, which must agree"),
    CLI_TAKE(take_run, "--vcd", "FILE",
             "activity: a wave of the same run, of cycles --from to --to"),
    CLI_TAKE(take_run, "--from", "N", ""),
    CLI_TAKE(take_run, "--to", "N", ""),
    CLI_TAKE(take_activity, "--activity", "DIR",
             "activity: from an earlier run with `mrpb run --activity DIR`"),
    CLI_MANY(take_liberty, "--liberty", "FILE[,FILE...]",
             "logic: a library of cells, of one file or several (Debian's OSU018)"),
    CLI_MANY(take_corner, "--corner", "FILE[,FILE...]",
             "logic: the same cells at another corner, in which the same netlists are timed"),
    CLI_MANY(take_dont_use, "--dont-use", "GLOB", "logic: cells that no netlist may have"),
    CLI_TAKE(take_clock, "--clock", "GHZ", "logic: the clock to close at (CLOCK_SM)"),
    CLI_TAKE(take_input, "--input-delay", "NS", "logic: outside, before every input (not stated)"),
    CLI_TAKE(take_output, "--output-delay", "NS",
             "logic: outside, behind every output (not stated)"),
    CLI_TAKE(take_uncertainty, "--uncertainty", "NS", "logic: of the clock (not stated)"),
    CLI_TAKE(take_l1, "--l1-answer", "NS",
             "logic: the time of the MRPB's L1 for its answer (not stated)"),
    CLI_TAKE(take_wire, "--wire", "FF", "logic: wire at each sink, for a second column (0.7)"),
    CLI_TAKE(take_utilisation, "--utilisation", "SHARE",
             "logic: of a placed area, the cells' share, up to 1 (0.7)"),
    CLI_FLAG(args_t, o.energy, "--energy",
             "logic: energy of each event, and of the run by events (docs/estimate/energy.md)"),
    CLI_TAKE(take_abc, "--abc", "speed|stock",
             "logic: ABC's script: for speed, or Yosys' own (speed)"),
    CLI_TAKE(take_sram, "--sram-access", "NS",
             "logic: read access of the memories (CACTI's, else not known)"),
    CLI_TEXT(args_t, o.logic.sram_lib, "--sram-lib", "FILE[,FILE...]",
             "logic: Liberty files of memory macros, for area and access (none)"),
    CLI_TEXT(args_t, o.logic.rtl, "--rtl", "DIR", "logic: another folder of Verilog"),
    CLI_LIST(args_t, own.design.list, own.design.n_lists, DESIGN_LISTS, "-f", "FILE",
             "your own design: a list of its Verilog files (docs/estimate/own.md)"),
    CLI_LIST(args_t, own.design.word, own.design.n_words, DESIGN_WORDS, CLI_VERILOG, "...",
             "your files, +define+NAME[=VALUE], +incdir+DIR: as in a list"),
    CLI_TEXT(args_t, own.design.top, "--top", "NAME", "your module in them"),
    CLI_TEXT(args_t, own.design.map, "--map", "FILE", "maps its ports and registers to MODULE's"),
    CLI_LIST(args_t, own.clock, own.n_clocks, SYNTH_CLOCKS, "--clock-port", "NAME",
             "your design: an input that is its clock (found)"),
    CLI_LIST(args_t, own.memory, own.n_memories, OWN_MEMORIES, "--memory", "ARRAY|none",
             "your design: an array that becomes a macro (by its ports and bits)"),
    CLI_TAKE(take_jobs, "--jobs", "N", "logic: modules at a time, 1 to 64 (2)"),
    CLI_FLAG(args_t, o.logic.study, "--study",
             "logic: policies, depths, queues and tables side by side, with noise (long)"),
    CLI_TEXT(args_t, o.logic.check, "--check", "FILE",
             "no report: compares modules with recorded figures; exit 1 if they differ"),
    CLI_TEXT(args_t, o.logic.record, "--record", "FILE",
             "no report: writes the figures of FILE's modules anew"),
    CLI_FLAG(args_t, o.logic.place, "--place",
             "a module: placed and routed with qflow and OSU018: area, wires, period (minutes)"),
    CLI_TAKE(take_place_seconds, "--place-seconds", "N",
             "its time limit and that of --fpga, 1 to 86400 (1800)"),
    CLI_TAKE(take_fpga, "--fpga", "ice40",
             "a module: LUTs, flip-flops, block RAMs and MHz in an iCE40 HX8K"),
    CLI_TAKE(take_no_prove, "--no-prove", NULL, "logic: the netlists are not proved"),
    CLI_TAKE(take_prove_seconds, "--prove-seconds", "N",
             "logic: limit of each question of a netlist's proof (30)"),
    CLI_TAKE(take_no_logic, "--no-logic", NULL, "no Yosys, ABC and OpenSTA"),
};

/* Records or checks figures instead of writing a report. */
static int baseline(estimate_options_t *o, FILE *out, mrpb_err_t *err) {
  char program[CLI_COMMAND];
  baseline_verdict_t verdict = BASELINE_HOLDS;
  int rc;
  cli_program(program);
  o->logic.prove = 0;
  if (o->logic.record)
    rc = baseline_record(o->logic.record, &o->logic, out, err);
  else
    rc = baseline_check(o->logic.check, &o->logic, program, out, &verdict, err);
  if (rc == LOGIC_STOPPED) return CLI_INTERRUPTED;
  if (rc != 0) return CLI_USAGE;
  return verdict == BASELINE_HOLDS ? CLI_OK : CLI_DIFFERENT;
}

/* Whether the options are those of a single module. */
static bool alone(const estimate_options_t *o) {
  estimate_options_t usual;
  estimate_defaults(&usual);
  const cacti_options_t *c = &o->cacti, *u = &usual.cacti;
  const bool cacti = c->node != u->node || c->temperature != u->temperature || c->cell != u->cell ||
                     c->bus != u->bus || c->dual != u->dual || c->ecc != u->ecc ||
                     c->seconds != u->seconds;
  return !(cacti || o->config || o->n_varies || o->out || o->n_run || o->activity ||
           o->cacti.binary || o->logic.study || o->logic.check || o->logic.record);
}

/* The options of logic for what has no configuration: its clock is that of the default one. */
static logic_options_t clocked(const estimate_options_t *o) {
  config_t machine;
  config_defaults(&machine);
  logic_options_t logic = o->logic;
  if (logic.clock_ghz <= 0) logic.clock_ghz = machine.clock_sm / 1e3;
  return logic;
}

/* Estimates a design of the user's. */
static int own_design(args_t *a, FILE *out, mrpb_err_t *err) {
  const module_class_t *cls = a->module ? sizes_module(a->module, err) : NULL;
  if (a->module && !cls) return CLI_USAGE;
  if (!alone(&a->o) || !a->o.logic.on)
    return mrpb_fail(err, "a design of yours (-f, --top, --map): legal with it: MODULE -m --set "
                          "--clock-port --memory --abc --jobs, and the options of logic from "
                          "--liberty to --sram-lib"),
           CLI_USAGE;
  a->own.set = a->o.set;
  a->own.n_sets = a->o.n_sets;
  const logic_options_t logic = clocked(&a->o);
  const int rc = own_estimate(&a->own, cls, &logic, out, err);
  return rc == LOGIC_STOPPED ? CLI_INTERRUPTED : rc == 0 ? CLI_OK : CLI_USAGE;
}

/* Estimates one module. */
static int one_module(const args_t *a, FILE *out, mrpb_err_t *err) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  const estimate_options_t *o = &a->o;
  const module_class_t *cls = sizes_module(a->module, err);
  if (!cls) return CLI_USAGE;
  if (!alone(o))
    return mrpb_fail(err,
                     "%s: legal with a module: -m --set --abc --rtl --no-logic --energy --no-prove "
                     "--prove-seconds --place --place-seconds --fpga, and the options of logic "
                     "from --liberty to --sram-lib",
                     a->module),
           CLI_USAGE;
  if (!o->logic.on && (o->logic.place || o->logic.fpga))
    return mrpb_fail(err, "--no-logic: legal: without --place and --fpga"), CLI_USAGE;
  module_defaults(cls, cfg);
  for (unsigned i = 0; i < o->n_sets; i++)
    if (sizes_set(cls, cfg, o->set[i], err) != 0) return CLI_USAGE;
  if (o->energy && !energy_module(cls->stem))
    return mrpb_fail(err, "--energy: legal with mrpb, mshr and prt"), CLI_USAGE;
  const logic_options_t logic = clocked(o);
  int rc = alone_estimate(cls, cfg, &logic, out, err);
  if (rc == 0 && o->energy && logic.on) rc = energy_alone(cls, cfg, &logic, out, err);
  return rc == LOGIC_STOPPED ? CLI_INTERRUPTED : rc == 0 ? CLI_OK : CLI_USAGE;
}

/* Does what needs no configuration; false if nothing of that kind is asked for. */
static bool write_page(args_t *a, FILE *out, int *rc, mrpb_err_t *err) {
  if (design_given(&a->own.design))
    *rc = own_design(a, out, err);
  else if (a->own.n_clocks || a->own.n_memories)
    *rc = (mrpb_fail(err, "--clock-port and --memory: legal: for a design of yours (-f, --top)"),
           CLI_USAGE);
  else if (a->module)
    *rc = one_module(a, out, err);
  else if (a->o.logic.check || a->o.logic.record)
    *rc = baseline(&a->o, out, err);
  else
    return false;
  return true;
}

/* The same on standard output, where nothing appears if it fails. */
static bool without_configuration(args_t *a, int *rc, mrpb_err_t *err) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = memory_file(&text, &size);
  const bool asked = !out || write_page(a, out, rc, err);
  if ((!out || fclose(out) != 0) && asked)
    *rc = (mrpb_fail(err, "out of memory"), CLI_USAGE);
  else if (asked && (*rc == CLI_OK || *rc == CLI_DIFFERENT))
    fwrite(text, 1, size, stdout);
  free(text);
  return asked;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  estimate_t *e = calloc(1, sizeof *e);
  if (!e) return mrpb_fail(&err, "out of memory"), cli_fail("estimate", &err);
  args_t a = {.module = NULL};
  estimate_defaults(&a.o);
  a.o.stop = a.o.logic.stop = cli_signalled;
  a.o.logic.on = true;
  a.o.logic.prove = PROOF_SECONDS;
  int rc = cli_parse(&cmd_estimate, &a, argc, argv, &err);
  e->opt = a.o;
  if (rc == 0 && (a.o.logic.place || a.o.logic.fpga) && (!a.module || design_given(&a.own.design)))
    rc = mrpb_fail(&err, "--place, --fpga: legal: with a module, `estimate MODULE --place`");
  const bool helped = rc == CLI_HELPED;
  if (helped || (rc == 0 && without_configuration(&a, &rc, &err))) {
    if (helped) rc = CLI_OK;
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

const cli_command_t cmd_estimate = {
    .name = "estimate",
    .operands = "[MODULE]",
    .doc = "storage, logic, timing and activity of a configuration",
    .details =
        "Writes DIR/report.md, DIR/estimate.json and the files behind them: docs/estimate/. "
        "Exit 0 success, 1 figures\ndiffer (--check), 2 wrong input or a missing or failed tool, "
        "130 Ctrl-C.\nWith MODULE: its registers, area and longest paths, on standard output. With "
        "a design of yours\n(-f, FILE.sv): the same of it, beside MODULE's.",
    CLI_OPTIONS(options),
    .operand = take_module,
    .run = run,
};
