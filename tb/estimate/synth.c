/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Yosys and ABC: see synth.h and docs/estimate/logic.md. */
#include "estimate/synth.h"
#include "base/abc.h"
#include "base/memory_file.h"
#include "base/output.h"

#include "base/files.h"
#include "base/hash.h"
#include "estimate/gates.h"
#include "verilog/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 3600 }; /* time limit of a Yosys run, in seconds */

double synth_load_ff(const liberty_t *lib) {
  return 4 * lib->nand2_cap_ff;
}

const char *synth_script_name(bool stock) {
  return stock ? "stock" : "speed";
}

bool synth_large(const synth_job_t *job) {
  module_reg_t regs[MODULE_MAX_REGS];
  void *self;
  uint64_t bits = 0;
  if (!job->cls) return job->source.large;
  if (job->cls->n_regs == 0 || job->cls->create(&self, job->cfg, NULL) != 0) return false;
  job->cls->regs(self, regs);
  for (unsigned i = 0; i < job->cls->n_regs; i++)
    if (!sram_is(job->cls->stem, regs[i].name)) bits += (uint64_t)regs[i].words * regs[i].width;
  job->cls->destroy(self);
  return bits > SYNTH_LARGE;
}

/* `setattr -unset` of all wires would change their order, and with it the netlist. */
void synth_read_text(FILE *f, const synth_source_t *s) {
  fputs("read_verilog -sv -defer design.sv\n", f);
  if (s->params[0]) fprintf(f, "chparam%s %s\n", s->params, s->top);
  fprintf(f,
          "hierarchy -check -top %s\n"
          "proc\nselect -write init.txt a:init t:$meminit t:$meminit_v2\n"
          "setattr -unset init a:init\nchformal -remove\n",
          s->top);
}

static void read_module(FILE *f, const synth_job_t *job) {
  const char *top = job->source.top;
  fputs("read_verilog -defer -DSYNTHESIS rtl/*.v\nchparam", f);
  for (unsigned i = 0; i < job->cls->n_params; i++)
    fprintf(f, " -set %s %u", job->cls->params[i].name, job->cfg[i]);
  fprintf(f, " %s\nhierarchy -check -top %s\n", top, top);
}

/* Writes a selection of an array's cell; brackets of a generate block's name are no pattern. */
static void put_array(FILE *f, const char *top, const char *array) {
  fprintf(f, " %s/c:", top);
  for (const char *c = array; *c; c++) fprintf(f, strchr("[]*?", *c) ? "\\%c" : "%c", *c);
}

/* Puts macros in the place of the memories with this kind of read. */
static void put_macros(FILE *f, const synth_job_t *job, bool clocked) {
  for (unsigned i = 0; i < job->n_srams; i++) {
    if (job->sram[i].clocked != clocked) continue;
    fprintf(f, "techmap -map %s.map.v", job->sram[i].macro);
    put_array(f, job->source.top, job->sram[i].array);
    fputs("\n", f);
  }
}

/* All other memories must become flip-flops first: memory_dff accepts no selection, and would put
 * the register of an address into their reads. So it would into those of a register file that is
 * beside an SRAM. */
static void put_memories(FILE *f, const synth_job_t *job) {
  const char *top = job->source.top;
  unsigned clocked = 0;
  if (job->n_srams == 0) return;
  fprintf(f, "memory_map %s/t:$mem_v2", top);
  for (unsigned i = 0; i < job->n_srams; i++) {
    clocked += job->sram[i].clocked;
    put_array(f, top, job->sram[i].array);
    fputs(" %d", f);
  }
  fputs("\nopt_clean\n", f);
  const bool mixed = clocked && clocked < job->n_srams;
  if (mixed) put_macros(f, job, false);
  if (!job->source.unclocked) fputs("memory_dff\nopt_clean\n", f);
  if (!mixed) put_macros(f, job, false);
  put_macros(f, job, true);
}

/* Writes everything up to plain gates and D flip-flops. */
static void put_front(FILE *f, const synth_job_t *job) {
  const char *top = job->source.top;
  for (unsigned i = 0; i < job->n_srams; i++)
    if (!sram_repeats(job->sram, i))
      fprintf(f, "read_liberty -lib -ignore_miss_func %s.lib\n", job->sram[i].macro);
  if (job->source.text)
    synth_read_text(f, &job->source);
  else
    read_module(f, job);
  fprintf(f,
          "synth -flatten -nofsm -nordff -top %s -run begin:fine\n"
          "delete t:$scopeinfo\n", /* a newer Yosys leaves one for each instance */
          top);
  put_memories(f, job);
  fprintf(f, "synth -noabc -top %s -run fine:check\n", top);
  if (job->source.text)
    fputs("setattr -unset init a:init\n", f); /* of arrays that became registers */
  fprintf(f,
          "dfflegalize -cell $_DFF_P_ x%s\n"
          "opt -fast -nodffe -nosdff\n"
          /* A flip-flop is named by its register, since a library may have only the inverse of it
           * as a net (QN). */
          "rename -wire -suffix _reg t:$_DFF*\n"
          "rename -enumerate -pattern f%% t:$_DFF*\n"
          "write_json pre.json\n",
          job->source.async_resets ? " -cell $_DFF_PN?_ x -cell $_DFFSR_PNN_ x" : "");
}

