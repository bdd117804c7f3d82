/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the folder of files. */
#include "estimate/activity/state.h"
#include "base/output.h"
#include "base/json_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int path_of(const char *dir, const char *name, const char *ending, char path[OUTPUT_NAME],
                   mrpb_err_t *err) {
  int n = snprintf(path, OUTPUT_NAME, "%s/%s%s", dir, name, ending);
  if (n < 0 || n >= OUTPUT_NAME) return mrpb_fail(err, "--activity %.60s...: name too long", dir);
  return 0;
}

int activity_probe(const char *dir, mrpb_err_t *err) {
  mrpb_err_t why = {""};
  if (output_folder(dir, &why) != 0) return mrpb_fail(err, "--activity %s", why.text);
  if (access(dir, W_OK | X_OK) != 0)
    return mrpb_fail(err, "--activity %s: %s; legal: a folder that can be written", dir,
                     strerror(errno));
  return 0;
}

typedef enum { ACCESS_CSV, BITS_CSV, UNIT_SAIF, UNIT_TCL, RUN_JSON } file_t;

static bool put(const activity_t *a, const activity_unit_t *u, file_t what, json_t *json, FILE *f) {
  switch (what) {
  case ACCESS_CSV:
    activity_access_csv(a, f);
    return true;
  case BITS_CSV:
    activity_bits_csv(a, f);
    return true;
  case UNIT_SAIF:
    activity_saif(u, config_sm_mhz(a->cfg), f);
    return true;
  case UNIT_TCL:
    activity_tcl(u, f);
    return true;
  case RUN_JSON:
    break;
  }
  return json_out_write(json, f, JSON_INDENT(1) | JSON_REAL_PRECISION(10)) == 0;
}

/* All files are written before the first one gets its name. */
typedef enum { WRITE, COMMIT, DISCARD } phase_t;

static int do_file(phase_t phase, const activity_t *a, const activity_unit_t *u, file_t what,
                   json_t *json, const char *dir, const char *name, const char *ending,
                   mrpb_err_t *err) {
  char path[OUTPUT_NAME], temp[OUTPUT_NAME];
  if (path_of(dir, name, ending, path, err) != 0 || output_temp(path, temp, err) != 0) return -1;
  if (phase == COMMIT) return output_commit(path, temp, err);
  if (phase == DISCARD) return output_discard(path, temp), 0;
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  bool bad = !put(a, u, what, json, f);
  return output_end(f, bad, path, temp, err);
}

static int do_all(phase_t phase, const activity_t *a, json_t *json, const char *dir,
                  mrpb_err_t *err) {
  int rc = do_file(phase, a, NULL, ACCESS_CSV, NULL, dir, "access", ".csv", err);
  if (rc == 0) rc = do_file(phase, a, NULL, BITS_CSV, NULL, dir, "bits", ".csv", err);
  for (unsigned i = 0; rc == 0 && i < a->n_units; i++) {
    const activity_unit_t *u = &a->unit[i];
    rc = do_file(phase, a, u, UNIT_SAIF, NULL, dir, u->cls->stem, ".saif", err);
    if (rc == 0) rc = do_file(phase, a, u, UNIT_TCL, NULL, dir, u->cls->stem, ".tcl", err);
  }
  return rc == 0 ? do_file(phase, a, NULL, RUN_JSON, json, dir, "activity", ".json", err) : rc;
}

/* Removes files of an earlier run, which may have had another configuration. */
static int remove_old(const char *dir, mrpb_err_t *err) {
  static const char *const names[] = {"activity.json", "mrpb.saif", "mrpb.tcl", "mshr.saif",
                                      "mshr.tcl",      "prt.saif",  "prt.tcl"};
  char path[OUTPUT_NAME];
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (path_of(dir, names[i], "", path, err) != 0) return -1;
    if (unlink(path) != 0 && errno != ENOENT)
      return mrpb_fail(err, "%s: %s; legal: a file that can be written", path, strerror(errno));
  }
  return 0;
}

int activity_write(const activity_t *a, const char *dir, const json_t *run, mrpb_err_t *err) {
  json_t *json = activity_json(a, run);
  if (!json) return mrpb_fail(err, "%s: out of memory; nothing was written", dir);
  int rc = activity_probe(dir, err);
  if (rc == 0) rc = do_all(WRITE, a, json, dir, err);
  if (rc != 0)
    (void)do_all(DISCARD, a, json, dir, NULL);
  else if ((rc = remove_old(dir, err)) == 0)
    rc = do_all(COMMIT, a, json, dir, err);
  json_decref(json);
  return rc;
}

void activity_print(const activity_t *a, FILE *out) {
  for (unsigned i = 0; i < a->n_units; i++) {
    const activity_unit_t *u = &a->unit[i];
    const activity_side_t *s = activity_side(u);
    fprintf(out, "  activity        SM %u, %s:", a->watch.sm, u->cls->stem);
    for (unsigned k = 0; k < u->events->n_arrays; k++) {
      const activity_access_t *x = &u->events->arrays[k];
      if (k > 1) break; /* arrays that may be an SRAM or a CAM come first */
      fprintf(out, "%s %s", k ? ";" : "", x->reg);
      if (x->searches >= 0)
        fprintf(out, " %.4f searches", activity_rate(s->events[x->searches], u->cycles));
      if (x->reads >= 0) fprintf(out, " %.4f reads", activity_rate(s->events[x->reads], u->cycles));
      if (x->writes >= 0)
        fprintf(out, " %.4f writes", activity_rate(s->events[x->writes], u->cycles));
    }
    fprintf(out, " a cycle%s\n",
            u->c.there && u->rtl.there ? "; C model and Verilog count the same" : "");
  }
}
