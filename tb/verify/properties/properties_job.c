/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the job of one module at one size: copies the Verilog with its properties, runs Yosys and
 * yosys-smtbmc, and reads what they print. */
#include "base/output.h"
#include "base/seconds.h"
#include "base/process.h"
#include "base/files.h"
#include "verilog/build.h"
#include "verilog/design/verdict.h"
#include "verilog/lint/lint.h"
#include "base/names.h"
#include "base/sizes.h"
#include "verify/properties/properties.h"
#include "verify/properties/properties_aig.h"
#include "verify/properties/properties_copy.h"
#include "verify/properties/properties_design.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_LABELS = 128, LABEL = 64, NAMES = 512, PLAY_SECONDS = 600 };

typedef struct {
  const properties_line_t *line;
  const properties_setup_t *setup;
  char dir[FILES_PATH];
  char label[MAX_LABELS][LABEL]; /* asserts, then covers */
  unsigned n_asserts, n_invariants, n_labels;
  double start;
  rtl_source_t source;  /* for a user's design */
  char left_out[NAMES]; /* properties that are not checked */
  verdict_t seen;       /* what the other properties cover */
} job_t;

/* The result of a run of yosys-smtbmc. */
typedef struct {
  enum { SAID_NOTHING, SAID_PASSED, SAID_FAILED, SAID_TIMEOUT } status;
  unsigned step;     /* the last step searched */
  char names[NAMES]; /* asserts that failed, covers that were not reached */
} said_t;

/* ---- what is asked ---- */

/* Labels are lines "  name: assert (...": the property files keep to this form. */
static int read_labels(job_t *j, const char *path, bool covers, mrpb_err_t *err) {
  const char *kind = covers ? ": cover (" : ": assert (";
  char *text = files_read(path, NULL), *save = NULL;
  if (!text) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
    char *end = strstr(l, kind);
    while (isspace((unsigned char)*l)) l++;
    if (!end || l[0] == '/' || end - l >= LABEL || j->n_labels == MAX_LABELS) continue;
    snprintf(j->label[j->n_labels++], LABEL, "%.*s", (int)(end - l), l);
    if (covers) continue;
    j->n_asserts++;
    j->n_invariants += strncmp(l, "inv_", 4) == 0;
  }
  free(text);
  return 0;
}

static int check_only(const job_t *j, mrpb_err_t *err) {
  const char *only = j->setup->only;
  names_near_t near = names_near(only);
  for (unsigned i = 0; i < j->n_asserts; i++) {
    if (strcmp(j->label[i], only) == 0) return 0;
    names_offer(&near, j->label[i]);
  }
  return mrpb_fail(err, "%s has no property '%s'%s; `--names` lists them", j->line->module, only,
                   near.text);
}

/* ---- the script ---- */

/* `-nordff`: a memory's read port must not absorb the register of its address, which would be one
 * more piece of state about which nothing is known. */
static int write_script(const job_t *j, mrpb_err_t *err) {
  FILE *f = output_into(j->dir, "job.ys", err);
  if (!f) return -1;
  const int rc = j->source.made ? properties_design(&j->source, j->setup->cls, j->setup->root,
                                                    j->setup->constants, j->dir, f, err)
                                : properties_copy(j->setup, j->line, j->dir, f, err);
  if (rc != 0) {
    fclose(f);
    return -1;
  }
  if (j->setup->only) fprintf(f, "delete t:$assert n:%s %%d\n", j->setup->only);
  fputs("opt_clean\nmemory -nordff -nomap\nmemory_map\nopt -full\nasync2sync\ndffunmap\n"
        "check -assert\n",
        f);
  if (j->source.made) properties_aig_script_before(f);
  fputs("write_smt2 -wires job.smt2\n", f);
  if (j->source.made) properties_aig_script(j->setup->root, f);
  return output_into_end(f, false, j->dir, "job.ys", err);
}

/* ---- the tools ---- */

/* For a user's design the limit is ABC's, which decides; these tools only prepare, or replay a
 * trace. */
