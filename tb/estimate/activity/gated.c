/* SPDX-License-Identifier: Apache-2.0 */
/* Clock pins with clock gating: a register word is clocked only in cycles in which it is written. */
#include "estimate/activity/run.h"
#include "estimate/sram.h"

#include <string.h>

/* How often a word of the register is written, over all of its words: as the accesses say if it is
 * an array with writes of its own, and at least as often as a word changes. */
static double written(const json_t *unit, const json_t *reg, const char *name) {
  const json_t *array = activity_named(json_object_get(unit, "arrays"), name);
  const double changes = activity_number(reg, "changes"), writes = activity_number(array, "writes");
  return (writes > changes ? writes : changes) / activity_number(unit, "cycles");
}

activity_gated_t activity_gated(const char *stem, const json_t *unit, double clock_pj,
                                unsigned flops) {
  activity_gated_t g = {0, 0};
  double before = 0, after = 0; /* in clock pins per cycle */
  size_t i;
  json_t *reg;
  if (flops == 0) return g;
  json_array_foreach(json_object_get(unit, "registers"), i, reg) {
    const char *name = json_string_value(json_object_get(reg, "name"));
    const double words = activity_number(reg, "words"), bits = activity_number(reg, "bits");
    /* The register at an SRAM's output is part of the SRAM; one that is always 0 is no register. */
    if (!name || sram_is(stem, name) || strstr(name, "u_mem.")) continue;
    if (activity_number(reg, "bit_toggles") + activity_number(reg, "bit_ones") == 0) continue;
    const double plain = words * bits, gated = written(unit, reg, name) * bits + words;
    before += plain;
    after += gated < plain ? gated : plain;
    if (gated < plain) g.gates += (unsigned)words;
  }
  if (before > 0) g.pj = clock_pj * after / before;
  return g;
}
