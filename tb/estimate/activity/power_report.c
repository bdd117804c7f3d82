/* SPDX-License-Identifier: Apache-2.0 */
/* Asks OpenSTA for the power of one activity, and reads what it prints. The energy of the clock pins
 * is taken apart from that of the toggles: docs/estimate/activity.md says why. */
#include "estimate/activity/run.h"

#include <string.h>

void activity_power_script(FILE *f, const char *module, const char *tcl) {
  fprintf(f,
          "source {%s}\nputs \"power: counted\"\nreport_power -digits 9\n"
          "mrpb_still %s 0\nputs \"power: still\"\nreport_power -digits 9\n"
          "mrpb_still %s 1\nputs \"power: clear\"\nreport_power -digits 9\n",
          tcl, module, module);
}

/* Reads "Total   1.2e-02 3.4e-03 5.6e-07 ..." as watts, in the report after `mark`. */
static bool group(const char *text, const char *mark, const char *name, double factor,
                  activity_power_t *p) {
  const char *at = strstr(text, mark);
  if (at) at = strstr(at, name);
  if (!at ||
      sscanf(at + strlen(name), "%lf %lf %lf", &p->internal, &p->switching, &p->leakage) != 3)
    return false;
  p->internal /= factor;
  return true;
}

int activity_power_read(const char *text, double factor, activity_logic_t *p, mrpb_err_t *err) {
  static const char flops[] = "\nSequential ";
  const char *bad = strstr(text, "\nError: "), *lost = strstr(text, "without activity: ");
  const char *found = strstr(text, " input bits, ");
  activity_power_t still;
  if (bad) return mrpb_fail(err, "sta: %.*s", (int)strcspn(bad + 1, "\n"), bad + 1);
  if (lost) return mrpb_fail(err, "sta: flip-flops %.*s", (int)strcspn(lost, "\n"), lost);
  if (!found || sscanf(found, " input bits, %u", &p->n_flops) != 1 ||
      !group(text, "power: counted", flops, factor, &p->flops) ||
      !group(text, "power: counted", "\nCombinational ", factor, &p->gates) ||
      !group(text, "power: counted", "\nTotal ", factor, &p->both) ||
      !group(text, "power: still", flops, factor, &still) ||
      !group(text, "power: clear", flops, factor, &p->clock))
    return mrpb_fail(err, "sta: no power");
  p->flops.internal += p->clock.internal - still.internal;
  return 0;
}
