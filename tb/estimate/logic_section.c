/* SPDX-License-Identifier: Apache-2.0 */
/* The report's section on logic: one table per Liberty file, with a row for each module of each
 * alternative, its longest paths, its SRAM macros, and the files behind them. */
#include "estimate/flow.h"
#include "estimate/sections.h"
#include "estimate/study.h"
#include "estimate/timing.h"
#include "estimate/total.h"

#include "base/files.h"
#include "base/json_out.h"
#include "base/memory_file.h"
#include "drain_selector.h"
#include "fifo_bank.h"
#include "flush_control.h"
#include "queue_selector.h"
#include "config/verilog_params.h"

#include <stdlib.h>
#include <string.h>

/* A stored request consists of a header (kind, warp, block) and a payload. */
enum { HEADER_W = 13, MODULES = 7, ROWS = MODULES * ESTIMATE_COLUMNS };

typedef struct {
  unsigned column;
  logic_job_t job;
  logic_result_t result;
  char label[ESTIMATE_NAME + 48];
  double clock_ghz;
} line_t;

typedef struct {
  line_t line[ROWS];
  unsigned n;
  logic_job_t job[ROWS]; /* the same without duplicates, for the runs */
  logic_result_t result[ROWS];
  unsigned n_jobs, job_of[ROWS];
} table_t;

/* Takes CACTI's figures for an SRAM, unless the user gave them. */
static void take_cacti(const estimate_t *e, unsigned column, const char *unit, sram_t *s) {
  const estimate_column_t *c = &e->column[column];
  if (s->area_um2 > 0) return; /* a macro of --sram-lib */
  const char *array = strrchr(s->array, '.') ? strrchr(s->array, '.') + 1 : s->array;
  for (unsigned i = 0; i < c->storage.n; i++) {
    const storage_array_t *a = &c->storage.array[i];
    const char *name = strrchr(a->name, '.');
    if (strcmp(a->unit, unit) != 0 || !name || strcmp(name + 1, array) != 0 || !c->cacti[i].good)
      continue;
    s->area_um2 = c->cacti[i].result.area * 1e6;
    if (s->source[0]) return;
    s->access_ns = c->cacti[i].result.access;
    snprintf(s->source, SRAM_NAME, "CACTI %.20s, %u nm", e->cacti.named, e->opt.cacti.node);
  }
}

static int add_line(table_t *t, const estimate_t *e, const flow_t *f, unsigned column,
                    const char *unit, const module_class_t *cls, const void *cfg, mrpb_err_t *err) {
  line_t *l = &t->line[t->n++];
  l->column = column;
  if (flow_job(f, cls, cfg, &l->job, err) != 0) return -1;
  l->clock_ghz = estimate_clock(e, column);
  for (unsigned i = 0; i < l->job.synth.n_srams; i++)
    take_cacti(e, column, unit, &l->job.synth.sram[i]);
  if (e->n_columns > 1)
    snprintf(l->label, sizeof l->label, "%s, %s", cls->stem, e->column[column].name);
  else
    snprintf(l->label, sizeof l->label, "%s", cls->stem);
  return 0;
}

/* A module inside the MRPB gets the MRPB's parameters of the same names. */
static void inner(const module_class_t *cls, const mrpb_cfg_t *m, uint32_t *cfg) {
  const uint32_t *outer = (const uint32_t *)m;
  module_defaults(cls, cfg);
  for (unsigned i = 0; i < cls->n_params; i++) {
    int at = module_param_index(&mrpb_class, cls->params[i].name);
    if (at >= 0) cfg[i] = outer[at];
  }
  int data = module_param_index(cls, "DATA_W"); /* a stored request: header and payload */
  if (data >= 0) cfg[data] = m->DATA_W + HEADER_W;
}

/* Adds the modules of the MRPB, each alone and all together. */
static int add_mrpb(table_t *t, const estimate_t *e, const flow_t *f, unsigned column,
                    mrpb_err_t *err) {
  static const module_class_t *const parts[] = {&queue_selector_class, &flush_control_class,
                                                &drain_selector_class, &fifo_bank_class};
  const mrpb_cfg_t m = config_mrpb_params(&e->column[column].cfg);
  int rc = add_line(t, e, f, column, "mrpb", &mrpb_class, &m, err);
  for (unsigned i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
    uint32_t cfg[MODULE_MAX_PARAMS];
    inner(parts[i], &m, cfg);
    rc = add_line(t, e, f, column, "mrpb", parts[i], cfg, err);
  }
  return rc;
}

