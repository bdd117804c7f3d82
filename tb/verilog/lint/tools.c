/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Verilator, Icarus and Yosys on the files of a module, in each of its readings. */
#include "verilog/lint/lint.h"

#include "base/process.h"
#include "base/files.h"
#include "base/hash.h"
#include "verilog/build.h"
#include "verilog/tool.h"
#include "verilog/lint/drivers.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  MAX_ARGS = 16 + MODULE_MAX_PARAMS + LINT_FILES,
  ARG = LINT_PATH + LINT_NAME + 8,
  SCRIPT = 1 << 15
};

typedef struct {
  const lint_job_t *job;
  const lint_t *lint;
  char temp[FILES_PATH], log[FILES_PATH];
  bool synthesis;
  bool
      remark; /* Yosys' message about a design is no refusal: $display, or a bit without a driver */
  FILE *notes; /* for a design: complaints that are not refusals */
  mrpb_err_t *err;
} run_t;

/* Warnings about hardware that is not cycle-based. UNOPTFLAT is given for whole vectors, whose bits
 * may well depend on each other without a loop. With `off` the user has checked this, and a loop
 * that does not settle is found when it runs. */
static bool refuses(const char *line, lint_level_t level) {
  static const char *const codes[] = {"LATCH",      "MULTIDRIVEN", "UNOPTFLAT",   "COMBDLY",
                                      "BLKANDNBLK", "STMTDLY",     "INFINITELOOP"};
  if (strncmp(line, "%Error", 6) == 0) return true;
  for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
    const size_t n = strlen(codes[i]);
    if (level == LINT_OFF && strcmp(codes[i], "UNOPTFLAT") == 0) continue;
    if (strncmp(line + 9, codes[i], n) == 0 && strchr(": ", line[9 + n])) return true;
  }
  return false;
}

/* Verilator's complaints about a design: one that must be refused becomes the error, and the first
 * of the others a note. */
static int design_by_verilator(const run_t *r, int status) {
  char *text = files_read(r->log, NULL), *save = NULL, *note = NULL;
  unsigned n = 0;
  if (!text) return rtl_explain(r->log, r->job->stem, r->job->dir, r->job->tools_dir, r->err);
  int rc = RTL_OK;
  for (char *line = strtok_r(text, "\n", &save); line && rc == RTL_OK;
       line = strtok_r(NULL, "\n", &save)) {
    if (!rtl_complaint(line)) continue;
    if (refuses(line, r->job->level)) {
      const char *at = strstr(line, ": ");
      mrpb_fail(r->err, "%s", at ? at + 2 : line);
      rc = RTL_BAD_INPUT;
    }
    if (n++ == 0) note = line;
  }
  if (rc == RTL_OK && status != 0)
    rc = rtl_explain(r->log, r->job->stem, r->job->dir, r->job->tools_dir, r->err);
  if (rc == RTL_OK && note && r->notes && r->job->level != LINT_OFF)
    fprintf(r->notes, "Verilator: %s%s\n", note + 1, n > 1 ? " (and others)" : "");
  free(text);
  return rc;
}

/* Turns the first message that counts into the error. Returns RTL_OK if there is none. */
static int said_by_verilator(const run_t *r, int status) {
  if (r->job->design && r->job->level != LINT_ERROR) return design_by_verilator(r, status);
  size_t n = 0;
  char *text = files_read(r->log, &n);
  int rc = RTL_OK;
  for (char *line = text; line && *line && rc == RTL_OK;
       line += strcspn(line, "\n"), line += *line == '\n')
    if (rtl_complaint(line)) rc = RTL_BAD_INPUT;
  bool heard = text != NULL;
  free(text);
  if (heard && rc == RTL_OK && status == 0) return RTL_OK;
  return rtl_explain(r->log, r->job->stem, r->job->dir, r->job->tools_dir, r->err);
}

static bool is_missing(int status) {
  return status < 0 || status == PROCESS_NOT_FOUND || status == PROCESS_NOT_RUN;
}

static int missing(const run_t *r, const char *tool) {
  mrpb_fail(r->err,
            "%s: not found or not working; the packages needed are in configs/packages.txt (make "
            "run installs them)",
            tool);
  return RTL_BAD_TOOL;
}

static int start(run_t *r, const char *const *argv) {
  (void)remove(r->log);
  return process_log(argv, r->log);
}

/* A command line under construction. */
typedef struct {
  const char *argv[MAX_ARGS + 1];
  char text[MAX_ARGS][ARG];
  unsigned n, texts;
} words_t;

