/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the folder and what it was made with, for people and for scripts. */
#include "estimate/export/state.h"

#include "base/json_out.h"
#include "version.h"

#include <string.h>

typedef struct {
  const char *name, *what;
  bool logic, run; /* there only with a netlist, only with a run */
} entry_t;

/* "%s" is the module. */
static const entry_t table[] = {
    {"rtl/", "the Verilog; parameters whose defaults are this size", false, false},
    {"%s.f", "list of these files, for tools that run in this folder", false, false},
    {"%s.core", "the same for FuseSoC (CAPI2)", false, false},
    {"Bender.yml", "the same for Bender", false, false},
    {"%s_bb.v", "black box: the ports alone", false, false},
    {"%s.sdc", "clock, delays at the ports, driving cell and load", false, false},
    {"macros.csv", "the memories in it: words, bits, ports, how they are read", false, false},
    {"formal/%s.sby", "the properties for SymbiYosys; run it in formal/", false, false},
    {"formal/%s_sva.sv", "the properties as assertions, bound to the module", false, false},
    {"gates/%s.v", "the mapped netlist", true, false},
    {"gates/cells.v", "its cells, for simulation", true, false},
    {"gates/macros.v", "its memories, for simulation; their timing is in gates/*.lib", true, false},
    {"lib/", "the module as a Liberty cell, one file for each corner", true, false},
    {"%s.lef", "outline and pins of that cell", true, false},
    {"sim/%s_tb.v", "test bench with a stimulus and the C model's outputs", false, true},
    {"sim/%s_rtl.saif", "activity of its run on the Verilog", false, true},
    {"sim/%s_gates.saif", "activity of the same run on the netlist", true, true},
};

static void put_table(const export_t *e, FILE *f) {
  fprintf(f, "| file | what it is |\n| --- | --- |\n");
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    const entry_t *t = &table[i];
    const char *place = strstr(t->name, "%s");
    if ((t->logic && !e->opt->logic.on) || (t->run && !e->opt->run)) continue;
    if (place)
      fprintf(f, "| `%.*s%s%s` | %s |\n", (int)(place - t->name), t->name, e->cls->stem, place + 2,
              t->what);
    else
      fprintf(f, "| `%s` | %s |\n", t->name, t->what);
  }
}

static const char *memory_area(const export_t *e, char text[32]) {
  if (e->logic.macro_area_um2 <= 0 && e->job.synth.n_srams) return "an area that is not known";
  snprintf(text, 32, "%.0f um2", e->logic.macro_area_um2);
  return text;
}

static int put_page(export_t *e, mrpb_err_t *err) {
  char area[32];
  FILE *f = export_open(e, "README.md", err);
  if (!f) return -1;
  fprintf(f, "# %s\n\n%s at %s, written by mrpb " MRPB_VERSION ".\n\n", e->cls->stem, e->cls->doc,
          e->sizes);
  put_table(e, f);
  fprintf(f,
          "\nAn instance `%s u_%s (...)` without parameters is this size in the Verilog. The black "
          "box, the\nnetlist and the cell of lib/ have this size only.\n",
          e->cls->stem, e->cls->stem);
  if (e->opt->logic.on)
    fprintf(
        f,
        "\nNetlist: %u cells and %u flip-flops, %.0f um2; memories of %s; library "
        "%s, corner %s.\nThe clock of the SDC is %g GHz; the netlist needs %.3f ns. No placement, "
        "no routing, no clock tree.\n",
        e->logic.synth.cells, e->logic.synth.flops, e->logic.synth.area_um2, memory_area(e, area),
        e->flow.lib.name, e->flow.lib.corner, e->clock_ghz, e->logic.sta.all.period_ns);
  return export_close(e, f, "README.md", err);
}

static int put_manifest(export_t *e, mrpb_err_t *err) {
  json_t *o = json_object(), *parameters = json_object(), *files = json_array();
  FILE *f = export_open(e, "manifest.json", err); /* notes itself */
  for (unsigned i = 0; i < e->cls->n_params; i++)
    json_out_set(&parameters, e->cls->params[i].name, json_integer(e->cfg[i]));
  for (unsigned i = 0; i < e->n_files; i++) json_out_append(&files, json_string(e->file[i]));
  json_out_set(&o, "program", json_string("mrpb export " MRPB_VERSION));
  json_out_set(&o, "module", json_string(e->cls->stem));
  json_out_set(&o, "parameters", parameters);
  json_out_set(&o, "files", files);
  if (e->opt->logic.on) json_out_set(&o, "made_with", flow_json(&e->flow));
  const bool bad = f && json_out_write(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0;
  json_decref(o);
  if (!f) return -1;
  if (export_close(e, f, "manifest.json", err) != 0) return -1;
  return bad ? mrpb_fail(err, "out of memory") : 0;
}

int export_readme(export_t *e, mrpb_err_t *err) {
  return put_page(e, err) == 0 ? put_manifest(e, err) : -1;
}
