/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb cosim: C model against Verilog, every output and register in every cycle. */
#include "cli/cli.h"
#include "base/sizes.h"
#include "cosim/mapped.h"
#include "cosim/matrix.h"
#include "cosim/regress.h"
#include "base/files.h"
#include "verilog/build.h"
#include "cosim/run.h"
#include "cosim/tally.h"
#include "cosim/vcd/vcd_replay.h"
#include "cosim/vectors/vectors.h"
#include "cosim/lockstep/wave.h"
#include "cosim/witnesses.h"
#include "base/json_out.h"
#include "base/output.h"
#include "base/hang.h"
#include "base/waves/gtkw.h"
#include "base/waves/wave_file.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_SETS = 64, MAX_MODULES = 64 };

typedef struct {
  cosim_job_t job;
  rtl_from_t from;
  cells_t cells;
  mapped_netlist_t gates; /* of cells */
  const char *modules[MAX_MODULES], *sets[MAX_SETS], *matrix, *save_file;
  unsigned n_modules, n_sets;
  const char *record, *replay, *with, *vcd_in, *tallied;
  vcd_choice_t choice; /* scope and clock of vcd_in */
  uint64_t jobs, hang;
  bool no_shrink, crosses;
  const char *json;
  json_t *runs; /* results of each module's run; NULL: not asked for */
} args_t;

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_append(a->sets, &a->n_sets, MAX_SETS, name, v, err);
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_append(a->modules, &a->n_modules, MAX_MODULES, "module", v, err);
}

static int take_liberty(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_append(a->cells.liberty, &a->cells.n_liberties, CELLS_LIBERTIES, name, v, err);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_MANY(take_set, "--set", "PARAMETER=VALUE", "a size of the module"),
    CLI_NUMBER(args_t, job.seed, "--seed", 0, UINT64_MAX, "seed of the stimulus (1)"),
    CLI_NUMBER(args_t, job.cycles, "--cycles", 1, UINT64_MAX, "cycles of stimulus (1000000)"),
    CLI_RTL(args_t, from),
    CLI_TEXT(args_t, cells.netlist, "--netlist", "FILE",
             "a netlist of library cells in place of the Verilog; its outputs are compared"),
    CLI_MANY(take_liberty, "--liberty", "FILE[,FILE...]", "with --netlist: what its cells do"),
    CLI_TEXT(args_t, job.vcd, "--vcd", "FILE",
             "a wave of the cycles around the first difference, or of the last ones, with its "
             ".gtkw file; FST if FILE ends in .fst"),
    CLI_FLAG(args_t, job.list_bins, "--bins", "how often each situation occurred"),
    CLI_TEXT(args_t, record, "--record", "FILE|DIR", "the stimulus as a vector file"),
    CLI_TEXT(args_t, replay, "--replay", "FILE", "replays such a file through the witnesses"),
    CLI_TEXT(args_t, with, "--with", "c,verilator,icarus", "the witnesses"),
    CLI_TEXT(args_t, vcd_in, "--vcd-in", "FILE",
             "your simulator's wave (VCD, FST) of the module: its inputs through the C model, its "
             "outputs compared; of your design (--map): through both"),
    CLI_TEXT(args_t, choice.scope, "--scope", "PATH", "the module's scope in that wave"),
    CLI_TEXT(args_t, choice.clock, "--clock", "NAME", "its clock in that wave"),
    CLI_TEXT(args_t, matrix, "--matrix", "FILE", "one module and its sizes per line"),
    CLI_NUMBER(args_t, jobs, "--jobs", 1, 64, "lines run in parallel (1)"),
    CLI_NUMBER(args_t, hang, "--hang", 1, 86400,
               "seconds that one cycle of a side may take, else exit 4 (60)"),
    CLI_TEXT(args_t, job.tally, "--tally", "DIR",
             "adds the crosses that were hit to the counts in DIR"),
    CLI_TEXT(args_t, tallied, "--tallied", "DIR", "only judges the counts in DIR"),
    CLI_FLAG(args_t, crosses, "--crosses", "the crosses and their unreachable cells, as Markdown"),
    CLI_TEXT(args_t, job.lines, "--line-coverage", "DIR", "line coverage of the Verilog"),
    CLI_JSON(args_t, json, "the results of the runs"),
    CLI_FLAG(args_t, no_shrink, "--no-shrink", "reports a mismatch without shrinking it"),
    CLI_TEXT(args_t, job.regress, "--regress", "DIR",
             "folder for the shrunk case of a mismatch (build/cases)"),
    CLI_TEXT(args_t, save_file, "--save-file", "FILE",
             "only writes the module's GTKWave save file"),
};

