/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* realpath */
/* Opens the tools, library and folders of a run, and prints results. */
#include "base/home.h"
#include "estimate/flow.h"

#include "base/files.h"
#include "verilog/build.h"
#include "base/output.h"
#include "base/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

unsigned flow_liberties(const logic_options_t *opt) {
  return opt->n_liberties ? opt->n_liberties : 1;
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
  if (liberty_open(&f->lib, path, &f->opt->dont_use, err) != 0) return -1;
  return liberty_write(&f->lib, f->cache, err);
}

int flow_same_cells(const flow_t *f, const liberty_t *corner, mrpb_err_t *err) {
  for (unsigned i = 0; i < f->lib.n_cells; i++)
    if (!f->lib.cell[i].unused && !liberty_cell(corner, f->lib.cell[i].name))
      return mrpb_fail(err, "--corner %s: no cell %s; legal: the cells of %s at another corner",
                       corner->path, f->lib.cell[i].name, f->lib.path);
  return 0;
}

static int open_corners(flow_t *f, mrpb_err_t *err) {
  if (f->opt->n_corners && flow_liberties(f->opt) > 1)
    return mrpb_fail(err, "--corner: the corner of which library? legal: with one --liberty");
  for (unsigned i = 0; i < f->opt->n_corners; i++) {
    liberty_t *c = &f->corner[i];
    if (liberty_open(c, f->opt->corner[i], NULL, err) != 0) return -1;
    f->n_corners++;
    for (unsigned k = 0; k <= i; k++)
      if (strcmp(c->corner, k ? f->corner[k - 1].corner : f->lib.corner) == 0)
        return mrpb_fail(err, "--corner %s: corner %s again; legal: each corner once", c->path,
                         c->corner);
    if (flow_same_cells(f, c, err) != 0 || liberty_write(c, f->cache, err) != 0 ||
        logic_fo4(c, f->cache, &f->corner_fo4_ns[i], err) != 0)
      return -1;
  }
  return 0;
}

static int find_folders(flow_t *f, mrpb_err_t *err) {
  const logic_options_t *opt = f->opt;
  char root[FILES_PATH] = "", full[PATH_MAX];
  if ((!opt->rtl || !opt->cache) && home_find(root, err) != 0) return -1;
  const char *const rtl = opt->rtl ? opt->rtl : "rtl";
  bool fits = opt->rtl ? files_path(f->rtl, "%s", rtl) : files_path(f->rtl, "%s/%s", root, rtl);
  fits = fits && (!opt->cache || files_path(f->cache, "%s", opt->cache));
  if (!fits) return mrpb_fail(err, "the path of the project is too long");
  if (!opt->cache && home_build(f->cache, root, "estimate/cache", err) != 0) return -1;
  if (output_folder(f->cache, err) != 0) return -1;
  /* The tools run in other folders. */
  if (!realpath(f->cache, full) || !files_path(f->cache, "%s", full))
    return mrpb_fail(err, "%s: %s", f->cache, strerror(errno));
  return 0;
}

int flow_open(flow_t *f, const logic_options_t *opt, unsigned i, mrpb_err_t *err) {
  *f = (flow_t){.opt = opt};
  if (find_folders(f, err) == 0 && open_library(f, i, err) == 0 &&
      tools_find(&f->tools, f->cache, err) == 0 &&
      logic_fo4(&f->lib, f->cache, &f->fo4_ns, err) == 0 && open_corners(f, err) == 0 &&
      (!opt->sram_lib || sram_lib_open(&f->memories, opt->sram_lib, err) == 0))
    return 0;
  flow_close(f);
  return -1;
}

void flow_close(flow_t *f) {
  liberty_close(&f->lib);
  for (unsigned i = 0; i < f->n_corners; i++) liberty_close(&f->corner[i]);
  f->n_corners = 0;
}

double flow_wire(const flow_t *f) {
  return f->opt->around.wire.stated ? f->opt->around.wire.value : LOGIC_WIRE_FF;
}

