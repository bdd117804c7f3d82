/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `mrpb run --activity` for each column, and reads activity.json. */
#include "estimate/activity/run.h"

#include "base/memory_file.h"
#include "base/process.h"
#include "base/output.h"
#include "base/json_in.h"
#include "base/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ARGS = 12 + ESTIMATE_RUN, SECONDS = 7 * 86400 };

const json_t *activity_named(const json_t *list, const char *name) {
  size_t i;
  json_t *o;
  json_array_foreach(list, i, o) {
    const char *is = json_string_value(json_object_get(o, "name"));
    if (is && strcmp(is, name) == 0) return o;
  }
  return NULL;
}

const json_t *activity_unit_of(const json_t *activity, const char *unit) {
  size_t i;
  json_t *o;
  json_array_foreach(json_object_get(activity, "units"), i, o) {
    const char *is = json_string_value(json_object_get(o, "unit"));
    if (is && strcmp(is, unit) == 0) return o;
  }
  return NULL;
}

double activity_number(const json_t *o, const char *name) {
  return json_number_value(json_object_get(o, name));
}

/* ---- reading --------------------------------------------------------------- */

static bool is_unit(const json_t *u) {
  return json_is_string(json_object_get(u, "unit")) &&
         json_integer_value(json_object_get(u, "cycles")) > 0 &&
         json_is_object(json_object_get(u, "events")) &&
         json_is_object(json_object_get(u, "occupancy")) &&
         json_is_array(json_object_get(u, "arrays")) &&
         json_is_array(json_object_get(u, "ports")) &&
         json_is_array(json_object_get(u, "registers"));
}

static bool is_activity(const json_t *json) {
  const char *format = json_string_value(json_object_get(json, "format"));
  const json_t *units = json_object_get(json, "units");
  size_t i;
  json_t *u;
  if (!format || strcmp(format, "mrpb activity 1") != 0 || json_array_size(units) == 0 ||
      !json_is_string(json_object_get(json, "config_hash")) ||
      json_integer_value(json_object_get(json, "clock_mhz")) <= 0)
    return false;
  json_array_foreach(units, i, u) if (!is_unit(u)) return false;
  return true;
}

/* Reads and checks activity.json of a run: afterwards everything that the functions below read is
 * present. Returns 0, or -1 and a message in err with the file's name. */
static int activity_read(const char *file, json_t **json, mrpb_err_t *err) {
  struct stat st;
  char path[OUTPUT_NAME];
  bool folder = stat(file, &st) == 0 && S_ISDIR(st.st_mode);
  int n = snprintf(path, sizeof path, folder ? "%s/activity.json" : "%s", file);
  *json = NULL;
  if (n < 0 || n >= OUTPUT_NAME) return mrpb_fail(err, "--activity %.60s...: name too long", file);
  *json = json_in_load(path, JSON_REJECT_DUPLICATES, "a folder of `mrpb run --activity`", err);
  if (!*json) return -1;
  if (is_activity(*json)) return 0;
  json_decref(*json);
  *json = NULL;
  return mrpb_fail(err, "%s: no activity.json of `mrpb run --activity`", path);
}

/* ---- running --------------------------------------------------------------- */

/* Writes the column's configuration to a file, so that the run can be repeated by hand. */
static int write_config(estimate_t *e, unsigned column, const char *name, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *f = memory_file(&text, &size);
  if (!f) return mrpb_fail(err, "out of memory");
  config_dump(f, &e->column[column].cfg, "of the run whose activity is beside it");
  int rc = fclose(f) != 0 ? mrpb_fail(err, "out of memory") : estimate_write(e, name, text, err);
  free(text);
  return rc;
}

/* Reports the last line of a failed run's output. */
static int run_failed(const process_t *p, const process_result_t *r, mrpb_err_t *err) {
  char how[64];
  char *end = r->text + strlen(r->text);
  while (end > r->text && end[-1] == '\n') *--end = '\0';
  const char *line = strrchr(r->text, '\n');
  line = line ? line + 1 : r->text;
  if (strncmp(line, "mrpb run: ", 10) == 0) return mrpb_fail(err, "%s", line + 10);
  process_describe(p, r, how, sizeof how);
  return mrpb_fail(err, "the run for the activity: %s: %.200s", how, line);
}

