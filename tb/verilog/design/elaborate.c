/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/design/elaborate.h"

#include "base/files.h"
#include "base/names.h"
#include "base/process.h"
#include "verilog/build.h"
#include "verilog/tool.h"
#include "verilog/design/outside.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 120, MOST_SAID = 1 << 16, PARAM = MAP_NAME + 32 };
/* Not an exit code: Verilator must run once more. */
enum { AGAIN = -1 };

typedef struct {
  const map_t *map;
  const char *path, *top, *temp;
  bind_param_t *param;
  unsigned *n_params;
  mrpb_err_t *err;
} job_t;

static bool is(const char *at, size_t n, const char *word) {
  return strlen(word) == n && strncmp(at, word, n) == 0;
}

/* Returns the length of the word at *at, after moving *at to its beginning. */
static size_t word_at(const char **at) {
  const size_t n = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
  *at += n;
  return n;
}

/* Offers the names of the text's modules, and returns their number. */
static unsigned offer_modules(const char *text, names_near_t *near) {
  static const char blanks[] = " \t\n\r";
  unsigned modules = 0;
  for (const char *at = text; *at;) {
    char word[MAP_NAME];
    const char *from = at;
    size_t n = word_at(&at);
    if (n == 0) at = *at == '"' ? outside_string_end(at) : at + 1;
    if (!is(from, n, "module") && !is(from, n, "macromodule")) continue;
    for (;;) {
      from = at += strspn(at, blanks);
      n = word_at(&at);
      if (!is(from, n, "automatic") && !is(from, n, "static")) break;
    }
    if (n == 0 || n >= sizeof word) continue;
    snprintf(word, sizeof word, "%.*s", (int)n, from);
    names_offer(near, word);
    modules++;
  }
  return modules;
}

static int no_top(const job_t *j) {
  names_near_t near = names_near(j->top);
  char *text = files_read(j->path, NULL);
  const bool any = text && offer_modules(text, &near) > 0;
  free(text);
  mrpb_fail(j->err, "no module '%s' in the files%s", j->top, any ? near.text : ", and no other");
  return RTL_BAD_INPUT;
}

/* Whether a list of words contains a word. */
static bool listed(const char *list, const char *word) {
  for (const char *at = list; *(at += strspn(at, ", ")); at += strcspn(at, ", \n"))
    if (is(at, strcspn(at, ", \n"), word)) return true;
  return false;
}

/* Removes our parameter names that the design does not have. A name that the map gives and the
 * design lacks is an error. */
static int no_parameter(const job_t *j, const char *said) {
  const map_statement_t *wrong = NULL;
  unsigned n = 0;
  describe_t *d = NULL;
  mrpb_err_t unheard = {""};
  for (unsigned i = 0; i < *j->n_params; i++) {
    if (!listed(said, j->param[i].name))
      j->param[n++] = j->param[i];
    else if (!wrong)
      wrong = j->param[i].said;
  }
  if (n == *j->n_params)
    return mrpb_fail(j->err, "%s: no parameter %.100s", j->top, said), RTL_BAD_INPUT;
  *j->n_params = n;
  if (!wrong) return AGAIN;
  names_near_t near = names_near(wrong->name);
  if (elaborate(&d, j->map, j->path, j->top, j->param, j->n_params, j->temp, &unheard) == RTL_OK) {
    const decl_t *item;
    for (unsigned i = 0; (item = describe_item(d, j->top, i)); i++)
      if (item->kind == DECL_PARAMETER) names_offer(&near, item->name);
  }
  map_fail(j->map, wrong, j->err, "'%s' is no parameter of %s%s", wrong->name, j->top, near.text);
  describe_close(d);
  return RTL_BAD_INPUT;
}

static int explain(const job_t *j, char *said) {
  static const char parameters[] = "not found in the design: ";
  for (char *save = NULL, *line = strtok_r(said, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save)) {
    if (strncmp(line, "%Error", 6) != 0 || !rtl_complaint(line)) continue;
    const char *at = strstr(line, parameters), *text = strstr(line, ": ");
    if (at) return no_parameter(j, at + strlen(parameters));
    if (strstr(line, "Specified --top-module")) return no_top(j);
    if (rtl_is_internal(line)) return rtl_internal(line, j->err);
    mrpb_fail(j->err, "%s", text ? text + 2 : line);
    return RTL_BAD_INPUT;
  }
  mrpb_fail(j->err, "Verilator cannot read %s", j->top);
  return RTL_BAD_INPUT;
}

static int run(const job_t *j) {
  const char *argv[18 + BIND_PARAMS] = {tool_verilator(), "--xml-only",   "-Wno-fatal",
                                        "-Wno-lint",      "-Wno-style",   "--no-timing",
                                        "--unroll-count", "4096",         "-fno-const-bit-op-tree",
                                        "--prefix",       "Vdesign",      "--Mdir",
                                        j->temp,          "--top-module", j->top};
  char(*value)[PARAM] = calloc(*j->n_params + 1, sizeof *value);
  unsigned n = 0;
  while (argv[n]) n++;
  if (!value) return mrpb_fail(j->err, "out of memory"), RTL_BAD_TOOL;
  for (unsigned i = 0; i < *j->n_params; i++) {
    snprintf(value[i], sizeof value[i], "-G%s=%" PRIu64, j->param[i].name, j->param[i].value);
    argv[n++] = value[i];
  }
  argv[n++] = j->path;
  argv[n] = NULL;
  const process_t p = {.argv = argv, .seconds = SECONDS, .most = MOST_SAID};
  process_result_t r;
  int rc = process_run(&p, &r, j->err) == 0 ? RTL_OK : RTL_BAD_TOOL;
  if (rc == RTL_OK && r.end == PROCESS_LATE)
    rc = (mrpb_fail(j->err, "%s: Verilator does not finish within %d s", j->top, (int)SECONDS),
          RTL_BAD_INPUT);
  else if (rc == RTL_OK && (r.end != PROCESS_EXITED || r.code != 0))
    rc = explain(j, r.text);
  free(r.text);
  free(value);
  return rc;
}

int elaborate(describe_t **out, const map_t *map, const char *path, const char *top,
              bind_param_t *param, unsigned *n_params, const char *temp, mrpb_err_t *err) {
  const job_t j = {map, path, top, temp, param, n_params, err};
  char xml[FILES_PATH];
  *out = NULL;
  if (!files_path(xml, "%s/Vdesign.xml", temp))
    return mrpb_fail(err, "%s: the path is too long", temp), RTL_BAD_INPUT;
  int rc = run(&j);
  if (rc == AGAIN) rc = run(&j);
  if (rc != RTL_OK) return rc;
  *out = describe_read(xml, err);
  return *out ? RTL_OK : RTL_BAD_INPUT;
}