double flow_utilisation(const flow_t *f) {
  return f->opt->around.utilisation.stated ? f->opt->around.utilisation.value : LOGIC_UTILISATION;
}

static logic_job_t begin_job(const flow_t *f) {
  logic_job_t job = {
      .synth = {.rtl = f->rtl, .lib = &f->lib, .tools = &f->tools, .stock = f->opt->stock},
      .corner = {{&f->lib, 1}},
      .n_corners = 1 + f->n_corners,
      .wire_ff = flow_wire(f),
      .cache = f->cache,
      .prove = f->opt->prove};
  for (unsigned i = 0; i < f->n_corners; i++)
    job.corner[1 + i] = (logic_corner_t){&f->corner[i], f->corner_fo4_ns[i] / f->fo4_ns};
  return job;
}

static void set_access(const flow_t *f, logic_job_t *job) {
  for (unsigned i = 0; i < job->synth.n_srams; i++) {
    sram_t *s = &job->synth.sram[i];
    (void)sram_lib_take(&f->memories, s);
    if (f->opt->sram_ns <= 0) continue;
    s->access_ns = f->opt->sram_ns;
    snprintf(s->source, SRAM_NAME, "--sram-access");
  }
}

int flow_job(const flow_t *f, const module_class_t *cls, const uint32_t *cfg, logic_job_t *job,
             mrpb_err_t *err) {
  *job = begin_job(f);
  if (logic_job(job, cls, cfg, err) != 0) return -1;
  set_access(f, job);
  return 0;
}

void flow_job_of(const flow_t *f, const synth_source_t *source, const sram_t *sram, unsigned n,
                 logic_job_t *job) {
  *job = begin_job(f);
  job->synth.source = *source;
  job->synth.n_srams = n;
  memcpy(job->synth.sram, sram, n * sizeof *sram);
  set_access(f, job);
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
          "Library %s, corner **%s**: process %g, %g V, %g C; file `%s`%s (hash %016" PRIx64
          ", time unit %s).\n",
          l->name, l->corner, l->process, l->voltage, l->temperature, l->path,
          l->n_files > 1 ? " and others" : "", l->hash, l->time_unit);
  if (l->n_unused)
    fprintf(md,
            "%u of its cells are left out: they are not for a synthesis "
            "(docs/estimate/libraries.md).\n",
            l->n_unused);
  for (unsigned i = 0; i < f->n_corners; i++)
    fprintf(md,
            "The same netlists at corner **%s**: process %g, %g V, %g C; FO4 %.4f ns; file `%s`.\n",
            f->corner[i].corner, f->corner[i].process, f->corner[i].voltage,
            f->corner[i].temperature, f->corner_fo4_ns[i], f->corner[i].path);
  fprintf(md,
          "NAND2 is %s, %g um2; FO4 is the delay of %s with a fanout of four, %.4f ns. Inputs are "
          "driven by %s, outputs\nload it with %.3g fF.\n",
          l->nand2->name, l->nand2->area, l->inverter->name, f->fo4_ns, l->buffer->name,
          synth_load_ff(l));
  fprintf(md,
          "Before layout: no placement, no clock tree. %s\nThe rows with wires have %g fF at each "
          "sink. Equivalent netlists differ by some per cent in area and\nmostly less than ten in "
          "period (docs/estimate/logic.md): read no smaller difference out of these tables.\n",
          l->wire_load ? "The library's own wire loads are left out."
                       : "The library has no wire loads.",
          flow_wire(f));
  fprintf(
      md, "%s\n\n",
      f->opt->stock
          ? "ABC with Yosys' own script (`--abc stock`), which maps for area first: every area "
            "and delay here is with it.\nThe default is this project's script for speed."
          : "ABC with this project's script for speed: every area and delay here needs it. With "
            "Yosys' own script they are\nothers, most libraries' slower: `--abc stock` makes this "
            "report with that one (docs/estimate/logic.md).");
}