__attribute__((format(printf, 2, 3))) static void add(words_t *w, const char *format, ...) {
  if (w->n == MAX_ARGS) return;
  va_list ap;
  va_start(ap, format);
  vsnprintf(w->text[w->texts], ARG, format, ap);
  va_end(ap);
  w->argv[w->n++] = w->text[w->texts++];
}

/* Adds the reading, the sizes as `-G` or as Icarus wants them, and the files. */
static void add_design(words_t *w, const run_t *r, const char *parameter) {
  const lint_job_t *job = r->job;
  if (r->synthesis) add(w, "-DSYNTHESIS");
  add(w, "-I%s", job->tools_dir);
  for (unsigned i = 0; i < job->n_params; i++) add(w, "%s%s", parameter, job->param[i]);
  for (unsigned i = 0; i < r->lint->n_files; i++)
    add(w, "%s/%s.v", job->tools_dir, r->lint->file[i]);
}

static int verilator(run_t *r) {
  words_t w = {.argv = {tool_verilator(), "--lint-only", "-Wall", "-Wno-fatal",
                        "-fno-const-bit-op-tree", "--no-timing", "--top-module", r->job->stem},
               .n = 8};
  if (r->job->design)
    add(&w, "--unroll-count"), add(&w, "4096"), add(&w, "--unroll-stmts"), add(&w, "100000");
  add_design(&w, r, "-G");
  int status = start(r, w.argv);
  if (is_missing(status)) return missing(r, w.argv[0]);
  return said_by_verilator(r, status);
}

/* Turns the first line of a tool's output into the error. */
static int first_line(const run_t *r, const char *tools_dir, const char *tool, const char *marker) {
  char *text = files_read(r->log, NULL), *line = text;
  if (!text) return missing(r, tool);
  char *at = marker ? strstr(text, marker) : text;
  if (at)
    for (line = at; line > text && line[-1] != '\n';) line--;
  char *end = line + strcspn(line, "\n");
  if (end > line && end[-1] == ':' && *end) { /* the location is in the next line */
    memset(end, ' ', strspn(end, "\n "));
    end += strcspn(end, "\n");
  }
  *end = '\0';
  rtl_say_dir(line, tools_dir, r->job->dir, tool, r->err);
  free(text);
  return RTL_BAD_INPUT;
}

static int iverilog(run_t *r) {
  char out[FILES_PATH], parameter[ARG];
  if (!files_path(out, "%s/lint.vvp", r->temp)) return RTL_BAD_TOOL;
  words_t w = {
      .argv = {"iverilog", r->job->design ? "-g2012" : "-g2005", "-o", out, "-s", r->job->stem},
      .n = 6};
  snprintf(parameter, sizeof parameter, "-P%s.", r->job->stem);
  add_design(&w, r, parameter);
  int status = start(r, w.argv);
  if (is_missing(status)) return missing(r, w.argv[0]);
  return status == 0 ? RTL_OK
                     : first_line(r, r->job->tools_dir, "Icarus",
                                  NULL); /* its warnings are not needed: Verilator has them, too */
}

static int yosys(run_t *r) {
  char script[SCRIPT], netlist[FILES_PATH], blocks[FILES_PATH];
  const lint_job_t *job = r->job;
  const char *dir = job->design ? NULL : job->dir;
  size_t n = lint_yosys(job, r->lint, r->synthesis, r->temp, script, sizeof script);
  if (n < sizeof script)
    n += (size_t)snprintf(script + n, sizeof script - n,
                          "write_rtlil %s/blocks.il\nproc\nwrite_rtlil %s/lint.il\n"
                          "check -assert\n",
                          r->temp, r->temp);
  if (n >= sizeof script || !files_path(netlist, "%s/lint.il", r->temp) ||
      !files_path(blocks, "%s/blocks.il", r->temp))
    return mrpb_fail(r->err, "%s: the path is too long", job->dir), RTL_BAD_INPUT;
  if (lint_copy(job, r->lint, LINT_COPY_DRIVERS, r->temp, r->err) != 0) return RTL_BAD_INPUT;
  const char *argv[] = {"yosys", "-q", "-p", script, NULL};
  int status = start(r, argv);
  if (is_missing(status)) return missing(r, argv[0]);
  if (files_exists(netlist) &&
      (drivers_check(blocks, dir, r->err) != 0 || drivers_check(netlist, dir, r->err) != 0))
    return RTL_BAD_INPUT;
  if (status == 0) return RTL_OK;
  const int rc = first_line(r, r->temp, "Yosys", files_exists(netlist) ? "Warning: " : "ERROR: ");
  r->remark = !strstr(r->err->text, "logic loop") && !strstr(r->err->text, "conflicting drivers");
  return rc;
}