static unsigned limit(const job_t *j) {
  const unsigned seconds = j->setup->timeout;
  return j->source.made && seconds < PLAY_SECONDS ? PLAY_SECONDS : seconds;
}

/* Runs a tool in the job's folder with its time limit; returns process_status. */
static int tool(const job_t *j, const char *const *argv, const char *log) {
  char path[FILES_PATH];
  const process_t p = {.argv = argv, .folder = j->dir, .log = path, .seconds = limit(j)};
  return files_path(path, "%s/%s", j->dir, log) ? process_status(&p) : -1;
}

/* Takes Yosys' first "ERROR: ..." as the message. */
static int explain(const job_t *j, mrpb_err_t *err) {
  char path[FILES_PATH], *save = NULL;
  char *text = files_path(path, "%s/yosys.log", j->dir) ? files_read(path, NULL) : NULL;
  for (char *l = text ? strtok_r(text, "\n", &save) : NULL; l; l = strtok_r(NULL, "\n", &save)) {
    char *at = strstr(l, "ERROR: ");
    if (!at) continue;
    mrpb_fail(err, "%s %s: Yosys: %.*s%s", j->line->module, j->line->sizes, (int)(at - l), l,
              at + 7);
    free(text);
    return PROPERTIES_BAD_INPUT;
  }
  free(text);
  mrpb_fail(err, "%s %s: Yosys failed without a message", j->line->module, j->line->sizes);
  return PROPERTIES_BAD_TOOL;
}

/* To a newer Yosys (0.52) an assertion is a $check. lower.ys makes it an $assert of the same name,
 * which is what the older one (0.23) makes of it. */
static int write_lower(const job_t *j, mrpb_err_t *err) {
  static const char *const help[] = {"yosys", "-p", "help chformal", NULL};
  char path[FILES_PATH];
  char *text = tool(j, help, "chformal.log") == 0 && files_path(path, "%s/chformal.log", j->dir)
                   ? files_read(path, NULL)
                   : NULL;
  const bool lowers = text && strstr(text, "-lower");
  free(text);
  FILE *f = output_into(j->dir, "lower.ys", err);
  if (!f) return -1;
  if (lowers) fputs("chformal -lower\n", f);
  return output_into_end(f, false, j->dir, "lower.ys", err);
}

static int make_logic(const job_t *j, mrpb_err_t *err) {
  static const char *const yosys[] = {"yosys", "-q", "-s", "job.ys", NULL};
  char path[FILES_PATH];
  if (write_script(j, err) != 0) return PROPERTIES_BAD_INPUT;
  if (write_lower(j, err) != 0) return PROPERTIES_BAD_TOOL;
  int status = tool(j, yosys, "yosys.log");
  if (status == PROCESS_TOO_LATE) {
    mrpb_fail(err, "%s %s: Yosys took more than %u s", j->line->module, j->line->sizes, limit(j));
    return PROPERTIES_UNDECIDED;
  }
  if (status == PROCESS_NOT_RUN || status == PROCESS_NOT_FOUND) {
    mrpb_fail(err, "yosys: not found; the packages needed are in configs/packages.txt");
    return PROPERTIES_BAD_TOOL;
  }
  if (status != 0 || !files_path(path, "%s/job.smt2", j->dir) || !files_exists(path))
    return explain(j, err);
  return properties_aig_map(j->dir, err);
}

static void add_name(said_t *said, const char *name) {
  size_t n = strcspn(name, " .\n"), at = strlen(said->names);
  char one[LABEL];
  snprintf(one, sizeof one, "%.*s", (int)n, name);
  if (strstr(said->names, one) || at + n + 2 >= NAMES) return;
  snprintf(said->names + at, NAMES - at, "%s%s", at ? " " : "", one);
}

