/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/mapped.h"

#include "base/home.h"
#include "base/output.h"

#include <stdio.h>
#include <string.h>

static int write_map(const mapped_netlist_t *g, const module_class_t *cls, const uint32_t *cfg,
                     mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  cls->ports(cfg, in, out);
  FILE *f = output_into(g->folder, "gates.map", err);
  if (!f) return -1;
  fprintf(f, "module %s\ntop %s\n", cls->stem, g->top);
  if (cls->n_regs > 0) fputs("clock clk_i\n", f);
  for (unsigned i = 0; i < cls->n_in; i++)
    if (strcmp(in[i].name, "srst_ni") == 0)
      fputs("reset srst_ni low sync\n", f);
    else
      fprintf(f, "in %s = %s\n", in[i].name, in[i].name);
  for (unsigned i = 0; i < cls->n_out; i++) fprintf(f, "out %s = %s\n", out[i].name, out[i].name);
  return output_into_end(f, false, g->folder, "gates.map", err);
}

int mapped_netlist_open(mapped_netlist_t *g, const cells_t *cells, const module_class_t *cls,
                        const uint32_t *cfg, rtl_from_t *from, mrpb_err_t *err) {
  char root[FILES_PATH], cache[FILES_PATH], write[256];
  *g = (mapped_netlist_t){.top = ""};
  snprintf(g->top, sizeof g->top, "%s_gates", cls->stem);
  snprintf(write, sizeof write,
           "setundef -zero -init\nrename -hide\nrename %s %s\nwrite_verilog -noattr gates.v",
           cls->stem, g->top);
  if (home_find(root, err) != 0 || home_build(cache, root, "gates", err) != 0 ||
      files_temp_folder(g->folder, cache, err) != 0)
    return RTL_BAD_INPUT;
  if (!files_path(g->file, "%s/gates.v", g->folder) ||
      !files_path(g->map, "%s/gates.map", g->folder))
    return mrpb_fail(err, "%s: the path is too long", g->folder), RTL_BAD_INPUT;
  const int rc = cells_gates(cells, cls->stem, g->folder, write, err);
  if (rc != RTL_OK) return rc;
  if (write_map(g, cls, cfg, err) != 0) return RTL_BAD_INPUT;
  from->design.word[0] = g->file;
  from->design.n_words = 1;
  from->design.map = g->map;
  from->design.map_said = cells->netlist;
  from->design.outputs_only = true;
  from->lint = "off";
  return RTL_OK;
}

void mapped_netlist_close(mapped_netlist_t *g) {
  if (g->folder[0]) files_remove_tree(g->folder, NULL);
}
