/* SPDX-License-Identifier: Apache-2.0 */
/* One module at one size: a copy of the Verilog with its properties in it, Yosys, yosys-smtbmc, and
 * what they said. */
#include "base/process.h"
#include "base/files.h"
#include "verilog/build.h"
#include "verilog/lint/lint.h"
#include "base/names.h"
#include "verify/properties/properties.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MAX_LABELS = 128, LABEL = 64, NAMES = 512 };

typedef struct {
  const properties_line_t *line;
  const properties_setup_t *setup;
  char dir[FILES_PATH];
  char label[MAX_LABELS][LABEL]; /* asserts, then covers */
  unsigned n_asserts, n_invariants, n_labels;
  double start;
} job_t;

/* What a run of yosys-smtbmc said. */
typedef struct {
  enum { SAID_NOTHING, SAID_PASSED, SAID_FAILED, SAID_TIMEOUT } status;
  unsigned step;     /* the last one looked at */
  char names[NAMES]; /* asserts that failed, covers that were not reached */
} said_t;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what is asked -----------------------------------------------------------------------------
 */

/* Labels are lines "  name: assert (...": a form that the property files keep to. */
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
  const char *only = j->setup->only, *near = j->label[0];
  for (unsigned i = 0; i < j->n_asserts; i++) {
    if (strcmp(j->label[i], only) == 0) return 0;
    if (names_distance(j->label[i], only) < names_distance(near, only)) near = j->label[i];
  }
  return mrpb_fail(err, "%s has no property '%s'; nearest: %s; `--names` lists them",
                   j->line->module, only, near);
}

/* ---- the copy ----------------------------------------------------------------------------------
 */

static bool exists_in(const job_t *j, const char *stem, const char *kind) {
  char path[FILES_PATH];
  return files_path(path, "%s/rtl/formal/%s_%s.vh", j->setup->root, stem, kind) &&
         files_exists(path);
}

/* <dir>/<stem>.v, with includes before its last endmodule where there is something to include. */
static int copy_module(const job_t *j, const char *stem, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/%s.v", j->setup->rtl, stem)) return mrpb_fail(err, "path too long");
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  char *end = NULL;
  for (char *at = text; (at = strstr(at, "endmodule")); at++) end = at;
  FILE *f = end && files_path(path, "%s/%s.v", j->dir, stem) ? fopen(path, "w") : NULL;
  if (f) {
    fprintf(f, "%.*s", (int)(end - text), text);
    if (exists_in(j, stem, "view")) fprintf(f, "`include \"%s_view.vh\"\n", stem);
    if (strcmp(stem, j->line->module) == 0) fprintf(f, "`include \"%s_props.vh\"\n", stem);
    fputs(end, f);
  }
  free(text);
  if (!end) return mrpb_fail(err, "%s/%s.v: no endmodule in it", j->setup->rtl, stem);
  if (!f || fclose(f) != 0) return mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno));
  return 0;
}

static int copy_rtl(const job_t *j, FILE *script, mrpb_err_t *err) {
  DIR *d = opendir(j->setup->rtl);
  if (!d) return mrpb_fail(err, "--rtl %s: %s", j->setup->rtl, strerror(errno));
  bool any = false; /* Yosys refuses to read no file */
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    size_t n = strlen(e->d_name);
    char stem[PROPERTIES_STEM];
    if (n < 3 || n - 2 >= sizeof stem || strcmp(e->d_name + n - 2, ".v") != 0) continue;
    snprintf(stem, sizeof stem, "%.*s", (int)(n - 2), e->d_name);
    if (copy_module(j, stem, err) != 0) {
      closedir(d);
      return -1;
    }
    if (strcmp(stem, j->line->module) == 0) continue;
    fprintf(script, "%s %s.v", any ? "" : "read_verilog -formal -DSYNTHESIS -I. -defer", stem);
    any = true;
  }
  closedir(d);
  fprintf(script, "\nread_verilog -formal -DSYNTHESIS -I%s/rtl/formal -I. %s.v\n", j->setup->root,
          j->line->module);
  return 0;
}