static int add_column(table_t *t, const estimate_t *e, const flow_t *f, unsigned column,
                      mrpb_err_t *err) {
  const config_t *c = &e->column[column].cfg;
  const mshr_cfg_t mshr = config_mshr_params(c);
  const prt_cfg_t prt = config_prt_params(c);
  /* The largest module comes first, so that the others run beside it. */
  if (config_has_prt(c) &&
      add_line(t, e, f, column, "prt", &prt_class, &prt, err) != 0)
    return -1;
  if (config_has_mrpb(c) && add_mrpb(t, e, f, column, err) != 0) return -1;
  return config_has_mshr(c) ? add_line(t, e, f, column, "mshr", &mshr_class, &mshr, err) : 0;
}

static bool same_job(const logic_job_t *a, const logic_job_t *b) {
  return a->synth.cls == b->synth.cls &&
         memcmp(a->synth.cfg, b->synth.cfg, sizeof a->synth.cfg) == 0 &&
         memcmp(a->synth.sram, b->synth.sram, sizeof a->synth.sram) == 0;
}

static int run_all(table_t *t, const flow_t *f, mrpb_err_t *err) {
  for (unsigned i = 0; i < t->n; i++) {
    unsigned k = 0;
    while (k < t->n_jobs && !same_job(&t->job[k], &t->line[i].job)) k++;
    if (k == t->n_jobs) t->job[t->n_jobs++] = t->line[i].job;
    t->job_of[i] = k;
  }
  int rc = logic_estimate_all(t->job, t->result, t->n_jobs, flow_jobs(f->opt), f->opt->stop, err);
  if (rc != 0) return rc;
  for (unsigned i = 0; i < t->n; i++) t->line[i].result = t->result[t->job_of[i]];
  return 0;
}

/* ---- text ---- */

static int by_module(const void *a, const void *b) {
  const line_t *x = a, *y = b;
  int rc = strcmp(x->job.synth.cls->stem, y->job.synth.cls->stem);
  return rc ? rc : (x->column > y->column) - (x->column < y->column);
}

static void put_path(FILE *md, const char *label, const char *kind, const sta_path_t *p) {
  if (!p->found) return;
  fprintf(md, "- %s, %s, %.3f ns: `%s` to `%s`", label, kind, p->period_ns, p->start, p->end);
  if (p->through[0]) fprintf(md, " by way of %s", p->through);
  fprintf(md, "\n");
}

static void put_paths(FILE *md, const table_t *t) {
  fprintf(md,
          "\nLongest paths at the first corner without wires, by the names of the Verilog:\n\n");
  for (unsigned i = 0; i < t->n; i++) {
    const sta_result_t *s = &t->line[i].result.sta;
    bool same = s->reg.found && s->reg.period_ns == s->all.period_ns;
    put_path(md, t->line[i].label, same ? "between registers" : "with its ports", &s->all);
    if (!same) put_path(md, t->line[i].label, "between registers", &s->reg);
  }
}

static void put_srams(FILE *md, const table_t *t) {
  bool any = false;
  for (unsigned i = 0; i < t->n; i++) {
    const synth_job_t *s = &t->line[i].job.synth;
    for (unsigned k = 0; k < s->n_srams; k++) {
      const sram_t *m = &s->sram[k];
      if (!any)
        fprintf(md, "\nTaken out as macros (not in the areas of cells):\n\n"
                    "| array | built as | macro | access ns | setup ns | area um2 | from |\n"
                    "| --- | --- | --- | ---: | ---: | ---: | --- |\n");
      any = true;
      char area[32] = "not known", access[32] = "not known";
      if (m->area_um2 > 0) snprintf(area, sizeof area, "%.0f", m->area_um2);
      if (m->access_ns > 0) snprintf(access, sizeof access, "%.3f", m->access_ns);
      char cell[SRAM_NAME + 8], setup[32] = "not known, 0 used";
      sram_cell(m, cell);
      if (m->setup_ns > 0) snprintf(setup, sizeof setup, "%.3f", m->setup_ns);
      fprintf(md, "| %s: %s | %s | %s | %s | %s | %s | %s |\n", t->line[i].label, m->array,
              m->clocked ? "SRAM" : "register file, read without a clock", cell, access, setup,
              area,
              m->source[0] ? m->source
                           : "no path goes through it: `--cacti`, `--sram-lib` or `--sram-access`");
    }
  }
}