static void put_back(FILE *f, const synth_job_t *job) {
  fprintf(f,
          "abc -exe %s -fast\nopt -fast -nodffe -nosdff\n"
          "dfflibmap -liberty cells.lib\n",
          abc_program());
  /* Other private names give ABC its whole input in another order. */
  if (job->seed)
    fprintf(f, "rename -scramble-name -seed %u t:$_*_ n:$*\nwrite_rtlil order.il\n", job->seed);
  fprintf(f, "abc -exe %s -liberty cells.lib -constr io.constr -D %d", abc_program(),
          SYNTH_TARGET_PS);
  if (!job->stock)
    fprintf(f,
            " -script +strash;%smap,-B,0.9,{D};topo;buffer,-c;topo;upsize,{D};dnsize,{D};stime,-p",
            synth_large(job) ? "dc2;" : "ifraig;scorr;dc2;strash;dch,-f;");
  fputs("\nopt_clean\n"
        "rename -enumerate -pattern g% c:*\n"
        "write_json mapped.json\n"
        "setundef -zero\n"
        "splitnets\n"
        "opt_clean -purge\n"
        "write_verilog -noattr -noexpr -nohex -nodec net.v\n",
        f);
}

static int write_srams(const synth_job_t *job, const char *folder, mrpb_err_t *err) {
  for (unsigned i = 0; i < job->n_srams; i++) {
    char name[SRAM_NAME + 8];
    if (sram_repeats(job->sram, i)) continue;
    snprintf(name, sizeof name, "%s.lib", job->sram[i].macro);
    FILE *f = output_into(folder, name, err);
    if (!f) return -1;
    sram_liberty(f, &job->sram[i], job->lib->nand2_cap_ff);
    if (output_into_end(f, false, folder, name, err) != 0) return -1;
    snprintf(name, sizeof name, "%s.map.v", job->sram[i].macro);
    if (!(f = output_into(folder, name, err))) return -1;
    sram_map(f, &job->sram[i]);
    if (output_into_end(f, false, folder, name, err) != 0) return -1;
  }
  return 0;
}

static int link_to(const char *folder, const char *name, const char *target, mrpb_err_t *err) {
  char path[FILES_PATH], full[2 * FILES_PATH], here[FILES_PATH] = "";
  if (target[0] != '/' && !getcwd(here, sizeof here)) here[0] = '\0';
  snprintf(full, sizeof full, "%s%s%s", here, here[0] ? "/" : "", target);
  if (files_path(path, "%s/%s", folder, name) && symlink(full, path) == 0) return 0;
  return mrpb_fail(err, "%s/%s: %s", folder, name, strerror(errno));
}

int synth_link_rtl(const synth_job_t *job, const char *folder, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/rtl", folder)) return mrpb_fail(err, "%s: path too long", folder);
  return rtl_link_sources(job->rtl, job->cls->stem, path, err);
}

int synth_write(const synth_job_t *job, const char *folder, mrpb_err_t *err) {
  const char *text = job->source.text;
  if (link_to(folder, "cells.lib", job->lib->written, err) != 0 ||
      (text ? link_to(folder, "design.sv", text, err) : synth_link_rtl(job, folder, err)) != 0 ||
      write_srams(job, folder, err) != 0)
    return -1;
  FILE *f = output_into(folder, "io.constr", err);
  if (!f) return -1;
  fprintf(f, "set_driving_cell %s\nset_load %.6g\n", job->lib->buffer->name,
          synth_load_ff(job->lib));
  if (output_into_end(f, false, folder, "io.constr", err) != 0) return -1;
  if (!(f = output_into(folder, "synth.ys", err))) return -1;
  put_front(f, job);
  put_back(f, job);
  if (output_into_end(f, false, folder, "synth.ys", err) != 0) return -1;
  if (!(f = output_into(folder, "aig.abc", err))) return -1;
  fputs("read_blif pre.blif\nstrash\ndc2\ndc2\nprint_stats\n", f);
  return output_into_end(f, false, folder, "aig.abc", err);
}