static void read_log(const job_t *j, const char *log, int status, said_t *said) {
  char path[FILES_PATH], *save = NULL, *at;
  char *text = files_path(path, "%s/%s", j->dir, log) ? files_read(path, NULL) : NULL;
  *said = (said_t){.status = status == PROCESS_TOO_LATE ? SAID_TIMEOUT : SAID_NOTHING};
  for (char *l = text ? strtok_r(text, "\n", &save) : NULL; l; l = strtok_r(NULL, "\n", &save)) {
    if (strstr(l, "Status: PASSED") && status == 0) said->status = SAID_PASSED;
    if (strstr(l, "Status: FAILED") && status == 1) said->status = SAID_FAILED;
    if ((at = strstr(l, "in step "))) said->step = (unsigned)strtoul(at + 8, NULL, 10);
    if (strstr(l, "Assert failed in ") && (at = strstr(strstr(l, "failed in "), ": ")))
      add_name(said, at + 2);
    if ((at = strstr(l, "Unreached cover statement at "))) /* newer versions: MODULE: NAME */
      add_name(said, strstr(at, ": ") ? strstr(at, ": ") + 2 : at + 29);
  }
  free(text);
}

/* `steps` as for -t; `more` are further options. Neither the exit code nor the text alone
 * decides. */
static int ask(const job_t *j, const char *steps, const char *more[2], const char *name,
               said_t *said, mrpb_err_t *err) {
  char log[32], vcd[32], path[FILES_PATH];
  const char *argv[16] = {"yosys-smtbmc", "-s",         "z3", "--noprogress", "--unroll", "-t",
                          steps,          "--dump-vcd", vcd};
  unsigned n = 9;
  for (unsigned i = 0; i < 2 && more[i]; i++) argv[n++] = more[i];
  argv[n] = "job.smt2";
  snprintf(log, sizeof log, "%s.log", name);
  snprintf(vcd, sizeof vcd, "%s.vcd", name);
  int status = tool(j, argv, log);
  read_log(j, log, status, said);
  if (said->status != SAID_NOTHING) return PROPERTIES_HOLD;
  mrpb_fail(err, "%s %s: yosys-smtbmc ended with %d and no verdict: is z3 installed? (%s)",
            j->line->module, j->line->sizes, status,
            files_path(path, "%s/%s", j->dir, log) ? path : log);
  return PROPERTIES_BAD_TOOL;
}

/* kind: NULL bounded, "-i" induction, "-c" cover. */
static int ask_steps(const job_t *j, const char *kind, unsigned steps, const char *name,
                     said_t *said, mrpb_err_t *err) {
  char number[16];
  snprintf(number, sizeof number, "%u", steps);
  return ask(j, number, (const char *[2]){kind}, name, said, err);
}

/* Replays what ABC found in another program, which checks the trace and names what fails. */
static int ask_trace(const job_t *j, unsigned cycle, said_t *said, mrpb_err_t *err) {
  char steps[32];
  snprintf(steps, sizeof steps, "%u:%u", cycle, cycle + 1);
  const int rc = ask(j, steps, (const char *[2]){"--aig-noheader", "--aig=job.aim:job.aiw"},
                     "bounded", said, err);
  if (rc != PROPERTIES_HOLD || said->status != SAID_PASSED) return rc;
  return mrpb_fail(
             err,
             "%s %s: berkeley-abc names a trace that yosys-smtbmc does not confirm in cycle %u",
             j->line->module, j->line->sizes, cycle),
         PROPERTIES_BAD_TOOL;
}

/* ---- the verdict ---- */

static void row(const job_t *j, const char *verdict) {
  char what[PROPERTIES_STEM + PROPERTIES_SIZES + 1];
  snprintf(what, sizeof what, "%s %s", j->line->module, j->line->sizes);
  fprintf(j->setup->out, "%-76s %3u %4u  %-24s %6.1f\n", what, j->n_asserts - j->n_invariants,
          j->n_invariants, verdict, seconds_now() - j->start);
  if (j->left_out[0] && !j->setup->constants)
    fprintf(j->setup->out, "  left out, for outputs and registers that the map leaves out:%s\n",
            j->left_out);
  if (j->source.made && !j->setup->constants)
    verdict_write(&j->seen, j->setup->out, "", "  of the design");
  for (unsigned i = 0; j->setup->names && i < j->n_asserts; i++)
    fprintf(j->setup->out, "    %s\n", j->label[i]);
}

