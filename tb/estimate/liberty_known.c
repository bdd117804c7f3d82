/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/liberty_known.h"

#include <fnmatch.h>
#include <stddef.h>

enum { UNUSED = 8 };

/* sky130: level shifters and isolation of a power domain, probes, and cells that only delay. ASAP7:
 * cells of half and of one and a half fins a transistor, which its own flow cannot route, and scan
 * and clock-gating cells. IHP: bus keepers, and cells that only delay. */
static const struct {
  const char *library;
  unsigned node_nm;
  const char *unused[UNUSED];
} known[] = {
    {"NangateOpenCellLibrary*", 45, {NULL}},
    {"sky130_fd_sc_*",
     130,
     {"*__lpflow_*", "*__probe*", "*__clkdlybuf*", "*__dlygate*", "*__dlymetal*", NULL}},
    {"sg13g2_stdcell*", 130, {"sg13g2_sighold", "sg13g2_dlygate*", NULL}},
    {"gf180mcu_fd_sc_*", 180, {"*__hold*", "*__dly*", NULL}},
    {"asap7sc7p5t_*", 7, {"*xp*", "*x1p*", "SDF*", "ICG*", NULL}},
    {"osu018_stdcells", 180, {NULL}},
};

unsigned liberty_known_node(const char *library) {
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (fnmatch(known[i].library, library, 0) == 0) return known[i].node_nm;
  return 0;
}

bool liberty_known_unused(const char *library, const char *cell) {
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    if (fnmatch(known[i].library, library, 0) != 0) continue;
    for (unsigned k = 0; k < UNUSED && known[i].unused[k]; k++)
      if (fnmatch(known[i].unused[k], cell, 0) == 0) return true;
  }
  return false;
}