static int run_column(estimate_t *e, unsigned column, json_t **json, mrpb_err_t *err) {
  char folder[ESTIMATE_PATH], conf[ESTIMATE_PATH], name[ESTIMATE_PATH], text[ESTIMATE_PATH];
  const char *argv[ARGS] = {"/proc/self/exe", "run", "-c", conf, "--activity", folder};
  unsigned n = 6;
  for (unsigned i = 0; i < e->opt.n_run; i++) argv[n++] = e->opt.run[i];
  if (e->opt.logic.rtl) {
    argv[n++] = "--rtl";
    argv[n++] = e->opt.logic.rtl;
  }
  estimate_name(e, column, "activity", "", name);
  if (estimate_folder(e, name, err) != 0 || estimate_path(e, name, folder, err) != 0) return -1;
  estimate_name(e, column, "activity", "run.conf", name);
  if (estimate_path(e, name, conf, err) != 0 || write_config(e, column, name, err) != 0) return -1;
  const process_t p = {.argv = argv, .seconds = SECONDS, .most = 1 << 16, .stop = e->opt.stop};
  process_result_t r;
  if (process_run(&p, &r, err) != 0) return -1;
  e->stopped = r.end == PROCESS_STOPPED;
  estimate_name(e, column, "activity", "run.txt", text);
  int rc = r.end == PROCESS_EXITED && r.code == 0 ? estimate_write(e, text, r.text, err)
                                                  : run_failed(&p, &r, err);
  free(r.text);
  return rc == 0 ? activity_read(folder, json, err) : -1;
}

/* Adds the files of the run to the report's list. */
static void list_files(estimate_t *e, unsigned column, const json_t *json) {
  static const char *const always[] = {"activity.json", "access.csv", "bits.csv"};
  static const char *const endings[] = {"saif", "tcl"};
  char name[ESTIMATE_PATH], file[64];
  size_t k;
  json_t *u;
  for (unsigned i = 0; i < 3; i++) {
    estimate_name(e, column, "activity", always[i], name);
    json_out_append(&e->files, json_string(name));
  }
  json_array_foreach(json_object_get(json, "units"), k, u) for (unsigned i = 0; i < 2; i++) {
    snprintf(file, sizeof file, "%.40s.%s", json_string_value(json_object_get(u, "unit")),
             endings[i]);
    estimate_name(e, column, "activity", file, name);
    json_out_append(&e->files, json_string(name));
  }
}

/* Finds the columns to which the given file belongs. */
static int take_file(estimate_t *e, json_t *of[ESTIMATE_COLUMNS], mrpb_err_t *err) {
  json_t *json;
  bool taken = false;
  char hash[24];
  if (activity_read(e->opt.activity, &json, err) != 0) return -1;
  const char *is = json_string_value(json_object_get(json, "config_hash"));
  for (unsigned c = 0; c < e->n_columns; c++) {
    snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(&e->column[c].cfg));
    if (strcmp(is, hash) == 0)
      of[c] = json_incref(json), taken = true;
    else if (e->n_columns > 1)
      estimate_missing(e, "activity of %s: %s is of another configuration", e->column[c].name,
                       e->opt.activity);
  }
  int rc = taken ? 0
                 : mrpb_fail(err,
                             "--activity %s: of a run of configuration %.16s, this is %s; legal: "
                             "the same -c and --set",
                             e->opt.activity, is, hash);
  json_decref(json);
  return rc;
}

int activity_columns(estimate_t *e, json_t *of[ESTIMATE_COLUMNS], mrpb_err_t *err) {
  for (unsigned c = 0; c < ESTIMATE_COLUMNS; c++) of[c] = NULL;
  if (e->opt.activity) return take_file(e, of, err);
  if (!e->opt.n_run) {
    estimate_missing(e,
                     "activity: name a program with --kernel (`mrpb help kernels` lists them), or "
                     "--activity DIR of a run");
    return 0;
  }
  for (unsigned c = 0; c < e->n_columns; c++) {
    if (run_column(e, c, &of[c], err) != 0) return -1;
    list_files(e, c, of[c]);
  }
  return 0;
}