/* Moves a trace out of the scratch folder; `path` gets its new path, or "" if there is none. */
static void keep_trace(const job_t *j, const char *name, char *path) {
  char from[FILES_PATH];
  if (!files_path(from, "%s/%s.vcd", j->dir, name) ||
      !files_path(path, "%s/%s%s.vcd", j->setup->results, j->line->module,
                  strcmp(name, "induction") == 0 ? "-induction" : "") ||
      rename(from, path) != 0)
    path[0] = '\0';
}

static int refuted(const job_t *j, const said_t *said) {
  char path[FILES_PATH], sizes[PROPERTIES_SIZES], *save = NULL;
  FILE *out = j->setup->out;
  keep_trace(j, "bounded", path);
  row(j, "REFUTED");
  fprintf(out, "  fails   %s, in cycle %u\n", said->names, said->step);
  if (path[0]) fprintf(out, "  trace   %s (gtkwave)\n", path);
  if (j->setup->again) {
    fprintf(out, "  repeat  %s --prove --depth %u\n", j->setup->again, said->step + 1);
    return PROPERTIES_REFUTED;
  }
  fprintf(out, "  repeat  %s properties %s", j->setup->program, j->line->module);
  snprintf(sizes, sizeof sizes, "%s", j->line->sizes);
  for (char *p = strtok_r(sizes, " ", &save); p; p = strtok_r(NULL, " ", &save))
    fprintf(out, " --set %s", p);
  fprintf(out, " --depth %u --induction 0", said->step + 1);
  if (j->source.made)
    fprintf(out, "%s\n", rtl_env_options(j->setup->env));
  else
    fprintf(out, " --rtl %s\n", j->setup->rtl);
  return PROPERTIES_REFUTED;
}

static bool has_registers(const job_t *j) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/job.smt2", j->dir) ? files_read(path, NULL) : NULL;
  bool found = !text || strstr(text, "; yosys-smt2-register ");
  free(text);
  return found;
}

static int induction(const job_t *j, mrpb_err_t *err) {
  char path[FILES_PATH], verdict[48];
  said_t said;
  if (!has_registers(j)) {
    row(j, "proved (combinational)");
    return PROPERTIES_HOLD;
  }
  if (j->line->induction == 0 || j->setup->only) {
    snprintf(verdict, sizeof verdict, "holds to depth %u", j->line->depth);
    row(j, verdict);
    return PROPERTIES_HOLD;
  }
  int rc = ask_steps(j, "-i", j->line->induction, "induction", &said, err);
  if (rc != PROPERTIES_HOLD) return rc;
  if (said.status == SAID_PASSED) {
    snprintf(verdict, sizeof verdict, "proved (induction, %u)", j->line->induction);
    row(j, verdict);
    return PROPERTIES_HOLD;
  }
  row(j, "not decided");
  if (said.status == SAID_TIMEOUT) {
    fprintf(j->setup->out, "  holds to depth %u; the induction took more than %u s\n",
            j->line->depth, j->setup->timeout);
    return PROPERTIES_UNDECIDED;
  }
  keep_trace(j, "induction", path);
  fprintf(j->setup->out, "  holds to depth %u; not inductive at %u: %s\n  trace   %s\n",
          j->line->depth, j->line->induction, said.names, path);
  return PROPERTIES_UNDECIDED;
}

/* Drops the properties that need one of our outputs or registers that the design's map leaves
 * out. */
static int drop_loose(job_t *j, mrpb_err_t *err) {
  char path[FILES_PATH], line[LABEL + 16];
  unsigned n = 0, n_asserts = 0;
  if (!j->source.made) return PROPERTIES_HOLD;
  char *kept = files_path(path, "%s/kept.txt", j->dir) ? files_read(path, NULL) : NULL;
  if (!kept) return mrpb_fail(err, "%s: cannot be read", path), PROPERTIES_BAD_TOOL;
  j->n_invariants = 0;
  for (unsigned i = 0; i < j->n_labels; i++) {
    char *label = j->label[i];
    snprintf(line, sizeof line, "/%s\n", label);
    if (!strstr(kept, line)) {
      snprintf(j->left_out + strlen(j->left_out), sizeof j->left_out - strlen(j->left_out), " %s",
               label);
      continue;
    }
    n_asserts += i < j->n_asserts;
    j->n_invariants += i < j->n_asserts && strncmp(label, "inv_", 4) == 0;
    memmove(j->label[n++], label, LABEL);
  }
  free(kept);
  j->n_labels = n;
  j->n_asserts = n_asserts;
  if (n_asserts > 0) return PROPERTIES_HOLD;
  return mrpb_fail(
             err,
             "%s: no property is left: each needs an output or a register that the map leaves out",
             j->line->module),
         PROPERTIES_BAD_INPUT;
}