/* The message of a tool that cannot read a design is only a note; if the tool can read it, its
 * message counts. */
static int note(run_t *r, int rc, bool reads) {
  if (rc != RTL_BAD_INPUT || reads) return rc;
  if (r->notes) fprintf(r->notes, "%s\n", r->err->text);
  r->err->text[0] = '\0';
  return RTL_OK;
}

static int design(run_t *r) {
  char netlist[FILES_PATH];
  const bool strict = r->job->level == LINT_ERROR;
  int rc = verilator(r);
  if (rc != RTL_OK || r->job->level == LINT_OFF) return rc;
  rc = note(r, iverilog(r), strict);
  if (rc != RTL_OK) return rc;
  rc = yosys(r);
  const bool reads = files_path(netlist, "%s/lint.il", r->temp) && files_exists(netlist);
  return note(r, rc, strict || (reads && !r->remark));
}

static int all(run_t *r) {
  if (r->job->design) return design(r);
  int rc = RTL_OK;
  for (unsigned i = 0; rc == RTL_OK && i <= r->lint->conditional; i++) {
    r->synthesis = i > 0;
    rc = verilator(r);
    if (rc == RTL_OK) rc = iverilog(r);
    /* Initial blocks drive nothing, so without other differences Yosys needs to see only one
     * netlist. */
    if (rc == RTL_OK && (r->lint->checks || r->synthesis == r->lint->conditional)) rc = yosys(r);
  }
  return rc;
}

int lint_kept(const lint_job_t *job, const lint_t *lint, const char *what, char *path,
              mrpb_err_t *err) {
  const char *const tools[] = {tool_verilator(), PROCESS_VERILATOR, "iverilog", "yosys"};
  uint64_t key = hash_text(lint->hash, what);
  for (unsigned i = 0; i < job->n_params; i++) key = hash_text(key, job->param[i]);
  for (unsigned i = 0; i < sizeof tools / sizeof *tools; i++)
    if (tool_hash(&key, job->cache, tools[i], err) != 0) return RTL_BAD_TOOL;
  if (files_path(path, "%s/%s-%s-%016llx", job->cache, what, job->stem, (unsigned long long)key))
    return RTL_OK;
  mrpb_fail(err, "%s: the path is too long", job->cache);
  return RTL_BAD_INPUT;
}

/* Repeats the notes from when the tools were run. */
static void repeat_notes(const lint_job_t *job, const char *path) {
  char *text = job->notes ? files_read(path, NULL) : NULL;
  if (text) fputs(text, job->notes);
  free(text);
}

/* The kept verdict on a design is a file with its notes. */
static int design_tools(run_t *r, const char *verdict) {
  char path[FILES_PATH];
  r->notes = files_path(path, "%s/notes", r->temp) ? fopen(path, "w") : NULL;
  int rc = r->notes ? all(r) : RTL_BAD_TOOL;
  if (r->notes && fclose(r->notes) != 0) rc = RTL_BAD_TOOL;
  if (rc == RTL_OK) {
    repeat_notes(r->job, path);
    (void)rename(path, verdict);
  }
  return rc;
}

int lint_tools(const lint_job_t *job, const lint_t *lint, mrpb_err_t *err) {
  run_t r = {.job = job, .lint = lint, .err = err};
  char verdict[FILES_PATH];
  /* Increase the number whenever the rules for the tools change. */
  static const char *const levels[] = {"design-error-2", "design-warn-2", "design-off-2"};
  int rc = lint_kept(job, lint, job->design ? levels[job->level] : "lint-5", verdict, err);
  if (rc == RTL_OK && files_exists(verdict)) repeat_notes(job, verdict);
  if (rc != RTL_OK || files_exists(verdict)) return rc;
  if (files_temp_folder(r.temp, job->cache, err) != 0) return RTL_BAD_INPUT;
  if (!files_path(r.log, "%s/log", r.temp))
    rc = RTL_BAD_INPUT;
  else if (job->design)
    rc = design_tools(&r, verdict);
  else
    rc = all(&r);
  files_remove_tree(r.temp, NULL);
  if (rc == RTL_OK && !job->design)
    (void)mkdir(verdict, 0777); /* only a cache: without it the tools run again */
  return rc;
}
