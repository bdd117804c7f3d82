/* SPDX-License-Identifier: Apache-2.0 */
/* Power of the synthesised logic with the activity of a run: runs OpenSTA in the folders that the
 * section on logic has left. */
#include "estimate/activity/run.h"

#include "estimate/tools.h"
#include "base/files.h"
#include "base/output.h"
#include "base/json_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 600 };

/* Gets library and module from "logic/LIBRARY/MODULE/.../sta.tcl". Returns false for other
 * files. */
static bool parts_of(const char *file, char lib[ESTIMATE_NAME], char module[ESTIMATE_NAME]) {
  return sscanf(file, "logic/%95[^/]/%95[^/]/", lib, module) == 2 &&
         strcmp(file + strlen(file) - 8, "/sta.tcl") == 0;
}

static int write_script(const char *folder, const char *module, const char *tcl, mrpb_err_t *err) {
  FILE *f = output_into(folder, "power.tcl", err);
  if (!f) return -1;
  fputs("source sta.tcl\n", f);
  activity_power_script(f, module, tcl);
  return output_into_end(f, false, folder, "power.tcl", err);
}

static int run(const char *folder, const char *module, const char *tcl, double factor,
               activity_logic_t *power, mrpb_err_t *err) {
  static const char *const sta[] = {"sta", "-no_splash", "-exit", "power.tcl", NULL};
  char path[FILES_PATH];
  mrpb_err_t why = {""};
  if (write_script(folder, module, tcl, err) != 0 ||
      tools_run(folder, sta, "power.log", SECONDS, err) != 0)
    return -1;
  char *text = files_path(path, "%s/power.log", folder) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(err, "%s/power.log: cannot read", folder);
  const int rc = activity_power_read(text, factor, power, &why);
  free(text);
  return rc == 0 ? 0 : mrpb_fail(err, "%s: %s (%s/power.log)", module, why.text, folder);
}

/* Finds the file of a unit's activity, by the path that OpenSTA uses. */
static int tcl_of(const estimate_t *e, unsigned column, const char *module,
                  char path[ESTIMATE_PATH], mrpb_err_t *err) {
  char file[ESTIMATE_NAME + 8], name[ESTIMATE_PATH], relative[2 * ESTIMATE_PATH];
  int up = 0;
  snprintf(file, sizeof file, "%s.tcl", module);
  if (e->opt.activity) {
    snprintf(relative, sizeof relative, "%s/%s", e->opt.activity, file);
    return cacti_absolute(relative, path, err);
  }
  /* The path is relative to the netlist's folder, because the estimate's folder is renamed when
   * complete. */
  estimate_name(e, column, "logic/LIBRARY/MODULE", "", name);
  for (const char *at = name; at; at = strchr(at + 1, '/')) up += snprintf(path + up, 4, "../");
  estimate_name(e, column, "activity", file, name);
  int n = snprintf(path + up, ESTIMATE_PATH - (size_t)up, "%s", name);
  return n < 0 || up + n >= ESTIMATE_PATH ? mrpb_fail(err, "-o %.80s...: too long", e->out) : 0;
}

int activity_power(const estimate_t *e, unsigned column, const json_t *activity,
                   activity_power_fn each, void *ctx, mrpb_err_t *err) {
  size_t i;
  json_t *entry;
  double factor = 1;
  char scratch[ESTIMATE_PATH];
  if (estimate_path(e, "", scratch, err) != 0 || activity_internal(scratch, &factor, err) != 0)
    return -1;
  json_array_foreach(e->files, i, entry) {
    char lib[ESTIMATE_NAME], module[ESTIMATE_NAME], kind[2 * ESTIMATE_NAME + 16];
    char name[ESTIMATE_PATH], folder[ESTIMATE_PATH], tcl[ESTIMATE_PATH];
    const char *file = json_string_value(entry);
    activity_logic_t power;
    if (!parts_of(file, lib, module) || !activity_unit_of(activity, module)) continue;
    snprintf(kind, sizeof kind, "logic/%s/%s", lib, module);
    estimate_name(e, column, kind, "sta.tcl", name);
    if (strcmp(name, file) != 0) continue;
    estimate_name(e, column, kind, "", name);
    if (tcl_of(e, column, module, tcl, err) != 0 || estimate_path(e, name, folder, err) != 0 ||
        run(folder, module, tcl, factor, &power, err) != 0 ||
        each(ctx, column, lib, module, folder, &power, err) != 0)
      return -1;
  }
  return 0;
}