static int too_late(const job_t *j, unsigned cycle) {
  row(j, "not decided");
  fprintf(j->setup->out, "  %u cycles hold; the next took more than %u s\n", cycle,
          j->setup->timeout);
  return PROPERTIES_UNDECIDED;
}

static int unreached(const job_t *j, const char *names) {
  row(j, "not decided");
  fprintf(j->setup->out, "  not reached in %u cycles: %s\n", j->line->cover, names);
  return PROPERTIES_UNDECIDED;
}

static int refuted_by(const job_t *j, unsigned cycle, mrpb_err_t *err) {
  said_t said;
  const int rc = ask_trace(j, cycle, &said, err);
  if (rc != PROPERTIES_HOLD) return rc;
  if (said.status == SAID_FAILED) return refuted(j, &said);
  row(j, "not decided");
  fprintf(j->setup->out,
          "  berkeley-abc has a trace to cycle %u; yosys-smtbmc did not check it within %u s\n",
          cycle, limit(j));
  return PROPERTIES_UNDECIDED;
}

/* Searches the depth, and checks what must be reached in it. */
static int search(const job_t *j, mrpb_err_t *err) {
  const unsigned seconds = j->setup->timeout;
  aig_said_t found;
  int rc = properties_aig_bounded(j->dir, j->line->depth, seconds, &found, err);
  if (rc != PROPERTIES_HOLD) return rc;
  if (found.verdict == AIG_BAD) return refuted_by(j, found.cycle, err);
  if (found.verdict == AIG_UNKNOWN) return too_late(j, found.cycle);
  if (!j->line->cover || j->setup->only) return PROPERTIES_HOLD;
  rc = properties_aig_covers(j->dir, j->line->cover, seconds, &found, err);
  return rc == PROPERTIES_HOLD && found.verdict == AIG_NEVER ? unreached(j, found.names) : rc;
}

/* Nothing is known about how the design's registers got their values: ABC looks for an
 * invariant. */
static int decide_design(const job_t *j, mrpb_err_t *err) {
  const unsigned seconds = j->setup->timeout;
  aig_said_t found = {.verdict = AIG_UNKNOWN};
  char verdict[48];
  int rc = search(j, err);
  const bool always = j->line->induction > 0 && !j->setup->only;
  if (rc == PROPERTIES_HOLD && always) rc = properties_aig_always(j->dir, seconds, &found, err);
  if (rc != PROPERTIES_HOLD) return rc;
  if (found.verdict == AIG_BAD) return refuted_by(j, found.cycle, err);
  snprintf(verdict, sizeof verdict, "holds to depth %u", j->line->depth);
  row(j, found.verdict == AIG_NEVER ? "proved (all cycles)" : verdict);
  if (always && found.verdict == AIG_UNKNOWN)
    fprintf(j->setup->out,
            "  of longer runs nothing is known: no invariant was found within %u s\n", seconds);
  return PROPERTIES_HOLD;
}

static int decide(job_t *j, mrpb_err_t *err) {
  said_t said;
  int rc = make_logic(j, err);
  if (rc == PROPERTIES_HOLD) rc = drop_loose(j, err);
  if (rc == PROPERTIES_HOLD && j->source.made) return decide_design(j, err);
  if (rc == PROPERTIES_HOLD) rc = ask_steps(j, NULL, j->line->depth, "bounded", &said, err);
  if (rc != PROPERTIES_HOLD) return rc;
  if (said.status == SAID_FAILED) return refuted(j, &said);
  if (said.status == SAID_TIMEOUT) return too_late(j, said.step);
  if (j->line->cover && !j->setup->only) {
    rc = ask_steps(j, "-c", j->line->cover, "cover", &said, err);
    if (rc != PROPERTIES_HOLD) return rc;
    if (said.status != SAID_PASSED) return unreached(j, said.names);
  }
  return induction(j, err);
}