static void put_large(FILE *md, const table_t *t) {
  bool any = false;
  for (unsigned i = 0; i < t->n; i++) {
    if (!synth_large(&t->line[i].job.synth)) continue;
    fprintf(md, "%s%s",
            any ? ", " : "\nThrough ABC without SAT sweeping, for their size: ", t->line[i].label);
    any = true;
  }
  if (any) fputs(".\n", md);
}

static timing_row_t row_of(const line_t *l) {
  return (timing_row_t){l->label, &l->job, &l->result, l->clock_ghz};
}

static json_t *lines_json(const estimate_t *e, const flow_t *f, const table_t *t) {
  json_t *list = json_array();
  for (unsigned i = 0; i < t->n; i++) {
    const synth_job_t *s = &t->line[i].job.synth;
    const timing_row_t row = row_of(&t->line[i]);
    json_t *o = logic_json(&t->line[i].result), *p = json_object();
    for (unsigned k = 0; k < s->cls->n_params; k++)
      json_out_set(&p, s->cls->params[k].name, json_integer(s->cfg[k]));
    json_out_set(&o, "module", json_string(s->cls->stem));
    json_out_set(&o, "column", json_string(e->column[t->line[i].column].name));
    json_out_set(&o, "parameters", p);
    json_out_set(&o, "timing", timing_json(f, &row));
    json_out_append(&list, o);
  }
  return list;
}

/* ---- files ---- */

static int copy_file(estimate_t *e, const char *folder, const char *from, const char *to,
                     mrpb_err_t *err) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/%s", folder, from) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(err, "%s/%s: cannot read", folder, from);
  int rc = estimate_write(e, to, text, err);
  free(text);
  return rc;
}

/* Wires alone have no delays. */
static bool has_cells(const line_t *l) {
  return l->result.synth.cells || l->job.synth.n_srams;
}

/* Writes netlist, arcs of the ports, stubs and Tcl of a line to a folder in which `sta sta.tcl` repeats the
 * figures. */
static int write_files(estimate_t *e, const flow_t *f, const line_t *l, mrpb_err_t *err) {
  char name[ESTIMATE_PATH], kind[2 * LIBERTY_NAME + 48], file[SRAM_NAME + 8], *text = NULL;
  size_t size;
  snprintf(kind, sizeof kind, "logic/%s/%s", f->lib.name, l->job.synth.cls->stem);
  estimate_name(e, l->column, kind, "", name);
  if (estimate_folder(e, name, err) != 0) return -1;
  estimate_name(e, l->column, kind, "net.v", name);
  if (copy_file(e, l->result.folder, "net.v", name, err) != 0) return -1;
  for (unsigned i = 0; i < 2 && has_cells(l); i++) {
    static const char *const ports[] = {"ports.md", "ports.csv"};
    estimate_name(e, l->column, kind, ports[i], name);
    if (copy_file(e, l->result.folder, ports[i], name, err) != 0) return -1;
  }
  for (unsigned i = 0; i < l->job.synth.n_srams; i++) {
    snprintf(file, sizeof file, "%s.lib", l->job.synth.sram[i].macro);
    estimate_name(e, l->column, kind, file, name);
    if (copy_file(e, l->result.folder, file, name, err) != 0) return -1;
  }
  FILE *tcl = memory_file(&text, &size);
  if (!tcl) return mrpb_fail(err, "out of memory");
  sta_script(tcl, &l->job.synth, f->lib.written, 1 / l->clock_ghz);
  bool bad = ferror(tcl) | fclose(tcl);
  estimate_name(e, l->column, kind, "sta.tcl", name);
  int rc = bad ? mrpb_fail(err, "out of memory") : estimate_write(e, name, text, err);
  free(text);
  return rc;
}

/* ---- the section ---- */