/* `-nordff`: a memory's read port must not swallow the register of its address, which would be one
 * more piece of state of which nothing is known. */
static int write_script(const job_t *j, mrpb_err_t *err) {
  char path[FILES_PATH], sizes[PROPERTIES_SIZES], *save = NULL;
  FILE *f = files_path(path, "%s/job.ys", j->dir) ? fopen(path, "w") : NULL;
  if (!f) return mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno));
  fprintf(f, "verilog_defaults -add -I%s/rtl/formal\n", j->setup->root);
  if (copy_rtl(j, f, err) != 0) {
    fclose(f);
    return -1;
  }
  snprintf(sizes, sizeof sizes, "%s", j->line->sizes);
  for (char *p = strtok_r(sizes, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
    char *value = strchr(p, '=');
    fprintf(f, "chparam -set %.*s %s %s\n", (int)(value - p), p, value + 1, j->line->module);
  }
  fprintf(f, "hierarchy -check -top %s\nproc\nflatten\n", j->line->module);
  if (j->setup->only) fprintf(f, "delete t:$assert n:%s %%d\n", j->setup->only);
  fputs("opt_clean\nmemory -nordff -nomap\nmemory_map\nopt -full\nasync2sync\ndffunmap\n"
        "check -assert\nwrite_smt2 -wires job.smt2\n",
        f);
  return fclose(f) == 0 ? 0 : mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno));
}

/* ---- the tools ---------------------------------------------------------------------------------
 */

/* In the job's folder, with its limit of time: process_status. */
static int tool(const job_t *j, const char *const *argv, const char *log) {
  char path[FILES_PATH];
  const process_t p = {.argv = argv, .folder = j->dir, .log = path, .seconds = j->setup->timeout};
  return files_path(path, "%s/%s", j->dir, log) ? process_status(&p) : -1;
}

/* First "ERROR: ..." of Yosys, as the message. */
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

static int make_logic(const job_t *j, mrpb_err_t *err) {
  static const char *const yosys[] = {"yosys", "-q", "-s", "job.ys", NULL};
  char path[FILES_PATH];
  if (write_script(j, err) != 0) return PROPERTIES_BAD_INPUT;
  int status = tool(j, yosys, "yosys.log");
  if (status == PROCESS_TOO_LATE) {
    mrpb_fail(err, "%s %s: Yosys took more than %u s", j->line->module, j->line->sizes,
              j->setup->timeout);
    return PROPERTIES_UNDECIDED;
  }
  if (status == PROCESS_NOT_RUN || status == PROCESS_NOT_FOUND) {
    mrpb_fail(err, "yosys: not found; the packages needed are in configs/packages.txt");
    return PROPERTIES_BAD_TOOL;
  }
  if (status != 0 || !files_path(path, "%s/job.smt2", j->dir) || !files_exists(path))
    return explain(j, err);
  return PROPERTIES_HOLD;
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
    if ((at = strstr(l, "Unreached cover statement at "))) add_name(said, at + 29);
  }
  free(text);
}

/* kind: NULL bounded, "-i" induction, "-c" cover. Neither exit code nor text counts alone. */
static int ask(const job_t *j, const char *kind, unsigned steps, const char *name, said_t *said,
               mrpb_err_t *err) {
  char log[32], vcd[32], number[16], path[FILES_PATH];
  const char *const argv[] = {"yosys-smtbmc",
                              "-s",
                              "z3",
                              "--noprogress",
                              "--unroll",
                              "-t",
                              number,
                              "--dump-vcd",
                              vcd,
                              kind ? kind : "job.smt2",
                              kind ? "job.smt2" : NULL,
                              NULL};
  snprintf(log, sizeof log, "%s.log", name);
  snprintf(vcd, sizeof vcd, "%s.vcd", name);
  snprintf(number, sizeof number, "%u", steps);
  int status = tool(j, argv, log);
  read_log(j, log, status, said);
  if (said->status != SAID_NOTHING) return PROPERTIES_HOLD;
  mrpb_fail(err, "%s %s: yosys-smtbmc ended with %d and no verdict: is z3 installed? (%s)",
            j->line->module, j->line->sizes, status,
            files_path(path, "%s/%s", j->dir, log) ? path : log);
  return PROPERTIES_BAD_TOOL;
}