/* Runs the same lint before properties as before a lockstep. RTL_OK and the other codes are the
 * exit codes here as well. */
static int pass_lint(const job_t *j, mrpb_err_t *err) {
  char cache[FILES_PATH], tools_dir[FILES_PATH], sizes[PROPERTIES_SIZES], *save = NULL;
  lint_job_t job = {.cache = cache, .dir = j->setup->rtl, .tools_dir = tools_dir};
  lint_t lint;
  if (lint_cache(cache, j->setup->root, err) != 0 ||
      rtl_tool_dir(cache, j->setup->rtl, tools_dir, err) != 0)
    return PROPERTIES_BAD_INPUT;
  job.stem = j->line->module;
  snprintf(sizes, sizeof sizes, "%s", j->line->sizes);
  for (char *p = strtok_r(sizes, " ", &save); p && job.n_params < MODULE_MAX_PARAMS;
       p = strtok_r(NULL, " ", &save))
    snprintf(job.param[job.n_params++], LINT_PARAM, "%s", p);
  return lint_check(&job, true, &lint, err);
}

static int open_design(job_t *j, mrpb_err_t *err) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  char sizes[PROPERTIES_SIZES], *save = NULL;
  const module_class_t *cls = j->setup->cls;
  module_defaults(cls, cfg);
  snprintf(sizes, sizeof sizes, "%s", j->line->sizes);
  for (char *p = strtok_r(sizes, " ", &save); p; p = strtok_r(NULL, " ", &save))
    if (sizes_set(cls, cfg, p, err) != 0) return PROPERTIES_BAD_INPUT;
  const int rc = rtl_source_open(&j->source, j->setup->env, cls, cfg, RTL_TOOLS, err);
  if (rc != RTL_OK || j->setup->constants) return rc;
  return verdict_open(&j->seen, cls, cfg, &j->source.made->bind, err) == 0 ? RTL_OK : RTL_BAD_TOOL;
}

static int open_job(job_t *j, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/rtl/formal/%s_props.vh", j->setup->root, j->line->module))
    return mrpb_fail(err, "path too long");
  if (!files_exists(path))
    return mrpb_fail(err, "module '%s' has no properties: no rtl/formal/%s_props.vh",
                     j->line->module, j->line->module);
  if (read_labels(j, path, false, err) != 0 || read_labels(j, path, true, err) != 0) return -1;
  if (j->setup->only && check_only(j, err) != 0) return -1;
  if (!j->setup->env &&
      (!files_path(path, "%s/%s.v", j->setup->rtl, j->line->module) || !files_exists(path)))
    return mrpb_fail(err, "--rtl %s: no %s.v in this folder", j->setup->rtl, j->line->module);
  if (mkdir(j->setup->results, 0777) != 0 && errno != EEXIST)
    return mrpb_fail(err, "%s: cannot make the folder: %s", j->setup->results, strerror(errno));
  return files_temp_folder(j->dir, j->setup->results, err);
}

int properties_job(const properties_line_t *line, const properties_setup_t *setup,
                   mrpb_err_t *err) {
  job_t *j = calloc(1, sizeof *j);
  int rc = PROPERTIES_BAD_INPUT;
  if (!j) {
    mrpb_fail(err, "out of memory");
    return PROPERTIES_BAD_TOOL;
  }
  *j = (job_t){.line = line, .setup = setup, .start = seconds_now()};
  if (open_job(j, err) == 0) {
    rc = j->setup->env ? open_design(j, err) : pass_lint(j, err);
    if (rc == 0) rc = decide(j, err);
    files_remove_tree(j->dir, NULL);
  }
  rtl_source_close(&j->source);
  free(j);
  return rc;
}
