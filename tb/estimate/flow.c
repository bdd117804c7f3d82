/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the tools, library and folders of a run, and prints results. */
#include "base/home.h"
#include "estimate/flow.h"

#include "base/files.h"
#include "verilog/build.h"
#include "base/output.h"
#include "base/json_out.h"

#include <inttypes.h>
#include <string.h>

unsigned flow_liberties(const logic_options_t *opt) {
  return opt->n_liberties ? opt->n_liberties : 1;
}
double flow_clock(const logic_options_t *opt) {
  return opt->clock_ghz > 0 ? opt->clock_ghz : 1.15;
}
unsigned flow_jobs(const logic_options_t *opt) {
  return opt->jobs ? opt->jobs : 2;
}

static int open_library(flow_t *f, unsigned i, mrpb_err_t *err) {
  const char *path = f->opt->n_liberties ? f->opt->liberty[i] : LOGIC_LIBERTY;
  if (f->opt->n_liberties == 0 && !files_exists(path))
    return mrpb_fail(err,
                     "%s: not there; it is in the package qflow-tech-osu018, which Debian 13 does "
                     "not have; name a library: --liberty FILE",
                     path);
  return liberty_open(&f->lib, path, err);
}

int flow_open(flow_t *f, const logic_options_t *opt, unsigned i, mrpb_err_t *err) {
  char root[FILES_PATH] = "";
  *f = (flow_t){.opt = opt};
  if ((!opt->rtl || !opt->cache) && home_find(root, err) != 0) return -1;
  const char *const rtl = opt->rtl ? opt->rtl : "rtl";
  bool fits = opt->rtl ? files_path(f->rtl, "%s", rtl) : files_path(f->rtl, "%s/%s", root, rtl);
  fits = fits && (!opt->cache || files_path(f->cache, "%s", opt->cache));
  if (!fits) return mrpb_fail(err, "the path of the project is too long");
  if (!opt->cache && home_build(f->cache, root, "estimate/cache", err) != 0) return -1;
  if (output_folder(f->cache, err) != 0 || open_library(f, i, err) != 0) return -1;
  if (tools_find(&f->tools, f->cache, err) == 0 &&
      logic_fo4(&f->lib, f->cache, &f->fo4_ns, err) == 0)
    return 0;
  liberty_close(&f->lib);
  return -1;
}

void flow_close(flow_t *f) {
  liberty_close(&f->lib);
}

int flow_job(const flow_t *f, const module_class_t *cls, const uint32_t *cfg, logic_job_t *job,
             mrpb_err_t *err) {
  *job = (logic_job_t){
      .synth = {.rtl = f->rtl, .lib = &f->lib, .tools = &f->tools, .stock = f->opt->stock},
      .fo4_ns = f->fo4_ns,
      .cache = f->cache,
      .prove = f->opt->prove};
  if (logic_job(job, cls, cfg, err) != 0) return -1;
  for (unsigned i = 0; f->opt->sram_ns > 0 && i < job->synth.n_srams; i++) {
    job->synth.sram[i].access_ns = f->opt->sram_ns;
    snprintf(job->synth.sram[i].source, SRAM_NAME, "--sram-access");
  }
  return 0;
}

json_t *flow_json(const flow_t *f) {
  char text[24];
  json_t *o = json_object(), *tools = json_object();
  for (unsigned i = 0; i < TOOLS_N; i++) {
    char said[TOOLS_VERSION + 24];
    snprintf(said, sizeof said, "%s, %016" PRIx64, f->tools.version[i], f->tools.hash[i]);
    json_out_set(&tools, tools_name(i), json_string(said));
  }
  snprintf(text, sizeof text, "%016" PRIx64, f->lib.hash);
  json_out_set(&o, "tools", tools);
  json_out_set(&o, "liberty", json_string(f->lib.name));
  json_out_set(&o, "liberty_hash", json_string(text));
  json_out_set(&o, "corner", json_string(f->lib.corner));
  json_out_set(&o, "process", json_real(f->lib.process));
  json_out_set(&o, "voltage_V", json_real(f->lib.voltage));
  json_out_set(&o, "temperature_C", json_real(f->lib.temperature));
  json_out_set(&o, "nand2", json_string(f->lib.nand2->name));
  json_out_set(&o, "nand2_um2", json_real(f->lib.nand2->area));
  json_out_set(&o, "fo4_ns", json_real(f->fo4_ns));
  if (f->opt->stock) json_out_set(&o, "abc", json_string(synth_script_name(true)));
  return o;
}

void flow_print(FILE *md, const flow_t *f) {
  const liberty_t *l = &f->lib;
  fprintf(md,
          "Library %s, corner **%s**: process %g, %g V, %g C; file `%s` (hash %016" PRIx64
          ", time unit %s).\n",
          l->name, l->corner, l->process, l->voltage, l->temperature, l->path, l->hash,
          l->time_unit);
  fprintf(md,
          "NAND2 is %s, %g um2; FO4 is the delay of %s with a fanout of four, %.4f ns. Inputs are "
          "driven by %s, outputs\nload it with %.3g fF.\n",
          l->nand2->name, l->nand2->area, l->inverter->name, f->fo4_ns, l->buffer->name,
          synth_load_ff(l));
  fprintf(
      md,
      "Cells only: no placement, no wires, no clock tree. Equivalent netlists differ by "
      "some per cent in area and\nmostly less than ten in period (docs/estimate/logic.md): read no "
      "smaller difference out of these tables.\n");
  fprintf(
      md, "%s\n\n",
      f->opt->stock
          ? "ABC with Yosys' own script (`--abc stock`), which maps for area first: every area, "
            "period and fmax here is with it.\nThe default is this project's script for "
            "speed."
          : "ABC with this project's script for speed: every area, period and fmax here needs "
            "it. With Yosys' own script they are\nothers, most libraries' slower: `--abc stock` "
            "makes this report with that one (docs/estimate/logic.md).");
}

void flow_table_head(FILE *md, const flow_t *f, const char *label) {
  fprintf(md,
          "| %s | area um2 | NAND2s | flops | AIG nodes / levels | depth, cells | period ns | fmax "
          "GHz, %s script | FO4s | slack ns at %g GHz | register to register GHz | netlist = C "
          "model |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
          label, synth_script_name(f->opt->stock), flow_clock(f->opt));
}

void flow_table_row(FILE *md, const flow_t *f, const char *label, const logic_result_t *r) {
  const sta_path_t *all = &r->sta.all, *reg = &r->sta.reg;
  fprintf(md, "| %s | %.0f | %.0f | %u | %u / %u |", label, r->synth.area_um2, r->nand2,
          r->synth.flops, r->synth.aig_nodes, r->synth.aig_levels);
  if (all->found)
    fprintf(md, " %u | %.3f | %.3f | %.1f | %+.3f |", all->depth, all->period_ns,
            1 / all->period_ns, all->period_ns / f->fo4_ns,
            1 / flow_clock(f->opt) - all->period_ns);
  else
    fputs(" - | - | - | - | - |", md);
  if (reg->found)
    fprintf(md, " %.3f |", 1 / reg->period_ns);
  else
    fputs(" - |", md);
  fprintf(md, " %s |\n", f->opt->prove ? r->proof : "not proved: --no-prove");
}