/* What the report begins with: the tables of an SM, each with its verdict and its area. */
static int put_brief(estimate_t *e, const flow_t *f, const table_t *t, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *md = memory_file(&text, &size);
  if (!md) return mrpb_fail(err, "out of memory");
  for (unsigned i = 0, n = 0; i < t->n; i++) {
    const timing_row_t row = row_of(&t->line[i]);
    if (!total_is_whole(t->line[i].job.synth.cls)) continue;
    if (n++ == 0) {
      fprintf(md, "Before layout, with %s. ", f->lib.name);
      timing_put_around(md, f, &row);
      fputs("\n", md);
    }
    timing_put_verdict(md, f, &row);
    const total_t total = total_of(e, t->line[i].column, f, &row);
    total_put_brief(md, &total);
  }
  if (e->cacti.named[0])
    fprintf(md, "\nMemories and L1: CACTI %s at %u nm, ports `%s`.\n", e->cacti.named,
            e->opt.cacti.node, e->opt.cacti.dual ? "dual" : "split");
  const bool bad = ferror(md) | fclose(md);
  if (!bad) json_out_append(&e->brief, json_string(text));
  free(text);
  return bad || !e->brief ? mrpb_fail(err, "out of memory") : 0;
}

static void put_tables(FILE *md, const flow_t *f, const table_t *t) {
  timing_row_t row[ROWS];
  for (unsigned i = 0; i < t->n; i++) row[i] = row_of(&t->line[i]);
  timing_put(md, f, row, t->n);
}

/* The area of everything that a module needs, one row for each that is no part of another. */
static json_t *put_totals(const estimate_t *e, const flow_t *f, FILE *md, const table_t *t) {
  json_t *list = json_array();
  total_put_head(md, e, f);
  for (unsigned i = 0; i < t->n; i++) {
    const line_t *l = &t->line[i];
    if (!total_is_whole(l->job.synth.cls)) continue;
    const timing_row_t row = row_of(l);
    const total_t total = total_of(e, l->column, f, &row);
    total_put_row(md, &total, l->label);
    json_out_append(&list, total_json(&total, l->job.synth.cls->stem, e->column[l->column].name));
  }
  return list;
}

static int one_library(estimate_t *e, const flow_t *f, FILE *md, json_t **json, mrpb_err_t *err) {
  table_t *t = calloc(1, sizeof *t);
  if (!t) return mrpb_fail(err, "out of memory");
  int rc = 0;
  for (unsigned c = 0; c < e->n_columns && rc == 0; c++) rc = add_column(t, e, f, c, err);
  if (rc == 0) rc = run_all(t, f, err);
  if (rc == 0) {
    qsort(t->line, t->n, sizeof *t->line, by_module);
    flow_print(md, f);
    put_tables(md, f, t);
    if (!f->opt->stock) put_large(md, t);
    fprintf(md, "\nThe arcs of every port are in `logic/%s/<module>/ports.md` and `ports.csv`.\n",
            f->lib.name);
    put_srams(md, t);
    json_out_set(json, "totals", put_totals(e, f, md, t));
    put_paths(md, t);
    rc = put_brief(e, f, t, err);
    json_out_set(json, "modules", lines_json(e, f, t));
  }
  for (unsigned i = 0; i < t->n && rc == 0; i++) rc = write_files(e, f, &t->line[i], err);
  free(t);
  if (rc == 0 && f->opt->study) rc = study_make(f, md, json, err);
  return rc;
}

int logic_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err) {
  json_t *list = json_array();
  int rc = 0;
  if (!e->opt.logic.on) fputs("Not asked for (`--no-logic`).\n", md);
  for (unsigned i = 0; e->opt.logic.on && i < flow_liberties(&e->opt.logic) && rc == 0; i++) {
    flow_t f;
    rc = flow_open(&f, &e->opt.logic, i, err);
    if (rc != 0) break;
    for (unsigned k = 0; k < TOOLS_N; k++) estimate_tool(e, tools_name(k), f.tools.version[k]);
    if (flow_liberties(&e->opt.logic) > 1)
      fprintf(md, "%s### %s, %s\n\n", i ? "\n" : "", f.lib.name, f.lib.corner);
    json_t *o = flow_json(&f);
    rc = one_library(e, &f, md, &o, err);
    json_out_append(&list, o);
    flow_close(&f);
  }
  e->stopped = e->stopped || rc == LOGIC_STOPPED;
  json_out_set(json, "libraries", list);
  return rc;
}