/* Checks which options may be combined. */
static const cli_rule_t rules[] = {
    {"--with", "--replay --vcd-in", NULL, "--with is for --replay and --vcd-in"},
    {"--json", NULL, "--matrix --tallied --crosses --save-file",
     "--json needs a run; legal: with modules, --replay or --vcd-in"},
};

static int check_options(const args_t *a, mrpb_err_t *err) {
  const char *const files[] = {a->job.vcd, a->record, a->save_file, a->json,
                               a->replay,  a->vcd_in, a->matrix};
  if (cli_apart(files, 4, sizeof files / sizeof *files, err) != 0) return -1;
  const bool one = a->n_modules == 1 && strcmp(a->modules[0], "all") != 0;
  if (!a->cells.netlist != !a->cells.n_liberties)
    return mrpb_fail(err, "--netlist FILE needs --liberty FILE, and --liberty needs --netlist");
  if (a->cells.netlist && (!one || rtl_given(&a->from) || a->replay || a->vcd_in || a->matrix))
    return mrpb_fail(err, "--netlist is for one module; legal with it: --set --seed --cycles "
                          "--liberty --vcd --bins --record --json --no-shrink --regress --hang");
  if ((a->choice.scope || a->choice.clock) && !a->vcd_in)
    return mrpb_fail(err, "--scope and --clock are for --vcd-in");
  if (a->vcd_in && (!one || a->replay || a->matrix || a->save_file || a->job.list_bins))
    return mrpb_fail(err, "--vcd-in takes one module; legal with it: --scope --clock --set --vcd "
                          "--record --with --rtl");
  if (design_given(&a->from.design) && !one && !a->replay && !a->vcd_in)
    return mrpb_fail(err, "-f, --top and --map are for one module");
  if (a->vcd_in && a->from.dir && !a->with && !design_given(&a->from.design))
    return mrpb_fail(err, "--rtl with --vcd-in needs --with");
  if (a->replay && (a->n_modules || a->n_sets || a->matrix || a->save_file || a->record))
    return mrpb_fail(err, "--replay takes module and sizes from its file; legal with it: --with "
                          "--rtl --vcd");
  if (a->matrix && (a->n_modules || a->n_sets || a->job.vcd || a->save_file || a->record))
    return mrpb_fail(err,
                     "--matrix takes modules and sizes from its file; legal with it: --jobs --seed "
                     "--cycles --rtl --tally --bins --no-shrink --regress");
  if (a->tallied && (a->n_modules || a->matrix || a->replay))
    return mrpb_fail(err, "--tallied only judges its folder; legal: no other option");
  if (!a->matrix && !a->replay && !a->tallied && !a->crosses && a->n_modules == 0)
    return mrpb_fail(err, "no module given; `mrpb cosim --help`");
  if ((a->job.vcd || a->save_file) && !one && !a->replay)
    return mrpb_fail(err, "--vcd and --save-file take one module");
  return 0;
}