int synth_hash(const synth_job_t *job, uint64_t *hash, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *f = memory_file(&text, &size);
  if (!f) return mrpb_fail(err, "out of memory");
  put_front(f, job);
  put_back(f, job);
  for (unsigned i = 0; i < job->n_srams; i++) {
    sram_liberty(f, &job->sram[i], job->lib->nand2_cap_ff);
    sram_map(f, &job->sram[i]);
  }
  bool bad = ferror(f) | fclose(f);
  if (!bad) *hash = hash_text(*hash, text);
  free(text);
  return bad ? mrpb_fail(err, "out of memory") : 0;
}

/* ---- results ---- */

/* A macro that is missing is a memory that became flip-flops. */
static int check_macros(const synth_job_t *job, const gates_t *g, mrpb_err_t *err) {
  for (unsigned i = 0; i < job->n_srams; i++) {
    const sram_t *s = &job->sram[i];
    const char *type = gates_type(g, s->array);
    char cell[SRAM_NAME + 8];
    sram_cell(s, cell);
    if (!type || strncmp(type, s->macro, strlen(s->macro)) != 0)
      return mrpb_fail(err,
                       "%s: %s of the Verilog is no memory of %u words x %u bits with one read and "
                       "one write port of one clock",
                       job->source.name, s->array, s->words, s->bits);
    if (strcmp(type, cell) != 0)
      return mrpb_fail(err, "%s: %s of the Verilog is read %s; the tables of storage say %s",
                       job->source.name, s->array, s->clocked ? "without a clock" : "by a clock",
                       s->clocked ? "SRAM" : "register file");
  }
  return 0;
}

static int read_mapped(const synth_job_t *job, const char *folder, synth_result_t *r,
                       mrpb_err_t *err) {
  char path[FILES_PATH];
  const char *name;
  json_t *cell;
  gates_t g;
  if (!files_path(path, "%s/mapped.json", folder)) return mrpb_fail(err, "path too long");
  if (gates_open(&g, path, job->source.top, err) != 0) return -1;
  int rc = check_macros(job, &g, err);
  json_object_foreach(g.cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    if (strncmp(type, "sram_", 5) == 0) continue;
    const liberty_cell_t *c = liberty_cell(job->lib, type);
    if (!c || c->area < 0) {
      rc = mrpb_fail(err, "%s: %s %s of the netlist: no such cell with an area in %s",
                     job->source.name, type, name, job->lib->path);
      break;
    }
    r->area_um2 += c->area;
    r->cells++;
    r->flops += c->flop;
  }
  gates_close(&g);
  return rc;
}

static int read_aig(const char *folder, synth_result_t *r, mrpb_err_t *err) {
  char line[256];
  tools_find_line(folder, "abc.log", "and =", line, sizeof line);
  const char *lev = strstr(line, "lev =");
  if (!lev || sscanf(line, "and = %u", &r->aig_nodes) != 1 ||
      sscanf(lev, "lev = %u", &r->aig_levels) != 1)
    return mrpb_fail(err, "%s: no counts of gates and levels in its output (%s/abc.log)",
                     abc_program(), folder);
  return 0;
}

static int run_aig(const synth_job_t *job, const char *folder, synth_result_t *r, mrpb_err_t *err) {
  const char *const abc[] = {abc_program(), "-f", "aig.abc", NULL};
  char path[FILES_PATH];
  gates_t g;
  if (!files_path(path, "%s/pre.json", folder)) return mrpb_fail(err, "path too long");
  if (gates_open(&g, path, job->source.top, err) != 0) return -1;
  FILE *f = output_into(folder, "pre.blif", err);
  int rc = f ? gates_blif(&g, f, err) : -1;
  if (f && output_into_end(f, false, folder, "pre.blif", err) != 0) rc = -1;
  gates_close(&g);
  if (rc != 0 || tools_run(folder, abc, "abc.log", LIMIT, err) != 0) return -1;
  return read_aig(folder, r, err);
}

int synth_run(const synth_job_t *job, const char *folder, synth_result_t *r, mrpb_err_t *err) {
  static const char *const yosys[] = {"yosys", "-q", "-l", "yosys.log", "-s", "synth.ys", NULL};
  char path[FILES_PATH];
  *r = (synth_result_t){.cells = 0};
  if (tools_run(folder, yosys, "yosys.out", LIMIT, err) != 0) return -1;
  if (!files_path(path, "%s/net.v", folder) || !files_exists(path))
    return mrpb_fail(err, "yosys: ended without an error and without a netlist (%s/yosys.log)",
                     folder);
  if (read_mapped(job, folder, r, err) != 0) return -1;
  return run_aig(job, folder, r, err);
}
