/* SPDX-License-Identifier: Apache-2.0 */
/* Runs OpenSTA once for many activities of a netlist. */
#include "estimate/energy/energy.h"

#include "base/files.h"
#include "base/output.h"
#include "estimate/activity/run.h"
#include "estimate/tools.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 3600 }; /* the whole L1 takes a minute for each scene, on an idle machine */

/* Every power is taken at the clock of sta.tcl, whatever it is, and printed as energy of a cycle. */
static int write_script(const char *module, const char *folder, const char *scratch, unsigned n,
                        mrpb_err_t *err) {
  FILE *f = output_into(scratch, "energy.tcl", err);
  if (!f) return -1;
  fprintf(f,
          "cd {%s}\nsource sta.tcl\n"
          "puts \"energy period [get_property [get_clocks clk] period]\"\n",
          folder);
  for (unsigned i = 0; i < n; i++) {
    char tcl[FILES_PATH];
    if (!files_path(tcl, "%s/%u.tcl", scratch, i))
      return mrpb_fail(err, "%s: path too long", scratch);
    fprintf(f, "puts \"energy scene %u\"\n", i);
    activity_power_script(f, module, tcl);
  }
  fputs("puts \"energy done\"\n", f);
  return output_into_end(f, false, scratch, "energy.tcl", err);
}

/* How a report is read: in which clock period, and the factor of activity_internal. */
typedef struct {
  double period_ns, factor;
} scale_t;

static int read_scene(const char *text, scale_t s, energy_power_t *p, mrpb_err_t *err) {
  activity_logic_t l;
  if (activity_power_read(text, s.factor, &l, err) != 0) return -1;
  *p = (energy_power_t){.flops = 1000 * s.period_ns * (l.flops.internal + l.flops.switching),
                        .gates = 1000 * s.period_ns * (l.gates.internal + l.gates.switching),
                        .leakage_mw = 1000 * l.both.leakage,
                        .n_flops = l.n_flops};
  return 0;
}

static int read_log(char *text, unsigned n, double factor, energy_power_t *power, mrpb_err_t *err) {
  scale_t s = {.factor = factor};
  char *at = strstr(text, "energy period ");
  const char *bad = strstr(text, "\nError");
  if (bad) return mrpb_fail(err, "sta: %.*s", (int)strcspn(bad + 1, "\n"), bad + 1);
  if (!strstr(text, "energy done") || !at || sscanf(at, "energy period %lf", &s.period_ns) != 1)
    return mrpb_fail(err, "sta: ended before its end");
  for (unsigned i = 0; i < n; i++) {
    char mark[40];
    snprintf(mark, sizeof mark, "energy scene %u\n", i);
    at = strstr(at, mark);
    char *end = at ? strstr(at + 1, "\nenergy ") : NULL;
    if (!end) return mrpb_fail(err, "sta: ended before its end");
    *end = '\0';
    if (read_scene(at, s, &power[i], err) != 0) return -1;
    *end = '\n';
  }
  return 0;
}

int energy_sta(const char *module, const char *folder, const char *scratch, unsigned n,
               energy_power_t *power, mrpb_err_t *err) {
  static const char *const sta[] = {"sta", "-no_splash", "-exit", "energy.tcl", NULL};
  char path[FILES_PATH];
  double factor;
  if (activity_internal(scratch, &factor, err) != 0) return -1;
  if (write_script(module, folder, scratch, n, err) != 0 ||
      tools_run(scratch, sta, "energy.log", SECONDS, err) != 0)
    return -1;
  char *text = files_path(path, "%s/energy.log", scratch) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(err, "%s/energy.log: cannot read", scratch);
  const int rc = read_log(text, n, factor, power, err);
  free(text);
  return rc;
}
