/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares what Yosys reads of a module: copies of its files, and the commands that elaborate
 * them. */
#include "verilog/lint/lint.h"

#include "base/files.h"
#include "base/output.h"
#include "verilog/lint/verilog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lint_yosys_text(const char *text, FILE *f) {
  static const char *const ends[] = {"$stop", "$finish", "$fatal"};
  for (const char *c = text; *c;) {
    size_t n = 0;
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
      if (strncmp(c, ends[i], strlen(ends[i])) == 0) n = strlen(ends[i]);
    fprintf(f, "%.*s", n ? 8 : 1, n ? "$display" : c);
    c += n ? n : 1;
  }
}

/* Returns the last token of the statement at `i`, or `i` if the statement is not in one file and
 * one reading. */
static size_t end_of_statement(const verilog_t *v, size_t i) {
  verilog_depth_t d = {0, 0};
  for (size_t k = i; k < v->n; k++) {
    const token_t *t = &v->token[k];
    if (t->file != v->token[i].file || t->readings != v->token[i].readings) return i;
    verilog_step(&d, t);
    bool more = k + 1 < v->n && verilog_token_is(t + 1, "else");
    if (verilog_ends_item(&d, t) && !more) return k;
  }
  return i;
}

static void blank(verilog_t *v, size_t from, size_t to) {
  char *text = v->file[0].text + (v->token[from].text - v->file[0].text);
  for (const char *end = v->token[to].text + v->token[to].n - 1; text < end; text++)
    if (*text != '\n') *text = ' ';
  *text = ';';
}

/* Replaces the loops of `initial begin ... end` by empty statements. Yosys takes up to twenty
 * seconds for the initial values of a large array, which drive nothing. */
static void blank_initial_loops(verilog_t *v) {
  unsigned blocks = 0;
  for (size_t i = 1; i < v->n; i++) {
    const token_t *t = &v->token[i];
    bool begins = verilog_token_is(t, "begin");
    if (blocks == 0 && (!begins || !verilog_token_is(t - 1, "initial"))) continue;
    blocks += begins;
    blocks -= verilog_token_is(t, "end");
    size_t end = verilog_token_is(t, "for") && t->file == 0 ? end_of_statement(v, i) : i;
    if (end > i) blank(v, i, end);
    i = end;
  }
}

/* Returns the text without the loops of its initial blocks; NULL and a message if it cannot be
 * read. */
static char *drivers_text(const lint_job_t *job, const char *name, mrpb_err_t *err) {
  verilog_t v;
  char *text = NULL;
  if (verilog_read(&v, job->dir, name, err) == 0) {
    blank_initial_loops(&v);
    text = v.file[0].text;
    v.file[0].text = NULL;
  }
  verilog_free(&v);
  return text;
}

static char *whole_text(const lint_job_t *job, const char *name, mrpb_err_t *err) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/%s", job->dir, name) ? files_read(path, NULL) : NULL;
  if (!text) mrpb_fail(err, "%s/%s: cannot be copied: %s", job->dir, name, strerror(errno));
  return text;
}

static int put_copy(char *text, const char *to, const char *name, mrpb_err_t *err) {
  FILE *f = text ? output_into(to, name, err) : NULL;
  if (f) lint_yosys_text(text, f);
  free(text);
  return f ? output_into_end(f, false, to, name, err) : -1;
}

int lint_copy(const lint_job_t *job, const lint_t *lint, lint_copy_t what, const char *to,
              mrpb_err_t *err) {
  char name[LINT_NAME + 4];
  for (unsigned i = 0; i < lint->n_files; i++) {
    snprintf(name, sizeof name, "%s.v", lint->file[i]);
    char *text = what == LINT_COPY_ALL || job->design ? whole_text(job, name, err)
                                                      : drivers_text(job, name, err);
    if (put_copy(text, to, name, err) != 0) return -1;
  }
  for (unsigned i = 0; i < lint->n_headers; i++)
    if (put_copy(whole_text(job, lint->header[i], err), to, lint->header[i], err) != 0) return -1;
  return 0;
}

size_t lint_yosys(const lint_job_t *job, const lint_t *lint, bool synthesis, const char *dir,
                  char *script, size_t size) {
  size_t n =
      (size_t)snprintf(script, size, "read_verilog %s%s -defer -I%s", job->design ? "-sv " : "",
                       synthesis ? "-DSYNTHESIS" : "-nosynthesis", dir);
  for (unsigned i = 0; i < lint->n_files && n < size; i++)
    n += (size_t)snprintf(script + n, size - n, " %s/%s.v", dir, lint->file[i]);
  /* One chparam sets all parameters, because each chparam elaborates the module again. `hierarchy
   * -chparam` of Yosys 0.23 fails on mrpb ("Assert modules_.count"). */
  if (job->n_params && n < size) n += (size_t)snprintf(script + n, size - n, "\nchparam");
  for (unsigned i = 0; i < job->n_params && n < size; i++) {
    const char *value = strchr(job->param[i], '=');
    n += (size_t)snprintf(script + n, size - n, " -set %.*s %s", (int)(value - job->param[i]),
                          job->param[i], value + 1);
  }
  if (job->n_params && n < size) n += (size_t)snprintf(script + n, size - n, " %s", job->stem);
  if (n < size)
    n += (size_t)snprintf(script + n, size - n, "\nhierarchy -check -top %s\n", job->stem);
  return n;
}
