/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files that belong to a module, applies the rules to each, and finds what depends on
 * SYNTHESIS: see lint.h. */
#include "base/home.h"
#include "verilog/lint/lint.h"

#include "base/files.h"
#include "base/hash.h"
#include "verilog/build.h"
#include "verilog/lint/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const lint_checker_t *lint_checker(const char *stem) {
  static const lint_checker_t checkers[] = {{"mrpb", "order_err_o", "u_order_check"}};
  for (unsigned i = 0; i < sizeof checkers / sizeof *checkers; i++)
    if (strcmp(checkers[i].stem, stem) == 0) return &checkers[i];
  return NULL;
}

int lint_cache(char cache[LINT_PATH], const char *root, mrpb_err_t *err) {
  return home_build(cache, root, "rtl", err);
}

void lint_job(lint_job_t *job, const module_class_t *cls, const uint32_t *cfg) {
  job->stem = cls->stem;
  job->n_params = cls->n_params;
  for (unsigned i = 0; i < cls->n_params; i++)
    snprintf(job->param[i], LINT_PARAM, "%s=%u", cls->params[i].name, cfg[i]);
}

/* ---- what depends on SYNTHESIS ---- */

/* Items whose removal leaves the rest complete: they drive nothing that the rest drives
 * (drivers.h), and the rest uses nothing that only they drive (the tools check the other
 * reading). */
static bool may_begin(const token_t *t) {
  static const char *const no[] = {"parameter", "localparam", "function", "generate",  "genvar",
                                   "for",       "if",         "case",     "casez",     "end",
                                   "begin",     "input",      "output",   "endmodule", "module",
                                   "else",      "default"};
  for (unsigned i = 0; i < sizeof no / sizeof *no; i++)
    if (verilog_token_is(t, no[i])) return false;
  return t->kind == T_WORD;
}

/* From token `i` on, as far as the tokens have the readings of token `i`. Returns the end, or 0 if
 * they are hardware. Sets `*checks` if there is more than initial blocks. */
static size_t extra_items(const verilog_t *v, size_t i, bool *checks) {
  verilog_depth_t d = {0, 0};
  bool first = true, begins = true;
  unsigned readings = v->token[i].readings;
  for (; i < v->n && v->token[i].readings == readings; i++) {
    const token_t *t = &v->token[i];
    bool is_else = !first && verilog_token_is(t, "else");
    if (begins && !is_else && !may_begin(t)) return 0;
    if (begins && !is_else && !verilog_token_is(t, "initial")) *checks = true;
    first = false;
    verilog_step(&d, t);
    begins = verilog_ends_item(&d, t);
  }
  return begins ? i : 0;
}

/* Whether an output that is not hardware is assigned: `assign CHECK = 1'b0;`. */
static size_t no_check(const verilog_t *v, size_t i, const char *stem) {
  const lint_checker_t *c = lint_checker(stem);
  const char *const words[] = {"assign", c ? c->output : "", "=", "1'b0", ";"};
  for (unsigned k = 0; k < 5; k++)
    if (i + k >= v->n || v->token[i + k].readings != READ_SYNTHESIS ||
        !verilog_token_is(&v->token[i + k], words[k]))
      return 0;
  return i + 5;
}

static void find_conditional(const verilog_t *v, const char *stem, lint_t *out) {
  verilog_depth_t d = {0, 0};
  for (size_t i = 0; i < v->n;) {
    const token_t *t = &v->token[i];
    if (t->readings == READ_BOTH) {
      verilog_step(&d, t);
      i++;
      continue;
    }
    out->conditional = true;
    bool between = i > 0 && verilog_ends_item(&d, &v->token[i - 1]);
    if (!between || t->readings == READ_SYNTHESIS) out->checks = true;
    size_t end = !between                        ? 0
                 : t->readings == READ_SYNTHESIS ? no_check(v, i, stem)
                                                 : extra_items(v, i, &out->checks);
    if (end == 0) {
      snprintf(out->hardware, sizeof out->hardware, "%s:%u", v->file[t->file].path, t->line);
      return;
    }
    i = end;
  }
}

/* ---- files ---- */

static bool listed(const lint_t *l, const char *name, size_t n) {
  for (unsigned i = 0; i < l->n_files; i++)
    if (strlen(l->file[i]) == n && memcmp(l->file[i], name, n) == 0) return true;
  return false;
}

