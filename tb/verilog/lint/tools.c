/* SPDX-License-Identifier: Apache-2.0 */
/* Verilator, Icarus and Yosys on the files of a module, in each of its readings. */
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

enum { MAX_ARGS = 60, ARG = LINT_PATH + LINT_NAME + 8, SCRIPT = 1 << 15 };

typedef struct {
  const lint_job_t *job;
  const lint_t *lint;
  char temp[FILES_PATH], log[FILES_PATH];
  bool synthesis;
  mrpb_err_t *err;
} run_t;

/* The first message that counts, as the error; RTL_OK if there is none. */
static int said_by_verilator(const run_t *r, int status) {
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

/* A command line in the making. */
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

/* The reading, the sizes as `-G` or as Icarus wants them, and the files. */
static void add_design(words_t *w, const run_t *r, const char *parameter) {
  const lint_job_t *job = r->job;
  if (r->synthesis) add(w, "-DSYNTHESIS");
  add(w, "-I%s", job->tools_dir);
  for (unsigned i = 0; i < job->n_params; i++) add(w, "%s%s", parameter, job->param[i]);
  for (unsigned i = 0; i < r->lint->n_files; i++)
    add(w, "%s/%s.v", job->tools_dir, r->lint->file[i]);
}

static int verilator(run_t *r) {
  words_t w = {.argv = {"verilator", "--lint-only", "-Wall", "-Wno-fatal", "-fno-const-bit-op-tree",
                        "--no-timing", "--top-module", r->job->stem},
               .n = 8};
  add_design(&w, r, "-G");
  int status = start(r, w.argv);
  if (is_missing(status)) return missing(r, w.argv[0]);
  return said_by_verilator(r, status);
}

/* First line that a tool said, as the error. */
static int first_line(const run_t *r, const char *tools_dir, const char *tool, const char *marker) {
  char *text = files_read(r->log, NULL), *line = text;
  if (!text) return missing(r, tool);
  char *at = marker ? strstr(text, marker) : text;
  if (at)
    for (line = at; line > text && line[-1] != '\n';) line--;
  char *end = line + strcspn(line, "\n");
  if (end > line && end[-1] == ':' && *end) { /* where is in the next line */
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
  words_t w = {.argv = {"iverilog", "-g2005", "-o", out, "-s", r->job->stem}, .n = 6};
  snprintf(parameter, sizeof parameter, "-P%s.", r->job->stem);
  add_design(&w, r, parameter);
  int status = start(r, w.argv);
  if (is_missing(status)) return missing(r, w.argv[0]);
  return status == 0 ? RTL_OK
                     : first_line(r, r->job->tools_dir, "Icarus",
                                  NULL); /* its warnings: Verilator has them, too */
}

static int yosys(run_t *r) {
  char script[SCRIPT], netlist[FILES_PATH];
  const lint_job_t *job = r->job;
  size_t n = lint_yosys(job, r->lint, r->synthesis, r->temp, script, sizeof script);
  if (n < sizeof script)
    n += (size_t)snprintf(script + n, sizeof script - n,
                          "proc\nwrite_rtlil %s/lint.il\ncheck -assert\n", r->temp);
  if (n >= sizeof script || !files_path(netlist, "%s/lint.il", r->temp))
    return mrpb_fail(r->err, "%s: the path is too long", job->dir), RTL_BAD_INPUT;
  if (lint_copy(job, r->lint, LINT_COPY_DRIVERS, r->temp, r->err) != 0) return RTL_BAD_INPUT;
  const char *argv[] = {"yosys", "-q", "-p", script, NULL};
  int status = start(r, argv);
  if (is_missing(status)) return missing(r, argv[0]);
  if (files_exists(netlist) && drivers_check(netlist, job->dir, r->err) != 0) return RTL_BAD_INPUT;
  return status == 0
             ? RTL_OK
             : first_line(r, r->temp, "Yosys", files_exists(netlist) ? "Warning: " : "ERROR: ");
}

static int all(run_t *r) {
  int rc = RTL_OK;
  for (unsigned i = 0; rc == RTL_OK && i <= r->lint->conditional; i++) {
    r->synthesis = i > 0;
    rc = verilator(r);
    if (rc == RTL_OK) rc = iverilog(r);
    /* Initial blocks drive nothing: without other differences Yosys has one netlist to look at. */
    if (rc == RTL_OK && (r->lint->checks || r->synthesis == r->lint->conditional)) rc = yosys(r);
  }
  return rc;
}

int lint_kept(const lint_job_t *job, const lint_t *lint, const char *what, char *path,
              mrpb_err_t *err) {
  static const char *const tools[] = {"verilator", "verilator_bin", "iverilog", "yosys"};
  uint64_t key = hash_text(lint->hash, what);
  for (unsigned i = 0; i < job->n_params; i++) key = hash_text(key, job->param[i]);
  for (unsigned i = 0; i < sizeof tools / sizeof *tools; i++)
    if (tool_hash(&key, job->cache, tools[i], err) != 0) return RTL_BAD_TOOL;
  if (files_path(path, "%s/%s-%s-%016llx", job->cache, what, job->stem, (unsigned long long)key))
    return RTL_OK;
  mrpb_fail(err, "%s: the path is too long", job->cache);
  return RTL_BAD_INPUT;
}

int lint_tools(const lint_job_t *job, const lint_t *lint, mrpb_err_t *err) {
  run_t r = {.job = job, .lint = lint, .err = err};
  char verdict[FILES_PATH];
  /* Another number for other rules of the tools. */
  int rc = lint_kept(job, lint, "lint-4", verdict, err);
  if (rc != RTL_OK || files_exists(verdict)) return rc;
  if (files_temp_folder(r.temp, job->cache, err) != 0) return RTL_BAD_INPUT;
  rc = files_path(r.log, "%s/log", r.temp) ? all(&r) : RTL_BAD_INPUT;
  files_remove_tree(r.temp, NULL);
  if (rc == RTL_OK) (void)mkdir(verdict, 0777); /* a cache only: without it the tools run again */
  return rc;
}
