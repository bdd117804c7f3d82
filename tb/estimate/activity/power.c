/* SPDX-License-Identifier: Apache-2.0 */
/* Power of the synthesised logic with the activity of a run: runs OpenSTA in the folders that the
 * section on logic has left. */
#include "estimate/activity/run.h"

#include "estimate/tools.h"
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

static int write_script(const char *folder, const char *tcl, mrpb_err_t *err) {
  char path[ESTIMATE_PATH + 16], temp[OUTPUT_NAME];
  snprintf(path, sizeof path, "%s/power.tcl", folder);
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  fprintf(f, "source sta.tcl\nsource {%s}\nreport_power\n", tcl);
  return output_close(f, false, path, temp, err);
}

/* Reads "Total   1.2e-02 3.4e-03 5.6e-07 ..." as watts. */
static bool group(const char *folder, const char *name, activity_power_t *p) {
  char line[256];
  tools_find_line(folder, "power.log", name, line, sizeof line);
  return sscanf(line + strlen(name), "%lf %lf %lf", &p->internal, &p->switching, &p->leakage) == 3;
}

static int run(const char *folder, const char *module, const char *tcl, activity_power_t power[3],
               mrpb_err_t *err) {
  static const char *const names[] = {"Sequential  ", "Combinational  ", "Total  "};
  static const char *const sta[] = {"sta", "-no_splash", "-exit", "power.tcl", NULL};
  char line[256];
  if (write_script(folder, tcl, err) != 0 || tools_run(folder, sta, "power.log", SECONDS, err) != 0)
    return -1;
  tools_find_line(folder, "power.log", "Error: ", line, sizeof line);
  if (line[0]) return mrpb_fail(err, "sta: %.200s (%s/power.log)", line, folder);
  tools_find_line(folder, "power.log", "without activity: ", line, sizeof line);
  if (line[0]) return mrpb_fail(err, "sta: %s: flip-flops %.200s", module, line);
  for (unsigned i = 0; i < 3; i++)
    if (!group(folder, names[i], &power[i]))
      return mrpb_fail(err, "sta: no power of %s (%s/power.log)", module, folder);
  return 0;
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
  json_array_foreach(e->files, i, entry) {
    char lib[ESTIMATE_NAME], module[ESTIMATE_NAME], kind[2 * ESTIMATE_NAME + 16];
    char name[ESTIMATE_PATH], folder[ESTIMATE_PATH], tcl[ESTIMATE_PATH];
    const char *file = json_string_value(entry);
    activity_power_t power[3];
    if (!parts_of(file, lib, module) || !activity_unit_of(activity, module)) continue;
    snprintf(kind, sizeof kind, "logic/%s/%s", lib, module);
    estimate_name(e, column, kind, "sta.tcl", name);
    if (strcmp(name, file) != 0) continue;
    estimate_name(e, column, kind, "", name);
    if (tcl_of(e, column, module, tcl, err) != 0 || estimate_path(e, name, folder, err) != 0 ||
        run(folder, module, tcl, power, err) != 0)
      return -1;
    each(ctx, column, lib, module, power);
  }
  return 0;
}