/* Modules are named after their files, so a word that is a file's name adds that file. */
static int find_files(const lint_job_t *job, const verilog_t *v, lint_t *out, mrpb_err_t *err) {
  char path[FILES_PATH];
  for (size_t i = 0; i < v->n; i++) {
    const token_t *t = &v->token[i];
    if (t->kind != T_WORD || t->n >= LINT_NAME || listed(out, t->text, t->n)) continue;
    if (!files_path(path, "%s/%.*s.v", job->dir, (int)t->n, t->text) || !files_exists(path))
      continue;
    if (out->n_files == LINT_FILES)
      return mrpb_fail(err, "%s: more than %d files belong to %s", job->dir, LINT_FILES, job->stem);
    snprintf(out->file[out->n_files++], LINT_NAME, "%.*s", (int)t->n, t->text);
  }
  return 0;
}

static int add_header(lint_t *out, const char *path, mrpb_err_t *err) {
  const char *name = strrchr(path, '/') + 1;
  for (unsigned i = 0; i < out->n_headers; i++)
    if (strcmp(out->header[i], name) == 0) return 0;
  if (out->n_headers == LINT_FILES || strlen(name) >= LINT_NAME)
    return mrpb_fail(err, "%s: more than %d headers, or a name of more than %d letters", path,
                     LINT_FILES, LINT_NAME - 1);
  snprintf(out->header[out->n_headers++], LINT_NAME, "%s", name);
  return 0;
}

static int check_file(const lint_job_t *job, const char *stem, lint_t *out, mrpb_err_t *err) {
  char name[LINT_NAME + 4];
  verilog_t v;
  snprintf(name, sizeof name, "%s.v", stem);
  int rc = verilog_read(&v, job->dir, name, err);
  if (rc == 0) rc = rules_check(&v, READ_SIMULATION, stem, err);
  if (rc == 0) {
    if (out->hardware[0] == '\0') find_conditional(&v, stem, out);
    if (out->conditional) rc = rules_check(&v, READ_SYNTHESIS, stem, err);
  }
  for (unsigned i = 0; i < v.n_files; i++) {
    out->hash = hash_text(out->hash, v.file[i].path + strlen(job->dir));
    if (v.file[i].text) out->hash = hash_text(out->hash, v.file[i].text);
  }
  for (unsigned i = 1; rc == 0 && i < v.n_files; i++) rc = add_header(out, v.file[i].path, err);
  if (rc == 0) rc = find_files(job, &v, out, err);
  verilog_free(&v);
  return rc;
}

/* Verilator reads a design's text; here only its contents are hashed, as they are. */
static int design_text(const char *path, lint_t *out, mrpb_err_t *err) {
  return hash_file(&out->hash, path, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

int lint_text(const lint_job_t *job, bool one, lint_t *out, mrpb_err_t *err) {
  char path[FILES_PATH];
  memset(out, 0, sizeof *out);
  out->hash = HASH_START;
  snprintf(out->file[out->n_files++], LINT_NAME, "%s", job->stem);
  if (job->design && files_path(path, "%s/%s.v", job->dir, job->stem))
    return design_text(path, out, err);
  if (!files_path(path, "%s/%s.v", job->dir, job->stem) || !files_exists(path)) {
    mrpb_fail(err, "--rtl %s: module %s is missing: no %s.v in this folder", job->dir, job->stem,
              job->stem);
    return RTL_BAD_INPUT;
  }
  for (unsigned i = 0; i < out->n_files; i++)
    if (check_file(job, out->file[i], out, err) != 0) return RTL_BAD_INPUT;
  if (!one || out->hardware[0] == '\0') return RTL_OK;
  mrpb_fail(err,
            "%s: hardware that depends on SYNTHESIS, of which one reading would run; legal: "
            "initial blocks and checks (`mrpb prove` compares both readings)",
            out->hardware);
  return RTL_BAD_INPUT;
}

int lint_check(const lint_job_t *job, bool one, lint_t *out, mrpb_err_t *err) {
  int rc = lint_text(job, one, out, err);
  return rc == RTL_OK ? lint_tools(job, out, err) : rc;
}