/* ---- the verdict -------------------------------------------------------------------------------
 */

static void row(const job_t *j, const char *verdict) {
  char what[PROPERTIES_STEM + PROPERTIES_SIZES + 1];
  snprintf(what, sizeof what, "%s %s", j->line->module, j->line->sizes);
  fprintf(j->setup->out, "%-76s %3u %4u  %-24s %6.1f\n", what, j->n_asserts - j->n_invariants,
          j->n_invariants, verdict, now() - j->start);
  for (unsigned i = 0; j->setup->names && i < j->n_asserts; i++)
    fprintf(j->setup->out, "    %s\n", j->label[i]);
}

/* Moves a trace out of the scratch folder; its path, or "" if there is none. */
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
  fprintf(out, "  repeat  %s properties %s", j->setup->program, j->line->module);
  snprintf(sizes, sizeof sizes, "%s", j->line->sizes);
  for (char *p = strtok_r(sizes, " ", &save); p; p = strtok_r(NULL, " ", &save))
    fprintf(out, " --set %s", p);
  fprintf(out, " --depth %u --induction 0 --rtl %s\n", said->step + 1, j->setup->rtl);
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
  int rc = ask(j, "-i", j->line->induction, "induction", &said, err);
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

static int decide(job_t *j, mrpb_err_t *err) {
  said_t said;
  int rc = make_logic(j, err);
  if (rc == PROPERTIES_HOLD) rc = ask(j, NULL, j->line->depth, "bounded", &said, err);
  if (rc != PROPERTIES_HOLD) return rc;
  if (said.status == SAID_FAILED) return refuted(j, &said);
  if (said.status == SAID_TIMEOUT) {
    row(j, "not decided");
    fprintf(j->setup->out, "  cycle %u took more than %u s\n", said.step, j->setup->timeout);
    return PROPERTIES_UNDECIDED;
  }
  if (j->line->cover && !j->setup->only) {
    rc = ask(j, "-c", j->line->cover, "cover", &said, err);
    if (rc != PROPERTIES_HOLD) return rc;
    if (said.status != SAID_PASSED) {
      row(j, "not decided");
      fprintf(j->setup->out, "  not reached in %u cycles: %s\n", j->line->cover, said.names);
      return PROPERTIES_UNDECIDED;
    }
  }
  return induction(j, err);
}

/* The same before properties as before a lockstep. RTL_OK and so on are the exit codes here, too.
 */
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

static int open_job(job_t *j, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/rtl/formal/%s_props.vh", j->setup->root, j->line->module))
    return mrpb_fail(err, "path too long");
  if (!files_exists(path))
    return mrpb_fail(err, "module '%s' has no properties: no rtl/formal/%s_props.vh",
                     j->line->module, j->line->module);
  if (read_labels(j, path, false, err) != 0 || read_labels(j, path, true, err) != 0) return -1;
  if (j->setup->only && check_only(j, err) != 0) return -1;
  if (!files_path(path, "%s/%s.v", j->setup->rtl, j->line->module) || !files_exists(path))
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
  *j = (job_t){.line = line, .setup = setup, .start = now()};
  if (open_job(j, err) == 0) {
    rc = pass_lint(j, err);
    if (rc == 0) rc = decide(j, err);
    files_remove_tree(j->dir, NULL);
  }
  free(j);
  return rc;
}