static int prepare(cosim_job_t *job, const args_t *a, const char *name, mrpb_err_t *err) {
  *job = a->job;
  job->cls = sizes_module(name, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  for (unsigned i = 0; i < a->n_sets; i++) {
    mrpb_err_t why = {""};
    if (sizes_set(job->cls, job->cfg, a->sets[i], &why) != 0)
      return mrpb_fail(err, "--set %s", why.text);
  }
  return job->cls->check(job->cfg, err);
}

/* The file for --record with a folder: DIR/<module>.vec. */
static int record_name(const args_t *a, const char *stem, char path[CLI_COMMAND], mrpb_err_t *err) {
  struct stat st;
  bool folder = stat(a->record, &st) == 0 && S_ISDIR(st.st_mode);
  int n = folder ? snprintf(path, CLI_COMMAND, "%s/%s.vec", a->record, stem)
                 : snprintf(path, CLI_COMMAND, "%s", a->record);
  if (n < 0 || n >= CLI_COMMAND)
    return mrpb_fail(err, "--record %.60s...: name too long", a->record);
  if (!folder && (a->n_modules > 1 || strcmp(a->modules[0], "all") == 0))
    return mrpb_fail(err, "--record %s: legal for several modules: a folder that exists",
                     a->record);
  return vectors_check_name(path, err);
}

/* Adds the result of a run to the others. */
static void add_run(args_t *a, json_t *run, int rc) {
  if (!a->json) return;
  if (rc > COSIM_DIFFERENT) {
    json_decref(run);
    return;
  }
  const char *verdict = rc == COSIM_MATCHED                  ? "matched"
                        : json_object_get(run, "difference") ? "different"
                        : json_object_get(run, "pairs")      ? "different"
                                                             : "failed";
  json_out_set(&run, "verdict", json_string(verdict));
  json_out_append(&a->runs, run);
}

/* Writes the results. Returns 0, or -1 and a message. */
static int write_runs(args_t *a, mrpb_err_t *err) {
  json_t *root = json_object();
  json_out_set(&root, "runs", a->runs);
  a->runs = NULL;
  const int rc = root ? cli_write_json(a->json, root, err)
                      : mrpb_fail(err, "%s: out of memory; nothing was written", a->json);
  json_decref(root);
  return rc;
}

/* Runs all modules of the command line. The first failure decides the exit code; the others still
 * run. */
static int run_modules(args_t *a, rtl_env_t *env) {
  const char *names[MAX_MODULES];
  unsigned n = 0;
  int worst = CLI_OK;
  if (strcmp(a->modules[0], "all") == 0)
    for (; module_class_at(n) && n < MAX_MODULES; n++) names[n] = module_class_at(n)->stem;
  else
    for (; n < a->n_modules; n++) names[n] = a->modules[n];
  for (unsigned i = 0; i < n; i++) {
    cosim_job_t job;
    mrpb_err_t err = {""};
    char path[CLI_COMMAND];
    json_t *shown = NULL;
    int rc = prepare(&job, a, names[i], &err);
    if (rc == 0 && a->record && (rc = record_name(a, names[i], path, &err)) == 0) job.record = path;
    if (rc == 0) rc = rtl_env_check_module(env, job.cls, &err);
    if (a->json) job.result = &shown;
    rc = rc == 0 ? cosim_run(&job, env, &err) : CLI_USAGE;
    if (err.text[0]) cli_fail("cosim", &err);
    add_run(a, shown, rc);
    if (worst == CLI_OK) worst = rc;
    if (rc == COSIM_INTERRUPTED) return rc;
  }
  return worst;
}

static int save_file(const char *path, const cosim_job_t *job, mrpb_err_t *err) {
  int rc = wave_save_file(path, NULL, job->cls, job->cfg, NULL, err);
  return rc == GTKW_KEPT ? mrpb_fail(err, "%s was saved by GTKWave and is left unchanged", path)
                         : rc;
}

/* Reports errors of the command line before any tool is looked for. */
static int check_modules(const args_t *a, mrpb_err_t *err) {
  char path[CLI_COMMAND];
  for (unsigned i = 0; i < a->n_modules; i++) {
    cosim_job_t job;
    if (strcmp(a->modules[i], "all") != 0 && prepare(&job, a, a->modules[i], err) != 0) return -1;
    if (strcmp(a->modules[i], "all") == 0 && (a->n_modules > 1 || a->n_sets))
      return mrpb_fail(
          err,
          "'all' is every module with its default sizes; legal with it: no other module, no --set");
    if (a->record && record_name(a, a->modules[i], path, err) != 0) return -1;
    if (a->save_file) return save_file(a->save_file, &job, err);
  }
  return 0;
}

static int run_replay(args_t *a, rtl_env_t *env, mrpb_err_t *err) {
  json_t *shown = NULL;
  witnesses_job_t job = {
      .file = a->replay, .vcd = a->job.vcd, .program = a->job.program, .out = stdout};
  if (a->json) job.result = &shown;
  if (witnesses_parse(&job, a->with ? a->with : "c,verilator", err) != 0) return CLI_USAGE;
  const int rc = witnesses_run(&job, env, err);
  add_run(a, shown, rc);
  return rc;
}

/* Marks the parameters that the user has set: the dump's must be equal. */
static void mark_given(const args_t *a, const module_class_t *cls, bool given[MODULE_MAX_PARAMS]) {
  for (unsigned i = 0; i < a->n_sets; i++)
    for (unsigned p = 0; p < cls->n_params; p++) {
      size_t n = strlen(cls->params[p].name);
      if (strncmp(a->sets[i], cls->params[p].name, n) == 0 && a->sets[i][n] == '=') given[p] = true;
    }
}

/* Runs a VCD's stimulus through the witnesses. For a design they also write the wave. With `env`
 * NULL one is opened. */
static int ask_witnesses(args_t *a, const vcd_replay_t *job, vectors_t *v, rtl_env_t *env,
                         mrpb_err_t *err) {
  char command[CLI_COMMAND], repeat[8 * CLI_COMMAND];
  rtl_env_t *own = NULL;
  json_t *shown = NULL;
  const char *with = a->with ? a->with : "c,verilator";
  vcd_replay_command(job, command, sizeof command);
  witnesses_job_t ask = {.file = a->vcd_in,
                         .vectors = v,
                         .repeat = repeat,
                         .vcd = job->design ? a->job.vcd : NULL,
                         .program = a->job.program,
                         .out = stdout};
  if (a->json) ask.result = &shown;
  if (witnesses_parse(&ask, with, err) != 0) return CLI_USAGE;
  int rc = env ? RTL_OK : rtl_env_open(&own, &a->from, cli_progress(), err);
  if (rc == RTL_OK) {
    snprintf(repeat, sizeof repeat, "%s --with %s%s", command, with,
             rtl_env_options(env ? env : own));
    rc = witnesses_run(&ask, env ? env : own, err);
    add_run(a, shown, rc);
  }
  rtl_env_close(own);
  return rc;
}

/* Replays the stimulus, then asks the witnesses. `env` NULL: the dump is of one of this project's
 * modules. */
static int replay_vcd(args_t *a, vcd_replay_t *job, rtl_env_t *env, mrpb_err_t *err) {
  vectors_t v = {.cls = NULL};
  json_t *shown = NULL;
  if (a->json && !env) job->result = &shown; /* for a design the witnesses decide */
  int rc = vcd_replay_run(job, a->record || a->with || env ? &v : NULL, err);
  if (shown) add_run(a, shown, rc);
  if (a->record && rc <= COSIM_DIFFERENT && vectors_write(&v, a->record, err) != 0)
    rc = COSIM_BAD_INPUT;
  if ((a->with || env) && rc <= COSIM_DIFFERENT) {
    int said = ask_witnesses(a, job, &v, env, err);
    if (said != COSIM_MATCHED) rc = said;
  }
  vectors_free(&v);
  return rc;
}

/* Replays the dump of a design; its map says which of its signals are our inputs. */
static int replay_design(args_t *a, vcd_replay_t *job, mrpb_err_t *err) {
  rtl_env_t *env = NULL;
  rtl_source_t source = {.made = NULL};
  if (a->job.vcd && wave_probe("--vcd", a->job.vcd, err) != 0) return CLI_USAGE;
  int rc = rtl_env_open(&env, &a->from, cli_progress(), err);
  if (rc == RTL_OK) rtl_env_set_patience(env, (unsigned)a->hang);
  if (rc == RTL_OK && rtl_env_check_module(env, job->cls, err) != 0) rc = CLI_USAGE;
  if (rc == RTL_OK) rc = rtl_source_open(&source, env, job->cls, job->cfg, RTL_TEXT, err);
  if (rc == RTL_OK) {
    job->design = &source.made->bind;
    rc = replay_vcd(a, job, env, err);
  }
  rtl_source_close(&source);
  rtl_env_close(env);
  return rc;
}

static int run_vcd(args_t *a, mrpb_err_t *err) {
  cosim_job_t sizes;
  const bool design = design_given(&a->from.design);
  if (prepare(&sizes, a, a->modules[0], err) != 0) return cli_fail("cosim", err);
  vcd_replay_t job = {.cls = sizes.cls,
                      .choice = a->choice,
                      .path = a->vcd_in,
                      .vcd = design ? NULL : a->job.vcd,
                      .program = a->job.program,
                      .out = stdout,
                      .stop = a->job.stop};
  memcpy(job.cfg, sizes.cfg, sizeof job.cfg);
  mark_given(a, job.cls, job.choice.given);
  int rc = design ? replay_design(a, &job, err) : replay_vcd(a, &job, NULL, err);
  if (err->text[0]) cli_fail("cosim", err);
  return rc;
}

static int run_all(args_t *a, mrpb_err_t *err) {
  char folder[FILES_PATH];
  rtl_env_t *env = NULL;
  int rc = rtl_env_open(&env, &a->from, a->matrix ? NULL : cli_progress(), err);
  /* Report a folder that cannot be written before a run of minutes. */
  if (rc == RTL_OK && ((a->job.tally && output_folder(a->job.tally, err) != 0) ||
                       (a->job.lines && output_folder(a->job.lines, err) != 0)))
    rc = CLI_USAGE;
  if (rc == RTL_OK) {
    rtl_env_set_patience(env, (unsigned)a->hang);
    if (!a->job.regress && regress_folder(env, folder)) a->job.regress = folder;
    if (a->job.lines) rtl_env_count_lines(env);
    rc = a->replay   ? run_replay(a, env, err)
         : a->matrix ? matrix_run(a->matrix, &a->job, (unsigned)a->jobs, env, err)
                     : run_modules(a, env);
  }
  if (err->text[0]) cli_fail("cosim", err);
  rtl_env_close(env);
  return rc;
}

/* A netlist becomes a design with a map. */
static int run_gates(args_t *a, mrpb_err_t *err) {
  cosim_job_t sizes;
  if (prepare(&sizes, a, a->modules[0], err) != 0) return cli_fail("cosim", err);
  int rc = mapped_netlist_open(&a->gates, &a->cells, sizes.cls, sizes.cfg, &a->from, err);
  if (rc != RTL_OK) cli_fail("cosim", err);
  if (rc == RTL_OK) rc = run_all(a, err);
  mapped_netlist_close(&a->gates);
  return rc;
}

static int run(int argc, char **argv) {
  args_t a = {.job = {.seed = 1, .cycles = 1000000, .out = stdout, .stop = cli_signalled},
              .jobs = 1,
              .hang = HANG_SECONDS};
  mrpb_err_t err = {""};
  char program[CLI_COMMAND];
  cli_program(program);
  a.job.program = program;
  int rc = cli_parse(&cmd_cosim, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  a.job.shrink = !a.no_shrink;
  if (rc != CLI_PARSED || check_options(&a, &err) != 0) return cli_fail("cosim", &err);
  if (wave_file_no_tool(a.job.vcd, &err)) return (void)cli_fail("cosim", &err), CLI_BAD_TOOL;
  if (check_modules(&a, &err) != 0) return cli_fail("cosim", &err);
  if (a.save_file) return CLI_OK;
  if (a.crosses) {
    tally_markdown(stdout);
    return CLI_OK;
  }
  if (a.tallied) {
    rc = tally_judge(a.tallied, stdout, &err);
    return err.text[0] ? cli_fail("cosim", &err) : rc;
  }
  if (a.json) a.runs = json_array();
  rc = a.vcd_in ? run_vcd(&a, &err) : a.cells.netlist ? run_gates(&a, &err) : run_all(&a, &err);
  if (a.json && rc <= CLI_DIFFERENT && write_runs(&a, &err) != 0) rc = cli_fail("cosim", &err);
  json_decref(a.runs);
  return rc;
}

const cli_command_t cmd_cosim = {
    .name = "cosim",
    .operands = "[MODULE...|all]",
    .doc = "compares the C model with the Verilog",
    .details =
        "Drives both with the same stimulus and compares every output before and every "
        "register after each "
        "clock edge.\nA mismatch is shrunk and kept. Exit 0 match, 1 mismatch, 2 wrong input, "
        "5 wrong tool.\n"
        "docs/cosim.md, docs/verify/replay.md, docs/verify/waves.md",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .operand = take_module,
    .run = run,
};
